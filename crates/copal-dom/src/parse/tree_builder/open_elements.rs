//! The stack of open elements (13.2.4.2) with its scopes, and implied end tags (13.2.6.3).
//!
//! In: elements that are opened and closed. Out: what is open. The names of HTML elements are counted, so that the
//! question whether one is open mostly needs no walk over the stack.

use super::element_classes::{Classes, FOREIGN_NAME, IMPLIED_END, SCOPE, THOROUGH_END, html_classes};
use crate::tags::{self, FIXED_TAG_COUNT, Tag, TagName};
use crate::tree::{NONE, Node};

#[derive(Debug, Clone, Copy)]
pub(super) struct OpenElement {
    pub(super) node: Node,
    /// The name in lower case, with [`FOREIGN_NAME`] for an element of SVG or `MathML`.
    pub(super) name: TagName,
    pub(super) classes: Classes,
}

impl OpenElement {
    pub(super) fn html(node: Node, name: TagName) -> OpenElement {
        OpenElement { node, name, classes: html_classes(name) }
    }

    pub(super) fn foreign(node: Node, name: TagName, classes: Classes) -> OpenElement {
        OpenElement { node, name: name | FOREIGN_NAME, classes }
    }

    pub(super) fn is_html(&self, tag: Tag) -> bool {
        self.name == TagName::from(tag)
    }

    pub(super) fn has(&self, classes: Classes) -> bool {
        self.classes & classes != 0
    }
}

/// What there is when nothing is open.
const NOTHING: OpenElement = OpenElement { node: NONE, name: FOREIGN_NAME, classes: 0 };

pub(super) struct OpenElements {
    elements: Vec<OpenElement>,
    /// How many elements with each fixed name are open.
    counts: [u32; FIXED_TAG_COUNT],
}

impl OpenElements {
    pub(super) fn new() -> OpenElements {
        OpenElements { elements: Vec::new(), counts: [0; FIXED_TAG_COUNT] }
    }

    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> OpenElement {
        self.elements.get(at).copied().unwrap_or(NOTHING)
    }

    /// The current node.
    #[inline]
    pub(super) fn current(&self) -> OpenElement {
        self.elements.last().copied().unwrap_or(NOTHING)
    }

    /// From the current node to the first.
    pub(super) fn outward(&self) -> impl Iterator<Item = &OpenElement> {
        self.elements.iter().rev()
    }

    #[inline]
    pub(super) fn push(&mut self, element: OpenElement) {
        self.elements.push(element);
        if let Some(count) = self.counts.get_mut(element.name as usize) {
            *count += 1;
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> OpenElement {
        let Some(element) = self.elements.pop() else { return NOTHING };
        self.forget(element);
        element
    }

    #[inline]
    fn forget(&mut self, element: OpenElement) {
        if let Some(count) = self.counts.get_mut(element.name as usize) {
            *count -= 1;
        }
    }

    pub(super) fn truncate(&mut self, len: usize) {
        while self.elements.len() > len {
            self.pop();
        }
    }

    pub(super) fn remove(&mut self, at: usize) {
        let element = self.elements.remove(at);
        self.forget(element);
    }

    pub(super) fn remove_node(&mut self, node: Node) {
        if let Some(at) = self.position(node) {
            self.remove(at);
        }
    }

    pub(super) fn insert(&mut self, at: usize, element: OpenElement) {
        self.push(element);
        self.elements[at..].rotate_right(1);
    }

    /// Puts an element with the same name in the place of another.
    pub(super) fn replace_node(&mut self, at: usize, node: Node) {
        self.elements[at].node = node;
    }

    pub(super) fn position(&self, node: Node) -> Option<usize> {
        self.elements.iter().rposition(|element| element.node == node)
    }

    /// False only if no HTML element of this name is open. Names without a fixed number are not counted.
    #[inline]
    pub(super) fn may_have(&self, name: TagName) -> bool {
        self.counts.get(name as usize).is_none_or(|&count| count > 0)
    }

    /// True if an HTML element with this fixed name is open.
    #[inline]
    pub(super) fn has_open(&self, tag: Tag) -> bool {
        self.counts[usize::from(tag)] > 0
    }

    #[inline]
    fn in_scope_until(&self, name: TagName, boundary: Classes) -> bool {
        if !self.may_have(name) {
            return false;
        }
        for element in self.outward() {
            if element.name == name {
                return true;
            }
            if element.has(boundary) {
                return false;
            }
        }
        false
    }

    /// "Has an element in the specific scope", with these classes as what ends the scope.
    #[inline]
    pub(super) fn has_in(&self, boundary: Classes, tag: Tag) -> bool {
        self.in_scope_until(TagName::from(tag), boundary)
    }

    /// "Has an element in scope".
    pub(super) fn has_in_scope(&self, tag: Tag) -> bool {
        self.has_in(SCOPE, tag)
    }

    /// True if an element of these classes is in the scope that ends at `boundary`.
    pub(super) fn has_class_in(&self, boundary: Classes, classes: Classes) -> bool {
        let found = self.outward().find(|element| element.has(boundary | classes));
        found.is_some_and(|element| element.has(classes))
    }

    pub(super) fn has_node_in_scope(&self, node: Node) -> bool {
        let found = self.outward().find(|element| element.node == node || element.has(SCOPE));
        found.is_some_and(|element| element.node == node)
    }

    /// "Generate implied end tags".
    pub(super) fn close_implied(&mut self) {
        self.close_implied_except(FOREIGN_NAME);
    }

    /// "Generate implied end tags", except for elements with this name.
    pub(super) fn close_implied_except(&mut self, name: TagName) {
        while self.current().has(IMPLIED_END) && self.current().name != name {
            self.pop();
        }
    }

    /// "Generate all implied end tags thoroughly".
    pub(super) fn close_implied_thoroughly(&mut self) {
        while self.current().has(THOROUGH_END) {
            self.pop();
        }
    }

    /// Pops elements until one of this name has been popped.
    pub(super) fn pop_until(&mut self, tag: Tag) {
        while !self.elements.is_empty() && !self.pop().is_html(tag) {}
    }

    /// Pops elements until one of these classes has been popped.
    pub(super) fn pop_until_class(&mut self, classes: Classes) {
        while !self.elements.is_empty() && !self.pop().has(classes) {}
    }

    /// Pops elements until the current node has one of these classes.
    pub(super) fn pop_to(&mut self, classes: Classes) {
        while !self.elements.is_empty() && !self.current().has(classes) {
            self.pop();
        }
    }

    /// "Close a p element" (13.2.6.4.7).
    pub(super) fn close_p(&mut self) {
        self.close_implied_except(TagName::from(tags::P));
        self.pop_until(tags::P);
    }
}
