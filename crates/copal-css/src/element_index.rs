//! A page's elements as the `selectors` crate sees them.
//!
//! In: a tree. Out: [`ElementIndex`], which has the elements by tag and by class and the fuel for selectors
//! on this page. O(nodes) to build; the lists by tag and class are made when a selector first needs them.

use crate::class_index::ClassIndex;
use crate::selector_names::{ElementState, GeneratedPart, SelectorName, SelectorNames};
use copal_dom::{NONE, Node, Tree, attrs, tags};
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;
use selectors::{Element, OpaqueElement};
use std::cell::{Cell, OnceCell};
use std::fmt;

/// Steps from element to element that all selectors together may take on one page.
const PAGE_FUEL: u64 = 20_000_000;

/// A page's elements by tag and class, and the fuel that is left for selectors on the page.
#[derive(Debug)]
pub struct ElementIndex<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// One byte per node. The `selectors` crate identifies an element by the memory address of its byte.
    identity: Vec<u8>,
    elements: Vec<Node>,
    by_tag: OnceCell<Vec<Vec<Node>>>,
    by_class: OnceCell<ClassIndex>,
    fuel: Cell<u64>,
}

impl<'t> ElementIndex<'t> {
    /// Indexes the elements of a tree. O(nodes).
    pub fn new(tree: &'t Tree) -> ElementIndex<'t> {
        ElementIndex::with_fuel(tree, PAGE_FUEL)
    }

    /// Indexes the elements of a tree, with this many steps for all selectors together.
    pub fn with_fuel(tree: &'t Tree, fuel: u64) -> ElementIndex<'t> {
        let elements = tree.nodes().skip(1).filter(|&node| !tree.is_text(node)).collect();
        let identity = vec![0; tree.len()];
        let (by_tag, by_class) = (OnceCell::new(), OnceCell::new());
        ElementIndex { tree, identity, elements, by_tag, by_class, fuel: Cell::new(fuel) }
    }

    /// All elements, in document order.
    pub fn elements(&self) -> &[Node] {
        &self.elements
    }

    /// The elements with a tag, in document order.
    pub fn with_tag(&self, tag: u16) -> Option<&Vec<Node>> {
        self.by_tag().get(tag as usize)
    }

    /// The elements with a class word, given its hash, in document order.
    pub fn with_class_hash(&self, class: u64) -> Option<&[Node]> {
        self.by_class.get_or_init(|| ClassIndex::of(self.tree, &self.elements)).with_word(class)
    }

    fn by_tag(&self) -> &Vec<Vec<Node>> {
        self.by_tag.get_or_init(|| {
            let mut by_tag: Vec<Vec<Node>> = Vec::new();
            for &node in &self.elements {
                let tag = self.tree.tag(node) as usize;
                if by_tag.len() <= tag {
                    by_tag.resize_with(tag + 1, Vec::new);
                }
                by_tag[tag].push(node);
            }
            by_tag
        })
    }

    /// True if the fuel is used up: some selector may have found less than it should.
    pub fn is_spent(&self) -> bool {
        self.fuel.get() == 0
    }

    /// An element in the form that the `selectors` crate matches.
    pub fn at(&self, node: Node) -> ElementRef<'_> {
        ElementRef { index: self, node }
    }

    /// Uses one step of the fuel.
    pub fn burn(&self) {
        self.fuel.set(self.fuel.get().saturating_sub(1));
    }
}

/// An element in the form that the `selectors` crate matches.
#[derive(Clone, Copy)]
pub struct ElementRef<'a> {
    index: &'a ElementIndex<'a>,
    node: Node,
}

impl fmt::Debug for ElementRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.tree().tag_name(self.node), self.node)
    }
}

