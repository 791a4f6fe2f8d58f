//! Turns the fields of a list of objects into columns.
//!
//! In: a list of objects, and which object belongs to which row. Out: columns of cells. Fields are left out
//! if they have the same value in every row, number the rows, or repeat another field. O(fields * rows).

use super::field_keys::{self, KeyMeaning};
use crate::signals::scripts::objects::Objects;
use copal_dom::hash::hash_of;
use copal_dom::url::BaseUrl;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// Maximum number of columns of a list. The columns that the most rows have are kept.
const MAX_FIELD_COLUMNS: usize = 80;

/// A field that becomes a column.
pub(super) struct FieldColumn {
    pub(super) meaning: (KeyMeaning, usize),
    pub(super) name: String,
    /// The texts of each row.
    pub(super) cells: Vec<Vec<String>>,
    /// Number of rows that have a value.
    pub(super) filled: usize,
}

/// The columns in the order of the keys. `order` has the object of each row. With `all`, every field that has
/// a value becomes a column.
pub(super) fn field_columns(
    objects: &Objects,
    order: &[Option<u32>],
    base: &BaseUrl,
    all: bool,
) -> Vec<FieldColumn> {
    let rows = order.iter().flatten().count();
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut picked: Vec<FieldColumn> = Vec::new();
    for (key, short) in field_keys::short_keys(objects).into_iter().enumerate() {
        let values: Vec<&[String]> = order
            .iter()
            .map(|object| {
                object.and_then(|at| objects.rows[at as usize].values(key as u32)).unwrap_or_default()
            })
            .collect();
        let filled = values.iter().filter(|values| !values.is_empty()).count();
        let mut is_uninformative = || {
            constant(&values, filled, rows) || counts_rows(&values, order) || !seen.insert(hash_of(&values))
        };
        if filled == 0 || !all && is_uninformative() {
            continue;
        }
        let meaning = field_keys::meaning(short);
        let cell =
            |texts: &&[String]| texts.iter().map(|text| field_keys::value(base, meaning.0, text)).collect();
        let cells = values.iter().map(cell).collect();
        picked.push(FieldColumn { meaning, name: field_keys::name(short), cells, filled });
    }
    if picked.len() > MAX_FIELD_COLUMNS {
        let mut sizes: Vec<usize> = picked.iter().map(|field| field.filled).collect();
        sizes.sort_by_key(|&size| Reverse(size));
        picked.retain(|field| field.filled >= sizes[MAX_FIELD_COLUMNS - 1]);
        picked.truncate(MAX_FIELD_COLUMNS);
    }
    picked
}

/// True if every row has the field, with the same value.
fn constant(values: &[&[String]], filled: usize, rows: usize) -> bool {
    let mut some = values.iter().filter(|values| !values.is_empty());
    let first = some.next();
    rows > 1 && filled == rows && some.all(|other| Some(other) == first)
}

/// True if the field numbers the objects of the list, from 0 or from 1.
fn counts_rows(values: &[&[String]], order: &[Option<u32>]) -> bool {
    let mut numbers =
        values.iter().zip(order).filter_map(|(values, object)| Some((values.first()?, (*object)?)));
    numbers
        .all(|(text, object)| text.parse().is_ok_and(|number: u32| number == object || number == object + 1))
}
