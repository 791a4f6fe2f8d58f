//! Data areas: clusters of pivots (section 4.3, Definitions 5 and 6, Algorithm 1).
//!
//! In: pivot nodes in document order. Out: areas, largest first. The pivots of an area have one tag, depths
//! that differ by at most 1 and pairwise path lengths that differ by at most 2; the root of an area is their
//! lowest common ancestor.
//!
//! Algorithm 1 compares all pairs. This implementation does not: the path length between two pivots is the
//! sum of their depths minus twice the depth of their common ancestor. The largest clusters of depths d
//! (high) and d + 1 (low) therefore have one of three `ClusterShape`s, and their sizes below a node follow
//! from the pivots below its children. O(pivots * depth) per area.

use copal_dom::{NONE, Node, Page};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A data area: a cluster of pivots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PivotArea {
    /// The lowest common ancestor of the pivots.
    pub root: Node,
    /// The pivots in document order.
    pub pivots: Vec<Node>,
}

/// Finds at most `most` areas with at least two pivots each. The pivots of an area have the same depth or,
/// with `mixed`, two adjacent depths.
pub(crate) fn find(page: &Page, pivots: &[Node], most: usize, mixed: bool) -> Vec<PivotArea> {
    let mut left: Vec<Node> = pivots.to_vec();
    left.sort_unstable();
    left.dedup();
    let (mut areas, mut cache) = (Vec::new(), ClusterCache::default());
    while areas.len() < most {
        let Some(area) = largest(page, &left, mixed, &mut cache) else { break };
        left.retain(|pivot| area.pivots.binary_search(pivot).is_err());
        areas.push(area);
    }
    areas
}

/// Pivots with the same tag, and with this depth (high pivots) or the next (low pivots).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct PivotClass {
    tag: u16,
    depth: u32,
}

/// The shape of a largest consistent cluster below a root at depth l. The distance between two high or two
/// low pivots is even, that between a high and a low pivot is odd. Since path lengths differ by at most 2,
/// three shapes are possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClusterShape {
    /// One high pivot below each grandchild of the root: common ancestors have depths l and l + 1.
    Even,
    /// Below each child of the root either one high pivot, or one low pivot below each of its children: only
    /// low pivots have common ancestors at l + 1.
    Wide,
    /// One high pivot below each child of the root except this one. Below this one, a low pivot below each of
    /// its children and one further high pivot: two high pivots meet at l, two low ones at l + 1.
    Deep(Node),
}

/// The largest cluster of each class, by the number of its remaining pivots. Pivots are only ever removed, so
/// an equal number means the same pivots.
type ClusterCache = FxHashMap<(PivotClass, usize), Option<(ClusterRank, ClusterShape)>>;

/// The order of clusters: size, first pivot (earlier is better), depth of the root, and the root itself.
type ClusterRank = (u32, Reverse<Node>, u32, Node);

/// The largest area of the pivots.
fn largest(page: &Page, pivots: &[Node], mixed: bool, cache: &mut ClusterCache) -> Option<PivotArea> {
    let mut classes: FxHashMap<PivotClass, Vec<Node>> = FxHashMap::default();
    for &pivot in pivots {
        let (tag, depth) = (page.tree.tag(pivot), page.tree.depth(pivot));
        classes.entry(PivotClass { tag, depth }).or_default().push(pivot);
        if mixed && depth > 0 {
            classes.entry(PivotClass { tag, depth: depth - 1 }).or_default().push(pivot);
        }
    }
    let mut order: Vec<(PivotClass, Vec<Node>)> =
        classes.into_iter().filter(|(_, nodes)| nodes.len() > 1).collect();
    order.sort_unstable_by_key(|(class, nodes)| (Reverse(nodes.len()), *class));
    // the best cluster has the most pivots, then the earliest first pivot, then the lowest root
    let mut best: Option<(ClusterRank, ClusterShape, usize)> = None;
    for (i, (class, nodes)) in order.iter().enumerate() {
        if best.is_some_and(|(rank, ..)| (nodes.len() as u32) < rank.0) {
            break;
        }
        let cluster =
            cache.entry((*class, nodes.len())).or_insert_with(|| largest_cluster(page, *class, nodes));
        if let Some((rank, shape)) = *cluster
            && best.is_none_or(|(best, ..)| rank > best)
        {
            best = Some((rank, shape, i));
        }
    }
    let ((.., root), shape, i) = best?;
    let pivots = members(page, root, shape, order[i].0, &order[i].1);
    let (mut root, last) = (*pivots.first()?, *pivots.last()?);
    while !page.tree.contains(root, last) {
        root = page.tree.parent(root);
    }
    Some(PivotArea { root, pivots })
}

/// The pivots at or below a node, as far as cluster sizes depend on them. A missing node is [`NONE`].
#[derive(Clone, Copy)]
struct HeldPivots {
    /// The first high pivot.
    high: Node,
    /// The first low pivot.
    low: Node,
    /// The first high pivot that is not below a child with low pivots.
    loose: Node,
    /// How many children contain high pivots.
    highs: u32,
    /// How many children contain low pivots.
    lows: u32,
    /// The size of the even cluster.
    even: u32,
    /// The size of the wide cluster and its first pivot.
    wide: (u32, Node),
    /// For the deep cluster: how many children of its special child contain low pivots, that child, and the
    /// first pivot below it.
    deep: Option<(u32, Node, Node)>,
}

