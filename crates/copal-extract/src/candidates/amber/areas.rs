//! Data areas: clusters of pivots (section 4.3, Definitions 5 and 6, Algorithm 1).
//!
//! In: pivot nodes in document order. Out: areas, largest first: pivots of one tag, depths within 1, pairwise path
//! lengths within 2, rooted at their lowest common ancestor. Not quadratic: pivots of equal depth are consistent below
//! a root at depth l if no two share an ancestor at depth l + 2 (their common ancestors are at l or l + 1), so the
//! largest cluster takes the first pivot below each such ancestor; with depths d and d + 1 all common ancestors must be
//! the root itself. O(pivots * depth) an area.

use copal_dom::{NONE, Node, Page};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A data area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// The lowest common ancestor of the pivots.
    pub root: Node,
    /// The pivots in document order.
    pub pivots: Vec<Node>,
}

/// Finds at most `most` areas, each with at least two pivots.
pub fn find(page: &Page, pivots: &[Node], most: usize) -> Vec<Area> {
    let mut left: Vec<Node> = pivots.to_vec();
    left.sort_unstable();
    left.dedup();
    let mut areas = Vec::new();
    while areas.len() < most {
        let Some(area) = largest(page, &left) else { break };
        left.retain(|pivot| area.pivots.binary_search(pivot).is_err());
        areas.push(area);
    }
    areas
}

/// How clusters of one kind are made: pivots of these depths, one for each ancestor so far below the root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Class {
    tag: u16,
    depth: u32,
    mixed: bool,
}

impl Class {
    /// How far below the root one ancestor has but one pivot.
    fn below(self) -> usize {
        if self.mixed { 1 } else { 2 }
    }
}

fn classes_of(page: &Page, pivot: Node) -> [Class; 3] {
    let (tag, depth) = (page.tree.tag(pivot), page.tree.depth(pivot));
    [
        Class { tag, depth, mixed: false },
        Class { tag, depth, mixed: true },
        Class { tag, depth: depth.saturating_sub(1), mixed: true },
    ]
}

fn largest(page: &Page, pivots: &[Node]) -> Option<Area> {
    let mut classes: FxHashMap<Class, Vec<Node>> = FxHashMap::default();
    for &pivot in pivots {
        for class in classes_of(page, pivot) {
            classes.entry(class).or_default().push(pivot);
        }
    }
    let mut order: Vec<(Class, Vec<Node>)> =
        classes.into_iter().filter(|(_, nodes)| nodes.len() > 1).collect();
    order.sort_unstable_by_key(|(class, nodes)| (Reverse(nodes.len()), *class));
    // most pivots, then the earliest first pivot, then the lowest root
    let mut best: Option<(Rank, usize)> = None;
    for (i, (class, nodes)) in order.iter().enumerate() {
        if best.is_some_and(|(rank, _)| (nodes.len() as u32) < rank.0) {
            break;
        }
        if let Some(rank) = largest_cluster(page, nodes, class.below())
            && best.is_none_or(|(known, _)| rank > known)
        {
            best = Some((rank, i));
        }
    }
    let ((.., root), i) = best?;
    let (class, nodes) = &order[i];
    let mut pivots = Vec::new();
    firsts(page, nodes, class.below(), |at, pivot| {
        if at == root {
            pivots.push(pivot);
        }
    });
    Some(Area { root, pivots })
}

/// Size of a cluster, its first pivot (earlier is better), the depth of its root, and the root.
type Rank = (u32, Reverse<Node>, u32, Node);

fn largest_cluster(page: &Page, pivots: &[Node], below: usize) -> Option<Rank> {
    let mut counts: FxHashMap<Node, (u32, Node)> = FxHashMap::default();
    firsts(page, pivots, below, |root, pivot| counts.entry(root).or_insert((0, pivot)).0 += 1);
    let ranks =
        counts.into_iter().map(|(root, (size, first))| (size, Reverse(first), page.tree.depth(root), root));
    ranks.filter(|rank| rank.0 > 1).max()
}

