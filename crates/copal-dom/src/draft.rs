//! The tree while it is being built: linked nodes in any order, because html5ever moves and reopens elements.
//!
//! In: creations, appends and moves (foster parenting, adoption agency). Out: [`Draft::finish`], the [`Tree`]
//! with its nodes numbered in document order. No recursion. O(nodes + text).

use crate::attrs::{AttrRange, Attrs};
use crate::tags::{self, Tag, Tags};
use crate::tree::{NONE, Node, Tree};
use html5ever::{Attribute, LocalName, Namespace, QualName};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Comments and processing instructions. They separate texts while the tree is built; the finished tree has
/// none.
const COMMENT_TAG: Tag = Tag::MAX;

#[derive(Debug, Clone, Copy)]
struct DraftNode {
    tag: Tag,
    /// Index into [`Draft::names`]; [`NONE`] for everything but elements.
    name: u32,
    depth: u32,
    parent: Node,
    prev: Node,
    next: Node,
    /// First and last child of an element; first and last [`TextSegment`] of a text.
    first: u32,
    last: u32,
    attrs: AttrRange,
}

/// A piece of a text node. A text node may grow after other text nodes were added, so its pieces are not
/// always adjacent in the buffer.
#[derive(Debug, Clone, Copy)]
struct TextSegment {
    start: u32,
    end: u32,
    next: u32,
}

/// The name of an element in the form that html5ever's tree builder asks for.
#[derive(Debug, Clone)]
pub(crate) struct ElementName {
    pub(crate) ns: Namespace,
    pub(crate) local: LocalName,
}

