//! A page's answer as rows with typed columns.
//!
//! In: an [`Answer`]. Out: one [`Sheet`] for each of its lists, or for its object. Each column of the list is a text (or a
//! list of texts) as the page shows it, and one column for each part of its typed values (see [`crate::parts`]). Lists inside of
//! records are a column `children` of JSON. O(cells).

use crate::cell::{Cell, Kind};
use crate::{keys, parts};
use copal_extract::{Answer, Record, Region};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// The name of the column with lists inside of records.
const CHILDREN: &str = "children";

/// What is known beside the pages.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Reading {
    /// Columns whose cells tell records apart; none: the record's address, else what stays of its texts.
    pub key: Vec<String>,
    /// What read the pages, if it was not one of the methods: a wrapper with its version.
    pub method: Option<String>,
    /// Number the lists of a page.
    pub regions: bool,
}

/// A column of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// The name of the list's column.
    pub(crate) shown: String,
    /// Which part of its typed values; empty for the text.
    pub(crate) part: String,
    pub(crate) kind: Kind,
}

/// A record.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) key: String,
    /// The address or file it was read from.
    pub(crate) page: String,
    pub(crate) region: Cell,
    pub(crate) method: String,
    /// One for each field.
    pub(crate) cells: Vec<Cell>,
}

/// Rows with the same columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sheet {
    /// The row is a page's own object.
    pub(crate) object: bool,
    pub(crate) fields: Vec<Field>,
    pub(crate) rows: Vec<Row>,
    place: HashMap<(String, String), usize>,
}

/// The sheets of a page.
pub(crate) fn of(name: &str, extraction: &Answer, reading: &Reading) -> Vec<Sheet> {
    let mut sheets: Vec<Sheet> = Vec::new();
    if extraction.object.is_some() {
        sheets.push(object(name, extraction, reading));
        // its lists are of other things
        if !reading.regions {
            return sheets;
        }
    }
    let name = extraction.page.url.as_deref().unwrap_or(name);
    let lists = extraction.regions.iter().enumerate();
    sheets.extend(lists.map(|(number, region)| list(name, number + 1, region, reading)));
    sheets
}

fn object(name: &str, extraction: &Answer, reading: &Reading) -> Sheet {
    let mut sheet = Sheet { object: true, ..Sheet::default() };
    let mut cells = Vec::new();
    for field in extraction.object.iter().flat_map(|detail| &detail.fields) {
        let typed = field.value.iter().flat_map(parts::of);
        let shown = (String::new(), Cell::texts(&field.texts));
        for (part, cell) in [shown].into_iter().chain(typed).filter(|(_, cell)| *cell != Cell::Null) {
            sheet.put(&mut cells, &field.name, part, cell);
        }
    }
    let key = keys::of_object(name, extraction, &reading.key);
    let page = extraction.page.url.as_deref().unwrap_or(name).to_owned();
    let method = reading.method.clone().unwrap_or_else(|| "detail".to_owned());
    sheet.rows.push(Row { key, page, region: Cell::Null, method, cells });
    sheet
}

fn list(name: &str, number: usize, region: &Region, reading: &Reading) -> Sheet {
    let mut sheet = Sheet::default();
    // columns in the order of the list, each with its parts behind it
    for (c, column) in region.columns.iter().enumerate() {
        sheet.field(&column.name, String::new(), Kind::Text);
        for value in region.records.iter().filter_map(|record| record.cells[c].value.as_ref()) {
            for (part, cell) in parts::of(value) {
                let kind = cell.kind().unwrap_or(Kind::Text);
                sheet.field(&column.name, part, kind);
            }
        }
    }
    let keys = keys::of_records(region, &reading.key);
    for (record, key) in region.records.iter().zip(keys) {
        let mut cells = vec![Cell::Null; sheet.fields.len()];
        for (c, column) in region.columns.iter().enumerate() {
            sheet.put(
                &mut cells,
                &column.name,
                String::new(),
                Cell::texts(&record.cells[c].texts().map(str::to_owned).collect::<Vec<_>>()),
            );
            let typed = record.cells[c].value.as_ref();
            for (part, cell) in typed.into_iter().flat_map(parts::of) {
                sheet.put(&mut cells, &column.name, part, cell);
            }
        }
        if !record.children.is_empty() {
            sheet.put(&mut cells, CHILDREN, "json".to_owned(), Cell::text(&children(record).to_string()));
        }
        let page = record.page.as_ref().map_or(name, |page| &page.url).to_owned();
        let method = reading.method.clone().unwrap_or_else(|| region.method.name().to_owned());
        let region = if reading.regions { Cell::count(number) } else { Cell::Null };
        sheet.rows.push(Row { key, page, region, method, cells });
    }
    for row in &mut sheet.rows {
        row.cells.resize(sheet.fields.len(), Cell::Null);
    }
    sheet
}

impl Sheet {
    /// The place of a column, made if it is not there, wide enough for a kind.
    fn field(&mut self, shown: &str, part: String, kind: Kind) -> usize {
        let key = (shown.to_owned(), part);
        if let Some(&at) = self.place.get(&key) {
            let field = &mut self.fields[at];
            field.kind = field.kind.join(kind);
            return at;
        }
        let at = self.fields.len();
        self.fields.push(Field { shown: key.0.clone(), part: key.1.clone(), kind });
        self.place.insert(key, at);
        at
    }

    fn put(&mut self, cells: &mut Vec<Cell>, shown: &str, part: String, cell: Cell) {
        let Some(kind) = cell.kind() else { return };
        let at = self.field(shown, part, kind);
        cells.resize(cells.len().max(at + 1), Cell::Null);
        cells[at] = cell;
    }
}

/// The lists inside of a record: an array of lists, each an array of records with their fields.
fn children(record: &Record) -> Json {
    let fields = |list: &Region, child: &Record| {
        let filled = list.columns.iter().zip(&child.cells).filter(|(_, cell)| !cell.is_empty());
        let value = |cell: &copal_extract::Cell| match cell.first() {
            Some(one) if cell.len() == 1 => Json::from(one),
            _ => cell.texts().collect(),
        };
        Json::Object(filled.map(|(column, cell)| (column.name.clone(), value(cell))).collect::<Map<_, _>>())
    };
    let lists = record.children.iter();
    lists.map(|list| list.records.iter().map(|child| fields(list, child)).collect::<Vec<_>>()).collect()
}
