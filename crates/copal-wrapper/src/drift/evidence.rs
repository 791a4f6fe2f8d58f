//! How sure a reading is: measurements of the records that a wrapper reads on a page.
//!
//! In: a rule, a page and the list that the rule reads there. Out: [`Evidence`], numbers that are compared
//! with those of the samples. They are about what a wrong reading looks like: an advert among the records,
//! records that are left out, locators that contradict each other. O(locators x elements).

use super::drift_level::{Drift, DriftLevel};
use crate::apply::record_votes::locator_agreement;
use crate::format::{ColumnRule, PageRule};
use crate::locate::ElementIndex;
use crate::locate::fingerprint::Fingerprint;
use copal_dom::{NONE, Node, Page};
use copal_extract::located::tops;
use copal_extract::{Parts, Record, Region};
use rustc_hash::FxHashSet;

/// The name of the records among worn locators.
pub(super) const WORN_RECORDS: &str = "records";
/// Share of the locators that must find the records for the reading to be sure …
const SURE_AGREEMENT: f64 = 0.9;
/// … and share of the columns whose first locators may read something else.
const MAX_SURE_WORN: f64 = 0.5;
/// If fewer of the locators find the records, they may be others …
const MIN_AGREEMENT: f64 = 0.5;
/// … unless they fit the fingerprint at least this well and all columns are found by their first locators.
const UNCERTAIN_FIT: f64 = 0.7;
/// Records that fit the fingerprint worse than this are others …
const MIN_FIT: f64 = 0.05;
/// … unless this share of the locators finds them.
const SURE_FIT_AGREEMENT: f64 = 0.95;
/// Fewer records than this say nothing about the agreement of locators.
const MIN_RECORDS: usize = 5;
/// Fewer sparse records than this are chance …
const MIN_SPARSE_RECORDS: usize = 3;
/// … and share of sparse records from which on there is something else among the records.
const MIN_SPARSE: f64 = 0.08;
/// Share of skipped elements from which on records are left out.
const MIN_SKIPPED: f64 = 0.2;
/// A record is sparse if it has less than this share of what the emptiest record of the samples has.
const SPARSE_FILL: f64 = 0.7;

/// Measurements of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence {
    /// How many records lack many of the cells that all records of the samples have.
    pub sparse: usize,
    /// How many elements next to the records are like them, but are not read.
    pub skipped: usize,
    /// How many elements like the records are in elements like those around the records: other rows of a grid.
    pub skipped_around: usize,
    /// Most records are as large as several records of the samples.
    pub holds_several: bool,
    /// How well the records fit the fingerprint, from 0 to 1.
    pub fit: f64,
    /// Share of the locators, by weight, that find these records.
    pub agreement: f64,
    /// Share of the columns that their first locators read differently; 1 if they find other records.
    pub worn: f64,
}

impl Evidence {
    /// Measures a reading. `worn` is what the first locators alone read differently.
    pub(super) fn of(rule: &PageRule, page: &Page, list: &Region, worn: &[String]) -> Evidence {
        let parts: Vec<Parts> = list.records.iter().map(|record| record.place.parts.clone()).collect();
        let record = rule.record.as_ref();
        let fingerprint = record.and_then(|record| record.fingerprint.as_ref());
        let index = ElementIndex::new(&page.tree);
        let least = rule.profile.as_ref().and_then(|profile| profile.least_fill);
        let is_sparse =
            |record: &&Record| least.is_some_and(|least| fill(&rule.columns, record) < SPARSE_FILL * least);
        let (skipped, skipped_around) =
            fingerprint.map_or((0, 0), |fingerprint| skipped(page, fingerprint, &parts));
        let is_other_list = worn.iter().any(|name| name == WORN_RECORDS);
        Evidence {
            sparse: list.records.iter().filter(is_sparse).count(),
            skipped,
            skipped_around,
            holds_several: fingerprint.is_some_and(|fingerprint| fingerprint.holds_several(page, &parts)),
            fit: fingerprint.map_or(1.0, |fingerprint| fingerprint.fit(page, &parts)),
            agreement: record.map_or(1.0, |record| locator_agreement(page, &index, rule, record, &parts)),
            worn: if is_other_list { 1.0 } else { worn.len() as f64 / rule.columns.len().max(1) as f64 },
        }
    }

    /// True if the records are found as on the samples, so that cells that differ are no sign of a wrong
    /// reading.
    pub(super) fn is_sure(&self) -> bool {
        self.agreement >= SURE_AGREEMENT && self.worn < MAX_SURE_WORN
    }

