//! JSON (one object, or an array of pages) and lines of JSON (one line per page).
//!
//! The JSON Schema in `schema/answer.schema.json` describes one page. Keys without a value are omitted.
//! O(cells).

use crate::error::OutputError;
use crate::format::Format;
use crate::json_records::{JsonOptions, RegionDocument, RegionWriter, round};
use crate::value_json::value_json;
use copal_dom::xpath::{MAX_PAGE_XPATH_BYTES, MAX_XPATH_BYTES};
use copal_model::{Answer, Decision, Explanation, Object, PageInfo, RecognisedText};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::io::{BufWriter, Write};

/// Version of the format, written as `copal`. Raised when a key is removed or changes its type.
const ANSWER_VERSION: u32 = 1;

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
        let writer = RefCell::new(RegionWriter::new(self.options));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("copal", &ANSWER_VERSION)?;
        map.serialize_entry("page", &about)?;
        let regions = self.answer.regions.iter();
        let regions: Vec<RegionDocument<'_>> =
            regions.map(|region| RegionDocument { writer: &writer, region, most: self.most }).collect();
        map.serialize_entry("regions", &regions)?;
        map.serialize_entry("warnings", &self.warnings(writer.borrow().omitted_xpaths()))?;
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

/// A serializer writes every quote and comma alone: they are collected before they go through the destination.
const BUFFER_BYTES: usize = 16 * 1024;

/// Passes on what is left, without flushing the destination.
fn into_destination(buffer: BufWriter<impl Write>) -> Result<(), OutputError> {
    buffer.into_inner().map(|_| ()).map_err(|error| error.into_error().into())
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
        let mut buffer = BufWriter::with_capacity(BUFFER_BYTES, &mut *out);
        serde_json::to_writer_pretty(&mut buffer, &PageDocument::new(name, extraction, self.options))?;
        into_destination(buffer)?;
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
        let mut buffer = BufWriter::with_capacity(BUFFER_BYTES, &mut *out);
        serde_json::to_writer(&mut buffer, &PageDocument::new(name, extraction, self.options))?;
        into_destination(buffer)?;
        out.write_all(b"\n")?;
        Ok(())
    }

    fn finish(&mut self, _: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        Ok(())
    }
}
