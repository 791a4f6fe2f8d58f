//! Tests of [`areas`](super::areas): its clusters are compared with those of an exhaustive search and of
//! Algorithm 1.

use super::areas::find;
use copal_dom::{Draft, Node, Page, tags};
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
    let mut path = vec![draft.element(Draft::DOCUMENT_NODE, "div")];
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
