//! The answer for one page as rows with typed fields.
//!
//! In: an [`Answer`]. Out: one [`PageRows`] per list, or one for the object of the page. Each column of a
//! list becomes a field with the text as the page shows it (or a list of texts), followed by one field per
//! component of its typed values (see [`components`]). Nested lists become the field `children`, as JSON.
//! O(cells).

use crate::rows::components::components;
use crate::rows::record_keys;
use crate::rows::row_value::{ColumnType, RowValue};
use copal_model::{Answer, Cell, Column, Record, Region};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// The name of the field that holds nested lists.
const CHILDREN_FIELD: &str = "children";

/// How pages become rows.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RowOptions {
    /// Columns whose cells make the key of a record. If empty, the key is the URL of the record, or its
    /// stable texts.
    pub key_columns: Vec<String>,
    /// What read the pages, if it was not one of the methods: a wrapper with its version.
    pub method: Option<String>,
    /// Number the lists of a page, and also store the lists of a page that has an object.
    pub all_regions: bool,
    /// Leave out lists inside records, because they are rows of a second table ([`nested_rows`](super::nested_rows)).
    pub leaves_out_nested: bool,
    /// The site that the records are from, if a table has records of several: they get a column `site`, and keys that
    /// records of other sites do not have.
    pub site: Option<String>,
}

/// A field of the rows: a column of the list, or a component of its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowField {
    /// The name of the column.
    pub column: String,
    /// The component of its typed values; empty for the text.
    pub component: String,
    /// The type that holds all values of the field.
    pub column_type: ColumnType,
}

/// A record, flattened.
#[derive(Debug, Clone)]
pub struct PageRow {
    /// What identifies the record, today and in later runs.
    pub key: String,
    /// The URL or file that the record was read from.
    pub page: String,
    /// The number of the list on its page, or null.
    pub region: RowValue,
    /// The method (or wrapper) that found the record.
    pub method: String,
    /// One value per field.
    pub values: Vec<RowValue>,
}

/// Rows that share their fields.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct PageRows {
    /// True if the one row is the object of its page.
    pub is_object: bool,
    /// The fields of all rows.
    pub fields: Vec<RowField>,
    /// The rows, in the order of the page.
    pub rows: Vec<PageRow>,
    field_index: HashMap<(String, String), usize>,
}

/// The rows of a page, without the column of their site.
pub(super) fn rows_of_page(name: &str, extraction: &Answer, options: &RowOptions) -> Vec<PageRows> {
    let mut tables: Vec<PageRows> = Vec::new();
    if extraction.object.is_some() {
        tables.push(object_rows(name, extraction, options));
        // The lists of a detail page are about other things than its object.
        if !options.all_regions {
            return tables;
        }
    }
    let name = extraction.page.url.as_deref().unwrap_or(name);
    let regions = extraction.regions.iter().enumerate();
    tables.extend(regions.map(|(index, region)| list_rows(name, index + 1, region, options)));
    tables
}

fn object_rows(name: &str, extraction: &Answer, options: &RowOptions) -> PageRows {
    let mut table = PageRows { is_object: true, ..PageRows::default() };
    let mut values = Vec::new();
    for field in extraction.object.iter().flat_map(|detail| &detail.fields) {
        let text = (String::new(), RowValue::texts(field.texts.iter().map(String::as_str)));
        let typed = field.value.iter().flat_map(components);
        for (component, value) in [text].into_iter().chain(typed) {
            table.set(&mut values, &field.name, component, value);
        }
    }
    let key = record_keys::object_key(name, extraction, &options.key_columns);
    let page = extraction.page.url.as_deref().unwrap_or(name).to_owned();
    let method = options.method.clone().unwrap_or_else(|| "detail".to_owned());
    table.rows.push(PageRow { key, page, region: RowValue::Null, method, values });
    table
}

