//! The records that a person means by pointing at two or more of them.
//!
//! In: nodes, each in another record. Out: the elements of all records: the smallest elements that tell the examples
//! apart, and what looks like them next to them; in lists of several rows, also in the other rows. O(elements).

use crate::error::WrapperError;
use copal_dom::{Node, Page, Tree, attrs, stable_classes};
use copal_extract::ElementSelector;

/// Records at most.
const MAX_EXAMPLE_RECORDS: usize = 20_000;
/// Texts and images of a record at least, where it could also be a field.
const MIN_RECORD_LEAVES: u32 = 2;
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
    let sections = kind.children(page, around);
    if let Some(records) = records_in_sections(page, sections, &tops, examples) {
        return Ok(records);
    }
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

/// The records if the elements that tell the examples apart are sections of a list: if each section consists of elements
/// that are alike and have several texts, one of which is around the example.
fn records_in_sections(
    page: &Page,
    sections: Vec<Node>,
    tops: &[Node],
    examples: &[Node],
) -> Option<Vec<Node>> {
    let tree = &page.tree;
    let leaves = |node: Node| {
        let inside = node..tree.end(node);
        page.index.leaves(&inside) + page.index.images(&inside)
    };
    let top_of = |node: Node| tops.iter().copied().find(|&top| top == node || tree.contains(top, node));
    let inner: Vec<Node> =
        examples.iter().map(|&node| child_towards(tree, top_of(node)?, node)).collect::<Option<_>>()?;
    let kind = RecordKind::of(tree, &inner);
    let is_record = |node: &Node| leaves(*node) >= MIN_RECORD_LEAVES;
    // cells of a row are alike too, but most of them have one text
    let are_records = |section: &Node| {
        let records = kind.children(page, *section);
        let covered: u32 = records.iter().map(|&node| leaves(node)).sum();
        records.len() > 1 && records.iter().all(is_record) && 10 * covered >= 8 * leaves(*section)
    };
    if kind.tags.len() != 1 || !inner.iter().all(is_record) || !tops.iter().any(are_records) {
        return None;
    }
    let mut records: Vec<Node> =
        sections.into_iter().flat_map(|section| kind.children(page, section)).collect();
    records.extend(inner);
    records.sort_unstable();
    records.dedup();
    records.truncate(MAX_EXAMPLE_RECORDS);
    Some(records)
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

pub(crate) fn class_words(tree: &Tree, node: Node) -> Vec<&str> {
    stable_classes(tree.attr(node, attrs::CLASS).unwrap_or_default()).collect()
}

/// What the elements of the examples have in common.
pub(crate) struct RecordKind<'t> {
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

    /// Elements with this tag and these class words.
    pub(crate) fn with(tag: u16, classes: Vec<&'t str>) -> RecordKind<'t> {
        RecordKind { tags: vec![tag], classes }
    }

    /// The children of an element that have it, are shown and not empty.
    pub(crate) fn children(&self, page: &Page, around: Node) -> Vec<Node> {
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
