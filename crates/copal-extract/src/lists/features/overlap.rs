//! The nodes of a candidate's records as sorted spans, to compare candidates with.
//!
//! In: a [`ListCandidate`]. Out: [`NodeSpans`]. O(records), comparisons O(records) or O(records log records).

use crate::lists::candidate::ListCandidate;
use copal_dom::{Node, Page};
use std::ops::Range;

/// Sorted, disjoint ranges of nodes.
#[derive(Debug, Clone, Default)]
pub(crate) struct NodeSpans(Vec<Range<Node>>);

impl NodeSpans {
    pub(crate) fn of(found: &ListCandidate) -> NodeSpans {
        let mut spans: Vec<Range<Node>> = found.records.iter().flatten().cloned().collect();
        spans.sort_unstable_by_key(|span| (span.start, span.end));
        // a method of the papers can give one node to two records
        let mut reach = 0;
        spans.retain(|span| {
            let free = span.start >= reach;
            reach = reach.max(span.end);
            free
        });
        NodeSpans(spans)
    }

    /// Visible characters.
    pub(crate) fn chars(&self, page: &Page) -> f64 {
        self.0.iter().map(|span| f64::from(page.index.chars(span))).sum()
    }

    /// Each of these is inside one of the others, and each of the others contains one of these.
    pub(crate) fn divide(&self, others: &NodeSpans) -> bool {
        let mut i = 0;
        for other in &others.0 {
            let from = i;
            while i < self.0.len() && self.0[i].start >= other.start && self.0[i].end <= other.end {
                i += 1;
            }
            if i == from {
                return false;
            }
        }
        i == self.0.len()
    }

    /// One of the others contains all of these.
    pub(crate) fn are_inside_one(&self, others: &NodeSpans) -> bool {
        let (Some(first), Some(last)) = (self.0.first(), self.0.last()) else { return false };
        // most candidates are in different parts of the page
        let (Some(start), Some(end)) = (others.0.first(), others.0.last()) else { return false };
        if first.start < start.start || last.end > end.end {
            return false;
        }
        let at = others.0.partition_point(|other| other.end <= first.start);
        others.0.get(at).is_some_and(|other| other.start <= first.start && last.end <= other.end)
    }

    /// Some node is in both.
    pub(crate) fn overlaps(&self, other: &NodeSpans) -> bool {
        let (Some(first), Some(last)) = (self.0.first(), self.0.last()) else { return false };
        let near = |part: &&Range<Node>| part.end > first.start && part.start < last.end;
        other.0.iter().filter(near).any(|part| {
            let at = self.0.partition_point(|span| span.end <= part.start);
            self.0.get(at).is_some_and(|span| span.start < part.end)
        })
    }
}
