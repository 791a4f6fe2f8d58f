//! Records of a data area (section 4.4, Definitions 7 and 8, Algorithms 2 and 3).
//!
//! In: a [`PivotArea`]. Out: records as runs of sibling nodes. One level is segmented as follows: find the
//! leading nodes (those that are or contain pivots) and their most frequent distance `len`; find the longest
//! chain of leading nodes that are at least `len` apart, which drops superfluous pivots; choose the most
//! regular shift of the window of `len` nodes; add windows without a pivot that look like the others. The
//! segmentation continues one level down while all but one of the records split again. O(len * nodes) per
//! level.

use super::areas::PivotArea;
use crate::lists::candidate::one_part;
use crate::structure::measure::{jaccard, mean};
use copal_dom::{NONE, Node, Page, tags};
use copal_model::Parts;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Maximum number of nodes per window.
const MAX_WINDOW_LENGTH: usize = 128;
/// Longer windows are only considered if no two leading nodes are this close: long distances are often
/// multiples of the right one.
const USUAL_WINDOW_LENGTH: usize = 32;
/// How many levels below the root of an area may be segmented.
const MAX_SEGMENTED_LEVELS: usize = 6;
/// A window without a pivot must have at least this similarity to the others (Jaccard index of class paths).
const MIN_WINDOW_SIMILARITY: f64 = 0.6;
/// How many windows are compared to decide whether windows are similar.
const MAX_SAMPLED_WINDOWS: usize = 24;

/// Algorithm 3: the records of an area.
pub(super) fn segment(page: &Page, area: &PivotArea) -> Vec<Parts> {
    let mut level = children(page, &[area.root]);
    let mut records = same_level(page, &level, &area.pivots);
    for _ in 0..MAX_SEGMENTED_LEVELS {
        // skip levels where every node has a single child: nothing can be split there
        let tops: Vec<Node> =
            records.iter().flat_map(|&(first, last)| level[first..=last].iter().copied()).collect();
        let mut below = children(page, &tops);
        while below.len() == tops.len() && !below.is_empty() {
            below = children(page, &below);
        }
        if below.len() < 2 * tops.len().saturating_sub(1) {
            break;
        }
        let deeper = same_level(page, &below, &area.pivots);
        if !splits(page, &level, &records, &below, &deeper) {
            break;
        }
        (level, records) = (below, deeper);
    }
    records.into_iter().map(|window| one_part(nodes(page, &level, window))).collect()
}

fn children(page: &Page, nodes: &[Node]) -> Vec<Node> {
    let shown = |&node: &Node| page.styles.is_shown(node);
    nodes.iter().flat_map(|&node| page.tree.elements(node).filter(shown).collect::<Vec<_>>()).collect()
}

/// True if at least all but one of the old records contain two or more new ones, and the new ones look like
/// records.
fn splits(
    page: &Page,
    level: &[Node],
    old: &[(usize, usize)],
    below: &[Node],
    new: &[(usize, usize)],
) -> bool {
    if old.is_empty() || new.len() < 2 * (old.len() - 1) + 1 {
        return false;
    }
    let new: Vec<Range<Node>> = new.iter().map(|window| nodes(page, below, *window)).collect();
    // windows are sorted and do not overlap: those inside an old record are consecutive
    let holds = |outer: Range<Node>| {
        new.partition_point(|inner| inner.end <= outer.end)
            - new.partition_point(|inner| inner.start < outer.start)
    };
    let split = old.iter().filter(|window| holds(nodes(page, level, **window)) > 1).count();
    split + 1 >= old.len() && split > 0 && are_records(page, &new)
}

/// True if most of them have more than a single text or image, and they are similar.
fn are_records(page: &Page, records: &[Range<Node>]) -> bool {
    let rich = records.iter().filter(|nodes| page.index.leaves(nodes) + page.index.images(nodes) > 1).count();
    4 * rich >= 3 * records.len()
        && likeness(page, records.iter().take(MAX_SAMPLED_WINDOWS).cloned()) >= MIN_WINDOW_SIMILARITY
}

