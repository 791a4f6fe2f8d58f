//! Annotations: typed values on the nodes of a page (AMBER section 4.2, Definitions 3 and 4).
//!
//! In: a [`Page`]. Out: [`Annotations`]: every value the recognisers find in the element clob and in attribute values,
//! on the lowest element that holds it whole, so that none is redundant. Where kinds overlap, the longer span wins, then
//! the more particular kind. O(text), and only where a cheap scan says that a recogniser may find something.

use crate::clob::Clob;
use crate::kind::Kind;
use crate::recognise::{self, Hit, Marks};
use crate::value::Value;
use copal_dom::{AttrName, Node, Page, attrs, tags};
use std::ops::Range;

/// Where an annotation's text stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the visible text: a range of the clob.
    Text(Range<usize>),
    /// In an attribute of the element.
    Attribute(AttrName),
    /// The element itself (a link, an image).
    Element,
}

/// A typed value on an element.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotation {
    /// Its type.
    pub kind: Kind,
    /// The lowest element that holds it whole.
    pub node: Node,
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub value: Value,
    /// Crossed out: an old price.
    pub old: bool,
}

/// The annotations of a page.
#[derive(Debug, Clone, Default)]
pub struct Annotations {
    clob: Clob,
    list: Vec<Annotation>,
}

/// Attributes whose values are texts for people or machines to read.
const READABLE: &[AttrName] =
    &[attrs::ALT, attrs::TITLE, attrs::ARIA_LABEL, attrs::DATETIME, attrs::CONTENT];
/// Longest attribute value that is read.
const LONGEST: usize = 300;

impl Annotations {
    /// Annotates a page.
    pub fn new(page: &Page) -> Annotations {
        let clob = Clob::new(page);
        let mut list = Vec::new();
        let mut hits = Vec::new();
        for piece in clob.pieces() {
            find(clob.text(piece), &mut hits);
            for hit in hits.drain(..) {
                let span = piece.start + hit.span.start..piece.start + hit.span.end;
                let node = clob.element(page, &span);
                let old = clob.leaves(&span).all(|leaf| page.styles.style(leaf).strike);
                list.push(Annotation { kind: hit.kind, node, place: Place::Text(span), value: hit.value, old });
            }
        }
        for node in page.tree.nodes().filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node)) {
            attributes(page, node, &mut hits, &mut list);
        }
        list.sort_by_key(|annotation| (annotation.node, annotation.kind));
        Annotations { clob, list }
    }

    /// All annotations, by node in document order.
    pub fn all(&self) -> &[Annotation] {
        &self.list
    }

    /// Those on nodes of a range.
    pub fn within(&self, nodes: &Range<Node>) -> &[Annotation] {
        let from = self.list.partition_point(|annotation| annotation.node < nodes.start);
        let to = self.list.partition_point(|annotation| annotation.node < nodes.end);
        &self.list[from..to]
    }

    /// The text of an annotation as the page has it.
    pub fn text<'a>(&'a self, page: &'a Page, annotation: &Annotation) -> &'a str {
        match &annotation.place {
            Place::Text(span) => self.clob.text(span),
            Place::Attribute(name) => page.tree.attr(annotation.node, *name).unwrap_or_default(),
            Place::Element => page.tree.raw_text(annotation.node),
        }
    }
}

/// All values in one text, overlaps resolved.
pub fn find(text: &str, hits: &mut Vec<Hit>) {
    let marks = Marks::of(text);
    for recogniser in recognise::ALL {
        if recogniser.wants(marks) {
            recogniser.find(text, hits);
        }
    }
    resolve(hits);
}

/// The longer span wins, then the kind that comes first in [`recognise::ALL`].
fn resolve(hits: &mut Vec<Hit>) {
    if hits.len() < 2 {
        return;
    }
    // recognisers were asked in order, and the sort is stable
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.span.len()));
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits.drain(..) {
        let free = kept.iter().all(|other| hit.span.end <= other.span.start || other.span.end <= hit.span.start);
        if free {
            kept.push(hit);
        }
    }
    kept.sort_by_key(|hit| hit.span.start);
    *hits = kept;
}

fn attributes(page: &Page, node: Node, hits: &mut Vec<Hit>, list: &mut Vec<Annotation>) {
    let tree = &page.tree;
    let mut element = |kind, text: &str| {
        let value = Value::Text(text.to_owned());
        list.push(Annotation { kind, node, place: Place::Element, value, old: false });
    };
    match tree.tag(node) {
        tags::A => {
            let href = tree.attr(node, attrs::HREF).map(str::trim).filter(|href| !href.is_empty());
            if let Some(href) = href.filter(|_| page.index.leaves(&(node..tree.end(node))) > 0) {
                element(Kind::Link, href);
            }
        }
        tags::IMG => {
            if let Some(src) = tree.attr(node, attrs::SRC).or_else(|| tree.attr(node, attrs::DATA_SRC)) {
                element(Kind::Image, src.trim());
            }
        }
        _ => {}
    }
    for &name in READABLE {
        let Some(text) = tree.attr(node, name).filter(|text| text.len() <= LONGEST) else { continue };
        find(text, hits);
        for hit in hits.drain(..) {
            list.push(Annotation { kind: hit.kind, node, place: Place::Attribute(name), value: hit.value, old: false });
        }
    }
}
