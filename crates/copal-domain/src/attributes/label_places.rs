//! Which label belongs to which value, by their positions (AMBER section 4.2, Figure 4.2; Definition 14's
//! `prec`).
//!
//! In: nodes of labels and values. Out: whether they are neighbours, the header of a table cell, the title of
//! an icon. A label and its value are neighbours if they have the same parent, each with the elements around
//! it that contain nothing else: `<dt>Beds</dt><dd><b>3</b></dd>`, but not the heading of a list and the
//! list's first item.

use crate::gazetteer::Gazetteer;
use copal_dom::{NONE, Node, Page, attrs, tags};
use copal_values::labels::bare;
use rustc_hash::FxHashMap;

/// Characters between the values of one line.
pub(super) const VALUE_SEPARATORS: [char; 6] = ['|', '\u{b7}', '\u{2022}', ';', '\n', '\u{2502}'];

/// The outermost element that shows nothing but this node.
fn outermost_wrapper(page: &Page, node: Node) -> Node {
    let tree = &page.tree;
    let own = page.index.chars(&(node..tree.end(node)));
    let mut at = node;
    loop {
        let above = tree.parent(at);
        if above == NONE || page.index.chars(&(above..tree.end(above))) != own || tree.parent(above) == NONE {
            return at;
        }
        at = above;
    }
}

/// True if the label and the value, each alone in its element, are next to each other.
pub(super) fn are_neighbours(page: &Page, label: Node, value: Node) -> bool {
    let tree = &page.tree;
    let label = outermost_wrapper(page, label);
    let parent = tree.parent(label);
    // A value of several texts in a row is identified by its first text.
    let mut at = value;
    while at != NONE && tree.parent(at) != parent {
        let above = tree.parent(at);
        let line = above != NONE && page.styles.display(at) == copal_dom::style::Display::Inline;
        let alone = above != NONE
            && page.index.chars(&(above..tree.end(above))) == page.index.chars(&(at..tree.end(at)));
        if !line && !alone && !tree.is_text(at) {
            return false;
        }
        at = above;
    }
    at != NONE && at > label
}

/// True if the icon ends the element that contains the text before it: "3 <img alt=bedrooms>".
pub(super) fn icon_follows_text(page: &Page, text: Node, icon: Node) -> bool {
    let tree = &page.tree;
    let parent = tree.parent(icon);
    parent != NONE
        && tree.contains(parent, text)
        && page.index.leaves(&(tree.end(icon)..tree.end(parent))) == 0
        && page.index.leaves(&(parent..tree.end(parent))) == 1
}

/// The title inside an SVG drawing.
pub(super) fn icon_title(page: &Page, node: Node) -> Option<&str> {
    let tree = &page.tree;
    if tree.tag(node) != tags::SVG {
        return None;
    }
    let title = tree.elements(node).find(|&child| tree.tag(child) == tags::TITLE)?;
    let text = (title..tree.end(title)).find(|&inner| tree.is_text(inner))?;
    Some(tree.raw_text(text).trim()).filter(|text| !text.is_empty() && text.len() <= 200)
}

/// The attributes that the headers of table columns name, by the cells below them.
pub(super) struct Headers {
    /// Index into `tags`, by cell.
    of_cell: FxHashMap<Node, usize>,
    /// The attributes that each header names.
    tags: Vec<Vec<u16>>,
}

impl Headers {
    /// A table has headers if its first row has two or more `th` and nothing else. O(cells).
    pub(super) fn new(page: &Page, labels: &Gazetteer) -> Headers {
        let tree = &page.tree;
        let mut headers = Headers { of_cell: FxHashMap::default(), tags: Vec::new() };
        // Per table: the headers by column, or `None` if its first row is not a row of headers.
        let mut tables: FxHashMap<Node, Option<FxHashMap<u32, usize>>> = FxHashMap::default();
        for row in tree.nodes().filter(|&node| tree.tag(node) == tags::TR) {
            let Some(table) = tree.ancestors(row).find(|&above| tree.tag(above) == tags::TABLE) else {
                continue;
            };
            match tables.get(&table) {
                None => {
                    let heads = headers.read_first_row(page, row, labels);
                    tables.insert(table, heads);
                }
                Some(None) => {}
                Some(Some(heads)) => {
                    let cells = cells_by_column(page, row).filter(|&(_, cell)| tree.tag(cell) == tags::TD);
                    let named = cells.filter_map(|(place, cell)| Some((cell, *heads.get(&place)?)));
                    headers.of_cell.extend(named);
                }
            }
        }
        headers
    }

    /// The headers of a first row, by column.
    fn read_first_row(
        &mut self,
        page: &Page,
        row: Node,
        labels: &Gazetteer,
    ) -> Option<FxHashMap<u32, usize>> {
        let cells: Vec<(u32, Node)> = cells_by_column(page, row).collect();
        if cells.len() < 2 || cells.iter().any(|(_, cell)| page.tree.tag(*cell) != tags::TH) {
            return None;
        }
        let mut heads = FxHashMap::default();
        for (place, cell) in cells {
            let named = labels.get(bare(&page.text_of(cell)));
            if !named.is_empty() {
                heads.insert(place, self.tags.len());
                self.tags.push(named.to_vec());
            }
        }
        Some(heads)
    }

    /// The attributes that the header of the cell around a text names.
    pub(super) fn of(&self, page: &Page, node: Node) -> &[u16] {
        if self.of_cell.is_empty() {
            return &[];
        }
        let cell = page.tree.ancestors(node).find(|&above| page.tree.tag(above) == tags::TD);
        cell.and_then(|cell| self.of_cell.get(&cell)).map_or(&[], |&at| &self.tags[at])
    }
}

/// The cells of a row, each with the column in which it begins.
fn cells_by_column(page: &Page, row: Node) -> impl Iterator<Item = (u32, Node)> + '_ {
    let mut place = 0;
    let cells = page.tree.elements(row).filter(|&cell| matches!(page.tree.tag(cell), tags::TD | tags::TH));
    cells.map(move |cell| {
        let at = place;
        place += column_span(page, cell);
        (at, cell)
    })
}

fn column_span(page: &Page, cell: Node) -> u32 {
    let span = page.tree.attr(cell, attrs::COLSPAN).and_then(|span| span.trim().parse::<u32>().ok());
    span.unwrap_or(1).clamp(1, 1000)
}