/// The nodes of a window.
fn nodes(page: &Page, level: &[Node], (first, last): (usize, usize)) -> Range<Node> {
    level[first]..page.tree.end(level[last])
}

/// The class paths of the elements that are shown, sorted and without duplicates.
fn class_paths(page: &Page, nodes: impl Iterator<Item = Node>) -> Vec<u32> {
    let shown = nodes.filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node));
    let mut paths: Vec<u32> = shown.map(|node| page.index.class_path(node)).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Algorithm 2: the windows of a level in order, as (first, last) indexes. If pivots are missing, the most
/// frequent distance may be a multiple of the right one. A shorter frequent distance is therefore preferred
/// if its windows cover almost as much and look like records.
fn same_level(page: &Page, level: &[Node], pivots: &[Node]) -> Vec<(usize, usize)> {
    let leading: Vec<usize> = leading(page, level, pivots);
    let distances = common_distances(&leading);
    let Some((&most_frequent, shorter)) = distances.split_last() else { return Vec::new() };
    let windows = with_length(page, level, &leading, most_frequent);
    let covered = windows.len() * most_frequent;
    for &len in shorter {
        let finer = with_length(page, level, &leading, len);
        let ranges: Vec<Range<Node>> = finer.iter().map(|window| nodes(page, level, *window)).collect();
        // if no pivot were missing, every window would have one
        let missing = finer.len() > chain(&leading, len).len();
        if missing && 3 * finer.len() * len >= 2 * covered && are_records(page, &ranges) {
            return finer;
        }
    }
    windows
}

/// The windows of one length.
fn with_length(page: &Page, level: &[Node], leading: &[usize], len: usize) -> Vec<(usize, usize)> {
    let chain = chain(leading, len);
    // how many nodes of the window have the same parent
    let room = |start: usize| {
        let parent = page.tree.parent(level[start]);
        let window = &level[start..level.len().min(start + len)];
        window.iter().take_while(|&&node| page.tree.parent(node) == parent).count()
    };
    let fits = |start: usize| start + len <= level.len() && room(start) == len;
    let led = |shift: usize| -> Vec<usize> {
        let starts = chain.iter().filter_map(|&at| at.checked_sub(shift));
        // the last window may lack separators; it must have its pivot and half of the other nodes
        starts.filter(|&start| fits(start) || room(start) > shift && 2 * room(start) >= len).collect()
    };
    let windows = |shift: usize| -> Vec<usize> {
        let mut starts = led(shift);
        add_windows_without_pivot(page, level, len, &mut starts, &fits);
        starts
    };
    // hashes of the tags, and of the tags with their classes
    let signature = |start: usize| {
        let (mut tags, mut full) = (FxHasher::default(), FxHasher::default());
        for &node in &level[start..start + room(start)] {
            page.tree.tag(node).hash(&mut tags);
            (page.tree.tag(node), page.index.class(node)).hash(&mut full);
        }
        (tags.finish(), full.finish())
    };
    let score = |starts: &[usize]| {
        let (tags, full): (Vec<u64>, Vec<u64>) = starts.iter().map(|&start| signature(start)).unzip();
        let (tags, full) = (highest_frequency(tags), highest_frequency(full));
        // a heading begins a record and a rule ends one: this counts half as much as equal windows
        let begins = |start: &&usize| tags::is_heading(page.tree.tag(level[**start]));
        let ends = |start: &&usize| page.tree.tag(level[**start + room(**start) - 1]) == tags::HR;
        let natural = starts.iter().filter(|start| begins(start) || ends(start)).count() as u32;
        (2 * tags + natural, full)
    };
    let by_shift: Vec<(u32, u32)> = (0..len).map(|shift| score(&led(shift))).collect();
    let best = by_shift.iter().map(|score| score.0).max().unwrap_or(0);
    // a missing pivot at either end costs the right shift one window: shifts that are this close are compared
    // by all their windows, with and without pivots
    let near = (0..len).filter(|&shift| by_shift[shift].0 + 2 >= best);
    let near = near.map(|shift| (score(&windows(shift)), by_shift[shift], std::cmp::Reverse(shift)));
    let Some((.., std::cmp::Reverse(shift))) = near.max() else { return Vec::new() };
    windows(shift).into_iter().map(|start| (start, start + room(start) - 1)).collect()
}

