//! Data regions below every node (section 3.2.3, Figures 8 to 10).
//!
//! In: the tag tree. Out: regions that no higher region covers. The paper computes every node's regions and then
//! drops those of covered children; here covered children are never looked at, which gives the same regions.

use super::DataRegion;
use crate::structure::similar::Similar;
use crate::structure::tag_tree::{At, TagTree};
use std::ops::Range;

/// Figure 8, `FindDRs`; a work list takes the place of the recursion.
pub(super) fn find(tags: &TagTree, similar: &mut Similar<'_>, longest: usize) -> Vec<DataRegion> {
    let mut regions = Vec::new();
    let mut todo: Vec<At> = if tags.len() > 0 { vec![0] } else { Vec::new() };
    while let Some(at) = todo.pop() {
        if tags.height[at as usize] < 3 {
            continue;
        }
        let children: Vec<At> = tags.children(at).collect();
        let mut covered = vec![false; children.len()];
        for (start, length, count) in identify(tags, similar, &children, longest) {
            covered[start..start + count].fill(true);
            regions.push(DataRegion { parent: at, length, covered: children[start..start + count].to_vec() });
        }
        // Figure 10, UnCoveredDRs: children outside of the regions are searched, the others are not
        todo.extend(
            children.iter().zip(&covered).rev().filter(|(_, covered)| !**covered).map(|(&child, _)| child),
        );
    }
    regions
}

/// Figure 9, `IdentDRs`: (first child, length of a generalised node, children covered) of each region.
fn identify(
    tags: &TagTree,
    similar: &mut Similar<'_>,
    children: &[At],
    longest: usize,
) -> Vec<(usize, usize, usize)> {
    let mut regions = Vec::new();
    let mut pairs = Pairs::new(tags, children, longest);
    let mut start = 0;
    while start + 1 < children.len() {
        let mut best: Option<(usize, usize, usize)> = None;
        for length in 1..=longest.min(children.len() / 2) {
            for first in start..start + length {
                // a longer combination must begin no later and cover more
                let (latest, enough) = best.map_or((usize::MAX, 0), |(begin, _, count)| (begin, count));
                if children.len().saturating_sub(first) <= enough {
                    break;
                }
                let Some(begin) = pairs.next_alike(similar, length, first, latest) else { continue };
                if children.len() - begin <= enough {
                    continue;
                }
                let mut count = 2 * length;
                while pairs.alike(similar, length, begin + count - length) {
                    count += length;
                }
                if count > enough {
                    best = Some((begin, length, count));
                }
            }
        }
        let Some(region) = best else { break };
        start = region.0 + region.2;
        regions.push(region);
    }
    regions
}

/// Figure 6, `CombComp`: are the `length` siblings from `first` like the `length` behind them? Asked when needed, and
/// where the next such place is, remembered by phase, so that going on behind a region costs nothing again.
struct Pairs<'a> {
    tags: &'a TagTree,
    children: &'a [At],
    /// By length and phase.
    next: Vec<Vec<Searched>>,
}

/// From `from` up to `upto` (in steps) no pair is alike; at `upto` one is, if `hit`.
#[derive(Clone, Copy, Default)]
struct Searched {
    from: usize,
    upto: usize,
    hit: bool,
}

impl<'a> Pairs<'a> {
    fn new(tags: &'a TagTree, children: &'a [At], longest: usize) -> Self {
        let nothing = |phase| Searched { from: phase, upto: phase, hit: false };
        let next = (1..=longest).map(|length| (0..length).map(nothing).collect()).collect();
        Pairs { tags, children, next }
    }

    fn slice(&self, first: usize, length: usize) -> Range<At> {
        self.children[first]..self.tags.end(self.children[first + length - 1])
    }

    fn alike(&self, similar: &mut Similar<'_>, length: usize, first: usize) -> bool {
        first + 2 * length <= self.children.len()
            && similar.alike(&self.slice(first, length), &self.slice(first + length, length))
    }

    /// The first place from `first` in steps of `length`, not behind `latest`, whose pair is alike.
    fn next_alike(
        &mut self,
        similar: &mut Similar<'_>,
        length: usize,
        first: usize,
        latest: usize,
    ) -> Option<usize> {
        let mut known = self.next[length - 1][first % length];
        if first < known.from || known.upto < first {
            known = Searched { from: first, upto: first, hit: false };
        }
        while !known.hit && known.upto <= latest && known.upto + 2 * length <= self.children.len() {
            known.hit = self.alike(similar, length, known.upto);
            if !known.hit {
                known.upto += length;
            }
        }
        self.next[length - 1][first % length] = known;
        (known.hit && known.upto <= latest).then_some(known.upto)
    }
}
