//! The tree while it is being built: linked nodes in any order, because the tree builder moves and reopens elements.
//!
//! In: creations, appends and moves (foster parenting, adoption agency). Out: [`Draft::finish`], the [`Tree`](crate::Tree)
//! with its nodes in document order. If a page moved nothing, nodes and texts are in document order already, and
//! their arrays become those of the tree. No recursion. O(nodes + text).

mod document_order;

use crate::attrs::{AttrEntry, AttrName, AttrRange, Attrs};
use crate::tags::{self, Tag, Tags};
use crate::tree::{NONE, Node};

/// As large as a node of the tree, so that one array can become the other.
#[derive(Debug, Clone, Copy)]
struct DraftNode {
    parent: Node,
    prev: Node,
    next: Node,
    /// First and last child of an element; first and last further [`TextSegment`] of a text.
    first: u32,
    last: u32,
    /// The attributes of an element; where the text of a text is in the buffer.
    attrs: AttrRange,
    tag: Tag,
    foreign: bool,
    /// A comment follows: text after it is not part of this node. The draft has no comments.
    before_comment: bool,
}

/// A further piece of a text node that grew after other text nodes were added.
#[derive(Debug, Clone, Copy)]
struct TextSegment {
    start: u32,
    end: u32,
    next: u32,
}

/// A tree under construction. Tests also use it to make trees of any depth without parsing.
#[derive(Debug)]
pub struct Draft {
    nodes: Vec<DraftNode>,
    tags: Tags,
    attrs: Attrs,
    text: String,
    segments: Vec<TextSegment>,
    comments: usize,
    quirks: bool,
    /// True as long as nodes and texts were created in document order, and nothing was moved.
    ordered: bool,
    /// The node that was attached last, as long as all is in order.
    newest: Node,
}

impl Default for Draft {
    fn default() -> Self {
        Self::new()
    }
}

impl Draft {
    /// The document, the root of every tree.
    pub const DOCUMENT_NODE: Node = 0;

    /// A tree with nothing but the document node.
    pub fn new() -> Self {
        let mut draft = Draft {
            nodes: Vec::new(),
            tags: Tags::default(),
            attrs: Attrs::default(),
            text: String::new(),
            segments: Vec::new(),
            comments: 0,
            quirks: false,
            ordered: true,
            newest: Self::DOCUMENT_NODE,
        };
        draft.push(tags::DOCUMENT, false, AttrRange::default());
        draft
    }

    fn push(&mut self, tag: Tag, foreign: bool, attrs: AttrRange) -> Node {
        let id = self.nodes.len() as Node;
        self.nodes.push(DraftNode {
            parent: NONE,
            prev: NONE,
            next: NONE,
            first: NONE,
            last: NONE,
            attrs,
            tag,
            foreign,
            before_comment: false,
        });
        id
    }

    /// A new element below `parent`, after its other children.
    pub fn element(&mut self, parent: Node, name: &str) -> Node {
        self.named_element(parent, name, false, std::iter::empty())
    }

    /// Text below `parent`, after its other children.
    pub fn text(&mut self, parent: Node, text: &str) {
        self.append_text(parent, text);
    }

    /// A new element with attributes.
    pub(crate) fn named_element<'a>(
        &mut self,
        parent: Node,
        name: &str,
        foreign: bool,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Node {
        let tag = Tags::tag(self.tags.intern(name));
        let attrs = self.attrs.add(attributes);
        let id = self.create(tag, foreign, attrs);
        self.append(parent, id);
        id
    }

    /// An element that is not attached yet.
    pub(crate) fn create(&mut self, tag: Tag, foreign: bool, attrs: AttrRange) -> Node {
        self.push(tag, foreign, attrs)
    }

    pub(crate) fn tags(&mut self) -> &mut Tags {
        &mut self.tags
    }

    pub(crate) fn attrs(&mut self) -> &mut Attrs {
        &mut self.attrs
    }

    pub(crate) fn known_attrs(&self) -> &Attrs {
        &self.attrs
    }

    pub(crate) fn known_tags(&self) -> &Tags {
        &self.tags
    }

