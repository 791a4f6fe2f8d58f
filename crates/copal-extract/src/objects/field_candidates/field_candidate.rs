//! A text that may be the value of an attribute, and where it comes from.

use super::super::labelled_values::LabelLayout;
use copal_dom::Node;
use copal_domain::FoundBy;
use copal_values::Value;

/// Where a candidate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::objects) enum CandidateOrigin {
    /// A label of the attribute.
    Labelled(LabelLayout),
    /// A recogniser of the domain.
    Recognised(FoundBy),
    /// A declared property.
    Declared,
    /// A part of the page's title.
    Title,
    /// The headline of the page.
    Headline,
    /// The class or id of its element.
    Class,
    /// The place at which most other pages have the attribute.
    Place,
}

/// A text that may be the value of an attribute.
#[derive(Debug, Clone)]
pub(in crate::objects) struct FieldCandidate {
    /// The index of the attribute in its domain.
    pub(in crate::objects) attribute: usize,
    pub(in crate::objects) texts: Vec<String>,
    pub(in crate::objects) value: Option<Value>,
    pub(in crate::objects) line: Option<usize>,
    /// The first node, or 0 if the page does not show the text as such.
    pub(in crate::objects) node: Node,
    /// The tag path with the label: equal for the same field on all pages of the template.
    pub(in crate::objects) key: u64,
    pub(in crate::objects) origin: CandidateOrigin,
    /// A label of the attribute is next to it.
    pub(in crate::objects) is_labelled: bool,
    /// The label only contains a label of the attribute among other words.
    pub(in crate::objects) has_weak_label: bool,
    /// The share of its line that it covers.
    pub(in crate::objects) line_share: f64,
    /// Most pages of the template show the same text.
    pub(in crate::objects) is_static: bool,
    pub(in crate::objects) is_outside: bool,
    /// The position of its label among those of the attribute, which come in order of preference.
    pub(in crate::objects) label_rank: usize,
}
