//! Text to tree: the arena is consistent, equals the tree of plain html5ever, keeps to the caps, and survives
//! being written as HTML and read again.

use crate::arena_checks::check_arena;
use crate::reference_tree::Naive;
use copal_dom::parse::parse;
use copal_dom::xpath::XPaths;
use copal_dom::{Limits, Tree, serialise};
use std::time::Duration;

pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut limits = Limits::default();
    // the clock would make results differ from run to run
    limits.time = Duration::from_hours(1);

    let (tree, hit) = parse(&text, &limits);
    check_page(&tree, &limits);
    let html = serialise::html(&tree, 0);
    // a limit makes a tree another one, and the reference recurses
    if hit.is_empty() && tree.nodes().all(|node| tree.depth(node) < 200) {
        assert_eq!(html, Naive::parse(&text).html(), "html5ever builds another tree");
    }

    // not every tree can be written so that it is read back as it was: it must be readable, no more
    let (again, _) = parse(&html, &limits);
    check_page(&again, &limits);
    serialise::html(&again, 0);

    limits.nodes = 40;
    limits.depth = 8;
    limits.attributes = 4;
    limits.attribute_bytes = 16;
    limits.text_bytes = 200;
    check_page(&parse(&text, &limits).0, &limits);
}

fn check_page(tree: &Tree, limits: &Limits) {
    check_arena(tree);
    let xpaths = XPaths::new(tree);
    for node in tree.nodes() {
        assert!(tree.depth(node) as usize <= 2 * limits.depth, "depth of {node}");
        for (_, value) in tree.attributes(node) {
            assert!(value.len() <= limits.attribute_bytes, "attribute of {node}");
        }
    }
    for node in tree.nodes().take(200) {
        assert!(xpaths.of(node).starts_with('/'));
    }
    assert!(tree.len() <= 2 * limits.nodes, "{} nodes", tree.len());
}
