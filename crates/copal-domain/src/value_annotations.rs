//! Annotations with value types, independent of any domain (AMBER section 4.2, Definitions 3 and 4).
//!
//! In: a [`Page`]. Out: [`Annotations`]: every value that the recognisers find in text runs and in HTML
//! attributes, on the lowest element that contains all of it, so that none is redundant. Where value types
//! contradict each other, a weighted vote decides. O(text) up to a budget, and a recogniser only runs where a
//! cheap scan says that it may find something.

use crate::crossed_out::is_crossed_out;
use crate::text_runs::TextRuns;
use copal_dom::{AttrName, Node, Page, WorkBudget, attrs, tags};
use copal_values::recognise::rating_in_class;
use copal_values::{Value, ValueMatch, ValueType, find};
use std::ops::Range;

/// Where the text of an annotation is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnnotationPlace {
    /// In the visible text: a range of [`TextRuns`].
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
    /// The type of the value.
    pub value_type: ValueType,
    /// The lowest element that contains all of it.
    pub node: Node,
    /// Where its text is.
    pub place: AnnotationPlace,
    /// The normalised value.
    pub value: Value,
    /// It is crossed out: an old price.
    pub crossed_out: bool,
}

/// The annotations of a page.
#[derive(Debug, Clone, Default)]
pub struct Annotations {
    text_runs: TextRuns,
    list: Vec<Annotation>,
    is_partial: bool,
}

/// HTML attributes whose values are texts for people or machines to read.
const TEXT_ATTRIBUTES: &[AttrName] =
    &[attrs::ALT, attrs::TITLE, attrs::ARIA_LABEL, attrs::DATETIME, attrs::CONTENT];
/// Longest value of an HTML attribute that is read.
const MAX_TEXT_ATTRIBUTE_BYTES: usize = 300;
/// Maximum number of bytes of one text run that are read.
const MAX_READ_BYTES: usize = 20_000;
/// Work of the recognisers on one page, in bytes. It bounds the time of a page that is nothing but
/// text, because recognising costs much more per byte than parsing.
const MAX_RECOGNITION_BYTES: usize = 3_000_000;
/// What a text costs in addition to its bytes: each recogniser looks at it.
const BYTES_PER_TEXT: usize = 16;

/// The work of the recognisers on one page.
pub(crate) fn recognition_budget() -> WorkBudget {
    WorkBudget::new(MAX_RECOGNITION_BYTES)
}

/// What it costs to search a text for values.
pub(crate) fn recognition_cost(text: &str) -> usize {
    text.len() + BYTES_PER_TEXT
}

impl Annotations {
    /// Annotates a page.
    pub fn new(page: &Page) -> Annotations {
        let text_runs = TextRuns::new(page);
        let mut list = Vec::new();
        let mut matches = Vec::new();
        let mut budget = recognition_budget();
        for run in text_runs.runs() {
            let text = readable(text_runs.text(run));
            if !budget.spend(recognition_cost(text)) {
                break;
            }
            find(text, &mut matches);
            for found in matches.drain(..) {
                let span = run.start + found.span.start..run.start + found.span.end;
                let node = text_runs.element(page, &span);
                let crossed_out = is_crossed_out(page, &text_runs, &span);
                list.push(Annotation {
                    value_type: found.value_type,
                    node,
                    place: AnnotationPlace::Text(span),
                    value: found.value,
                    crossed_out,
                });
            }
        }
        for node in page.tree.nodes().filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node)) {
            annotate_element(page, node, &mut matches, &mut budget, &mut list);
        }
        list.sort_by_key(|annotation| (annotation.node, annotation.value_type));
        Annotations { text_runs, list, is_partial: budget.is_exceeded() }
    }

    /// True if the page has too much text: values after the beginning were not searched for.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// All annotations, by node in document order.
    pub fn all(&self) -> &[Annotation] {
        &self.list
    }

    /// The annotations on the nodes of a range.
    pub fn within(&self, nodes: &Range<Node>) -> &[Annotation] {
        let from = self.list.partition_point(|annotation| annotation.node < nodes.start);
        let to = self.list.partition_point(|annotation| annotation.node < nodes.end);
        &self.list[from..to]
    }

    /// The text of an annotation as the page has it.
    pub fn text<'a>(&'a self, page: &'a Page, annotation: &Annotation) -> &'a str {
        match &annotation.place {
            AnnotationPlace::Text(span) => self.text_runs.text(span),
            AnnotationPlace::Attribute(name, _) => page.tree.attr(annotation.node, *name).unwrap_or_default(),
            AnnotationPlace::Element => page.tree.raw_text(annotation.node),
        }
    }
}

/// The beginning of a text, which is all that is read: no value needs more, and some rules are not linear in
/// every text.
pub(crate) fn readable(text: &str) -> &str {
    let end = (0..=MAX_READ_BYTES.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..end]
}

/// Adds the values of an element itself and of its HTML attributes.
fn annotate_element(
    page: &Page,
    node: Node,
    matches: &mut Vec<ValueMatch>,
    budget: &mut WorkBudget,
    list: &mut Vec<Annotation>,
) {
    let tree = &page.tree;
    let mut element = |value_type, text: &str| {
        let value = Value::Text(text.to_owned());
        list.push(Annotation {
            value_type,
            node,
            place: AnnotationPlace::Element,
            value,
            crossed_out: false,
        });
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
    // Ratings are read from classes and ids. Other numbers there are not for people.
    for name in [attrs::CLASS, attrs::ID] {
        let Some(text) = tree.attr(node, name) else { continue };
        if let Some(value) = rating_in_class(text) {
            list.push(Annotation {
                value_type: ValueType::Rating,
                node,
                place: AnnotationPlace::Attribute(name, 0..text.len()),
                value,
                crossed_out: false,
            });
        }
    }
    for &name in TEXT_ATTRIBUTES {
        let Some(text) = tree.attr(node, name).filter(|text| text.len() <= MAX_TEXT_ATTRIBUTE_BYTES) else {
            continue;
        };
        if !budget.spend(recognition_cost(text)) {
            return;
        }
        find(text, matches);
        for found in matches.drain(..) {
            list.push(Annotation {
                value_type: found.value_type,
                node,
                place: AnnotationPlace::Attribute(name, found.span),
                value: found.value,
                crossed_out: false,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    /// (value type, tag of the element, text, crossed out) of every annotation.
    fn annotated(html: &str) -> Vec<(ValueType, String, String, bool)> {
        let page = Page::from_text(html, &Limits::default());
        let annotations = Annotations::new(&page);
        let row = |a: &Annotation| {
            (
                a.value_type,
                page.tree.tag_name(a.node).to_owned(),
                annotations.text(&page, a).to_owned(),
                a.crossed_out,
            )
        };
        annotations.all().iter().map(row).collect()
    }

    fn row(
        value_type: ValueType,
        tag: &str,
        text: &str,
        crossed_out: bool,
    ) -> (ValueType, String, String, bool) {
        (value_type, tag.into(), text.into(), crossed_out)
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
    fn annotations_are_on_the_lowest_element() {
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
        let html = "<a href='/x' title='4.1 out of 5 stars'>view</a><img src=a.png alt='12 reviews'>\
            <time datetime=2017-01-26>x</time>\
            <i class='star-rating Four'></i><b id=stars-4-5>x</b>";
        let types: Vec<ValueType> = annotated(html).into_iter().map(|row| row.0).collect();
        assert_eq!(
            types,
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
