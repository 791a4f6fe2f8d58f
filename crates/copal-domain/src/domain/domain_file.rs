//! The format of domain files: YAML, read strictly.
//!
//! In: the text of `domain.yaml`. Out: [`DomainFile`]. Unknown keys are refused; messages have the line and
//! what was expected. A file without `version` has version 1. O(length).

use crate::error::{DomainFileProblem, GazetteerProblem};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The newest version of the format that is read.
const SUPPORTED_VERSION: u32 = 1;
/// Largest domain file, and largest rule after its definitions are expanded.
const MAX_FILE_BYTES: usize = 1_000_000;
/// Maximum number of attributes: the work per text grows with them.
const MAX_ATTRIBUTES: usize = 500;
/// How deep definitions may use each other.
const MAX_DEFINITION_DEPTH: usize = 4;

/// Reads the text of a file next to the domain file, or of a shared gazetteer, by the name that a domain file uses.
pub(super) type ReadGazetteer<'a> = &'a dyn Fn(&str) -> Result<String, GazetteerProblem>;

/// The version of a file whose other keys are unknown.
#[derive(Deserialize)]
struct FileVersion {
    #[serde(default)]
    version: Option<u32>,
}

/// The keys of a domain file.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DomainFile {
    /// The version of the format; absent means 1.
    #[serde(default)]
    pub(super) version: Option<u32>,
    pub(super) domain: String,
    pub(super) object: String,
    pub(super) pivot: String,
    #[serde(default)]
    pub(super) characteristic: Vec<String>,
    /// Named parts of rules: `{name}` in a rule is replaced by the text given here.
    #[serde(default)]
    pub(super) define: BTreeMap<String, String>,
    pub(super) attributes: BTreeMap<String, AttributeEntry>,
    /// Files with words of other languages, next to the domain file.
    #[serde(default)]
    pub(super) words: Vec<String>,
    /// Attributes that the headline of a detail page contains (default: title, name).
    #[serde(default)]
    pub(super) headline: Vec<String>,
    #[serde(default)]
    pub(super) secondary_titles: Vec<String>,
    #[serde(default)]
    pub(super) mandatory: Vec<String>,
    #[serde(default)]
    pub(super) together: Vec<Vec<String>>,
    /// Options of search forms that mean "any".
    #[serde(default)]
    pub(super) wildcards: Vec<String>,
    /// Words of links, for exploring sites.
    #[serde(default)]
    pub(super) site: SiteEntry,
    /// Thresholds of AMBER that differ in this domain.
    #[serde(default)]
    pub(super) thresholds: ThresholdsEntry,
}

/// The thresholds of a domain, named as in `--set amber.NAME`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ThresholdsEntry {
    #[serde(default)]
    pub(super) types: Option<usize>,
    #[serde(default)]
    pub(super) fewest: Option<usize>,
    #[serde(default)]
    pub(super) fraction: Option<f64>,
    #[serde(default)]
    pub(super) keep: Option<f64>,
    #[serde(default)]
    pub(super) infer: Option<f64>,
}

/// The keys of an attribute.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AttributeEntry {
    #[serde(rename = "type")]
    pub(super) type_name: String,
    #[serde(default)]
    pub(super) labels: Vec<String>,
    #[serde(default)]
    pub(super) rules: Vec<String>,
    #[serde(default)]
    pub(super) gazetteers: Vec<String>,
    /// Terms like those of a gazetteer, if a file for them is not worth it.
    #[serde(default)]
    pub(super) terms: Vec<String>,
    /// Names of programs that find its values. Which programs these are, only the user says.
    #[serde(default)]
    pub(super) annotators: Vec<String>,
    /// Every value of its value type belongs to it, in addition to what rules and gazetteers find.
    #[serde(default)]
    pub(super) any: bool,
    /// It is shown on detail pages only and is not searched for in lists.
    #[serde(default)]
    pub(super) detail: bool,
    /// Its values are crossed out on pages.
    #[serde(default)]
    pub(super) old: bool,
    #[serde(default)]
    pub(super) range: Option<(f64, f64)>,
    #[serde(default)]
    pub(super) parts: Vec<String>,
}

impl AttributeEntry {
    /// True if rules or terms say what its values are.
    pub(super) fn has_recognisers(&self) -> bool {
        !self.rules.is_empty() || !self.gazetteers.is_empty() || !self.terms.is_empty()
    }
}

/// How a site of the domain is explored. The kinds of fields are not used yet.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SiteEntry {
    #[serde(default)]
    pub(super) follow: Vec<String>,
    #[serde(default)]
    pub(super) avoid: Vec<String>,
    #[serde(default)]
    pub(super) fields: BTreeMap<String, SiteField>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SiteField {
    #[serde(default)]
    pub(super) examples: Vec<String>,
    #[serde(default)]
    kind: Option<String>,
}

