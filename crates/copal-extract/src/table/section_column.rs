//! The column `section`: the heading above each record's part of the list.
//!
//! In: a region and its page. Out: the region with one more column if headings divide the list: a year above a
//! table belongs to its rows. The cells are not in the records, so wrappers do not learn the column.

use super::column_names::unique_names;
use crate::structure::line_text::line_text;
use crate::structure::section_headings::{heading_text, section_headings};
use copal_dom::{Node, Page};
use copal_model::{Cell, CellSource, CellText, Column, NamedBy, Parts, Region, Source};
use smallvec::smallvec;

/// The name of the column.
const SECTION_COLUMN: &str = "section";

/// Adds the column to a region of a page.
pub(crate) fn add_section_column(page: &Page, region: &mut Region) {
    let records: Vec<Parts> = region.records.iter().map(|record| record.place.parts.clone()).collect();
    if let Some(cells) = section_cells(page, &records) {
        set_section_column(region, cells);
    }
}

/// The cells of records; `None` if no headings divide them.
pub(crate) fn section_cells(page: &Page, records: &[Parts]) -> Option<Vec<Cell>> {
    let headings = section_headings(page, records)?;
    Some(headings.iter().map(|nodes| section_cell(page, nodes)).collect())
}

/// The cell of a record below some headings. Several headings have no single source.
fn section_cell(page: &Page, headings: &[Node]) -> Cell {
    let text = match headings {
        [] => return Cell::default(),
        [heading] => {
            let text = line_text(page, *heading..page.tree.end(*heading));
            let source = Source { node: *heading, span: 0..text.len() as u32, attribute: None };
            CellText { text, source: Some(source) }
        }
        several => CellText::from(heading_text(page, several)),
    };
    Cell { texts: smallvec![text], ..Cell::default() }
}

/// The cells of the column that a region has.
pub(crate) fn cells_of_section_column(region: &Region) -> Option<Vec<Cell>> {
    let column = region.columns.iter().position(|column| column.source == CellSource::Heading)?;
    Some(region.records.iter().map(|record| record.cells[column].clone()).collect())
}

/// Adds the column with one cell per record.
pub(crate) fn set_section_column(region: &mut Region, cells: Vec<Cell>) {
    let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
    let support = filled as f64 / region.records.len().max(1) as f64;
    let reason = Some("the heading above a part of the list".to_owned());
    let column = Column {
        support,
        name_reason: reason,
        ..Column::new(SECTION_COLUMN, NamedBy::Role, CellSource::Heading)
    };
    region.columns.push(column);
    for (record, cell) in region.records.iter_mut().zip(cells) {
        record.cells.push(cell);
    }
    let given = region.columns.iter().map(|column| Some((column.name.clone(), column.named_by))).collect();
    for (column, (name, _)) in region.columns.iter_mut().zip(unique_names(given)) {
        column.name = name;
    }
}
