//! A domain file as it is written: YAML, read strictly.
//!
//! In: the text of `domain.yaml`. Out: [`File`]. Unknown keys are refused; messages have the line and what was expected.

use serde::Deserialize;
use std::collections::BTreeMap;

/// Largest domain file that is read.
pub(super) const MOST_BYTES: usize = 1_000_000;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) domain: String,
    pub(super) object: String,
    pub(super) pivot: String,
    #[serde(default)]
    pub(super) characteristic: Vec<String>,
    pub(super) attributes: BTreeMap<String, AttributeEntry>,
    #[serde(default)]
    pub(super) secondary_titles: Vec<String>,
    #[serde(default)]
    pub(super) mandatory: Vec<String>,
    #[serde(default)]
    pub(super) together: Vec<Vec<String>>,
    #[serde(default)]
    pub(super) wildcards: Vec<String>,
    #[serde(default)]
    #[allow(dead_code)]
    pub(super) site: Site,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AttributeEntry {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) labels: Vec<String>,
    #[serde(default)]
    pub(super) rules: Vec<String>,
    #[serde(default)]
    pub(super) gazetteers: Vec<String>,
    #[serde(default)]
    pub(super) range: Option<(f64, f64)>,
    #[serde(default)]
    pub(super) parts: Vec<String>,
}

/// How a site of the domain is explored; read by the exploration to come.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
pub(super) struct Site {
    #[serde(default)]
    follow: Vec<String>,
    #[serde(default)]
    avoid: Vec<String>,
    #[serde(default)]
    fields: BTreeMap<String, SiteField>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
pub(super) struct SiteField {
    #[serde(default)]
    examples: Vec<String>,
    #[serde(default)]
    kind: Option<String>,
}

pub(super) fn parse(text: &str) -> Result<File, String> {
    if text.len() > MOST_BYTES {
        return Err(format!("has {} bytes: expected at most {MOST_BYTES}", text.len()));
    }
    // the first line has the place and what was expected; a drawing of the file follows
    serde_saphyr::from_str(text).map_err(|error| {
        let message = error.to_string();
        let first = message.lines().next().unwrap_or_default();
        first.strip_prefix("error: ").unwrap_or(first).to_owned()
    })
}
