//! The cells of one column on one sample page, and the elements they are in.
//!
//! In: a [`Sample`] and a column. Out: per record the texts of its cell and the source of the first text.
//! O(cells).

use super::sample::Sample;
use crate::apply::cells::RecordElements;
use copal_dom::{Node, Page};
use copal_extract::Source;
use copal_extract::located::{Addresses, cell_text};

/// Maximum number of elements that are returned for one cell.
pub(super) const MAX_CELL_ELEMENTS: usize = 4;
/// Maximum number of own texts of an element that may be the cell.
pub(super) const MAX_OWN_TEXTS: usize = 8;
/// How many characters longer than the cell a text may be if only a part of it is the cell.
pub(super) const MAX_EXTRA_CHARS_WITH_CUT: usize = 400;
/// Longest words before or after a cell in the same text, in bytes.
pub(super) const MAX_SURROUNDING_BYTES: usize = 60;
/// What separates several values in one text.
pub(super) const VALUE_SEPARATORS: [&str; 4] = [" \u{2022} ", " \u{b7} ", " \u{2014} ", ", "];

/// The cells of one column on one sample.
pub(super) struct ColumnSample<'a> {
    pub(super) sample: &'a Sample<'a>,
    pub(super) records: RecordElements,
    /// The texts of the cell, per record.
    pub(super) cells: Vec<Vec<String>>,
    /// Where the first text of the cell was read, per record; `None` if it is not known.
    pub(super) sources: Vec<Option<Source>>,
    pub(super) base: Addresses,
}

impl<'a> ColumnSample<'a> {
    /// The same sample with only the first text of each cell.
    pub(super) fn with_first_texts(&self) -> ColumnSample<'a> {
        let parts = self.records.parts.clone();
        ColumnSample {
            sample: self.sample,
            records: RecordElements::new(self.sample.page, parts),
            cells: self.cells.iter().map(|cell| cell.iter().take(1).cloned().collect()).collect(),
            sources: self.sources.clone(),
            base: Addresses::of(self.sample.page),
        }
    }
}

/// An element that a cell is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellElement {
    /// Which of the record's elements it is in, from 0.
    pub(super) part: usize,
    /// The element.
    pub(super) node: Node,
    /// Which of its own text nodes is the cell, from 1. None if its whole text is.
    pub(super) own_text: Option<usize>,
}

/// The cells that a sample has in the column with this number.
pub(super) fn column_sample<'a>(sample: &'a Sample<'a>, at: usize) -> ColumnSample<'a> {
    let records = &sample.list.records;
    let parts = records.iter().map(|record| record.place.parts.clone()).collect();
    let cells = || records.iter().map(|record| &record.cells[at]);
    ColumnSample {
        sample,
        records: RecordElements::new(sample.page, parts),
        cells: cells().map(|cell| cell.texts().map(str::to_owned).collect()).collect(),
        sources: cells().map(|cell| cell.texts.first().and_then(|text| text.source.clone())).collect(),
        base: Addresses::of(sample.page),
    }
}

/// The text node that is the own text with this number, from 1.
pub(super) fn own_text_node(page: &Page, node: Node, number: usize) -> Option<Node> {
    let texts = page.tree.children(node).filter(|&child| page.tree.is_text(child));
    texts.filter(|&text| cell_text(page, text..text + 1).is_some()).nth(number - 1)
}
