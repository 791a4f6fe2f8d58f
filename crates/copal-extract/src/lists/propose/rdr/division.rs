//! Division of the rich data region into candidate lists (section 3.4.2, Algorithm 2, Figure 6).
//!
//! In: the region. Out: groups of sibling elements with a long common tag sequence; [`merge`] joins the sub-lists of
//! one list (OB5, Figure 2). Breadth first; an element is divisible if it has more than one keyword and enough text
//! elements. Records of real pages hold several keywords, so siblings that form a list already are not divided.

use super::cts::common;
use super::options::RdrOptions;
use super::texts::Texts;
use copal_dom::{Node, Page};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A candidate list: sibling elements (or, after [`merge`], elements of sibling lists) in document order.
pub(super) struct List {
    pub(super) members: Vec<Node>,
}

pub(super) fn find(
    page: &Page,
    texts: &Texts,
    keywords: &[u32],
    root: Node,
    options: &RdrOptions,
) -> Vec<List> {
    let keywords_in = |node: Node| {
        let leaves = texts.leaves(page, node);
        keywords[leaves.end] - keywords[leaves.start]
    };
    let divisible = |node: Node| keywords_in(node) > 1 && texts.count(page, node) > options.divisible;
    let mut lists = Vec::new();
    let mut todo = VecDeque::from([root]);
    while let Some(node) = todo.pop_front() {
        let children: Vec<Node> =
            page.tree.elements(node).filter(|&child| texts.count(page, child) > 0).collect();
        if options.stop_at_lists
            && is_list(page, texts, &children, options)
            && !is_rows(page, texts, &children, options)
        {
            lists.push(List { members: children });
            continue;
        }
        let (further, group): (Vec<Node>, Vec<Node>) =
            children.into_iter().partition(|&child| divisible(child));
        if group.len() > 1 && likeness(page, texts, &group) >= options.common {
            lists.push(List { members: group });
        }
        todo.extend(further);
    }
    lists
}

fn likeness(page: &Page, texts: &Texts, members: &[Node]) -> f64 {
    let strings: Vec<_> = members.iter().map(|&node| texts.tags(page, node)).collect();
    common(&strings).likeness
}

/// Three or more siblings with more than one text each, most of them alike.
fn is_list(page: &Page, texts: &Texts, members: &[Node], options: &RdrOptions) -> bool {
    let rich = members.iter().filter(|&&node| texts.count(page, node) > 1).count();
    members.len() >= 3 && 2 * rich > members.len() && likeness(page, texts, members) >= options.common
}

/// Rows of a grid or sub-lists: nearly every member is a list of its own, with members that are alike over all rows.
fn is_rows(page: &Page, texts: &Texts, members: &[Node], options: &RdrOptions) -> bool {
    let inner: Vec<Vec<Node>> = members
        .iter()
        .map(|&node| page.tree.elements(node).filter(|&child| texts.count(page, child) > 0).collect())
        .collect();
    let all: Vec<Node> = inner.iter().flatten().copied().collect();
    let several = inner.iter().filter(|row| row.len() > 1).count();
    let rich = all.iter().filter(|&&node| texts.count(page, node) > 1).count();
    3 * several >= 2 * members.len()
        && 4 * rich >= 3 * all.len()
        && likeness(page, texts, &all) >= options.common.max(0.8)
}

/// Lists whose parents have the same path and whose members are alike are one list.
pub(super) fn merge(page: &Page, texts: &Texts, lists: Vec<List>) -> Vec<List> {
    let mut merged: Vec<List> = Vec::new();
    let mut of_path: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for list in lists {
        let known = of_path.entry(page.index.path(list.members[0])).or_default();
        let sample = |list: &List| list.members[list.members.len() / 2];
        let alike = |other: &List| likeness(page, texts, &[sample(other), sample(&list)]) >= 0.6;
        if let Some(&at) = known.iter().find(|&&at| alike(&merged[at])) {
            merged[at].members.extend(list.members);
        } else {
            known.push(merged.len());
            merged.push(list);
        }
    }
    for list in &mut merged {
        list.members.sort_unstable();
    }
    merged
}
