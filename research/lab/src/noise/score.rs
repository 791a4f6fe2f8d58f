//! Scores areas, records and attributes against the gold.
//!
//! In: a [`NoiseCase`] and AMBER's [`RankedLists`]. Out: a [`NoiseTally`], to be summed over pages and seeds.
//!
//! *Area*: a page has one. It is right if there is a primary area, the subtree of its root holds at least 90%
//! of the gold records (each with 90% of its text nodes), and at least half of the text of that subtree
//! belongs to records (the whole page is not an answer). *Record*: right if its text nodes are those of a
//! gold record that no other record has, with one in ten allowed to differ (Jaccard of the bags). *Attribute
//! value*: right if the right record has it in a spelling that the gold accepts; values in wrong records are
//! wrong, values of records that were not found are missed. Visual attributes (title, image) count as well;
//! an attribute that the gold of the domain never names is not judged.

use super::gold::{GoldRecord, NoiseCase, collapsed, plain};
use copal_dom::Node;
use copal_extract::{ListCandidate, RankedLists};
use std::collections::{HashMap, HashSet};
use std::ops::{AddAssign, Range};

/// Minimum share of text nodes that a right record shares with the gold.
const MIN_SHARED_TEXT: f64 = 0.9;
/// Minimum share of the gold records, and of the text nodes of each, below the root of a right area.
const MIN_HELD_SHARE: f64 = 0.9;

/// Numbers of right, found and wanted answers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct MatchCounts {
    pub(crate) right: usize,
    pub(crate) found: usize,
    pub(crate) wanted: usize,
}

impl MatchCounts {
    pub(crate) fn precision(self) -> f64 {
        self.right as f64 / self.found.max(1) as f64
    }

    pub(crate) fn recall(self) -> f64 {
        self.right as f64 / self.wanted.max(1) as f64
    }

    pub(crate) fn f1(self) -> f64 {
        2.0 * self.right as f64 / (self.found + self.wanted).max(1) as f64
    }
}

impl AddAssign for MatchCounts {
    fn add_assign(&mut self, other: MatchCounts) {
        self.right += other.right;
        self.found += other.found;
        self.wanted += other.wanted;
    }
}

/// Counts for areas, records and attributes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct NoiseTally {
    pub(crate) areas: MatchCounts,
    pub(crate) records: MatchCounts,
    pub(crate) attributes: MatchCounts,
}

impl AddAssign for NoiseTally {
    fn add_assign(&mut self, other: NoiseTally) {
        self.areas += other.areas;
        self.records += other.records;
        self.attributes += other.attributes;
    }
}

/// Compares the primary area with the gold; only judged attributes count.
pub(crate) fn score(case: &NoiseCase, findings: &RankedLists, judged: &HashSet<&str>) -> NoiseTally {
    let primary = findings.regions.first().filter(|_| !findings.no_primary);
    let wanted =
        case.records.iter().flat_map(|record| record.values.values()).filter(|value| value.1).count();
    let mut tally = NoiseTally {
        areas: MatchCounts { right: 0, found: usize::from(primary.is_some()), wanted: 1 },
        records: MatchCounts { right: 0, found: 0, wanted: case.records.len() },
        attributes: MatchCounts { right: 0, found: 0, wanted },
    };
    let Some(region) = primary else { return tally };
    tally.areas.right = usize::from(is_area(case, region.root));
    tally.records.found = region.records.len();
    let pairs = pairs(case, region);
    tally.records.right = pairs.iter().flatten().count();
    for (name, _, cells) in &region.attributes {
        if !judged.contains(name.as_str()) {
            continue;
        }
        for (cell, gold) in cells.iter().zip(&pairs).filter_map(|(cell, gold)| Some((cell.as_ref()?, gold))) {
            let entry = gold.and_then(|gold| case.records[gold].values.get(name));
            let right = entry.is_some_and(|(spellings, _)| spellings.contains(&plain(&cell.text)));
            // right but optional: counts neither as found nor as wanted
            let asked = entry.is_none_or(|(_, wanted)| *wanted);
            tally.attributes.found += usize::from(asked || !right);
            tally.attributes.right += usize::from(asked && right);
        }
    }
    tally
}

/// For each found record, the gold record that it matches.
pub(crate) fn pairs(case: &NoiseCase, region: &ListCandidate) -> Vec<Option<usize>> {
    let gold: Vec<HashMap<&str, usize>> =
        case.records.iter().map(|record| bag(record.texts.iter().map(String::as_str))).collect();
    let mut free = vec![true; gold.len()];
    region
        .records
        .iter()
        .map(|parts| {
            let texts: Vec<String> = parts.iter().flat_map(|part| leaves(case, part)).collect();
            let own = bag(texts.iter().map(String::as_str));
            let alike = (0..gold.len()).filter(|&i| free[i]).map(|i| (jaccard(&own, &gold[i]), i));
            let best = alike.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let best = best.filter(|(share, _)| *share >= MIN_SHARED_TEXT).map(|(_, i)| i);
            if let Some(i) = best {
                free[i] = false;
            }
            best
        })
        .collect()
}

fn is_area(case: &NoiseCase, root: Node) -> bool {
    let below: Vec<String> = leaves(case, &(root..case.page.tree.end(root))).collect();
    let known = bag(below.iter().map(String::as_str));
    let holds = |record: &&GoldRecord| {
        let held = record.texts.iter().filter(|text| known.contains_key(text.as_str())).count();
        held as f64 >= MIN_HELD_SHARE * record.texts.len() as f64
    };
    let held = case.records.iter().filter(holds).count();
    let chars = |texts: &mut dyn Iterator<Item = &String>| texts.map(String::len).sum::<usize>();
    let gold = chars(&mut case.records.iter().flat_map(|record| &record.texts));
    held as f64 >= MIN_HELD_SHARE * case.records.len() as f64 && 2 * gold >= chars(&mut below.iter())
}

/// The visible text nodes of a range.
fn leaves<'a>(case: &'a NoiseCase, nodes: &Range<Node>) -> impl Iterator<Item = String> + 'a {
    let page = &case.page;
    let is_leaf = |&node: &Node| page.tree.is_text(node) && page.index.leaves(&(node..node + 1)) > 0;
    nodes.clone().filter(is_leaf).map(|node| collapsed(page.tree.raw_text(node)))
}

fn bag<'a>(texts: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut bag = HashMap::new();
    for text in texts {
        *bag.entry(text).or_default() += 1;
    }
    bag
}

fn jaccard(a: &HashMap<&str, usize>, b: &HashMap<&str, usize>) -> f64 {
    let both: usize = a.iter().map(|(text, n)| *n.min(b.get(text).unwrap_or(&0))).sum();
    let any = a.values().sum::<usize>() + b.values().sum::<usize>() - both;
    both as f64 / any.max(1) as f64
}
