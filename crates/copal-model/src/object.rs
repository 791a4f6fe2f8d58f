//! The object of a detail page.

use crate::region::Region;
use copal_dom::Node;
use copal_values::Value;

/// Where a field was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FieldSource {
    /// Next to a label.
    Label,
    /// A text with a recognised type: a price, a date, a term of the domain.
    Text,
    /// Declared by the page (JSON-LD, microdata, Open Graph) and shown by it.
    Declared,
    /// The page's headline.
    Headline,
    /// What nearly every object has: the image, the longest text.
    Role,
    /// At the place where most other pages of the template have the field.
    Place,
}

impl FieldSource {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            FieldSource::Label => "label",
            FieldSource::Text => "text",
            FieldSource::Declared => "declared",
            FieldSource::Headline => "headline",
            FieldSource::Role => "role",
            FieldSource::Place => "place",
        }
    }
}

/// One field of the object.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Field {
    /// Its name: the domain's, or made of the label.
    pub name: String,
    /// The texts, as the page shows them.
    pub texts: Vec<String>,
    /// The typed value of the first text, if it has one.
    pub value: Option<Value>,
    /// Where it was read from.
    pub source: FieldSource,
    /// Strength of the evidence, from 0 to 1. Good for comparing fields; not a probability.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::bits"))]
    pub confidence: f64,
    /// The XPath of its first text.
    pub xpath: Option<String>,
}

/// What a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PageKind {
    /// It shows a list of records.
    List,
    /// It shows one object.
    Object,
    /// Neither.
    #[default]
    Nothing,
}

impl PageKind {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            PageKind::List => "list",
            PageKind::Object => "object",
            PageKind::Nothing => "nothing",
        }
    }
}

/// One object, read from its page.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Object {
    /// The element that holds the object's data, as an XPath.
    pub area: Option<String>,
    /// The same element as a node.
    pub area_node: Option<Node>,
    /// The fields, in the order of the page.
    pub fields: Vec<Field>,
    /// Lists of other things on the page: similar ones, reviews.
    pub lists: Vec<Region>,
    /// What the page is.
    pub kind: PageKind,
    /// The probability that this kind is right.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::bits"))]
    pub kind_confidence: f64,
    /// The number of the page's template. Pages with the same number were read together.
    pub template: usize,
}
