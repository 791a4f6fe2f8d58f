//! A field together with its node, before the node is written as an XPath.

use copal_dom::Node;
use copal_model::Field;

/// Fields that are returned per page.
pub(super) const MAX_FIELD_COUNT: usize = 80;

/// A field whose `xpath` is still missing.
#[derive(Debug, Clone)]
pub(super) struct PlacedField {
    pub(super) field: Field,
    pub(super) node: Option<Node>,
}

/// Sorts fields into document order. Fields without a node come last.
pub(super) fn sort_by_node(fields: &mut [PlacedField]) {
    fields.sort_by_key(|placed| placed.node.unwrap_or(Node::MAX));
}
