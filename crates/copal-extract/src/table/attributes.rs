//! A table whose columns are the attributes of a domain.
//!
//! In: the table aligned by path, and a region's attributes. Out: with attributes, these as columns; without, the table
//! as it is.

use super::Table;
use crate::lists::candidate::ListCandidate;
use copal_model::{CellSource, Column, NamedBy};
use copal_values::Value;

/// A table with typed values.
pub(crate) struct Typed {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Vec<String>>>,
    pub(crate) values: Vec<Vec<Option<Value>>>,
    pub(crate) inferred: Vec<Vec<bool>>,
}

pub(crate) fn with_attributes(table: Table, found: &ListCandidate) -> Typed {
    let n = table.rows.len();
    if found.attributes.is_empty() {
        let Table { columns, rows, mut values } = table;
        values.resize(n, Vec::new());
        return Typed { columns, rows, values, inferred: vec![Vec::new(); n] };
    }
    let mut typed = Typed {
        columns: Vec::new(),
        rows: vec![Vec::new(); n],
        values: vec![Vec::new(); n],
        inferred: vec![Vec::new(); n],
    };
    for (name, kind, cells) in &found.attributes {
        let with = cells.iter().flatten().count();
        if with == 0 {
            continue;
        }
        let support = with as f64 / n.max(1) as f64;
        typed.columns.push(Column {
            name: name.clone(),
            source: match *kind {
                "link" => CellSource::Href,
                "image" => CellSource::Src,
                _ => CellSource::Text,
            },
            kind: Some(kind),
            support,
            named_by: NamedBy::Domain,
            confidence: None,
        });
        for (r, cell) in cells.iter().enumerate() {
            match cell {
                Some(cell) => typed.push(r, vec![cell.text.clone()], cell.value.clone(), cell.inferred),
                None => typed.push(r, Vec::new(), None, false),
            }
        }
    }
    typed
}

impl Typed {
    fn push(&mut self, record: usize, cell: Vec<String>, value: Option<Value>, inferred: bool) {
        self.rows[record].push(cell);
        self.values[record].push(value);
        self.inferred[record].push(inferred);
    }
}
