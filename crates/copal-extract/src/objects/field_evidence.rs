//! Evidence for and against a field candidate beyond the seven features of the thesis.
//!
//! In: a candidate on its page. Out: numbers, which the fitted weights turn into a score. What counts: the
//! layout of label and value, the preference among labels, the share of the line, a place outside the data
//! area, text of the template, the distance from the headline, the font. Prices have two rules of their own:
//! instalments and ranges. O(1).

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

/// The number of features of a candidate on its own page.
pub(super) const EVIDENCE_COUNT: usize = 26;

/// Their names, in the order of their values.
#[cfg(feature = "research")]
pub(super) const EVIDENCE_NAMES: [&str; EVIDENCE_COUNT] = [
    "explicit_label",
    "label_line",
    "heading_of_section",
    "heading_of_value",
    "recognised_after_label",
    "recognised",
    "declared",
    "headline",
    "title",
    "class",
    "weak_label",
    "label_rank",
    "most_of_line",
    "in_line",
    "in_paragraph",
    "outside",
    "doubtful",
    "static_after_explicit_label",
    "static_after_label",
    "static_text",
    "near_headline",
    "near_above_headline",
    "above_headline",
    "recognised_in_headline",
    "bold",
    "large",
];

/// What speaks for a candidate and against it, in numbers.
pub(super) fn evidence(
    candidate: &FieldCandidate,
    page: &DetailPage<'_>,
    headline: Option<usize>,
) -> [f64; EVIDENCE_COUNT] {
    let line = candidate.line.map(|line| &page.lines[line]);
    let long_line = line.filter(|line| line.text.len() > 100 && candidate.line_share < 0.3);
    let in_paragraph = long_line.is_some_and(|line| line.text.len() > 250);
    let is_doubtful = line.is_some_and(|line| line.doubtful || line.outside);
    let static_place = (candidate.is_static && page.page_count > 1).then(|| static_place(candidate));
    let distance = candidate.line.zip(headline).map(|(at, headline)| at as f64 - headline as f64);
    let near = distance.map_or(0.0, |distance| (-distance.abs() / HEADLINE_REACH).exp());
    let is_above = distance.is_some_and(|distance| distance < -3.0);
    let is_recognised = matches!(candidate.origin, CandidateOrigin::Recognised(_));
    let style = line.map(|line| page.dom.styles.style(line.first()));
    let origin = |wanted: usize| indicator(origin_place(candidate) == Some(wanted));
    [
        origin(0),
        origin(1),
        origin(2),
        origin(3),
        origin(4),
        origin(5),
        origin(6),
        origin(7),
        origin(8),
        origin(9),
        indicator(candidate.has_weak_label),
        candidate.label_rank.min(MAX_LABEL_RANK) as f64 / MAX_LABEL_RANK as f64,
        indicator(candidate.line_share >= 0.6),
        indicator(long_line.is_some() && !in_paragraph),
        indicator(in_paragraph),
        indicator(candidate.is_outside),
        indicator(!candidate.is_outside && is_doubtful),
        indicator(static_place == Some(0)),
        indicator(static_place == Some(1)),
        indicator(static_place == Some(2)),
        if is_above { 0.0 } else { near },
        if is_above { near } else { 0.0 },
        indicator(is_above),
        indicator(is_recognised && distance == Some(0.0)),
        indicator(style.is_some_and(|style| style.bold)),
        indicator(style.is_some_and(|style| style.size > LARGE_FONT_SIZE)),
    ]
}

/// One for yes, zero for no.
pub(super) fn indicator(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// How a text of the template may be a value: after an explicit label, after another label, without one. A
/// value that all pages share is believed if an explicit label names it; other texts after a label are mostly
/// heads, adverts and further labels.
fn static_place(candidate: &FieldCandidate) -> usize {
    match candidate.origin {
        CandidateOrigin::Labelled(LabelLayout::AfterLabelLine | LabelLayout::Heading)
        | CandidateOrigin::Recognised(FoundBy::Label) => 1,
        _ if candidate.is_labelled => 0,
        _ => 2,
    }
}

/// The position of a candidate's origin among the features. Terms of gazetteers have none: they are what the
/// others are compared with.
fn origin_place(candidate: &FieldCandidate) -> Option<usize> {
    Some(match candidate.origin {
        CandidateOrigin::Labelled(
            LabelLayout::TableRow
            | LabelLayout::DefinitionList
            | LabelLayout::Inline
            | LabelLayout::AfterColon,
        ) => 0,
        CandidateOrigin::Labelled(LabelLayout::AfterLabelLine) => 1,
        // Headings are labels of sections, not of single values.
        CandidateOrigin::Labelled(LabelLayout::Heading) if is_section(candidate) => 2,
        CandidateOrigin::Labelled(LabelLayout::Heading) => 3,
        CandidateOrigin::Recognised(FoundBy::Label) => 4,
        CandidateOrigin::Recognised(
            FoundBy::Rule | FoundBy::Type | FoundBy::Element | FoundBy::Annotator,
        ) => 5,
        CandidateOrigin::Declared => 6,
        CandidateOrigin::Headline => 7,
        CandidateOrigin::Title => 8,
        CandidateOrigin::Class => 9,
        // a candidate that was found by its place has the score of the place
        CandidateOrigin::Recognised(FoundBy::Term) | CandidateOrigin::Place => return None,
    })
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