    pub(crate) fn add_attribute(&mut self, node: Node, name: AttrName, value: &str) {
        let mark = self.attrs.mark();
        self.attrs.push(name, value);
        let added = self.attrs.entries(self.attrs.since(mark)).to_vec();
        self.add_missing_attrs(node, &added);
    }

    pub(crate) fn add_missing_attrs(&mut self, node: Node, attrs: &[AttrEntry]) {
        let range = self.nodes[node as usize].attrs;
        self.nodes[node as usize].attrs = self.attrs.add_missing(range, attrs);
    }

    pub(crate) fn parent(&self, node: Node) -> Option<Node> {
        let parent = self.nodes[node as usize].parent;
        (parent != NONE).then_some(parent)
    }

    pub(crate) fn is_text(&self, node: Node) -> bool {
        self.nodes[node as usize].tag == tags::TEXT
    }

    /// Nodes created so far, attached or not, and comments.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() + self.comments
    }

    pub(crate) fn text_len(&self) -> usize {
        self.text.len()
    }

    /// Notes that the node, which has no children yet, is attached as the last child of `parent`.
    #[inline]
    fn check_order(&mut self, parent: Node, child: Node) {
        if !self.ordered {
            return;
        }
        // the parent must be the newest node or around it; climbing takes as long as descending did
        let mut at = self.newest;
        while at != parent && at != NONE {
            at = self.nodes[at as usize].parent;
        }
        self.ordered = at == parent && child == self.newest + 1;
        self.newest = child;
    }

    pub(crate) fn append(&mut self, parent: Node, child: Node) {
        self.detach(child);
        self.check_order(parent, child);
        self.link_last(parent, child);
    }

    fn link_last(&mut self, parent: Node, child: Node) {
        let above = &mut self.nodes[parent as usize];
        let last = std::mem::replace(&mut above.last, child);
        if last == NONE {
            above.first = child;
        } else {
            self.nodes[last as usize].next = child;
        }
        let node = &mut self.nodes[child as usize];
        (node.parent, node.prev, node.next) = (parent, last, NONE);
    }

    pub(crate) fn insert_before(&mut self, sibling: Node, child: Node) {
        self.detach(child);
        self.ordered = false;
        let DraftNode { parent, prev, .. } = self.nodes[sibling as usize];
        let node = &mut self.nodes[child as usize];
        (node.parent, node.prev, node.next) = (parent, prev, sibling);
        self.nodes[sibling as usize].prev = child;
        if prev == NONE {
            if parent != NONE {
                self.nodes[parent as usize].first = child;
            }
        } else {
            self.nodes[prev as usize].next = child;
        }
    }

    pub(crate) fn append_text(&mut self, parent: Node, text: &str) {
        let last = self.nodes[parent as usize].last;
        if !self.grow(last, text) {
            self.append_separate_text(parent, text);
        }
    }

    /// Text that is a node of its own, whatever is before it.
    pub(crate) fn append_separate_text(&mut self, parent: Node, text: &str) {
        let node = self.text_node(text);
        self.check_order(parent, node);
        self.link_last(parent, node);
    }

    pub(crate) fn insert_text_before(&mut self, sibling: Node, text: &str) {
        if !self.grow(self.nodes[sibling as usize].prev, text) {
            let node = self.text_node(text);
            self.insert_before(sibling, node);
        }
    }

    /// A comment as the last child of `parent`. Only that it separates texts is kept.
    pub(crate) fn append_comment(&mut self, parent: Node) {
        self.comments += 1;
        let last = self.nodes[parent as usize].last;
        if let Some(node) = self.nodes.get_mut(last as usize) {
            node.before_comment = true;
        }
    }

    /// Appends to `neighbour` if that is a text.
    #[inline]
    fn grow(&mut self, neighbour: Node, text: &str) -> bool {
        let end = self.text.len() as u32;
        let Some(node) = self.nodes.get_mut(neighbour as usize) else { return text.is_empty() };
        if node.tag != tags::TEXT || node.before_comment {
            return text.is_empty();
        }
        self.text.push_str(text);
        if node.last == NONE && node.attrs.start + node.attrs.len == end {
            node.attrs.len += text.len() as u32;
            return true;
        }
        self.ordered = false;
        let segment = self.segments.len() as u32;
        if node.last == NONE {
            node.first = segment;
        } else {
            self.segments[node.last as usize].next = segment;
        }
        node.last = segment;
        self.segments.push(TextSegment { start: end, end: self.text.len() as u32, next: NONE });
        true
    }

    fn text_node(&mut self, text: &str) -> Node {
        let range = AttrRange { start: self.text.len() as u32, len: text.len() as u32 };
        self.text.push_str(text);
        self.push(tags::TEXT, false, range)
    }

    pub(crate) fn detach(&mut self, node: Node) {
        let DraftNode { parent, prev, next, before_comment, .. } = self.nodes[node as usize];
        if parent == NONE {
            return;
        }
        self.ordered = false;
        if prev == NONE {
            self.nodes[parent as usize].first = next;
        } else {
            self.nodes[prev as usize].next = next;
            self.nodes[prev as usize].before_comment |= before_comment;
        }
        if next == NONE {
            self.nodes[parent as usize].last = prev;
        } else {
            self.nodes[next as usize].prev = prev;
        }
        let node = &mut self.nodes[node as usize];
        (node.parent, node.prev, node.next, node.before_comment) = (NONE, NONE, NONE, false);
    }

    /// Moves all children to an element that has none.
    pub(crate) fn move_children(&mut self, from: Node, to: Node) {
        self.ordered = false;
        let DraftNode { first, last, .. } = self.nodes[from as usize];
        let mut child = first;
        while child != NONE {
            self.nodes[child as usize].parent = to;
            child = self.nodes[child as usize].next;
        }
        (self.nodes[from as usize].first, self.nodes[from as usize].last) = (NONE, NONE);
        (self.nodes[to as usize].first, self.nodes[to as usize].last) = (first, last);
    }

    pub(crate) fn set_quirks(&mut self, quirks: bool) {
        self.quirks = quirks;
    }
}