/// Calls back with (root, pivot) for every pivot that is the first below an ancestor `below` levels under the root.
fn firsts(page: &Page, pivots: &[Node], below: usize, mut found: impl FnMut(Node, Node)) {
    let tree = &page.tree;
    let mut before: Node = NONE;
    for &pivot in pivots {
        // up while no earlier pivot is in the subtree: then this one is its first
        let mut up = pivot;
        while up != NONE && (before == NONE || !tree.contains(up, before)) {
            let mut root = up;
            for _ in 0..below {
                root = if root == NONE { NONE } else { tree.parent(root) };
            }
            if root != NONE {
                found(root, pivot);
            }
            up = tree.parent(up);
        }
        before = pivot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::{Draft, tags};
    use proptest::prelude::*;

    fn path_length(page: &Page, a: Node, b: Node) -> u32 {
        let tree = &page.tree;
        let mut up = a;
        while !tree.contains(up, b) {
            up = tree.parent(up);
        }
        tree.depth(a) + tree.depth(b) - 2 * tree.depth(up)
    }

    fn consistent(page: &Page, set: &[Node]) -> bool {
        let depths = set.iter().map(|&n| page.tree.depth(n));
        let lengths: Vec<u32> = (0..set.len())
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| path_length(page, set[i], set[j]))
            .collect();
        let spread = |values: &mut dyn Iterator<Item = u32>| {
            let all: Vec<u32> = values.collect();
            all.iter().max().unwrap_or(&0) - all.iter().min().unwrap_or(&0)
        };
        spread(&mut depths.clone()) <= 1 && spread(&mut lengths.into_iter()) <= 2
    }

    /// Algorithm 1 as repaired: grow every pair in document order; the size of the largest.
    fn literal_largest(page: &Page, pivots: &[Node]) -> usize {
        let mut best = 0;
        for i in 0..pivots.len() {
            for j in 0..i {
                let mut set = vec![pivots[j], pivots[i]];
                if !consistent(page, &set) {
                    continue;
                }
                for &k in pivots {
                    if set.contains(&k) {
                        continue;
                    }
                    set.push(k);
                    if !consistent(page, &set) {
                        set.pop();
                    }
                }
                best = best.max(set.len());
            }
        }
        best
    }

    fn tree_of(steps: &[u8]) -> (Page, Vec<Node>) {
        let mut draft = Draft::new();
        let mut path = vec![draft.element(Draft::DOCUMENT, "div")];
        for &step in steps {
            match step % 4 {
                0 | 1 if path.len() < 7 => path.push(draft.element(path[path.len() - 1], "div")),
                2 if path.len() > 1 => {
                    path.pop();
                }
                _ => {
                    draft.element(path[path.len() - 1], "a");
                }
            }
        }
        let page = Page::from_tree(draft.finish());
        let pivots = page.tree.nodes().filter(|&n| page.tree.tag(n) == tags::A).collect();
        (page, pivots)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]
        #[test]
        fn pivots_of_one_depth_cluster_as_in_algorithm_1(steps in prop::collection::vec(0u8..4, 4..60)) {
            let (page, pivots) = tree_of(&steps);
            let depths: Vec<u32> = pivots.iter().map(|&n| page.tree.depth(n)).collect();
            for depth in 0..9 {
                let level: Vec<Node> = pivots.iter().zip(&depths).filter(|(_, d)| **d == depth).map(|(&n, _)| n).collect();
                let ours = find(&page, &level, 1).first().map_or(0, |area| area.pivots.len());
                prop_assert_eq!(ours, literal_largest(&page, &level));
            }
        }

        #[test]
        fn areas_are_consistent_and_share_no_pivot(steps in prop::collection::vec(0u8..4, 4..80)) {
            let (page, pivots) = tree_of(&steps);
            let areas = find(&page, &pivots, 100);
            let mut seen: Vec<Node> = Vec::new();
            for area in &areas {
                prop_assert!(consistent(&page, &area.pivots));
                prop_assert!(area.pivots.iter().all(|&p| page.tree.contains(area.root, p)));
                seen.extend(&area.pivots);
            }
            let all = seen.len();
            seen.sort_unstable();
            seen.dedup();
            prop_assert_eq!(all, seen.len());
        }
    }
}
