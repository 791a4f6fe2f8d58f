//! Why an answer is what it is: the recognised texts, and the evidence for each region.
//!
//! In: a page, the options and the ranked candidates. Out: an [`Explanation`], and whether it is partial. It is
//! made on request only, because the page has to be annotated again.

pub(crate) mod field_reasons;
pub(crate) mod outline;
pub(crate) mod picture_marks;

use crate::lists::ListOptions;
use crate::lists::candidate::RankedLists;
use crate::structure::layout;
use copal_dom::xpath::XPaths;
use copal_dom::{Page, WorkBudget};
use copal_domain::Annotations;
use copal_domain::{AttributeAnnotation, annotate_beginning};
use copal_model::{Decision, Explanation, RecognisedText};
use copal_model::{Evidence, Method};

/// Recognised texts are left out once their texts and XPaths exceed this size: XPaths of a deep page are
/// long.
const MAX_READING_BYTES: usize = 16 << 20;

/// Explains the ranking of the list candidates of a page. Also says whether recognised texts were left out,
/// because the page has too many.
pub(crate) fn explain(page: &Page, options: &ListOptions, findings: &RankedLists) -> (Explanation, bool) {
    let xpaths = XPaths::new(&page.tree);
    let (readings, is_partial) = match &options.amber.domain {
        Some(domain) => {
            let reading = |found: AttributeAnnotation| RecognisedText {
                attribute: domain.attributes[found.attribute].name.clone(),
                label: found.label,
                by: if found.label { "term" } else { found.found_by.name() },
                old: found.crossed_out,
                xpath: xpaths.bounded(found.node).unwrap_or_default(),
                text: found.text,
            };
            let (found, is_beginning) = annotate_beginning(page, domain);
            let (readings, is_cut) = within_size_limit(found.into_iter().map(reading));
            (readings, is_beginning || is_cut)
        }
        None => recognised_values(page, &xpaths),
    };
    let reasons = findings.regions.iter().enumerate().map(|(rank, found)| {
        let role = findings.role(rank);
        let layout = layout::layout(page, &found.records).name();
        let mut grounds = vec![
            Evidence::stated(format!("{} records as {layout}", found.records.len())),
            Evidence::stated(format!("score {:.3}", found.score)),
        ];
        match findings.grounds.get(rank) {
            Some(more) => grounds.extend(more.iter().cloned()),
            None => grounds.push(Evidence::stated(format!("proposed by {}", options.method))),
        }
        Decision {
            about: xpaths.bounded(found.root).unwrap_or_default(),
            text: format!("{}: {}", role.name(), reasons_sentence(&grounds)),
            role: Some(role),
            grounds,
        }
    });
    let mut reasons: Vec<Decision> = reasons.collect();
    let rejected = findings.rejected.iter();
    reasons.extend(
        rejected.map(|(root, why)| Decision::stated(xpaths.bounded(*root).unwrap_or_default(), why.clone())),
    );
    if !findings.has_main_list() {
        let why = match options.method {
            Method::Amber => "none has enough of the page's text without a title of a side list",
            _ => "none is likely enough to be the page's main list",
        };
        reasons.insert(0, Decision::stated("/".to_owned(), format!("no primary region: {why}")));
    }
    (Explanation { readings, reasons }, is_partial)
}

/// The values that the recognisers find without a domain, and whether some were left out.
fn recognised_values(page: &Page, xpaths: &XPaths<'_>) -> (Vec<RecognisedText>, bool) {
    let annotations = Annotations::new(page);
    let reading = |annotation: &copal_domain::Annotation| RecognisedText {
        text: annotations.text(page, annotation).to_owned(),
        attribute: annotation.value_type.name().to_owned(),
        label: false,
        by: "type",
        old: annotation.crossed_out,
        xpath: xpaths.bounded(annotation.node).unwrap_or_default(),
    };
    let (readings, is_cut) = within_size_limit(annotations.all().iter().map(reading));
    (readings, is_cut || annotations.is_partial())
}

/// The first readings whose texts and XPaths fit into [`MAX_READING_BYTES`], and whether others were left out.
fn within_size_limit(readings: impl Iterator<Item = RecognisedText>) -> (Vec<RecognisedText>, bool) {
    let mut budget = WorkBudget::new(MAX_READING_BYTES);
    let fits = |reading: &RecognisedText| budget.spend(reading.text.len() + reading.xpath.len());
    (readings.take_while(fits).collect(), budget.is_exceeded())
}

/// All evidence in one sentence: `reason, reason, for: feature +1.03, …, against: feature -0.40, …`.
fn reasons_sentence(grounds: &[Evidence]) -> String {
    let mut reasons: Vec<String> =
        grounds.iter().filter(|ground| ground.weight.is_none()).map(|ground| ground.text.clone()).collect();
    for (word, sign) in [("for", 1.0), ("against", -1.0)] {
        let weighted = grounds.iter().filter_map(|ground| Some((&ground.text, ground.weight?)));
        let weighted = weighted.filter(|(_, weight)| weight * sign > 0.0);
        let weighted: Vec<String> = weighted.map(|(text, weight)| format!("{text} {weight:+.2}")).collect();
        if !weighted.is_empty() {
            reasons.push(format!("{word}: {}", weighted.join(", ")));
        }
    }
    reasons.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_becomes_one_sentence() {
        let ground = |text: &str, weight| Evidence { text: text.into(), weight };
        let grounds = [
            ground("records", Some(-0.4)),
            ground("proposed by rdr and mdr", None),
            ground("coverage", Some(1.03)),
            ground("with digits", Some(0.36)),
        ];
        let expected =
            "proposed by rdr and mdr, for: coverage +1.03, with digits +0.36, against: records -0.40";
        assert_eq!(reasons_sentence(&grounds), expected);
        assert_eq!(reasons_sentence(&grounds[1..2]), "proposed by rdr and mdr");
    }
}
