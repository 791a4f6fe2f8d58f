//! An aligned table for the terminal.
//!
//! As many columns as fit, those that most records have first; cells are cut to one line. What was left out is said
//! below the table. Control characters of a page never reach the terminal.

use crate::Format;
use comfy_table::{ContentArrangement, Table as Grid, presets};
use copal_extract::objects::Object;
use copal_extract::{Answer, CellSource, Origin, Region};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::io::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Narrowest useful column, its border included.
const NARROW: usize = 16;
/// Widest cell.
const WIDE: usize = 60;

/// See the module.
#[derive(Debug)]
pub struct Table {
    /// Width of the terminal.
    pub width: usize,
    /// Name every page (more than one is to come).
    pub headings: bool,
}

impl Format for Table {
    fn page(&mut self, out: &mut dyn Write, name: &str, extraction: &Answer) -> io::Result<()> {
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

    fn finish(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

impl Table {
    /// An object: one line a field.
    fn object(&self, out: &mut dyn Write, detail: &Object) -> io::Result<()> {
        let mut grid = Grid::new();
        grid.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
        grid.set_header(["field", "value"]);
        let names =
            detail.fields.iter().map(|field| field.name.width()).max().unwrap_or(0).clamp(5, NARROW * 2);
        let room = self.width.saturating_sub(names + 7).max(NARROW);
        for field in &detail.fields {
            grid.add_row([printable(&field.name, names), printable(&field.texts.join(" | "), room)]);
        }
        let count = detail.fields.len();
        writeln!(out, "{grid}\n{count} {}, one object\n", if count == 1 { "field" } else { "fields" })
    }

    fn region(&self, out: &mut dyn Write, region: &Region) -> io::Result<()> {
        let shown = self.choose(region);
        let mut grid = Grid::new();
        grid.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
        let numbers = if region.records.iter().any(|record| record.page.is_some()) { 7 } else { 0 };
        let widths = widths(region, &shown, self.width.saturating_sub(3 * shown.len() + 1 + numbers));
        let header = |(&c, &w): (&usize, &usize)| printable(&region.columns[c].name, w);
        let of_page = region.records.iter().any(|record| record.page.is_some()).then_some("page".to_owned());
        grid.set_header(of_page.into_iter().chain(shown.iter().zip(&widths).map(header)));
        for record in &region.records {
            let page = record.page.iter().map(|page| page.number.to_string());
            let cells = shown.iter().zip(&widths).map(|(&c, &w)| printable(&record.cells[c].join(" | "), w));
            grid.add_row(page.chain(cells));
        }
        writeln!(out, "{grid}")?;
        let hidden = region.columns.len() - shown.len();
        let more = if hidden > 0 {
            format!(
                ", {hidden} more {} in --format json or csv",
                if hidden == 1 { "column" } else { "columns" }
            )
        } else {
            String::new()
        };
        writeln!(
            out,
            "{} {}, {} ({}{more})\n",
            region.records.len(),
            if region.records.len() == 1 { "record" } else { "records" },
            region.role.name(),
            if region.origin == Origin::Page { region.layout.name() } else { region.origin.name() }
        )
    }

    /// The title, then the texts that most records have and that differ between them, in page order; links last.
    fn choose(&self, region: &Region) -> Vec<usize> {
        let most = (self.width / NARROW).max(1);
        let rank = |c: usize| {
            let column = &region.columns[c];
            let values: HashSet<Vec<&str>> =
                region.records.iter().map(|record| record.cells[c].texts().collect()).collect();
            let kind = match (column.name.as_str(), column.source) {
                ("title", _) => 4,
                (_, CellSource::Text | CellSource::Detail) if values.len() > 1 => 3,
                // of a list that is data only, the texts; addresses are long
                (_, CellSource::Embedded) if region.origin != Origin::Page && !is_addresses(region, c) => 3,
                ("url", _) => 2,
                (_, CellSource::Text) => 1,
                _ => 0,
            };
            (kind == 4, (column.support * 4.0).round() as i64 + kind, !column.name.starts_with("column_"))
        };
        let mut order: Vec<usize> = (0..region.columns.len()).collect();
        order.sort_by_key(|&c| Reverse(rank(c)));
        order.truncate(most);
        let place = |c: usize| (region.columns[c].name != "title", region.columns[c].source, c);
        order.sort_by_key(|&c| place(c));
        order
    }
}

fn is_addresses(region: &Region, c: usize) -> bool {
    let first = region.records.iter().find_map(|record| record.cells[c].first());
    first.is_some_and(|text| text.starts_with("http") || text.starts_with('/'))
}

/// What each column needs; where that is too much for all, the wide ones share what the narrow ones leave.
fn widths(region: &Region, shown: &[usize], room: usize) -> Vec<usize> {
    let need = |c: usize| {
        let cells = region.records.iter().map(|record| record.cells[c].join(" | ").width());
        cells.chain([region.columns[c].name.width()]).max().unwrap_or(0).min(WIDE)
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

/// One line of at most `width` cells, control and direction characters left out.
fn printable(text: &str, width: usize) -> String {
    let odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let clean: String =
        text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { c }).filter(|&c| !odd(c)).collect();
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
        assert_eq!(printable("a\n\u{1b}[31mb\u{202e}c", 20), "a [31mbc");
        assert_eq!(printable("abcdef", 4), "abc…");
        assert_eq!(printable("日本語", 4), "日…");
    }
}