impl<'a> ElementRef<'a> {
    fn tree(&self) -> &'a Tree {
        self.index.tree
    }

    /// Goes to a parent, sibling or child. Siblings and children stay reachable without fuel, because the
    /// `selectors` crate counts siblings twice and relies on equal results.
    fn step(&self, node: Node) -> Option<Self> {
        self.index.burn();
        (node != NONE).then_some(ElementRef { node, ..*self })
    }

    fn class_words(&self) -> impl Iterator<Item = &'a str> {
        self.tree().attr(self.node, attrs::CLASS).unwrap_or_default().split_ascii_whitespace()
    }

    fn id(&self) -> Option<&'a str> {
        self.tree().attr(self.node, attrs::ID)
    }
}

impl Element for ElementRef<'_> {
    type Impl = SelectorNames;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(&self.index.identity[self.node as usize])
    }

    fn parent_element(&self) -> Option<Self> {
        let parent = self.tree().parent(self.node);
        if parent == 0 || self.index.is_spent() { None } else { self.step(parent) }
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let mut before = self.tree().prev_sibling(self.node);
        while before != NONE && self.tree().is_text(before) {
            before = self.tree().prev_sibling(before);
        }
        self.step(before)
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let mut next = self.tree().next_sibling(self.node);
        while next != NONE && self.tree().is_text(next) {
            next = self.tree().next_sibling(next);
        }
        self.step(next)
    }

    fn first_element_child(&self) -> Option<Self> {
        self.step(self.tree().elements(self.node).next().unwrap_or(NONE))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        !self.tree().is_foreign(self.node)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.tree().tag_name(self.node) == name && !self.index.is_spent()
    }

    fn has_namespace(&self, _: &str) -> bool {
        true
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.tree().tag(self.node) == self.tree().tag(other.node)
    }

    fn attr_matches(
        &self,
        _: &NamespaceConstraint<&SelectorName>,
        name: &SelectorName,
        operation: &AttrSelectorOperation<&SelectorName>,
    ) -> bool {
        let mut attributes = self.tree().attributes(self.node);
        self.index.burn();
        !self.index.is_spent()
            && attributes
                .find(|(own, _)| *own == name.as_ref())
                .is_some_and(|(_, value)| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(
        &self,
        state: &ElementState,
        _: &mut MatchingContext<'_, SelectorNames>,
    ) -> bool {
        let has = |name: &str| self.tree().attr_named(self.node, name).is_some();
        let tag = self.tree().tag(self.node);
        let is_control =
            matches!(tag, tags::INPUT | tags::BUTTON | tags::SELECT | tags::TEXTAREA | tags::OPTION);
        match state {
            ElementState::Link => self.is_link(),
            ElementState::Checked => match tag {
                tags::INPUT => has("checked"),
                _ => tag == tags::OPTION && has("selected"),
            },
            ElementState::Disabled => is_control && has("disabled"),
            ElementState::Enabled => is_control && !has("disabled"),
            ElementState::Open => has("open"),
            // every element of HTML is defined, except custom elements before scripts have run
            ElementState::Defined => !self.tree().tag_name(self.node).contains('-'),
            ElementState::Never => false,
        }
    }

    fn match_pseudo_element(&self, _: &GeneratedPart, _: &mut MatchingContext<'_, SelectorNames>) -> bool {
        false
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        self.tree().tag(self.node) == tags::A && self.tree().attr(self.node, attrs::HREF).is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &SelectorName, case: CaseSensitivity) -> bool {
        !self.index.is_spent() && self.id().is_some_and(|own| case.eq(own.as_bytes(), id.as_ref().as_bytes()))
    }

    fn has_class(&self, name: &SelectorName, case: CaseSensitivity) -> bool {
        !self.index.is_spent()
            && self.class_words().any(|word| case.eq(word.as_bytes(), name.as_ref().as_bytes()))
    }

    fn has_custom_state(&self, _: &SelectorName) -> bool {
        false
    }

    fn imported_part(&self, _: &SelectorName) -> Option<SelectorName> {
        None
    }

    fn is_part(&self, _: &SelectorName) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.tree().children(self.node).next().is_none()
    }

    fn is_root(&self) -> bool {
        self.tree().parent(self.node) == 0
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}
