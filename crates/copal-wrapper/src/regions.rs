//! Where a wrapper's region and records are on a page.
//!
//! In: a page and a rule. Out: the region's element, and the records as ranges of nodes. O(elements) a selector.

use crate::css::{Arena, Css};
use crate::file::RecordRule;
use copal_dom::{NONE, Node, Page, Tree};
use copal_extract::Parts;

/// The region of records that are found by a name of theirs alone.
pub(crate) const ANYWHERE: &str = "body";

/// True if a selector has more than tags and places.
pub(crate) fn is_named(css: &str) -> bool {
    css.contains(['.', '#', '[']) && !css.contains(":scope")
}

/// Elements that a region's selector may find; the one with most records is taken.
pub(crate) const MOST_REGIONS: usize = 10;

/// Elements that a selector finds below a region, shown and not inside of one another.
pub(crate) fn heads_of(page: &Page, arena: &Arena<'_>, region: Node, css: &Css) -> Vec<Node> {
    let mut heads: Vec<Node> = Vec::new();
    for node in css.select_below(arena, region) {
        let nested = heads.last().is_some_and(|&last| page.tree.contains(last, node));
        if !nested && page.styles.is_shown(node) {
            heads.push(node);
        }
    }
    heads
}

/// True if one of these nodes is inside of an element.
pub(crate) fn has_inside(tree: &Tree, element: Node, nodes: &[Node]) -> bool {
    let at = nodes.partition_point(|&node| node <= element);
    nodes.get(at).is_some_and(|&node| node < tree.end(element))
}

/// The records by the selector of a number.
pub(crate) fn records(
    page: &Page,
    arena: &Arena<'_>,
    region: Node,
    rule: &RecordRule,
    number: usize,
) -> Vec<Parts> {
    let tree = &page.tree;
    let Some(Ok(css)) = rule.find.get(number).map(|css| Css::parse(css)) else { return Vec::new() };
    let mut heads = heads_of(page, arena, region, &css);
    if let Some(Ok(needs)) = rule.needs.as_ref().map(|css| Css::parse(css)) {
        let inside = needs.select_below(arena, region);
        heads.retain(|&head| has_inside(tree, head, &inside));
    }
    extended(page, &heads, rule.elements)
}

/// The records that begin with these elements; those that show nothing are none.
pub(crate) fn extended(page: &Page, heads: &[Node], elements: usize) -> Vec<Parts> {
    let tree = &page.tree;
    let mut records = Vec::with_capacity(heads.len());
    let mut behind = 0;
    for (at, &head) in heads.iter().enumerate() {
        // the elements of the record before reach as far as this one
        if head < behind {
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
        behind = end;
        records.push(Parts::from_elem(head..end, 1));
    }
    // what shows nothing is no record
    records.retain(|parts| page.index.leaves(&parts[0]) + page.index.images(&parts[0]) > 0);
    records
}
