//! Exact borders of a region's records.
//!
//! In: a region. Out: the same with its records repaired, in this order: climb (an element that holds but one record
//! belongs to it), drop (heads of tables, odd ends).

use crate::model::{Found, Parts};
use copal_dom::{NONE, Node, Page, tags};
use rustc_hash::FxHashSet;

pub(super) fn refine(page: &Page, found: &mut Found) {
    climb(page, found);
    drop_heads(page, found);
    drop_odd_ends(page, found);
}

/// Likeness to the middle records below which an end of the list is not of it, and that the others must have.
const ODD: f64 = 0.2;
const EVEN: f64 = 0.6;
/// Records at each end that may be odd.
const ENDS: usize = 2;

/// The first and last records that are built quite unlike all others: heads, forms, pagers in the same element.
fn drop_odd_ends(page: &Page, found: &mut Found) {
    let n = found.records.len();
    if n < 2 * ENDS + 3 {
        return;
    }
    let sets: Vec<FxHashSet<u32>> = found.records.iter().map(|parts| paths(page, parts)).collect();
    let middle: Vec<&FxHashSet<u32>> = sets[ENDS..n - ENDS].iter().step_by((n / 16).max(1)).collect();
    let usual = |set: &FxHashSet<u32>| {
        let mut all: Vec<f64> = middle.iter().map(|other| jaccard(set, other)).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let even = middle.iter().map(|set| usual(set)).sum::<f64>() / middle.len() as f64;
    if even < EVEN {
        return;
    }
    let is_odd = |i: usize| usual(&sets[i]) < ODD;
    let first = (0..ENDS).rev().find(|&i| is_odd(i)).map_or(0, |i| i + 1);
    let last = (n - ENDS..n).find(|&i| is_odd(i)).unwrap_or(n);
    found.records.truncate(last);
    found.records.drain(..first);
}

fn paths(page: &Page, parts: &Parts) -> FxHashSet<u32> {
    let nodes = parts.iter().flat_map(Clone::clone);
    let leaf = |&node: &Node| {
        page.tree.is_text(node) && page.index.leaves(&(node..node + 1)) > 0
            || page.tree.tag(node) == tags::IMG
    };
    nodes.filter(leaf).map(|node| page.index.path(node)).collect()
}

fn jaccard(a: &FxHashSet<u32>, b: &FxHashSet<u32>) -> f64 {
    let both = a.intersection(b).count();
    let any = a.len() + b.len() - both;
    if any == 0 { 0.0 } else { both as f64 / any as f64 }
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
            if parent == NONE
                || tree.tag(parent) == tags::BODY
                || !tree.contains(found.root, parent)
                || parent == found.root
            {
                return;
            }
            above.push(parent);
        }
        if above.windows(2).any(|pair| {
            pair[0] == pair[1] || tree.contains(pair[0], pair[1]) || tree.contains(pair[1], pair[0])
        }) {
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
