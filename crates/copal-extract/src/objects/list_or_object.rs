//! Whether a page that has a list and looks like an object is a list: a fitted decision.
//!
//! In: the [`ObjectSide`] of a page and its main list. Out: the probability that its list is what the page is
//! for. The weights are those of a logistic regression over the features (`research/fit/fit.py`). What
//! the ranking says enters only as the probability of a main list, because that is the only number that can be
//! had in the fit as it is on a site that was not fitted on. O(records * labels).

use super::kind_weights::{LIST_BIAS, LIST_WEIGHTS};
use super::object_side::{LabelPlace, ObjectSide};
use crate::lists::candidate::RankedLists;
use crate::structure::measure::{indicator, sigmoid, weighted_sum};
use copal_dom::{Node, Page};
use copal_model::Parts;
use std::ops::Range;

/// Records that are counted.
const MAX_COUNTED_RECORDS: usize = 50;
/// Labels that are counted.
const MAX_LABEL_FEATURE: usize = 10;
/// Probability of a main list for which the ranking gives none.
const DEFAULT_LIST_PROBABILITY: f64 = 0.6;
/// Probabilities count as at least this far from 0 and from 1.
const MIN_DOUBT: f64 = 0.02;

/// What speaks for a list and what for an object, in numbers. The fit computes the same
/// (`research/fit/kinds.py`).
fn kind_features(page: &Page, object: &ObjectSide<'_>, ranked: &RankedLists) -> [f64; LIST_WEIGHTS.len()] {
    let main = (0..ranked.regions.len()).find(|&rank| ranked.role(rank).is_main());
    let records: &[Parts] = main.map_or(&[], |rank| &ranked.regions[rank].records);
    let in_list = |node: Node| records.iter().flatten().any(|part: &Range<Node>| part.contains(&node));
    let shown = || object.labels.iter().filter(|label| !label.outside);
    let inside = shown().filter(|label| in_list(label.node)).count();
    let outside = shown().count() - inside;
    let chars = |parts: &Parts| parts.iter().map(|part| f64::from(page.index.chars(part))).sum::<f64>();
    let page_chars = f64::from(page.index.chars(&(0..page.tree.end(0)))).max(1.0);
    let count = |number: usize, most: usize| number.min(most) as f64 / most as f64;
    let probability = ranked.main_probability.unwrap_or(main.map_or(0.0, |_| DEFAULT_LIST_PROBABILITY));
    let probability = probability.clamp(MIN_DOUBT, 1.0 - MIN_DOUBT);
    [
        (probability / (1.0 - probability)).ln(),
        (1.0 + records.len().min(MAX_COUNTED_RECORDS) as f64).ln() / 4.0,
        records.iter().map(chars).sum::<f64>() / page_chars,
        count(outside, MAX_LABEL_FEATURE),
        count(inside, MAX_LABEL_FEATURE),
        labelled_record_share(records, &object.labels),
        indicator((1..=2).contains(&object.declared_count)),
        indicator(object.declared_count > 2),
        indicator(object.is_declared_article),
        object.paragraph_share(),
        indicator(object.has_object_type()),
        indicator(object.headline.is_some() && object.is_h1),
        indicator(object.headline.is_some_and(in_list)),
        indicator(object.price.is_some_and(|price| !in_list(price))),
    ]
}

/// The probability of a list, if the page is a list or an object.
pub(super) fn list_over_object_probability(
    page: &Page,
    object: &ObjectSide<'_>,
    ranked: &RankedLists,
) -> f64 {
    sigmoid(LIST_BIAS + weighted_sum(&LIST_WEIGHTS, &kind_features(page, object, ranked)))
}

/// Records that are looked at for labels.
const MAX_LABELLED_RECORDS: usize = 60;
/// Longest value next to the only label of a record, in characters.
const MAX_LABELLED_VALUE_CHARS: usize = 120;

/// The share of the records that are one label with a short value: rows of an object's own table.
fn labelled_record_share(records: &[Parts], labels: &[LabelPlace]) -> f64 {
    let records = &records[..records.len().min(MAX_LABELLED_RECORDS)];
    let is_labelled = |record: &&Parts| {
        let is_inside = |node: Node| record.iter().any(|part| part.contains(&node));
        let mut own = labels.iter().filter(|label| is_inside(label.node));
        let (Some(label), None) = (own.next(), own.next()) else { return false };
        label.value_chars <= MAX_LABELLED_VALUE_CHARS
    };
    records.iter().filter(is_labelled).count() as f64 / records.len().max(1) as f64
}
