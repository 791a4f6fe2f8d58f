//! A sample: a page with a known list, prepared for learning.

use crate::locate::ElementIndex;
use copal_dom::{Node, Page};
use copal_extract::Region;
use copal_extract::located::{LinePositions, root_of, tops};

/// Maximum number of sample pages, and of records per page, whose elements give candidates. All records of
/// all samples then test them.
pub(super) const MAX_SAMPLED_RECORDS: usize = 6;

/// A page with its list.
pub(super) struct Sample<'a> {
    pub(super) page: &'a Page,
    pub(super) list: &'a Region,
    pub(super) index: ElementIndex<'a>,
    pub(super) positions: LinePositions<'a>,
    /// The innermost element that holds all records.
    pub(super) root: Node,
    /// The first element of each record.
    pub(super) heads: Vec<Node>,
}

impl<'a> Sample<'a> {
    /// None if a record has several parts, or no element.
    pub(super) fn of(page: &'a Page, list: &'a Region) -> Option<Sample<'a>> {
        let mut heads = Vec::with_capacity(list.records.len());
        for record in &list.records {
            let [part] = &record.place.parts[..] else { return None };
            heads.push(*tops(page, part).first()?);
        }
        let parts: Vec<_> = list.records.iter().map(|record| record.place.parts.clone()).collect();
        let root = root_of(page, &parts);
        let index = ElementIndex::new(&page.tree);
        Some(Sample { page, list, index, positions: LinePositions::new(page), root, heads })
    }
}
