//! A label with its value, and the layout in which the page shows them.

use copal_dom::Node;
use std::ops::Range;

/// How a label and its value are laid out: the role of the value (feature CE of thesis section 6.5).
///
/// The order matters: it breaks ties between values at one node, and the number is part of the candidate's
/// key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::objects) enum LabelLayout {
    TableRow,
    DefinitionList,
    /// "Label: value" in one line.
    Inline,
    /// The value follows a line that ends with a colon.
    AfterColon,
    /// The value follows a line that the domain knows as a label, or that is marked as one by structure.
    AfterLabelLine,
    /// The value is the section below a heading.
    Heading,
}

/// A label with its value.
#[derive(Debug, Clone)]
pub(in crate::objects) struct LabelledValue {
    pub(in crate::objects) label: String,
    /// The last text node of the label.
    pub(in crate::objects) label_node: Node,
    /// The texts of the value, one per line.
    pub(in crate::objects) texts: Vec<String>,
    /// The first line of the value.
    pub(in crate::objects) line: usize,
    /// The lines of the value, if they contain nothing else. Empty for a value inside a line.
    pub(in crate::objects) lines: Range<usize>,
    /// The first text node of the value.
    pub(in crate::objects) node: Node,
    pub(in crate::objects) layout: LabelLayout,
    /// Most pages of the template show the same value.
    pub(in crate::objects) is_static: bool,
}
