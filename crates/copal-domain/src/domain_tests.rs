//! The tests of a domain: strings in which an attribute must be found, and strings in which it must not be
//! found.
//!
//! In: a [`Domain`] and the text of its `tests.yaml` (per attribute, strings under `"yes"` and `"no"`). Out:
//! the [`DomainTestFailure`]s. Costs as much as annotating every string.

use crate::attributes::annotate_page::annotate_object;
use crate::domain::model::Domain;
use crate::error::DomainError;
use copal_dom::{Limits, Page};
use std::collections::BTreeMap;

/// How many strings of each kind an attribute must have.
pub const MIN_TEST_STRINGS: usize = 10;

/// A difference between a domain and its tests.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DomainTestFailure {
    /// The attribute is not found in a string under "yes".
    NotFound(String, String),
    /// The attribute is found in a string under "no".
    WronglyFound(String, String),
    /// The tests name an attribute that the domain does not have.
    UnknownAttribute(String),
    /// An attribute has too few strings.
    TooFewStrings(String, &'static str, usize),
    /// An attribute has no strings.
    Untested(String),
}

impl std::fmt::Display for DomainTestFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DomainTestFailure::NotFound(attribute, text) => write!(f, "{attribute}: not found in {text:?}"),
            DomainTestFailure::WronglyFound(attribute, text) => {
                write!(f, "{attribute}: found in {text:?}, expected no match")
            }
            DomainTestFailure::UnknownAttribute(attribute) => {
                write!(f, "{attribute}: the domain has no such attribute")
            }
            DomainTestFailure::TooFewStrings(attribute, answer, n) => {
                write!(f, "{attribute}: {n} strings under {answer:?}, expected at least {MIN_TEST_STRINGS}")
            }
            DomainTestFailure::Untested(attribute) => write!(
                f,
                "{attribute}: no strings, expected at least {MIN_TEST_STRINGS} under \"yes\" and \"no\" each"
            ),
        }
    }
}

/// What the tests of a domain tried, and what failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DomainTestReport {
    /// Attributes with strings.
    pub attributes: usize,
    /// Strings that were tried.
    pub strings: usize,
    /// What failed.
    pub failures: Vec<DomainTestFailure>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct TestStrings {
    yes: Vec<String>,
    no: Vec<String>,
}

/// Runs the tests of a domain. Attributes that are found by how they look (images, links, titles,
/// descriptions) need no strings.
pub fn run_domain_tests(domain: &Domain, tests: &str) -> Result<DomainTestReport, DomainError> {
    let tests: BTreeMap<String, TestStrings> = serde_saphyr::from_str(tests).map_err(|error| {
        let message = error.to_string().lines().next().unwrap_or_default().to_owned();
        DomainError::InvalidTests { message }
    })?;
    let mut failures = Vec::new();
    for (name, strings) in &tests {
        let Some(attribute) = domain.attribute(name) else {
            failures.push(DomainTestFailure::UnknownAttribute(name.clone()));
            continue;
        };
        for (answer, texts) in [("yes", &strings.yes), ("no", &strings.no)] {
            if texts.len() < MIN_TEST_STRINGS {
                failures.push(DomainTestFailure::TooFewStrings(name.clone(), answer, texts.len()));
            }
        }
        let is_found = |text: &&String| is_found(domain, attribute, text);
        let not_found = strings.yes.iter().filter(|text| !is_found(text));
        failures.extend(not_found.map(|text| DomainTestFailure::NotFound(name.clone(), text.clone())));
        let wrongly_found = strings.no.iter().filter(is_found);
        failures
            .extend(wrongly_found.map(|text| DomainTestFailure::WronglyFound(name.clone(), text.clone())));
    }
    let untested =
        domain.attributes.iter().filter(|known| known.is_recognised() && !tests.contains_key(&known.name));
    failures.extend(untested.map(|known| DomainTestFailure::Untested(known.name.clone())));
    let strings = tests.values().map(|strings| strings.yes.len() + strings.no.len()).sum();
    Ok(DomainTestReport { attributes: tests.len(), strings, failures })
}

/// True if the attribute is found in a paragraph with this text, or in a link to this URL.
fn is_found(domain: &Domain, attribute: usize, text: &str) -> bool {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let html = if text.starts_with("http") {
        format!("<a href=\"{escaped}\">x</a>")
    } else {
        format!("<p>{escaped}</p>")
    };
    let page = Page::from_text(&html, &Limits::default());
    annotate_object(&page, domain).iter().any(|found| found.attribute == attribute && !found.label)
}
