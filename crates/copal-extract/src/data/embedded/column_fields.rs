//! The fields of a list of objects that become columns.
//!
//! In: a list of objects, and which object belongs to which row. Out: columns of cells, without fields that
//! have the same value in every row, number the rows, or repeat another field. O(fields * rows).

use super::fields::{self, FieldPurpose};
use crate::signals::scripts::objects::Objects;
use copal_dom::hash::hash_of;
use copal_dom::url::BaseUrl;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// Maximum number of columns. If there are more, those that most rows have are kept.
const MAX_EMBEDDED_COLUMNS: usize = 80;

/// A field that becomes a column.
pub(super) struct ColumnField {
    /// See [`fields::purpose`].
    pub(super) purpose: (FieldPurpose, usize),
    pub(super) name: String,
    /// One entry per row.
    pub(super) cells: Vec<Vec<String>>,
    /// How many rows have a value.
    pub(super) filled: usize,
}

/// The fields in the order of their keys. `order` has the object of each row. With `all`, every field that
/// has a value is kept.
pub(super) fn column_fields(
    objects: &Objects,
    order: &[Option<u32>],
    base: &BaseUrl,
    all: bool,
) -> Vec<ColumnField> {
    let rows = order.iter().flatten().count();
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut columns: Vec<ColumnField> = Vec::new();
    for (key, short) in fields::short_keys(objects).into_iter().enumerate() {
        let values: Vec<&[String]> = order
            .iter()
            .map(|object| {
                object.and_then(|at| objects.rows[at as usize].values(key as u32)).unwrap_or_default()
            })
            .collect();
        let filled = values.iter().filter(|values| !values.is_empty()).count();
        let mut is_useless = || {
            is_constant(&values, filled, rows)
                || numbers_rows(&values, order)
                || !seen.insert(hash_of(&values))
        };
        if filled == 0 || !all && is_useless() {
            continue;
        }
        let purpose = fields::purpose(short);
        let cell =
            |texts: &&[String]| texts.iter().map(|text| fields::value(base, purpose.0, text)).collect();
        let cells = values.iter().map(cell).collect();
        columns.push(ColumnField { purpose, name: fields::name(short), cells, filled });
    }
    if columns.len() > MAX_EMBEDDED_COLUMNS {
        let mut sizes: Vec<usize> = columns.iter().map(|field| field.filled).collect();
        sizes.sort_by_key(|&size| Reverse(size));
        columns.retain(|field| field.filled >= sizes[MAX_EMBEDDED_COLUMNS - 1]);
        columns.truncate(MAX_EMBEDDED_COLUMNS);
    }
    columns
}

/// True if every row has the field with the same value.
fn is_constant(values: &[&[String]], filled: usize, rows: usize) -> bool {
    let mut some = values.iter().filter(|values| !values.is_empty());
    let first = some.next();
    rows > 1 && filled == rows && some.all(|other| Some(other) == first)
}

/// True if the field numbers the objects of the list.
fn numbers_rows(values: &[&[String]], order: &[Option<u32>]) -> bool {
    let mut numbers =
        values.iter().zip(order).filter_map(|(values, object)| Some((values.first()?, (*object)?)));
    numbers
        .all(|(text, object)| text.parse().is_ok_and(|number: u32| number == object || number == object + 1))
}
