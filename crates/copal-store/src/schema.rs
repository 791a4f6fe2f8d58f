//! The columns of a table, and how they grow.
//!
//! In: the columns that are there and those of a sheet. Out: what has to change (columns to add, columns to make wider) and the
//! place of each field. Names are made so that both databases take them: at most 60 bytes, different also in small letters,
//! none of ours. A table has at most [`MOST`] columns; what comes later is kept as JSON in `more`. O(fields).

use crate::cell::{Cell, Kind};
use crate::sheet::{Field, Row};
use serde_json::{Map, Value as Json};
use std::collections::{HashMap, HashSet};

/// Columns of a table: PostgreSQL takes rows of 8 KB, with 18 bytes for each long text, and a list with more than this is no list.
pub(crate) const MOST: usize = 300;
/// Bytes of a column's name: PostgreSQL cuts at 63.
const LONGEST: usize = 60;
/// Our own columns and those that PostgreSQL has in each table.
const TAKEN: &[&str] = &[
    "key",
    "page",
    "region",
    "method",
    "run",
    "first_run",
    "first_seen",
    "last_seen",
    MORE,
    "ctid",
    "xmin",
    "xmax",
    "cmin",
    "cmax",
    "tableoid",
];
/// The column of what has none of its own.
const MORE: &str = "more";

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    /// Its name in the table.
    pub(crate) name: String,
    /// The name of the list's column, and which part of its values.
    pub(crate) shown: String,
    pub(crate) part: String,
    pub(crate) kind: Kind,
}

/// What has to be done to a table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Add(Column),
    Widen { name: String, from: Kind, to: Kind },
}

/// The columns of a table, our own not among them.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    pub(crate) columns: Vec<Column>,
}

impl Schema {
    /// Makes room for fields: what that changes, and the column of each field.
    pub(crate) fn take(&mut self, fields: &[Field]) -> (Vec<Change>, Vec<usize>) {
        let mut changes: Vec<Change> = Vec::new();
        let mut known: HashMap<(String, String), usize> = HashMap::new();
        let mut names: HashSet<String> = TAKEN.iter().map(|&name| name.to_owned()).collect();
        for (at, column) in self.columns.iter().enumerate() {
            known.insert((column.shown.clone(), column.part.clone()), at);
            names.insert(column.name.to_lowercase());
        }
        let mut more = known.get(&(String::new(), MORE.to_owned())).copied();
        let mut places = Vec::new();
        for field in fields {
            // as the database gives it back
            let key = (field.shown.replace('\0', "\u{fffd}"), field.part.replace('\0', "\u{fffd}"));
            if let Some(&at) = known.get(&key) {
                let column = &mut self.columns[at];
                let to = column.kind.join(field.kind);
                if to != column.kind {
                    changes.push(Change::Widen { name: column.name.clone(), from: column.kind, to });
                    column.kind = to;
                }
                places.push(at);
                continue;
            }
            let own = self.columns.len() < MOST;
            if let (false, Some(at)) = (own, more) {
                places.push(at);
                continue;
            }
            let column = if own {
                let name = free_name(&field.shown, &field.part, &mut names);
                Column { name, shown: key.0.clone(), part: key.1.clone(), kind: field.kind }
            } else {
                more = Some(self.columns.len());
                Column { name: MORE.into(), shown: String::new(), part: MORE.into(), kind: Kind::Text }
            };
            changes.push(Change::Add(column.clone()));
            places.push(self.columns.len());
            if own {
                known.insert(key, self.columns.len());
            }
            self.columns.push(column);
        }
        (changes, places)
    }

    /// A row's cells as the table keeps them, one for each column.
    pub(crate) fn fit(&self, row: &Row, fields: &[Field], places: &[usize]) -> Vec<Cell> {
        let mut cells = vec![Cell::Null; self.columns.len()];
        let mut rest = Map::new();
        for ((cell, field), &at) in row.cells.iter().zip(fields).zip(places) {
            if self.columns[at].name != MORE {
                cells[at] = cell.clone().fit(self.columns[at].kind);
            } else if *cell != Cell::Null {
                rest.insert(joined(&field.shown, &field.part), Json::from(cell.shown()));
            }
        }
        if let Some(at) =
            self.columns.iter().position(|column| column.name == MORE).filter(|_| !rest.is_empty())
        {
            cells[at] = Cell::text(&Json::Object(rest).to_string());
        }
        cells
    }
}

