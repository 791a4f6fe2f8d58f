//! Whether a page that has a list and looks like an object is a list: a fitted decision.
//!
//! In: a page with its ranked lists and findings, and what it declares. Out: the probability that its list is
//! what the page is for. The weights are those of a logistic regression over the features
//! (`research/fit/fit_kinds.py`). O(lines + records * labels).

use super::kind_weights::{KIND_FEATURE_COUNT, LIST_BIAS, LIST_WEIGHTS};
use super::labelled_values::{LabelLayout, LabelledValue};
use super::page_findings::PageFindings;
use super::page_kind::labelled_record_share;
use crate::lists::candidate::RankedLists;
use crate::signals::declared::{Declared, schema};
use crate::signals::scripts::objects::Objects;
use crate::structure::measure::sigmoid;
use copal_dom::{Node, tags};
use copal_model::{Parts, Role};
use std::ops::Range;

/// Shortest paragraph of running text, in bytes.
const MIN_COUNTED_PARAGRAPH_BYTES: usize = 200;
/// Paragraphs that are counted.
const MAX_COUNTED_PARAGRAPHS: usize = 12;
/// Records that are counted.
const MAX_COUNTED_RECORDS: usize = 50;
/// Labels that are counted.
const MAX_LABEL_FEATURE: usize = 10;
/// Paragraphs from which a page that declares an article is one.
const MIN_ARTICLE_PARAGRAPHS: usize = 6;
/// Confidence of a main list for which the ranking gives none.
const DEFAULT_LIST_CONFIDENCE: f64 = 0.6;

/// The names of the features, in the order of their values.
#[cfg(feature = "research")]
pub(super) const KIND_FEATURE_NAMES: [&str; KIND_FEATURE_COUNT] = [
    "main_list",
    "main_list_probability",
    "list_confidence",
    "list_records",
    "list_coverage",
    "labels",
    "labels_in_list",
    "labelled_records",
    "declared_objects",
    "many_declared_objects",
    "declared_article",
    "article_paragraphs",
    "paragraphs",
    "object_type",
    "other_type",
    "headline",
    "h1",
    "headline_in_list",
];

/// What speaks for a list and what for an object, in numbers.
pub(super) fn kind_features(
    findings: &PageFindings<'_>,
    ranked: &RankedLists,
    declared: &Declared<'_>,
) -> [f64; KIND_FEATURE_COUNT] {
    let PageFindings { page, headline, labelled, .. } = findings;
    let main = (0..ranked.regions.len()).find(|&rank| ranked.role(rank).is_main());
    let records: &[Parts] = main.map_or(&[], |rank| &ranked.regions[rank].records);
    let in_list = |node: Node| records.iter().flatten().any(|part: &Range<Node>| part.contains(&node));
    let shown_labels = labelled
        .iter()
        .filter(|value| value.layout != LabelLayout::Heading && !page.lines[value.line].outside);
    let (inside, outside): (Vec<&LabelledValue>, Vec<_>) =
        shown_labels.partition(|value| in_list(value.node));
    let things = declared.things();
    let has_text_type = |thing: &&Objects| thing.kind.as_deref().is_some_and(schema::is_text);
    let object_count = things.iter().filter(|thing| thing.kind.is_some() && !has_text_type(thing)).count();
    let page_type = declared.open_graph_types().next();
    let is_declared_article = page_type.is_some_and(|kind| kind.eq_ignore_ascii_case("article"))
        || things.iter().any(|thing| has_text_type(&thing));
    let paragraphs = page
        .lines
        .iter()
        .filter(|line| !line.outside && line.text.len() >= MIN_COUNTED_PARAGRAPH_BYTES)
        .take(MAX_COUNTED_PARAGRAPHS)
        .count();
    let dom = page.dom;
    let chars = |parts: &Parts| parts.iter().map(|part| f64::from(dom.index.chars(part))).sum::<f64>();
    let page_chars = f64::from(dom.index.chars(&(0..dom.tree.end(0)))).max(1.0);
    let first = headline.map(|line| page.lines[line].first());
    let is_h1 = |first: Node| dom.tree.ancestors(first).take(3).any(|above| dom.tree.tag(above) == tags::H1);
    let is_object_type = page_type.is_some_and(schema::is_open_graph_object);
    let is_text_type =
        page_type.is_none_or(|kind| matches!(kind, "article" | "Article" | "website" | "blog"));
    let count = |number: usize, most: usize| number.min(most) as f64 / most as f64;
    [
        indicator(main.is_some_and(|rank| ranked.role(rank) == Role::Primary)),
        ranked.main_probability.unwrap_or(main.map_or(0.0, |_| DEFAULT_LIST_CONFIDENCE)),
        main.map_or(0.0, |rank| ranked.confidence(rank).unwrap_or(DEFAULT_LIST_CONFIDENCE)),
        (1.0 + records.len().min(MAX_COUNTED_RECORDS) as f64).ln() / 4.0,
        records.iter().map(chars).sum::<f64>() / page_chars,
        count(outside.len(), MAX_LABEL_FEATURE),
        count(inside.len(), MAX_LABEL_FEATURE),
        labelled_record_share(records, labelled),
        indicator((1..=2).contains(&object_count)),
        indicator(object_count > 2),
        indicator(is_declared_article),
        indicator(is_declared_article && paragraphs >= MIN_ARTICLE_PARAGRAPHS),
        count(paragraphs, MAX_COUNTED_PARAGRAPHS),
        indicator(is_object_type),
        indicator(!is_object_type && !is_text_type),
        indicator(first.is_some()),
        indicator(first.is_some_and(is_h1)),
        indicator(first.is_some_and(in_list)),
    ]
}

fn indicator(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// The probability of a list, if the page is a list or an object.
pub(super) fn list_over_object_probability(features: &[f64; KIND_FEATURE_COUNT]) -> f64 {
    sigmoid(LIST_BIAS + LIST_WEIGHTS.iter().zip(features).map(|(weight, value)| weight * value).sum::<f64>())
}
