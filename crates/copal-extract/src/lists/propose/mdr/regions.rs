//! Data regions below every node (section 3.2.3, Figures 8 to 10).
//!
//! In: the tag tree. Out: regions that no higher region covers. The paper computes the regions of every node
//! and then drops those of covered children. This implementation never visits covered children, which gives
//! the same regions with less work.

use super::DataRegion;
use crate::structure::similar::TagStringMatcher;
use crate::structure::tag_tree::{TagNode, TagTree};
use std::ops::Range;

/// Figure 8, `FindDRs`, with a work list instead of recursion: pages may be deep.
pub(super) fn find(tags: &TagTree, matcher: &mut TagStringMatcher<'_>, longest: usize) -> Vec<DataRegion> {
    let mut regions = Vec::new();
    let mut todo: Vec<TagNode> = if tags.len() > 0 { vec![0] } else { Vec::new() };
    while let Some(at) = todo.pop() {
        if tags.height[at as usize] < 3 {
            continue;
        }
        let children: Vec<TagNode> = tags.children(at).collect();
        let mut covered = vec![false; children.len()];
        for (start, length, count) in identify(tags, matcher, &children, longest) {
            covered[start..start + count].fill(true);
            regions.push(DataRegion { parent: at, length, covered: children[start..start + count].to_vec() });
        }
        // Figure 10, UnCoveredDRs: only children outside the regions are searched
        todo.extend(
            children.iter().zip(&covered).rev().filter(|(_, covered)| !**covered).map(|(&child, _)| child),
        );
    }
    regions
}

/// Figure 9, `IdentDRs`. Returns (first child, length of a generalised node, number of children covered) per
/// region.
fn identify(
    tags: &TagTree,
    matcher: &mut TagStringMatcher<'_>,
    children: &[TagNode],
    longest: usize,
) -> Vec<(usize, usize, usize)> {
    let mut regions = Vec::new();
    let longest = longest.min(children.len() / 2);
    let mut pairs = SiblingPairs::new(tags, children, longest);
    let mut start = 0;
    while start + 1 < children.len() {
        let mut best: Option<(usize, usize, usize)> = None;
        for length in 1..=longest {
            for first in start..start + length {
                // a longer combination wins only if it begins no later and covers more children
                let (latest, enough) = best.map_or((usize::MAX, 0), |(begin, _, count)| (begin, count));
                if children.len().saturating_sub(first) <= enough {
                    break;
                }
                let Some(begin) = pairs.next_similar(matcher, length, first, latest) else { continue };
                if children.len() - begin <= enough {
                    continue;
                }
                let mut count = 2 * length;
                while pairs.are_similar(matcher, length, begin + count - length) {
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

/// Figure 6, `CombComp`: are the `length` siblings from `first` on similar to the `length` siblings after
/// them?
///
/// Pairs are compared only when needed. The position of the next similar pair is remembered per phase,
/// so that the search after a region does not repeat comparisons.
struct SiblingPairs<'a> {
    tags: &'a TagTree,
    children: &'a [TagNode],
    /// The last search, by length and phase: first the only phase of length 1, then the two of length 2.
    searches: Vec<PairSearch>,
}

/// From `from` to `upto` (in steps of the length) no pair is similar; the pair at `upto` is if `hit` is true.
#[derive(Clone, Copy, Default)]
struct PairSearch {
    from: usize,
    upto: usize,
    hit: bool,
}

impl<'a> SiblingPairs<'a> {
    fn new(tags: &'a TagTree, children: &'a [TagNode], longest: usize) -> Self {
        let nothing = |phase| PairSearch { from: phase, upto: phase, hit: false };
        let searches = (1..=longest).flat_map(|length| (0..length).map(nothing)).collect();
        SiblingPairs { tags, children, searches }
    }

    /// The place of a length and phase in the searches.
    fn place(length: usize, phase: usize) -> usize {
        length * (length - 1) / 2 + phase
    }

    fn slice(&self, first: usize, length: usize) -> Range<TagNode> {
        self.children[first]..self.tags.end(self.children[first + length - 1])
    }

    fn are_similar(&self, matcher: &mut TagStringMatcher<'_>, length: usize, first: usize) -> bool {
        first + 2 * length <= self.children.len()
            && matcher.are_similar(&self.slice(first, length), &self.slice(first + length, length))
    }

    /// The first position from `first` in steps of `length`, at most `latest`, whose pair is similar.
    fn next_similar(
        &mut self,
        matcher: &mut TagStringMatcher<'_>,
        length: usize,
        first: usize,
        latest: usize,
    ) -> Option<usize> {
        let place = Self::place(length, first % length);
        let mut search = self.searches[place];
        if first < search.from || search.upto < first {
            search = PairSearch { from: first, upto: first, hit: false };
        }
        while !search.hit && search.upto <= latest && search.upto + 2 * length <= self.children.len() {
            search.hit = self.are_similar(matcher, length, search.upto);
            if !search.hit {
                search.upto += length;
            }
        }
        self.searches[place] = search;
        (search.hit && search.upto <= latest).then_some(search.upto)
    }
}
