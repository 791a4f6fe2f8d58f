//! What a page looks like: a list, one object, or neither.
//!
//! In: a page with its ranked lists and findings, and what it declares. Out: a [`PageKind`] with
//! its probability; the pipeline decides with it. A main list speaks for a list. A headline, labels with
//! values, a price and a declared thing speak for an object. A long text without any of these (an article) is
//! neither. Where a list and an object both fit, the fitted probability of `list_or_object` decides. O(lines +
//! records * labels).

use super::labelled_values::{LabelLayout, LabelledValue};
use super::open_roles::price;
use super::own_values::is_own_value;
use super::page_findings::PageFindings;
use crate::lists::candidate::RankedLists;
use crate::signals::declared::{Declared, schema};
use crate::signals::scripts::objects::Objects;
use crate::structure::measure::sigmoid;
use copal_dom::{Node, tags};
use copal_model::{PageKind, Parts, Role};
use std::ops::Range;

/// Shortest paragraph of running text, in bytes.
const MIN_PARAGRAPH_BYTES: usize = 200;
/// Paragraphs from which a page that declares an article is one.
const DECLARED_ARTICLE_PARAGRAPHS: usize = 6;
/// Paragraphs from which any page is an article.
const ARTICLE_PARAGRAPHS: usize = 12;
/// Confidence of a main list for which the ranking gives none.
const UNKNOWN_LIST_CONFIDENCE: f64 = 0.6;
/// Labels of an object that count.
const MAX_COUNTED_LABELS: f64 = 10.0;
/// Rows of an object's own table of labels and values.
const MAX_LABEL_TABLE_ROWS: usize = 60;
/// Share of such rows that are a label with a short value.
const MIN_LABELLED_ROW_SHARE: f64 = 0.7;
/// Longest value in such a row, in characters.
const MAX_ROW_VALUE_CHARS: usize = 120;

/// The evidence for the kinds of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct KindEvidence {
    /// There is a main list, even if it is only a possible one.
    pub(super) has_list: bool,
    /// The confidence of the main list, if it is a sure one.
    pub(super) list: f64,
    /// The weight of what speaks for one object, from 0 up.
    pub(super) object: f64,
}

