//! The fields of a list that are worth a column.
//!
//! In: a list of objects, and which object stands in which row. Out: columns of cells, without those that say the same in
//! every row, number the rows, or say what another one says. O(fields * rows).

use super::fields::{self, Part};
use crate::signals::scripts::objects::Objects;
use copal_dom::hash::hash_of;
use copal_dom::url::BaseUrl;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// Most columns of a list, those that most rows have.
const COLUMNS: usize = 80;

/// A field that becomes a column.
pub(super) struct Picked {
    pub(super) part: (Part, usize),
    pub(super) name: String,
    /// One entry a row.
    pub(super) cells: Vec<Vec<String>>,
    /// Rows that have a value.
    pub(super) filled: usize,
}

/// The fields in the order of their keys; `order` has the object of each row. With `all`, every field that has a value.
pub(super) fn pick(objects: &Objects, order: &[Option<u32>], base: &BaseUrl, all: bool) -> Vec<Picked> {
    let rows = order.iter().flatten().count();
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut picked: Vec<Picked> = Vec::new();
    for (key, short) in fields::short_keys(objects).into_iter().enumerate() {
        let values: Vec<&[String]> = order
            .iter()
            .map(|object| {
                object.and_then(|at| objects.rows[at as usize].values(key as u32)).unwrap_or_default()
            })
            .collect();
        let filled = values.iter().filter(|values| !values.is_empty()).count();
        let mut tells_nothing = || {
            constant(&values, filled, rows) || counts_rows(&values, order) || !seen.insert(hash_of(&values))
        };
        if filled == 0 || !all && tells_nothing() {
            continue;
        }
        let part = fields::part(short);
        let cell = |texts: &&[String]| texts.iter().map(|text| fields::value(base, part.0, text)).collect();
        let cells = values.iter().map(cell).collect();
        picked.push(Picked { part, name: fields::name(short), cells, filled });
    }
    if picked.len() > COLUMNS {
        let mut sizes: Vec<usize> = picked.iter().map(|field| field.filled).collect();
        sizes.sort_by_key(|&size| Reverse(size));
        picked.retain(|field| field.filled >= sizes[COLUMNS - 1]);
        picked.truncate(COLUMNS);
    }
    picked
}

/// Every row has it, and the same.
fn constant(values: &[&[String]], filled: usize, rows: usize) -> bool {
    let mut some = values.iter().filter(|values| !values.is_empty());
    let first = some.next();
    rows > 1 && filled == rows && some.all(|other| Some(other) == first)
}

/// It numbers the objects of the list.
fn counts_rows(values: &[&[String]], order: &[Option<u32>]) -> bool {
    let mut numbers =
        values.iter().zip(order).filter_map(|(values, object)| Some((values.first()?, (*object)?)));
    numbers
        .all(|(text, object)| text.parse().is_ok_and(|number: u32| number == object || number == object + 1))
}
