//! HTML tables: the column of each cell, cells that span several rows, and headers.
//!
//! In: a list candidate whose records are table rows. Out: [`HtmlTables`]. A cell with `rowspan` shifts the
//! cells of the rows that it spans, and is a cell of these rows as well. O(cells); the number of spanning
//! cells is bounded, because `rowspan` and `colspan` are under the control of the page.

use super::snake_case::snake_case;
use crate::lists::candidate::ListCandidate;
use crate::structure::layout;
use crate::structure::path_keys::{cell_place, span};
use copal_dom::{NONE, Node, Page, attrs, tags};
use copal_values::label_names::english_head_name;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of cells that span into one row.
const MAX_SPANNING_CELLS_PER_ROW: usize = 64;
/// Maximum number of spanning cells over all rows of a list.
const MAX_SPANNING_CELLS: usize = 100_000;
/// Header cells with at least this many texts and more words than [`MAX_HEADER_WORDS`] have controls.
const MIN_OPERATED_LEAVES: usize = 3;
const MAX_HEADER_WORDS: usize = 3;
/// Maximum number of rows of one header.
const MAX_HEADER_ROWS: usize = 4;
/// Cells after this column are ignored.
const MAX_HEADED_COLUMN: u16 = 1000;

/// The tables whose rows are the records of a list; see the module.
#[derive(Default)]
pub(super) struct HtmlTables {
    /// By cell: its column. Only tables with spanning cells are in here.
    column_numbers: FxHashMap<Node, u16>,
    /// By row: the cells of rows above that span into it, from left to right.
    above: FxHashMap<Node, Vec<Node>>,
    /// The table that the headers were read from.
    table: Option<Node>,
    /// The headers by column.
    headers: FxHashMap<u16, TableHeader>,
}

/// What a column of a table is called.
pub(super) struct TableHeader {
    pub(super) name: String,
    /// The words of the page, if the name is their English translation.
    pub(super) translated: Option<String>,
}

/// A cell that spans into rows below.
struct SpanningCell {
    cell: Node,
    from: u16,
    width: u16,
    rows: u16,
}

impl HtmlTables {
    /// Reads the tables that the records are rows of.
    pub(super) fn of_records(page: &Page, found: &ListCandidate) -> HtmlTables {
        let tree = &page.tree;
        let mut tables = HtmlTables::default();
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        let rows = found.records.iter().filter_map(|parts| parts.first()).map(|part| part.start);
        for row in rows.filter(|&row| tree.tag(row) == tags::TR) {
            let Some(table) = tree.ancestors(row).find(|&up| tree.tag(up) == tags::TABLE) else { continue };
            if seen.insert(table) {
                tables.place_cells(page, table);
            }
            if tables.table.is_none() {
                tables.table = Some(table);
                tables.headers = tables.header_names(page, table, row);
            }
        }
        tables
    }

    /// The column of a cell, counted from 1.
    pub(super) fn column_number(&self, page: &Page, cell: Node) -> u16 {
        self.column_numbers.get(&cell).copied().unwrap_or_else(|| cell_place(page, cell))
    }

    /// True if some cell spans into another row.
    pub(super) fn has_spanning_cells(&self) -> bool {
        !self.above.is_empty()
    }

    /// The cells of rows above that span into a row, from left to right.
    pub(super) fn spanning_cells(&self, row: Node) -> &[Node] {
        self.above.get(&row).map_or(&[], Vec::as_slice)
    }

    /// The header of a cell's column.
    pub(super) fn header(&self, page: &Page, cell: Node) -> Option<&TableHeader> {
        let header = self.headers.get(&self.column_number(page, cell))?;
        let own = page.tree.ancestors(cell).find(|&up| page.tree.tag(up) == tags::TABLE);
        (own.is_some() && own == self.table).then_some(header)
    }

    /// Assigns the cells of a table to columns, if some of them span several rows. Without spanning cells the
    /// column follows from the row alone.
    fn place_cells(&mut self, page: &Page, table: Node) {
        let tree = &page.tree;
        let rows = table_rows(page, table);
        let tall = |&row: &Node| tree.elements(row).any(|cell| span(page, cell, attrs::ROWSPAN) != 1);
        if !rows.iter().any(tall) {
            return;
        }
        let mut spanning: Vec<SpanningCell> = Vec::new();
        let mut section = NONE;
        let mut all = self.above.values().map(Vec::len).sum::<usize>();
        for row in rows {
            // cells do not span beyond their section
            if std::mem::replace(&mut section, tree.parent(row)) != section {
                spanning.clear();
            }
            if !spanning.is_empty() && all < MAX_SPANNING_CELLS {
                all += spanning.len();
                self.above.insert(row, spanning.iter().map(|spanning| spanning.cell).collect());
            }
            let mut place = 1u16;
            let mut started: Vec<SpanningCell> = Vec::new();
            for cell in tree.elements(row).filter(|&cell| matches!(tree.tag(cell), tags::TD | tags::TH)) {
                while let Some(other) =
                    spanning.iter().find(|other| other.from <= place && place - other.from < other.width)
                {
                    place = other.from.saturating_add(other.width);
                }
                self.column_numbers.insert(cell, place);
                let width = span(page, cell, attrs::COLSPAN).max(1);
                let rows = span(page, cell, attrs::ROWSPAN);
                if rows != 1 && spanning.len() + started.len() < MAX_SPANNING_CELLS_PER_ROW {
                    // 0 means: to the end of the section
                    let rows = if rows == 0 { u16::MAX } else { rows };
                    started.push(SpanningCell { cell, from: place, width, rows });
                }
                place = place.saturating_add(width);
                if place > MAX_HEADED_COLUMN {
                    break;
                }
            }
            spanning.extend(started);
            spanning.sort_unstable_by_key(|spanning| spanning.from);
            spanning.retain_mut(|spanning| {
                spanning.rows -= 1;
                spanning.rows > 0
            });
        }
    }

