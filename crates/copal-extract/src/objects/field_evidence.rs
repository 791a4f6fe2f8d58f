//! Evidence for and against a field candidate beyond the seven features of the thesis.
//!
//! In: a candidate on its page. Out: a number to add to its score. What counts: the layout of label and
//! value, the preference among labels, the share of the line, a place outside the data area, text of the
//! template, the distance from the headline, the font. Prices have two rules of their own: instalments and
//! ranges. O(1).

use super::detail_page::DetailPage;
use super::field_candidates::{CandidateOrigin, FieldCandidate};
use super::labelled_values::LabelLayout;
use copal_domain::FoundBy;
use copal_values::Value;

/// A price this many times as large as another one is what the other one pays off.
const INSTALMENT_FACTOR: f64 = 10.0;
/// Shortest value that is a section, in bytes.
const MIN_SECTION_BYTES: usize = 200;
/// Labels beyond this position count as equally unusual.
const MAX_LABEL_RANK: usize = 15;
/// Lines over which the influence of the headline falls to a third.
const HEADLINE_REACH: f64 = 12.0;
/// Font size, in the unit of the styles, of text that is larger than usual.
const LARGE_FONT_SIZE: u16 = 170;

/// What speaks for a candidate, and against it.
pub(super) fn evidence_score(
    candidate: &FieldCandidate,
    page: &DetailPage<'_>,
    headline: Option<usize>,
) -> f64 {
    let mut score = origin_score(candidate);
    score -= if candidate.has_weak_label { 0.8 } else { 0.0 };
    score -= 0.02 * candidate.label_rank.min(MAX_LABEL_RANK) as f64;
    let line = candidate.line.map(|line| &page.lines[line]);
    score += if candidate.line_share >= 0.6 { 0.5 } else { 0.0 };
    // Inside a sentence.
    if let Some(line) = line.filter(|line| line.text.len() > 100 && candidate.line_share < 0.3) {
        score -= if line.text.len() > 250 { 1.6 } else { 1.0 };
    }
    if candidate.is_outside {
        score -= 2.5;
    } else if line.is_some_and(|line| line.doubtful || line.outside) {
        score -= 0.8;
    }
    if candidate.is_static && page.page_count > 1 {
        score -= static_penalty(candidate);
    }
    if let (Some(at), Some(headline)) = (candidate.line, headline) {
        let distance = at as f64 - headline as f64;
        let near = (-distance.abs() / HEADLINE_REACH).exp();
        score += if distance < -3.0 { 0.4 * near - 0.2 } else { 0.6 * near };
        let is_recognised = matches!(candidate.origin, CandidateOrigin::Recognised(_));
        score += if at == headline && is_recognised { 0.5 } else { 0.0 };
    }
    if let Some(line) = line {
        let style = page.dom.styles.style(line.first());
        score += if style.bold { 0.1 } else { 0.0 } + if style.size > LARGE_FONT_SIZE { 0.1 } else { 0.0 };
    }
    score
}

/// What a text of the template loses. A value that all pages share is believed if an explicit label names it;
/// other texts after a label are mostly heads, adverts and further labels.
fn static_penalty(candidate: &FieldCandidate) -> f64 {
    match candidate.origin {
        CandidateOrigin::Labelled(LabelLayout::AfterLabelLine | LabelLayout::Heading)
        | CandidateOrigin::Recognised(FoundBy::Label) => 2.0,
        _ if candidate.is_labelled => 0.5,
        _ => 2.5,
    }
}

fn origin_score(candidate: &FieldCandidate) -> f64 {
    match candidate.origin {
        CandidateOrigin::Labelled(
            LabelLayout::TableRow
            | LabelLayout::DefinitionList
            | LabelLayout::Inline
            | LabelLayout::AfterColon,
        ) => 1.4,
        CandidateOrigin::Labelled(LabelLayout::AfterLabelLine) => 1.0,
        // Headings are labels of sections, not of single values.
        CandidateOrigin::Labelled(LabelLayout::Heading) if is_section(candidate) => 1.2,
        CandidateOrigin::Labelled(LabelLayout::Heading) => 0.4,
        CandidateOrigin::Recognised(FoundBy::Label) => 0.6,
        CandidateOrigin::Recognised(FoundBy::Rule | FoundBy::Type | FoundBy::Element) => 0.3,
        CandidateOrigin::Declared => 1.8,
        CandidateOrigin::Headline => 3.6,
        CandidateOrigin::Title => 0.9,
        CandidateOrigin::Class => 0.7,
        // a candidate that was found by its place has the score of the place
        CandidateOrigin::Recognised(FoundBy::Term) | CandidateOrigin::Place => 0.0,
    }
}

/// True if a value is long enough to be a section of the page.
fn is_section(candidate: &FieldCandidate) -> bool {
    candidate.texts.iter().map(String::len).sum::<usize>() >= MIN_SECTION_BYTES
}

/// The amount of a price, and the period that it is for. A range has no amount.
pub(super) fn amount(candidate: &FieldCandidate) -> Option<(f64, Option<&'static str>)> {
    match candidate.value.as_ref()? {
        Value::Money { max: Some(_), .. } => None,
        Value::Money { amount, per, .. } => Some((amount.parse().ok()?, *per)),
        _ => None,
    }
}

/// True for a price from one amount to another, which is what several objects cost.
pub(super) fn is_price_range(candidate: &FieldCandidate) -> bool {
    matches!(candidate.value, Some(Value::Money { max: Some(_), .. }))
}

/// True for a periodic amount that pays off a price on the same page: a mortgage, an instalment.
pub(super) fn is_instalment(
    candidate: &FieldCandidate,
    largest_price: Option<f64>,
    is_periodic: bool,
) -> bool {
    amount(candidate).is_some_and(|(amount, period)| {
        (is_periodic || period.is_some())
            && largest_price.is_some_and(|largest| largest >= INSTALMENT_FACTOR * amount)
    })
}
