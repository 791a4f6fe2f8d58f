//! Measures for and against a cell: its column, and how it differs from the other cells of the column.
//!
//! In: a region, one of its records and columns. Out: the measures of the cell. O(texts of the cell).

use super::column_measures::{ColumnStatistics, cell_bytes};
use super::record_measures::RecordStatistics;
use super::scales::{indicator, log_excess_and_shortfall};
use copal_model::Region;

pub(super) const CELL_MEASURE_COUNT: usize = 9;

/// The measures of one cell.
pub(super) fn cell_measures(
    region: &Region,
    records: &RecordStatistics,
    statistics: &ColumnStatistics,
    (r, c): (usize, usize),
) -> [(&'static str, f64); CELL_MEASURE_COUNT] {
    let cell = &region.records[r].cells[c];
    let (longer, shorter) = log_excess_and_shortfall(cell_bytes(cell), statistics.median_bytes);
    let several = indicator(cell.len() > 1);
    // a cell without a value of the type of its column
    let misfit = indicator(region.columns[c].value_type.is_some() && cell.value.is_none());
    [
        ("column", statistics.logit),
        ("length", (1.0 + cell_bytes(cell)).ln()),
        ("longer", longer),
        ("shorter", shorter),
        ("several", several),
        ("unlike_several", (several - statistics.several).abs()),
        ("misfit", misfit),
        ("likeness", records.likeness[r]),
        ("filled", records.filled[r]),
    ]
}
