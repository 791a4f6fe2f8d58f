//! Names that a page's own list has must not get lost when its records are aligned with those of other pages.
//!
//! In: a region of several pages, and the list of one of them as it was alone. Out: the region, in which the
//! column with the texts of that page's title, link or price has its name, if no other column has it. Names
//! by role depend on what differs between records, and that may be less over several pages than on one:
//! pages overlap, or another column is there more often. O(cells).

use copal_model::{Column, Record, Region};

/// Groups of names for the roles that a list must keep. The names of a group mean the same.
const ROLE_NAMES: &[&[&str]] = &[&["title", "name"], &["url"], &["price"]];
/// Share of the page's cells that the column of the region must have.
const MIN_EQUAL_CELLS: f64 = 0.8;

/// Renames columns of a region; see the module. The records of the page begin at `first`.
pub(super) fn keep_role_names(columns: &mut [Column], records: &[Record], first: usize, own: &Region) {
    for names in ROLE_NAMES {
        let is_role = |column: &Column| names.contains(&column.name.as_str());
        if columns.iter().any(is_role) {
            continue;
        }
        let Some(at) = own.columns.iter().position(is_role) else { continue };
        let texts = || own.records.iter().map(|record| record.cells[at].first());
        let filled = texts().flatten().count();
        let equal = |c: usize| {
            let shared = records.iter().skip(first).map(|record| record.cells[c].first());
            texts().zip(shared).filter(|(own, shared)| own.is_some() && own == shared).count()
        };
        let is_free = |c: &usize| {
            columns[*c].source == own.columns[at].source
                && !ROLE_NAMES.iter().any(|names| names.contains(&columns[*c].name.as_str()))
        };
        let best = (0..columns.len()).filter(is_free).max_by_key(|&c| (equal(c), std::cmp::Reverse(c)));
        if let Some(c) = best.filter(|&c| filled > 0 && equal(c) as f64 >= MIN_EQUAL_CELLS * filled as f64) {
            columns[c].name.clone_from(&own.columns[at].name);
            columns[c].named_by = own.columns[at].named_by;
            columns[c].name_reason.clone_from(&own.columns[at].name_reason);
        }
    }
}