pub(super) fn kind_evidence(
    findings: &PageFindings<'_>,
    ranked: &RankedLists,
    declared: &Declared<'_>,
) -> KindEvidence {
    let PageFindings { page, headline, labelled, .. } = findings;
    let main = (0..ranked.regions.len()).find(|&rank| ranked.role(rank).is_main());
    // A list of labels with values is the table of one object.
    let main = main.filter(|&rank| !is_table_of_labels(&ranked.regions[rank].records, labelled));
    let primary = main.filter(|&rank| ranked.role(rank) == Role::Primary);
    let list = primary.map_or(0.0, |rank| ranked.confidence(rank).unwrap_or(UNKNOWN_LIST_CONFIDENCE));
    let records = primary.map(|rank| &ranked.regions[rank].records);
    let in_list = |node: Node| {
        let mut parts = records.into_iter().flatten().flatten();
        parts.any(|part: &Range<Node>| part.contains(&node))
    };
    // Labels in what looks like boilerplate or like a list of other objects may be the object's, or the site's.
    let label_weights = labelled
        .iter()
        .filter(|value| value.layout != LabelLayout::Heading && is_own_value(page, value, labelled))
        .filter(|value| list < 0.5 || !in_list(value.node))
        .map(|value| if page.lines[value.line].outside { 0.5 } else { 1.0 });
    let label_weight: f64 = label_weights.sum();
    let things = declared.things();
    let has_text_type = |thing: &&Objects| thing.kind.as_deref().is_some_and(schema::is_text);
    let object_count = things.iter().filter(|thing| thing.kind.is_some() && !has_text_type(thing)).count();
    let tree = &page.dom.tree;
    let page_type = declared.open_graph_types().next();
    let is_declared_article = page_type.is_some_and(|kind| kind.eq_ignore_ascii_case("article"))
        || things.iter().any(|thing| has_text_type(&thing));
    let mut object = 0.18 * label_weight.min(MAX_COUNTED_LABELS);
    object += match object_count {
        1 | 2 => 1.5,
        3.. => 0.4,
        _ => 0.0,
    };
    let paragraphs = page
        .lines
        .iter()
        .filter(|line| !line.outside && line.text.len() >= MIN_PARAGRAPH_BYTES)
        .take(ARTICLE_PARAGRAPHS)
        .count();
    // Running text has sentences with a colon and headings of its own, which are not labels of an object.
    object -= match (is_declared_article, paragraphs) {
        _ if object_count > 0 => 0.0,
        (true, DECLARED_ARTICLE_PARAGRAPHS..) => 2.3,
        (false, ARTICLE_PARAGRAPHS..) => 1.5,
        _ => 0.0,
    };
    object += match page_type {
        Some(kind) if schema::is_open_graph_object(kind) => 1.0,
        Some("article" | "Article" | "website" | "blog") | None => 0.0,
        Some(_) => 0.2,
    };
    if let Some(line) = *headline {
        let first = page.lines[line].first();
        let is_h1 = tree.ancestors(first).take(3).any(|above| tree.tag(above) == tags::H1);
        object += if is_h1 { 0.4 } else { 0.2 };
        object -= if in_list(first) { 0.6 } else { 0.0 };
        // one price near the name of a thing is what it costs
        let own_price = price(page, Some(line)).filter(|&price| !in_list(page.lines[price].first()));
        object += if own_price.is_some() { 0.4 } else { 0.0 };
    }
    KindEvidence { has_list: main.is_some(), list, object }
}

/// True if nearly every record is one label with a short value.
fn is_table_of_labels(records: &[Parts], labelled: &[LabelledValue]) -> bool {
    records.len() <= MAX_LABEL_TABLE_ROWS
        && labelled_record_share(records, labelled) >= MIN_LABELLED_ROW_SHARE
}

/// The share of the records that are one label with a short value. Of long lists only the first are looked
/// at.
pub(super) fn labelled_record_share(records: &[Parts], labelled: &[LabelledValue]) -> f64 {
    let records = &records[..records.len().min(MAX_LABEL_TABLE_ROWS)];
    let is_labelled = |record: &&Parts| {
        let is_inside = |node: Node| record.iter().any(|part| part.contains(&node));
        let mut own =
            labelled.iter().filter(|value| value.layout != LabelLayout::Heading && is_inside(value.node));
        let (Some(value), None) = (own.next(), own.next()) else { return false };
        let chars: usize = value.texts.iter().map(|text| text.chars().count()).sum();
        chars <= MAX_ROW_VALUE_CHARS
    };
    records.iter().filter(is_labelled).count() as f64 / records.len().max(1) as f64
}

/// Evidence for an object from which a page without a list is one.
const MIN_OBJECT_EVIDENCE: f64 = 0.75;

/// The most probable kind, with its probability. `list_over_object` is the fitted probability of a list.
pub(super) fn most_likely_kind(evidence: KindEvidence, list_over_object: f64) -> (PageKind, f64) {
    let KindEvidence { has_list, list, object } = evidence;
    let may_be_object = object >= MIN_OBJECT_EVIDENCE;
    match (has_list, may_be_object) {
        (true, true) if list_over_object > 0.5 => (PageKind::List, list_over_object),
        (true, true) => (PageKind::Object, 1.0 - list_over_object),
        (true, false) => (PageKind::List, sigmoid(5.0 * list - 1.6)),
        (false, true) => (PageKind::Object, sigmoid(2.2 * object - 1.6)),
        (false, false) => (PageKind::Nothing, sigmoid(1.6 - 2.2 * object)),
    }
}
