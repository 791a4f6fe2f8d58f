//! One table below another.
//!
//! In: two regions of one list. Out: the first with the records of both; columns of one name and source are one column,
//! others are added, and records that lack a column have no cell there. O(cells).

use crate::table::names;
use copal_model::{Cell, CellSource, NamedBy, Region};
use rustc_hash::FxHashMap;

pub(super) fn append(into: &mut Region, from: Region) {
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
            into.columns[c].kind = into.columns[c].kind.or(column.kind);
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
        for (column, (name, _)) in into.columns.iter_mut().zip(names::unique(given)) {
            column.name = name;
        }
    }
    let width = into.columns.len();
    for record in &mut into.records {
        record.cells.resize(width, Cell::default());
    }
    for mut record in from.records {
        record.cells = moved(record.cells, &targets, width);
        into.records.push(record);
    }
}

/// The cells of a record at the positions of their columns.
fn moved(from: Vec<Cell>, targets: &[usize], width: usize) -> Vec<Cell> {
    let mut to = vec![Cell::default(); width];
    for (cell, &target) in from.into_iter().zip(targets) {
        to[target] = cell;
    }
    to
}
