//! Sets the cells of records. Only this file of the tests depends on how a record holds its cells.

#![allow(dead_code)]

use copal_extract::Record;

/// Replaces the texts of a cell.
pub(crate) fn set_texts(record: &mut Record, column: usize, texts: &[&str]) {
    record.cells[column] = texts.iter().map(|text| (*text).to_owned()).collect();
}

/// The first text of a cell.
pub(crate) fn first_text(record: &Record, column: usize) -> &str {
    &record.cells[column][0]
}

/// Sets the confidence of a cell.
pub(crate) fn set_confidence(record: &mut Record, column: usize, confidence: f64) {
    record.sure.resize(record.cells.len(), None);
    record.sure[column] = Some(confidence);
}

/// Marks a cell as inferred.
pub(crate) fn set_inferred(record: &mut Record, column: usize) {
    record.inferred.resize(record.cells.len(), false);
    record.inferred[column] = true;
}

/// Forgets the confidence of all cells.
pub(crate) fn clear_confidences(record: &mut Record) {
    record.sure = Vec::new();
}

/// Forgets the typed values of all cells.
pub(crate) fn clear_values(record: &mut Record) {
    record.values = Vec::new();
}
