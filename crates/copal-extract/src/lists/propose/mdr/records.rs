//! Records inside data regions (section 3.3, Figures 11 to 18) and outside them (section 3.4, Figures 19 and
//! 20).
//!
//! In: data regions. Out: list candidates, whose records may consist of several parts (non-contiguous
//! records). Cost: O(tag nodes of the regions) comparisons.

use super::{DataRegion, to_candidate};
use crate::lists::candidate::ListCandidate;
use crate::structure::similar::TagStringMatcher;
use crate::structure::tag_tree::{TagNode, TagTree};
use copal_dom::Page;
use copal_model::Parts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Rows that are joined to records at most; each is compared with those before it.
const MAX_JOINED_ROWS: usize = 64;

/// A record in the tag tree: its runs of adjacent siblings, each as (first, last).
type SiblingRuns = Vec<(TagNode, TagNode)>;

/// The records that one data region (or two joined ones) was split into.
struct RegionSplit {
    /// Index of the data region that the records come from.
    region: usize,
    records: Vec<SiblingRuns>,
    /// True if the records are children of the generalised nodes instead of the generalised nodes themselves.
    below: bool,
}

pub(super) fn find(
    page: &Page,
    tags: &TagTree,
    matcher: &mut TagStringMatcher<'_>,
    regions: &[DataRegion],
) -> Vec<ListCandidate> {
    let mut finder = RecordFinder { page, tags, matcher };
    let joined = finder.join_rows(regions);
    let used: FxHashSet<usize> = joined.iter().flat_map(|join| join.0.iter().copied()).collect();
    let mut splits: Vec<RegionSplit> = joined
        .into_iter()
        .map(|(from, records)| RegionSplit { region: from[0], records, below: true })
        .collect();
    for (i, region) in regions.iter().enumerate().filter(|(i, _)| !used.contains(i)) {
        splits.push(finder.split(i, region));
    }
    let covered = covered_children(regions);
    for split in &mut splits {
        finder.add_outside(&regions[split.region], &covered, split);
    }
    splits.into_iter().filter_map(|split| to_candidate(page, finder.parts(&split.records))).collect()
}

/// For every parent of data regions, the children that some region covers.
fn covered_children(regions: &[DataRegion]) -> FxHashMap<TagNode, FxHashSet<TagNode>> {
    let mut covered: FxHashMap<TagNode, FxHashSet<TagNode>> = FxHashMap::default();
    for region in regions {
        covered.entry(region.parent).or_default().extend(&region.covered);
    }
    covered
}

struct RecordFinder<'a, 't> {
    page: &'a Page,
    tags: &'a TagTree,
    matcher: &'a mut TagStringMatcher<'t>,
}

impl RecordFinder<'_, '_> {
    fn are_similar(&mut self, a: TagNode, b: TagNode) -> bool {
        self.matcher.are_similar(&(a..self.tags.end(a)), &(b..self.tags.end(b)))
    }

    /// The children of a node if there are two or more and each is similar to the next.
    fn similar_children(&mut self, at: TagNode) -> Option<Vec<TagNode>> {
        let children: Vec<TagNode> = self.tags.children(at).collect();
        let similar =
            children.len() >= 2 && children.windows(2).all(|pair| self.are_similar(pair[0], pair[1]));
        similar.then_some(children)
    }

    /// Figures 12 and 15 for all generalised nodes of a region. All rows are split the same way, the way that
    /// most of them suggest: a mixture of rows and cells would not be a list.
    fn split(&mut self, index: usize, region: &DataRegion) -> RegionSplit {
        let groups: Vec<&[TagNode]> = region.covered.chunks(region.length).collect();
        let inner_records: Vec<Option<Vec<SiblingRuns>>> =
            groups.iter().map(|group| self.inner_records(group)).collect();
        let below = 2 * inner_records.iter().filter(|p| p.is_some()).count() > groups.len();
        let mut records = Vec::new();
        for (group, inner) in groups.iter().zip(inner_records) {
            match inner {
                Some(inner) if below => records.extend(inner),
                _ => records.push(vec![(group[0], group[group.len() - 1])]),
            }
        }
        RegionSplit { region: index, records, below }
    }

    /// The records inside one generalised node, if there are several.
    fn inner_records(&mut self, group: &[TagNode]) -> Option<Vec<SiblingRuns>> {
        // Figure 12: the children of a single node, unless the node is the row of a data table
        if let [one] = group {
            let children = self.similar_children(*one)?;
            return (!self.is_table_row(&children)).then(|| children.iter().map(|&c| vec![(c, c)]).collect());
        }
        // Figure 15: the first children of all nodes form a record, so do the second ones, and so on (Figures
        // 17 and 18)
        let rows: Vec<Vec<TagNode>> =
            group.iter().map(|&row| self.similar_children(row)).collect::<Option<_>>()?;
        let width = rows[0].len();
        rows.iter().all(|row| row.len() == width).then(|| zip_rows(&rows))
    }

