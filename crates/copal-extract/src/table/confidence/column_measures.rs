//! Measures for and against a column: how many records have it, how much of their text it is, and how its
//! cells agree.
//!
//! In: a region and one of its text columns. Out: [`ColumnStatistics`] (one pass over the cells), and its
//! measures.

use super::record_measures::RecordStatistics;
use super::scales::indicator;
use crate::structure::measure::{mean, median};
use copal_model::{Cell, CellSource, Region};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;

pub(super) const COLUMN_MEASURE_COUNT: usize = 10;
/// A column that a smaller share of the records has is rare.
const RARE_SUPPORT: f64 = 0.3;
/// Bytes that tell cells apart. Long texts are not read to their ends again.
const HASHED_BYTES: usize = 64;

/// Statistics of the cells of a column.
pub(super) struct ColumnStatistics {
    /// The median length of its cells.
    pub(super) median_bytes: f64,
    /// Share of the cells with several values.
    pub(super) several: f64,
    /// The weighted sum of its measures.
    pub(super) logit: f64,
    mean: f64,
    spread: f64,
    distinct: f64,
}

/// The length of a cell.
pub(super) fn cell_bytes(cell: &Cell) -> f64 {
    cell.texts().map(str::len).sum::<usize>() as f64
}

impl ColumnStatistics {
    pub(super) fn new(region: &Region, c: usize) -> ColumnStatistics {
        let cells = || region.records.iter().map(|record| &record.cells[c]).filter(|cell| !cell.is_empty());
        let n = cells().count().max(1) as f64;
        let median_bytes = median(cells().map(cell_bytes));
        let mean_length = mean(cells().map(cell_bytes));
        let squares = mean(cells().map(|cell| (cell_bytes(cell) - mean_length).powi(2)));
        let beginnings: FxHashSet<u64> = cells().map(beginning_hash).collect();
        ColumnStatistics {
            median_bytes,
            several: cells().filter(|cell| cell.len() > 1).count() as f64 / n,
            logit: 0.0,
            mean: mean_length,
            spread: (squares.sqrt() / mean_length.max(1.0)).min(3.0),
            distinct: beginnings.len() as f64 / n,
        }
    }
}

/// A hash of the beginning and the length of a cell.
fn beginning_hash(cell: &Cell) -> u64 {
    let mut hasher = FxHasher::default();
    let mut left = HASHED_BYTES;
    for text in cell.texts() {
        let bytes = &text.as_bytes()[..text.len().min(left)];
        hasher.write(bytes);
        left -= bytes.len();
    }
    hasher.write_usize(cell_bytes(cell) as usize);
    hasher.finish()
}

/// The measures of one column.
pub(super) fn column_measures(
    region: &Region,
    records: &RecordStatistics,
    statistics: &ColumnStatistics,
    c: usize,
) -> [(&'static str, f64); COLUMN_MEASURE_COUNT] {
    let column = &region.columns[c];
    let texts = region.columns.iter().filter(|column| column.source == CellSource::Text).count();
    let all: usize = region.records.iter().map(|record| record.text.len()).sum();
    let own = statistics.mean * column.support * region.records.len() as f64;
    [
        ("region", records.region),
        ("records", (1.0 + region.records.len() as f64).ln()),
        ("columns", (1.0 + texts as f64).ln()),
        ("support", column.support),
        ("rare", indicator(column.support < RARE_SUPPORT)),
        ("share", (own / all.max(1) as f64).min(1.0)),
        ("length", (1.0 + statistics.mean).ln()),
        ("spread", statistics.spread),
        ("distinct", statistics.distinct),
        ("typed", indicator(column.value_type.is_some())),
    ]
}
