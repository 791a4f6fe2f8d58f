//! Groups of similar elements that may be the records of a page on which no selector finds them.
//!
//! In: a page and the fingerprint of the records. Out: the groups that fit it best: children of one parent
//! with the same tag or class, or elements anywhere with the same path or class word. Nothing here depends on
//! the names that the samples had. O(elements x class words).

use super::regions::records_from_heads;
use crate::format::RecordRule;
use crate::locate::fingerprint::{Fingerprint, favour_whole_lists};
use crate::locate::hash;
use copal_dom::{Node, Page, attrs};
use copal_extract::Parts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of groups that are returned.
const MAX_GROUPS: usize = 16;
/// Maximum number of class words of one element.
const MAX_CLASS_WORDS: usize = 6;
/// Maximum number of elements per record for which every n-th child is tried.
const MAX_PERIOD: usize = 6;

/// What the elements of a group have in common.
#[derive(Hash, PartialEq, Eq, Clone, Copy)]
enum SharedTrait {
    Path(u32),
    ClassPath(u32),
    Parent(Node, u16),
    ParentClass(Node, u64),
    Word(u64),
    /// Every n-th child of a parent, starting with the child of this number.
    EveryNth(Node, usize),
}

/// The groups that fit best, best first, with their scores.
pub(crate) fn best_groups(
    page: &Page,
    rule: &RecordRule,
    fingerprint: &Fingerprint,
) -> Vec<(f64, Vec<Parts>)> {
    let mut scored: Vec<(f64, Vec<Parts>)> = Vec::new();
    let mut seen: FxHashSet<Vec<Node>> = FxHashSet::default();
    for heads in element_groups(page, rule, fingerprint) {
        if heads.len() < 2 || seen.contains(&heads) {
            continue;
        }
        let mut parts = records_from_heads(page, &heads, rule.elements);
        fingerprint.retain(page, &mut parts);
        if parts.len() > 1 {
            scored.push((fingerprint.fit_sizes(page, &parts), parts));
        }
        seen.insert(heads);
    }
    let mut sets: Vec<(f64, &[Parts])> =
        scored.iter().map(|(score, parts)| (*score, parts.as_slice())).collect();
    favour_whole_lists(page, &mut sets);
    let scores: Vec<f64> = sets.into_iter().map(|(score, _)| score).collect();
    for (scored, score) in scored.iter_mut().zip(scores) {
        scored.0 = score;
    }
    // Of equal groups the outermost is best. It comes first in the document.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1[0][0].start.cmp(&b.1[0][0].start)));
    scored.truncate(MAX_GROUPS);
    scored
}

fn element_groups(page: &Page, rule: &RecordRule, fingerprint: &Fingerprint) -> Vec<Vec<Node>> {
    let (tree, single) = (&page.tree, rule.elements == 1);
    let mut sets: FxHashMap<SharedTrait, Vec<Node>> = FxHashMap::default();
    let mut order: Vec<SharedTrait> = Vec::new();
    let mut child_counts: FxHashMap<Node, usize> = FxHashMap::default();
    let mut add = |common: SharedTrait, node: Node| {
        let set = sets.entry(common).or_insert_with(|| {
            order.push(common);
            Vec::new()
        });
        if set.last().is_none_or(|&last| !tree.contains(last, node)) {
            set.push(node);
        }
    };
    for node in tree.nodes().skip(1).filter(|&node| !tree.is_text(node) && page.styles.is_shown(node)) {
        let parent = tree.parent(node);
        if rule.elements > 1 && rule.elements <= MAX_PERIOD {
            let child = child_counts.entry(parent).or_default();
            add(SharedTrait::EveryNth(parent, *child % rule.elements), node);
            *child += 1;
        }
        let own = Parts::from_elem(node..tree.end(node), 1);
        if single && !fingerprint.admits(page, &own) {
            continue;
        }
        let class = tree.attr(node, attrs::CLASS).unwrap_or_default();
        add(SharedTrait::Path(page.index.path(node)), node);
        add(SharedTrait::ClassPath(page.index.class_path(node)), node);
        add(SharedTrait::Parent(parent, tree.tag(node)), node);
        for word in class.split_ascii_whitespace().take(MAX_CLASS_WORDS) {
            add(SharedTrait::ParentClass(parent, hash(word)), node);
            add(SharedTrait::Word(hash(word)), node);
        }
    }
    order.into_iter().filter_map(|common| sets.remove(&common)).collect()
}
