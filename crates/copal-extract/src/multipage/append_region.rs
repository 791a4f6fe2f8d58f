//! Appending one table to another.
//!
//! In: two regions of one list. Out: the first one with the records of both. Columns with the same name and
//! source become one column, others are added. Records without a column have an empty cell there. O(cells).

use crate::table::column_names::unique_names;
use copal_model::{Cell, CellSource, NamedBy, Region};
use copal_values::columns::date_order::DateOrderDecision;
use rustc_hash::FxHashMap;

/// Appends the records of `from` to `into`.
pub(super) fn append_region(into: &mut Region, from: Region) {
    let mut place: FxHashMap<(String, CellSource), usize> = FxHashMap::default();
    for (c, column) in into.columns.iter().enumerate() {
        place.insert((column.name.clone(), column.source), c);
    }
    let known = into.columns.len();
    let mut targets = Vec::with_capacity(from.columns.len());
    let counts = (into.records.len() as f64, from.records.len() as f64);
    let all = (counts.0 + counts.1).max(1.0);
    for column in &mut into.columns {
        column.support *= counts.0 / all;
    }
    for mut column in from.columns {
        let added = column.support * counts.1 / all;
        if let Some(&c) = place.get(&(column.name.clone(), column.source)) {
            into.columns[c].support += added;
            into.columns[c].value_type = into.columns[c].value_type.or(column.value_type);
            if !matches!(into.columns[c].date_order, Some(DateOrderDecision::Decided(_))) {
                into.columns[c].date_order = column.date_order.or(into.columns[c].date_order);
            }
            targets.push(c);
        } else {
            column.support = added;
            targets.push(into.columns.len());
            into.columns.push(column);
        }
    }
    if into.columns.len() > known {
        let given: Vec<Option<(String, NamedBy)>> =
            into.columns.iter().map(|column| Some((column.name.clone(), column.named_by))).collect();
        for (column, (name, _)) in into.columns.iter_mut().zip(unique_names(given)) {
            column.name = name;
        }
    }
    let width = into.columns.len();
    for record in &mut into.records {
        record.cells.resize(width, Cell::default());
    }
    for mut record in from.records {
        record.cells = cells_at(record.cells, &targets, width);
        into.records.push(record);
    }
}

/// The cells of a record at the positions of their columns in the other table.
fn cells_at(from: Vec<Cell>, targets: &[usize], width: usize) -> Vec<Cell> {
    let mut to = vec![Cell::default(); width];
    for (cell, &target) in from.into_iter().zip(targets) {
        to[target] = cell;
    }
    to
}
