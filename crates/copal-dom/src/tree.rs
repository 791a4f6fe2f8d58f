//! The arena: a page's elements and texts in document order.
//!
//! In: a [`Draft`](crate::draft::Draft). Out: one array indexed by [`Node`]. A subtree is the range
//! `n..end(n)` and its text is a slice of one buffer, so that subtrees are compared without allocation. Every
//! step (parent, next sibling, end of the subtree) is O(1).

use crate::attrs::{AttrName, AttrRange, Attrs};
use crate::tags::{self, Tag, Tags};

/// A node of a [`Tree`]: its position in document order.
pub type Node = u32;
/// Means "no node", for example as the parent of the document.
pub const NONE: Node = Node::MAX;

/// One node. A page has up to half a million, so there is no room to waste: 32 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeNode {
    pub(crate) parent: Node,
    pub(crate) prev: Node,
    pub(crate) end: Node,
    pub(crate) depth: u32,
    pub(crate) attrs: AttrRange,
    /// Where its text begins.
    pub(crate) text_at: u32,
    pub(crate) tag: Tag,
    pub(crate) foreign: bool,
}

/// A page as a tree. Node 0 is the document.
#[derive(Debug, Clone)]
pub struct Tree {
    tags: Tags,
    attrs: Attrs,
    nodes: Vec<TreeNode>,
    text: String,
    quirks: bool,
}

impl Tree {
    pub(crate) fn new(tags: Tags, attrs: Attrs, nodes: Vec<TreeNode>, text: String, quirks: bool) -> Tree {
        Tree { tags, attrs, nodes, text, quirks }
    }

    /// True if browsers show the page in quirks mode, because its doctype is missing or old.
    pub fn is_quirks(&self) -> bool {
        self.quirks
    }

    /// The number of nodes, including the document and texts.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there is nothing below the document.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// All nodes in document order.
    pub fn nodes(&self) -> std::ops::Range<Node> {
        0..self.len() as Node
    }

    /// The tag; [`tags::TEXT`] for texts.
    #[inline]
    pub fn tag(&self, node: Node) -> Tag {
        self.nodes[node as usize].tag
    }

    /// The tag name; `#text` for texts.
    pub fn tag_name(&self, node: Node) -> &str {
        self.tags.name(self.tag(node))
    }

    /// The tag names of this page.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// True for SVG and `MathML` elements.
    #[inline]
    pub fn is_foreign(&self, node: Node) -> bool {
        self.nodes[node as usize].foreign
    }

    /// True for text nodes.
    #[inline]
    pub fn is_text(&self, node: Node) -> bool {
        self.tag(node) == tags::TEXT
    }

    /// The parent, or [`NONE`] for the document.
    #[inline]
    pub fn parent(&self, node: Node) -> Node {
        self.nodes[node as usize].parent
    }

    /// The previous sibling, or [`NONE`].
    #[inline]
    pub fn prev_sibling(&self, node: Node) -> Node {
        self.nodes[node as usize].prev
    }

    /// The next sibling, or [`NONE`].
    #[inline]
    pub fn next_sibling(&self, node: Node) -> Node {
        let next = self.end(node);
        let parent = self.parent(node);
        if parent != NONE && next < self.end(parent) { next } else { NONE }
    }

    /// The first node after the subtree.
    #[inline]
    pub fn end(&self, node: Node) -> Node {
        self.nodes[node as usize].end
    }

    /// The distance from the document.
    #[inline]
    pub fn depth(&self, node: Node) -> u32 {
        self.nodes[node as usize].depth
    }

    /// True if `inner` is `outer` or a descendant of it.
    #[inline]
    pub fn contains(&self, outer: Node, inner: Node) -> bool {
        outer <= inner && inner < self.end(outer)
    }

