//! Names of records that only look like labels: `<li><b>Oak</b> 12 m</li><li><b>Elm</b> 9 m</li>`.
//!
//! In: the labelled values of a page. Out: the nodes of those that are a short list of like things. The names
//! are set apart by markup alone, without a colon; every item of the list has one; the values are written
//! alike, as those of one column are; and none of the names is a word for a property. Values of one object
//! differ in kind ("12 m", "oak", "2 years") or have names that are known ("Height", "Width").
//! O(labelled values + items of their lists).

use super::detail_page::DetailPage;
use super::labelled_values::{LabelLayout, LabelledValue};
use crate::table::field_words::field_word;
use copal_dom::{NONE, Node};
use copal_values::label_names::english_name;
use copal_values::labels::ends_with_colon;
use rustc_hash::{FxHashMap, FxHashSet};

/// Minimum number of items. Two values that are written alike may be the sides of one object.
const MIN_ITEMS: usize = 3;
/// Longest value whose way of writing is compared, in bytes.
const MAX_COMPARED_BYTES: usize = 40;
/// Words for measures, beyond the words that classes use for fields.
const MEASURE_WORDS: &[&str] = &[
    "height",
    "width",
    "depth",
    "diameter",
    "radius",
    "thickness",
    "circumference",
    "side",
    "memory",
    "power",
];

/// The nodes of values whose labels are the names of records.
pub(super) fn listed_names(page: &DetailPage<'_>, labelled: &[LabelledValue]) -> FxHashSet<Node> {
    let tree = &page.dom.tree;
    // by the element around the lines: (the way of writing, node) of each item
    let mut lists: FxHashMap<Node, Vec<(String, Node)>> = FxHashMap::default();
    for value in labelled.iter().filter(|value| value.layout == LabelLayout::Inline) {
        let line = &page.lines[value.line];
        let list = tree.parent(line.node);
        if list == NONE || !is_bare_name(page, value) {
            continue;
        }
        if let Some(writing) = way_of_writing(&value.texts) {
            lists.entry(list).or_default().push((writing, value.node));
        }
    }
    let is_list = |list: Node, items: &[(String, Node)]| {
        items.len() >= MIN_ITEMS
            && items.iter().all(|item| item.0 == items[0].0)
            && tree.children(list).filter(|&node| page.dom.index.chars(&(node..tree.end(node))) > 0).count()
                == items.len()
    };
    let lists = lists.into_iter().filter(|(list, items)| is_list(*list, items));
    lists.flat_map(|(_, items)| items).map(|(_, node)| node).collect()
}

/// True if a label is the first text of its line, without a colon, and not a word for a property.
fn is_bare_name(page: &DetailPage<'_>, value: &LabelledValue) -> bool {
    let line = &page.lines[value.line];
    let Some(first) = line.leaves.first().filter(|leaf| leaf.node == value.label_node) else { return false };
    let is_property = |word: &str| {
        let word = word.to_lowercase();
        field_word(&word).is_some() || MEASURE_WORDS.contains(&word.as_str())
    };
    !ends_with_colon(&line.text[first.span.clone()])
        && english_name(&value.label, page.dom.lang()).is_none()
        && !value.label.split_whitespace().any(is_property)
}

/// A value with its numbers replaced by one sign, if it is short and has numbers.
fn way_of_writing(texts: &[String]) -> Option<String> {
    let [text] = texts else { return None };
    if text.len() > MAX_COMPARED_BYTES {
        return None;
    }
    let mut writing = String::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        let is_in_number = c.is_ascii_digit() || matches!(c, '.' | ',') && writing.ends_with('#');
        if !is_in_number {
            writing.extend(c.to_lowercase());
        } else if !writing.ends_with('#') {
            writing.push('#');
        }
    }
    writing.contains('#').then_some(writing)
}
