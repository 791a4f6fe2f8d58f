//! A table whose columns are the attributes of a domain.
//!
//! In: the table aligned by path, and a region's attributes. Out: with attributes, these as columns, and of the others the
//! visual ones (section 4.6): title, url, image, and the longest text as description; without, the table as it is.

use super::Table;
use crate::model::{CellSource, Column, Found};
use copal_annotate::Value;

/// A table with typed values.
pub(crate) struct Typed {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Vec<String>>>,
    pub(crate) values: Vec<Vec<Option<Value>>>,
    pub(crate) inferred: Vec<Vec<bool>>,
    /// There are attributes; else values and inferred marks are left empty.
    typed: bool,
}

/// Mean characters from which a text is a description.
const DESCRIPTION: usize = 60;

pub(crate) fn with_attributes(table: &Table, found: &Found) -> Typed {
    let n = table.rows.len();
    let kept: Vec<(usize, Option<&str>)> = if found.attributes.is_empty() {
        (0..table.columns.len()).map(|c| (c, None)).collect()
    } else {
        visual(table)
    };
    let mut typed = Typed {
        columns: Vec::new(),
        rows: vec![Vec::new(); n],
        values: vec![Vec::new(); n],
        inferred: vec![Vec::new(); n],
        typed: !found.attributes.is_empty(),
    };
    for (c, name) in kept {
        let mut column = table.columns[c].clone();
        if let Some(name) = name {
            name.clone_into(&mut column.name);
        }
        typed.columns.push(column);
        for (r, row) in table.rows.iter().enumerate() {
            typed.push(r, row[c].clone(), None, false);
        }
    }
    for (name, kind, cells) in &found.attributes {
        let with = cells.iter().flatten().count();
        if with == 0 || typed.columns.iter().any(|column| column.name == *name) {
            continue;
        }
        let support = with as f64 / n.max(1) as f64;
        typed.columns.push(Column {
            name: name.clone(),
            source: CellSource::Text,
            kind: Some(kind),
            support,
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
        if self.typed {
            self.values[record].push(value);
            self.inferred[record].push(inferred);
        }
    }
}

/// The columns that are found by their looks, with their names.
fn visual(table: &Table) -> Vec<(usize, Option<&'static str>)> {
    let named = |name: &str| table.columns.iter().position(|column| column.name == name);
    // of columns with one value a record: a list of short values is no description
    let single = |cell: &[String]| if let [one] = cell { one.len() } else { 0 };
    let length =
        |c: usize| table.rows.iter().map(|row| single(&row[c])).sum::<usize>() / table.rows.len().max(1);
    let longest = (0..table.columns.len())
        .filter(|&c| table.columns[c].source == CellSource::Text && Some(c) != named("title"))
        .max_by_key(|&c| length(c))
        .filter(|&c| length(c) >= DESCRIPTION);
    let mut kept: Vec<(usize, Option<&'static str>)> = Vec::new();
    kept.extend(["title", "url", "image"].iter().filter_map(|name| named(name)).map(|c| (c, None)));
    kept.extend(longest.map(|c| (c, Some("description"))));
    kept
}