fn joined(shown: &str, part: &str) -> String {
    if part.is_empty() { shown.to_owned() } else { format!("{shown}_{part}") }
}

/// A name that no other column has.
fn free_name(shown: &str, part: &str, names: &mut HashSet<String>) -> String {
    let clean: String = shown.chars().filter(|c| !c.is_control()).collect();
    let clean = if clean.trim().is_empty() { "column" } else { clean.trim() };
    let part = cut(part, LONGEST / 3);
    let room = LONGEST - part.len() - 5;
    let name = joined(cut(clean, room), part);
    // as many tries as there are names, and one more
    let free = (1..=names.len() + 1)
        .map(|n| if n == 1 { name.clone() } else { format!("{name}_{n}") })
        .find(|name| !names.contains(&name.to_lowercase()));
    let name = free.unwrap_or(name);
    names.insert(name.to_lowercase());
    name
}

fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(shown: &str, part: &str, kind: Kind) -> Field {
        Field { shown: shown.into(), part: part.into(), kind }
    }

    fn names(schema: &Schema) -> Vec<&str> {
        schema.columns.iter().map(|column| column.name.as_str()).collect()
    }

    #[test]
    fn names_are_free_and_stay() {
        let mut schema = Schema::default();
        let fields = [
            field("page", "", Kind::Text),
            field("Name", "", Kind::Text),
            field("name", "", Kind::Text),
            field("price", "amount", Kind::Real),
            field("price_amount", "", Kind::Text),
            field("\0", "", Kind::Text),
            field(&"ü".repeat(80), "value", Kind::Integer),
        ];
        let (changes, places) = schema.take(&fields);
        assert_eq!(changes.len(), 7);
        let long = format!("{}_value", "ü".repeat(25));
        assert_eq!(
            names(&schema),
            ["page_2", "Name", "name_2", "price_amount", "price_amount_2", "column", &long]
        );
        assert_eq!(schema.take(&fields), (Vec::new(), places));
    }

    #[test]
    fn columns_grow_wider() {
        let mut schema = Schema::default();
        schema.take(&[field("beds", "value", Kind::Integer)]);
        let (changes, _) = schema.take(&[field("beds", "value", Kind::Real)]);
        let widen = |from, to| Change::Widen { name: "beds_value".into(), from, to };
        assert_eq!(changes, [widen(Kind::Integer, Kind::Real)]);
        assert_eq!(schema.take(&[field("beds", "value", Kind::Integer)]).0, [], "never narrower");
        assert_eq!(schema.take(&[field("beds", "value", Kind::Text)]).0, [widen(Kind::Real, Kind::Text)]);
    }

    #[test]
    fn what_has_no_column_is_kept_in_more() {
        let mut schema = Schema::default();
        let fields: Vec<Field> = (0..MOST + 3).map(|n| field(&format!("c{n}"), "", Kind::Text)).collect();
        let (changes, places) = schema.take(&fields);
        assert_eq!((changes.len(), schema.columns.len()), (MOST + 1, MOST + 1));
        let cells = (0..fields.len()).map(|n| Cell::text(&n.to_string())).collect();
        let row =
            Row { key: String::new(), page: String::new(), region: Cell::Null, method: String::new(), cells };
        let fitted = schema.fit(&row, &fields, &places);
        assert_eq!(fitted[MOST - 1], Cell::text("299"));
        assert_eq!(fitted[MOST].shown(), r#"{"c300":"300","c301":"301","c302":"302"}"#);
        let (changes, again) = schema.take(&fields[MOST..]);
        assert_eq!((changes.len(), again), (0, vec![MOST; 3]));
    }
}
