//! The records of a region, found by one selector.
//!
//! In: a page, a region's element and a [`RecordRule`]. Out: the records as ranges of nodes. O(elements) per
//! selector.

use crate::format::RecordRule;
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use copal_dom::{NONE, Node, Page, Tree};
use copal_extract::Parts;

/// The region of records that are found by a name of their own, wherever they are.
pub(crate) const ANYWHERE: &str = "body";

/// True if a selector has a class, an id or an HTML attribute, and not only tags and positions.
pub(crate) fn is_named(css: &str) -> bool {
    css.contains(['.', '#', '[']) && !css.contains(":scope")
}

/// Maximum number of elements that a region's selector may find. The one with the most records is the region.
pub(crate) const MAX_REGION_ELEMENTS: usize = 10;

/// The visible elements that a selector finds inside a region, without those inside another of them.
pub(crate) fn record_heads(page: &Page, index: &ElementIndex<'_>, region: Node, css: &Css) -> Vec<Node> {
    let mut heads: Vec<Node> = Vec::new();
    for node in css.select_below(index, region) {
        let nested = heads.last().is_some_and(|&last| page.tree.contains(last, node));
        if !nested && page.styles.is_shown(node) {
            heads.push(node);
        }
    }
    heads
}

/// True if one of these nodes (in document order) is inside an element.
pub(crate) fn has_inside(tree: &Tree, element: Node, nodes: &[Node]) -> bool {
    let at = nodes.partition_point(|&node| node <= element);
    nodes.get(at).is_some_and(|&node| node < tree.end(element))
}

/// The records that the rule's selector with this number finds, from 0.
pub(crate) fn records_by_selector(
    page: &Page,
    index: &ElementIndex<'_>,
    region: Node,
    rule: &RecordRule,
    number: usize,
) -> Vec<Parts> {
    let tree = &page.tree;
    let Some(Ok(css)) = rule.find.get(number).map(|css| Css::parse(css)) else { return Vec::new() };
    let mut heads = record_heads(page, index, region, &css);
    if let Some(Ok(needs)) = rule.needs.as_ref().map(|css| Css::parse(css)) {
        let inside = needs.select_below(index, region);
        heads.retain(|&head| has_inside(tree, head, &inside));
    }
    records_from_heads(page, &heads, rule.elements)
}

/// The records that begin with these elements. Records that show nothing are dropped.
pub(crate) fn records_from_heads(page: &Page, heads: &[Node], elements: usize) -> Vec<Parts> {
    let tree = &page.tree;
    let mut records = Vec::with_capacity(heads.len());
    let mut previous_end = 0;
    for (at, &head) in heads.iter().enumerate() {
        // This element belongs to the previous record.
        if head < previous_end {
            continue;
        }
        let stop = heads.get(at + 1).copied().unwrap_or(Node::MAX);
        let (mut end, mut count, mut next) = (tree.end(head), 1, tree.next_sibling(head));
        while next != NONE && next < stop && (count < elements || elements == 0) {
            if !tree.is_text(next) && page.styles.is_shown(next) {
                count += 1;
                end = tree.end(next);
            }
            next = tree.next_sibling(next);
        }
        previous_end = end;
        records.push(Parts::from_elem(head..end, 1));
    }
    records.retain(|parts| page.index.leaves(&parts[0]) + page.index.images(&parts[0]) > 0);
    records
}
