//! XPaths that share their steps: the same text as those written from the tree, in bounded memory and time.

use copal_dom::xpath::{MAX_XPATH_BYTES, XPathTable, XPaths};
use copal_dom::{Draft, Limits, Node, Tree, parse::parse};
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn table_of(tree: &Tree, nodes: impl IntoIterator<Item = Node>) -> XPathTable {
    let mut builder = XPathTable::builder(tree);
    nodes.into_iter().for_each(|node| builder.add(node));
    builder.finish()
}

const PIECES: [&str; 14] = [
    "<div>",
    "</div>",
    "<p>",
    "<ul>",
    "<li>",
    "</ul>",
    "<svg>",
    "</svg>",
    "<a'b>",
    "<x-y>",
    "</x-y>",
    "<table><td>",
    "text",
    "</p>",
];

proptest! {
    #[test]
    fn a_table_writes_what_the_tree_writes(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
        every in 1..5_usize,
    ) {
        let (tree, _) = parse(&pieces.concat(), &Limits::default());
        let xpaths = XPaths::new(&tree);
        let table = table_of(&tree, tree.nodes().step_by(every));
        for node in tree.nodes().step_by(every) {
            prop_assert_eq!(table.xpath(node), Some(xpaths.of(node)));
        }
    }
}

#[test]
fn deep_pages_with_long_names_need_little_memory() {
    let name = "x".repeat(1000);
    let leaves = 10_000;
    let html = format!("{}{}", format!("<{name}>").repeat(480), "<b></b>".repeat(leaves));
    let (tree, _) = parse(&html, &Limits::default());
    let is_leaf = |&node: &Node| tree.tag_name(node) == "b";
    assert_eq!(tree.nodes().filter(is_leaf).count(), leaves);
    let table = table_of(&tree, tree.nodes().filter(is_leaf));
    assert!(table.heap_bytes() < 1_000_000, "{} bytes", table.heap_bytes());
    let start = Instant::now();
    let mut out = String::new();
    for leaf in tree.nodes().filter(is_leaf) {
        assert_eq!(table.xpath(leaf), None);
        assert_eq!(table.write(leaf, &mut out, MAX_XPATH_BYTES), Ok(false));
    }
    assert!(out.is_empty());
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    // a caller with more room gets the whole path
    let last = tree.nodes().rfind(is_leaf).unwrap();
    assert_eq!(table.write(last, &mut out, usize::MAX), Ok(true));
    assert_eq!(out, XPaths::new(&tree).of(last));
}

#[test]
fn many_siblings_are_counted_once() {
    let mut draft = Draft::new();
    let list = draft.element(Draft::DOCUMENT_NODE, "ul");
    for _ in 0..200_000 {
        draft.element(list, "li");
    }
    let tree = draft.finish();
    let start = Instant::now();
    let table = table_of(&tree, tree.nodes());
    assert_eq!(table.xpath(tree.nodes().end - 1).as_deref(), Some("/ul[1]/li[200000]"));
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
}

#[test]
fn tables_are_shared_between_threads() {
    fn shareable<T: Clone + std::fmt::Debug + Default + Send + Sync + 'static>() {}
    shareable::<XPathTable>();
}