/// A node without pivots.
const NO_PIVOTS: HeldPivots = HeldPivots {
    high: NONE,
    low: NONE,
    loose: NONE,
    highs: 0,
    lows: 0,
    even: 0,
    wide: (0, NONE),
    deep: None,
};

impl HeldPivots {
    /// Records that the node is a pivot itself.
    fn set_pivot(&mut self, node: Node, is_high: bool) {
        if is_high {
            (self.high, self.loose) = (node, node);
            self.wide = (self.wide.0 + 1, node);
        } else {
            self.low = node;
        }
    }

    /// Adds a child. Children are added from the last to the first.
    fn add_child(&mut self, child: Node, held: &HeldPivots) {
        if held.high != NONE {
            self.high = held.high;
            self.highs += 1;
            self.even += held.highs.max(1);
        }
        if held.low == NONE {
            self.loose = held.high.min(self.loose);
        } else {
            self.low = held.low;
            self.lows += 1;
        }
        let lows = if held.low == NONE { 0 } else { held.lows.max(1) };
        let part = if takes_low(lows, held.low, held.high) { (lows, held.low) } else { (1, held.high) };
        self.wide = (self.wide.0 + part.0, part.1);
        // without a further high pivot next to the low ones, the wide cluster is as large
        if held.lows > 0 && held.loose != NONE && self.deep.is_none_or(|(most, ..)| held.lows >= most) {
            self.deep = Some((held.lows, child, held.low.min(held.loose)));
        }
    }
}

/// True if the low pivots of a child belong to the wide cluster instead of the child's first high pivot.
fn takes_low(lows: u32, low: Node, high: Node) -> bool {
    lows > 1 || lows == 1 && low < high
}

/// The largest cluster of a class, of any shape.
fn largest_cluster(page: &Page, class: PivotClass, pivots: &[Node]) -> Option<(ClusterRank, ClusterShape)> {
    let tree = &page.tree;
    let mut held: FxHashMap<Node, HeldPivots> = FxHashMap::default();
    let mut best: Option<(ClusterRank, ClusterShape)> = None;
    // in reverse document order, so that children come before their parents
    for node in holders(page, pivots).into_iter().rev() {
        let mut own = held.remove(&node).unwrap_or(NO_PIVOTS);
        if pivots.binary_search(&node).is_ok() {
            own.set_pivot(node, tree.depth(node) == class.depth);
        }
        let deep = own.deep.map(|(lows, child, first)| {
            let first = if tree.contains(child, own.high) { first } else { first.min(own.high) };
            (own.highs + lows, first, ClusterShape::Deep(child))
        });
        let shapes = [
            Some((own.even, own.high, ClusterShape::Even)),
            Some((own.wide.0, own.wide.1, ClusterShape::Wide)),
            deep,
        ];
        for (size, first, shape) in shapes.into_iter().flatten() {
            let rank = (size, Reverse(first), tree.depth(node), node);
            if size > 1 && best.is_none_or(|(best, _)| rank > best) {
                best = Some((rank, shape));
            }
        }
        let parent = tree.parent(node);
        if parent != NONE {
            held.entry(parent).or_insert(NO_PIVOTS).add_child(node, &own);
        }
    }
    best
}

/// The pivots and all their ancestors, in document order.
fn holders(page: &Page, pivots: &[Node]) -> Vec<Node> {
    let mut holders = Vec::new();
    let mut before: Node = NONE;
    for &pivot in pivots {
        // climb while the subtree has no earlier pivot
        let mut up = pivot;
        while up != NONE && (before == NONE || !page.tree.contains(up, before)) {
            holders.push(up);
            up = page.tree.parent(up);
        }
        before = pivot;
    }
    holders.sort_unstable();
    holders
}

/// The pivots of a cluster.
fn members(page: &Page, root: Node, shape: ClusterShape, class: PivotClass, pivots: &[Node]) -> Vec<Node> {
    let tree = &page.tree;
    let below = |mut node: Node, levels: u32| {
        while tree.depth(node) > tree.depth(root) + levels {
            node = tree.parent(node);
        }
        node
    };
    let within = pivots.partition_point(|&p| p < root)..pivots.partition_point(|&p| p < tree.end(root));
    let mut chosen: Vec<Node> = Vec::new();
    for group in pivots[within].chunk_by(|&a, &b| below(a, 1) == below(b, 1)) {
        let firsts = |high: bool| -> Vec<Node> {
            let is = |pivot: &Node| (tree.depth(*pivot) == class.depth) == high;
            let mut firsts: Vec<Node> = group.iter().copied().filter(is).collect();
            firsts.dedup_by_key(|pivot| below(*pivot, 2));
            firsts
        };
        let (highs, lows) = (firsts(true), firsts(false));
        let first = |pivots: &[Node]| pivots.first().copied().unwrap_or(NONE);
        match shape {
            ClusterShape::Even => chosen.extend(highs),
            ClusterShape::Deep(child) if child == below(group[0], 1) => {
                let is_loose = |high: &&Node| {
                    lows.binary_search_by_key(&below(**high, 2), |&low| below(low, 2)).is_err()
                };
                chosen.extend(highs.iter().find(is_loose));
                chosen.extend(lows);
            }
            ClusterShape::Wide if takes_low(lows.len() as u32, first(&lows), first(&highs)) => {
                chosen.extend(lows);
            }
            ClusterShape::Wide | ClusterShape::Deep(_) => chosen.extend(highs.first()),
        }
    }
    chosen.sort_unstable();
    chosen
}
