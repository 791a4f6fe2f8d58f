//! Column names from HTML classes.
//!
//! In: the sample node of a column. Out: the class word that describes it best, if any. O(ancestors within
//! the record).

use super::snake_case::snake_case;
use copal_dom::{NONE, Node, Page, attrs, stable_classes};
use rustc_hash::FxHashSet;

/// How many ancestors are searched for a better word after a word about layout was found.
const MAX_CLASS_DISTANCE: usize = 3;
/// Ancestors with more texts describe a group of fields, not one field.
const MAX_CLASS_LEAVES: u32 = 3;
/// Class words about layout and appearance. They do not say what a value is.
const LAYOUT_WORDS: &[&str] = &[
    "active",
    "align",
    "block",
    "body",
    "bold",
    "bottom",
    "box",
    "card",
    "cell",
    "center",
    "clear",
    "clearfix",
    "col",
    "cols",
    "column",
    "columns",
    "container",
    "content",
    "contents",
    "ellipsis",
    "even",
    "field",
    "first",
    "flex",
    "float",
    "fluid",
    "font",
    "grid",
    "group",
    "hidden",
    "hide",
    "holder",
    "inline",
    "inner",
    "item",
    "items",
    "label",
    "large",
    "last",
    "layout",
    "lead",
    "left",
    "lg",
    "line",
    "link",
    "list",
    "main",
    "margin",
    "mb",
    "md",
    "media",
    "medium",
    "middle",
    "mr",
    "mt",
    "muted",
    "no",
    "normal",
    "nowrap",
    "odd",
    "outer",
    "padding",
    "panel",
    "pull",
    "right",
    "row",
    "section",
    "semibold",
    "sm",
    "small",
    "span",
    "strong",
    "style",
    "table",
    "text",
    "top",
    "truncate",
    "underline",
    "upper",
    "util",
    "value",
    "visible",
    "widget",
    "width",
    "wrap",
    "wrapper",
    "xl",
    "xs",
];

/// The last descriptive class word of the nearest element that has one, from the sample up to the record. If
/// there is none near the sample, the nearest word about layout: a poor name is still more stable than a
/// position.
pub(super) fn class_name(page: &Page, tops: &FxHashSet<Node>, sample: Node) -> Option<String> {
    // `card__price--big` is block, element, modifier; the element is the name
    let element = |word: &str| {
        let word = word.split("--").next().unwrap_or(word);
        snake_case(word.rsplit("__").next().unwrap_or(word))
    };
    let is_descriptive = |word: &String| {
        let describes = |part: &str| {
            part.len() > 1 && !LAYOUT_WORDS.contains(&part) && !part.contains(|c: char| c.is_ascii_digit())
        };
        word.split('_').any(describes)
    };
    let mut layout_word: Option<String> = None;
    let mut distance = 0;
    let mut at = sample;
    let crowded = |node: Node| page.index.leaves(&(node..page.tree.end(node))) > MAX_CLASS_LEAVES;
    while at != NONE
        && !tops.contains(&at)
        && (layout_word.is_none() || distance < MAX_CLASS_DISTANCE && !crowded(at))
    {
        if let Some(class) = page.tree.attr(at, attrs::CLASS) {
            if let Some(name) = stable_classes(class).filter_map(element).filter(is_descriptive).last() {
                return Some(name);
            }
            layout_word = layout_word.or_else(|| stable_classes(class).filter_map(element).last());
        }
        distance += 1;
        at = page.tree.parent(at);
    }
    layout_word
}
