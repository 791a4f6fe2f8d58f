//! Changes the cells of records.

#![allow(dead_code)]

use copal_extract::{CellText, Provenance, Record};

/// Replaces the texts of a cell.
pub(crate) fn set_texts(record: &mut Record, column: usize, texts: &[&str]) {
    record.cells[column].texts = texts.iter().map(|text| CellText::from((*text).to_owned())).collect();
}

/// The first text of a cell.
pub(crate) fn first_text(record: &Record, column: usize) -> &str {
    record.cells[column].first().unwrap_or_default()
}

/// Sets the confidence of a cell.
pub(crate) fn set_confidence(record: &mut Record, column: usize, confidence: f64) {
    record.cells[column].confidence = Some(confidence);
}

/// Marks a cell as inferred.
pub(crate) fn set_inferred(record: &mut Record, column: usize) {
    record.cells[column].provenance = Provenance::Inferred;
}

/// Forgets the confidence of all cells.
pub(crate) fn clear_confidences(record: &mut Record) {
    record.cells.iter_mut().for_each(|cell| cell.confidence = None);
}

/// Forgets the typed values of all cells.
pub(crate) fn clear_values(record: &mut Record) {
    record.cells.iter_mut().for_each(|cell| cell.value = None);
}
