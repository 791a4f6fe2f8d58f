//! DEUDS: a pattern for a section of a page, and the data in it (the paper's section V).
//!
//! In: a page and one of its elements. Out: [`pattern`]: `tag[attribute="value"]…` over all attributes of the element
//! (Algorithms 1 and 2), with parents before it until it selects that element alone (the pattern validator). And [`read`]: the
//! section's text and the cells of its table or the items of its list (Algorithm 3). docs/papers/deuds.md has the readings.
//! O(depth x elements with the section's tag).

use crate::css::{Arena, Css, MOST_BYTES, identifier, quoted};
use copal_dom::{Node, Page, Tree, tags};
use copal_extract::located::{self, GivenColumn, GivenList};
use copal_extract::{Answer, CellSource, Parts};

/// Most columns of a table or list.
const MOST_COLUMNS: usize = 100;

/// Algorithm 1, `AttributeRetrieval`: names and values of an element's attributes, in the order written.
pub fn attributes(tree: &Tree, element: Node) -> Vec<(&str, &str)> {
    tree.attributes(element).collect()
}

/// Algorithm 2, `ConstructPattern`: the element's name and all its attributes.
pub fn construct(tree: &Tree, element: Node) -> String {
    let mut pattern = name(tree, element);
    for (attribute, value) in attributes(tree, element) {
        pattern.push_str(&format!("[{}={}]", identifier(attribute), quoted(value)));
    }
    pattern
}

/// The pattern of a section: constructed, then with parents added until it is unique.
pub fn pattern(arena: &Arena<'_>, section: Node) -> Result<String, String> {
    let tree = arena.tree;
    let above: Vec<Node> = tree.ancestors(section).filter(|&node| node != 0).collect();
    let own = construct(tree, section);
    // first the bare parents of the paper's example, then parents with their attributes
    for step in [name, construct] {
        let mut pattern = own.clone();
        for parent in std::iter::once(None).chain(above.iter().map(|&parent| Some(parent))) {
            if let Some(parent) = parent {
                pattern = format!("{} > {pattern}", step(tree, parent));
            }
            if pattern.len() > MOST_BYTES {
                break;
            }
            if is_unique(arena, &pattern, section) {
                return Ok(pattern);
            }
        }
    }
    // elements that differ in nothing but their place
    let mut pattern = format!("{own}{}", place(tree, section));
    for &parent in &above {
        if is_unique(arena, &pattern, section) {
            return Ok(pattern);
        }
        pattern = format!("{}{} > {pattern}", name(tree, parent), place(tree, parent));
    }
    if is_unique(arena, &pattern, section) {
        return Ok(pattern);
    }
    Err("no pattern selects this section alone".into())
}

/// False for patterns that are too long, too.
fn is_unique(arena: &Arena<'_>, pattern: &str, section: Node) -> bool {
    Css::parse(pattern).is_ok_and(|css| css.select(arena) == [section])
}

fn name(tree: &Tree, element: Node) -> String {
    identifier(tree.tag_name(element))
}

fn place(tree: &Tree, element: Node) -> String {
    let siblings = tree.elements(tree.parent(element));
    format!(":nth-child({})", siblings.take_while(|&sibling| sibling <= element).count())
}

/// Algorithm 3, `ExtractData`: what a section says. Rows of a table and items of a list are records, whose cells are columns;
/// another section is one record with its text.
pub fn read(page: &Page, section: Node) -> Answer {
    let tree = &page.tree;
    let shown = |node: &Node| page.styles.is_shown(*node);
    let mut heads: Vec<String> = Vec::new();
    let mut records: Vec<Node> = Vec::new();
    let mut rows: Vec<Vec<String>> = Vec::new();
    match tree.tag(section) {
        tags::TABLE | tags::TBODY | tags::THEAD => {
            for row in rows_of(tree, section).into_iter().filter(shown) {
                let cells: Vec<Node> = cells_of(tree, row).filter(shown).collect();
                let texts: Vec<String> =
                    cells.iter().take(MOST_COLUMNS).map(|&cell| page.text_of(cell)).collect();
                let is_head = cells.iter().all(|&cell| tree.tag(cell) == tags::TH);
                if is_head && records.is_empty() && heads.is_empty() && !cells.is_empty() {
                    heads = texts;
                } else if texts.iter().any(|text| !text.is_empty()) {
                    records.push(row);
                    rows.push(texts);
                }
            }
        }
        tags::UL | tags::OL | tags::DL => {
            let items = tree.elements(section).filter(shown);
            for item in items.filter(|&item| page.index.leaves(&(item..tree.end(item))) > 0) {
                records.push(item);
                rows.push(vec![page.text_of(item)]);
            }
        }
        _ => {
            let text = page.text_of(section);
            if !text.is_empty() {
                records.push(section);
                rows.push(vec![text]);
            }
        }
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let columns = names(&heads, width).into_iter().map(|name| GivenColumn {
        name,
        source: CellSource::Text,
        kind: None,
    });
    let cells = |row: Vec<String>| {
        let mut cells: Vec<Vec<String>> =
            row.into_iter().map(|text| if text.is_empty() { Vec::new() } else { vec![text] }).collect();
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

/// The rows of a table, not those of tables inside of it.
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

/// The heads' texts, or `text`, or numbers; each once.
fn names(heads: &[String], width: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(width);
    for at in 0..width {
        let head = heads.get(at).map(|head| head.trim().to_lowercase().replace(char::is_whitespace, "_"));
        let head = head.filter(|head| !head.is_empty() && !names.contains(head));
        let plain = || if width == 1 { "text".into() } else { format!("column_{}", at + 1) };
        names.push(head.unwrap_or_else(plain));
    }
    names
}
