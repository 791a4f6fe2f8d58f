//! JSON (one object, or an array of pages) and lines of JSON (one line per page).
//!
//! The JSON Schema in `schema/answer.schema.json` describes one page. Keys without a value are omitted.
//! O(cells).

use crate::error::OutputError;
use crate::format::Format;
use crate::value_json::value_json;
use copal_dom::xpath::{MAX_PAGE_XPATH_BYTES, MAX_XPATH_BYTES, XPathBudget};
use copal_model::{
    Answer, Cell, CellSource, Column, Decision, Explanation, Object, Origin, PageInfo, Provenance,
    RecognisedText, Record, Region, RegionPlace, RegionSection, Source,
};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::io::Write;

/// Version of the format, written as `copal`. Raised when a key is removed or changes its type.
const ANSWER_VERSION: u32 = 1;
/// A cell's confidence is omitted if it is at least this high. Nearly all cells have such a confidence, so it
/// would say little.
const CONFIDENT_CELL: f64 = 0.8;

/// What JSON has beyond texts and values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JsonOptions {
    /// Where each text of a record was read: XPath of the element, span in its text, HTML attribute.
    pub sources: bool,
}

/// One page as a JSON object (`{"copal": 1, "page": …, "regions": …, "warnings": …}`).
///
/// ```
/// let mut extraction = copal_model::Answer::default();
/// extraction.page.title = Some("Lamps".into());
/// let json = copal_output::page_value("lamps.html", &extraction);
/// assert_eq!(json["copal"], 1);
/// assert_eq!(json["page"]["title"], "Lamps");
/// ```
pub fn page_value(name: &str, extraction: &Answer) -> Value {
    // a document of strings, numbers and lists can always be a value
    serde_json::to_value(PageDocument::new(name, extraction, JsonOptions::default())).unwrap_or_default()
}

/// A page that is written record by record: as one value, a list of 200,000 records would need 400 MB.
pub(crate) struct PageDocument<'a> {
    name: &'a str,
    answer: &'a Answer,
    options: JsonOptions,
    /// Records of each region that are written; a warning says so if there are more.
    most: usize,
    explains: bool,
}

impl<'a> PageDocument<'a> {
    fn new(name: &'a str, answer: &'a Answer, options: JsonOptions) -> PageDocument<'a> {
        PageDocument { name, answer, options, most: usize::MAX, explains: true }
    }

    /// The same without the reasons, and with the first `most` records of each region only.
    pub(crate) fn data(name: &'a str, answer: &'a Answer, most: usize) -> PageDocument<'a> {
        PageDocument { most, explains: false, ..PageDocument::new(name, answer, JsonOptions::default()) }
    }

    fn warnings(&self, omitted_xpaths: usize) -> Vec<String> {
        let mut warnings: Vec<String> = self.answer.warnings.iter().map(ToString::to_string).collect();
        if self.answer.regions.iter().any(|region| region.records.len() > self.most) {
            warnings.push(format!("only the first {} records of each list are in this file", self.most));
        }
        if omitted_xpaths > 0 {
            warnings.push(format!(
                "{omitted_xpaths} XPaths were left out: paths are written up to {MAX_XPATH_BYTES} bytes each \
                 and {} MiB per page",
                MAX_PAGE_XPATH_BYTES >> 20
            ));
        }
        warnings
    }
}

impl Serialize for PageDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let page = &self.answer.page;
        let mut about = json!({
            "source": self.name,
            "url": page.url,
            "title": page.title,
            "lang": page.lang,
            "kind": self.answer.kind.name(),
        });
        add_paging(&mut about, page);
        if let Some(detail) = &self.answer.object {
            about["kind_confidence"] = Value::from(round(detail.kind_confidence));
        }
        let writer = RefCell::new(RegionWriter { options: self.options, xpaths: XPathBudget::default() });
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("copal", &ANSWER_VERSION)?;
        map.serialize_entry("page", &about)?;
        let regions = self.answer.regions.iter();
        let regions: Vec<RegionDocument<'_>> =
            regions.map(|region| RegionDocument { writer: &writer, region, most: self.most }).collect();
        map.serialize_entry("regions", &regions)?;
        map.serialize_entry("warnings", &self.warnings(writer.borrow().xpaths.omitted()))?;
        if let Some(followed) = &self.answer.followed {
            let mut value = json!({
                "pages": followed.pages,
                "repeated": followed.repeated,
                "stopped": followed.stopped,
                "whole": followed.whole,
            });
            if followed.replayed > 0 {
                value["replayed"] = followed.replayed.into();
            }
            map.serialize_entry("follow", &value)?;
        }
        if let Some(detail) = &self.answer.object {
            for (key, value) in object_entries(detail) {
                map.serialize_entry(key, &value)?;
            }
        }
        if let Some(explanation) = self.answer.explanation.as_ref().filter(|_| self.explains) {
            map.serialize_entry("explain", &ExplanationDocument(explanation))?;
        }
        map.end()
    }
}

