//! The arena: a page's elements and texts in document order.
//!
//! In: a [`Draft`](crate::draft::Draft). Out: parallel arrays indexed by [`Node`]. A subtree is the range
//! `n..end(n)` and its text is a slice of one buffer, so that subtrees are compared without allocation. Every
//! step (parent, next sibling, end of the subtree) is O(1).

use crate::attrs::{AttrName, AttrRange, Attrs};
use crate::tags::{self, Tag, Tags};

/// A node of a [`Tree`]: its position in document order.
pub type Node = u32;
/// Means "no node", for example as the parent of the document.
pub const NONE: Node = Node::MAX;

/// A page as a tree. Node 0 is the document.
#[derive(Debug, Clone)]
pub struct Tree {
    tags: Tags,
    attrs: Attrs,
    tag: Vec<Tag>,
    foreign: Vec<bool>,
    parent: Vec<Node>,
    prev: Vec<Node>,
    end: Vec<Node>,
    depth: Vec<u32>,
    attr: Vec<AttrRange>,
    /// Where the text of each node begins, and at the end the length of all text.
    text_at: Vec<u32>,
    text: String,
    quirks: bool,
    /// The last child so far, by node; only used while the tree is built.
    last: Vec<Node>,
}

impl Tree {
    pub(crate) fn with_capacity(nodes: usize, text: usize) -> Self {
        Tree {
            tags: Tags::default(),
            attrs: Attrs::default(),
            tag: Vec::with_capacity(nodes),
            foreign: Vec::with_capacity(nodes),
            parent: Vec::with_capacity(nodes),
            prev: Vec::with_capacity(nodes),
            end: Vec::with_capacity(nodes),
            depth: Vec::with_capacity(nodes),
            attr: Vec::with_capacity(nodes),
            text_at: Vec::with_capacity(nodes + 1),
            text: String::with_capacity(text),
            quirks: false,
            last: Vec::with_capacity(nodes),
        }
    }

    pub(crate) fn push(&mut self, tag: Tag, parent: Node, attr: AttrRange, foreign: bool) -> Node {
        let id = self.tag.len() as Node;
        self.tag.push(tag);
        self.foreign.push(foreign);
        self.parent.push(parent);
        self.end.push(id + 1);
        self.attr.push(attr);
        self.text_at.push(self.text.len() as u32);
        self.last.push(NONE);
        if parent == NONE {
            self.prev.push(NONE);
            self.depth.push(0);
        } else {
            self.prev.push(std::mem::replace(&mut self.last[parent as usize], id));
            self.depth.push(self.depth[parent as usize] + 1);
        }
        id
    }

    pub(crate) fn push_text<'a>(&mut self, parent: Node, pieces: impl Iterator<Item = &'a str>) {
        self.push(tags::TEXT, parent, AttrRange::default(), false);
        self.text.extend(pieces);
    }

    /// Says that `node` gets no more descendants.
    pub(crate) fn close(&mut self, node: Node) {
        self.end[node as usize] = self.tag.len() as Node;
    }

    pub(crate) fn complete(mut self, tags: Tags, attrs: Attrs) -> Tree {
        self.text_at.push(self.text.len() as u32);
        self.tags = tags;
        self.attrs = attrs;
        self.last = Vec::new();
        self
    }

    pub(crate) fn set_quirks(&mut self, quirks: bool) {
        self.quirks = quirks;
    }

    /// True if browsers show the page in quirks mode, because its doctype is missing or old.
    pub fn is_quirks(&self) -> bool {
        self.quirks
    }

    /// The number of nodes, including the document and texts.
    pub fn len(&self) -> usize {
        self.tag.len()
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
        self.tag[node as usize]
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
        self.foreign[node as usize]
    }

    /// True for text nodes.
    #[inline]
    pub fn is_text(&self, node: Node) -> bool {
        self.tag(node) == tags::TEXT
    }

    /// The parent, or [`NONE`] for the document.
    #[inline]
    pub fn parent(&self, node: Node) -> Node {
        self.parent[node as usize]
    }

    /// The previous sibling, or [`NONE`].
    #[inline]
    pub fn prev_sibling(&self, node: Node) -> Node {
        self.prev[node as usize]
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
        self.end[node as usize]
    }

    /// The distance from the document.
    #[inline]
    pub fn depth(&self, node: Node) -> u32 {
        self.depth[node as usize]
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
        let end = self.end(node) as usize;
        &self.text[self.text_at[node as usize] as usize..self.text_at[end] as usize]
    }

    /// An attribute's value.
    #[inline]
    pub fn attr(&self, node: Node, name: AttrName) -> Option<&str> {
        self.attrs.get(self.attr[node as usize], name)
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
        self.attrs.iter(self.attr[node as usize])
    }

    /// The first element with this tag, in document order.
    pub fn find(&self, tag: Tag) -> Option<Node> {
        self.tag.iter().position(|&t| t == tag).map(|n| n as Node)
    }

    /// Bytes that the tree holds on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.tag.capacity() * (2 + 1 + 4 * 4 + 8 + 4) + self.text.capacity() + self.attrs.heap_bytes()
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