/// A tree under construction. Tests also use it to make trees of any depth without parsing.
#[derive(Debug)]
pub struct Draft {
    nodes: Vec<DraftNode>,
    names: Vec<(Rc<ElementName>, Tag)>,
    name_ids: FxHashMap<QualName, u32>,
    tags: Tags,
    attrs: Attrs,
    text: String,
    segments: Vec<TextSegment>,
    quirks: bool,
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
            names: Vec::new(),
            name_ids: FxHashMap::default(),
            tags: Tags::default(),
            attrs: Attrs::default(),
            text: String::new(),
            segments: Vec::new(),
            quirks: false,
        };
        draft.push(tags::DOCUMENT, NONE, AttrRange::default());
        draft
    }

    fn push(&mut self, tag: Tag, name: u32, attrs: AttrRange) -> Node {
        let id = self.nodes.len() as Node;
        self.nodes.push(DraftNode {
            tag,
            name,
            depth: 0,
            parent: NONE,
            prev: NONE,
            next: NONE,
            first: NONE,
            last: NONE,
            attrs,
        });
        id
    }

    /// A new element below `parent`, after its other children.
    pub fn element(&mut self, parent: Node, name: &str) -> Node {
        let name = QualName::new(None, html5ever::ns!(html), LocalName::from(name));
        let id = self.create(name, &[]);
        self.append(parent, id);
        id
    }

    /// Text below `parent`, after its other children.
    pub fn text(&mut self, parent: Node, text: &str) {
        self.append_text(parent, text);
    }

    pub(crate) fn create(&mut self, name: QualName, attrs: &[Attribute]) -> Node {
        let range = self.attrs.add(attrs);
        let id = match self.name_ids.get(&name) {
            Some(&id) => id,
            None => {
                let id = self.names.len() as u32;
                let tag = self.tags.intern(&name.local);
                self.names
                    .push((Rc::new(ElementName { ns: name.ns.clone(), local: name.local.clone() }), tag));
                self.name_ids.insert(name, id);
                id
            }
        };
        self.push(self.names[id as usize].1, id, range)
    }

    pub(crate) fn create_comment(&mut self) -> Node {
        self.push(COMMENT_TAG, NONE, AttrRange::default())
    }

    pub(crate) fn add_missing_attrs(&mut self, node: Node, attrs: &[Attribute]) {
        let range = self.nodes[node as usize].attrs;
        self.nodes[node as usize].attrs = self.attrs.add_missing(range, attrs);
    }

    /// The name of an element. It is reference-counted because html5ever asks for it often and holds it while
    /// it changes the tree.
    pub(crate) fn name(&self, node: Node) -> Rc<ElementName> {
        self.names[self.nodes[node as usize].name as usize].0.clone()
    }

    pub(crate) fn parent(&self, node: Node) -> Option<Node> {
        let parent = self.nodes[node as usize].parent;
        (parent != NONE).then_some(parent)
    }

    /// The depth at which the node was last attached. It is out of date if an ancestor was moved since.
    pub(crate) fn depth(&self, node: Node) -> usize {
        self.nodes[node as usize].depth as usize
    }

    pub(crate) fn is_text(&self, node: Node) -> bool {
        self.nodes[node as usize].tag == tags::TEXT
    }

    /// Nodes created so far, attached or not.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn text_len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn append(&mut self, parent: Node, child: Node) {
        self.detach(child);
        let last = self.nodes[parent as usize].last;
        let depth = self.nodes[parent as usize].depth + 1;
        let node = &mut self.nodes[child as usize];
        (node.parent, node.prev, node.next, node.depth) = (parent, last, NONE, depth);
        if last == NONE {
            self.nodes[parent as usize].first = child;
        } else {
            self.nodes[last as usize].next = child;
        }
        self.nodes[parent as usize].last = child;
    }

    pub(crate) fn insert_before(&mut self, sibling: Node, child: Node) {
        self.detach(child);
        let DraftNode { parent, prev, depth, .. } = self.nodes[sibling as usize];
        let node = &mut self.nodes[child as usize];
        (node.parent, node.prev, node.next, node.depth) = (parent, prev, sibling, depth);
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
        let node = self.text_node(last, text);
        if node != last {
            self.append(parent, node);
        }
    }

    pub(crate) fn insert_text_before(&mut self, sibling: Node, text: &str) {
        let prev = self.nodes[sibling as usize].prev;
        let node = self.text_node(prev, text);
        if node != prev {
            self.insert_before(sibling, node);
        }
    }

    /// Appends to `neighbour` if it is a text; otherwise creates a text node that is not attached yet.
    fn text_node(&mut self, neighbour: Node, text: &str) -> Node {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let end = self.text.len() as u32;
        let grows = neighbour != NONE && self.nodes[neighbour as usize].tag == tags::TEXT;
        if grows {
            let last = &mut self.segments[self.nodes[neighbour as usize].last as usize];
            if last.end == start {
                last.end = end;
                return neighbour;
            }
        }
        let segment = self.segments.len() as u32;
        self.segments.push(TextSegment { start, end, next: NONE });
        if grows {
            let last = self.nodes[neighbour as usize].last;
            self.segments[last as usize].next = segment;
            self.nodes[neighbour as usize].last = segment;
            return neighbour;
        }
        let node = self.push(tags::TEXT, NONE, AttrRange::default());
        (self.nodes[node as usize].first, self.nodes[node as usize].last) = (segment, segment);
        node
    }

    pub(crate) fn detach(&mut self, node: Node) {
        let DraftNode { parent, prev, next, .. } = self.nodes[node as usize];
        if parent == NONE {
            return;
        }
        if prev == NONE {
            self.nodes[parent as usize].first = next;
        } else {
            self.nodes[prev as usize].next = next;
        }
        if next == NONE {
            self.nodes[parent as usize].last = prev;
        } else {
            self.nodes[next as usize].prev = prev;
        }
        let node = &mut self.nodes[node as usize];
        (node.parent, node.prev, node.next) = (NONE, NONE, NONE);
    }

    pub(crate) fn move_children(&mut self, from: Node, to: Node) {
        let mut child = self.nodes[from as usize].first;
        while child != NONE {
            let next = self.nodes[child as usize].next;
            self.append(to, child);
            child = next;
        }
    }

    pub(crate) fn set_quirks(&mut self, quirks: bool) {
        self.quirks = quirks;
    }

    /// Numbers the attached nodes in document order. Nodes that were detached are left out.
    pub fn finish(mut self) -> Tree {
        let mut tree = Tree::with_capacity(self.nodes.len(), self.text.len());
        tree.set_quirks(self.quirks);
        // open elements: (node of the draft, node of the tree); at most as many as the tree is deep
        let mut open: Vec<(Node, Node)> = Vec::new();
        let mut at = Self::DOCUMENT_NODE;
        loop {
            let node = self.nodes[at as usize];
            let mut down = NONE;
            if node.tag == tags::TEXT {
                tree.push_text(open.last().map_or(NONE, |&(_, id)| id), self.segments_of(&node));
            } else if node.tag != COMMENT_TAG {
                let foreign =
                    node.name != NONE && self.names[node.name as usize].0.ns != html5ever::ns!(html);
                let id = tree.push(node.tag, open.last().map_or(NONE, |&(_, id)| id), node.attrs, foreign);
                open.push((at, id));
                down = node.first;
            }
            if down != NONE {
                at = down;
                continue;
            }
            // climb until a node has a next sibling
            let mut left = at;
            if node.tag != tags::TEXT && node.tag != COMMENT_TAG {
                let (_, id) = open.pop().unwrap_or_default();
                tree.close(id);
            }
            loop {
                let next = self.nodes[left as usize].next;
                if next != NONE && left != Self::DOCUMENT_NODE {
                    at = next;
                    break;
                }
                match open.pop() {
                    Some((above, id)) => {
                        tree.close(id);
                        left = above;
                    }
                    None => {
                        self.attrs.shrink();
                        return tree.complete(self.tags, self.attrs);
                    }
                }
            }
        }
    }

    fn segments_of(&self, node: &DraftNode) -> impl Iterator<Item = &str> {
        let mut at = node.first;
        std::iter::from_fn(move || {
            let segment = self.segments.get(at as usize)?;
            at = segment.next;
            Some(&self.text[segment.start as usize..segment.end as usize])
        })
    }
}
