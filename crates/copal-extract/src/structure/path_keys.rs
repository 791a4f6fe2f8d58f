//! Path keys: numbers that identify positions below a record.
//!
//! In: a part of a record. Out: for every node a number that is equal for equal positions in all records.
//! O(nodes).

use copal_dom::{AttrName, Node, Page, attrs, tags};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// For every node of a part, a key of its path below the record: tags, stable classes and the columns of
/// table cells.
pub(crate) fn path_keys(page: &Page, part: &Range<Node>, number: usize) -> Vec<u64> {
    keys(page, part, &mut tops(number), &|above, node| step(page, above, node, cell_place))
}

/// Like [`path_keys`], but with the position among siblings of the same tag instead of classes.
pub(crate) fn place_keys(page: &Page, part: &Range<Node>, number: usize) -> Vec<u64> {
    let mut seen: FxHashMap<(Node, u16), u64> = FxHashMap::default();
    let places: Vec<u64> = part
        .clone()
        .map(|node| {
            let place = seen.entry((page.tree.parent(node), page.tree.tag(node))).or_default();
            *place += 1;
            *place
        })
        .collect();
    keys(page, part, &mut tops(number), &|above, node| {
        mix(above ^ mix(u64::from(page.tree.tag(node)) << 40 | places[(node - part.start) as usize]))
    })
}

/// Gives keys to the top-level elements of a record's part; `number` is the index of the part in its record.
pub(crate) fn tops(number: usize) -> impl FnMut(Node) -> u64 {
    let mut tops = 0u64;
    move |_| {
        tops += 1;
        mix((number as u64) << 32 | tops)
    }
}

/// A key for every node of a part. `top` gives the keys of top-level elements; `step` derives the key of any
/// other node from that of its parent.
pub(crate) fn keys(
    page: &Page,
    part: &Range<Node>,
    top: &mut dyn FnMut(Node) -> u64,
    step: &dyn Fn(u64, Node) -> u64,
) -> Vec<u64> {
    let mut keys: Vec<u64> = Vec::with_capacity(part.len());
    for node in part.clone() {
        let parent = page.tree.parent(node);
        let is_top = node == part.start || parent < part.start;
        let key = if is_top { top(node) } else { step(keys[(parent - part.start) as usize], node) };
        keys.push(key);
    }
    keys
}

/// The key of a node, derived from the key of its parent. `place` gives the column of a table cell.
pub(crate) fn step(page: &Page, above: u64, node: Node, place: impl Fn(&Page, Node) -> u16) -> u64 {
    let tag = page.tree.tag(node);
    // the cells of a row differ only by their column
    let place = if matches!(tag, tags::TD | tags::TH) { place(page, node) } else { 0 };
    mix(above ^ mix(u64::from(tag) << 48 | u64::from(place) << 32 | u64::from(page.index.class(node))))
}

/// The key of a field that is named by a term, derived from the key of its parent.
pub(crate) fn named_step(above: u64, term: u64) -> u64 {
    mix(above ^ mix(term))
}

/// How many rows or columns a cell spans. A row span of 0 means all remaining rows.
pub(crate) fn span(page: &Page, cell: Node, name: AttrName) -> u16 {
    page.tree
        .attr(cell, name)
        .and_then(|span| span.trim().parse::<u16>().ok())
        .map_or(1, |span| span.min(1000))
}

/// The column of a cell, counted from the preceding cells of its row.
pub(crate) fn cell_place(page: &Page, cell: Node) -> u16 {
    let tree = &page.tree;
    let mut place = 1u16;
    let mut before = tree.prev_sibling(cell);
    while before != copal_dom::NONE && place < 1000 {
        if matches!(tree.tag(before), tags::TD | tags::TH) {
            place = place.saturating_add(span(page, before, attrs::COLSPAN).max(1));
        }
        before = tree.prev_sibling(before);
    }
    place
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ (x >> 29)
}
