//! Data areas: clusters of pivots (section 4.3, Definitions 5 and 6, Algorithm 1).
//!
//! In: pivot nodes in document order. Out: areas, largest first: pivots of one tag, depths within 1, pairwise path
//! lengths within 2, rooted at their lowest common ancestor. Not quadratic: two pivots are as far apart as their depths
//! less twice that of their common ancestor, so the largest clusters of depths d (high) and d + 1 (low) have one of three
//! `Shape`s, and their sizes below a node follow from what its children hold. O(pivots * depth) an area.

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

/// Finds at most `most` areas, each with at least two pivots, of one depth or, if `mixed`, of two adjacent ones.
pub fn find(page: &Page, pivots: &[Node], most: usize, mixed: bool) -> Vec<Area> {
    let mut left: Vec<Node> = pivots.to_vec();
    left.sort_unstable();
    left.dedup();
    let (mut areas, mut known) = (Vec::new(), Known::default());
    while areas.len() < most {
        let Some(area) = largest(page, &left, mixed, &mut known) else { break };
        left.retain(|pivot| area.pivots.binary_search(pivot).is_err());
        areas.push(area);
    }
    areas
}

/// Pivots of one tag, of this depth (high) and the next (low).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Class {
    tag: u16,
    depth: u32,
}

/// The largest consistent clusters below a root at depth l. Two high pivots, and two low ones, are an even distance apart, a
/// high and a low one an odd distance: lengths within 2 leave three ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// One high pivot below each grandchild of the root: common ancestors are at l and l + 1.
    Even,
    /// Below each child of the root one high pivot, or one low pivot below each of its children: only low pivots have common
    /// ancestors at l + 1.
    Wide,
    /// One high pivot below each child of the root but this one; below this one a low pivot for each of its children, and
    /// one high pivot beside them: two high pivots meet at l, two low ones at l + 1.
    Deep(Node),
}

/// The largest clusters of classes with so many pivots left. Pivots only go, so as many are the same ones.
type Known = FxHashMap<(Class, usize), Option<(Rank, Shape)>>;

/// Size of a cluster, its first pivot (earlier is better), the depth of its root, and the root.
type Rank = (u32, Reverse<Node>, u32, Node);

