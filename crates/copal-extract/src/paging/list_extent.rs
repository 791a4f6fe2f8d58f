//! The extent of the main list on the page.
//!
//! In: the main list. Out: whether a node is in one of its records, and how far a node is from the list.
//! O(log records) per question.

use super::pager_record::pagers_at_ends;
use copal_dom::{Node, Page};
use copal_model::{Parts, Region};
use std::ops::Range;

/// The parts of the page that the records of a list cover.
pub(super) struct ListExtent {
    /// In document order, without overlaps.
    parts: Vec<Range<Node>>,
}

impl ListExtent {
    /// The extent of a list. If its pager was taken for a record, the links in it must still be found, so it
    /// is not part of the extent.
    pub(super) fn of(page: &Page, list: Option<&Region>) -> ListExtent {
        let mut records = list.map(|list| list.records.as_slice()).unwrap_or_default();
        let (first, last) = pagers_at_ends(page, records.iter().map(|record| record.place.parts.as_slice()));
        records = &records[usize::from(first)..records.len() - usize::from(last)];
        Self::of_parts(records.iter().flat_map(|record| record.place.parts.iter().cloned()))
    }

    /// The extent of records that are not a region yet.
    pub(super) fn of_records(records: &[Parts]) -> ListExtent {
        Self::of_parts(records.iter().flatten().cloned())
    }

    fn of_parts(parts: impl Iterator<Item = Range<Node>>) -> ListExtent {
        let mut parts: Vec<Range<Node>> = parts.collect();
        parts.sort_by_key(|part| part.start);
        ListExtent { parts }
    }

    /// True if no record is on the page.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The end of the record that contains the node.
    pub(super) fn record_end(&self, node: Node) -> Option<Node> {
        let after = self.parts.partition_point(|part| part.start <= node);
        let part = after.checked_sub(1).map(|at| &self.parts[at])?;
        (node < part.end).then_some(part.end)
    }

    /// Like [`record_end`](Self::record_end) for nodes in ascending order, without a search. `at` must be 0
    /// for the first call and is kept between calls.
    pub(super) fn record_end_from(&self, at: &mut usize, node: Node) -> Option<Node> {
        while self.parts.get(*at).is_some_and(|part| part.end <= node) {
            *at += 1;
        }
        self.parts.get(*at).filter(|part| part.start <= node).map(|part| part.end)
    }

    pub(super) fn is_in_record(&self, node: Node) -> bool {
        self.record_end(node).is_some()
    }

    /// True if some record overlaps the range.
    pub(super) fn overlaps(&self, nodes: Range<Node>) -> bool {
        let first = self.parts.partition_point(|part| part.end <= nodes.start);
        self.parts.get(first).is_some_and(|part| part.start < nodes.end)
    }

    /// The number of characters between the node and the list, and whether the node is before the list. The
    /// number is `None` if the node is between records.
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

    /// True if at most `max_chars` characters are between the node and the list, or the node is between
    /// records.
    pub(super) fn is_near(&self, page: &Page, node: Node, max_chars: u32) -> bool {
        if self.is_empty() || self.is_in_record(node) {
            return false;
        }
        self.distance(page, node).0.is_none_or(|distance| distance <= max_chars)
    }
}
