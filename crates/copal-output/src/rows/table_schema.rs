//! The columns of a table, and how they grow.
//!
//! In: the columns that a table has, and the fields of a page. Out: the changes that the table needs (columns
//! to add or to widen) and the column of each field. Names are accepted by both databases: at most 60 bytes,
//! distinct when case is ignored, and none of the reserved names. A table has at most [`MAX_COLUMN_COUNT`]
//! columns; later fields are stored as JSON in the column `more`. O(fields).

use crate::rows::page_rows::{PageRow, RowField};
use crate::rows::row_value::{ColumnType, RowValue};
use serde_json::{Map, Value as Json};
use std::collections::{HashMap, HashSet};

/// Maximum number of columns of a table. A row of PostgreSQL has 8 KB with 18 bytes per long text, so 300
/// always fit.
const MAX_COLUMN_COUNT: usize = 300;
/// Longest name of a column in bytes. PostgreSQL cuts names at 63.
const MAX_COLUMN_NAME_BYTES: usize = 60;
/// Bytes of a column name that are reserved for a number that makes it unique.
const NUMBER_SUFFIX_BYTES: usize = 5;
/// The column that holds the fields without a column of their own.
const OVERFLOW_COLUMN: &str = "more";
/// Columns that every table has, and system columns of PostgreSQL.
const RESERVED_NAMES: &[&str] = &[
    "key",
    "page",
    "region",
    "method",
    "run",
    "first_run",
    "first_seen",
    "last_seen",
    OVERFLOW_COLUMN,
    "ctid",
    "xmin",
    "xmax",
    "cmin",
    "cmax",
    "tableoid",
];

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    /// The name of the column in the table.
    pub name: String,
    /// The name of the list's column that it stores.
    pub source_column: String,
    /// The component of its typed values; empty for the text.
    pub component: String,
    /// The type that holds all values so far.
    pub column_type: ColumnType,
}

/// A change that a table needs.
#[derive(Debug, PartialEq, Eq)]
pub enum SchemaChange {
    /// A new column.
    Add(TableColumn),
    /// A wider type for a column.
    Widen {
        /// The name of the column in the table.
        name: String,
        /// The type it has.
        from: ColumnType,
        /// The type it needs.
        to: ColumnType,
    },
}

/// The columns of a table, without those that every table has.
#[derive(Debug, Default)]
pub struct TableSchema {
    /// The columns in the order of the table.
    pub columns: Vec<TableColumn>,
}

impl TableSchema {
    /// Makes room for fields. Returns the changes that the table needs, and the column of each field.
    pub fn add_fields(&mut self, fields: &[RowField]) -> (Vec<SchemaChange>, Vec<usize>) {
        let mut changes: Vec<SchemaChange> = Vec::new();
        let mut index: HashMap<(String, String), usize> = HashMap::new();
        let mut names: HashSet<String> = RESERVED_NAMES.iter().map(|&name| name.to_owned()).collect();
        for (at, column) in self.columns.iter().enumerate() {
            index.insert((column.source_column.clone(), column.component.clone()), at);
            names.insert(column.name.to_lowercase());
        }
        let mut overflow = index.get(&(String::new(), OVERFLOW_COLUMN.to_owned())).copied();
        let mut places = Vec::new();
        for field in fields {
            // The same spelling that the database returns.
            let id = (field.column.replace('\0', "\u{fffd}"), field.component.replace('\0', "\u{fffd}"));
            if let Some(&at) = index.get(&id) {
                let column = &mut self.columns[at];
                let (from, to) = (column.column_type, column.column_type.join(field.column_type));
                if to != from {
                    changes.push(SchemaChange::Widen { name: column.name.clone(), from, to });
                    column.column_type = to;
                }
                places.push(at);
                continue;
            }
            let has_room = self.columns.len() < MAX_COLUMN_COUNT;
            if let (false, Some(at)) = (has_room, overflow) {
                places.push(at);
                continue;
            }
            let column = if has_room {
                let name = unused_name(&field.column, &field.component, &mut names);
                let (source_column, component) = id.clone();
                TableColumn { name, source_column, component, column_type: field.column_type }
            } else {
                overflow = Some(self.columns.len());
                TableColumn {
                    name: OVERFLOW_COLUMN.into(),
                    source_column: String::new(),
                    component: OVERFLOW_COLUMN.into(),
                    column_type: ColumnType::Text,
                }
            };
            changes.push(SchemaChange::Add(column.clone()));
            places.push(self.columns.len());
            if has_room {
                index.insert(id, self.columns.len());
            }
            self.columns.push(column);
        }
        (changes, places)
    }