/// The indexes of the nodes of a level that are or contain a pivot.
fn leading(page: &Page, level: &[Node], pivots: &[Node]) -> Vec<usize> {
    let holds = |node: Node| {
        let first = pivots.partition_point(|&pivot| pivot < node);
        pivots.get(first).is_some_and(|&pivot| pivot < page.tree.end(node))
    };
    (0..level.len()).filter(|&i| holds(level[i])).collect()
}

/// The most frequent distance between leading nodes (the smaller one on ties), preceded by its divisors that
/// are at least half as frequent, in ascending order.
fn common_distances(leading: &[usize]) -> Vec<usize> {
    let mut counts = [0u32; MAX_WINDOW_LENGTH + 1];
    for (i, &from) in leading.iter().enumerate() {
        for &to in leading[i + 1..].iter().take_while(|&&to| to - from <= MAX_WINDOW_LENGTH) {
            counts[to - from] += 1;
        }
    }
    let is_usual = counts[1..=USUAL_WINDOW_LENGTH].iter().any(|&count| count > 0);
    let longest = if is_usual { USUAL_WINDOW_LENGTH } else { MAX_WINDOW_LENGTH };
    let most = (1..=longest).max_by_key(|&k| (counts[k], std::cmp::Reverse(k))).unwrap_or(1);
    (1..=most).filter(|&k| most % k == 0 && counts[k] > 0 && 2 * counts[k] >= counts[most]).collect()
}

/// Definition 8, whose text is incomplete in the thesis and was reconstructed: the longest chain of leading
/// nodes that are at least `len` apart; among those the one with the most gaps of exactly `len`, and then the
/// one that begins earliest.
fn chain(leading: &[usize], len: usize) -> Vec<usize> {
    #[derive(Clone, Copy)]
    struct BestChain {
        nodes: u32,
        exact: u32,
        from: usize,
    }
    let mut best: Vec<BestChain> = Vec::with_capacity(leading.len());
    // the best chain that ends at or before each position
    let mut prefix: Vec<usize> = Vec::with_capacity(leading.len());
    for (i, &at) in leading.iter().enumerate() {
        let mut own = BestChain { nodes: 1, exact: 0, from: usize::MAX };
        let reachable = leading[..i].partition_point(|&p| p + len <= at);
        if reachable > 0 {
            let from = prefix[reachable - 1];
            own = BestChain { nodes: best[from].nodes + 1, exact: best[from].exact, from };
            if leading[reachable - 1] + len == at {
                let near = best[reachable - 1];
                if (near.nodes + 1, near.exact + 1) >= (own.nodes, own.exact) {
                    own = BestChain { nodes: near.nodes + 1, exact: near.exact + 1, from: reachable - 1 };
                }
            }
        }
        best.push(own);
        let before = prefix.last().copied();
        let better = before.is_none_or(|b| (own.nodes, own.exact) > (best[b].nodes, best[b].exact));
        prefix.push(if better { i } else { before.unwrap_or(i) });
    }
    let mut chain = Vec::new();
    let mut at = prefix.last().copied().unwrap_or(usize::MAX);
    while at != usize::MAX {
        chain.push(leading[at]);
        at = best[at].from;
    }
    chain.reverse();
    chain
}

