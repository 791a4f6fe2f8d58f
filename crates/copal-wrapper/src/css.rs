//! CSS selectors on the arena, with fuel.
//!
//! In: a selector's text, and a page. Out: [`Css`], and the elements it selects in document order. A selector has at most
//! 4 KB, brackets nest at most 32 deep and at most 64 compounds stand in a row, so that nothing deep is left to recurse
//! over. Each step from element to element takes fuel; when that is used up nothing matches any more and [`Arena::is_spent`] says
//! so: `p ~ li` over 20,000 siblings is bounded. Without such selectors the cost is O(elements with the tag or class it ends in).

use copal_dom::{NONE, Node, Tree, attrs, tags};
use cssparser::{Parser as CssParser, ToCss};
use precomputed_hash::PrecomputedHash;
use rustc_hash::FxHashMap;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector_list};
use selectors::parser::{Component, ParseRelative, SelectorList, SelectorParseErrorKind};
use selectors::{Element, OpaqueElement, SelectorImpl};
use std::borrow::Borrow;
use std::cell::{Cell, OnceCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Longest selector.
pub const MOST_BYTES: usize = 4096;
/// Deepest nesting of brackets.
pub const DEEPEST: usize = 32;
/// Most compounds of one selector.
const MOST_STEPS: usize = 64;
/// Steps from element to element that selectors may take on one page, whatever they are.
const FUEL: u64 = 20_000_000;

/// A selector that was read.
#[derive(Debug, Clone)]
pub struct Css {
    pub(crate) list: SelectorList<Names>,
    /// The tags or classes its selectors end in; none if one of them ends in neither.
    ends: Option<Vec<End>>,
    text: Box<str>,
}

/// What an element must have to be selected.
#[derive(Debug, Clone)]
enum End {
    Tag(Box<str>),
    Class(Box<str>),
}

impl Css {
    /// Reads a selector; the error says what was wrong.
    pub fn parse(text: &str) -> Result<Css, String> {
        if text.len() > MOST_BYTES {
            return Err(format!("selector has {} bytes: expected at most {MOST_BYTES}", text.len()));
        }
        if nesting(text) > DEEPEST {
            return Err(format!("selector nests more than {DEEPEST} brackets"));
        }
        let mut parser = CssParser::new(text);
        let list = SelectorList::parse(&Reading, &mut parser, ParseRelative::No)
            .map_err(|_| format!("not a CSS selector: {text:?}"))?;
        let steps = |selector: &selectors::parser::Selector<Names>| {
            selector.iter_raw_match_order().filter(|part| matches!(part, Component::Combinator(_))).count()
        };
        if list.slice().iter().any(|selector| steps(selector) > MOST_STEPS) {
            return Err(format!("selector has more than {MOST_STEPS} steps"));
        }
        let ends = list
            .slice()
            .iter()
            .map(|selector| {
                let class = selector.iter().find_map(|part| match part {
                    Component::Class(name) => Some(End::Class(name.0.clone())),
                    _ => None,
                });
                class.or_else(|| {
                    selector.iter().find_map(|part| match part {
                        Component::LocalName(name) => Some(End::Tag(name.lower_name.0.clone())),
                        _ => None,
                    })
                })
            })
            .collect();
        Ok(Css { list, ends, text: text.into() })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if it selects elements of this tag only.
    pub(crate) fn ends_in(&self, tag: &str) -> bool {
        self.ends
            .as_ref()
            .is_some_and(|ends| ends.iter().all(|end| matches!(end, End::Tag(name) if **name == *tag)))
    }

    /// The elements below the document that it selects.
    pub fn select(&self, arena: &Arena<'_>) -> Vec<Node> {
        self.select_below(arena, 0)
    }

    /// The elements below an element that it selects; `:scope` is that element.
    pub fn select_below(&self, arena: &Arena<'_>, scope: Node) -> Vec<Node> {
        let mut out = Vec::new();
        let inside = scope + 1..arena.tree.end(scope);
        self.each(arena, std::iter::once((scope, inside)), |_, node| out.push(node));
        out
    }

    /// For several scopes, the selected elements in the range of each, in document order.
    pub fn each(
        &self,
        arena: &Arena<'_>,
        scopes: impl Iterator<Item = (Node, Range<Node>)>,
        mut found: impl FnMut(usize, Node),
    ) {
        let mut caches = SelectorCaches::default();
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let nodes = self.may_be(arena);
        for (number, (scope, range)) in scopes.enumerate() {
            context.scope_element = Some(arena.at(scope).opaque());
            let from = nodes.partition_point(|&node| node < range.start);
            for &node in nodes[from..].iter().take_while(|&&node| node < range.end) {
                arena.burn();
                let matches = matches_selector_list(&self.list, &arena.at(node), &mut context);
                if arena.is_spent() {
                    return;
                }
                if matches {
                    found(number, node);
                }
            }
        }
    }

    /// The elements with a tag or class it ends in, in document order.
    fn may_be<'a>(&self, arena: &'a Arena<'_>) -> std::borrow::Cow<'a, [Node]> {
        let Some(ends) = &self.ends else { return (&arena.elements).into() };
        let with = |end: &End| match end {
            End::Tag(name) => arena.tree.tags().find(name).and_then(|tag| arena.by_tag.get(tag as usize)),
            End::Class(word) => arena.by_class().get(&hash(word)),
        };
        let mut lists = ends.iter().filter_map(with);
        match (lists.next(), lists.next()) {
            (None, _) => (&[][..]).into(),
            (Some(only), None) => only.into(),
            (Some(first), Some(second)) => {
                let mut all: Vec<Node> = first.iter().chain(second).chain(lists.flatten()).copied().collect();
                all.sort_unstable();
                all.dedup();
                all.into()
            }
        }
    }
}

/// How deep brackets nest outside of quoted strings.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest, mut quote, mut escaped) = (0usize, 0, None, false);
    for c in text.chars() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// A page's elements by tag, and the fuel that is left for selectors on it.
#[derive(Debug)]
pub struct Arena<'t> {
    pub(crate) tree: &'t Tree,
    /// One byte a node: elements are told apart by its address.
    identity: Vec<u8>,
    elements: Vec<Node>,
    by_tag: Vec<Vec<Node>>,
    /// By hash of the word; made when it is first asked for.
    by_class: OnceCell<FxHashMap<u64, Vec<Node>>>,
    fuel: Cell<u64>,
}

impl<'t> Arena<'t> {
    /// Prepares a tree. O(nodes).
    pub fn new(tree: &'t Tree) -> Arena<'t> {
        let mut by_tag: Vec<Vec<Node>> = Vec::new();
        let mut elements = Vec::new();
        for node in tree.nodes().skip(1).filter(|&node| !tree.is_text(node)) {
            let tag = tree.tag(node) as usize;
            if by_tag.len() <= tag {
                by_tag.resize_with(tag + 1, Vec::new);
            }
            by_tag[tag].push(node);
            elements.push(node);
        }
        let (identity, by_class, fuel) = (vec![0; tree.len()], OnceCell::new(), Cell::new(FUEL));
        Arena { tree, identity, elements, by_tag, by_class, fuel }
    }

    fn by_class(&self) -> &FxHashMap<u64, Vec<Node>> {
        self.by_class.get_or_init(|| {
            let mut by_class: FxHashMap<u64, Vec<Node>> = FxHashMap::default();
            for &node in &self.elements {
                for word in self.tree.attr(node, attrs::CLASS).unwrap_or_default().split_ascii_whitespace() {
                    let nodes = by_class.entry(hash(word)).or_default();
                    // a word may stand twice in one attribute
                    if nodes.last() != Some(&node) {
                        nodes.push(node);
                    }
                }
            }
            by_class
        })
    }

    /// True if a selector was cut short on this page.
    pub fn is_spent(&self) -> bool {
        self.fuel.get() == 0
    }

    fn at(&self, node: Node) -> At<'_> {
        At { arena: self, node }
    }

    fn burn(&self) {
        self.fuel.set(self.fuel.get().saturating_sub(1));
    }
}

#[derive(Clone, Copy)]
struct At<'a> {
    arena: &'a Arena<'a>,
    node: Node,
}

