//! An aligned table for the terminal.
//!
//! The title comes first, then money, dates and ratings, then the other texts in the order of the page. URLs and
//! images are only shown if they are asked for. With a width, it shows as many columns as fit, preferring those that
//! most records have, and cuts cells to one line; without one, cells are whole. A line below the table says what was
//! left out, and another one which other lists the page has. Control characters of a page never reach the terminal.
//! O(cells).

use crate::error::OutputError;
use crate::format::Format;
use crate::visible_text::shown_text;
use comfy_table::{ContentArrangement, Table as Grid, presets};
use copal_model::Object;
use copal_model::{Answer, CellSource, Column, ListSummary, Origin, Record, Region, Role};
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

/// Lists of the page that are named below the table.
const MAX_OTHER_LISTS: usize = 3;

/// Writes an aligned table per list.
#[derive(Debug, Default)]
pub struct TextTable {
    /// Width of the terminal; `None` for whole cells, however wide.
    pub width: Option<usize>,
    /// Records that are shown of a list; `None` for all.
    pub max_rows: Option<usize>,
    /// Write the name of each page above its tables.
    pub headings: bool,
    /// Do not leave out columns that few records have ([`Column::is_rare`](copal_model::Column::is_rare)).
    pub all_columns: bool,
    /// Show URLs and images too.
    pub wide: bool,
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
        let several = extraction.regions.len() > 1;
        let counted = extraction.regions.iter().filter(|region| region.role != Role::Navigation);
        let mut ranks = 1..=counted.count();
        for region in &extraction.regions {
            let rank = if region.role == Role::Navigation { None } else { ranks.next() };
            self.region(out, region, rank.filter(|_| several))?;
        }
        if let Some(line) = other_lists(extraction) {
            writeln!(out, "{}\n", printable(&line, usize::MAX))?;
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
        let room = self
            .width
            .map_or(usize::MAX, |width| width.saturating_sub(names + borders).max(MIN_COLUMN_WIDTH));
        for field in &detail.fields {
            grid.add_row([printable(&field.name, names), printable(&field.texts.join(" | "), room)]);
        }
        let count = detail.fields.len();
        writeln!(out, "{grid}\n{count} {}, one object\n", if count == 1 { "field" } else { "fields" })?;
        Ok(())
    }

    fn region(&self, out: &mut dyn Write, region: &Region, rank: Option<usize>) -> Result<(), OutputError> {
        let shown = self.shown_columns(region);
        let mut grid = Grid::new();
        grid.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
        let has_pages = region.records.iter().any(|record| record.page.is_some());
        let page_width = if has_pages { PAGE_COLUMN_WIDTH } else { 0 };
        let borders = 3 * shown.len() + 1;
        let rows = &region.records[..self.max_rows.unwrap_or(usize::MAX).min(region.records.len())];
        let widths = match self.width {
            Some(width) => column_widths(region, rows, &shown, width.saturating_sub(borders + page_width)),
            None => vec![usize::MAX; shown.len()],
        };
        let header = |(&c, &w): (&usize, &usize)| printable(&region.columns[c].name, w);
        let page_header = has_pages.then_some("page".to_owned());
        grid.set_header(page_header.into_iter().chain(shown.iter().zip(&widths).map(header)));
        for record in rows {
            let page = record.page.iter().map(|page| page.number.to_string());
            let cells = shown.iter().zip(&widths).map(|(&c, &w)| printable(&cell_text(record, c), w));
            grid.add_row(page.chain(cells));
        }
        writeln!(out, "{grid}\n{}\n", self.summary(region, rows.len(), shown.len(), rank))?;
        Ok(())
    }

    /// `22 records, 6 of 12 columns (--wide shows URLs and images; -o list.csv writes all)`.
    fn summary(&self, region: &Region, rows: usize, shown: usize, rank: Option<usize>) -> String {
        let count =
            |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
        let mut line = rank.map_or_else(String::new, |rank| format!("list {rank}: "));
        if rows < region.records.len() {
            line += &format!("first {rows} of ");
        }
        line += &count(region.records.len(), "record");
        let total = region.columns.len();
        if shown < total {
            line += &format!(", {shown} of {}", count(total, "column"));
        } else {
            line += &format!(", {}", count(total, "column"));
        }
        match region.role {
            Role::Primary => {}
            Role::Possible => line += ", possible main list",
            Role::Secondary => line += ", secondary list",
            Role::Navigation => line += ", navigation",
        }
        if region.origin != Origin::Page {
            line += &format!(" ({})", region.origin.name());
        }
        let rare = self.left_out(region).count();
        let (links, others) = self.hidden(region, shown, rare);
        let mut advice = Vec::new();
        if links > 0 {
            advice.push("--wide shows URLs and images".to_owned());
        }
        if rare > 0 {
            advice.push(format!("--all-columns shows {}", count(rare, "rare column")));
        }
        if others > 0 || rows < region.records.len() {
            advice.push("-o list.csv writes all".to_owned());
        }
        if advice.is_empty() { line } else { format!("{line} ({})", advice.join("; ")) }
    }

