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
use std::ops::Range;

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
    located::extraction(page, section_list(page, section))
}

/// The records and columns of a section, without what an answer says about the whole page: a page has hundreds of
/// sections.
pub(crate) fn section_list(page: &Page, section: Node) -> GivenList {
    let tree = &page.tree;
    let shown = |node: &Node| page.styles.is_shown(*node);
    let mut headers: Vec<String> = Vec::new();
    let mut records: Vec<Range<Node>> = Vec::new();
    let mut rows: Vec<Vec<Vec<GivenText>>> = Vec::new();
    let with_source = |node: Node, text: String| GivenText::of_element(page, node, text);
    let cell = |node: Node, text: String| {
        if text.is_empty() { Vec::new() } else { vec![with_source(node, text)] }
    };
    let whole = |node: Node| node..tree.end(node);
    match tree.tag(section) {
        tags::TABLE | tags::TBODY | tags::THEAD => {
            for row in rows_of(tree, section).into_iter().filter(shown) {
                let cells: Vec<Node> = cells_of(tree, row).filter(shown).collect();
                let texts: Vec<String> =
                    cells.iter().take(MAX_SECTION_COLUMNS).map(|&cell| page.text_of(cell)).collect();
                // the rows of a head are headers whatever their cells are; of several the last one names
                // single columns
                let in_head = tree.tag(tree.parent(row)) == tags::THEAD && tree.parent(row) != section;
                let is_header =
                    in_head || headers.is_empty() && cells.iter().all(|&c| tree.tag(c) == tags::TH);
                if is_header && records.is_empty() && !cells.is_empty() {
                    headers = texts;
                } else if texts.iter().any(|text| !text.is_empty()) {
                    records.push(whole(row));
                    rows.push(cells.iter().zip(texts).map(|(&node, text)| cell(node, text)).collect());
                }
            }
        }
        tags::DL => {
            for (terms, descriptions) in pairs_of(page, section) {
                let texts = |nodes: &[Node]| -> Vec<GivenText> {
                    nodes.iter().flat_map(|&node| cell(node, page.text_of(node))).collect()
                };
                let nodes = || terms.iter().chain(&descriptions).copied();
                if let (Some(first), Some(end)) = (nodes().min(), nodes().map(|node| tree.end(node)).max()) {
                    records.push(first..end);
                    rows.push(vec![texts(&terms), texts(&descriptions)]);
                }
            }
            headers = ["term", "description"].map(str::to_owned).to_vec();
        }
        tags::UL | tags::OL => {
            let items = tree.elements(section).filter(shown);
            for item in items.filter(|&item| page.index.leaves(&(item..tree.end(item))) > 0) {
                records.push(whole(item));
                rows.push(vec![cell(item, page.text_of(item))]);
            }
        }
        _ => {
            let text = page.text_of(section);
            if !text.is_empty() {
                records.push(whole(section));
                rows.push(vec![cell(section, text)]);
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
    for row in &mut rows {
        row.resize(width, Vec::new());
    }
    GivenList {
        root: section,
        records: records.into_iter().map(|record| Parts::from_elem(record, 1)).collect(),
        columns: columns.collect(),
        rows,
    }
}

/// The share of the page's visible text that is in a section.
pub fn coverage(page: &Page, section: Node) -> f64 {
    let all = page.index.chars(&(0..page.tree.len() as Node)).max(1);
    let share = f64::from(page.index.chars(&(section..page.tree.end(section)))) / f64::from(all);
    (share * 1000.0).round() / 1000.0
}

/// The terms of a description list with their descriptions. Pairs may have a `div` around them.
fn pairs_of(page: &Page, list: Node) -> Vec<(Vec<Node>, Vec<Node>)> {
    let tree = &page.tree;
    let mut pairs: Vec<(Vec<Node>, Vec<Node>)> = Vec::new();
    for child in tree.elements(list).filter(|&child| page.styles.is_shown(child)) {
        let is_group = tree.tag(child) == tags::DIV;
        let members: Vec<Node> = if is_group { tree.elements(child).collect() } else { vec![child] };
        for (at, member) in members.into_iter().filter(|&node| page.styles.is_shown(node)).enumerate() {
            // a pair begins with a term after descriptions, and with a group
            let begins = is_group && at == 0;
            match tree.tag(member) {
                tags::DT if begins || pairs.last().is_none_or(|pair| !pair.1.is_empty()) => {
                    pairs.push((vec![member], Vec::new()));
                }
                tags::DT => pairs.last_mut().into_iter().for_each(|pair| pair.0.push(member)),
                _ if begins || pairs.is_empty() => pairs.push((Vec::new(), vec![member])),
                _ => pairs.last_mut().into_iter().for_each(|pair| pair.1.push(member)),
            }
        }
    }
    let is_seen = |node: &Node| page.index.leaves(&(*node..tree.end(*node))) > 0;
    pairs.retain(|(terms, descriptions)| terms.iter().chain(descriptions).any(is_seen));
    pairs
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
