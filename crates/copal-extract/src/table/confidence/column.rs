//! What speaks for and against a column: how many records have it, how much of their text it is, how its cells agree.
//!
//! In: a region and one of its text columns. Out: [`ColumnFacts`] (one look at each cell), and its measures.

use super::record::RecordFacts;
use super::yes;
use crate::structure::measure::{mean, median};
use copal_model::{Cell, CellSource, Region};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;

/// Number of measures.
pub(super) const COUNT: usize = 10;
/// A column that fewer of the records have is rare.
const RARE: f64 = 0.3;
/// Bytes by which cells are told apart: texts are not read to their ends again.
const HEAD: usize = 64;

/// What the cells of a column are like.
pub(super) struct ColumnFacts {
    /// The median of their lengths.
    pub(super) usual: f64,
    /// Share of the cells with several values.
    pub(super) several: f64,
    /// The sum of its measures.
    pub(super) logit: f64,
    mean: f64,
    spread: f64,
    distinct: f64,
}

/// Bytes of a cell.
pub(super) fn length(cell: &Cell) -> f64 {
    cell.texts().map(str::len).sum::<usize>() as f64
}

impl ColumnFacts {
    pub(super) fn new(region: &Region, c: usize) -> ColumnFacts {
        let cells = || region.records.iter().map(|record| &record.cells[c]).filter(|cell| !cell.is_empty());
        let n = cells().count().max(1) as f64;
        let usual = median(cells().map(length));
        let mean_length = mean(cells().map(length));
        let squares = mean(cells().map(|cell| (length(cell) - mean_length).powi(2)));
        let heads: FxHashSet<u64> = cells().map(head).collect();
        ColumnFacts {
            usual,
            several: cells().filter(|cell| cell.len() > 1).count() as f64 / n,
            logit: 0.0,
            mean: mean_length,
            spread: (squares.sqrt() / mean_length.max(1.0)).min(3.0),
            distinct: heads.len() as f64 / n,
        }
    }
}

fn head(cell: &Cell) -> u64 {
    let mut hasher = FxHasher::default();
    let mut left = HEAD;
    for text in cell.texts() {
        let bytes = &text.as_bytes()[..text.len().min(left)];
        hasher.write(bytes);
        left -= bytes.len();
    }
    hasher.write_usize(length(cell) as usize);
    hasher.finish()
}

/// What is known of one column.
pub(super) fn measures(
    region: &Region,
    records: &RecordFacts,
    facts: &ColumnFacts,
    c: usize,
) -> [(&'static str, f64); COUNT] {
    let column = &region.columns[c];
    let texts = region.columns.iter().filter(|column| column.source == CellSource::Text).count();
    let all: usize = region.records.iter().map(|record| record.text.len()).sum();
    let own = facts.mean * column.support * region.records.len() as f64;
    [
        ("region", records.region),
        ("records", (1.0 + region.records.len() as f64).ln()),
        ("columns", (1.0 + texts as f64).ln()),
        ("support", column.support),
        ("rare", yes(column.support < RARE)),
        ("share", (own / all.max(1) as f64).min(1.0)),
        ("length", (1.0 + facts.mean).ln()),
        ("spread", facts.spread),
        ("distinct", facts.distinct),
        ("typed", yes(column.kind.is_some())),
    ]
}