/// A region of a page, written record by record.
struct RegionDocument<'a> {
    writer: &'a RefCell<RegionWriter>,
    region: &'a Region,
    most: usize,
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
        let RegionDocument { writer, region, most } = self.0;
        let lists = list_columns(region);
        let records = region.records.iter().take(*most);
        serializer.collect_seq(records.map(|record| writer.borrow_mut().record(region, &lists, record)))
    }
}

/// What the page says about the whole list; unknown keys are omitted.
fn add_paging(about: &mut Value, page: &PageInfo) {
    if let Some(counter) = &page.counter {
        about["counter"] = Value::from(counter.total);
        if counter.at_least {
            about["at_least"] = Value::from(true);
        }
    }
    if let Some((first, last)) = page.range {
        about["range"] = json!([first, last]);
    }
    match page.pages {
        Some((at, Some(of))) => about["pages"] = json!([at, of]),
        Some((at, None)) => about["pages"] = json!([at]),
        None => {}
    }
    if let Some(next) = &page.next {
        about["next"] = Value::from(next.as_str());
    }
    if let Some(why) = &page.rendered {
        about["rendered"] = Value::from("chromium");
        about["rendered_why"] = Value::from(why.as_str());
    } else if page.has_stylesheet_styles {
        about["rendered"] = Value::from("css");
    }
}

/// The object of a detail page: its texts, its typed values, the area that contains it, and the source of
/// each field.
fn object_entries(detail: &Object) -> [(&'static str, Value); 4] {
    let (mut fields, mut typed, mut sources) = (Map::new(), Map::new(), Map::new());
    for field in &detail.fields {
        let texts = match field.texts.as_slice() {
            [one] => Value::from(one.as_str()),
            several => Value::from(several),
        };
        fields.insert(field.name.clone(), texts);
        if let Some(known) = &field.value {
            typed.insert(field.name.clone(), value_json(known));
        }
        let source =
            json!({"by": field.source.name(), "score": round(field.confidence), "xpath": field.xpath});
        sources.insert(field.name.clone(), source);
    }
    [
        ("area", Value::from(detail.area.clone())),
        ("fields", Value::Object(fields)),
        ("values", Value::Object(typed)),
        ("sources", Value::Object(sources)),
    ]
}

/// An explanation that is written text by text: as one value, the texts of a long page would need 200 MB.
struct ExplanationDocument<'a>(&'a Explanation);

impl Serialize for ExplanationDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reason = |reason: &Decision| json!({"about": reason.about, "text": reason.text});
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("reasons", &self.0.reasons.iter().map(reason).collect::<Vec<_>>())?;
        map.serialize_entry("annotations", &ReadingsDocument(&self.0.readings))?;
        map.end()
    }
}

struct ReadingsDocument<'a>(&'a [RecognisedText]);

impl Serialize for ReadingsDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(reading_value))
    }
}

fn reading_value(reading: &RecognisedText) -> Value {
    let mut value =
        json!({"text": reading.text, "type": reading.attribute, "by": reading.by, "xpath": reading.xpath});
    for (name, is) in [("label", reading.label), ("old", reading.old)] {
        if is {
            value[name] = Value::from(true);
        }
    }
    value
}

/// Writes the regions of one page.
struct RegionWriter {
    options: JsonOptions,
    /// Bounds the bytes of XPaths: those of a long list in a deep page would fill the memory.
    xpaths: XPathBudget,
}