#[cfg(test)]
mod tests {
    use super::{Draft, DraftNode};
    use crate::serialise;
    use crate::tree::TreeNode;

    #[test]
    fn nodes_of_draft_and_tree_are_equally_large() {
        assert_eq!((size_of::<DraftNode>(), size_of::<TreeNode>()), (32, 32));
    }

    fn html(draft: Draft) -> String {
        serialise::html(&draft.finish(), 0)
    }

    #[test]
    fn what_is_built_in_another_order_is_in_document_order_at_the_end() {
        let mut draft = Draft::new();
        let list = draft.element(Draft::DOCUMENT_NODE, "ul");
        let first = draft.element(list, "li");
        let second = draft.element(list, "li");
        draft.text(second, "2");
        assert!(draft.ordered);
        draft.text(first, "1");
        assert!(!draft.ordered, "the text is before others that were there earlier");
        draft.text(second, "+");
        let table = draft.element(list, "table");
        draft.insert_text_before(table, "before ");
        draft.insert_text_before(table, "it");
        assert_eq!(html(draft), "<ul><li>1</li><li>2+</li>before it<table></table></ul>");
    }

    #[test]
    fn an_ordered_draft_ends_like_a_reordered_one() {
        let build = |ordered: bool| {
            let mut draft = Draft::new();
            let list = draft.element(Draft::DOCUMENT_NODE, "ul");
            for text in ["1", "2"] {
                let item = draft.named_element(list, "li", false, [("class", text)].into_iter());
                draft.text(item, text);
                draft.append_comment(item);
                draft.text(item, text);
            }
            draft.element(Draft::DOCUMENT_NODE, "p");
            draft.ordered &= ordered;
            format!("{:?}", draft.finish())
        };
        assert_eq!(build(true), build(false));
    }

    #[test]
    fn comments_separate_texts_also_after_a_move() {
        let mut draft = Draft::new();
        let body = draft.element(Draft::DOCUMENT_NODE, "body");
        draft.text(body, "a");
        let moved = draft.element(body, "b");
        draft.append_comment(body);
        draft.detach(moved);
        draft.text(body, "c");
        draft.append(body, moved);
        let target = draft.element(Draft::DOCUMENT_NODE, "p");
        draft.move_children(body, target);
        draft.text(target, "d");
        let tree = draft.finish();
        assert_eq!(serialise::html(&tree, 0), "<body></body><p>ac<b></b>d</p>");
        assert_eq!(tree.children(2).count(), 4, "a and c are two texts");
    }
}
