//! The records that a person means by pointing at two or more of them.
//!
//! In: nodes, each in another record. Out: the elements of all records: the smallest elements that tell the examples
//! apart, and what looks like them next to them; in lists of several rows, also in the other rows. O(elements).

use crate::error::WrapperError;
use copal_dom::{Node, Page, Tree, attrs, stable_classes};
use copal_extract::ElementSelector;

/// Records at most.
const MAX_EXAMPLE_RECORDS: usize = 20_000;
/// Examples at most.
const MAX_EXAMPLES: usize = 50;

/// The elements of the records that examples belong to.
pub fn example_records(page: &Page, examples: &[Node]) -> Result<Vec<Node>, WrapperError> {
    let tree = &page.tree;
    if examples.len() < 2 || examples.len() > MAX_EXAMPLES {
        let message = format!("{} example records: expected 2 to {MAX_EXAMPLES}", examples.len());
        return Err(WrapperError::value(message));
    }
    if let Some(node) = examples.iter().find(|&&node| node == 0 || node as usize >= tree.len()) {
        return Err(WrapperError::value(format!("there is no element {node} on this page")));
    }
    let around = common_ancestor(tree, examples);
    let mut tops: Vec<Node> = examples.iter().filter_map(|&node| child_towards(tree, around, node)).collect();
    tops.sort_unstable();
    tops.dedup();
    if tops.len() < 2 {
        return Err(WrapperError::value("the examples are in one record: click on two different ones"));
    }
    let kind = RecordKind::of(tree, &tops);
    let mut records = kind.children(page, around);
    // the same kind of element may go on in the next row
    let parent = tree.parent(around);
    if tree.depth(around) > 1 {
        let is_row = |node: &Node| *node != around && tree.tag(*node) == tree.tag(around);
        let shares_class = |node: &Node| {
            let own = class_words(tree, around);
            own.is_empty() || class_words(tree, *node).iter().any(|word| own.contains(word))
        };
        for row in tree.elements(parent).filter(is_row).filter(shares_class) {
            records.extend(kind.children(page, row));
        }
    }
    records.extend(tops);
    records.sort_unstable();
    records.dedup();
    records.truncate(MAX_EXAMPLE_RECORDS);
    Ok(records)
}

fn common_ancestor(tree: &Tree, nodes: &[Node]) -> Node {
    let first = nodes[0];
    let holds_all = |element: &Node| nodes.iter().all(|&node| tree.contains(*element, node));
    tree.ancestors(first).find(holds_all).unwrap_or(0)
}

/// The child of an element that is, or contains, a node.
fn child_towards(tree: &Tree, element: Node, node: Node) -> Option<Node> {
    std::iter::once(node).chain(tree.ancestors(node)).find(|&step| tree.parent(step) == element)
}

fn class_words(tree: &Tree, node: Node) -> Vec<&str> {
    stable_classes(tree.attr(node, attrs::CLASS).unwrap_or_default()).collect()
}

/// What the elements of the examples have in common.
struct RecordKind<'t> {
    tags: Vec<u16>,
    classes: Vec<&'t str>,
}

impl<'t> RecordKind<'t> {
    fn of(tree: &'t Tree, tops: &[Node]) -> RecordKind<'t> {
        let mut tags: Vec<u16> = tops.iter().map(|&top| tree.tag(top)).collect();
        tags.dedup();
        let mut classes = class_words(tree, tops[0]);
        classes.retain(|word| tops.iter().all(|&top| class_words(tree, top).contains(word)));
        RecordKind { tags, classes }
    }

    fn children(&self, page: &Page, around: Node) -> Vec<Node> {
        let tree = &page.tree;
        let fits = |node: &Node| {
            let own = class_words(tree, *node);
            self.tags.contains(&tree.tag(*node))
                && self.classes.iter().all(|word| own.contains(word))
                && page.styles.is_shown(*node)
                && page.index.leaves(&(*node..tree.end(*node))) + page.index.images(&(*node..tree.end(*node)))
                    > 0
        };
        tree.elements(around).filter(fits).collect()
    }
}

/// Elements of one page as a selector, to choose the list that they are the records of.
#[derive(Debug)]
pub struct ChosenElements {
    /// The elements, in document order.
    pub nodes: Vec<Node>,
}

impl ElementSelector for ChosenElements {
    fn text(&self) -> &'static str {
        "the chosen elements"
    }

    fn select_in(&self, page: &Page, scopes: &[Node]) -> Vec<Vec<Node>> {
        let inside = |scope: Node| {
            let within = |node: &Node| *node == scope || page.tree.contains(scope, *node);
            self.nodes.iter().copied().filter(within).collect()
        };
        scopes.iter().map(|&scope| inside(scope)).collect()
    }
}
