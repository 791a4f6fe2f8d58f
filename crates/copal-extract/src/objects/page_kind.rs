//! What a page looks like: a list, one object, or neither.
//!
//! In: the [`ObjectSide`] of a page and its ranked lists. Out: a [`PageKind`] with its probability; the
//! pipeline decides with it. A main list speaks for a list. A headline, labels with values, a price and a
//! declared thing speak for an object. A long text without any of these (an article) is neither. Where a list
//! and an object both fit, the fitted probability of `list_or_object` decides. O(records * labels).

use super::object_side::{LabelPlace, ObjectSide};
use crate::lists::candidate::RankedLists;
use crate::signals::declared::schema;
use crate::structure::measure::sigmoid;
use copal_dom::Node;
use copal_model::{PageKind, Parts, Role};
use std::ops::Range;

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

pub(super) fn kind_evidence(side: &ObjectSide<'_>, ranked: &RankedLists) -> KindEvidence {
    let main = (0..ranked.regions.len()).find(|&rank| ranked.role(rank).is_main());
    // A list of labels with values is the table of one object.
    let main = main.filter(|&rank| !is_table_of_labels(&ranked.regions[rank].records, &side.labels));
    let primary = main.filter(|&rank| ranked.role(rank) == Role::Primary);
    let list = primary.map_or(0.0, |rank| ranked.confidence(rank).unwrap_or(UNKNOWN_LIST_CONFIDENCE));
    let records = primary.map(|rank| &ranked.regions[rank].records);
    let in_list = |node: Node| {
        let mut parts = records.into_iter().flatten().flatten();
        parts.any(|part: &Range<Node>| part.contains(&node))
    };
    // Labels in what looks like boilerplate or like a list of other objects may be the object's, or the site's.
    let label_weights = side
        .labels
        .iter()
        .filter(|label| label.is_own && (list < 0.5 || !in_list(label.node)))
        .map(|label| if label.outside { 0.5 } else { 1.0 });
    let label_weight: f64 = label_weights.sum();
    let mut object = 0.18 * label_weight.min(MAX_COUNTED_LABELS);
    object += match side.declared_count {
        1 | 2 => 1.5,
        3.. => 0.4,
        _ => 0.0,
    };
    // Running text has sentences with a colon and headings of its own, which are not labels of an object.
    object -= match (side.is_declared_article, side.paragraphs) {
        _ if side.declared_count > 0 => 0.0,
        (true, DECLARED_ARTICLE_PARAGRAPHS..) => 2.3,
        (false, ARTICLE_PARAGRAPHS..) => 1.5,
        _ => 0.0,
    };
    object += match side.page_type {
        Some(kind) if schema::is_open_graph_object(kind) => 1.0,
        _ if side.has_plain_type() => 0.0,
        _ => 0.2,
    };
    if let Some(headline) = side.headline {
        object += if side.is_h1 { 0.4 } else { 0.2 };
        object -= if in_list(headline) { 0.6 } else { 0.0 };
        // one price near the name of a thing is what it costs
        object += if side.price.is_some_and(|price| !in_list(price)) { 0.4 } else { 0.0 };
    }
    KindEvidence { has_list: main.is_some(), list, object }
}

/// True if nearly every record is one label with a short value.
fn is_table_of_labels(records: &[Parts], labels: &[LabelPlace]) -> bool {
    records.len() <= MAX_LABEL_TABLE_ROWS && labelled_record_share(records, labels) >= MIN_LABELLED_ROW_SHARE
}

/// The share of the records that are one label with a short value. Of long lists only the first are looked
/// at.
pub(super) fn labelled_record_share(records: &[Parts], labels: &[LabelPlace]) -> f64 {
    let records = &records[..records.len().min(MAX_LABEL_TABLE_ROWS)];
    let is_labelled = |record: &&Parts| {
        let is_inside = |node: Node| record.iter().any(|part| part.contains(&node));
        let mut own = labels.iter().filter(|label| is_inside(label.node));
        let (Some(label), None) = (own.next(), own.next()) else { return false };
        label.value_chars <= MAX_ROW_VALUE_CHARS
    };
    records.iter().filter(is_labelled).count() as f64 / records.len().max(1) as f64
}

/// Evidence for an object from which a page without a list is one.
const MIN_OBJECT_EVIDENCE: f64 = 0.75;

/// Probability of a list, from which a page that may also be an object is a list. Less than one half, because
/// whoever asks for a list can ignore a possible one, but gets nothing from a page that is taken for an object.
const MIN_LIST_OVER_OBJECT: f64 = 0.3;

/// The most probable kind, with its probability. `list_over_object` is the fitted probability of a list.
pub(super) fn most_likely_kind(evidence: KindEvidence, list_over_object: f64) -> (PageKind, f64) {
    let KindEvidence { has_list, list, object } = evidence;
    let may_be_object = object >= MIN_OBJECT_EVIDENCE;
    match (has_list, may_be_object) {
        (true, true) if list_over_object > MIN_LIST_OVER_OBJECT => (PageKind::List, list_over_object),
        (true, true) => (PageKind::Object, 1.0 - list_over_object),
        (true, false) => (PageKind::List, sigmoid(5.0 * list - 1.6)),
        (false, true) => (PageKind::Object, sigmoid(2.2 * object - 1.6)),
        (false, false) => (PageKind::Nothing, sigmoid(1.6 - 2.2 * object)),
    }
}
