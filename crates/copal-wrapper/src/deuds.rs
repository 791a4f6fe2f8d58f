//! DEUDS: a pattern for a section of a page, and the data in it (the paper's section V).
//!
//! In: a page and one of its elements. Out: [`pattern`]: `tag[attribute="value"]…` with all HTML attributes
//! of the element (Algorithms 1 and 2), preceded by ancestors until it selects that element alone (the
//! pattern validator). And [`read`]: the section's text, and the cells of its table or the items of its list
//! (Algorithm 3). docs/papers/deuds.md says how the paper was interpreted. O(depth x elements with the
//! section's tag).

use crate::error::WrapperError;
use crate::locate::ElementIndex;
use crate::locate::css::{Css, MAX_SELECTOR_BYTES, identifier, nth_child, quoted};
use copal_dom::{Node, Page, Tree, tags};
use copal_extract::located::{self, GivenColumn, GivenList, GivenText};
use copal_extract::{Answer, CellSource, Parts};

/// Maximum number of columns of a table.
const MAX_SECTION_COLUMNS: usize = 100;

/// Algorithm 1, `AttributeRetrieval`: names and values of an element's HTML attributes, in document order.
pub fn attributes(tree: &Tree, element: Node) -> Vec<(&str, &str)> {
    tree.attributes(element).collect()
}

/// Algorithm 2, `ConstructPattern`: the element's name and all its HTML attributes.
pub fn construct(tree: &Tree, element: Node) -> String {
    let mut pattern = name(tree, element);
    for (attribute, value) in attributes(tree, element) {
        pattern.push_str(&format!("[{}={}]", identifier(attribute), quoted(value)));
    }
    pattern
}

/// The pattern of a section: Algorithm 2, then ancestors are added until it is unique.
pub fn pattern(index: &ElementIndex<'_>, section: Node) -> Result<String, WrapperError> {
    let tree = index.tree;
    let above: Vec<Node> = tree.ancestors(section).filter(|&node| node != 0).collect();
    let own = construct(tree, section);
    // First ancestors by name, as in the paper's example, then ancestors with their attributes.
    for step in [name, construct] {
        let mut pattern = own.clone();
        for parent in std::iter::once(None).chain(above.iter().map(|&parent| Some(parent))) {
            if let Some(parent) = parent {
                pattern = format!("{} > {pattern}", step(tree, parent));
            }
            if pattern.len() > MAX_SELECTOR_BYTES {
                break;
            }
            if is_unique(index, &pattern, section) {
                return Ok(pattern);
            }
        }
    }
    // Elements that differ only in their position.
    let mut pattern = format!("{own}{}", nth_child(tree, section));
    for &parent in &above {
        if is_unique(index, &pattern, section) {
            return Ok(pattern);
        }
        pattern = format!("{}{} > {pattern}", name(tree, parent), nth_child(tree, parent));
    }
    if is_unique(index, &pattern, section) {
        return Ok(pattern);
    }
    Err(WrapperError::NoUniquePattern)
}

/// True if the pattern selects the section and nothing else. False for patterns that are too long.
fn is_unique(index: &ElementIndex<'_>, pattern: &str, section: Node) -> bool {
    Css::parse(pattern).is_ok_and(|css| css.select(index) == [section])
}

fn name(tree: &Tree, element: Node) -> String {
    identifier(tree.tag_name(element))
}

/// Algorithm 3, `ExtractData`: the data of a section. The rows of a table and the items of a list are
/// records; any other section is one record with its text.
pub fn read(page: &Page, section: Node) -> Answer {
    let tree = &page.tree;
    let shown = |node: &Node| page.styles.is_shown(*node);
    let mut headers: Vec<String> = Vec::new();
    let mut records: Vec<Node> = Vec::new();
    let mut rows: Vec<Vec<GivenText>> = Vec::new();
    let with_source = |node: Node, text: String| GivenText::of_element(page, node, text);
    match tree.tag(section) {
        tags::TABLE | tags::TBODY | tags::THEAD => {
            for row in rows_of(tree, section).into_iter().filter(shown) {
                let cells: Vec<Node> = cells_of(tree, row).filter(shown).collect();
                let texts: Vec<String> =
                    cells.iter().take(MAX_SECTION_COLUMNS).map(|&cell| page.text_of(cell)).collect();
                let is_header = cells.iter().all(|&cell| tree.tag(cell) == tags::TH);
                if is_header && records.is_empty() && headers.is_empty() && !cells.is_empty() {
                    headers = texts;
                } else if texts.iter().any(|text| !text.is_empty()) {
                    records.push(row);
                    rows.push(cells.iter().zip(texts).map(|(&cell, text)| with_source(cell, text)).collect());
                }
            }
        }
        tags::UL | tags::OL | tags::DL => {
            let items = tree.elements(section).filter(shown);
            for item in items.filter(|&item| page.index.leaves(&(item..tree.end(item))) > 0) {
                records.push(item);
                rows.push(vec![with_source(item, page.text_of(item))]);
            }
        }
        _ => {
            let text = page.text_of(section);
            if !text.is_empty() {
                records.push(section);
                rows.push(vec![with_source(section, text)]);
            }
        }
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let columns = column_names(&headers, width).into_iter().map(|name| GivenColumn {
        name,
        source: CellSource::Text,
        kind: None,
        date_order: None,
    });
    let cells = |row: Vec<GivenText>| {
        let mut cells: Vec<Vec<GivenText>> = row
            .into_iter()
            .map(|text| if text.as_str().is_empty() { Vec::new() } else { vec![text] })
            .collect();
        cells.resize(width, Vec::new());
        cells
    };
    let list = GivenList {
        root: section,
        records: records.iter().map(|&record| Parts::from_elem(record..tree.end(record), 1)).collect(),
        columns: columns.collect(),
        rows: rows.into_iter().map(cells).collect(),
    };
    located::extraction(page, list)
}

/// The rows of a table, without those of nested tables.
fn rows_of(tree: &Tree, table: Node) -> Vec<Node> {
    let mut rows = Vec::new();
    for child in tree.elements(table) {
        match tree.tag(child) {
            tags::TR => rows.push(child),
            tags::TBODY | tags::THEAD | tags::TFOOT => {
                rows.extend(tree.elements(child).filter(|&row| tree.tag(row) == tags::TR));
            }
            _ => {}
        }
    }
    rows
}

fn cells_of(tree: &Tree, row: Node) -> impl Iterator<Item = Node> + '_ {
    tree.elements(row).filter(|&cell| matches!(tree.tag(cell), tags::TD | tags::TH))
}

/// Unique names of the columns: the texts of the header cells, else `text` for a single column, else numbers.
fn column_names(heads: &[String], width: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(width);
    for at in 0..width {
        let head = heads.get(at).map(|head| head.trim().to_lowercase().replace(char::is_whitespace, "_"));
        let head = head.filter(|head| !head.is_empty() && !names.contains(head));
        let plain = || if width == 1 { "text".into() } else { format!("column_{}", at + 1) };
        names.push(head.unwrap_or_else(plain));
    }
    names
}
