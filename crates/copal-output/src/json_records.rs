//! The regions of a page as JSON, written record by record.
//!
//! In: a [`Region`]. Out: an object with its columns and records, for any serializer. Keys without a value are omitted. A record
//! is written as it is read, without a value in between. O(cells).

use crate::value_json::value_json;
use copal_dom::xpath::XPathBudget;
use copal_model::{
    Cell, CellSource, Column, Origin, Provenance, Record, Region, RegionPlace, RegionSection, Source,
};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use std::cell::RefCell;

/// A cell's confidence is omitted if it is at least this high. Nearly all cells have such a confidence, so it
/// would say little.
const CONFIDENT_CELL: f64 = 0.8;

/// What JSON has beyond texts and values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JsonOptions {
    /// Where each text of a record was read: XPath of the element, span in its text, HTML attribute.
    pub sources: bool,
}

/// A region of a page, written record by record.
pub(crate) struct RegionDocument<'a> {
    pub(crate) writer: &'a RefCell<RegionWriter>,
    pub(crate) region: &'a Region,
    /// Records that are written.
    pub(crate) most: usize,
}

impl Serialize for RegionDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let head = self.writer.borrow_mut().head(self.region);
        for (key, value) in head {
            map.serialize_entry(&key, &value)?;
        }
        map.serialize_entry("records", &RecordDocuments(self))?;
        for (key, value) in tail(self.region) {
            map.serialize_entry(&key, &value)?;
        }
        map.end()
    }
}

/// The records of a region.
struct RecordDocuments<'a, 'r>(&'r RegionDocument<'a>);

impl Serialize for RecordDocuments<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RegionDocument { writer, region, most } = *self.0;
        let has_several = |c: usize| region.records.iter().any(|record| record.cells[c].len() > 1);
        let lists: Vec<bool> = (0..region.columns.len()).map(has_several).collect();
        let is_first =
            |c: usize| region.columns[..c].iter().all(|known| known.name != region.columns[c].name);
        let named_once = (0..region.columns.len()).all(is_first);
        let records = region.records.iter().take(most);
        let lists = &lists;
        serializer.collect_seq(records.map(|record| RecordDocument {
            writer,
            region,
            lists,
            named_once,
            record,
        }))
    }
}

/// One record, written part by part: to make one value of it first cost more than to write it.
struct RecordDocument<'a> {
    writer: &'a RefCell<RegionWriter>,
    region: &'a Region,
    /// By column: a record of the region has several texts in it, so that all records have a list.
    lists: &'a [bool],
    /// No two columns have the same name.
    named_once: bool,
    record: &'a Record,
}

impl<'a> RecordDocument<'a> {
    fn named(&self) -> impl Iterator<Item = (&'a Column, &'a Cell)> + use<'a> {
        self.region.columns.iter().zip(&self.record.cells)
    }

    /// Values by the names of their columns. Of two columns with one name, the second is written in the place of the first.
    fn by_column<V>(&self, values: impl Iterator<Item = (&'a Column, V)>) -> ByColumn<'a, V> {
        let mut named: Vec<(&str, V)> = Vec::with_capacity(self.record.cells.len());
        for (column, value) in values {
            match named.iter_mut().find(|(name, _)| !self.named_once && *name == column.name) {
                Some((_, known)) => *known = value,
                None => named.push((&column.name, value)),
            }
        }
        ByColumn(named)
    }

    /// Everything after the texts and values, which most records lack.
    fn serialize_rest<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let record = self.record;
        let inferred = self.named().filter(|(_, cell)| cell.provenance == Provenance::Inferred);
        let inferred: Vec<&str> = inferred.map(|(column, _)| column.name.as_str()).collect();
        if !inferred.is_empty() {
            map.serialize_entry("inferred", &inferred)?;
        }
        if let Some(confidence) = record.confidence {
            map.serialize_entry("confidence", &round(confidence))?;
        }
        let doubtful = self.named().filter_map(|(column, cell)| Some((column, cell.confidence?)));
        let doubtful = doubtful.filter(|(_, confidence)| *confidence < CONFIDENT_CELL);
        let doubtful = self.by_column(doubtful.map(|(column, confidence)| (column, round(confidence))));
        if !doubtful.0.is_empty() {
            map.serialize_entry("sure", &doubtful)?;
        }
        let mut writer = self.writer.borrow_mut();
        if writer.options.sources {
            let sources = self.named().map(|(column, cell)| (column, writer.sources(record, cell)));
            let sources = self.by_column(sources.filter(|(_, sources)| !sources.is_null()));
            map.serialize_entry("sources", &sources)?;
        }
        drop(writer);
        if let Some(page) = &record.page {
            map.serialize_entry("page", &*page.url)?;
        }
        if let Some(joined) = &record.joined {
            let joined = json!({"page": &*joined.page, "both": joined.both, "differ": joined.differ});
            map.serialize_entry("detail", &joined)?;
        }
        if !record.children.is_empty() {
            let child = |region| RegionDocument { writer: self.writer, region, most: usize::MAX };
            map.serialize_entry("children", &record.children.iter().map(child).collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

impl Serialize for RecordDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let place = &self.record.place;
        let mut writer = self.writer.borrow_mut();
        let xpaths = place.tops.iter().filter_map(|&node| writer.xpaths.xpath(&place.xpaths, node));
        let xpaths: Vec<String> = xpaths.collect();
        drop(writer);
        map.serialize_entry("xpaths", &xpaths)?;
        map.serialize_entry("text", &self.record.text)?;
        let texts = self.named().zip(self.lists).filter_map(|((column, cell), is_list)| {
            Some((
                column,
                CellTexts { first: cell.first()?, all: (*is_list || cell.len() > 1).then_some(cell) },
            ))
        });
        map.serialize_entry("fields", &self.by_column(texts))?;
        let typed =
            self.named().filter_map(|(column, cell)| Some((column, value_json(cell.value.as_ref()?))));
        let typed = self.by_column(typed);
        if !typed.0.is_empty() {
            map.serialize_entry("values", &typed)?;
        }
        self.serialize_rest(&mut map)?;
        map.end()
    }
}

/// Values with the names of their columns.
struct ByColumn<'a, V>(Vec<(&'a str, V)>);

