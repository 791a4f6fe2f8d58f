//! The evidence of one page: instances, terms and labels, before they are judged.

use copal_dom::Node;
use std::ops::Range;

/// What one page contributes.
#[derive(Debug, Clone, Default)]
pub struct TermEvidence {
    pub(super) instances: Vec<Instance>,
    pub(super) terms: Vec<TermSeen>,
    /// Folded terms of the gazetteer that occur in well supported instances.
    pub(super) confirmed: Vec<String>,
    pub(super) labels: Vec<LabelSeen>,
}

/// A value of the attribute in a record.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    pub(super) node: Node,
    pub(super) text: String,
    pub(super) inferred: bool,
    /// The part of the record that it is in.
    pub(super) record: Range<Node>,
}

/// A term that may belong to the attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TermSeen {
    pub(super) text: String,
    pub(super) confidence: f64,
    pub(super) instance: String,
}

/// A text that may be a label of the attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LabelSeen {
    pub(super) text: String,
    pub(super) confidence: f64,
}