/// Reads a domain file.
pub(super) fn parse(text: &str) -> Result<DomainFile, DomainFileProblem> {
    check_size(text)?;
    let file: Result<DomainFile, _> = serde_saphyr::from_str(text);
    let version = match &file {
        Ok(file) => file.version,
        // A newer file may have keys that this copal does not know. Its version is then the better message.
        Err(_) => serde_saphyr::from_str::<FileVersion>(text).map_or(None, |file| file.version),
    };
    if let Some(found) = version.filter(|&version| version > SUPPORTED_VERSION) {
        return Err(DomainFileProblem::NewerVersion { found, supported: SUPPORTED_VERSION });
    }
    let file = file.map_err(|error| syntax_problem(&error))?;
    if file.attributes.len() > MAX_ATTRIBUTES {
        return Err(DomainFileProblem::TooManyAttributes {
            found: file.attributes.len(),
            limit: MAX_ATTRIBUTES,
        });
    }
    Ok(file)
}

/// Refuses files that are too large.
pub(super) fn check_size(text: &str) -> Result<(), DomainFileProblem> {
    if text.len() > MAX_FILE_BYTES {
        return Err(DomainFileProblem::TooLarge { bytes: text.len(), limit: MAX_FILE_BYTES });
    }
    Ok(())
}

/// What the YAML parser says, with the line.
pub(super) fn syntax_problem(error: &serde_saphyr::Error) -> DomainFileProblem {
    // The first line has the position and what was expected; an excerpt of the file follows.
    let message = error.to_string();
    let first = message.lines().next().unwrap_or_default();
    DomainFileProblem::Syntax { message: first.strip_prefix("error: ").unwrap_or(first).to_owned() }
}

impl DomainFile {
    /// The attribute whose name is most similar, for a hint.
    pub(super) fn nearest_attribute(&self, name: &str) -> String {
        self.attributes.keys().min_by_key(|known| differing_letters(name, known)).cloned().unwrap_or_default()
    }

    /// Replaces every `{name}` of a rule by its definition. Repetitions (`{2,3}`) have no letters and are
    /// kept.
    pub(super) fn expand_definitions(
        &self,
        rule: &str,
        attribute: &str,
    ) -> Result<String, DomainFileProblem> {
        let mut text = rule.to_owned();
        for _ in 0..=MAX_DEFINITION_DEPTH {
            let Some(next) = self.expand_once(&text, attribute)? else { return Ok(text) };
            text = next;
            if text.len() > MAX_FILE_BYTES {
                break;
            }
        }
        let attribute = attribute.to_owned();
        Err(DomainFileProblem::NestedDefinitions { attribute, limit: MAX_DEFINITION_DEPTH })
    }

    /// Replaces the names of one level, or returns `None` if there are none.
    fn expand_once(&self, text: &str, attribute: &str) -> Result<Option<String>, DomainFileProblem> {
        let (mut out, mut rest, mut replaced) = (String::new(), text, false);
        while let Some(open) = rest.find('{') {
            let (before, braced) = rest.split_at(open);
            let name = braced[1..].split('}').next().unwrap_or_default();
            out.push_str(before);
            let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            // `\p{letter}`, `\x{e9}` and the like belong to the regular expression.
            let is_escape = ["\\p", "\\P", "\\x", "\\u", "\\U"].iter().any(|escape| before.ends_with(escape));
            if !is_name || is_escape {
                out.push('{');
                rest = &braced[1..];
                continue;
            }
            let definition = self.define.get(name).ok_or_else(|| {
                let defined: Vec<&str> = self.define.keys().map(String::as_str).collect();
                DomainFileProblem::UndefinedName {
                    attribute: attribute.to_owned(),
                    name: name.to_owned(),
                    defined: defined.join(", "),
                }
            })?;
            out.push_str("(?:");
            out.push_str(definition);
            out.push(')');
            // one level alone can multiply the file by itself
            if out.len() > MAX_FILE_BYTES {
                let attribute = attribute.to_owned();
                return Err(DomainFileProblem::NestedDefinitions { attribute, limit: MAX_DEFINITION_DEPTH });
            }
            replaced = true;
            rest = &braced[name.len() + 2..];
        }
        out.push_str(rest);
        Ok(replaced.then_some(out))
    }
}

/// How many letters two names do not share. Rough, but enough for a hint.
fn differing_letters(a: &str, b: &str) -> usize {
    let missing = |a: &str, b: &str| a.chars().filter(|c| !b.contains(*c)).count();
    missing(a, b) + missing(b, a) + a.len().abs_diff(b.len())
}