impl RegionWriter {
    /// A list nested in a record.
    fn nested(&mut self, region: &Region) -> Value {
        let mut value = self.head(region);
        let lists = list_columns(region);
        let records = region.records.iter().map(|record| self.record(region, &lists, record)).collect();
        value.insert("records".to_owned(), records);
        value.extend(tail(region));
        Value::Object(value)
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

    /// A column that has several texts in one record (`lists`) is a list in all.
    fn record(&mut self, region: &Region, lists: &[bool], record: &Record) -> Value {
        let named = || region.columns.iter().zip(&record.cells);
        let mut fields = Map::new();
        for ((column, cell), list) in named().zip(lists) {
            let value = match cell.first() {
                None => continue,
                Some(one) if cell.len() == 1 && !list => Value::from(one),
                Some(_) => cell.texts().collect(),
            };
            fields.insert(column.name.clone(), value);
        }
        let place = &record.place;
        let xpaths: Vec<String> =
            place.tops.iter().filter_map(|&node| self.xpaths.xpath(&place.xpaths, node)).collect();
        let mut value = json!({"xpaths": xpaths, "text": record.text, "fields": fields});
        let typed = named()
            .filter_map(|(column, cell)| Some((column.name.clone(), value_json(cell.value.as_ref()?))));
        let typed: Map<String, Value> = typed.collect();
        if !typed.is_empty() {
            value["values"] = Value::Object(typed);
        }
        let inferred = named().filter(|(_, cell)| cell.provenance == Provenance::Inferred);
        let inferred: Vec<&str> = inferred.map(|(column, _)| column.name.as_str()).collect();
        if !inferred.is_empty() {
            value["inferred"] = Value::from(inferred);
        }
        add_confidence(&mut value, record.confidence);
        let doubtful = named().filter_map(|(column, cell)| Some((column, cell.confidence?)));
        let doubtful: Map<String, Value> = doubtful
            .filter(|(_, confidence)| *confidence < CONFIDENT_CELL)
            .map(|(column, confidence)| (column.name.clone(), Value::from(round(confidence))))
            .collect();
        if !doubtful.is_empty() {
            value["sure"] = Value::Object(doubtful);
        }
        if self.options.sources {
            let sources = named().map(|(column, cell)| (column.name.clone(), self.sources(record, cell)));
            let sources: Map<String, Value> = sources.filter(|(_, sources)| !sources.is_null()).collect();
            value["sources"] = Value::Object(sources);
        }
        if let Some(page) = &record.page {
            value["page"] = Value::from(&*page.url);
        }
        if let Some(joined) = &record.joined {
            value["detail"] = json!({"page": &*joined.page, "both": joined.both, "differ": joined.differ});
        }
        if !record.children.is_empty() {
            value["children"] = record.children.iter().map(|child| self.nested(child)).collect();
        }
        value
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

/// By column: a record has several texts in it, so all records have a list.
fn list_columns(region: &Region) -> Vec<bool> {
    let has_several = |c: usize| region.records.iter().any(|record| record.cells[c].len() > 1);
    (0..region.columns.len()).map(has_several).collect()
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
fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

/// Writes one object for one page, and an array for several.
#[derive(Debug)]
pub struct Json {
    /// What is written beyond texts and values.
    pub options: JsonOptions,
    array: bool,
    pages: usize,
}

impl Json {
    /// `array` if more than one page will be written.
    pub fn new(array: bool) -> Self {
        Json { options: JsonOptions::default(), array, pages: 0 }
    }
}

impl Format for Json {
    fn page(
        &mut self,
        out: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        if self.array {
            out.write_all(if self.pages == 0 { b"[\n" } else { b",\n" })?;
        }
        self.pages += 1;
        serde_json::to_writer_pretty(&mut *out, &PageDocument::new(name, extraction, self.options))?;
        if !self.array {
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        match (self.array, self.pages) {
            (true, 0) => out.write_all(b"[]\n")?,
            (true, _) => out.write_all(b"\n]\n")?,
            (false, _) => {}
        }
        Ok(())
    }
}

/// Writes one line per page.
#[derive(Debug, Default)]
pub struct PageLines {
    /// What is written beyond texts and values.
    pub options: JsonOptions,
}

impl Format for PageLines {
    fn page(
        &mut self,
        out: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        serde_json::to_writer(&mut *out, &PageDocument::new(name, extraction, self.options))?;
        out.write_all(b"\n")?;
        Ok(())
    }

    fn finish(&mut self, _: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        Ok(())
    }
}
