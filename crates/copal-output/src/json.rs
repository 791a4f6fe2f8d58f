//! JSON (one object, or an array of pages) and JSONL (one line per page).
//!
//! The JSON Schema in `schema/answer.schema.json` describes one page. Keys without a value are omitted.
//! O(cells).

use crate::error::OutputError;
use crate::format::Format;
use crate::record_cells;
use crate::value_json::value_json;
use copal_model::Object;
use copal_model::{
    Answer, CellSource, Column, Decision, Explanation, Origin, PageInfo, RecognisedText, Record, Region,
};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Version of the format, written as `copal`. Raised when a key is removed or changes its type.
const ANSWER_VERSION: u32 = 1;
/// The confidence of cells from here on is omitted: nearly all cells have it, so it would say little.
const CONFIDENT_CELL: f64 = 0.8;

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
    let mut value = data_value(name, extraction, usize::MAX);
    if let Some(explanation) = &extraction.explanation {
        value["explain"] = explanation_value(explanation);
    }
    value
}

/// The same without the reasons, and with the first `max_records` records of each region only; a warning says
/// so.
pub(crate) fn data_value(name: &str, extraction: &Answer, max_records: usize) -> Value {
    let page = &extraction.page;
    let mut warnings: Vec<String> = extraction.warnings.iter().map(ToString::to_string).collect();
    if extraction.regions.iter().any(|region| region.records.len() > max_records) {
        warnings.push(format!("only the first {max_records} records of each list are in this file"));
    }
    let mut about = json!({
        "source": name,
        "url": page.url,
        "title": page.title,
        "lang": page.lang,
        "kind": extraction.kind.name(),
    });
    add_paging(&mut about, page);
    let regions = extraction.regions.iter().map(|region| region_value(region, max_records));
    let mut value = json!({
        "copal": ANSWER_VERSION,
        "page": about,
        "regions": regions.collect::<Vec<_>>(),
        "warnings": warnings,
    });
    if let Some(followed) = &extraction.followed {
        value["follow"] = json!({
            "pages": followed.pages,
            "repeated": followed.repeated,
            "stopped": followed.stopped,
            "whole": followed.whole,
        });
    }
    if let Some(detail) = &extraction.object {
        add_detail(&mut value, detail);
    }
    value
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
}

/// The object of a detail page: its texts, its typed values, where its data is, and the source of each field.
fn add_detail(value: &mut Value, detail: &Object) {
    let (mut fields, mut typed, mut sources) = (Map::new(), Map::new(), Map::new());
    for field in &detail.fields {
        let texts = match field.texts.as_slice() {
            [one] => Value::from(one.as_str()),
            several => Value::from(several),
        };
        fields.insert(field.name.clone(), texts);
        if let Some(typed_value) = &field.value {
            typed.insert(field.name.clone(), value_json(typed_value));
        }
        let source =
            json!({"by": field.source.name(), "score": round(field.confidence), "xpath": field.xpath});
        sources.insert(field.name.clone(), source);
    }
    value["page"]["kind_confidence"] = Value::from(round(detail.kind_confidence));
    value["area"] = Value::from(detail.area.clone());
    value["fields"] = Value::Object(fields);
    value["values"] = Value::Object(typed);
    value["sources"] = Value::Object(sources);
}

fn explanation_value(explanation: &Explanation) -> Value {
    let reason = |reason: &Decision| json!({"about": reason.about, "text": reason.text});
    let reading = |reading: &RecognisedText| {
        let mut value =
            json!({"text": reading.text, "type": reading.kind, "by": reading.by, "xpath": reading.xpath});
        for (name, is) in [("label", reading.label), ("old", reading.old)] {
            if is {
                value[name] = Value::from(true);
            }
        }
        value
    };
    json!({
        "reasons": explanation.reasons.iter().map(reason).collect::<Vec<_>>(),
        "annotations": explanation.readings.iter().map(reading).collect::<Vec<_>>(),
    })
}