impl fmt::Debug for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.tree().tag_name(self.node), self.node)
    }
}

impl<'a> At<'a> {
    fn tree(&self) -> &'a Tree {
        self.arena.tree
    }

    /// A sibling, or a child. These are there without fuel too: counting siblings must give the same twice.
    fn step(&self, node: Node) -> Option<Self> {
        self.arena.burn();
        (node != NONE).then_some(At { node, ..*self })
    }

    fn class_words(&self) -> impl Iterator<Item = &'a str> {
        self.tree().attr(self.node, attrs::CLASS).unwrap_or_default().split_ascii_whitespace()
    }

    fn id(&self) -> Option<&'a str> {
        self.tree().attr(self.node, attrs::ID)
    }
}

impl Element for At<'_> {
    type Impl = Names;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(&self.arena.identity[self.node as usize])
    }

    fn parent_element(&self) -> Option<Self> {
        let parent = self.tree().parent(self.node);
        if parent == 0 || self.arena.is_spent() { None } else { self.step(parent) }
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
        self.tree().tag_name(self.node) == name && !self.arena.is_spent()
    }

    fn has_namespace(&self, _: &str) -> bool {
        true
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.tree().tag(self.node) == self.tree().tag(other.node)
    }

    fn attr_matches(
        &self,
        _: &NamespaceConstraint<&Name>,
        name: &Name,
        operation: &AttrSelectorOperation<&Name>,
    ) -> bool {
        let mut attributes = self.tree().attributes(self.node);
        self.arena.burn();
        !self.arena.is_spent()
            && attributes
                .find(|(own, _)| *own == &*name.0)
                .is_some_and(|(_, value)| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(&self, never: &Never, _: &mut MatchingContext<'_, Names>) -> bool {
        match *never {}
    }

    fn match_pseudo_element(&self, never: &Never, _: &mut MatchingContext<'_, Names>) -> bool {
        match *never {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        self.tree().tag(self.node) == tags::A && self.tree().attr(self.node, attrs::HREF).is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        !self.arena.is_spent() && self.id().is_some_and(|own| case.eq(own.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &Name, case: CaseSensitivity) -> bool {
        !self.arena.is_spent() && self.class_words().any(|word| case.eq(word.as_bytes(), name.0.as_bytes()))
    }

    fn has_custom_state(&self, _: &Name) -> bool {
        false
    }

    fn imported_part(&self, _: &Name) -> Option<Name> {
        None
    }

    fn is_part(&self, _: &Name) -> bool {
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

pub(crate) fn hash(text: &str) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

/// What names are in our selectors: plain texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names;

impl SelectorImpl for Names {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = Never;
    type PseudoElement = Never;
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Name(Box<str>);

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name(text.into())
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        hash(&self.0) as u32
    }
}

/// States of elements (`:hover`) and parts that are not in the tree (`::before`): there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Never {}

impl ToCss for Never {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl selectors::parser::NonTSPseudoClass for Never {
    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl selectors::parser::PseudoElement for Never {}

struct Reading;

impl selectors::Parser<'_> for Reading {
    type Impl = Names;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }
}

/// A text as a CSS string, in double quotes.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    // writing to a string does not fail
    let _ = cssparser::serialize_string(text, &mut out);
    out
}

/// A text as a CSS identifier.
pub fn identifier(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let _ = cssparser::serialize_identifier(text, &mut out);
    out
}

#[cfg(test)]
mod tests;
