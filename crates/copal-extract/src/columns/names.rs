//! Names of columns.
//!
//! In: the columns of a region. Out: one unique name a column. From the table's header row; else `itemprop`; else
//! `title`, `url` and `image` for the first text, link and picture that nearly every record has; else the nearest
//! class word inside the record; else `column_n`.

use super::Draft;
use crate::model::{CellSource, Found, Layout, NamedBy};
use copal_dom::{NONE, Node, Page, attrs, stable_classes, tags};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest name made from a page's words.
const LONGEST: usize = 40;

pub(super) fn name_columns(
    page: &Page,
    found: &Found,
    layout: Layout,
    drafts: &[Draft],
) -> Vec<(String, NamedBy)> {
    let header = if layout == Layout::Table { header(page, found) } else { FxHashMap::default() };
    let n = found.records.len();
    let mut names: Vec<Option<(String, NamedBy)>> =
        drafts.iter().map(|draft| given_name(page, found, &header, draft)).collect();
    let frequent = |draft: &Draft| 5 * records_with(draft) >= 4 * n;
    let first = |names: &[Option<(String, NamedBy)>], is: &dyn Fn(&Draft) -> bool| {
        (0..drafts.len()).find(|&c| names[c].is_none() && frequent(&drafts[c]) && is(&drafts[c]))
    };
    if let Some(c) = title(page, &names, drafts, n) {
        names[c] = Some(("title".into(), NamedBy::Role));
    }
    if let Some(c) = first(&names, &|draft| draft.source == CellSource::Href && mostly_distinct(draft)) {
        names[c] = Some(("url".into(), NamedBy::Role));
    }
    if let Some(c) = first(&names, &|draft| draft.source == CellSource::Src) {
        names[c] = Some(("image".into(), NamedBy::Role));
    }
    let tops: FxHashSet<Node> = found.records.iter().flatten().map(|part| part.start).collect();
    for (name, draft) in names.iter_mut().zip(drafts) {
        if name.is_none() {
            let word = class_name(page, &tops, draft.sample);
            *name = word.map(|word| (with_source(word, draft.source), NamedBy::Class));
        }
    }
    unique(names)
}

fn with_source(word: String, source: CellSource) -> String {
    match source {
        CellSource::Text | CellSource::Embedded => word,
        CellSource::Href => format!("{word}_url"),
        CellSource::Src => format!("{word}_image"),
    }
}

fn records_with(draft: &Draft) -> usize {
    draft.cells.iter().map(|cell| cell.0).collect::<FxHashSet<_>>().len()
}

fn mostly_distinct(draft: &Draft) -> bool {
    let values: FxHashSet<&str> = draft.cells.iter().map(|cell| cell.2.as_str()).collect();
    2 * values.len() > draft.cells.len()
}

/// The first text with letters that most records have and that differs between them; links and headings first.
fn title(page: &Page, names: &[Option<(String, NamedBy)>], drafts: &[Draft], n: usize) -> Option<usize> {
    let good = |c: &usize| {
        let draft = &drafts[*c];
        let letters = draft.cells.iter().filter(|cell| cell.2.chars().any(char::is_alphabetic)).count();
        names[*c].is_none()
            && draft.source == CellSource::Text
            && 5 * records_with(draft) >= 4 * n
            && 2 * letters > draft.cells.len()
            && mostly_distinct(draft)
    };
    let head = |c: &usize| {
        let is_head = |node: Node| page.tree.tag(node) == tags::A || tags::is_heading(page.tree.tag(node));
        let node = drafts[*c].sample;
        is_head(node) || page.tree.ancestors(node).take(2).any(is_head)
    };
    if names.iter().flatten().any(|(name, _)| name == "title" || name == "name") {
        return None;
    }
    let good: Vec<usize> = (0..drafts.len()).filter(good).collect();
    good.iter().copied().find(head).or_else(|| good.first().copied())
}

