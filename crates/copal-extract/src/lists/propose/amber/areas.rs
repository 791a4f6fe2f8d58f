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
pub struct DataArea {
    /// The lowest common ancestor of the pivots.
    pub root: Node,
    /// The pivots in document order.
    pub pivots: Vec<Node>,
}

/// Finds at most `most` areas with at least two pivots each. The pivots of an area have the same depth or,
/// with `mixed`, two adjacent depths.
pub fn find(page: &Page, pivots: &[Node], most: usize, mixed: bool) -> Vec<DataArea> {
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
fn largest(page: &Page, pivots: &[Node], mixed: bool, cache: &mut ClusterCache) -> Option<DataArea> {
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
    Some(DataArea { root, pivots })
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
                chosen.extend(lows)
            }
            ClusterShape::Wide | ClusterShape::Deep(_) => chosen.extend(highs.first()),
        }
    }
    chosen.sort_unstable();
    chosen
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

    /// The size of the largest cluster by Algorithm 1 as repaired: it grows every pair in document order. The
    /// algorithm is greedy, so the result may be too small.
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

    /// The size of the largest consistent set, by exhaustive search.
    fn exact_largest(page: &Page, pivots: &[Node]) -> usize {
        let mut best = 0;
        for depth in 0..9 {
            let of = |&&n: &&Node| (depth..depth + 2).contains(&page.tree.depth(n));
            let set: Vec<Node> = pivots.iter().filter(of).copied().collect();
            for least in 0..18 {
                let fit = |a: Node, b: Node| a != b && (least..least + 3).contains(&path_length(page, a, b));
                let mask = |a: Node| {
                    set.iter().enumerate().filter(|(_, b)| fit(a, **b)).fold(0u64, |m, (i, _)| m | 1 << i)
                };
                let fits: Vec<u64> = set.iter().map(|&a| mask(a)).collect();
                clique(&fits, (1u64 << set.len()) - 1, 0, &mut best);
            }
        }
        if best < 2 { 0 } else { best }
    }

    fn clique(fits: &[u64], mut open: u64, size: usize, best: &mut usize) {
        *best = size.max(*best);
        while open != 0 && size + open.count_ones() as usize > *best {
            let next = open.trailing_zeros();
            open &= open - 1;
            clique(fits, open & fits[next as usize], size + 1, best);
        }
    }

    /// Builds a page from steps. Pivots are leaves; steps of 4 make inner nodes pivots too.
    fn tree_of(steps: &[u8]) -> (Page, Vec<Node>) {
        let mut draft = Draft::new();
        let mut path = vec![draft.element(Draft::DOCUMENT, "div")];
        for &step in steps {
            match step {
                0 | 1 if path.len() < 7 => path.push(draft.element(path[path.len() - 1], "div")),
                4 if path.len() < 7 => path.push(draft.element(path[path.len() - 1], "a")),
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

    fn size(page: &Page, pivots: &[Node]) -> usize {
        find(page, pivots, 1, true).first().map_or(0, |area| area.pivots.len())
    }

    #[test]
    fn the_greedy_algorithm_may_miss_the_largest_cluster() {
        // all of one depth: a stray pivot; then three lists, the first with three items, of which one has two
        // pivots
        let html = "<main><div><p><b><a>x</a></b></p></div>
            <div><div><p><a>1</a><a>2</a></p><p><a>3</a></p><p><a>4</a></p></div>
            <div><p><a>5</a></p></div><div><p><a>6</a></p></div><div><p><a>7</a></p></div></div></main>";
        let page = Page::from_text(html, &copal_dom::Limits::default());
        let pivots: Vec<Node> = page.tree.nodes().filter(|&n| page.tree.tag(n) == tags::A).collect();
        assert_eq!((literal_largest(&page, &pivots), size(&page, &pivots)), (5, 6));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]
        #[test]
        fn the_largest_cluster_is_found(steps in prop::collection::vec(0u8..5, 4..44)) {
            let (page, pivots) = tree_of(&steps);
            let ours = size(&page, &pivots);
            prop_assert_eq!(ours, exact_largest(&page, &pivots));
            prop_assert!(ours >= literal_largest(&page, &pivots));
        }

        #[test]
        fn pivots_that_are_leaves_cluster_as_in_algorithm_1_or_better(
            steps in prop::collection::vec(0u8..4, 4..60)
        ) {
            let (page, pivots) = tree_of(&steps);
            prop_assert!(size(&page, &pivots) >= literal_largest(&page, &pivots));
        }

        #[test]
        fn areas_are_consistent_and_share_no_pivot(steps in prop::collection::vec(0u8..5, 4..80)) {
            let (page, pivots) = tree_of(&steps);
            let areas = find(&page, &pivots, 100, true);
            let mut seen: Vec<Node> = Vec::new();
            for area in &areas {
                prop_assert!(area.pivots.len() > 1 && area.pivots.is_sorted());
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