/// How often the most frequent value occurs.
fn highest_frequency(mut values: Vec<u64>) -> u32 {
    values.sort_unstable();
    values.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(0) as u32
}

/// Algorithm 2, lines 13 to 16: adds unused windows that have the tags and most class paths of a window with
/// a pivot.
fn add_windows_without_pivot(
    page: &Page,
    level: &[Node],
    len: usize,
    starts: &mut Vec<usize>,
    fits: &dyn Fn(usize) -> bool,
) {
    let whole: Vec<usize> = starts.iter().copied().filter(|&start| fits(start)).collect();
    let Some(&sample) = whole.get(whole.len() / 2) else { return };
    let tags =
        |start: usize| level[start..start + len].iter().map(|&node| page.tree.tag(node)).collect::<Vec<_>>();
    let (want, paths) = (tags(sample), class_paths(page, nodes(page, level, (sample, sample + len - 1))));
    let mut used = vec![false; level.len()];
    for &start in starts.iter() {
        let end = level.len().min(start + len);
        used[start..end].fill(true);
    }
    let mut at = 0;
    while at + len <= level.len() {
        let free = !used[at..at + len].contains(&true);
        if free
            && fits(at)
            && tags(at) == want
            && jaccard(&paths, &class_paths(page, nodes(page, level, (at, at + len - 1))))
                >= MIN_WINDOW_SIMILARITY
        {
            starts.push(at);
            at += len;
        } else {
            at += 1;
        }
    }
    starts.sort_unstable();
}

/// The mean similarity of adjacent records (Jaccard index of class paths).
pub(super) fn likeness(page: &Page, records: impl Iterator<Item = Range<Node>>) -> f64 {
    let sets: Vec<Vec<u32>> = records.map(|nodes| class_paths(page, nodes)).collect();
    mean(sets.windows(2).map(|pair| jaccard(&pair[0], &pair[1])))
}

/// The similarity of two records (Jaccard index of class paths).
pub(super) fn similarity(page: &Page, a: &Parts, b: &Parts) -> f64 {
    let paths = |parts: &Parts| class_paths(page, parts.iter().cloned().flatten());
    jaccard(&paths(a), &paths(b))
}

/// True if the spans of two lists overlap on the page.
pub(super) fn overlap(a: &[Parts], b: &[Parts]) -> bool {
    let span = |records: &[Parts]| {
        let parts = || records.iter().flatten();
        (parts().map(|p| p.start).min().unwrap_or(NONE), parts().map(|p| p.end).max().unwrap_or(0))
    };
    let ((a0, a1), (b0, b1)) = (span(a), span(b));
    a0 < b1 && b0 < a1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_windows_are_found_if_there_are_no_short_ones() {
        let every = |step: usize| (0..6).map(|at| at * step).collect::<Vec<_>>();
        assert_eq!(common_distances(&every(4)).last(), Some(&4));
        assert_eq!(common_distances(&every(50)).last(), Some(&50));
        // a multiple of a short distance is not a window
        assert_eq!(common_distances(&[0, 20, 40, 80, 120]).last(), Some(&20));
    }

    #[test]
    fn superfluous_pivots_are_not_in_the_chain() {
        // every third node is a leading node; 4 is a crossed-out price inside a record
        assert_eq!(common_distances(&[0, 3, 4, 6, 9, 12]).last(), Some(&3));
        // if pivots are missing, twice the right distance may be the most frequent one
        assert_eq!(common_distances(&[0, 1, 2, 4, 6, 8]), [1, 2]);
        assert_eq!(common_distances(&[4]), [0usize; 0]);
        assert_eq!(chain(&[0, 3, 4, 6, 9, 12], 3), [0, 3, 6, 9, 12]);
        // an advert shifts the following records by one
        assert_eq!(chain(&[0, 3, 7, 10], 3), [0, 3, 7, 10]);
        assert_eq!(chain(&[], 3), [0usize; 0]);
    }
}
