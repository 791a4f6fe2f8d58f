//! Pages with gold answers, read and annotated once.
//!
//! In: a corpus as `research/generate` writes it (the gold has the texts of records, their fields, accepted
//! spellings, and values that may be found). Out: a [`NoiseCase`] per page: the tree, the clean annotations,
//! the gold. The `vertical` of the index names the domain of a page.

use crate::corpus::Corpus;
use crate::error::LabError;
use copal::{Domain, Page};
use copal_domain::{AttributeAnnotation, annotate};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// A record of the gold answer.
pub(crate) struct GoldRecord {
    /// Its text nodes.
    pub(crate) texts: Vec<String>,
    /// By attribute: the spellings that are right, and whether its absence is an error.
    pub(crate) values: HashMap<String, (Vec<String>, bool)>,
}

/// A page with its gold answer.
pub(crate) struct NoiseCase {
    pub(crate) id: String,
    pub(crate) domain: Arc<Domain>,
    pub(crate) page: Page,
    pub(crate) annotations: Vec<AttributeAnnotation>,
    pub(crate) records: Vec<GoldRecord>,
}

/// The result pages of a corpus, of one split if one is named, sorted by id.
pub(crate) fn load(corpus: &Corpus, split: Option<&str>) -> Result<Vec<NoiseCase>, LabError> {
    let mut domains: HashMap<&str, Option<Arc<Domain>>> = HashMap::new();
    let mut cases = Vec::new();
    for page in corpus.pages_of("lists") {
        if split.is_some_and(|split| split != page.split) {
            continue;
        }
        let load = || Domain::load(&page.vertical).ok().map(Arc::new);
        if let Some(domain) = domains.entry(&page.vertical).or_insert_with(load) {
            cases.extend(case(corpus, &page.id, domain)?);
        }
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(cases)
}

/// None for pages that cannot be read or whose gold has fewer than two records.
fn case(corpus: &Corpus, id: &str, domain: &Arc<Domain>) -> Result<Option<NoiseCase>, LabError> {
    let gold = corpus.gold(id)?;
    let records: Vec<GoldRecord> =
        gold["records"].as_array().into_iter().flatten().map(read_record).collect();
    let Some(page) = corpus.page(id).filter(|_| records.len() > 1) else { return Ok(None) };
    let annotations = annotate(&page, domain);
    Ok(Some(NoiseCase { id: id.to_owned(), domain: Arc::clone(domain), page, annotations, records }))
}

fn read_record(record: &Value) -> GoldRecord {
    let mut values: HashMap<String, (Vec<String>, bool)> = HashMap::new();
    for (key, wanted) in [("fields", true), ("accepted", false), ("maybe", false)] {
        for (name, spellings) in record[key].as_object().into_iter().flatten() {
            let entry = values.entry(name.clone()).or_default();
            entry.0.extend(strings(spellings).map(|text| plain(&text)));
            entry.1 |= wanted;
        }
    }
    GoldRecord { texts: strings(&record["texts"]).map(|text| collapsed(&text)).collect(), values }
}

fn strings(value: &Value) -> Box<dyn Iterator<Item = String> + '_> {
    match value {
        Value::Array(list) => Box::new(list.iter().flat_map(strings)),
        Value::String(text) => Box::new(std::iter::once(text.clone())),
        Value::Number(number) => Box::new(std::iter::once(number.to_string())),
        _ => Box::new(std::iter::empty()),
    }
}

/// Runs of white space become one space.
pub(crate) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The form in which values are compared: without white space, case, thousands separators and punctuation at
/// the ends.
pub(crate) fn plain(text: &str) -> String {
    let chars: Vec<char> = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let is_digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let separates = |at: usize| {
        chars[at] == ',' && at > 0 && is_digit(at - 1) && (1..=3).all(|further| is_digit(at + further))
    };
    let kept: String = (0..chars.len()).filter(|&at| !separates(at)).map(|at| chars[at]).collect();
    kept.replace("gbp", "\u{a3}").trim_matches(['.', ',', ';', ':', '\u{2026}']).to_owned()
}
