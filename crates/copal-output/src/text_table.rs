//! An aligned table for the terminal.
//!
//! It shows as many columns as fit, preferring those that most records have, and leaves out those that few
//! records have; cells are cut to one line. A line below the table says what was left out. Control characters of a page never reach the terminal.
//! O(cells).

use crate::error::OutputError;
use crate::format::Format;
use crate::visible_text::shown_text;
use comfy_table::{ContentArrangement, Table as Grid, presets};
use copal_model::Object;
use copal_model::{Answer, CellSource, Column, Origin, Record, Region};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::io::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Narrowest useful column, including its border.
const MIN_COLUMN_WIDTH: usize = 16;
/// Widest cell.
const MAX_CELL_WIDTH: usize = 60;
/// Width of the column with page numbers, including its borders.
const PAGE_COLUMN_WIDTH: usize = 7;

/// Writes an aligned table per list.
#[derive(Debug)]
pub struct TextTable {
    /// Width of the terminal.
    pub width: usize,
    /// Write the name of each page above its tables.
    pub headings: bool,
    /// Do not leave out columns that few records have ([`Column::is_rare`](copal_model::Column::is_rare)).
    pub all_columns: bool,
}

impl Format for TextTable {
    fn page(
        &mut self,
        out: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        if self.headings {
            writeln!(out, "== {}", printable(name, usize::MAX))?;
        }
        if let Some(detail) = &extraction.object {
            self.object(out, detail)?;
        }
        for region in &extraction.regions {
            self.region(out, region)?;
        }
        if extraction.regions.is_empty() && extraction.object.is_none() && self.headings {
            writeln!(out, "no list of records found\n")?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        Ok(())
    }
}

impl TextTable {
    /// An object: one line per field.
    fn object(&self, out: &mut dyn Write, detail: &Object) -> Result<(), OutputError> {
        let mut grid = Grid::new();
        grid.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
        grid.set_header(["field", "value"]);
        let names = detail.fields.iter().map(|field| field.name.width()).max().unwrap_or(0);
        let names = names.clamp("field".len(), MIN_COLUMN_WIDTH * 2);
        let borders = 7;
        let room = self.width.saturating_sub(names + borders).max(MIN_COLUMN_WIDTH);
        for field in &detail.fields {
            grid.add_row([printable(&field.name, names), printable(&field.texts.join(" | "), room)]);
        }
        let count = detail.fields.len();
        writeln!(out, "{grid}\n{count} {}, one object\n", if count == 1 { "field" } else { "fields" })?;
        Ok(())
    }

    fn region(&self, out: &mut dyn Write, region: &Region) -> Result<(), OutputError> {
        let shown = self.shown_columns(region);
        let mut grid = Grid::new();
        grid.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
        let has_pages = region.records.iter().any(|record| record.page.is_some());
        let page_width = if has_pages { PAGE_COLUMN_WIDTH } else { 0 };
        let borders = 3 * shown.len() + 1;
        let widths = column_widths(region, &shown, self.width.saturating_sub(borders + page_width));
        let header = |(&c, &w): (&usize, &usize)| printable(&region.columns[c].name, w);
        let page_header = has_pages.then_some("page".to_owned());
        grid.set_header(page_header.into_iter().chain(shown.iter().zip(&widths).map(header)));
        for record in &region.records {
            let page = record.page.iter().map(|page| page.number.to_string());
            let cells = shown.iter().zip(&widths).map(|(&c, &w)| printable(&cell_text(record, c), w));
            grid.add_row(page.chain(cells));
        }
        writeln!(out, "{grid}")?;
        let columns = |count: usize| if count == 1 { "column" } else { "columns" };
        let rare = self.left_out(region).count();
        let hidden = region.columns.len() - rare - shown.len();
        let mut more = String::new();
        if hidden > 0 {
            more = format!(", {hidden} more {} in JSON and CSV", columns(hidden));
        }
        if rare > 0 {
            more += &format!(", {rare} rare {} with --all-columns", columns(rare));
        }
        writeln!(
            out,
            "{} {}, {} ({}{more})\n",
            region.records.len(),
            if region.records.len() == 1 { "record" } else { "records" },
            region.role.name(),
            if region.origin == Origin::Page { region.layout.name() } else { region.origin.name() }
        )?;
        Ok(())
    }

