//! Division of the rich data region into candidate lists (section 3.4.2, Algorithm 2, Figure 6).
//!
//! In: the region. Out: groups of sibling elements with a long common tag sequence. [`merge`] joins the
//! sub-lists of one list (OB5, Figure 2). The search is breadth first; an element is divisible if it has more
//! than one keyword and enough text elements. Records of real pages contain several keywords, so siblings
//! that already form a list are not divided. O(text elements) comparisons of tag strings.

use super::common_tags::common_tags;
use super::options::RdrOptions;
use super::text_elements::TextElements;
use copal_dom::{Node, Page};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A candidate list: sibling elements in document order. After [`merge`] it may have elements of several
/// parents.
pub(super) struct SiblingList {
    pub(super) members: Vec<Node>,
}

/// Finds candidate lists below `root`. `keyword_counts` has the number of keywords before each text leaf.
pub(super) fn find(
    page: &Page,
    texts: &TextElements,
    keyword_counts: &[u32],
    root: Node,
    options: &RdrOptions,
) -> Vec<SiblingList> {
    let keywords_in = |node: Node| {
        let leaves = texts.leaves(page, node);
        keyword_counts[leaves.end] - keyword_counts[leaves.start]
    };
    let is_divisible = |node: Node| keywords_in(node) > 1 && texts.count(page, node) > options.divisible;
    let mut lists = Vec::new();
    let mut queue = VecDeque::from([root]);
    while let Some(node) = queue.pop_front() {
        let children: Vec<Node> =
            page.tree.elements(node).filter(|&child| texts.count(page, child) > 0).collect();
        if options.stop_at_lists
            && is_list(page, texts, &children, options)
            && !is_rows(page, texts, &children, options)
        {
            lists.push(SiblingList { members: children });
            continue;
        }
        let (further, group): (Vec<Node>, Vec<Node>) =
            children.into_iter().partition(|&child| is_divisible(child));
        if group.len() > 1 && likeness(page, texts, &group) >= options.common {
            lists.push(SiblingList { members: group });
        }
        queue.extend(further);
    }
    lists
}

fn likeness(page: &Page, texts: &TextElements, members: &[Node]) -> f64 {
    let strings: Vec<_> = members.iter().map(|&node| texts.tags(page, node)).collect();
    common_tags(&strings).likeness
}

/// True for three or more similar siblings most of which have more than one text.
fn is_list(page: &Page, texts: &TextElements, members: &[Node], options: &RdrOptions) -> bool {
    let rich = members.iter().filter(|&&node| texts.count(page, node) > 1).count();
    members.len() >= 3 && 2 * rich > members.len() && likeness(page, texts, members) >= options.common
}

/// True for the rows of a grid and for sub-lists: most members are lists themselves, and the items of all of
/// them are similar.
fn is_rows(page: &Page, texts: &TextElements, members: &[Node], options: &RdrOptions) -> bool {
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

/// Joins lists whose members have the same path and are similar.
pub(super) fn merge(page: &Page, texts: &TextElements, lists: Vec<SiblingList>) -> Vec<SiblingList> {
    let mut merged: Vec<SiblingList> = Vec::new();
    let mut lists_of_path: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for list in lists {
        let same_path = lists_of_path.entry(page.index.path(list.members[0])).or_default();
        let sample = |list: &SiblingList| list.members[list.members.len() / 2];
        let alike = |other: &SiblingList| likeness(page, texts, &[sample(other), sample(&list)]) >= 0.6;
        if let Some(&at) = same_path.iter().find(|&&at| alike(&merged[at])) {
            merged[at].members.extend(list.members);
        } else {
            same_path.push(merged.len());
            merged.push(list);
        }
    }
    for list in &mut merged {
        list.members.sort_unstable();
    }
    merged
}
