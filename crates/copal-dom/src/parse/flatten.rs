//! The depth limit on the finished tree.
//!
//! In: a tree of any depth. The tree builder moves, implies and reopens elements, so only the finished tree
//! shows how deep it is. Out: the same tree without the elements that are too deep; their text is kept, in
//! order. O(nodes + text), and only O(nodes) if nothing is too deep.

use super::element_names::is_raw_text;
use crate::draft::Draft;
use crate::tree::{Node, Tree};

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
    // by node: its copy, or the element that gets its text; and how deep that is
    let mut to: Vec<(Node, u32)> = vec![(Draft::DOCUMENT_NODE, 0)];
    for node in tree.nodes().skip(1) {
        let (parent, above) = to[tree.parent(node) as usize];
        to.push(if tree.is_text(node) {
            // texts of different elements stay apart
            draft.append_separate_text(parent, tree.raw_text(node));
            (parent, above)
        } else if above < max_depth || holds_no_content(tree, node) {
            let (name, foreign) = (tree.tag_name(node), tree.is_foreign(node));
            (draft.named_element(parent, name, foreign, tree.attributes(node)), above + 1)
        } else {
            (parent, above)
        });
    }
    Some(draft.finish())
}

/// True for elements like `script`: their text must not become text of the page.
fn holds_no_content(tree: &Tree, node: Node) -> bool {
    is_raw_text(tree.tag(node)) && tree.elements(node).next().is_none()
}
