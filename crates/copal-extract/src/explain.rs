//! Why an answer is what it is: the typed texts that were read, and what spoke for each region.
//!
//! In: a page, the options and what the method found. Out: an [`Explanation`]. Made on request only: texts are read again.

use crate::extract::Options;
use crate::model::{Findings, Ground, Method, Role};
use crate::places;
use copal_annotate::Annotations;
use copal_annotate::domain::annotate::{Found, annotate};
use copal_dom::Page;
use copal_dom::xpath::XPaths;

/// Why an answer is what it is.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Explanation {
    /// Typed texts in document order.
    pub readings: Vec<Reading>,
    /// What was decided, most important first.
    pub reasons: Vec<Reason>,
}

/// A text that was recognised.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reading {
    /// The text.
    pub text: String,
    /// The attribute of the domain, or the generic type.
    pub kind: String,
    /// It names the attribute; it is not a value of it.
    pub label: bool,
    /// The recogniser: `rule`, `term`, `type`, `label`, `element`.
    pub by: &'static str,
    /// Crossed out.
    pub old: bool,
    /// Place of its element.
    pub xpath: String,
}

/// A decision and its grounds.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reason {
    /// What it is about: the place of a region.
    pub about: String,
    /// All of it in one sentence.
    pub text: String,
    /// The role of the region; none if the reason is not about one that was found.
    pub role: Option<Role>,
    /// What spoke for and against it, one by one.
    pub grounds: Vec<Ground>,
}

impl Reason {
    /// A reason that is no more than its sentence.
    pub(crate) fn told(about: String, text: String) -> Reason {
        Reason { about, text, role: None, grounds: Vec::new() }
    }
}

/// Readings beyond this many bytes of text and places are left out: a deep page has long places.
const READINGS: usize = 16 << 20;

pub(crate) fn explain(page: &Page, options: &Options, findings: &Findings) -> Explanation {
    let xpaths = XPaths::new(&page.tree);
    let readings = match &options.amber.domain {
        Some(domain) => {
            let reading = |found: Found| Reading {
                kind: domain.attributes[found.attribute].name.clone(),
                label: found.label,
                by: if found.label { "term" } else { found.by.name() },
                old: found.old,
                xpath: xpaths.of(found.node),
                text: found.text,
            };
            bounded(annotate(page, domain).into_iter().map(reading))
        }
        None => generic(page, &xpaths),
    };
    let reasons = findings.regions.iter().enumerate().map(|(rank, found)| {
        let role = findings.role(rank);
        let layout = places::layout(page, &found.records).name();
        let mut grounds = vec![
            Ground::told(format!("{} records as {layout}", found.records.len())),
            Ground::told(format!("score {:.3}", found.score)),
        ];
        match findings.grounds.get(rank) {
            Some(more) => grounds.extend(more.iter().cloned()),
            None => grounds.push(Ground::told(format!("proposed by {}", options.method))),
        }
        Reason {
            about: xpaths.of(found.root),
            text: format!("{}: {}", role.name(), sentence(&grounds)),
            role: Some(role),
            grounds,
        }
    });
    let mut reasons: Vec<Reason> = reasons.collect();
    let rejected = findings.rejected.iter();
    reasons.extend(rejected.map(|(root, why)| Reason::told(xpaths.of(*root), why.clone())));
    if findings.no_primary {
        let why = match options.method {
            Method::Amber => "none has enough of the page's text without a title of a side list",
            _ => "none is likely enough to be the page's main list",
        };
        reasons.insert(0, Reason::told("/".to_owned(), format!("no primary region: {why}")));
    }
    Explanation { readings, reasons }
}

fn generic(page: &Page, xpaths: &XPaths<'_>) -> Vec<Reading> {
    let annotations = Annotations::new(page);
    let reading = |annotation: &copal_annotate::Annotation| Reading {
        text: annotations.text(page, annotation).to_owned(),
        kind: annotation.kind.name().to_owned(),
        label: false,
        by: "type",
        old: annotation.old,
        xpath: xpaths.of(annotation.node),
    };
    bounded(annotations.all().iter().map(reading))
}

fn bounded(readings: impl Iterator<Item = Reading>) -> Vec<Reading> {
    let mut left = READINGS;
    let fits = |reading: &Reading| {
        let size = reading.text.len() + reading.xpath.len();
        let fits = size <= left;
        left = left.saturating_sub(size);
        fits
    };
    readings.take_while(fits).collect()
}

/// All grounds in one sentence: `told, told, for: feature +1.03, …, against: feature -0.40, …`.
fn sentence(grounds: &[Ground]) -> String {
    let mut told: Vec<String> =
        grounds.iter().filter(|ground| ground.weight.is_none()).map(|ground| ground.text.clone()).collect();
    for (word, sign) in [("for", 1.0), ("against", -1.0)] {
        let weighed = grounds.iter().filter_map(|ground| Some((&ground.text, ground.weight?)));
        let weighed = weighed.filter(|(_, weight)| weight * sign > 0.0);
        let weighed: Vec<String> = weighed.map(|(text, weight)| format!("{text} {weight:+.2}")).collect();
        if !weighed.is_empty() {
            told.push(format!("{word}: {}", weighed.join(", ")));
        }
    }
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grounds_make_one_sentence() {
        let ground = |text: &str, weight| Ground { text: text.into(), weight };
        let grounds = [
            ground("records", Some(-0.4)),
            ground("proposed by rdr and mdr", None),
            ground("coverage", Some(1.03)),
            ground("with digits", Some(0.36)),
        ];
        let expected =
            "proposed by rdr and mdr, for: coverage +1.03, with digits +0.36, against: records -0.40";
        assert_eq!(sentence(&grounds), expected);
        assert_eq!(sentence(&grounds[1..2]), "proposed by rdr and mdr");
    }
}
