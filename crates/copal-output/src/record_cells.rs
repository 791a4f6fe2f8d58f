//! What one record has in one column.
//!
//! In: a record and the index of a column. Out: texts, value, provenance and confidence of the cell. All
//! other modules ask here, so that only this file depends on how a [`Record`] holds its cells. O(1) each.

use copal_model::Record;
use copal_values::Value;

/// The texts of a cell: none, one or several.
pub(crate) fn texts(record: &Record, column: usize) -> &[String] {
    record.cells.get(column).map_or(&[], Vec::as_slice)
}

/// The typed value of a cell.
pub(crate) fn value(record: &Record, column: usize) -> Option<&Value> {
    record.values.get(column)?.as_ref()
}

/// True if the cell was taken from where other records have it.
pub(crate) fn is_inferred(record: &Record, column: usize) -> bool {
    record.inferred.get(column).copied().unwrap_or(false)
}

/// The probability that the cell is right, given that the record is.
pub(crate) fn confidence(record: &Record, column: usize) -> Option<f64> {
    record.sure.get(column).copied().flatten()
}
