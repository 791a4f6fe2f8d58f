//! The depth limit on the finished tree.
//!
//! In: a tree of any depth. The tree builder moves, implies and reopens elements, so only the finished tree
//! shows how deep it is. Out: the same tree without the elements that are too deep; their text is kept, in
//! order. O(nodes + text), and only O(nodes) if nothing is too deep.

use super::element_names::is_raw_text;
use crate::draft::Draft;
use crate::tree::{Node, Tree};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};

/// The smallest depth limit: `html`, `body` and one level of elements.
const MIN_DEPTH: usize = 3;

/// Returns `None` if no element is deeper than `depth`.
pub(super) fn flatten(tree: &Tree, depth: usize) -> Option<Tree> {
    let max_depth = depth.clamp(MIN_DEPTH, u32::MAX as usize) as u32;
    let is_element = |node: Node| !tree.is_text(node);
    if !tree.nodes().any(|node| tree.depth(node) > max_depth && is_element(node)) {
        return None;
    }
    let mut draft = Draft::new();
    // by node: its copy, or the element that gets its text
    let mut to: Vec<Node> = vec![Draft::DOCUMENT_NODE];
    for node in tree.nodes().skip(1) {
        let parent = to[tree.parent(node) as usize];
        to.push(if tree.is_text(node) {
            // a comment keeps texts of different elements apart; the finished tree has no comments
            let comment = draft.create_comment();
            draft.append(parent, comment);
            draft.append_text(parent, tree.raw_text(node));
            parent
        } else if draft.depth(parent) < max_depth as usize || holds_no_content(tree, node) {
            let copy = draft.create(name(tree, node), &attributes(tree, node));
            draft.append(parent, copy);
            copy
        } else {
            parent
        });
    }
    Some(draft.finish())
}

/// True for elements like `script`: their text must not become text of the page.
fn holds_no_content(tree: &Tree, node: Node) -> bool {
    is_raw_text(tree.tag_name(node)) && tree.elements(node).next().is_none()
}

fn name(tree: &Tree, node: Node) -> QualName {
    // the tree only knows whether an element is foreign, not its namespace
    let ns = if tree.is_foreign(node) { ns!(svg) } else { ns!(html) };
    QualName::new(None, ns, LocalName::from(tree.tag_name(node)))
}

fn attributes(tree: &Tree, node: Node) -> Vec<Attribute> {
    let attribute = |(name, value): (&str, &str)| Attribute {
        name: QualName::new(None, ns!(), LocalName::from(name)),
        value: StrTendril::from_slice(value),
    };
    tree.attributes(node).map(attribute).collect()
}
