//! Sets of elements that may be the records of a page where no selector finds them.
//!
//! In: a page and what the records look like. Out: sets of like elements of a fitting size, those that fit best: children of one
//! parent with the same tag or class, elements anywhere with the same path, or a class word. No names of the samples are
//! needed. O(elements x class words).

use crate::css::hash;
use crate::file::RecordRule;
use crate::looks::{Looks, favour_whole};
use crate::regions::extended;
use copal_dom::{Node, Page, attrs};
use copal_extract::Parts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Sets that are given.
const MOST: usize = 16;
/// Class words of one element that are looked at.
const WORDS: usize = 6;
/// Longest records of several elements that are tried at every place.
const PERIOD: usize = 6;

/// What the elements of a set have in common.
#[derive(Hash, PartialEq, Eq, Clone, Copy)]
enum Common {
    Path(u32),
    ClassPath(u32),
    Parent(Node, u16),
    ParentClass(Node, u64),
    Word(u64),
    /// Every so-manieth child, from the first, second, … on.
    Turn(Node, usize),
}

/// The sets that fit best, best first, with how well their sizes fit.
pub(crate) fn best(page: &Page, rule: &RecordRule, looks: &Looks) -> Vec<(f64, Vec<Parts>)> {
    let mut scored: Vec<(f64, Vec<Parts>)> = Vec::new();
    let mut seen: FxHashSet<Vec<Node>> = FxHashSet::default();
    for heads in sets(page, rule, looks) {
        if heads.len() < 2 || seen.contains(&heads) {
            continue;
        }
        let mut parts = extended(page, &heads, rule.elements);
        looks.retain(page, &mut parts);
        if parts.len() > 1 {
            scored.push((looks.fit_sizes(page, &parts), parts));
        }
        seen.insert(heads);
    }
    let mut sets: Vec<(f64, &[Parts])> =
        scored.iter().map(|(score, parts)| (*score, parts.as_slice())).collect();
    favour_whole(page, &mut sets);
    let scores: Vec<f64> = sets.into_iter().map(|(score, _)| score).collect();
    for (scored, score) in scored.iter_mut().zip(scores) {
        scored.0 = score;
    }
    // of equals the one with fewer levels around it, which comes first in the document
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1[0][0].start.cmp(&b.1[0][0].start)));
    scored.truncate(MOST);
    scored
}

fn sets(page: &Page, rule: &RecordRule, looks: &Looks) -> Vec<Vec<Node>> {
    let (tree, single) = (&page.tree, rule.elements == 1);
    let mut sets: FxHashMap<Common, Vec<Node>> = FxHashMap::default();
    let mut order: Vec<Common> = Vec::new();
    let mut turns: FxHashMap<Node, usize> = FxHashMap::default();
    let mut add = |common: Common, node: Node| {
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
        if rule.elements > 1 && rule.elements <= PERIOD {
            let turn = turns.entry(parent).or_default();
            add(Common::Turn(parent, *turn % rule.elements), node);
            *turn += 1;
        }
        let own = Parts::from_elem(node..tree.end(node), 1);
        if single && !looks.admits(page, &own) {
            continue;
        }
        let class = tree.attr(node, attrs::CLASS).unwrap_or_default();
        add(Common::Path(page.index.path(node)), node);
        add(Common::ClassPath(page.index.class_path(node)), node);
        add(Common::Parent(parent, tree.tag(node)), node);
        for word in class.split_ascii_whitespace().take(WORDS) {
            add(Common::ParentClass(parent, hash(word)), node);
            add(Common::Word(hash(word)), node);
        }
    }
    order.into_iter().filter_map(|common| sets.remove(&common)).collect()
}
