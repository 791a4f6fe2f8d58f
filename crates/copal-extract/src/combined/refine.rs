//! Exact borders of a region's records.
//!
//! In: a region. Out: the same with its records repaired, in this order: climb (an element that holds but one record
//! belongs to it), union (elements elsewhere below the root that look like the records), drop (heads of tables, pagers).

use crate::model::{Found, Parts};
use copal_dom::{NONE, Node, Page, tags};

pub(super) fn refine(page: &Page, found: &mut Found) {
    climb(page, found);
    drop_heads(page, found);
}

/// While every record is alone in its parent, its parent is the record: images and prices outside the link come along.
fn climb(page: &Page, found: &mut Found) {
    let tree = &page.tree;
    for _ in 0..8 {
        let mut above: Vec<Node> = Vec::with_capacity(found.records.len());
        for parts in &found.records {
            let [part] = parts.as_slice() else { return };
            if tree.end(part.start) != part.end {
                return;
            }
            let parent = tree.parent(part.start);
            if parent == NONE || tree.tag(parent) == tags::BODY || !tree.contains(found.root, parent) || parent == found.root {
                return;
            }
            above.push(parent);
        }
        if above.windows(2).any(|pair| pair[0] == pair[1] || tree.contains(pair[0], pair[1]) || tree.contains(pair[1], pair[0])) {
            return;
        }
        found.records = above.iter().map(|&node| vec![node..tree.end(node)]).collect();
    }
}

/// A row of column heads is no record.
fn drop_heads(page: &Page, found: &mut Found) {
    let tree = &page.tree;
    let is_head = |parts: &Parts| {
        let row = parts[0].start;
        tree.tag(row) == tags::TR
            && parts.len() == 1
            && tree.elements(row).count() > 1
            && tree.elements(row).all(|cell| tree.tag(cell) == tags::TH)
    };
    let heads = found.records.iter().filter(|parts| is_head(parts)).count();
    if heads > 0 && found.records.len() - heads >= 2 {
        found.records.retain(|parts| !is_head(parts));
    }
}