impl<V: Serialize> Serialize for ByColumn<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The text of a cell, or the list of all its texts.
struct CellTexts<'a> {
    first: &'a str,
    all: Option<&'a Cell>,
}

impl Serialize for CellTexts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.all {
            Some(cell) => serializer.collect_seq(cell.texts()),
            None => serializer.serialize_str(self.first),
        }
    }
}

/// Writes the regions of one page.
pub(crate) struct RegionWriter {
    options: JsonOptions,
    /// Bounds the bytes of XPaths: those of a long list in a deep page would fill the memory.
    xpaths: XPathBudget,
}

impl RegionWriter {
    pub(crate) fn new(options: JsonOptions) -> RegionWriter {
        RegionWriter { options, xpaths: XPathBudget::default() }
    }

    /// How many XPaths were left out so far.
    pub(crate) fn omitted_xpaths(&self) -> usize {
        self.xpaths.omitted()
    }

    /// What is written before the records.
    fn head(&mut self, region: &Region) -> Map<String, Value> {
        let xpath = self.place(&region.place);
        let sections: Vec<Value> = region.sections.iter().map(|section| self.section(section)).collect();
        let entries = [
            ("role", Value::from(region.role.name())),
            ("layout", Value::from(region.layout.name())),
            ("methods", json!([region.method.name()])),
            ("score", Value::from(round(region.score))),
            ("xpath", Value::from(xpath)),
            ("columns", region.columns.iter().map(column_value).collect()),
        ];
        let sections = (!sections.is_empty()).then(|| ("sections", Value::from(sections)));
        entries.into_iter().chain(sections).map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// A data section: where it is, and the numbers of its records, counted from 1.
    fn section(&mut self, section: &RegionSection) -> Value {
        let records: Vec<usize> = section.records.iter().map(|record| record + 1).collect();
        json!({"xpath": self.place(&section.place), "records": records})
    }

    fn place(&mut self, place: &RegionPlace) -> String {
        match place {
            RegionPlace::Element { node, xpaths } => self.xpaths.xpath(xpaths, *node).unwrap_or_default(),
            RegionPlace::DataPath(path) => path.clone(),
            RegionPlace::Unknown => String::new(),
        }
    }

    /// Where the texts of a cell were read, one entry per text; null if none was read from the page.
    fn sources(&mut self, record: &Record, cell: &Cell) -> Value {
        if cell.texts.iter().all(|text| text.source.is_none()) {
            return Value::Null;
        }
        let source = |source: &Source| {
            let xpath = self.xpaths.xpath(&record.place.xpaths, source.node);
            let mut value = json!({"xpath": xpath, "span": [source.span.start, source.span.end]});
            if let Some(name) = source.attribute_name() {
                value["attribute"] = Value::from(name);
            }
            value
        };
        let mut source = source;
        cell.texts.iter().map(|text| text.source.as_ref().map_or(Value::Null, &mut source)).collect()
    }
}

/// What is written after the records.
fn tail(region: &Region) -> Map<String, Value> {
    let mut value = json!({});
    if region.origin != Origin::Page {
        value["origin"] = Value::from(region.origin.name());
    }
    add_confidence(&mut value, region.confidence);
    match value {
        Value::Object(entries) => entries,
        _ => Map::new(),
    }
}

fn column_value(column: &Column) -> Value {
    let mut value =
        json!({"name": column.name, "named_by": column.named_by.name(), "support": round(column.support)});
    match column.source {
        CellSource::Embedded => value["source"] = Value::from("embedded"),
        CellSource::Detail => value["source"] = Value::from("detail"),
        CellSource::Heading => value["source"] = Value::from("heading"),
        CellSource::Text | CellSource::Href | CellSource::Src => {}
    }
    if let Some(kind) = column.value_type {
        value["type"] = Value::from(kind);
    }
    if let Some(order) = column.date_order {
        value["order"] = Value::from(order.name());
    }
    if let Some(class) = &column.class_hint {
        value["class"] = Value::from(class.as_str());
    }
    add_confidence(&mut value, column.confidence);
    value
}

fn add_confidence(value: &mut Value, confidence: Option<f64>) {
    if let Some(confidence) = confidence {
        value["confidence"] = Value::from(round(confidence));
    }
}

/// Three decimals are enough for scores and probabilities.
pub(crate) fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}
