//! An attribute of a domain on an element of a page, and how it was found.

use crate::value_annotations::AnnotationPlace;
use copal_dom::Node;
use copal_values::Value;

/// How an attribute was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoundBy {
    /// A rule of the domain.
    Rule,
    /// A term of a gazetteer.
    Term,
    /// The recogniser of its value type.
    Type,
    /// The label next to it.
    Label,
    /// The element itself: an image, a link.
    Element,
    /// An annotator outside copal.
    Annotator,
}

impl FoundBy {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            FoundBy::Rule => "rule",
            FoundBy::Term => "term",
            FoundBy::Type => "type",
            FoundBy::Label => "label",
            FoundBy::Element => "element",
            FoundBy::Annotator => "annotator",
        }
    }

    /// Its weight in a vote. A label names the value next to it, while a term can mean many things.
    pub(super) fn trust(self) -> f64 {
        match self {
            FoundBy::Label | FoundBy::Element => 1.0,
            FoundBy::Rule => 0.9,
            FoundBy::Type => 0.8,
            FoundBy::Annotator => 0.75,
            FoundBy::Term => 0.7,
        }
    }
}

/// An attribute of a domain on an element.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AttributeAnnotation {
    /// The index of the attribute in its domain.
    pub attribute: usize,
    /// It is a label ("Price:"), not a value.
    pub label: bool,
    /// The lowest element that contains all of it.
    pub node: Node,
    /// Where its text is.
    pub place: AnnotationPlace,
    /// The text as the page has it.
    pub text: String,
    /// The normalised value.
    pub value: Value,
    /// It is crossed out: an old price.
    pub crossed_out: bool,
    /// How it was found.
    pub found_by: FoundBy,
    /// How many bytes of text support it: everything that a rule matched, not only its value.
    pub claim: usize,
}

impl AttributeAnnotation {
    /// True if a label of the attribute is next to it.
    pub fn labelled(&self) -> bool {
        self.found_by == FoundBy::Label
    }
}
