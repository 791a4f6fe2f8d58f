//! html5ever's tree operations on a [`Draft`].
//!
//! In: the calls of html5ever's tree builder. Out: the draft, and how deep the builder is ([`Sink::depth`]).
//! The contents of a `template` are its children (they are hidden by the style stage).
//!
//! The tree builder also adds elements by itself: implied ones, and formatting elements that it reopens, each time
//! with all their attributes. So depth and attributes are bounded here too.

use crate::draft::{Draft, Name};
use crate::limits::{Limit, Limits};
use crate::tree::{NONE, Node};
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// Below `html` and `body` there is always room for elements.
const MIN_DEPTH: usize = 3;
/// Bytes of attributes that any page may have, however small its limits are.
const ATTRIBUTE_FLOOR: usize = 1 << 20;
/// How often `html` and `body` may be given attributes they did not have: each time all are copied.
const MERGES: usize = 100;

pub(super) struct Sink {
    draft: RefCell<Draft>,
    depth: Cell<usize>,
    max_depth: usize,
    /// Nodes with others below them were moved, so what the draft says of depths is no longer true.
    moved: Cell<bool>,
    /// The comment made last: comments are left out in the end, so their depth does not matter.
    comment: Cell<Node>,
    /// Bytes of attributes (names and values) that the tree may still get.
    attribute_room: Cell<usize>,
    /// Attributes that were merged into `html` or `body`.
    merged: RefCell<FxHashSet<(Node, QualName)>>,
    merges: Cell<usize>,
    /// `annotation-xml` elements that have HTML inside them.
    integration_points: RefCell<FxHashSet<Node>>,
    hit: RefCell<Vec<Limit>>,
}

impl Sink {
    pub(super) fn new(limits: &Limits) -> Self {
        // without reopened elements a page cannot have more attributes than bytes, or little more (entities)
        let attribute_room = limits.bytes.saturating_mul(2).clamp(ATTRIBUTE_FLOOR, u32::MAX as usize / 2);
        Sink {
            draft: RefCell::new(Draft::new()),
            depth: Cell::new(0),
            max_depth: limits.depth.max(MIN_DEPTH),
            moved: Cell::new(false),
            comment: Cell::new(NONE),
            attribute_room: Cell::new(attribute_room),
            merged: RefCell::default(),
            merges: Cell::new(0),
            integration_points: RefCell::default(),
            hit: RefCell::default(),
        }
    }

    pub(super) fn note(&self, limit: Limit) {
        let mut hit = self.hit.borrow_mut();
        if !hit.contains(&limit) {
            hit.push(limit);
        }
    }

    /// Leaves out the attributes for which there is no more room.
    fn fit(&self, attrs: &mut Vec<Attribute>) {
        let mut room = Some(self.attribute_room.get());
        attrs.retain(|attr| {
            let cost = attr.name.local.len() + attr.value.len() + 1;
            room = room.and_then(|room| room.checked_sub(cost));
            room.is_some()
        });
        self.attribute_room.set(room.unwrap_or(0));
    }

    /// False if elements were reopened so often that the tree can have no more attributes.
    pub(super) fn has_attribute_room(&self) -> bool {
        self.attribute_room.get() > 0
    }

    /// Depth of the element put into the tree last. It may be closed: html5ever does not tell.
    pub(super) fn depth(&self) -> usize {
        self.depth.get()
    }

    pub(super) fn nodes(&self) -> usize {
        self.draft.borrow().len()
    }

    pub(super) fn text_len(&self) -> usize {
        self.draft.borrow().text_len()
    }

    /// O(depth) once nodes were moved.
    fn depth_of(&self, draft: &Draft, node: Node) -> usize {
        if self.moved.get() {
            std::iter::successors(draft.parent(node), |&up| draft.parent(up)).count()
        } else {
            draft.depth(node)
        }
    }

