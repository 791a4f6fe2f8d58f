//! JSON Lines: one flat object per record, for programs that expect a table.
//!
//! In: an answer. Out: a line per record (or per object) with the texts under the names of the columns, and the
//! components of typed values next to them: `"price": "£12", "price_amount": 12.0, "price_currency": "GBP"`. A
//! column that has several texts in one record of a list is an array in all of them, so that its type is the
//! same. Absent cells are omitted. Lines are written page by page, so memory does not grow. O(cells).

use crate::error::OutputError;
use crate::format::Format;
use crate::rows::components::components;
use crate::rows::{RowValue, joined_name};
use copal_model::{Answer, Region};
use serde_json::{Map, Value as Json};
use std::collections::{HashMap, HashSet};
use std::io::Write;

/// Writes one line per record.
#[derive(Debug, Default)]
pub struct RecordLines {
    /// Add the key `page`.
    pub page_column: bool,
    /// Add the key `region`.
    pub region_column: bool,
}

impl Format for RecordLines {
    fn page(
        &mut self,
        out: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        let has_pages = self.page_column || extraction.followed.is_some();
        if let Some(object) = &extraction.object {
            let mut line = LineBuilder::new(has_pages.then_some(name), self.region_column.then_some(0));
            for field in object.fields.iter().filter(|field| !field.texts.is_empty()) {
                let texts = match field.texts.as_slice() {
                    [one] => Json::from(one.as_str()),
                    several => Json::from(several),
                };
                line.add(&field.name, "", texts);
                for (component, value) in field.value.iter().flat_map(components) {
                    line.add(&field.name, &component, row_value_json(&value));
                }
            }
            line.write(out)?;
            // The lists of a detail page are about other things, with other columns.
            if !self.region_column {
                return Ok(());
            }
        }
        for (index, region) in extraction.regions.iter().enumerate() {
            let number = self.region_column.then_some(index + 1);
            write_list(out, name, has_pages, number, region)?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        Ok(())
    }
}

fn write_list(
    out: &mut (dyn Write + Send),
    name: &str,
    has_pages: bool,
    number: Option<usize>,
    region: &Region,
) -> Result<(), OutputError> {
    let is_array: Vec<bool> = (0..region.columns.len())
        .map(|c| region.records.iter().any(|record| record.cells[c].len() > 1))
        .collect();
    // Names are given to all columns first, so that a column keeps its key if an earlier cell is absent.
    let mut names = KeyNames::new(has_pages, number.is_some());
    for column in &region.columns {
        names.key(&column.name, "");
    }
    for record in &region.records {
        let page = record.page.as_ref().map_or(name, |page| &page.url);
        let mut line = LineBuilder::new(has_pages.then_some(page), number);
        line.names = names;
        for (c, column) in region.columns.iter().enumerate() {
            let cell = &record.cells[c];
            let Some(first) = cell.first() else { continue };
            let texts = if is_array[c] { cell.texts().collect() } else { Json::from(first) };
            line.add(&column.name, "", texts);
            for (component, value) in cell.value.iter().flat_map(components) {
                line.add(&column.name, &component, row_value_json(&value));
            }
        }
        names = line.write(out)?;
    }
    Ok(())
}

/// A component as JSON: numbers are numbers.
pub(crate) fn row_value_json(value: &RowValue) -> Json {
    match value {
        RowValue::Null => Json::Null,
        RowValue::Boolean(boolean) => Json::from(*boolean),
        RowValue::Integer(integer) => Json::from(*integer),
        RowValue::Real(real) => Json::from(*real),
        RowValue::Text(text) => Json::from(text.as_str()),
        RowValue::List(texts) => Json::from(texts.as_slice()),
    }
}

/// The keys of columns and components, unique within a line and the same in all lines of a list.
#[derive(Debug, Default)]
struct KeyNames {
    given: HashMap<(String, String), String>,
    used: HashSet<String>,
}

impl KeyNames {
    fn new(has_page: bool, has_region: bool) -> KeyNames {
        let own = [("page", has_page), ("region", has_region)].into_iter().filter(|(_, has)| *has);
        KeyNames { given: HashMap::new(), used: own.map(|(name, _)| name.to_owned()).collect() }
    }

    fn key(&mut self, column: &str, component: &str) -> String {
        let id = (column.to_owned(), component.to_owned());
        if let Some(key) = self.given.get(&id) {
            return key.clone();
        }
        let name = joined_name(column, component);
        // One more try than there are keys, so one of them is free.
        let mut tries =
            (1..=self.used.len() + 1).map(|n| if n == 1 { name.clone() } else { format!("{name}_{n}") });
        let key = tries.find(|key| !self.used.contains(key)).unwrap_or(name);
        self.used.insert(key.clone());
        self.given.insert(id, key.clone());
        key
    }
}

struct LineBuilder {
    object: Map<String, Json>,
    names: KeyNames,
}

impl LineBuilder {
    fn new(page: Option<&str>, region: Option<usize>) -> LineBuilder {
        let names = KeyNames::new(page.is_some(), region.is_some());
        let page = page.map(|page| ("page".to_owned(), Json::from(page)));
        let region = region.map(|number| ("region".to_owned(), Json::from(number)));
        LineBuilder { object: page.into_iter().chain(region).collect(), names }
    }

    fn add(&mut self, column: &str, component: &str, value: Json) {
        let key = self.names.key(column, component);
        self.object.insert(key, value);
    }

    /// Writes the line and returns the names for the next one.
    fn write(self, out: &mut (dyn Write + Send)) -> Result<KeyNames, OutputError> {
        serde_json::to_writer(&mut *out, &self.object)?;
        out.write_all(b"\n")?;
        Ok(self.names)
    }
}
