//! Where the list is on the page.
//!
//! In: the main list. Out: whether a node is in one of its records, and how far it is from the list. O(log records).

use copal_dom::{Node, Page};
use copal_model::Region;
use std::ops::Range;

/// The nodes of the records.
pub(super) struct Place {
    /// In document order; none overlaps another.
    parts: Vec<Range<Node>>,
}

impl Place {
    pub(super) fn of(list: Option<&Region>) -> Place {
        let records = list.iter().flat_map(|list| &list.records);
        let mut parts: Vec<Range<Node>> =
            records.flat_map(|record| record.place.parts.iter().cloned()).collect();
        parts.sort_by_key(|part| part.start);
        Place { parts }
    }

    /// True if no record is to be seen on the page.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The end of the record that holds the node.
    pub(super) fn record_end(&self, node: Node) -> Option<Node> {
        let behind = self.parts.partition_point(|part| part.start <= node);
        let part = behind.checked_sub(1).map(|at| &self.parts[at])?;
        (node < part.end).then_some(part.end)
    }

    /// The same for nodes in ascending order, without a search: `at` is 0 first, and kept between calls.
    pub(super) fn record_end_from(&self, at: &mut usize, node: Node) -> Option<Node> {
        while self.parts.get(*at).is_some_and(|part| part.end <= node) {
            *at += 1;
        }
        self.parts.get(*at).filter(|part| part.start <= node).map(|part| part.end)
    }

    pub(super) fn is_in_record(&self, node: Node) -> bool {
        self.record_end(node).is_some()
    }

    /// True if some record has nodes of the range.
    pub(super) fn overlaps(&self, nodes: Range<Node>) -> bool {
        let first = self.parts.partition_point(|part| part.end <= nodes.start);
        self.parts.get(first).is_some_and(|part| part.start < nodes.end)
    }

    /// The characters between the node and the list, and whether it stands before; none if it is between records.
    pub(super) fn distance(&self, page: &Page, node: Node) -> (Option<u32>, bool) {
        let (Some(first), Some(last)) = (self.parts.first(), self.parts.last()) else { return (None, false) };
        if node >= last.end {
            (Some(page.index.chars(&(last.end..node))), false)
        } else if node < first.start {
            (Some(page.index.chars(&(node..first.start))), true)
        } else {
            (None, false)
        }
    }

    /// True if there are at most so many characters between the node and the list, or it is between records.
    pub(super) fn is_near(&self, page: &Page, node: Node, most: u32) -> bool {
        if self.is_empty() || self.is_in_record(node) {
            return false;
        }
        self.distance(page, node).0.is_none_or(|distance| distance <= most)
    }
}
