//! The depth limit on the finished tree.
//!
//! In: a tree of any depth: the tree builder moves, implies and reopens elements, so that only the finished tree
//! tells how deep it is. Out: the same tree without the elements that are too deep; their text stays, in its order.
//! O(nodes + text), and only O(nodes) if nothing is too deep.

use crate::draft::Draft;
use crate::tree::{Node, Tree};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};

/// Below `html` and `body` there is always room for elements.
const MIN_DEPTH: usize = 3;

/// `None` if no element is deeper than `depth`.
pub(super) fn flatten(tree: &Tree, depth: usize) -> Option<Tree> {
    let most = depth.clamp(MIN_DEPTH, u32::MAX as usize) as u32;
    let is_element = |node: Node| !tree.is_text(node);
    if !tree.nodes().any(|node| tree.depth(node) > most && is_element(node)) {
        return None;
    }
    let mut draft = Draft::new();
    // by node: what it became, or what its text goes to
    let mut to: Vec<Node> = vec![Draft::DOCUMENT];
    for node in tree.nodes().skip(1) {
        let parent = to[tree.parent(node) as usize];
        to.push(if tree.is_text(node) {
            // a comment keeps texts of different elements apart; it is no part of the finished tree
            let comment = draft.create_comment();
            draft.append(parent, comment);
            draft.append_text(parent, tree.raw_text(node));
            parent
        } else if draft.depth(parent) < most as usize || holds_no_content(tree, node) {
            let copy = draft.create(name(tree, node), &attributes(tree, node));
            draft.append(parent, copy);
            copy
        } else {
            parent
        });
    }
    Some(draft.finish())
}

/// Its text must not become text of the page.
fn holds_no_content(tree: &Tree, node: Node) -> bool {
    super::is_raw(tree.tag_name(node)) && tree.elements(node).next().is_none()
}

fn name(tree: &Tree, node: Node) -> QualName {
    // which foreign name space it was does not matter any more
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
