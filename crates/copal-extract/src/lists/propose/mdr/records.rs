//! Records of the data regions (section 3.3, Figures 11 to 18) and outside of them (section 3.4, Figures 19 and 20).
//!
//! In: data regions. Out: regions of records, whose parts may be several ranges (non-contiguous records).

use super::{DataRegion, found};
use crate::lists::candidate::ListCandidate;
use crate::structure::similar::Similar;
use crate::structure::tag_tree::{At, TagTree};
use copal_dom::Page;
use copal_model::Parts;
use rustc_hash::{FxHashMap, FxHashSet};

/// A record in terms of the tag tree: runs of adjacent siblings, (first, last).
type Runs = Vec<(At, At)>;

struct Split {
    /// Index of the data region the records come from.
    region: usize,
    records: Vec<Runs>,
    /// Records are children of the generalised nodes, not these themselves.
    below: bool,
}

pub(super) fn find(
    page: &Page,
    tags: &TagTree,
    similar: &mut Similar<'_>,
    regions: &[DataRegion],
) -> Vec<ListCandidate> {
    let mut work = Work { page, tags, similar };
    let joined = work.join_rows(regions);
    let taken: FxHashSet<usize> = joined.iter().flat_map(|join| join.0.iter().copied()).collect();
    let mut splits: Vec<Split> =
        joined.into_iter().map(|(from, records)| Split { region: from[0], records, below: true }).collect();
    for (i, region) in regions.iter().enumerate().filter(|(i, _)| !taken.contains(i)) {
        splits.push(work.split(i, region));
    }
    let covered = covered_children(regions);
    for split in &mut splits {
        work.add_outside(&regions[split.region], &covered, split);
    }
    splits.into_iter().filter_map(|split| found(page, work.parts(&split.records))).collect()
}

/// For every parent of regions, the children that some region covers.
fn covered_children(regions: &[DataRegion]) -> FxHashMap<At, FxHashSet<At>> {
    let mut covered: FxHashMap<At, FxHashSet<At>> = FxHashMap::default();
    for region in regions {
        covered.entry(region.parent).or_default().extend(&region.covered);
    }
    covered
}

struct Work<'a, 't> {
    page: &'a Page,
    tags: &'a TagTree,
    similar: &'a mut Similar<'t>,
}

impl Work<'_, '_> {
    fn alike(&mut self, a: At, b: At) -> bool {
        self.similar.alike(&(a..self.tags.end(a)), &(b..self.tags.end(b)))
    }

    /// Two or more children, each like the next.
    fn similar_children(&mut self, at: At) -> Option<Vec<At>> {
        let children: Vec<At> = self.tags.children(at).collect();
        let alike = children.len() >= 2 && children.windows(2).all(|pair| self.alike(pair[0], pair[1]));
        alike.then_some(children)
    }

    /// Figures 12 and 15, over all generalised nodes of a region: the rows of one region are split alike, as most
    /// of them ask for.
    fn split(&mut self, index: usize, region: &DataRegion) -> Split {
        let groups: Vec<&[At]> = region.covered.chunks(region.length).collect();
        let parted: Vec<Option<Vec<Runs>>> = groups.iter().map(|group| self.part(group)).collect();
        let below = 2 * parted.iter().filter(|p| p.is_some()).count() > groups.len();
        let mut records = Vec::new();
        for (group, parted) in groups.iter().zip(parted) {
            match parted {
                Some(inner) if below => records.extend(inner),
                _ => records.push(vec![(group[0], group[group.len() - 1])]),
            }
        }
        Split { region: index, records, below }
    }

    /// The records inside one generalised node, if it holds several.
    fn part(&mut self, group: &[At]) -> Option<Vec<Runs>> {
        // Figure 12: the children of one node, unless it is the row of a data table
        if let [one] = group {
            let children = self.similar_children(*one)?;
            return (!self.is_table_row(&children)).then(|| children.iter().map(|&c| vec![(c, c)]).collect());
        }
        // Figure 15: the first children of all nodes together, the second ones, and so on (Figures 17 and 18)
        let rows: Vec<Vec<At>> =
            group.iter().map(|&row| self.similar_children(row)).collect::<Option<_>>()?;
        let width = rows[0].len();
        rows.iter().all(|row| row.len() == width).then(|| zip_rows(&rows))
    }

    /// Figure 13: every cell is one piece of text (or one image).
    fn is_table_row(&self, cells: &[At]) -> bool {
        cells.iter().all(|&cell| {
            let nodes = self.tags.nodes(self.page, cell, cell);
            self.page.index.leaves(&nodes) + self.page.index.images(&nodes) <= 1
        })
    }

    /// The second non-contiguous case: row 1 is a region of its own, row 2 is another one beside it, both have as many
    /// children, and these differ: they are joined position by position.
    fn join_rows(&mut self, regions: &[DataRegion]) -> Vec<(Vec<usize>, Vec<Runs>)> {
        let mut by_parent: FxHashMap<At, Vec<usize>> = FxHashMap::default();
        for (i, region) in regions.iter().enumerate() {
            by_parent.entry(region.parent).or_default().push(i);
        }
        // only parents that are one region from the first child to the last
        let whole = |at: At| match by_parent.get(&at)?.as_slice() {
            [one]
                if regions[*one].length == 1
                    && regions[*one].covered.len() == self.tags.children(at).count() =>
            {
                Some(*one)
            }
            _ => None,
        };
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut taken: FxHashSet<usize> = FxHashSet::default();
        for (i, region) in regions.iter().enumerate() {
            let next = self.tags.end(region.parent);
            let above = self.tags.parent[region.parent as usize];
            if above == copal_dom::NONE || next >= self.tags.end(above) || whole(region.parent) != Some(i) {
                continue;
            }
            if let Some(j) = whole(next)
                && regions[j].covered.len() == region.covered.len()
                && !taken.contains(&i)
                && !taken.contains(&j)
            {
                taken.extend([i, j]);
                pairs.push((i, j));
            }
        }
        let mut joined = Vec::new();
        for (i, j) in pairs {
            let rows = [regions[i].covered.clone(), regions[j].covered.clone()];
            if !self.alike(rows[0][0], rows[1][0]) {
                joined.push((vec![i, j], zip_rows(&rows)));
            }
        }
        joined
    }

    /// Section 3.4: siblings of the region, or their children, that are like a record of it.
    fn add_outside(
        &mut self,
        region: &DataRegion,
        covered: &FxHashMap<At, FxHashSet<At>>,
        split: &mut Split,
    ) {
        let single = |runs: &Runs| matches!(runs.as_slice(), [(first, last)] if first == last);
        let Some(sample) = split.records.iter().rev().find(|runs| single(runs)).map(|runs| runs[0].0) else {
            return;
        };
        let siblings: Vec<At> = self
            .tags
            .children(region.parent)
            .filter(|child| !covered[&region.parent].contains(child))
            .collect();
        for sibling in siblings {
            let outside: Vec<At> =
                if split.below { self.tags.children(sibling).collect() } else { vec![sibling] };
            for at in outside {
                if self.alike(at, sample) {
                    split.records.push(vec![(at, at)]);
                }
            }
        }
        split.records.sort();
    }

    fn parts(&self, records: &[Runs]) -> Vec<Parts> {
        let part = |&(first, last): &(At, At)| self.tags.nodes(self.page, first, last);
        records.iter().map(|runs| runs.iter().map(part).collect()).collect()
    }
}

fn zip_rows(rows: &[Vec<At>]) -> Vec<Runs> {
    (0..rows[0].len()).map(|i| rows.iter().map(|row| (row[i], row[i])).collect()).collect()
}
