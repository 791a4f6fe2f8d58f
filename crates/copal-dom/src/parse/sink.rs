//! html5ever's tree operations on a [`Draft`].
//!
//! In: the calls of html5ever's tree builder. Out: the draft, and how deep the builder is
//! ([`DraftSink::depth`]). The contents of a `template` become its children; the style stage hides them.
//!
//! The tree builder reopens formatting elements by itself, each time with all their attributes, and it merges
//! the attributes of every further `html` and `body`. The guard does not see that, so attributes are limited
//! here too.

use crate::draft::{Draft, ElementName};
use crate::limits::{Limit, Limits};
use crate::tree::Node;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Bytes of attributes that any page may have, however small its limits are.
const MIN_ATTRIBUTE_BYTES: usize = 1 << 20;
/// How often new attributes may be merged into `html` and `body`. Each merge copies all of them.
const MAX_ATTRIBUTE_MERGES: usize = 100;

pub(super) struct DraftSink {
    draft: RefCell<Draft>,
    depth: Cell<usize>,
    /// Bytes of attributes (names and values) that may still be added.
    attribute_room: Cell<usize>,
    /// Attributes that were already merged into `html` or `body`.
    merged: RefCell<FxHashSet<(Node, QualName)>>,
    merges: Cell<usize>,
    /// `annotation-xml` elements that contain HTML.
    integration_points: RefCell<FxHashSet<Node>>,
    hit: RefCell<Vec<Limit>>,
}

impl DraftSink {
    pub(super) fn new(limits: &Limits) -> Self {
        // without reopened elements, attributes are hardly longer than the page; character references may
        // grow a little
        let attribute_room = limits.bytes.saturating_mul(2).clamp(MIN_ATTRIBUTE_BYTES, u32::MAX as usize / 2);
        DraftSink {
            draft: RefCell::new(Draft::new()),
            depth: Cell::new(0),
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

    /// Drops the attributes for which there is no room.
    fn fit(&self, attrs: &mut Vec<Attribute>) {
        let mut room = Some(self.attribute_room.get());
        attrs.retain(|attr| {
            let cost = attr.name.local.len() + attr.value.len() + 1;
            room = room.and_then(|room| room.checked_sub(cost));
            room.is_some()
        });
        self.attribute_room.set(room.unwrap_or(0));
    }

    /// False if elements were reopened so often that no attributes can be added.
    pub(super) fn has_attribute_room(&self) -> bool {
        self.attribute_room.get() > 0
    }

    /// Depth of the element that was inserted last. It may be closed already: html5ever does not report that.
    pub(super) fn depth(&self) -> usize {
        self.depth.get()
    }

    pub(super) fn nodes(&self) -> usize {
        self.draft.borrow().len()
    }

    pub(super) fn text_len(&self) -> usize {
        self.draft.borrow().text_len()
    }

    fn attach(
        &self,
        child: NodeOrText<Node>,
        node: impl FnOnce(&mut Draft, Node),
        text: impl FnOnce(&mut Draft, &str),
    ) {
        let draft = &mut *self.draft.borrow_mut();
        match child {
            NodeOrText::AppendNode(id) => {
                node(draft, id);
                self.depth.set(draft.depth(id));
            }
            NodeOrText::AppendText(tendril) => text(draft, &tendril),
        }
    }
}

/// A name that html5ever can hold while the tree changes.
#[derive(Debug)]
pub(super) struct SharedName(Rc<ElementName>);

impl ElemName for SharedName {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for DraftSink {
    type Handle = Node;
    type Output = (Draft, Vec<Limit>);
    type ElemName<'a> = SharedName;

    fn finish(self) -> (Draft, Vec<Limit>) {
        (self.draft.into_inner(), self.hit.into_inner())
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Node {
        Draft::DOCUMENT_NODE
    }

    fn elem_name<'a>(&'a self, target: &'a Node) -> SharedName {
        SharedName(self.draft.borrow().name(*target))
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
        self.draft.borrow_mut().create_comment()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Node {
        self.draft.borrow_mut().create_comment()
    }

    fn append(&self, parent: &Node, child: NodeOrText<Node>) {
        self.attach(
            child,
            |draft, id| draft.append(*parent, id),
            |draft, text| draft.append_text(*parent, text),
        );
    }

    fn append_before_sibling(&self, sibling: &Node, child: NodeOrText<Node>) {
        self.attach(
            child,
            |draft, id| draft.insert_before(*sibling, id),
            |draft, text| draft.insert_text_before(*sibling, text),
        );
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

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.draft.borrow_mut().set_quirks(mode == QuirksMode::Quirks);
    }

    fn add_attrs_if_missing(&self, target: &Node, mut attrs: Vec<Attribute>) {
        if self.merges.get() >= MAX_ATTRIBUTE_MERGES {
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
        self.draft.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &Node, new_parent: &Node) {
        self.draft.borrow_mut().move_children(*node, *new_parent);
    }
    fn is_mathml_annotation_xml_integration_point(&self, node: &Node) -> bool {
        self.integration_points.borrow().contains(node)
    }
}