fn largest(page: &Page, pivots: &[Node], mixed: bool, known: &mut Known) -> Option<Area> {
    let mut classes: FxHashMap<Class, Vec<Node>> = FxHashMap::default();
    for &pivot in pivots {
        let (tag, depth) = (page.tree.tag(pivot), page.tree.depth(pivot));
        classes.entry(Class { tag, depth }).or_default().push(pivot);
        if mixed && depth > 0 {
            classes.entry(Class { tag, depth: depth - 1 }).or_default().push(pivot);
        }
    }
    let mut order: Vec<(Class, Vec<Node>)> =
        classes.into_iter().filter(|(_, nodes)| nodes.len() > 1).collect();
    order.sort_unstable_by_key(|(class, nodes)| (Reverse(nodes.len()), *class));
    // most pivots, then the earliest first pivot, then the lowest root
    let mut best: Option<(Rank, Shape, usize)> = None;
    for (i, (class, nodes)) in order.iter().enumerate() {
        if best.is_some_and(|(rank, ..)| (nodes.len() as u32) < rank.0) {
            break;
        }
        let cluster =
            known.entry((*class, nodes.len())).or_insert_with(|| largest_cluster(page, *class, nodes));
        if let Some((rank, shape)) = *cluster
            && best.is_none_or(|(known, ..)| rank > known)
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
    Some(Area { root, pivots })
}

/// The pivots at or below a node.
#[derive(Clone, Copy)]
struct Held {
    /// The first high one, the first low one, and the first high one that is below no child with low ones; or none.
    high: Node,
    low: Node,
    loose: Node,
    /// Children that hold high ones, and low ones.
    highs: u32,
    lows: u32,
    /// Size of the even cluster.
    even: u32,
    /// Size of the wide cluster, and its first pivot.
    wide: (u32, Node),
    /// The child of the deep cluster, after how many of its children hold low ones, and the first pivot below it.
    deep: Option<(u32, Node, Node)>,
}

const NOTHING: Held =
    Held { high: NONE, low: NONE, loose: NONE, highs: 0, lows: 0, even: 0, wide: (0, NONE), deep: None };

impl Held {
    /// The node is a pivot itself.
    fn set(&mut self, node: Node, is_high: bool) {
        if is_high {
            (self.high, self.loose) = (node, node);
            self.wide = (self.wide.0 + 1, node);
        } else {
            self.low = node;
        }
    }

    /// A child, after those behind it.
    fn add(&mut self, child: Node, held: &Held) {
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
        // without a high pivot beside the low ones the wide cluster is as large
        if held.lows > 0 && held.loose != NONE && self.deep.is_none_or(|(most, ..)| held.lows >= most) {
            self.deep = Some((held.lows, child, held.low.min(held.loose)));
        }
    }
}

/// Of a child of a wide cluster's root so many low pivots are taken, not the first high one.
fn takes_low(lows: u32, low: Node, high: Node) -> bool {
    lows > 1 || lows == 1 && low < high
}

fn largest_cluster(page: &Page, class: Class, pivots: &[Node]) -> Option<(Rank, Shape)> {
    let tree = &page.tree;
    let mut held: FxHashMap<Node, Held> = FxHashMap::default();
    let mut best: Option<(Rank, Shape)> = None;
    // children are behind their parents
    for node in holders(page, pivots).into_iter().rev() {
        let mut own = held.remove(&node).unwrap_or(NOTHING);
        if pivots.binary_search(&node).is_ok() {
            own.set(node, tree.depth(node) == class.depth);
        }
        let deep = own.deep.map(|(lows, child, first)| {
            let first = if tree.contains(child, own.high) { first } else { first.min(own.high) };
            (own.highs + lows, first, Shape::Deep(child))
        });
        let shapes =
            [Some((own.even, own.high, Shape::Even)), Some((own.wide.0, own.wide.1, Shape::Wide)), deep];
        for (size, first, shape) in shapes.into_iter().flatten() {
            let rank = (size, Reverse(first), tree.depth(node), node);
            if size > 1 && best.is_none_or(|(known, _)| rank > known) {
                best = Some((rank, shape));
            }
        }
        let parent = tree.parent(node);
        if parent != NONE {
            held.entry(parent).or_insert(NOTHING).add(node, &own);
        }
    }
    best
}

/// The nodes at or above pivots, in document order.
fn holders(page: &Page, pivots: &[Node]) -> Vec<Node> {
    let mut holders = Vec::new();
    let mut before: Node = NONE;
    for &pivot in pivots {
        // up while no earlier pivot is in the subtree
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
fn members(page: &Page, root: Node, shape: Shape, class: Class, pivots: &[Node]) -> Vec<Node> {
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
            Shape::Even => chosen.extend(highs),
            Shape::Deep(child) if child == below(group[0], 1) => {
                let is_loose = |high: &&Node| {
                    lows.binary_search_by_key(&below(**high, 2), |&low| below(low, 2)).is_err()
                };
                chosen.extend(highs.iter().find(is_loose));
                chosen.extend(lows);
            }
            Shape::Wide if takes_low(lows.len() as u32, first(&lows), first(&highs)) => chosen.extend(lows),
            Shape::Wide | Shape::Deep(_) => chosen.extend(highs.first()),
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

    /// Algorithm 1 as repaired: grow every pair in document order; the size of the largest. Greedy: it may be too small.
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

    /// The size of the largest consistent set, by search.
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

    /// Pivots are leaves, and with steps of 4 inner nodes too.
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
        // all of one depth: a stray pivot; then three lists, the first with three items, of which one has two pivots
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
