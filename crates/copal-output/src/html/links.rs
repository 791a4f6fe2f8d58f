//! Links between the cells of records and the lines of the outline.
//!
//! In: an answer with its outline. Out: for each text of a cell, the line that it was read from, and for each
//! column of a line, its cell. The outline only shows the first records of a list, so only their cells have
//! links, and the number of links is limited by the number of lines. O(lines) to build, O(lines of the
//! record) per query.

use super::context::PageContext;
use copal_dom::Node;
use copal_model::{Answer, Outline, OutlineLine};
use std::collections::HashMap;

/// The ids of rows, cells and lines of one page, and which of them exist.
pub(super) struct SourceLinks<'a> {
    context: &'a PageContext,
    /// The lines of the outline that are part of a record, by the positions of region and record; in document
    /// order.
    lines: HashMap<(usize, usize), Vec<&'a OutlineLine>>,
    /// How many rows are shown, by region.
    shown_rows: Vec<usize>,
}

/// The part of [`SourceLinks`] that belongs to one record.
#[derive(Clone, Copy)]
pub(super) struct RecordLinks<'a> {
    links: &'a SourceLinks<'a>,
    region: usize,
    record: usize,
    lines: &'a [&'a OutlineLine],
}

impl<'a> SourceLinks<'a> {
    /// The links of a page. No row is shown yet.
    pub(super) fn new(context: &'a PageContext, extraction: &'a Answer) -> SourceLinks<'a> {
        let lines = extraction.outline.as_ref().map(lines_by_record).unwrap_or_default();
        SourceLinks { context, lines, shown_rows: vec![0; extraction.regions.len()] }
    }

    /// Notes how many rows of a region are in the report.
    pub(super) fn set_shown_rows(&mut self, region: usize, rows: usize) {
        if let Some(shown) = self.shown_rows.get_mut(region) {
            *shown = rows;
        }
    }

    /// True if the row of a record is in the report.
    pub(super) fn is_shown(&self, region: usize, record: usize) -> bool {
        self.shown_rows.get(region).is_some_and(|&rows| record < rows)
    }

    /// The id of the row of a record.
    pub(super) fn row_id(&self, region: usize, record: usize) -> String {
        self.context.id(&format!("r{}-{}", region + 1, record + 1))
    }

    /// The id of the line that starts at a node.
    pub(super) fn line_id(&self, start: Node) -> String {
        self.context.id(&format!("n{start}"))
    }

    /// The links of a record; `None` if the outline does not show it.
    pub(super) fn record(&'a self, region: usize, record: usize) -> Option<RecordLinks<'a>> {
        let lines = self.lines.get(&(region, record))?;
        Some(RecordLinks { links: self, region, record, lines })
    }
}

impl RecordLinks<'_> {
    /// The id of the cell of a column; `None` if no line of the outline is marked with the column.
    pub(super) fn cell_id(&self, column: usize) -> Option<String> {
        let is_marked = self.lines.iter().any(|line| line.columns.contains(&column));
        is_marked.then(|| format!("{}-{}", self.links.row_id(self.region, self.record), column + 1))
    }

    /// The id of the line that a text of a column was read from. The source of a text may be an ancestor of
    /// the element that has the text. A line inside the source that is marked with the column is therefore
    /// preferred to the line of the source.
    pub(super) fn line_id(&self, column: usize, source: Node) -> Option<String> {
        // In document order, the last line that contains a node is the innermost one.
        let innermost = self.lines.iter().rfind(|line| line.nodes.contains(&source))?;
        let is_inside = |line: &&&OutlineLine| {
            innermost.nodes.start <= line.nodes.start && line.nodes.end <= innermost.nodes.end
        };
        let marked = self.lines.iter().filter(is_inside).find(|line| line.columns.contains(&column));
        Some(self.links.line_id(marked.unwrap_or(innermost).nodes.start))
    }
}

fn lines_by_record(outline: &Outline) -> HashMap<(usize, usize), Vec<&OutlineLine>> {
    let mut lines: HashMap<(usize, usize), Vec<&OutlineLine>> = HashMap::new();
    // The depths of the enclosing records.
    let mut around: Vec<(usize, (usize, usize))> = Vec::new();
    for line in &outline.lines {
        while around.last().is_some_and(|(depth, _)| *depth >= line.depth) {
            around.pop();
        }
        if let Some(record) = line.record {
            around.push((line.depth, record));
        }
        if let Some((_, record)) = around.last().filter(|_| !line.nodes.is_empty()) {
            lines.entry(*record).or_default().push(line);
        }
    }
    lines
}
