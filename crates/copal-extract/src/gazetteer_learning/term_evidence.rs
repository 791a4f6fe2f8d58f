//! What one page says about the terms and labels of an attribute.

use copal_dom::Node;
use std::ops::Range;

/// The evidence of one page.
#[derive(Debug, Clone, Default)]
pub struct TermEvidence {
    pub(super) instances: Vec<Instance>,
    pub(super) terms: Vec<TermCandidate>,
    /// Folded terms of the gazetteer that occur in well supported instances.
    pub(super) confirmed: Vec<String>,
    pub(super) labels: Vec<LabelCandidate>,
}

/// A value of the attribute in a record.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    pub(super) node: Node,
    pub(super) text: String,
    pub(super) inferred: bool,
    /// The part of the record that contains it.
    pub(super) record: Range<Node>,
}

/// A candidate term of the attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TermCandidate {
    pub(super) text: String,
    pub(super) confidence: f64,
    pub(super) instance: String,
}

/// A candidate label of the attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LabelCandidate {
    pub(super) text: String,
    pub(super) confidence: f64,
}
