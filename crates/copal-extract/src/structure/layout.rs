//! The common root and the layout of records.
//!
//! In: records as node ranges. Out: the lowest common ancestor, and whether they form a list, a grid or a
//! table. O(records * depth).

use copal_dom::{Node, Page, Tree, tags};
use copal_model::{Layout, Parts};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The lowest node that contains all records. For a single record this is its parent.
pub(crate) fn common_root(tree: &Tree, records: &[Parts]) -> Node {
    let mut parts = records.iter().flatten();
    let Some(first) = parts.next() else { return 0 };
    let (mut low, mut high) = (first.start, first.end);
    for part in parts {
        (low, high) = (low.min(part.start), high.max(part.end));
    }
    let mut root = tree.parent(first.start).min(first.start);
    while !(root <= low && high <= tree.end(root)) || root == low {
        let parent = tree.parent(root);
        if parent == copal_dom::NONE {
            break;
        }
        root = parent;
    }
    root
}

/// The visible top-level elements of a part.
pub(crate) fn tops(page: &Page, part: &Range<Node>) -> Vec<Node> {
    let mut tops = Vec::new();
    let mut at = part.start;
    while at < part.end {
        if !page.tree.is_text(at) && page.styles.is_shown(at) {
            tops.push(at);
        }
        at = page.tree.end(at);
    }
    tops
}

/// The layout of records. Table: most records consist of whole table rows (BUW's group A). Grid: the records
/// are cells of rows, or most records share their parent with other records and there are several such
/// parents (group C). List: everything else (group B).
pub(crate) fn layout(page: &Page, records: &[Parts]) -> Layout {
    let tree = &page.tree;
    let tops = || records.iter().filter_map(|parts| parts.first()).map(|part| part.start);
    let count = |is: &dyn Fn(Node) -> bool| tops().filter(|&top| is(top)).count();
    let rows = count(&|top| tree.tag(top) == tags::TR);
    if 2 * rows > records.len() {
        return Layout::Table;
    }
    let cells = count(&|top| matches!(tree.tag(top), tags::TD | tags::TH));
    if 2 * cells > records.len() || records.iter().any(|parts| parts.len() > 1) {
        return Layout::Grid;
    }
    let mut records_of_parent: FxHashMap<Node, u32> = FxHashMap::default();
    for top in tops() {
        *records_of_parent.entry(tree.parent(top)).or_default() += 1;
    }
    let shared: u32 = records_of_parent.values().filter(|&&n| n > 1).sum();
    let several = records_of_parent.values().filter(|&&n| n > 1).count() > 1;
    let small = records_of_parent.values().all(|&n| n <= 6);
    if several && small && 2 * shared as usize > records.len() { Layout::Grid } else { Layout::List }
}

/// True for a table row with several cells whose texts are all bold. Such a row is a header if few rows are
/// bold.
pub(crate) fn is_bold_row(page: &Page, row: Node) -> bool {
    let tree = &page.tree;
    let has_text = |nodes: &Range<Node>| page.index.leaves(nodes) > 0;
    tree.tag(row) == tags::TR
        && (row..tree.end(row))
            .filter(|&node| has_text(&(node..node + 1)))
            .all(|text| page.styles.style(tree.parent(text)).bold)
        && tree.elements(row).filter(|&cell| has_text(&(cell..tree.end(cell)))).count() > 1
}
