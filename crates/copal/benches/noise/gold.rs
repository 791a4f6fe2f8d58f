//! Pages with gold answers, read and annotated once.
//!
//! In: a corpus folder as `compare/generate` makes it (index.jsonl; `<id>.html`; `<id>.json` with the records' texts, fields,
//! accepted spellings, and values that may be found). Out: a [`Case`] a page: the tree, the clean annotations, the gold. The
//! index's `vertical` names a page's domain.

use copal::{Domain, Limits, Page, PageSource};
use copal_domain::domain::annotate::{AttributeAnnotation, annotate};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// A record as the page's author made it.
pub(crate) struct Record {
    /// Its text nodes.
    pub(crate) texts: Vec<String>,
    /// By attribute: the spellings that are right, and whether its absence is a fault.
    pub(crate) values: HashMap<String, (Vec<String>, bool)>,
}

/// A page with what is known of it.
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) domain: Arc<Domain>,
    pub(crate) page: Page,
    pub(crate) annotations: Vec<AttributeAnnotation>,
    pub(crate) records: Vec<Record>,
}

/// The result pages of a corpus, of one split if one is named, sorted by id.
pub(crate) fn load(folder: &Path, split: Option<&str>) -> Vec<Case> {
    let index = std::fs::read_to_string(folder.join("index.jsonl"));
    let index = index.unwrap_or_else(|error| panic!("{}/index.jsonl: {error}", folder.display()));
    let mut domains: HashMap<String, Option<Arc<Domain>>> = HashMap::new();
    let mut cases = Vec::new();
    for line in index.lines().filter(|line| !line.trim().is_empty()) {
        let entry: Value = serde_json::from_str(line).expect("a line of the index is an object");
        let text = |key: &str| entry[key].as_str().unwrap_or_default();
        let in_split = split.is_none_or(|split| text("split") == split);
        if !in_split || !matches!(text("task"), "" | "lists") {
            continue;
        }
        let load = || Domain::load(text("vertical")).ok().map(Arc::new);
        if let Some(domain) = domains.entry(text("vertical").to_owned()).or_insert_with(load) {
            cases.extend(case(folder, text("id"), domain));
        }
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    cases
}

fn case(folder: &Path, id: &str, domain: &Arc<Domain>) -> Option<Case> {
    let read = |ending: &str| std::fs::read(folder.join(format!("{id}.{ending}")));
    let html = read("html").unwrap_or_else(|error| panic!("{id}.html: {error}"));
    let gold = read("json").unwrap_or_else(|error| panic!("{id}.json: {error}"));
    let page = Page::from_bytes(&html, PageSource::default(), &Limits::default()).ok()?;
    let gold: Value = serde_json::from_slice(&gold).expect("gold is JSON");
    let records: Vec<Record> = gold["records"].as_array()?.iter().map(read_record).collect();
    let annotations = annotate(&page, domain);
    (records.len() > 1).then(|| Case {
        id: id.to_owned(),
        domain: Arc::clone(domain),
        page,
        annotations,
        records,
    })
}

fn read_record(record: &Value) -> Record {
    let mut values: HashMap<String, (Vec<String>, bool)> = HashMap::new();
    for (key, wanted) in [("fields", true), ("accepted", false), ("maybe", false)] {
        for (name, spellings) in record[key].as_object().into_iter().flatten() {
            let entry = values.entry(name.clone()).or_default();
            entry.0.extend(strings(spellings).map(|text| plain(&text)));
            entry.1 |= wanted;
        }
    }
    Record { texts: strings(&record["texts"]).map(|text| collapsed(&text)).collect(), values }
}

fn strings(value: &Value) -> Box<dyn Iterator<Item = String> + '_> {
    match value {
        Value::Array(list) => Box::new(list.iter().flat_map(strings)),
        Value::String(text) => Box::new(std::iter::once(text.clone())),
        Value::Number(number) => Box::new(std::iter::once(number.to_string())),
        _ => Box::new(std::iter::empty()),
    }
}

/// White space as one space.
pub(crate) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How values are compared: without white space, case, thousands separators and marks at their ends.
pub(crate) fn plain(text: &str) -> String {
    let chars: Vec<char> = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let is_digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let separates = |at: usize| {
        chars[at] == ',' && at > 0 && is_digit(at - 1) && (1..=3).all(|further| is_digit(at + further))
    };
    let kept: String = (0..chars.len()).filter(|&at| !separates(at)).map(|at| chars[at]).collect();
    kept.replace("gbp", "\u{a3}").trim_matches(['.', ',', ';', ':', '\u{2026}']).to_owned()
}
