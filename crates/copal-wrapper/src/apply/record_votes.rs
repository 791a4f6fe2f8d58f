//! Choosing the records of a page by a vote of all locators.
//!
//! In: a page and a rule whose first locators are not enough. Out: the records that fit the fingerprint best
//! and that most locators find. Groups of similar elements that no locator finds take part too. O(locators x
//! elements).

use super::groups::best_groups;
use super::regions::{ANYWHERE, MAX_REGION_ELEMENTS, is_named, records_by_selector};
use super::rows::{MIN_PRESENCE, expected_presence, read_rows};
use crate::format::{PageRule, RecordRule};
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use crate::locate::fingerprint::favour_whole_lists;
use copal_dom::{Node, Page};
use copal_extract::Parts;
use copal_extract::located::{self, GivenList};
use rustc_hash::FxHashMap;

/// Share of the locators, by weight, whose agreement is enough.
const AGREED_WEIGHT: f64 = 0.8;
/// Weight of records that no locator finds, where records that all locators find have 1.
const NO_LOCATOR_WEIGHT: f64 = 0.4;
/// Weight of a locator that has only tags and positions, where one with a name has 1.
const UNNAMED_WEIGHT: f64 = 0.4;
/// How well records that no locator finds must fit the fingerprint …
const MIN_GROUP_FIT: f64 = 0.18;
/// … and how well records must fit in which hardly any column is found.
const MIN_FIT_WITHOUT_COLUMNS: f64 = 0.5;

/// The records by one locator of the region and one of the records. If the former finds several elements, the
/// one with the most records is the region.
pub(super) fn records_by_locators(
    page: &Page,
    index: &ElementIndex<'_>,
    region: &str,
    record: &RecordRule,
    number: usize,
) -> Option<(Node, Vec<Parts>)> {
    let mut best: Option<(Node, Vec<Parts>)> = None;
    for root in Css::parse(region).ok()?.select(index).into_iter().take(MAX_REGION_ELEMENTS) {
        let parts = records_by_selector(page, index, root, record, number);
        if parts.len() > best.as_ref().map_or(0, |(_, parts)| parts.len()) {
            best = Some((root, parts));
        }
    }
    best
}

/// Possible records, and the weight of the locators that found exactly these.
struct RecordSet {
    root: Node,
    parts: Vec<Parts>,
    weight: f64,
}

impl RecordSet {
    /// The Jaccard similarity of two sets of records.
    fn overlap(&self, other: &RecordSet) -> f64 {
        let start = |parts: &Parts| parts[0].start;
        let same = |parts: &&Parts| other.parts.binary_search_by_key(&start(parts), start).is_ok();
        let both = self.parts.iter().filter(same).count();
        both as f64 / (self.parts.len() + other.parts.len() - both).max(1) as f64
    }
}

/// The list that wins the vote, or none if nothing fits well enough.
pub(super) fn list_by_vote(
    page: &Page,
    index: &ElementIndex<'_>,
    rule: &PageRule,
    record: &RecordRule,
) -> Option<GivenList> {
    let (mut found, total_weight) = record_sets(page, index, rule, record);
    if let Some(fingerprint) = &record.fingerprint {
        // Where nearly all locators agree, the records of this page just have other sizes than those of the
        // samples.
        if let Some(most) = found.iter().find(|one| one.weight >= AGREED_WEIGHT * total_weight)
            && fingerprint.is_alike(page, &most.parts)
            && !fingerprint.holds_several(page, &most.parts)
        {
            let read = read_rows(page, index, rule, most.root, most.parts.clone());
            if expected_presence(rule, &read.rows) >= MIN_PRESENCE {
                return Some(read);
            }
        }
        for (_, parts) in best_groups(page, record, fingerprint) {
            found.push(RecordSet { root: located::root_of(page, &parts), parts, weight: 0.0 });
        }
    }
    let mut sets: Vec<(f64, &[Parts])> = Vec::new();
    let mut fits: Vec<f64> = Vec::new();
    for one in &found {
        let votes = found.iter().filter(|other| other.weight > 0.0);
        let votes: f64 = votes.map(|other| other.weight * one.overlap(other).powi(2)).sum();
        let fit = record.fingerprint.as_ref().map_or(1.0, |fingerprint| fingerprint.fit(page, &one.parts));
        fits.push(fit);
        sets.push((fit * (NO_LOCATOR_WEIGHT + (1.0 - NO_LOCATOR_WEIGHT) * votes / total_weight), &one.parts));
    }
    favour_whole_lists(page, &mut sets);
    let mut order: Vec<(f64, usize)> = sets.iter().enumerate().map(|(at, (score, _))| (*score, at)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().find_map(|(_, at)| {
        let (named, fit) = (found[at].weight > 0.0, fits[at]);
        if !named && fit < MIN_GROUP_FIT {
            return None;
        }
        let parts = std::mem::take(&mut found[at].parts);
        let read = read_rows(page, index, rule, found[at].root, parts);
        (expected_presence(rule, &read.rows) >= MIN_PRESENCE
            || (record.fingerprint.is_some() && fit >= MIN_FIT_WITHOUT_COLUMNS))
            .then_some(read)
    })
}

/// Share of the locators, by weight, that find these records; a locator that finds some of them counts in
/// part.
pub(crate) fn locator_agreement(
    page: &Page,
    index: &ElementIndex<'_>,
    rule: &PageRule,
    record: &RecordRule,
    records: &[Parts],
) -> f64 {
    let (found, total_weight) = record_sets(page, index, rule, record);
    let read = RecordSet { root: 0, parts: records.to_vec(), weight: 0.0 };
    let votes: f64 = found.iter().map(|one| one.weight * read.overlap(one).powi(2)).sum();
    votes / total_weight.max(f64::MIN_POSITIVE)
}

/// What the pairs of a region locator and a record locator find, each set once, and the total weight of all
/// pairs.
fn record_sets(
    page: &Page,
    index: &ElementIndex<'_>,
    rule: &PageRule,
    record: &RecordRule,
) -> (Vec<RecordSet>, f64) {
    let mut found: Vec<RecordSet> = Vec::new();
    let mut known: FxHashMap<Vec<Node>, usize> = FxHashMap::default();
    let mut total_weight = 0.0;
    for (i, css) in rule.region.iter().enumerate() {
        for (j, find) in record.find.iter().enumerate() {
            // Outside the region a selector without a name would find the items of menus.
            if i > 0 && css == ANYWHERE && !is_named(find) {
                continue;
            }
            let named = |css: &str| if is_named(css) { 1.0 } else { UNNAMED_WEIGHT };
            let weight = named(css) * named(find) / (1.0 + i as f64 + j as f64);
            total_weight += weight;
            let Some((root, mut parts)) = records_by_locators(page, index, css, record, j) else { continue };
            if let Some(fingerprint) = &record.fingerprint {
                fingerprint.retain(page, &mut parts);
            }
            if parts.is_empty() {
                continue;
            }
            let starts: Vec<Node> = parts.iter().map(|parts| parts[0].start).collect();
            let at = *known.entry(starts).or_insert(found.len());
            if at == found.len() {
                found.push(RecordSet { root, parts, weight: 0.0 });
            }
            found[at].weight += weight;
        }
    }
    (found, total_weight)
}
