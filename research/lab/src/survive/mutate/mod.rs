//! Changes as sites make them, each over the whole page as a change of its template would be.
//!
//! In: a page with known records, and a random number generator. Out: whether the change was possible; if so,
//! the page has it. No text of a record is changed or removed, so the gold answer of the records stays right.
//! Operators, words and probabilities are fixed: they were written before any wrapper was learned for them.

mod classes;
mod insert;
mod layout;
mod tags;
mod wrap;

use super::editable::EditablePage;
use crate::random::SplitMix64;
use std::collections::{BTreeMap, BTreeSet};

const FIRST_CLASS_WORDS: [&str; 12] =
    ["main", "list", "page", "card", "view", "item", "block", "site", "content", "media", "teaser", "grid"];
const SECOND_CLASS_WORDS: [&str; 12] =
    ["wrap", "inner", "body", "box", "panel", "head", "row", "cell", "group", "holder", "entry", "part"];

type Operator = fn(&mut EditablePage, &mut SplitMix64) -> bool;

/// All changes, by name.
pub(crate) const OPERATORS: [(&str, Operator); 11] = [
    ("rename", classes::rename),
    ("hash", classes::hash),
    ("wrap", wrap::wrap),
    ("before", insert::insert_before),
    ("between", insert::insert_between),
    ("inside", insert::insert_inside),
    ("reorder", layout::reorder),
    ("tags", tags::change_tags),
    ("ids", classes::drop_ids),
    ("move", layout::move_list),
    ("grid", layout::to_grid),
];

/// A class name as people choose it.
fn class_name(random: &mut SplitMix64) -> String {
    let (first, second) = (random.below(FIRST_CLASS_WORDS.len()), random.below(SECOND_CLASS_WORDS.len()));
    format!("{}-{}", FIRST_CLASS_WORDS[first], SECOND_CLASS_WORDS[second])
}

/// Parts of tables, lists and forms, which need parents and children with certain tags.
fn is_bound(tag: &str) -> bool {
    matches!(
        tag,
        "li" | "tr"
            | "td"
            | "th"
            | "tbody"
            | "thead"
            | "tfoot"
            | "caption"
            | "col"
            | "colgroup"
            | "dt"
            | "dd"
            | "option"
            | "optgroup"
            | "source"
            | "param"
            | "html"
            | "head"
            | "body"
            | ""
    )
}

/// Elements that may contain any block.
fn is_open(tag: &str) -> bool {
    matches!(
        tag,
        "div"
            | "section"
            | "article"
            | "main"
            | "aside"
            | "body"
            | "form"
            | "td"
            | "li"
            | "center"
            | "header"
    )
}

/// The element that holds the list and that can be moved: not a part of a table.
fn container(page: &EditablePage) -> Option<usize> {
    let fits = |&up: &usize| !is_bound(page.tag(up)) && is_open(page.tag(page.items[up].parent));
    page.up(page.root()).into_iter().find(fits)
}

/// The elements of one template in the records, chosen by tags and classes from the record's element down.
fn field(
    page: &EditablePage,
    random: &mut SplitMix64,
    fits: fn(&EditablePage, usize) -> bool,
) -> Option<Vec<usize>> {
    let mut by_path: BTreeMap<String, (Vec<usize>, BTreeSet<usize>)> = BTreeMap::new();
    for (number, tops) in page.records.iter().enumerate() {
        for &top in tops {
            for at in page.below(top) {
                if page.is_foreign(at) || !fits(page, at) {
                    continue;
                }
                let path = page.up(at).into_iter().take_while(|&up| up != top).map(|up| page.signature(up));
                let (all, records) = by_path.entry(path.collect::<Vec<_>>().join("<")).or_default();
                all.push(at);
                records.insert(number);
            }
        }
    }
    let common: Vec<Vec<usize>> = by_path
        .into_values()
        .filter(|(_, records)| 2 * records.len() >= page.records.len())
        .map(|(all, _)| all)
        .collect();
    random.choose(&common).cloned()
}
