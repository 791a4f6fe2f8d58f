//! Columns for the attributes of a domain.
//!
//! In: a table that was aligned by path, and the attributes of a list candidate. Out: if there are
//! attributes, a table with these as columns; otherwise the table as it was.

use super::alignment::AlignedTable;
use crate::lists::candidate::{Aligned, ListCandidate};
use copal_model::{Cell, CellSource, CellText, Column, NamedBy, Provenance};
use smallvec::smallvec;

/// Replaces the columns by the attributes of the candidate, if it has any.
pub(crate) fn with_attribute_columns(table: AlignedTable, found: &ListCandidate) -> AlignedTable {
    if found.attributes.is_empty() {
        return table;
    }
    let n = table.rows.len();
    let mut columns = Vec::new();
    let mut rows = vec![Vec::new(); n];
    for (name, value_type, cells) in &found.attributes {
        let with = cells.iter().flatten().count();
        if with == 0 {
            continue;
        }
        let source = match *value_type {
            "link" => CellSource::Href,
            "image" => CellSource::Src,
            _ => CellSource::Text,
        };
        columns.push(Column {
            value_type: Some(value_type),
            support: with as f64 / n.max(1) as f64,
            ..Column::new(name.as_str(), NamedBy::Domain, source)
        });
        for (row, aligned) in rows.iter_mut().zip(cells) {
            row.push(aligned.as_ref().map(attribute_cell).unwrap_or_default());
        }
    }
    AlignedTable { columns, rows }
}

fn attribute_cell(aligned: &Aligned) -> Cell {
    let text = CellText { text: aligned.text.clone(), source: aligned.source.clone() };
    let provenance = if aligned.inferred { Provenance::Inferred } else { Provenance::Found };
    Cell { texts: smallvec![text], value: aligned.value.clone(), provenance, confidence: None }
}
