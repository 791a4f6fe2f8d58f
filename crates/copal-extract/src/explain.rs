//! Why an answer is what it is: the typed texts that were read, and what spoke for each region.
//!
//! In: a page, the options and what the method found. Out: an [`Explanation`]. Made on request only: texts are read again.

use crate::extract::Options;
use crate::model::{Findings, Method};
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
    /// The grounds.
    pub text: String,
}

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
            annotate(page, domain).into_iter().map(reading).collect()
        }
        None => generic(page, &xpaths),
    };
    let reasons = findings.regions.iter().enumerate().map(|(rank, found)| {
        let role = if rank == 0 && !findings.no_primary { "primary" } else { "secondary" };
        let layout = places::layout(page, &found.records).name();
        let grounds = findings.grounds.get(rank).cloned();
        let grounds = grounds.unwrap_or_else(|| format!("proposed by {}", options.method));
        Reason {
            about: xpaths.of(found.root),
            text: format!(
                "{role}: {} records as {layout}, score {:.3}, {grounds}",
                found.records.len(),
                found.score
            ),
        }
    });
    let mut reasons: Vec<Reason> = reasons.collect();
    let rejected = findings.rejected.iter();
    reasons.extend(rejected.map(|(root, why)| Reason { about: xpaths.of(*root), text: why.clone() }));
    if findings.no_primary {
        let why = match options.method {
            Method::Amber => "none has enough of the page's text without a title of a side list",
            _ => "none is likely enough to be the page's main list",
        };
        let text = format!("no primary region: {why}");
        reasons.insert(0, Reason { about: "/".to_owned(), text });
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
    annotations.all().iter().map(reading).collect()
}
