//! Annotations: typed values on the nodes of a page (AMBER section 4.2, Definitions 3 and 4).
//!
//! In: a [`Page`]. Out: [`Annotations`]: every value the recognisers find in the element clob and in attribute values,
//! on the lowest element that holds it whole, so that none is redundant. Where kinds overlap, a weighted vote
//! decides. O(text), and only where a cheap scan says that a recogniser may find something.

use crate::former::is_former;
use crate::text_run::TextRun;
use copal_dom::{AttrName, Node, Page, attrs, tags};
use copal_values::Value;
use copal_values::ValueType;
use copal_values::recognise::rating;
use copal_values::{Hit, find};
use std::ops::Range;

/// Where an annotation's text stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the visible text: a range of the clob.
    Text(Range<usize>),
    /// In an HTML attribute of the element: its name, and a range of its value.
    Attribute(AttrName, Range<usize>),
    /// The element itself (a link, an image).
    Element,
}

/// A typed value on an element.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotation {
    /// Its type.
    pub kind: ValueType,
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
    clob: TextRun,
    list: Vec<Annotation>,
}

/// Attributes whose values are texts for people or machines to read.
const READABLE: &[AttrName] = &[attrs::ALT, attrs::TITLE, attrs::ARIA_LABEL, attrs::DATETIME, attrs::CONTENT];
/// Longest attribute value that is read.
const LONGEST: usize = 300;
/// Most bytes of one piece of text that are read.
const MOST: usize = 20_000;

impl Annotations {
    /// Annotates a page.
    pub fn new(page: &Page) -> Annotations {
        let clob = TextRun::new(page);
        let mut list = Vec::new();
        let mut hits = Vec::new();
        for piece in clob.pieces() {
            find(readable(clob.text(piece)), &mut hits);
            for hit in hits.drain(..) {
                let span = piece.start + hit.span.start..piece.start + hit.span.end;
                let node = clob.element(page, &span);
                let old = is_former(page, &clob, &span);
                list.push(Annotation {
                    kind: hit.kind,
                    node,
                    place: Place::Text(span),
                    value: hit.value,
                    old,
                });
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
            Place::Attribute(name, _) => page.tree.attr(annotation.node, *name).unwrap_or_default(),
            Place::Element => page.tree.raw_text(annotation.node),
        }
    }
}

/// The part of a text that is read: no value needs more, and rules are not linear in every text.
pub(crate) fn readable(text: &str) -> &str {
    let end = (0..=MOST.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..end]
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
                element(ValueType::Link, href);
            }
        }
        tags::IMG => {
            if let Some(src) = tree.attr(node, attrs::SRC).or_else(|| tree.attr(node, attrs::DATA_SRC)) {
                element(ValueType::Image, src.trim());
            }
        }
        _ => {}
    }
    // of ids and classes grades are read; other values there are names of machines
    for name in [attrs::CLASS, attrs::ID] {
        let Some(text) = tree.attr(node, name) else { continue };
        if let Some(value) = rating::of_class(text) {
            list.push(Annotation {
                kind: ValueType::Rating,
                node,
                place: Place::Attribute(name, 0..text.len()),
                value,
                old: false,
            });
        }
    }
    for &name in READABLE {
        let Some(text) = tree.attr(node, name).filter(|text| text.len() <= LONGEST) else { continue };
        find(text, hits);
        for hit in hits.drain(..) {
            list.push(Annotation {
                kind: hit.kind,
                node,
                place: Place::Attribute(name, hit.span),
                value: hit.value,
                old: false,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    /// (kind, tag of the element, text, crossed out) of every annotation.
    fn annotated(html: &str) -> Vec<(ValueType, String, String, bool)> {
        let page = Page::from_text(html, &Limits::default());
        let annotations = Annotations::new(&page);
        let row = |a: &Annotation| {
            (a.kind, page.tree.tag_name(a.node).to_owned(), annotations.text(&page, a).to_owned(), a.old)
        };
        annotations.all().iter().map(row).collect()
    }

    fn row(kind: ValueType, tag: &str, text: &str, old: bool) -> (ValueType, String, String, bool) {
        (kind, tag.into(), text.into(), old)
    }

    #[test]
    fn a_value_may_span_inline_elements_but_not_cells() {
        assert_eq!(
            annotated("<p>Now <b>300</b> <i>GBP</i></p>"),
            [row(ValueType::Money, "p", "300 GBP", false)]
        );
        assert_eq!(annotated("<table><tr><td>300</td><td>GBP</td></tr></table>"), []);
    }

    #[test]
    fn annotations_sit_on_the_lowest_element() {
        let html = "<div><p><span>£995</span> <del>£1,100</del> on 26 Jan 2017</p></div>";
        let want = [
            row(ValueType::Date, "p", "26 Jan 2017", false),
            row(ValueType::Money, "span", "£995", false),
            row(ValueType::Money, "del", "£1,100", true),
        ];
        assert_eq!(annotated(html), want);
    }

    #[test]
    fn attributes_links_and_images_are_annotated() {
        let html = "<a href='/x' title='4.1 out of 5 stars'>view</a><img src=a.png alt='12 reviews'><time datetime=2017-01-26>x</time><i class='star-rating Four'></i><b id=stars-4-5>x</b>";
        let kinds: Vec<ValueType> = annotated(html).into_iter().map(|row| row.0).collect();
        assert_eq!(
            kinds,
            [
                ValueType::Rating,
                ValueType::Link,
                ValueType::Count,
                ValueType::Image,
                ValueType::Date,
                ValueType::Rating,
                ValueType::Rating
            ]
        );
    }
}