    /// The differences that show in the records as a whole.
    pub(super) fn drifts(&self, records: usize) -> Vec<Drift> {
        let mut messages = Vec::new();
        let is_uncertain = self.worn > 0.0 || self.fit < UNCERTAIN_FIT;
        if self.agreement < MIN_AGREEMENT && is_uncertain && records >= MIN_RECORDS {
            let share = (100.0 * self.agreement).round().abs();
            messages.push(format!("only {share}% of the locators find these records"));
        }
        let is_mixed = self.sparse >= MIN_SPARSE_RECORDS && self.sparse < records;
        if is_mixed && self.sparse as f64 >= MIN_SPARSE * records as f64 {
            messages.push(format!("{} of {records} records lack most columns", self.sparse));
        }
        if self.fit < MIN_FIT && self.agreement < SURE_FIT_AGREEMENT {
            messages.push("the records are unlike those of the samples".to_owned());
        }
        if self.holds_several {
            messages.push("each record is as large as several records of the samples".to_owned());
        }
        if self.skipped as f64 >= MIN_SKIPPED * records as f64 {
            messages.push(format!("{} elements like the {records} records are not read", self.skipped));
        } else if 2 * self.skipped_around >= records {
            let skipped = self.skipped_around;
            messages.push(format!(
                "{skipped} elements like the {records} records are not read, next to their list"
            ));
        }
        let drift = |message| Drift { level: DriftLevel::Structure, column: None, message };
        messages.into_iter().map(drift).collect()
    }
}

/// True if nothing about the records of a reading differs from the samples.
pub(crate) fn is_sure_reading(rule: &PageRule, page: &Page, list: &Region) -> bool {
    Evidence::of(rule, page, list, &[]).drifts(list.records.len()).is_empty()
}

/// The emptiest record of lists: the least share of the usual cells that a record has.
pub(super) fn least_fill<'a>(columns: &[ColumnRule], lists: impl Iterator<Item = &'a Region>) -> Option<f64> {
    lists.flat_map(|list| &list.records).map(|record| fill(columns, record)).reduce(f64::min)
}

/// The share of the cells that a record has, weighted by how many records of the samples had them.
fn fill(columns: &[ColumnRule], record: &Record) -> f64 {
    let (mut have, mut all) = (0.0, 0.0);
    for (column, cell) in columns.iter().zip(&record.cells) {
        let presence = column.presence.unwrap_or(0.0);
        all += presence * presence;
        have += if cell.is_empty() { 0.0 } else { presence * presence };
    }
    if all > 0.0 { have / all } else { 1.0 }
}

/// Number of visible elements that have the tag of the records and about their size, but are not records:
/// siblings of the records, and children of siblings of their parents. A list that was divided into rows is
/// read only in part if its locators find one of the rows.
fn skipped(page: &Page, fingerprint: &Fingerprint, records: &[Parts]) -> (usize, usize) {
    let tree = &page.tree;
    let mut own: FxHashSet<Node> = FxHashSet::default();
    let mut parents: Vec<Node> = Vec::new();
    let mut tags: FxHashSet<u16> = FxHashSet::default();
    for part in records.iter().flatten() {
        for top in tops(page, part) {
            own.insert(top);
            parents.push(tree.parent(top));
            tags.insert(tree.tag(top));
        }
    }
    parents.sort_unstable();
    parents.dedup();
    let like = |&node: &Node| {
        !own.contains(&node)
            && tags.contains(&tree.tag(node))
            && page.styles.is_shown(node)
            && fingerprint.is_usual(page, &Parts::from_elem(node..tree.end(node), 1)) == (true, true)
    };
    let among =
        |parents: &[Node]| parents.iter().flat_map(|&parent| tree.elements(parent)).filter(like).count();
    (among(&parents), among(&similar_siblings(page, &parents)))
}

/// The siblings of elements that have their tag and class, without the elements themselves.
fn similar_siblings(page: &Page, elements: &[Node]) -> Vec<Node> {
    let tree = &page.tree;
    let kind = |node: Node| (tree.parent(node), tree.tag(node), page.index.class(node));
    let kinds: FxHashSet<_> =
        elements.iter().filter(|&&node| tree.parent(node) != NONE).map(|&node| kind(node)).collect();
    let mut holders: Vec<Node> = kinds.iter().map(|&(parent, ..)| parent).collect();
    holders.sort_unstable();
    holders.dedup();
    let siblings = holders.iter().flat_map(|&holder| tree.elements(holder));
    siblings.filter(|&node| kinds.contains(&kind(node)) && elements.binary_search(&node).is_err()).collect()
}
