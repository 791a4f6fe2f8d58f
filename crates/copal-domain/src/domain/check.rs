//! A pack's own strings: those in which an attribute must be found and those in which it must not.
//!
//! In: a [`Domain`] and the text of its `tests.yaml` (attribute to `"yes"` and `"no"` strings). Out: the [`Fault`]s.

use super::Domain;
use super::annotate::annotate_object;
use copal_dom::{Limits, Page};
use std::collections::BTreeMap;

/// Strings each attribute must have of either kind.
pub const FEWEST: usize = 10;

/// Where a pack does not do what its strings say.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The attribute is not found in a string with it.
    Missed(String, String),
    /// The attribute is found in a string without it.
    Invented(String, String),
    /// The strings name an attribute the domain does not have.
    Unknown(String),
    /// An attribute has too few strings.
    Few(String, &'static str, usize),
    /// An attribute has no strings at all.
    Untested(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Missed(attribute, text) => write!(f, "{attribute}: not found in {text:?}"),
            Fault::Invented(attribute, text) => write!(f, "{attribute}: found in {text:?}, expected nothing"),
            Fault::Unknown(attribute) => write!(f, "{attribute}: no such attribute"),
            Fault::Few(attribute, answer, n) => {
                write!(f, "{attribute}: {n} strings under {answer:?}, expected at least {FEWEST}")
            }
            Fault::Untested(attribute) => write!(f, "{attribute}: has no strings"),
        }
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Strings {
    yes: Vec<String>,
    no: Vec<String>,
}

/// Tries every string. Attributes that are found by their looks (images, links, titles, descriptions) need none.
pub fn check(domain: &Domain, tests: &str) -> Result<Vec<Fault>, String> {
    let tests: BTreeMap<String, Strings> = serde_saphyr::from_str(tests)
        .map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())?;
    let mut faults = Vec::new();
    for (name, strings) in &tests {
        let Some(attribute) = domain.attribute(name) else {
            faults.push(Fault::Unknown(name.clone()));
            continue;
        };
        for (answer, texts) in [("yes", &strings.yes), ("no", &strings.no)] {
            if texts.len() < FEWEST {
                faults.push(Fault::Few(name.clone(), answer, texts.len()));
            }
        }
        let is_found = |text: &&String| is_found(domain, attribute, text);
        let missed = strings.yes.iter().filter(|text| !is_found(text));
        faults.extend(missed.map(|text| Fault::Missed(name.clone(), text.clone())));
        let invented = strings.no.iter().filter(is_found);
        faults.extend(invented.map(|text| Fault::Invented(name.clone(), text.clone())));
    }
    let untested =
        domain.attributes.iter().filter(|known| known.is_recognised() && !tests.contains_key(&known.name));
    faults.extend(untested.map(|known| Fault::Untested(known.name.clone())));
    Ok(faults)
}

/// The attribute is found in a paragraph with this text, or in a link to this address.
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
