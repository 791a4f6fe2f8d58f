//! Tables: in which column each cell stands, which cells reach into rows below, and what the heads say.
//!
//! In: the records, if they are rows of tables. Out: [`Tables`]. A cell with `rowspan` shifts the cells of the rows it
//! reaches into, and is a cell of theirs too. O(cells); cells that reach further are bounded.

use super::snake_case::snake_case;
use crate::lists::candidate::ListCandidate;
use crate::structure::layout;
use crate::structure::path_keys::{cell_place, span};
use copal_dom::{NONE, Node, Page, attrs, tags};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most cells that reach into one row, and into all rows of a region.
const REACHING: usize = 64;
const REACHING_ALL: usize = 100_000;
/// Most rows of one head.
const LEVELS: usize = 4;
/// Last column that has a head.
const WIDEST: u16 = 1000;

/// The tables that a region's records are rows of; see the module.
#[derive(Default)]
pub(super) struct Tables {
    /// By cell: its column, in tables with cells that reach into other rows.
    places: FxHashMap<Node, u16>,
    /// By row: cells of rows above that reach into it, from left to right.
    above: FxHashMap<Node, Vec<Node>>,
    /// The table with the heads, and its heads by column.
    table: Option<Node>,
    heads: FxHashMap<u16, String>,
}

/// A cell that reaches into rows below.
struct Reaching {
    cell: Node,
    from: u16,
    width: u16,
    rows: u16,
}

impl Tables {
    /// Looks at the tables of records that are rows.
    pub(super) fn of_rows(page: &Page, found: &ListCandidate) -> Tables {
        let tree = &page.tree;
        let mut tables = Tables::default();
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        let rows = found.records.iter().filter_map(|parts| parts.first()).map(|part| part.start);
        for row in rows.filter(|&row| tree.tag(row) == tags::TR) {
            let Some(table) = tree.ancestors(row).find(|&up| tree.tag(up) == tags::TABLE) else { continue };
            if seen.insert(table) {
                tables.add(page, table);
            }
            if tables.table.is_none() {
                tables.table = Some(table);
                tables.heads = tables.names(page, table, row);
            }
        }
        tables
    }

    /// The column of a cell, counted from one.
    pub(super) fn place(&self, page: &Page, cell: Node) -> u16 {
        self.places.get(&cell).copied().unwrap_or_else(|| cell_place(page, cell))
    }

    /// True if some cell reaches into another row.
    pub(super) fn any_reaching(&self) -> bool {
        !self.above.is_empty()
    }

    /// The cells of rows above that reach into a row, from left to right.
    pub(super) fn reaching(&self, row: Node) -> &[Node] {
        self.above.get(&row).map_or(&[], Vec::as_slice)
    }

    /// The head of a cell's column.
    pub(super) fn head(&self, page: &Page, cell: Node) -> Option<&str> {
        let name = self.heads.get(&self.place(page, cell))?;
        let own = page.tree.ancestors(cell).find(|&up| page.tree.tag(up) == tags::TABLE);
        (own.is_some() && own == self.table).then_some(name)
    }

    /// Puts the cells of a table into its columns, if some of them reach into other rows.
    fn add(&mut self, page: &Page, table: Node) {
        let tree = &page.tree;
        let rows = rows(page, table);
        let tall = |&row: &Node| tree.elements(row).any(|cell| span(page, cell, attrs::ROWSPAN) != 1);
        if !rows.iter().any(tall) {
            return;
        }
        let mut reaching: Vec<Reaching> = Vec::new();
        let mut section = NONE;
        let mut all = self.above.values().map(Vec::len).sum::<usize>();
        for row in rows {
            // no cell reaches out of its section
            if std::mem::replace(&mut section, tree.parent(row)) != section {
                reaching.clear();
            }
            if !reaching.is_empty() && all < REACHING_ALL {
                all += reaching.len();
                self.above.insert(row, reaching.iter().map(|reaching| reaching.cell).collect());
            }
            let mut place = 1u16;
            let mut begun: Vec<Reaching> = Vec::new();
            for cell in tree.elements(row).filter(|&cell| matches!(tree.tag(cell), tags::TD | tags::TH)) {
                while let Some(other) =
                    reaching.iter().find(|other| other.from <= place && place - other.from < other.width)
                {
                    place = other.from.saturating_add(other.width);
                }
                self.places.insert(cell, place);
                let width = span(page, cell, attrs::COLSPAN).max(1);
                let rows = span(page, cell, attrs::ROWSPAN);
                if rows != 1 && reaching.len() + begun.len() < REACHING {
                    // none: down to the end of the section
                    let rows = if rows == 0 { u16::MAX } else { rows };
                    begun.push(Reaching { cell, from: place, width, rows });
                }
                place = place.saturating_add(width);
                if place > WIDEST {
                    break;
                }
            }
            reaching.extend(begun);
            reaching.sort_unstable_by_key(|reaching| reaching.from);
            reaching.retain_mut(|reaching| {
                reaching.rows -= 1;
                reaching.rows > 0
            });
        }
    }

    /// Names by column, from the rows of heads that stand last above the first record. The lowest head names a column; if
    /// it names several, those above it tell them apart.
    fn names(&self, page: &Page, table: Node, first: Node) -> FxHashMap<u16, String> {
        let tree = &page.tree;
        let rows = rows(page, table);
        let plain = !layout::is_bold_row(page, first);
        let is_head = |row: Node| {
            let head = tree.tag(tree.parent(row)) == tags::THEAD;
            tree.elements(row).count() > 1
                && (head
                    || tree.elements(row).all(|cell| tree.tag(cell) == tags::TH)
                    || plain && layout::is_bold_row(page, row))
        };
        let above = rows.iter().rev().copied().skip_while(|&row| row >= first || !is_head(row));
        let mut heads: Vec<Node> = above.take_while(|&row| is_head(row)).take(LEVELS).collect();
        heads.reverse();
        let mut levels: FxHashMap<u16, Vec<String>> = FxHashMap::default();
        for row in heads {
            for cell in tree.elements(row) {
                let text = page.text_of(cell);
                if snake_case(&text).is_none() {
                    continue;
                }
                let from = self.place(page, cell);
                let to = from.saturating_add(span(page, cell, attrs::COLSPAN).max(1)).min(WIDEST);
                for place in from..to {
                    let above = levels.entry(place).or_default();
                    // a head that is repeated is one level
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
        levels.iter().filter_map(|(&place, texts)| Some((place, name(texts)?))).collect()
    }
}

/// The rows of a table, without those of tables inside of it.
fn rows(page: &Page, table: Node) -> Vec<Node> {
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
