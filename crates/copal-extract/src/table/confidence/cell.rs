//! What speaks for and against a cell: its column, and how it differs from the column's other cells.
//!
//! In: a region, one of its records and columns. Out: the measures of the cell, O(values of the cell).

use super::column::{ColumnFacts, length};
use super::record::RecordFacts;
use super::{beyond, yes};
use copal_model::Region;

/// Number of measures.
pub(super) const COUNT: usize = 9;

/// What is known of one cell.
pub(super) fn measures(
    region: &Region,
    records: &RecordFacts,
    facts: &ColumnFacts,
    (r, c): (usize, usize),
) -> [(&'static str, f64); COUNT] {
    let cell = &region.records[r].cells[c];
    let (longer, shorter) = beyond(length(cell), facts.usual);
    let several = yes(cell.len() > 1);
    // a typed column's cell that says no such value
    let misfit = yes(region.columns[c].kind.is_some() && cell.value.is_none());
    [
        ("column", facts.logit),
        ("length", (1.0 + length(cell)).ln()),
        ("longer", longer),
        ("shorter", shorter),
        ("several", several),
        ("unlike_several", (several - facts.several).abs()),
        ("misfit", misfit),
        ("likeness", records.likeness[r]),
        ("filled", records.filled[r]),
    ]
}
