//! How records are built: the paths below a record at which it shows something.
//!
//! In: a record. Out: its [`Shape`], a set of path keys; two shapes have a likeness from 0 to 1. O(nodes of the record).

use crate::model::Parts;
use copal_dom::{Node, Page, tags};
use std::cmp::Ordering;

/// Nodes of a record that are looked at.
const NODES: usize = 1000;

/// Paths of tags from the record's top elements to what it shows: sorted, none twice.
pub(crate) type Shape = Vec<u64>;

/// The shape of a record, wherever it stands on the page.
pub(crate) fn shape(page: &Page, parts: &Parts) -> Shape {
    shape_by(page, parts, &|_, _| 0)
}

/// The shape told by classes and the places of cells too: kinds of rows differ in nothing else.
pub(super) fn fine_shape(page: &Page, parts: &Parts) -> Shape {
    shape_by(page, parts, &|node, cells| {
        let place = if matches!(page.tree.tag(node), tags::TD | tags::TH) { cells + 1 } else { 0 };
        u64::from(page.index.class(node)) << 24 | u64::from(place) << 16
    })
}

/// `more` tells nodes of one tag apart: from the node and the cells before it.
fn shape_by(page: &Page, parts: &Parts, more: &dyn Fn(Node, u8) -> u64) -> Shape {
    let tree = &page.tree;
    let mut cells: Vec<u8> = Vec::new();
    let mut set: Shape = Vec::new();
    let mut keys: Vec<u64> = Vec::new();
    for part in parts {
        keys.clear();
        cells.clear();
        for node in part.clone().take(NODES) {
            let parent = tree.parent(node);
            let above = if parent < part.start || node == part.start {
                0
            } else {
                keys[(parent - part.start) as usize]
            };
            let tag = tree.tag(node);
            let mut before = 0;
            if matches!(tag, tags::TD | tags::TH) && node != part.start && parent >= part.start {
                let count = &mut cells[(parent - part.start) as usize];
                before = *count;
                *count = count.saturating_add(1);
            }
            cells.push(0);
            // the classes of the record itself tell odd rows from even ones
            let more = if parent < part.start || node == part.start { 0 } else { more(node, before) };
            let own = if tag == tags::TEXT || tags::is_formatting(tag) {
                above
            } else {
                (above ^ u64::from(tag) ^ more)
                    .wrapping_add(1)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(29)
            };
            keys.push(own);
            let shows = if tree.is_text(node) {
                page.index.leaves(&(node..node + 1)) > 0
            } else {
                tag == tags::IMG && page.styles.is_shown(node)
            };
            if shows {
                set.push(own);
            }
        }
    }
    set.sort_unstable();
    set.dedup();
    set
}

/// Share of the members of both sorted sets among those of any: 0 if both are empty.
pub(crate) fn jaccard<T: Ord>(a: &[T], b: &[T]) -> f64 {
    let (mut i, mut j, mut both) = (0, 0, 0usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => (i, j, both) = (i + 1, j + 1, both + 1),
        }
    }
    let any = a.len() + b.len() - both;
    if any == 0 { 0.0 } else { both as f64 / any as f64 }
}