    /// The children, including texts.
    pub fn children(&self, node: Node) -> Children<'_> {
        Children { tree: self, at: node + 1, end: self.end(node) }
    }

    /// The children that are elements.
    pub fn elements(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.children(node).filter(|&child| !self.is_text(child))
    }

    /// The ancestors from the parent up to the document.
    pub fn ancestors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let up = |node: Node| Some(self.parent(node)).filter(|&up| up != NONE);
        std::iter::successors(up(node), move |&node| up(node))
    }

    /// All text of the subtree, hidden or not, with its white space.
    pub fn raw_text(&self, node: Node) -> &str {
        let TreeNode { text_at, end, .. } = self.nodes[node as usize];
        let text_end = self.nodes.get(end as usize).map_or(self.text.len(), |after| after.text_at as usize);
        &self.text[text_at as usize..text_end]
    }

    /// An attribute's value.
    #[inline]
    pub fn attr(&self, node: Node, name: AttrName) -> Option<&str> {
        self.attrs.get(self.nodes[node as usize].attrs, name)
    }

    /// The values of several different attributes, in one pass.
    pub(crate) fn attrs<const N: usize>(&self, node: Node, names: [AttrName; N]) -> [Option<&str>; N] {
        self.attrs.get_all(self.nodes[node as usize].attrs, names)
    }

    /// An attribute's value by its name.
    pub fn attr_named(&self, node: Node, name: &str) -> Option<&str> {
        self.attr(node, self.attrs.find(name)?)
    }

    /// The number of an attribute name, if an element of the page has it. Use it to look up one name on many
    /// elements.
    pub fn attr_name(&self, name: &str) -> Option<AttrName> {
        self.attrs.find(name)
    }

    /// The names and values of all attributes, in the order of the page.
    pub fn attributes(&self, node: Node) -> impl Iterator<Item = (&str, &str)> {
        self.attrs.iter(self.nodes[node as usize].attrs)
    }

    /// The first element with this tag, in document order.
    pub fn find(&self, tag: Tag) -> Option<Node> {
        self.nodes.iter().position(|node| node.tag == tag).map(|n| n as Node)
    }

    /// Bytes that the tree holds on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<TreeNode>() + self.text.capacity() + self.attrs.heap_bytes()
    }
}

/// See [`Tree::children`].
#[derive(Debug, Clone)]
pub struct Children<'a> {
    tree: &'a Tree,
    at: Node,
    end: Node,
}

impl Iterator for Children<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        if self.at >= self.end {
            return None;
        }
        let child = self.at;
        self.at = self.tree.end(child);
        Some(child)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Draft, Tree, tags};

    fn small() -> Tree {
        let mut draft = Draft::new();
        let body = draft.element(Draft::DOCUMENT_NODE, "body");
        let p = draft.element(body, "p");
        draft.text(p, "one ");
        draft.text(p, "two");
        draft.element(p, "br");
        draft.text(p, "three");
        draft.element(body, "x-y");
        draft.finish()
    }

    #[test]
    fn nodes_are_in_document_order() {
        let tree = small();
        let names: Vec<&str> = tree.nodes().map(|n| tree.tag_name(n)).collect();
        assert_eq!(names, ["#document", "body", "p", "#text", "br", "#text", "x-y"]);
        assert_eq!(tree.raw_text(2), "one twothree");
        assert_eq!(tree.children(1).collect::<Vec<_>>(), [2, 6]);
        assert_eq!((tree.end(0), tree.end(2), tree.end(6)), (7, 6, 7));
        assert_eq!((tree.prev_sibling(6), tree.next_sibling(2)), (2, 6));
        assert_eq!(tree.depth(3), 3);
        assert_eq!(tree.tag(4), tags::BR);
    }

    #[test]
    fn a_tree_of_any_depth_needs_no_stack() {
        let deep = std::thread::Builder::new()
            .stack_size(1 << 20)
            .spawn(|| {
                let mut draft = Draft::new();
                let mut at = Draft::DOCUMENT_NODE;
                for _ in 0..100_000 {
                    at = draft.element(at, "div");
                }
                draft.text(at, "deep");
                draft.finish().depth(100_000)
            })
            .unwrap();
        assert_eq!(deep.join().unwrap(), 100_000);
    }
}