fn list_rows(name: &str, number: usize, region: &Region, options: &RowOptions) -> PageRows {
    let mut table = PageRows::default();
    // Fields follow the order of the list, each text directly before its components.
    for (c, column) in region.columns.iter().enumerate() {
        table.field(&column.name, String::new(), ColumnType::Text);
        for value in region.records.iter().filter_map(|record| record.cells[c].value.as_ref()) {
            for (component, value) in components(value) {
                let column_type = value.column_type().unwrap_or(ColumnType::Text);
                table.field(&column.name, component, column_type);
            }
        }
    }
    let keys = record_keys::list_keys(region, &options.key_columns);
    for (record, key) in region.records.iter().zip(keys) {
        let mut values = vec![RowValue::Null; table.fields.len()];
        table.set_cells(&mut values, &region.columns, &record.cells);
        if !record.children.is_empty() && !options.leaves_out_nested {
            let json = RowValue::text(&nested_lists(record).to_string());
            table.set(&mut values, CHILDREN_FIELD, "json".to_owned(), json);
        }
        let page = record.page.as_ref().map_or(name, |page| &page.url).to_owned();
        let method = options.method.clone().unwrap_or_else(|| region.method.name().to_owned());
        let region = if options.all_regions { RowValue::count(number) } else { RowValue::Null };
        table.rows.push(PageRow { key, page, region, method, values });
    }
    table.fill_rows();
    table
}

impl PageRows {
    /// The index of a field, which is added or widened as needed.
    pub(super) fn field(&mut self, column: &str, component: String, column_type: ColumnType) -> usize {
        let id = (column.to_owned(), component);
        if let Some(&index) = self.field_index.get(&id) {
            let field = &mut self.fields[index];
            field.column_type = field.column_type.join(column_type);
            return index;
        }
        let index = self.fields.len();
        self.fields.push(RowField { column: id.0.clone(), component: id.1.clone(), column_type });
        self.field_index.insert(id, index);
        index
    }

    /// Sets the texts and typed values of a record in the row that is being built.
    pub(super) fn set_cells(&mut self, values: &mut Vec<RowValue>, columns: &[Column], cells: &[Cell]) {
        for (column, cell) in columns.iter().zip(cells) {
            self.set(values, &column.name, String::new(), RowValue::texts(cell.texts()));
            for (component, value) in cell.value.iter().flat_map(components) {
                self.set(values, &column.name, component, value);
            }
        }
    }

    /// Gives all rows the same number of values.
    pub(super) fn fill_rows(&mut self) {
        for row in &mut self.rows {
            row.values.resize(self.fields.len(), RowValue::Null);
        }
    }

    /// Sets a value of the row that is being built; null values add no field.
    fn set(&mut self, values: &mut Vec<RowValue>, column: &str, component: String, value: RowValue) {
        let Some(column_type) = value.column_type() else { return };
        let index = self.field(column, component, column_type);
        values.resize(values.len().max(index + 1), RowValue::Null);
        values[index] = value;
    }

    /// Puts a field with the same value in all rows before the others.
    pub(super) fn put_first(&mut self, column: &str, text: &str) {
        self.field_index.values_mut().for_each(|index| *index += 1);
        self.field_index.insert((column.to_owned(), String::new()), 0);
        let field =
            RowField { column: column.to_owned(), component: String::new(), column_type: ColumnType::Text };
        self.fields.insert(0, field);
        self.rows.iter_mut().for_each(|row| row.values.insert(0, RowValue::text(text)));
    }

    /// Gives a column another name, with all its components. The new name must not be in use.
    pub fn rename_column(&mut self, from: &str, to: &str) {
        for (index, field) in self.fields.iter_mut().enumerate().filter(|(_, field)| field.column == from) {
            self.field_index.remove(&(from.to_owned(), field.component.clone()));
            to.clone_into(&mut field.column);
            self.field_index.insert((to.to_owned(), field.component.clone()), index);
        }
    }
}

/// The nested lists of a record: an array of lists, each an array of records with their fields.
fn nested_lists(record: &Record) -> Json {
    let fields = |list: &Region, child: &Record| {
        let value = |cell: &Cell| match cell.first() {
            Some(one) if cell.len() == 1 => Json::from(one),
            _ => cell.texts().collect(),
        };
        let filled = list.columns.iter().zip(&child.cells).filter(|(_, cell)| !cell.is_empty());
        Json::Object(filled.map(|(column, cell)| (column.name.clone(), value(cell))).collect::<Map<_, _>>())
    };
    let lists = record.children.iter();
    lists.map(|list| list.records.iter().map(|child| fields(list, child)).collect::<Vec<_>>()).collect()
}
