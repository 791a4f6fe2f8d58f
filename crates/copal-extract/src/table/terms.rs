//! Terms: fields that are named inside of the record, by `dt` before `dd` or by the `th` that a row begins with.
//!
//! In: the records. Out: [`Terms`]: for each such field the term that names it, if terms are labels: few different ones that
//! occur often. Then fields are aligned by their terms, whichever of them a record has. O(nodes).

use crate::lists::candidate::ListCandidate;
use copal_dom::hash::hash_of;
use copal_dom::{NONE, Node, Page, tags};
use copal_values::labels::bare;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Most labels of a region, and how often each occurs at least, on average.
const LABELS: usize = 60;
const OFTEN: usize = 3;
/// Longest label.
const LONGEST: usize = 40;
/// How many fields one term has at most.
const FIELDS: usize = 16;

/// Which terms name which fields; see the module.
#[derive(Default)]
pub(super) struct Terms {
    /// By `dd` or `td`: its term and a hash of its words.
    of: FxHashMap<Node, (Node, u64)>,
    labels: FxHashSet<Node>,
}

impl Terms {
    /// The terms inside of records.
    pub(super) fn within(page: &Page, found: &ListCandidate) -> Terms {
        let mut terms = Terms::default();
        for part in found.records.iter().flatten() {
            for node in part.clone() {
                if let Some(term) = term_of(page, part, node) {
                    terms.of.insert(node, (term, 0));
                    terms.labels.insert(term);
                }
            }
        }
        if terms.of.is_empty() {
            return terms;
        }
        let mut hashes: FxHashMap<Node, u64> = FxHashMap::default();
        let mut different: FxHashSet<u64> = FxHashSet::default();
        for &term in &terms.labels {
            let text = page.text_of(term);
            let label = bare(&text);
            if label.is_empty() || label.len() > LONGEST {
                return Terms::default();
            }
            hashes.insert(term, hash_of(label));
            different.insert(hash_of(label));
        }
        if different.len() > LABELS || terms.labels.len() < OFTEN * different.len() {
            return Terms::default();
        }
        for (term, hash) in terms.of.values_mut() {
            *hash = hashes[term];
        }
        terms
    }

    /// The term that names a field, and a hash of its words.
    pub(super) fn of(&self, field: Node) -> Option<(Node, u64)> {
        self.of.get(&field).copied()
    }

    /// True for a term that names a field.
    pub(super) fn is_label(&self, node: Node) -> bool {
        self.labels.contains(&node)
    }
}

/// The `dt` before a `dd`, or the one `th` of a row inside of the record.
fn term_of(page: &Page, part: &Range<Node>, node: Node) -> Option<Node> {
    let tree = &page.tree;
    let parent = tree.parent(node);
    match tree.tag(node) {
        tags::DD => {
            let before = |node: Node| Some(tree.prev_sibling(node)).filter(|&before| before != NONE);
            std::iter::successors(before(node), |&node| before(node))
                .filter(|&before| !tree.is_text(before))
                .take(FIELDS)
                .take_while(|&before| before >= part.start && tree.tag(before) != tags::HR)
                .find(|&before| tree.tag(before) == tags::DT)
        }
        tags::TD
            if tree.tag(parent) == tags::TR && tree.parent(parent) >= part.start && parent > part.start =>
        {
            let mut heads = tree.elements(parent).take(FIELDS).filter(|&cell| tree.tag(cell) == tags::TH);
            let first = heads.next().filter(|&head| head < node && heads.next().is_none())?;
            tree.elements(parent).next().filter(|&cell| cell == first)
        }
        _ => None,
    }
}