    /// Where an element below `parent` goes: beside it if `parent` is as deep as may be.
    fn place(&self, draft: &Draft, parent: Node) -> Node {
        let mut at = parent;
        for _ in self.max_depth..=self.depth_of(draft, parent) {
            self.note(Limit::Depth);
            at = draft.parent(at).unwrap_or(at);
        }
        at
    }

    /// False if `node` is `at` or above it. Only trees that were flattened can be so far from what the builder thinks
    /// that it puts a node below itself.
    fn may_go_below(&self, draft: &Draft, node: Node, at: Node) -> bool {
        let is_new = node as usize + 1 == draft.len();
        is_new
            || !self.hit.borrow().contains(&Limit::Depth)
            || std::iter::successors(Some(at), |&up| draft.parent(up)).all(|up| up != node)
    }
}

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.local
    }
}

impl TreeSink for Sink {
    type Handle = Node;
    type Output = (Draft, Vec<Limit>);
    type ElemName<'a> = Name;

    fn finish(self) -> (Draft, Vec<Limit>) {
        (self.draft.into_inner(), self.hit.into_inner())
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Node {
        Draft::DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a Node) -> Name {
        self.draft.borrow().name(*target)
    }

    fn create_element(&self, name: QualName, mut attrs: Vec<Attribute>, flags: ElementFlags) -> Node {
        self.fit(&mut attrs);
        let node = self.draft.borrow_mut().create(name, &attrs);
        if flags.mathml_annotation_xml_integration_point {
            self.integration_points.borrow_mut().insert(node);
        }
        node
    }

    fn create_comment(&self, _: StrTendril) -> Node {
        let comment = self.draft.borrow_mut().create_comment();
        self.comment.set(comment);
        comment
    }

    fn create_pi(&self, _: StrTendril, data: StrTendril) -> Node {
        self.create_comment(data)
    }

    fn append(&self, parent: &Node, child: NodeOrText<Node>) {
        let draft = &mut *self.draft.borrow_mut();
        match child {
            NodeOrText::AppendText(text) => draft.append_text(*parent, &text),
            NodeOrText::AppendNode(id) if id == self.comment.get() => draft.append(*parent, id),
            NodeOrText::AppendNode(id) => {
                let to = self.place(draft, *parent);
                if self.may_go_below(draft, id, to) {
                    draft.append(to, id);
                }
                self.depth.set(self.depth_of(draft, id));
            }
        }
    }

    fn append_before_sibling(&self, sibling: &Node, child: NodeOrText<Node>) {
        let draft = &mut *self.draft.borrow_mut();
        match child {
            NodeOrText::AppendText(text) => draft.insert_text_before(*sibling, &text),
            NodeOrText::AppendNode(id) => {
                if self.may_go_below(draft, id, *sibling) {
                    draft.insert_before(*sibling, id);
                }
                self.depth.set(self.depth_of(draft, id));
            }
        }
    }

    fn append_based_on_parent_node(&self, element: &Node, prev: &Node, child: NodeOrText<Node>) {
        let attached = self.draft.borrow().parent(*element).is_some();
        if attached { self.append_before_sibling(element, child) } else { self.append(prev, child) }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Node) -> Node {
        *target
    }

    fn same_node(&self, x: &Node, y: &Node) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &Node, mut attrs: Vec<Attribute>) {
        if self.merges.get() >= MERGES {
            self.note(Limit::Attributes);
            return;
        }
        attrs.retain(|attr| self.merged.borrow_mut().insert((*target, attr.name.clone())));
        if attrs.is_empty() {
            return;
        }
        self.merges.set(self.merges.get() + 1);
        self.fit(&mut attrs);
        self.draft.borrow_mut().add_missing_attrs(*target, &attrs);
    }

    fn remove_from_parent(&self, target: &Node) {
        self.moved.set(true);
        self.draft.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &Node, new_parent: &Node) {
        self.moved.set(true);
        self.draft.borrow_mut().move_children(*node, *new_parent);
    }
    fn is_mathml_annotation_xml_integration_point(&self, node: &Node) -> bool {
        self.integration_points.borrow().contains(node)
    }
}