/// A name the page itself gives: a header cell, or an `itemprop`.
fn given_name(
    page: &Page,
    found: &Found,
    header: &FxHashMap<u16, String>,
    draft: &Draft,
) -> Option<(String, NamedBy)> {
    let mut at = draft.sample;
    while at != NONE && at > found.root {
        if draft.source == CellSource::Text && matches!(page.tree.tag(at), tags::TD | tags::TH) {
            return header.get(&super::keys::cell_place(page, at)).map(|name| (name.clone(), NamedBy::Header));
        }
        if let Some(name) = page.tree.attr(at, attrs::ITEMPROP) {
            let name = snake_case(name)?;
            let name = match draft.source {
                CellSource::Href if name != "url" => format!("{name}_url"),
                _ => name,
            };
            return Some((name, NamedBy::Property));
        }
        at = page.tree.parent(at);
    }
    None
}

/// Header cells by place: the last row of only `th` above the first record, in the same table.
fn header(page: &Page, found: &Found) -> FxHashMap<u16, String> {
    let tree = &page.tree;
    let mut names = FxHashMap::default();
    let Some(first) = found.records.first().and_then(|parts| parts.first()).map(|part| part.start) else {
        return names;
    };
    let Some(table) = tree.ancestors(first).find(|&up| tree.tag(up) == tags::TABLE) else { return names };
    let mut rows = (table..first).rev().filter(|&node| tree.tag(node) == tags::TR);
    let is_header = |row: &Node| {
        tree.elements(*row).all(|cell| tree.tag(cell) == tags::TH) && tree.elements(*row).count() > 1
    };
    if let Some(row) = rows.find(is_header) {
        for cell in tree.elements(row) {
            if let Some(name) = snake_case(&page.text_of(cell)) {
                names.insert(super::keys::cell_place(page, cell), name);
            }
        }
    }
    names
}

/// The last stable class word of the element or the nearest ancestor inside the record that has one.
fn class_name(page: &Page, tops: &FxHashSet<Node>, sample: Node) -> Option<String> {
    let mut at = sample;
    while at != NONE && !tops.contains(&at) {
        let word = page.tree.attr(at, attrs::CLASS).and_then(|class| stable_classes(class).last());
        // `card__price--big`: block, element, modifier; the element is the name
        let element = word
            .map(|word| word.split("--").next().unwrap_or(word))
            .map(|word| word.rsplit("__").next().unwrap_or(word));
        if let Some(name) = element.and_then(snake_case) {
            return Some(name);
        }
        at = page.tree.parent(at);
    }
    None
}

/// `productTitle`, `Product title` and `product-title` are all `product_title`.
fn snake_case(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut before = ' ';
    for c in text.trim().chars() {
        if out.len() >= LONGEST {
            break;
        }
        if c.is_alphanumeric() {
            if (c.is_uppercase() && before.is_lowercase()) && !out.ends_with('_') {
                out.push('_');
            }
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        before = c;
    }
    let out = out.trim_end_matches('_');
    out.chars().any(char::is_alphabetic).then(|| out.to_owned())
}

fn unique(names: Vec<Option<(String, NamedBy)>>) -> Vec<(String, NamedBy)> {
    let mut used: FxHashSet<String> = FxHashSet::default();
    let mut next: FxHashMap<String, usize> = FxHashMap::default();
    let mut out = Vec::with_capacity(names.len());
    for (c, name) in names.into_iter().enumerate() {
        let (base, by) = name.unwrap_or_else(|| (format!("column_{}", c + 1), NamedBy::Position));
        let mut name = base.clone();
        while !used.insert(name.clone()) {
            let n = next.entry(base.clone()).or_insert(1);
            *n += 1;
            name = format!("{base}_{n}");
        }
        out.push((name, by));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words() {
        assert_eq!(snake_case("productTitle").as_deref(), Some("product_title"));
        assert_eq!(snake_case(" Price (GBP): ").as_deref(), Some("price_gbp"));
        assert_eq!(snake_case("ราคา").as_deref(), Some("ราคา"));
        assert_eq!(snake_case("--- 12"), None);
    }

    #[test]
    fn equal_names_get_numbers() {
        let some = |s: &str| Some((s.to_owned(), NamedBy::Class));
        let names = unique(vec![some("a"), None, some("a"), some("a_2")]);
        let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "column_2", "a_2", "a_2_2"]);
    }
}