    /// The columns that are left out because few records have them. If that would be all, none is.
    fn left_out<'r>(&self, region: &'r Region) -> impl Iterator<Item = usize> + use<'r> {
        let all = self.all_columns || region.columns.iter().all(Column::is_rare);
        let columns = region.columns.iter().enumerate();
        columns.filter(move |(_, column)| !all && column.is_rare()).map(|(c, _)| c)
    }

    /// The title, then the texts that most records have and that differ between them, in page order; links
    /// last.
    fn shown_columns(&self, region: &Region) -> Vec<usize> {
        let max_columns = (self.width / MIN_COLUMN_WIDTH).max(1);
        let rank = |c: usize| {
            let column = &region.columns[c];
            let distinct: HashSet<Vec<&str>> =
                region.records.iter().map(|record| record.cells[c].texts().collect()).collect();
            let interest = match (column.name.as_str(), column.source) {
                ("title", _) => 4,
                (_, CellSource::Text | CellSource::Detail | CellSource::Heading) if distinct.len() > 1 => 3,
                // Embedded data is all that such a list has; its URLs are too long to show.
                (_, CellSource::Embedded) if region.origin != Origin::Page && !has_urls(region, c) => 3,
                ("url", _) => 2,
                (_, CellSource::Text) => 1,
                _ => 0,
            };
            (
                interest == 4,
                (column.support * 4.0).round() as i64 + interest,
                !column.name.starts_with("column_"),
            )
        };
        let left_out: HashSet<usize> = self.left_out(region).collect();
        let mut order: Vec<usize> = (0..region.columns.len()).filter(|c| !left_out.contains(c)).collect();
        order.sort_by_key(|&c| Reverse(rank(c)));
        order.truncate(max_columns);
        let place = |c: usize| (region.columns[c].name != "title", region.columns[c].source, c);
        order.sort_by_key(|&c| place(c));
        order
    }
}

fn has_urls(region: &Region, c: usize) -> bool {
    let first = region.records.iter().find_map(|record| record.cells[c].first());
    first.is_some_and(|text| text.starts_with("http") || text.starts_with('/'))
}

fn cell_text(record: &Record, column: usize) -> String {
    shown_text(&record.cells[column].join(" | "))
}

/// The width that each column needs; if that is too much, the wide ones share what the narrow ones leave.
fn column_widths(region: &Region, shown: &[usize], room: usize) -> Vec<usize> {
    let need = |c: usize| {
        let cells = region.records.iter().map(|record| cell_text(record, c).width());
        cells.chain([region.columns[c].name.width()]).max().unwrap_or(0).min(MAX_CELL_WIDTH)
    };
    let mut widths: Vec<usize> = shown.iter().map(|&c| need(c)).collect();
    let mut order: Vec<usize> = (0..shown.len()).collect();
    order.sort_by_key(|&at| widths[at]);
    let mut left = room;
    for (done, at) in order.into_iter().enumerate() {
        widths[at] = widths[at].min(left / (shown.len() - done));
        left -= widths[at];
    }
    widths
}

/// One line of at most `width` terminal cells, without characters that hide or reorder text.
fn printable(text: &str, width: usize) -> String {
    let clean = shown_text(text);
    if clean.width() <= width {
        return clean;
    }
    let mut out = String::new();
    let mut used = 1;
    for c in clean.chars() {
        used += c.width().unwrap_or(0);
        if used > width {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn cells_are_one_clean_line() {
        assert_eq!(printable("a\n\u{1b}[31mb\u{202e}c", 20), "a \u{fffd}[31mb\u{fffd}c");
        assert_eq!(printable("abcdef", 4), "abc…");
        assert_eq!(printable("日本語", 4), "日…");
    }
}