    /// How many columns are not shown because they are URLs or images, and how many because there is no room.
    fn hidden(&self, region: &Region, shown: usize, rare: usize) -> (usize, usize) {
        let left_out: HashSet<usize> = self.left_out(region).collect();
        let is_hidden_link = |c: &usize| !self.wide && is_link(region, *c) && !left_out.contains(c);
        let links = (0..region.columns.len()).filter(is_hidden_link).count();
        let hidden = region.columns.len() - rare - shown;
        (links.min(hidden), hidden.saturating_sub(links))
    }

    /// The columns that are left out because few records have them. If that would be all, none is.
    fn left_out<'r>(&self, region: &'r Region) -> impl Iterator<Item = usize> + use<'r> {
        let all = self.all_columns || region.columns.iter().all(Column::is_rare);
        let columns = region.columns.iter().enumerate();
        columns.filter(move |(_, column)| !all && column.is_rare()).map(|(c, _)| c)
    }

    /// Title, money, dates and ratings, then the texts that most records have and that differ between them.
    fn shown_columns(&self, region: &Region) -> Vec<usize> {
        let left_out: HashSet<usize> = self.left_out(region).collect();
        let mut order: Vec<usize> = (0..region.columns.len()).filter(|c| !left_out.contains(c)).collect();
        // A list of nothing but links is shown as it is.
        if !self.wide && order.iter().any(|&c| !is_link(region, c)) {
            order.retain(|&c| !is_link(region, c));
        }
        if let Some(width) = self.width {
            order.sort_by_key(|&c| Reverse(interest(region, c)));
            order.truncate((width / MIN_COLUMN_WIDTH).max(1));
        }
        let place = |c: usize| {
            let column = &region.columns[c];
            (kind_place(region, c), column.source == CellSource::Href, column.source == CellSource::Src, c)
        };
        // Columns that the user chose are in the given order.
        if order.iter().all(|&c| region.columns[c].is_chosen) {
            order.sort_unstable();
        } else {
            order.sort_by_key(|&c| place(c));
        }
        order
    }
}

/// How much a reader wants to see a column, if there is no room for all.
fn interest(region: &Region, c: usize) -> (bool, i64, bool) {
    let column = &region.columns[c];
    let mut texts = region.records.iter().map(|record| &record.cells[c]);
    let first = texts.next();
    let differs = texts.any(|cell| first.is_some_and(|first| !first.same_texts(cell)));
    let interest = match (kind_place(region, c), column.source) {
        (0..=3, _) => 4,
        (_, CellSource::Text | CellSource::Detail | CellSource::Heading) if differs => 3,
        // Embedded data is all that such a list has; its URLs are too long to show.
        (_, CellSource::Embedded) if region.origin != Origin::Page && !has_urls(region, c) => 3,
        _ if column.name == "url" => 2,
        (_, CellSource::Text) => 1,
        _ => 0,
    };
    let support = (column.support * 4.0).round() as i64;
    (region.title_column() == Some(c), support + interest, !column.name.starts_with("text_"))
}

/// The place of a kind of column: title, money, date, rating, others.
fn kind_place(region: &Region, c: usize) -> usize {
    match region.columns[c].value_type {
        _ if region.title_column() == Some(c) => 0,
        Some("money") => 1,
        Some("date") => 2,
        Some("rating") => 3,
        _ => 4,
    }
}

/// True for columns of URLs and images.
fn is_link(region: &Region, c: usize) -> bool {
    let column = &region.columns[c];
    !column.is_chosen
        && (matches!(column.source, CellSource::Href | CellSource::Src)
            || column.source == CellSource::Embedded && has_urls(region, c))
}

fn has_urls(region: &Region, c: usize) -> bool {
    let first = region.records.iter().find_map(|record| record.cells[c].first());
    first.is_some_and(|text| text.starts_with("http") || text.starts_with('/'))
}

/// `other lists: --list 2 (4 records, "Paper lamp £5")`.
fn other_lists(answer: &Answer) -> Option<String> {
    if answer.regions.len() != 1 || answer.object.is_some() {
        return None;
    }
    let others = answer.alternatives.iter().filter(|list| !list.role.is_main());
    let one = |list: &ListSummary| {
        let records = if list.records == 1 { "record" } else { "records" };
        format!("--list {} ({} {records}, {:?})", list.rank, list.records, list.first_text)
    };
    let shown: Vec<String> = others.clone().take(MAX_OTHER_LISTS).map(one).collect();
    let more = others.count().saturating_sub(MAX_OTHER_LISTS);
    let more = if more > 0 { format!(", and {more} more with --all") } else { String::new() };
    (!shown.is_empty()).then(|| format!("other lists: {}{more}", shown.join(", ")))
}

fn cell_text(record: &Record, column: usize) -> String {
    shown_text(&record.cells[column].join(" | "))
}

/// The width that each column needs; if that is too much, the wide ones share what the narrow ones leave.
fn column_widths(region: &Region, rows: &[Record], shown: &[usize], room: usize) -> Vec<usize> {
    let need = |c: usize| {
        let cells = rows.iter().map(|record| cell_text(record, c).width());
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