    /// The values of a row as the table stores them, one per column.
    pub fn fit_row(&self, row: &PageRow, fields: &[RowField], places: &[usize]) -> Vec<RowValue> {
        let mut values = vec![RowValue::Null; self.columns.len()];
        let mut overflow = Map::new();
        for ((value, field), &at) in row.values.iter().zip(fields).zip(places) {
            if self.columns[at].name != OVERFLOW_COLUMN {
                values[at] = value.clone().fit(self.columns[at].column_type);
            } else if *value != RowValue::Null {
                overflow.insert(joined_name(&field.column, &field.component), Json::from(value.to_text()));
            }
        }
        let overflow_column = self.columns.iter().position(|column| column.name == OVERFLOW_COLUMN);
        if let Some(at) = overflow_column.filter(|_| !overflow.is_empty()) {
            values[at] = RowValue::text(&Json::Object(overflow).to_string());
        }
        values
    }
}

/// The name of a component's column: `price_amount`; of a text's column: `price`.
pub fn joined_name(column: &str, component: &str) -> String {
    if component.is_empty() { column.to_owned() } else { format!("{column}_{component}") }
}

/// A name that no other column has; it is added to `names`.
fn unused_name(column: &str, component: &str, names: &mut HashSet<String>) -> String {
    let clean: String = column.chars().filter(|c| !c.is_control()).collect();
    let clean = if clean.trim().is_empty() { "column" } else { clean.trim() };
    let component = cut(component, MAX_COLUMN_NAME_BYTES / 3);
    let room = MAX_COLUMN_NAME_BYTES - component.len() - NUMBER_SUFFIX_BYTES;
    let name = joined_name(cut(clean, room), component);
    // One more try than there are names, so one of them is free.
    let free = (1..=names.len() + 1)
        .map(|n| if n == 1 { name.clone() } else { format!("{name}_{n}") })
        .find(|name| !names.contains(&name.to_lowercase()));
    let name = free.unwrap_or(name);
    names.insert(name.to_lowercase());
    name
}

/// The longest prefix with at most this many bytes.
fn cut(text: &str, max_bytes: usize) -> &str {
    let mut end = max_bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(column: &str, component: &str, column_type: ColumnType) -> RowField {
        RowField { column: column.into(), component: component.into(), column_type }
    }

    fn names(schema: &TableSchema) -> Vec<&str> {
        schema.columns.iter().map(|column| column.name.as_str()).collect()
    }

    #[test]
    fn names_are_unique_and_stable() {
        let mut schema = TableSchema::default();
        let fields = [
            field("page", "", ColumnType::Text),
            field("Name", "", ColumnType::Text),
            field("name", "", ColumnType::Text),
            field("price", "amount", ColumnType::Real),
            field("price_amount", "", ColumnType::Text),
            field("\0", "", ColumnType::Text),
            field(&"ü".repeat(80), "value", ColumnType::Integer),
        ];
        let (changes, places) = schema.add_fields(&fields);
        assert_eq!(changes.len(), 7);
        let long = format!("{}_value", "ü".repeat(25));
        assert_eq!(
            names(&schema),
            ["page_2", "Name", "name_2", "price_amount", "price_amount_2", "column", &long]
        );
        assert_eq!(schema.add_fields(&fields), (Vec::new(), places));
    }

    #[test]
    fn columns_are_widened_and_never_narrowed() {
        let mut schema = TableSchema::default();
        schema.add_fields(&[field("beds", "value", ColumnType::Integer)]);
        let mut changes = |column_type| schema.add_fields(&[field("beds", "value", column_type)]).0;
        let widen = |from, to| SchemaChange::Widen { name: "beds_value".into(), from, to };
        assert_eq!(changes(ColumnType::Real), [widen(ColumnType::Integer, ColumnType::Real)]);
        assert_eq!(changes(ColumnType::Integer), [], "never narrower");
        assert_eq!(changes(ColumnType::Text), [widen(ColumnType::Real, ColumnType::Text)]);
    }

    #[test]
    fn fields_without_a_column_are_stored_in_the_overflow_column() {
        let mut schema = TableSchema::default();
        let fields: Vec<RowField> =
            (0..MAX_COLUMN_COUNT + 3).map(|n| field(&format!("c{n}"), "", ColumnType::Text)).collect();
        let (changes, places) = schema.add_fields(&fields);
        assert_eq!((changes.len(), schema.columns.len()), (MAX_COLUMN_COUNT + 1, MAX_COLUMN_COUNT + 1));
        let values = (0..fields.len()).map(|n| RowValue::text(&n.to_string())).collect();
        let (key, page, method) = (String::new(), String::new(), String::new());
        let row = PageRow { key, page, region: RowValue::Null, method, values };
        let fitted = schema.fit_row(&row, &fields, &places);
        assert_eq!(fitted[MAX_COLUMN_COUNT - 1], RowValue::text("299"));
        assert_eq!(fitted[MAX_COLUMN_COUNT].to_text(), r#"{"c300":"300","c301":"301","c302":"302"}"#);
        let (changes, again) = schema.add_fields(&fields[MAX_COLUMN_COUNT..]);
        assert_eq!((changes.len(), again), (0, vec![MAX_COLUMN_COUNT; 3]));
    }
}
