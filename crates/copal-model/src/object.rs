//! The answer for a detail page.

use crate::region::Region;
use copal_dom::Node;
use copal_values::Value;

/// Where a field was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldSource {
    /// Behind or below a label.
    Label,
    /// What its text is: a price, a date, a term of the domain.
    Text,
    /// Declared by the page (JSON-LD, microdata, Open Graph) and shown by it.
    Declared,
    /// The page's headline.
    Headline,
    /// Its place: the picture, the longest text.
    Role,
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
        }
    }
}

/// One field of the object.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name: the domain's, or made of the label.
    pub name: String,
    /// The texts, as the page shows them.
    pub texts: Vec<String>,
    /// What the first of them says, if it has a type.
    pub value: Option<Value>,
    /// Where it was read from.
    pub source: FieldSource,
    /// How much speaks for it, from 0 to 1: to compare fields with, not a probability.
    pub confidence: f64,
    /// The place of its first text.
    pub xpath: Option<String>,
}

/// What a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
pub struct Object {
    /// The element that holds the object's data, as an XPath.
    pub area: Option<String>,
    /// The same as a node.
    pub area_node: Option<Node>,
    /// The fields, in the order of the page.
    pub fields: Vec<Field>,
    /// Lists of other things on the page: similar ones, reviews.
    pub lists: Vec<Region>,
    /// What the page is.
    pub kind: PageKind,
    /// How likely it is that.
    pub kind_confidence: f64,
    /// Which template the page has: pages with one number were read together.
    pub template: usize,
}
