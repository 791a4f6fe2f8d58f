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
    /// Names for parts of rules: `{name}` in a rule stands for the text given here.
    #[serde(default)]
    pub(super) define: BTreeMap<String, String>,
    pub(super) attributes: BTreeMap<String, AttributeEntry>,
    /// Attributes that the headline of an object's own page says (default: title, name).
    #[serde(default)]
    pub(super) headline: Vec<String>,
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
    /// Besides what rules and terms find, every value of its generic type is one of its.
    #[serde(default)]
    pub(super) any: bool,
    /// It is shown on the object's own page only: lists are not looked at for it.
    #[serde(default)]
    pub(super) detail: bool,
    /// Its values are the crossed-out ones.
    #[serde(default)]
    pub(super) old: bool,
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

/// How deep definitions may use one another.
const DEEPEST: usize = 4;

impl File {
    /// A rule with every `{name}` replaced by what is defined for it. Counts (`{2,3}`) have no letters and stay.
    pub(super) fn expand(&self, rule: &str) -> Result<String, String> {
        let mut text = rule.to_owned();
        for _ in 0..=DEEPEST {
            let Some(next) = self.expand_once(&text)? else { return Ok(text) };
            text = next;
            if text.len() > MOST_BYTES {
                break;
            }
        }
        Err(format!(
            "definitions are nested more than {DEEPEST} deep or too long: expected plain text in define"
        ))
    }

    /// None if nothing is left to replace.
    fn expand_once(&self, text: &str) -> Result<Option<String>, String> {
        let (mut out, mut rest, mut any) = (String::new(), text, false);
        while let Some(open) = rest.find('{') {
            let (before, behind) = rest.split_at(open);
            let name = behind[1..].split('}').next().unwrap_or_default();
            out.push_str(before);
            let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            // `\p{letter}`, `\x{e9}` and the like are the regular expression's own
            if !is_name || ["\\p", "\\P", "\\x", "\\u", "\\U"].iter().any(|escape| before.ends_with(escape)) {
                out.push('{');
                rest = &behind[1..];
                continue;
            }
            let known = self.define.get(name).ok_or_else(|| {
                let names: Vec<&str> = self.define.keys().map(String::as_str).collect();
                format!("{{{name}}} is not defined: expected one of define ({})", names.join(", "))
            })?;
            out.push_str("(?:");
            out.push_str(known);
            out.push(')');
            any = true;
            rest = &behind[name.len() + 2..];
        }
        out.push_str(rest);
        Ok(any.then_some(out))
    }
}
