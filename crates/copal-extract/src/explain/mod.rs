//! Why an answer is what it is: the typed texts that were read, and what spoke for each region.
//!
//! In: a page, the options and what the method found. Out: an [`Explanation`]. Made on request only: texts are read again.

pub(crate) mod outline;

use crate::lists::ListOptions;
use crate::lists::candidate::RankedLists;
use crate::structure::layout;
use copal_dom::Page;
use copal_dom::xpath::XPaths;
use copal_domain::Annotations;
use copal_domain::{AttributeAnnotation, annotate};
use copal_model::{Decision, Explanation, RecognisedText};
use copal_model::{Evidence, Method};

/// Readings beyond this many bytes of text and places are left out: a deep page has long places.
const READINGS: usize = 16 << 20;

pub(crate) fn explain(page: &Page, options: &ListOptions, findings: &RankedLists) -> Explanation {
    let xpaths = XPaths::new(&page.tree);
    let readings = match &options.amber.domain {
        Some(domain) => {
            let reading = |found: AttributeAnnotation| RecognisedText {
                kind: domain.attributes[found.attribute].name.clone(),
                label: found.label,
                by: if found.label { "term" } else { found.found_by.name() },
                old: found.crossed_out,
                xpath: xpaths.bounded(found.node).unwrap_or_default(),
                text: found.text,
            };
            bounded(annotate(page, domain).into_iter().map(reading))
        }
        None => generic(page, &xpaths),
    };
    let reasons = findings.regions.iter().enumerate().map(|(rank, found)| {
        let role = findings.role(rank);
        let layout = layout::layout(page, &found.records).name();
        let mut grounds = vec![
            Evidence::told(format!("{} records as {layout}", found.records.len())),
            Evidence::told(format!("score {:.3}", found.score)),
        ];
        match findings.grounds.get(rank) {
            Some(more) => grounds.extend(more.iter().cloned()),
            None => grounds.push(Evidence::told(format!("proposed by {}", options.method))),
        }
        Decision {
            about: xpaths.bounded(found.root).unwrap_or_default(),
            text: format!("{}: {}", role.name(), sentence(&grounds)),
            role: Some(role),
            grounds,
        }
    });
    let mut reasons: Vec<Decision> = reasons.collect();
    let rejected = findings.rejected.iter();
    reasons.extend(
        rejected.map(|(root, why)| Decision::told(xpaths.bounded(*root).unwrap_or_default(), why.clone())),
    );
    if findings.no_primary {
        let why = match options.method {
            Method::Amber => "none has enough of the page's text without a title of a side list",
            _ => "none is likely enough to be the page's main list",
        };
        reasons.insert(0, Decision::told("/".to_owned(), format!("no primary region: {why}")));
    }
    Explanation { readings, reasons }
}

fn generic(page: &Page, xpaths: &XPaths<'_>) -> Vec<RecognisedText> {
    let annotations = Annotations::new(page);
    let reading = |annotation: &copal_domain::Annotation| RecognisedText {
        text: annotations.text(page, annotation).to_owned(),
        kind: annotation.value_type.name().to_owned(),
        label: false,
        by: "type",
        old: annotation.crossed_out,
        xpath: xpaths.bounded(annotation.node).unwrap_or_default(),
    };
    bounded(annotations.all().iter().map(reading))
}

fn bounded(readings: impl Iterator<Item = RecognisedText>) -> Vec<RecognisedText> {
    let mut left = READINGS;
    let fits = |reading: &RecognisedText| {
        let size = reading.text.len() + reading.xpath.len();
        let fits = size <= left;
        left = left.saturating_sub(size);
        fits
    };
    readings.take_while(fits).collect()
}

/// All grounds in one sentence: `told, told, for: feature +1.03, …, against: feature -0.40, …`.
fn sentence(grounds: &[Evidence]) -> String {
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
        let ground = |text: &str, weight| Evidence { text: text.into(), weight };
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
