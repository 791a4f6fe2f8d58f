//! The list of active formatting elements (13.2.4.3).
//!
//! In: formatting elements such as `b` that were opened. Out: those that have to be opened again. An entry has the
//! attributes of its element, not a copy of them.

use super::open_elements::OpenElements;
use crate::attrs::{AttrEntry, AttrRange, Attrs};
use crate::hash::{hash_of, mix};
use crate::tags::{Tag, TagName};
use crate::tree::Node;

/// With up to this number, attributes are compared without a hash.
const MAX_UNHASHED: u32 = 8;
/// "Noah's Ark clause": how many equal elements there may be.
const MAX_EQUAL: usize = 3;

/// A formatting element, with what is needed to create it again.
#[derive(Debug, Clone, Copy)]
pub(super) struct FormattingElement {
    pub(super) node: Node,
    pub(super) name: TagName,
    pub(super) attrs: AttrRange,
    /// Of the attributes in any order, if there are many.
    hash: u64,
    /// Where the element was on the stack; it may have moved.
    stack_position: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum FormattingEntry {
    Marker,
    Element(FormattingElement),
}

#[derive(Debug, Default)]
pub(super) struct ActiveFormatting {
    entries: Vec<FormattingEntry>,
    markers: usize,
}

impl ActiveFormatting {
    /// The number of entries that are elements.
    pub(super) fn element_count(&self) -> usize {
        self.entries.len() - self.markers
    }

    pub(super) fn push_marker(&mut self) {
        self.markers += 1;
        self.entries.push(FormattingEntry::Marker);
    }

    /// "Clear the list of active formatting elements up to the last marker".
    pub(super) fn clear_to_marker(&mut self) {
        while let Some(entry) = self.entries.pop() {
            if matches!(entry, FormattingEntry::Marker) {
                self.markers -= 1;
                return;
            }
        }
    }

    /// The elements after the last marker with their positions, last one first.
    fn after_marker(&self) -> impl Iterator<Item = (usize, &FormattingElement)> {
        self.entries.iter().enumerate().rev().map_while(|(at, entry)| match entry {
            FormattingEntry::Marker => None,
            FormattingEntry::Element(element) => Some((at, element)),
        })
    }

    /// The last element of this name after the last marker.
    pub(super) fn find(&self, name: TagName) -> Option<(usize, FormattingElement)> {
        self.after_marker().find(|(_, element)| element.name == name).map(|(at, element)| (at, *element))
    }

    pub(super) fn find_tag(&self, tag: Tag) -> Option<FormattingElement> {
        self.find(TagName::from(tag)).map(|(_, element)| element)
    }

    pub(super) fn position(&self, node: Node) -> Option<usize> {
        let is_it = |entry: &FormattingEntry| matches!(entry, FormattingEntry::Element(e) if e.node == node);
        self.entries.iter().position(is_it)
    }

    /// The element at this position, if it is not a marker.
    pub(super) fn element(&self, at: usize) -> Option<FormattingElement> {
        match self.entries.get(at) {
            Some(FormattingEntry::Element(element)) => Some(*element),
            _ => None,
        }
    }

    pub(super) fn remove(&mut self, at: usize) {
        if matches!(self.entries.remove(at), FormattingEntry::Marker) {
            self.markers -= 1;
        }
    }

    pub(super) fn remove_node(&mut self, node: Node) {
        if let Some(at) = self.position(node) {
            self.remove(at);
        }
    }

    /// Puts another element in the place of an entry.
    pub(super) fn replace(&mut self, at: usize, element: FormattingElement) {
        self.entries[at] = FormattingEntry::Element(element);
    }

    pub(super) fn insert(&mut self, at: usize, element: FormattingElement) {
        self.entries.insert(at, FormattingEntry::Element(element));
    }

    /// The first of the entries at the end that are neither markers nor open: what has to be reconstructed. `None` if
    /// there is nothing.
    #[inline]
    pub(super) fn first_closed(&self, stack: &OpenElements) -> Option<usize> {
        let is_closed = |entry: &FormattingEntry| match entry {
            FormattingEntry::Marker => false,
            FormattingEntry::Element(element) => !element.is_open(stack),
        };
        let closed = self.entries.iter().rev().take_while(|entry| is_closed(entry)).count();
        (closed > 0).then(|| self.entries.len() - closed)
    }

    /// Makes room for one more element like this: with the fourth equal one, the earliest is removed.
    pub(super) fn push(&mut self, element: FormattingElement, attrs: &Attrs) {
        let equal = self.after_marker().filter(|(_, known)| known.equals(&element, attrs)).map(|(at, _)| at);
        let (mut count, mut earliest) = (0, 0);
        for at in equal {
            (count, earliest) = (count + 1, at);
        }
        if count >= MAX_EQUAL {
            self.remove(earliest);
        }
        self.entries.push(FormattingEntry::Element(element));
    }
}

impl FormattingElement {
    /// An element that will be pushed onto the stack, or was created again.
    pub(super) fn new(
        node: Node,
        name: TagName,
        attrs: AttrRange,
        table: &Attrs,
        stack_position: usize,
    ) -> Self {
        let hash_entry = |entry: &AttrEntry| mix(hash_of(table.value(*entry)) ^ u64::from(entry.name) << 48);
        let hash = if attrs.len > MAX_UNHASHED {
            table.entries(attrs).iter().map(hash_entry).fold(0, u64::wrapping_add)
        } else {
            0
        };
        FormattingElement { node, name, attrs, hash, stack_position }
    }

    /// The same element, created again.
    pub(super) fn again(self, node: Node, stack_position: usize) -> FormattingElement {
        FormattingElement { node, stack_position, ..self }
    }

    fn is_open(&self, stack: &OpenElements) -> bool {
        stack.get(self.stack_position).node == self.node
            || stack.may_have(self.name) && stack.position(self.node).is_some()
    }

    /// True if name and attributes are equal; the order of attributes does not count.
    fn equals(&self, other: &FormattingElement, attrs: &Attrs) -> bool {
        self.name == other.name
            && self.attrs.len == other.attrs.len
            && self.hash == other.hash
            && equal_attributes(self.attrs, other.attrs, attrs)
    }
}

fn equal_attributes(a: AttrRange, b: AttrRange, attrs: &Attrs) -> bool {
    let (a, b) = (attrs.entries(a), attrs.entries(b));
    let equal = |x: &AttrEntry, y: &AttrEntry| x.name == y.name && attrs.value(*x) == attrs.value(*y);
    if a.iter().zip(b).all(|(x, y)| equal(x, y)) {
        return true;
    }
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.sort_unstable_by_key(|entry| entry.name);
    b.sort_unstable_by_key(|entry| entry.name);
    a.iter().zip(&b).all(|(x, y)| equal(x, y))
}