fn region_value(region: &Region, max_records: usize) -> Value {
    let records = region.records.iter().take(max_records);
    let columns = region.columns.iter().map(column_value);
    let is_list: Vec<bool> = (0..region.columns.len())
        .map(|c| region.records.iter().any(|record| record_cells::texts(record, c).len() > 1))
        .collect();
    let mut value = json!({
        "role": region.role.name(),
        "layout": region.layout.name(),
        "methods": [region.method.name()],
        "score": round(region.score),
        "xpath": region.xpath,
        "columns": columns.collect::<Vec<_>>(),
        "records": records.map(|record| record_value(region, &is_list, record)).collect::<Vec<_>>(),
    });
    if region.origin != Origin::Page {
        value["origin"] = Value::from(region.origin.name());
    }
    add_confidence(&mut value, region.confidence);
    value
}

fn column_value(column: &Column) -> Value {
    let mut value =
        json!({"name": column.name, "named_by": column.named_by.name(), "support": round(column.support)});
    match column.source {
        CellSource::Embedded => value["source"] = Value::from("embedded"),
        CellSource::Detail => value["source"] = Value::from("detail"),
        CellSource::Text | CellSource::Href | CellSource::Src => {}
    }
    if let Some(kind) = column.kind {
        value["type"] = Value::from(kind);
    }
    add_confidence(&mut value, column.confidence);
    value
}

fn add_confidence(value: &mut Value, confidence: Option<f64>) {
    if let Some(confidence) = confidence {
        value["confidence"] = Value::from(round(confidence));
    }
}

/// A column that has several texts in one record (`is_list`) is an array in all records, so that its type is
/// the same.
fn record_value(region: &Region, is_list: &[bool], record: &Record) -> Value {
    let (mut fields, mut typed, mut doubtful) = (Map::new(), Map::new(), Map::new());
    let mut inferred: Vec<&str> = Vec::new();
    for (c, column) in region.columns.iter().enumerate() {
        let texts = match record_cells::texts(record, c) {
            [] => None,
            [one] if !is_list[c] => Some(Value::from(one.as_str())),
            several => Some(Value::from(several)),
        };
        if let Some(texts) = texts {
            fields.insert(column.name.clone(), texts);
        }
        if let Some(value) = record_cells::value(record, c) {
            typed.insert(column.name.clone(), value_json(value));
        }
        if record_cells::is_inferred(record, c) {
            inferred.push(&column.name);
        }
        if let Some(confidence) = record_cells::confidence(record, c).filter(|p| *p < CONFIDENT_CELL) {
            doubtful.insert(column.name.clone(), Value::from(round(confidence)));
        }
    }
    let mut value = json!({"xpaths": record.xpaths, "text": record.text, "fields": fields});
    if !typed.is_empty() {
        value["values"] = Value::Object(typed);
    }
    if !inferred.is_empty() {
        value["inferred"] = Value::from(inferred);
    }
    add_confidence(&mut value, record.confidence);
    if !doubtful.is_empty() {
        value["sure"] = Value::Object(doubtful);
    }
    if let Some(page) = &record.page {
        value["page"] = Value::from(&*page.url);
    }
    if let Some(joined) = &record.joined {
        value["detail"] = json!({"page": &*joined.page, "both": joined.both, "differ": joined.differ});
    }
    if !record.children.is_empty() {
        value["children"] = record.children.iter().map(|child| region_value(child, usize::MAX)).collect();
    }
    value
}

/// Three decimals are enough for scores and probabilities.
fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

/// Writes one object for one page, and an array for several.
#[derive(Debug)]
pub struct Json {
    array: bool,
    pages: usize,
}

impl Json {
    /// `array` if more than one page will be written.
    pub fn new(array: bool) -> Self {
        Json { array, pages: 0 }
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
        serde_json::to_writer_pretty(&mut *out, &page_value(name, extraction))?;
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
pub struct Jsonl;

impl Format for Jsonl {
    fn page(
        &mut self,
        out: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        serde_json::to_writer(&mut *out, &page_value(name, extraction))?;
        out.write_all(b"\n")?;
        Ok(())
    }

    fn finish(&mut self, _: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        Ok(())
    }
}