    /// Names by column, from the last header rows above the first record. The lowest header names a column.
    /// If it names several columns, the headers above it are added to tell them apart. Common headers in other
    /// languages have an English name, as on detail pages, unless two columns would have the same one.
    fn header_names(&self, page: &Page, table: Node, first: Node) -> FxHashMap<u16, TableHeader> {
        let tree = &page.tree;
        let rows = table_rows(page, table);
        let plain = !layout::is_bold_row(page, first);
        let is_header = |row: Node| {
            let head = tree.tag(tree.parent(row)) == tags::THEAD;
            tree.elements(row).count() > 1
                && (head
                    || tree.elements(row).all(|cell| tree.tag(cell) == tags::TH)
                    || plain && layout::is_bold_row(page, row))
        };
        let above = rows.iter().rev().copied().skip_while(|&row| row >= first || !is_header(row));
        let mut headers: Vec<Node> = above.take_while(|&row| is_header(row)).take(MAX_HEADER_ROWS).collect();
        headers.reverse();
        let mut levels: FxHashMap<u16, Vec<String>> = FxHashMap::default();
        for row in headers {
            for cell in tree.elements(row) {
                let text = header_text(page, cell);
                if snake_case(&text).is_none() {
                    continue;
                }
                let from = self.column_number(page, cell);
                let to = from.saturating_add(span(page, cell, attrs::COLSPAN).max(1)).min(MAX_HEADED_COLUMN);
                for place in from..to {
                    let above = levels.entry(place).or_default();
                    // a repeated header counts as one level
                    if above.last() != Some(&text) {
                        above.push(text.clone());
                    }
                }
            }
        }
        let mut times: FxHashMap<&str, usize> = FxHashMap::default();
        for lowest in levels.values().filter_map(|level| level.last()) {
            *times.entry(lowest.as_str()).or_default() += 1;
        }
        let name = |texts: &[String]| {
            let lowest = texts.last()?;
            if times[lowest.as_str()] > 1 { snake_case(&texts.join(" ")) } else { snake_case(lowest) }
        };
        let english = |texts: &[String]| {
            let lowest = texts.last().filter(|lowest| times[lowest.as_str()] == 1)?;
            english_head_name(lowest, page.lang())
        };
        let mut uses: FxHashMap<String, usize> = FxHashMap::default();
        for texts in levels.values() {
            let own = name(texts);
            let translated = english(texts).filter(|&english| own.as_deref() != Some(english));
            for used in own.into_iter().chain(translated.map(str::to_owned)) {
                *uses.entry(used).or_default() += 1;
            }
        }
        let header = |texts: &[String]| {
            let name = name(texts)?;
            let translation = english(texts).filter(|&english| english != name && uses[english] == 1);
            Some(match translation {
                Some(english) => TableHeader { name: english.to_owned(), translated: texts.last().cloned() },
                None => TableHeader { name, translated: None },
            })
        };
        levels.iter().filter_map(|(&place, texts)| Some((place, header(texts)?))).collect()
    }
}

/// The text of a header cell. Of a cell with many words in several places, the first one names the column; the
/// others operate it: "Name", "View: Single / Double".
fn header_text(page: &Page, cell: Node) -> String {
    let text = page.text_of(cell);
    let leaves = page.index.leaves(&(cell..page.tree.end(cell))) as usize;
    if leaves < MIN_OPERATED_LEAVES || text.split_whitespace().count() <= MAX_HEADER_WORDS {
        return text;
    }
    let is_shown = |&node: &Node| page.tree.is_text(node) && page.styles.is_shown(node);
    let mut texts = (cell..page.tree.end(cell)).filter(is_shown).map(|node| page.tree.raw_text(node).trim());
    texts.find(|first| snake_case(first).is_some()).map_or(text.clone(), str::to_owned)
}

/// The rows of a table, without those of nested tables.
fn table_rows(page: &Page, table: Node) -> Vec<Node> {
    let tree = &page.tree;
    let mut rows = Vec::new();
    let mut at = table + 1;
    while at < tree.end(table) {
        let tag = tree.tag(at);
        if tag == tags::TR {
            rows.push(at);
        }
        at = if matches!(tag, tags::TR | tags::TABLE) { tree.end(at) } else { at + 1 };
    }
    rows
}
