//! Trees made of parts of other trees: the pages of one list are read as if they were one page.
//!
//! In: trees and parts (ranges of whole sibling subtrees). Out: a tree with copies of the parts, and the
//! first node of each copy. Nodes keep their order and adjacent texts are not merged, so node `i` of a part
//! is node `start + i` of the new tree. O(nodes).

use crate::attrs::{AttrRange, Attrs};
use crate::tags::{self, Tags};
use crate::tree::{NONE, Node, Tree};
use html5ever::{Attribute, LocalName, QualName};
use std::ops::Range;

/// A tree and a part of it: one or more whole sibling subtrees.
pub type TreePart<'t> = (&'t Tree, Range<Node>);

/// A tree of only these parts, as children of the document, and the first node of each.
pub fn excerpt(parts: &[TreePart<'_>]) -> (Tree, Vec<Node>) {
    let mut copy = TreeCopy::new(parts.iter().map(|(_, nodes)| nodes.len()).sum::<usize>() + 1);
    let document = copy.tree.push(tags::DOCUMENT, NONE, AttrRange::default(), false);
    let starts = copy.parts(document, parts);
    copy.tree.close(document);
    (copy.finish(), starts)
}

/// The tree with these parts inserted right after `sibling`, and the first node of each.
pub fn insert_after(tree: &Tree, sibling: Node, parts: &[TreePart<'_>]) -> (Tree, Vec<Node>) {
    let mut copy = TreeCopy::new(tree.len() + parts.iter().map(|(_, nodes)| nodes.len()).sum::<usize>());
    let (parent, after) = (tree.parent(sibling), tree.end(sibling));
    // everything up to the end of the sibling; then only its ancestors are open
    let mut open = Vec::new();
    copy.range(tree, 0..after, NONE, &mut open);
    while open.last().is_some_and(|&(node, _)| node != parent) {
        copy.close_last(&mut open);
    }
    let starts = copy.parts(open.last().map_or(NONE, |&(_, id)| id), parts);
    copy.range(tree, after..tree.len() as Node, NONE, &mut open);
    while !open.is_empty() {
        copy.close_last(&mut open);
    }
    (copy.finish(), starts)
}

struct TreeCopy {
    tree: Tree,
    tags: Tags,
    attrs: Attrs,
}

impl TreeCopy {
    fn new(nodes: usize) -> TreeCopy {
        TreeCopy { tree: Tree::with_capacity(nodes, 0), tags: Tags::default(), attrs: Attrs::default() }
    }

    fn finish(self) -> Tree {
        self.tree.complete(self.tags, self.attrs)
    }

    fn parts(&mut self, parent: Node, parts: &[TreePart<'_>]) -> Vec<Node> {
        let mut starts = Vec::with_capacity(parts.len());
        for (tree, nodes) in parts {
            starts.push(self.tree.len() as Node);
            let mut open = Vec::new();
            self.range(tree, nodes.clone(), parent, &mut open);
            while !open.is_empty() {
                self.close_last(&mut open);
            }
        }
        starts
    }

    /// Copies nodes in document order. `open` has the elements that are not closed yet, with their copies;
    /// `top` is the parent of nodes outside them.
    fn range(&mut self, from: &Tree, nodes: Range<Node>, top: Node, open: &mut Vec<(Node, Node)>) {
        for node in nodes {
            while open.last().is_some_and(|&(above, _)| from.end(above) <= node) {
                self.close_last(open);
            }
            let parent = open.last().map_or(top, |&(_, id)| id);
            if from.is_text(node) {
                self.tree.push_text(parent, std::iter::once(from.raw_text(node)));
            } else {
                let id = self.element(from, node, parent);
                open.push((node, id));
            }
        }
    }

    fn element(&mut self, from: &Tree, node: Node, parent: Node) -> Node {
        let tag = match from.tag(node) {
            tags::DOCUMENT => tags::DOCUMENT,
            _ => self.tags.intern(&LocalName::from(from.tag_name(node))),
        };
        let attributes: Vec<Attribute> = from
            .attributes(node)
            .map(|(name, value)| Attribute {
                name: QualName::new(None, html5ever::ns!(), LocalName::from(name)),
                value: value.into(),
            })
            .collect();
        let range = self.attrs.add(&attributes);
        self.tree.push(tag, parent, range, from.is_foreign(node))
    }

    fn close_last(&mut self, open: &mut Vec<(Node, Node)>) {
        if let Some((_, id)) = open.pop() {
            self.tree.close(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::parse::parse;
    use crate::serialise;

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
