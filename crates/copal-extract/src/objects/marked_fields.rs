//! Fields of the object that microdata and `RDFa` mark in the page.
//!
//! In: a [`DetailPage`] whose area is known, its headline, and the page's [`MarkedItems`]. Out:
//! [`MarkedField`]s, all values of one property together. Left out are properties outside the area, those of
//! the site (breadcrumbs, menus), and those of things of which there are several, except the one that the
//! headline is in: they are a list. O(marked elements).

use super::detail_page::DetailPage;
use crate::signals::declared::markup::MarkedItems;
use crate::signals::declared::schema::{is_frame, is_of_site};
use copal_dom::{Node, attrs, tags};
use rustc_hash::FxHashMap;

/// A property with its values.
pub(super) struct MarkedField {
    /// The words of its name, outermost first.
    pub(super) name: String,
    pub(super) texts: Vec<String>,
    /// The line of the first text; `None` if the text is in an attribute.
    pub(super) line: Option<usize>,
}

/// Maximum number of properties of a page, of lines of a value, and of values of a property.
const MAX_MARKED_FIELDS: usize = 600;
const MAX_MARKED_VALUE_LINES: usize = 60;
const MAX_FIELD_VALUES: usize = 100;

/// The properties of the object, in document order.
pub(super) fn find(page: &DetailPage<'_>, headline: Option<usize>, marked: &MarkedItems) -> Vec<MarkedField> {
    let items = &marked.items;
    let mut found: Vec<(Option<usize>, MarkedField)> = Vec::new();
    let mut known: FxHashMap<(Option<usize>, &str), usize> = FxHashMap::default();
    for property in &marked.properties {
        if found.len() == MAX_MARKED_FIELDS {
            break;
        }
        let Some((texts, line)) = value(page, property.node) else { continue };
        match known.get(&(property.root, property.name.as_str())) {
            Some(&at) if found[at].1.texts.len() < MAX_FIELD_VALUES => found[at].1.texts.extend(texts),
            Some(_) => {}
            None => {
                known.insert((property.root, &property.name), found.len());
                found.push((property.root, MarkedField { name: property.name.clone(), texts, line }));
            }
        }
    }
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for (_, item) in items.iter().enumerate().filter(|(at, item)| item.root == *at) {
        *counts.entry(&item.kind).or_default() += 1;
    }
    let headline = headline.map(|line| page.lines[line].first());
    let is_object = |root: usize| {
        let item = &items[root];
        let holds_headline = headline.is_some_and(|headline| item.nodes.contains(&headline));
        let is_only_one = counts.get(item.kind.as_str()) == Some(&1) && !is_of_site(&item.kind);
        !is_frame(&item.kind) && (holds_headline || is_only_one)
    };
    found.into_iter().filter(|(root, _)| root.is_none_or(is_object)).map(|(_, field)| field).collect()
}

/// The line that an element is a later part of: a number after the name.
fn line_around(page: &DetailPage<'_>, node: Node) -> Option<usize> {
    let at = page.lines.partition_point(|line| line.first() < node).checked_sub(1)?;
    let (line, end) = (&page.lines[at], page.dom.tree.end(node));
    (!line.outside && line.leaves.iter().any(|leaf| (node..end).contains(&leaf.node))).then_some(at)
}

/// The texts of a property and the line of the first.
fn value(page: &DetailPage<'_>, node: Node) -> Option<(Vec<String>, Option<usize>)> {
    let dom = page.dom;
    if dom.tree.tag(node) == tags::META {
        let text = dom.tree.attr(node, attrs::CONTENT)?.trim();
        return (!text.is_empty()).then(|| (vec![text.to_owned()], None));
    }
    let lines = page.lines_of(node);
    if let (true, Some(line)) = (lines.is_empty(), line_around(page, node)) {
        return Some((vec![dom.text_of(node)], Some(line)));
    }
    if lines.is_empty()
        || lines.len() > MAX_MARKED_VALUE_LINES
        || !dom.styles.is_shown(node)
        || page.lines[lines.start].outside
    {
        return None;
    }
    let texts = if lines.len() == 1 {
        vec![dom.text_of(node)]
    } else {
        lines.clone().map(|line| page.lines[line].text.clone()).collect()
    };
    Some((texts, Some(lines.start)))
}
