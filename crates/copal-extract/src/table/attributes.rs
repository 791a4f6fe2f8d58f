//! A table whose columns are the attributes of a domain.
//!
//! In: the table aligned by path, and a region's attributes. Out: with attributes, these as columns; without, the table
//! as it is.

use super::Table;
use crate::lists::candidate::{Aligned, ListCandidate};
use copal_model::{Cell, CellSource, CellText, Column, NamedBy, Provenance};
use smallvec::smallvec;

pub(crate) fn with_attributes(table: Table, found: &ListCandidate) -> Table {
    if found.attributes.is_empty() {
        return table;
    }
    let n = table.rows.len();
    let mut columns = Vec::new();
    let mut rows = vec![Vec::new(); n];
    for (name, kind, cells) in &found.attributes {
        let with = cells.iter().flatten().count();
        if with == 0 {
            continue;
        }
        columns.push(Column {
            name: name.clone(),
            source: match *kind {
                "link" => CellSource::Href,
                "image" => CellSource::Src,
                _ => CellSource::Text,
            },
            kind: Some(kind),
            support: with as f64 / n.max(1) as f64,
            named_by: NamedBy::Domain,
            confidence: None,
        });
        for (row, aligned) in rows.iter_mut().zip(cells) {
            row.push(aligned.as_ref().map(cell).unwrap_or_default());
        }
    }
    Table { columns, rows }
}

fn cell(aligned: &Aligned) -> Cell {
    let text = CellText { text: aligned.text.clone(), source: aligned.source.clone() };
    let provenance = if aligned.inferred { Provenance::Inferred } else { Provenance::Found };
    Cell { texts: smallvec![text], value: aligned.value.clone(), provenance, confidence: None }
}
