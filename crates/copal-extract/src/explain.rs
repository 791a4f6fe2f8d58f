//! Why an answer is what it is: the typed texts that were read, and what spoke for each region.
//!
//! In: a page, the options and what the method found. Out: an [`Explanation`]. Made on request only: texts are read again.

use crate::extract::Options;
use crate::model::{Findings, Method, Role};
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

/// One thing that was known.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Ground {
    /// What.
    pub text: String,
    /// What it added to the score (below zero: it spoke against); none if it is but told.
    pub weight: Option<f64>,
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
        let role = if rank == 0 && !findings.no_primary { Role::Primary } else { Role::Secondary };
        let layout = places::layout(page, &found.records).name();
        let grounds = findings.grounds.get(rank).cloned();
        let grounds = grounds.unwrap_or_else(|| format!("proposed by {}", options.method));
        let records = found.records.len();
        let sentence = format!("{records} records as {layout}, score {:.3}, {grounds}", found.score);
        Reason {
            about: xpaths.of(found.root),
            text: format!("{}: {sentence}", role.name()),
            role: Some(role),
            grounds: one_by_one(&sentence),
        }
    });
    let mut reasons: Vec<Reason> = reasons.collect();
    let rejected = findings.rejected.iter();
    let told = |about: String, text: String| Reason { about, text, role: None, grounds: Vec::new() };
    reasons.extend(rejected.map(|(root, why)| told(xpaths.of(*root), why.clone())));
    if findings.no_primary {
        let why = match options.method {
            Method::Amber => "none has enough of the page's text without a title of a side list",
            _ => "none is likely enough to be the page's main list",
        };
        reasons.insert(0, told("/".to_owned(), format!("no primary region: {why}")));
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

/// A sentence of grounds, `told, told, for: feature +1.03, …, against: feature -0.40, …`, taken apart.
fn one_by_one(sentence: &str) -> Vec<Ground> {
    let clause = |clause: &str| {
        let bare = clause.trim_start_matches("for: ").trim_start_matches("against: ");
        let weighed = bare.rsplit_once(' ').filter(|(_, number)| number.starts_with(['+', '-']));
        match weighed.and_then(|(name, number)| Some((name, number.parse().ok()?))) {
            Some((name, weight)) => Ground { text: name.replace('_', " "), weight: Some(weight) },
            None => Ground { text: bare.trim().to_owned(), weight: None },
        }
    };
    let clauses = sentence.split(", ").map(clause);
    clauses.filter(|ground| !matches!(ground.text.as_str(), "" | "for:" | "against:")).collect()
}

#[cfg(test)]
mod tests {
    use super::one_by_one;

    #[test]
    fn grounds_are_taken_apart() {
        let sentence = "proposed by rdr and mdr, main list with probability 0.79, \
                        for: coverage +1.03, with_digits +0.36, against: records -0.40";
        let grounds = one_by_one(sentence);
        let grounds: Vec<(&str, Option<f64>)> =
            grounds.iter().map(|ground| (ground.text.as_str(), ground.weight)).collect();
        assert_eq!(
            grounds,
            [
                ("proposed by rdr and mdr", None),
                ("main list with probability 0.79", None),
                ("coverage", Some(1.03)),
                ("with digits", Some(0.36)),
                ("records", Some(-0.4)),
            ]
        );
        assert_eq!(one_by_one("proposed by amber, for: , against: ").len(), 1);
    }
}
