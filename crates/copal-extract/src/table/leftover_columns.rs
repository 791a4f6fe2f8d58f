//! Columns that only repeat the name of another one, or that nothing names and few records have.
//!
//! In: finished drafts with types and names. Out: fewer columns. Two columns that would have the same name
//! and type, and that no record has both of, are one field in two places, unless the name is only a guess
//! from the look of the texts. What is left of one record only (the settings of a video player, a notice)
//! would be a column each; these texts share the column `other`, and further paragraphs of a description
//! stay with it. No text is lost. O(cells).

use super::column_draft::ColumnDraft;
use super::column_names::NamedColumn;
use copal_model::{CellSource, NamedBy};
use copal_values::ValueType;
use rustc_hash::FxHashSet;

/// The name of the column for texts that few records have.
const OTHER: &str = "other";
/// In shorter lists one record is not few.
const MIN_LIST_RECORDS: usize = 5;

/// A column with its type and name.
pub(super) struct FinishedColumn {
    pub(super) draft: ColumnDraft,
    pub(super) value_type: Option<ValueType>,
    pub(super) named: NamedColumn,
}

/// Merges columns; see the module.
pub(super) fn merge_leftovers(columns: Vec<FinishedColumn>, records: usize) -> Vec<FinishedColumn> {
    let mut sets: Vec<FxHashSet<usize>> = columns.iter().map(|column| records_of(&column.draft)).collect();
    let mut columns: Vec<Option<FinishedColumn>> = columns.into_iter().map(Some).collect();
    let mut others: Vec<FinishedColumn> = Vec::new();
    for c in 0..columns.len() {
        let Some(column) = columns[c].take_if(|column| is_unnamed(column)) else { continue };
        let is_few = is_few(sets[c].len(), records);
        let target = column.named.base.as_ref().and_then(|base| {
            columns.iter().position(|other| {
                other
                    .as_ref()
                    .is_some_and(|other| other.named.name == *base && other.draft.source == CellSource::Text)
            })
        });
        let target = target.filter(|&t| {
            let Some(to) = columns[t].as_ref() else { return false };
            let says_what = !matches!(column.value_type, Some(ValueType::Number | ValueType::Count));
            let is_one_field = says_what && !is_guessed(to) && sets[t].is_disjoint(&sets[c]);
            let continues =
                column.named.base.as_deref() == Some("description") || to.named.by == NamedBy::Header;
            to.value_type == column.value_type && (is_one_field || is_few && continues)
        });
        if let Some(t) = target {
            let added = std::mem::take(&mut sets[c]);
            sets[t].extend(added);
            if let Some(to) = &mut columns[t] {
                add_cells(&mut to.draft, column.draft);
            }
        } else if is_few && column.value_type.is_none() {
            others.push(column);
        } else {
            columns[c] = Some(column);
        }
    }
    let mut columns: Vec<FinishedColumn> = columns.into_iter().flatten().collect();
    let has_other = columns.iter().any(|column| column.named.name == OTHER);
    if has_other {
        columns.extend(others);
        return columns;
    }
    let mut others = others.into_iter();
    if let Some(mut first) = others.next() {
        others.for_each(|other| add_cells(&mut first.draft, other.draft));
        OTHER.clone_into(&mut first.named.name);
        first.named.by = NamedBy::Position;
        "texts that few records have, and that nothing names".clone_into(&mut first.named.reason);
        first.value_type = None;
        columns.push(first);
    }
    columns
}

/// True for a text column that nothing names, or whose name another column has too.
fn is_unnamed(column: &FinishedColumn) -> bool {
    column.draft.source == CellSource::Text
        && (column.named.base.is_some() || column.named.by == NamedBy::Position)
}

/// True if only the look of its texts names a column: `details` says that they have many words. Two such
/// columns may well be two fields.
fn is_guessed(column: &FinishedColumn) -> bool {
    matches!(column.named.by, NamedBy::ValueType | NamedBy::Position) && column.value_type.is_none()
}

/// True for one record, or less than a tenth of all.
fn is_few(own: usize, records: usize) -> bool {
    records >= MIN_LIST_RECORDS && (own == 1 || 10 * own < records)
}

fn records_of(draft: &ColumnDraft) -> FxHashSet<usize> {
    draft.cells.iter().map(|cell| cell.record).collect()
}

fn add_cells(to: &mut ColumnDraft, from: ColumnDraft) {
    to.cells.extend(from.cells);
    to.cells.sort_by_key(|cell| (cell.record, cell.position));
}

#[cfg(test)]
mod tests {
    use crate::{Request, extract};
    use copal_dom::{Limits, Page};

    /// The columns of a list with one item per number: names, and how many records have them.
    fn columns(count: usize, item: impl Fn(usize) -> String) -> Vec<(String, usize)> {
        let items: String = (1..=count).map(|n| format!("<li>{}</li>", item(n))).collect();
        let page = Page::from_text(&format!("<body><ul>{items}</ul>"), &Limits::default());
        let answer = extract(&page, &Request::default());
        let list = answer.primary().expect("a list");
        let filled = |c: usize| list.records.iter().filter(|record| !record.cells[c].is_empty()).count();
        list.columns.iter().enumerate().map(|(c, column)| (column.name.clone(), filled(c))).collect()
    }

    #[test]
    fn texts_of_one_record_share_a_column() {
        let found = columns(12, |n| {
            let settings = "<div><i>Quality</i></div><p><u>Subtitles</u></p><h6>Speed</h6>";
            let settings = if n == 4 { settings } else { "" };
            format!("<h3><a href=/clip{n}>Clip number {n}</a></h3><time>{n} May 2020</time>{settings}")
        });
        assert_eq!(found.iter().filter(|(_, filled)| *filled == 1).count(), 1, "{found:?}");
        assert!(found.contains(&("other".to_owned(), 1)), "{found:?}");
    }

    #[test]
    fn columns_that_only_look_alike_stay_apart() {
        let found = columns(12, |n| {
            let words = format!("with walnut legs and a top of oak number {n}");
            let details = if n % 2 == 0 { format!("<p>Table {words}</p>") } else { String::new() };
            let more = if n % 2 == 1 { format!("<h6>Shipped {words}</h6>") } else { String::new() };
            format!("<h3><a href=/desk{n}>Desk number {n}</a></h3>{details}<time>{n} May 2020</time>{more}")
        });
        assert_eq!(found.iter().filter(|(_, filled)| *filled == 6).count(), 2, "{found:?}");
    }

    #[test]
    fn one_field_in_two_places_is_one_column() {
        let found = columns(12, |n| {
            let company = format!("<p class=company>Firm {n}x</p>");
            let date = format!("<time>{n} May 2020</time>");
            let fields = if n % 3 == 0 { company + &date } else { date + "<div>" + &company + "</div>" };
            format!("<h3><a href=/job{n}>Job number {n}</a></h3>{fields}")
        });
        assert!(found.contains(&("company".to_owned(), 12)), "{found:?}");
    }
}