    /// Figure 13: true if every cell is a single text or a single image.
    fn is_table_row(&self, cells: &[TagNode]) -> bool {
        cells.iter().all(|&cell| {
            let nodes = self.tags.nodes(self.page, cell, cell);
            self.page.index.leaves(&nodes) + self.page.index.images(&nodes) <= 1
        })
    }

    /// The second non-contiguous case: adjacent rows are regions of their own with equally many children that
    /// differ from row to row (names, texts, prices). The rows are joined position by position.
    fn join_rows(&mut self, regions: &[DataRegion]) -> Vec<(Vec<usize>, Vec<SiblingRuns>)> {
        let mut by_parent: FxHashMap<TagNode, Vec<usize>> = FxHashMap::default();
        for (i, region) in regions.iter().enumerate() {
            by_parent.entry(region.parent).or_default().push(i);
        }
        // only parents that are one region from their first child to their last
        let whole_region = |at: TagNode| match by_parent.get(&at)?.as_slice() {
            [one]
                if regions[*one].length == 1
                    && regions[*one].covered.len() == self.tags.children(at).count() =>
            {
                Some(*one)
            }
            _ => None,
        };
        let next_row = |row: usize| {
            let above = self.tags.parent[regions[row].parent as usize];
            let next = self.tags.end(regions[row].parent);
            let is_inside = above != copal_dom::NONE && next < self.tags.end(above);
            let next = whole_region(next).filter(|_| is_inside)?;
            (regions[next].covered.len() == regions[row].covered.len()).then_some(next)
        };
        let mut chains: Vec<Vec<usize>> = Vec::new();
        let mut used: FxHashSet<usize> = FxHashSet::default();
        for first in 0..regions.len() {
            if whole_region(regions[first].parent) != Some(first) || used.contains(&first) {
                continue;
            }
            let mut chain = vec![first];
            while let Some(next) =
                chain.last().and_then(|&last| next_row(last)).filter(|next| !used.contains(next))
            {
                chain.push(next);
                used.insert(next);
            }
            chains.push(chain);
        }
        let mut joined = Vec::new();
        for chain in chains.into_iter().filter(|chain| chain.len() > 1) {
            self.join_chain(regions, &chain, &mut joined);
        }
        joined
    }

    /// Joins the rows of a chain. A row that is like an earlier one begins the next records: names, prices,
    /// names, prices.
    fn join_chain(
        &mut self,
        regions: &[DataRegion],
        chain: &[usize],
        joined: &mut Vec<(Vec<usize>, Vec<SiblingRuns>)>,
    ) {
        let mut rows: Vec<usize> = Vec::new();
        for &next in chain.iter().take(MAX_JOINED_ROWS) {
            let sample = regions[next].covered[0];
            let repeats = rows.iter().any(|&row| self.are_similar(regions[row].covered[0], sample));
            if repeats {
                push_joined(regions, &mut rows, joined);
            }
            rows.push(next);
        }
        push_joined(regions, &mut rows, joined);
    }

    /// Section 3.4: adds siblings of the region, or their children, that are similar to one of its records.
    fn add_outside(
        &mut self,
        region: &DataRegion,
        covered: &FxHashMap<TagNode, FxHashSet<TagNode>>,
        split: &mut RegionSplit,
    ) {
        let is_single_node = |runs: &SiblingRuns| matches!(runs.as_slice(), [(first, last)] if first == last);
        let Some(sample) = split.records.iter().rev().find(|runs| is_single_node(runs)).map(|runs| runs[0].0)
        else {
            return;
        };
        let siblings: Vec<TagNode> = self
            .tags
            .children(region.parent)
            .filter(|child| !covered[&region.parent].contains(child))
            .collect();
        for sibling in siblings {
            let outside: Vec<TagNode> =
                if split.below { self.tags.children(sibling).collect() } else { vec![sibling] };
            for at in outside {
                if self.are_similar(at, sample) {
                    split.records.push(vec![(at, at)]);
                }
            }
        }
        split.records.sort();
    }

    fn parts(&self, records: &[SiblingRuns]) -> Vec<Parts> {
        let part = |&(first, last): &(TagNode, TagNode)| self.tags.nodes(self.page, first, last);
        records.iter().map(|runs| runs.iter().map(part).collect()).collect()
    }
}

/// Adds the records of rows that belong together, if there are several rows.
fn push_joined(
    regions: &[DataRegion],
    rows: &mut Vec<usize>,
    joined: &mut Vec<(Vec<usize>, Vec<SiblingRuns>)>,
) {
    let rows = std::mem::take(rows);
    if rows.len() > 1 {
        let nodes: Vec<Vec<TagNode>> = rows.iter().map(|&row| regions[row].covered.clone()).collect();
        joined.push((rows, zip_rows(&nodes)));
    }
}

/// The first nodes of all rows as one record, then the second ones, and so on.
fn zip_rows(rows: &[Vec<TagNode>]) -> Vec<SiblingRuns> {
    (0..rows[0].len()).map(|i| rows.iter().map(|row| (row[i], row[i])).collect()).collect()
}
