//! Trees made of parts of other trees: the pages of one list are read as if they were one page.
//!
//! In: trees and parts (ranges of whole sibling subtrees). Out: a tree with copies of the parts, and the
//! first node of each copy. Nodes keep their order and adjacent texts are not merged, so node `i` of a part
//! is node `start + i` of the new tree. O(nodes).

use crate::draft::Draft;
use crate::tree::{Node, Tree};
use std::ops::Range;

/// A tree and a part of it: one or more whole sibling subtrees.
pub type TreePart<'t> = (&'t Tree, Range<Node>);

/// A tree of only these parts, as children of the document, and the first node of each.
pub fn excerpt(parts: &[TreePart<'_>]) -> (Tree, Vec<Node>) {
    let mut draft = Draft::new();
    let starts = copy_parts(&mut draft, Draft::DOCUMENT_NODE, parts);
    (draft.finish(), starts)
}

/// The tree with these parts inserted right after `sibling`, and the first node of each.
pub fn insert_after(tree: &Tree, sibling: Node, parts: &[TreePart<'_>]) -> (Tree, Vec<Node>) {
    let (parent, after) = (tree.parent(sibling), tree.end(sibling));
    let mut draft = Draft::new();
    let mut open = vec![(0, Draft::DOCUMENT_NODE)];
    // everything up to the end of the sibling; then only its ancestors are open
    copy_range(&mut draft, tree, 1..after, &mut open);
    while open.last().is_some_and(|&(node, _)| node != parent) {
        open.pop();
    }
    let starts = copy_parts(&mut draft, open.last().map_or(Draft::DOCUMENT_NODE, |&(_, id)| id), parts);
    copy_range(&mut draft, tree, after..tree.len() as Node, &mut open);
    (draft.finish(), starts)
}

fn copy_parts(draft: &mut Draft, parent: Node, parts: &[TreePart<'_>]) -> Vec<Node> {
    let copy = |(tree, nodes): &TreePart<'_>| {
        let start = draft.len() as Node;
        copy_range(draft, tree, nodes.clone(), &mut vec![(Node::MAX, parent)]);
        start
    };
    parts.iter().map(copy).collect()
}

/// Copies nodes in document order. `open` has the elements around them that were not closed yet, with their
/// copies; the first one stays open.
fn copy_range(draft: &mut Draft, from: &Tree, nodes: Range<Node>, open: &mut Vec<(Node, Node)>) {
    for node in nodes {
        while open.len() > 1 && open.last().is_some_and(|&(above, _)| from.end(above) <= node) {
            open.pop();
        }
        let parent = open.last().map_or(Draft::DOCUMENT_NODE, |&(_, id)| id);
        if from.is_text(node) {
            draft.append_separate_text(parent, from.raw_text(node));
        } else {
            let (name, foreign) = (from.tag_name(node), from.is_foreign(node));
            open.push((node, draft.named_element(parent, name, foreign, from.attributes(node))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::parse::parse;
    use crate::{serialise, tags};

    fn tree(html: &str) -> Tree {
        parse(html, &Limits::default()).0
    }

    fn nodes(tree: &Tree, tag: &str) -> Vec<Range<Node>> {
        let nodes = tree.nodes().filter(|&node| tree.tag_name(node) == tag);
        nodes.map(|node| node..tree.end(node)).collect()
    }

    #[test]
    fn inserting_nothing_gives_the_same_tree() {
        let tree = tree("<body><p class=a>x<svg><path d=1></svg><x-y>z</x-y></p>t<ul><li>1<li>2</ul>");
        for sibling in tree.nodes().skip(1) {
            let (copy, starts) = insert_after(&tree, sibling, &[]);
            assert_eq!(serialise::html(&copy, 0), serialise::html(&tree, 0));
            assert!(starts.is_empty());
            assert!(tree.nodes().all(|n| copy.end(n) == tree.end(n) && copy.parent(n) == tree.parent(n)));
            assert!(
                tree.nodes()
                    .all(|n| copy.depth(n) == tree.depth(n) && copy.prev_sibling(n) == tree.prev_sibling(n))
            );
        }
    }

    #[test]
    fn parts_are_inserted_after_the_sibling_and_keep_their_order() {
        let first = tree("<ul><li>1<li>2</ul><p>end");
        let second = tree("<div><i></i><ul><li id=a><b>3</b>!<li>4</ul></div>");
        let items = nodes(&second, "li");
        let sibling = nodes(&first, "li")[1].start;
        let parts: Vec<TreePart<'_>> = items.iter().map(|item| (&second, item.clone())).collect();
        let (joined, starts) = insert_after(&first, sibling, &parts);
        let body = joined.find(tags::BODY).unwrap();
        assert_eq!(
            serialise::html(&joined, body),
            "<body><ul><li>1</li><li>2</li><li id=\"a\"><b>3</b>!</li><li>4</li></ul><p>end</p></body>"
        );
        for (start, item) in starts.iter().zip(&items) {
            assert_eq!(joined.end(*start) - start, item.len() as Node);
            assert_eq!(serialise::html(&joined, *start), serialise::html(&second, item.start));
        }
    }

    #[test]
    fn an_excerpt_has_only_the_parts() {
        let tree = tree("<ul><li>1<li>2</ul><p>end<b>x");
        let list = nodes(&tree, "li");
        // the two items are one part
        let (part, starts) =
            excerpt(&[(&tree, list[0].start..list[1].end), (&tree, nodes(&tree, "b")[0].clone())]);
        assert_eq!(starts, [1, 5]);
        assert_eq!(part.len(), 7);
        assert_eq!(serialise::html(&part, 0), "<li>1</li><li>2</li><b>x</b>");
    }
}
