//! What a page shows and declares of one object, whatever its lists are.
//!
//! In: the findings of a page, and what it declares. Out: an [`ObjectSide`]. The kind of the page is decided
//! from it and from the ranked lists; the fit reads the same facts. O(lines + labels).

use super::labelled_values::LabelLayout;
use super::listed_names::listed_names;
use super::open_roles::price;
use super::own_values::is_own_value;
use super::page_findings::PageFindings;
use crate::signals::declared::{Declared, schema};
use crate::signals::scripts::objects::Objects;
use copal_dom::{Node, tags};

/// Shortest paragraph of running text, in bytes.
const MIN_PARAGRAPH_BYTES: usize = 200;
/// Paragraphs that are counted at most.
const MAX_PARAGRAPHS: usize = 12;

/// The evidence for one object.
#[derive(Debug)]
pub(super) struct ObjectSide<'a> {
    /// Labels with values, without headings.
    pub(super) labels: Vec<LabelPlace>,
    /// The text that names the object.
    pub(super) headline: Option<Node>,
    /// The headline is in an `h1`.
    pub(super) is_h1: bool,
    /// The one price near the headline.
    pub(super) price: Option<Node>,
    /// Declared things that are not texts.
    pub(super) declared_count: usize,
    /// The page declares an article.
    pub(super) is_declared_article: bool,
    /// Paragraphs of running text, at most [`MAX_PARAGRAPHS`].
    pub(super) paragraphs: usize,
    /// The page's Open Graph type.
    pub(super) page_type: Option<&'a str>,
}

/// A label with a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct LabelPlace {
    pub(super) node: Node,
    /// It is in what looks like boilerplate or like a list of other objects.
    pub(super) outside: bool,
    /// It seems to belong to the object.
    pub(super) is_own: bool,
    /// Characters of the value.
    pub(super) value_chars: usize,
}

impl<'a> ObjectSide<'a> {
    pub(super) fn new(findings: &PageFindings<'_>, declared: &'a Declared<'_>) -> ObjectSide<'a> {
        let PageFindings { page, headline, labelled, .. } = findings;
        let listed = listed_names(page, labelled);
        let labels = labelled.iter().filter(|value| value.layout != LabelLayout::Heading);
        let labels = labels.filter(|value| !listed.contains(&value.node)).map(|value| LabelPlace {
            node: value.node,
            outside: page.lines[value.line].outside,
            is_own: is_own_value(page, value, labelled),
            value_chars: value.texts.iter().map(|text| text.chars().count()).sum(),
        });
        let things = declared.things();
        let has_text_type = |thing: &&Objects| thing.kind.as_deref().is_some_and(schema::is_text);
        let page_type = declared.open_graph_types().next();
        let paragraphs =
            page.lines.iter().filter(|line| !line.outside && line.text.len() >= MIN_PARAGRAPH_BYTES);
        let tree = &page.dom.tree;
        let first = headline.map(|line| page.lines[line].first());
        ObjectSide {
            labels: labels.collect(),
            headline: first,
            is_h1: first
                .is_some_and(|first| tree.ancestors(first).take(3).any(|above| tree.tag(above) == tags::H1)),
            price: headline.and_then(|line| price(page, Some(line))).map(|line| page.lines[line].first()),
            declared_count: declared.thing_count(),
            is_declared_article: page_type.is_some_and(|kind| kind.eq_ignore_ascii_case("article"))
                || things.iter().any(|thing| has_text_type(&thing)),
            paragraphs: paragraphs.take(MAX_PARAGRAPHS).count(),
            page_type,
        }
    }

    /// Paragraphs of running text, as a share of the most that are counted.
    pub(super) fn paragraph_share(&self) -> f64 {
        self.paragraphs as f64 / MAX_PARAGRAPHS as f64
    }

    /// The page declares that it is about an object.
    pub(super) fn has_object_type(&self) -> bool {
        self.page_type.is_some_and(schema::is_open_graph_object)
    }

    /// The page has a type that says nothing about what it is about.
    pub(super) fn has_plain_type(&self) -> bool {
        self.page_type.is_none_or(|kind| matches!(kind, "article" | "Article" | "website" | "blog"))
    }
}

/// The evidence for one object, for fitting.
#[cfg(feature = "research")]
#[derive(Debug)]
pub struct ObjectSideDescription {
    /// Node, whether it is outside the object's area, whether it seems to be the object's, length of the value.
    pub labels: Vec<(Node, bool, bool, usize)>,
    /// The text that names the object.
    pub headline: Option<Node>,
    /// The one price near the headline.
    pub price: Option<Node>,
    /// Names and values of what is the same for all lists.
    pub facts: Vec<(&'static str, f64)>,
}

#[cfg(feature = "research")]
impl ObjectSide<'_> {
    pub(super) fn describe(&self) -> ObjectSideDescription {
        let yes = |is: bool| f64::from(u8::from(is));
        let label = |label: &LabelPlace| (label.node, label.outside, label.is_own, label.value_chars);
        ObjectSideDescription {
            labels: self.labels.iter().map(label).collect(),
            headline: self.headline,
            price: self.price,
            facts: vec![
                ("h1", yes(self.is_h1)),
                ("declared_count", self.declared_count as f64),
                ("declared_article", yes(self.is_declared_article)),
                ("paragraphs", self.paragraphs as f64),
                ("object_type", yes(self.has_object_type())),
                ("plain_type", yes(self.has_plain_type())),
            ],
        }
    }
}
