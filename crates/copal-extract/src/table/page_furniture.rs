//! Furniture: texts of a record that belong to the page and not to the record.
//!
//! In: column drafts. Out: which of them only operate or describe the page: the words of buttons, menus and
//! tooltips, and words for screen readers that repeat what everyone sees. A text that differs between records is
//! a value, wherever it is. O(cells) per draft.

use super::column_draft::ColumnDraft;
use super::inline_lines::is_assistive;
use copal_dom::{Node, Page, attrs, letters_and_digits, tags};
use copal_model::CellSource;
use rustc_hash::FxHashMap;

/// Fewer equal texts may be equal by chance.
const MIN_EQUAL_CELLS: usize = 2;
/// Fewer equal lists may be equal by chance: sizes, colours.
const MIN_EQUAL_LISTS: usize = 5;
/// Elements around a text that can be a control.
const CONTROL_LEVELS: usize = 2;
/// Elements around a text that can be a tooltip.
const TOOLTIP_LEVELS: usize = 4;
/// Columns before and after a text for screen readers that it may repeat.
const MAX_REPEATED_DISTANCE: usize = 4;
/// Letters and digits of a text that is repeated.
const MIN_REPEATED_CHARS: usize = 3;
/// Ends of class words of controls.
const CONTROL_CLASSES: &[&str] = &["btn", "button", "cta", "dropdown-item", "dropdown-link", "menu-item"];
/// Ends of class words of texts that show when a pointer is over something.
const TOOLTIP_CLASSES: &[&str] =
    &["tooltiptext", "tooltip-text", "tooltip-content", "tooltip-inner", "tooltip-body", "popover-content"];

/// True if the draft says the same in all of its records, and only operates the page: "Add to cart" on a
/// button, a menu with the same items, a tooltip.
pub(super) fn is_furniture(page: &Page, draft: &ColumnDraft) -> bool {
    if draft.source != CellSource::Text {
        return false;
    }
    let around = |levels: usize| {
        let up = page.tree.ancestors(draft.sample).take(levels);
        std::iter::once(draft.sample).chain(up).filter(|&node| !page.tree.is_text(node))
    };
    if around(TOOLTIP_LEVELS).any(|node| is_tooltip(page, node)) {
        return true;
    }
    let operates = || around(CONTROL_LEVELS).any(|node| is_control(page, node) || is_assistive(page, node));
    // a number is a value even if all records share it
    let has_digit = || draft.cells.iter().any(|cell| cell.text().contains(|c: char| c.is_ascii_digit()));
    equal_texts(draft).is_some_and(|texts| {
        let records = draft.cells.len() / texts;
        (texts > 1 && records >= MIN_EQUAL_LISTS || operates()) && !has_digit()
    })
}

/// How many texts each record has, if all records have the same ones and there are several records.
fn equal_texts(draft: &ColumnDraft) -> Option<usize> {
    let first = draft.cells[0].record;
    let texts = draft.cells.iter().take_while(|cell| cell.record == first).count();
    let records = draft.cells.len() / texts;
    let is_equal = draft.cells.len().is_multiple_of(texts)
        && records >= MIN_EQUAL_CELLS
        && draft.cells.chunks(texts).all(|cells| {
            let of_one = cells.iter().all(|cell| cell.record == cells[0].record);
            of_one && cells.iter().zip(&draft.cells).all(|(cell, other)| cell.text() == other.text())
        });
    is_equal.then_some(texts)
}

fn is_control(page: &Page, node: Node) -> bool {
    let role = page.tree.attr(node, attrs::ROLE).unwrap_or_default();
    page.tree.tag(node) == tags::BUTTON
        || matches!(role, "button" | "menuitem" | "menu" | "switch")
        || has_class(page, node, CONTROL_CLASSES)
}

fn is_tooltip(page: &Page, node: Node) -> bool {
    page.tree.attr(node, attrs::ROLE) == Some("tooltip") || has_class(page, node, TOOLTIP_CLASSES)
}

/// True if a class word is one of these, or ends with one after a dash or an underscore.
fn has_class(page: &Page, node: Node, words: &[&str]) -> bool {
    let ends = |class: &str, word: &str| {
        let before = class.len().checked_sub(word.len()).filter(|&at| class.is_char_boundary(at));
        before.is_some_and(|at| {
            class[at..].eq_ignore_ascii_case(word) && (at == 0 || class[..at].ends_with(['-', '_']))
        })
    };
    let classes = page.tree.attr(node, attrs::CLASS).unwrap_or_default();
    classes.split_ascii_whitespace().any(|class| words.iter().any(|word| ends(class, word)))
}

/// By draft: it is for screen readers only, and nearly every cell has all letters and digits of a visible
/// text next to it: "Price $ 79.00" beside `$79.00`.
pub(super) fn repeats_visible_text(page: &Page, drafts: &[ColumnDraft]) -> Vec<bool> {
    let assistive: Vec<bool> = drafts.iter().map(|draft| is_assistive_column(page, draft)).collect();
    let repeats = |c: usize| {
        let near = c.saturating_sub(MAX_REPEATED_DISTANCE)..(c + MAX_REPEATED_DISTANCE + 1).min(drafts.len());
        let visible = near.filter(|&other| !assistive[other] && drafts[other].source == CellSource::Text);
        assistive[c] && visible.into_iter().any(|other| has_texts_of(&drafts[c], &drafts[other]))
    };
    (0..drafts.len()).map(repeats).collect()
}

/// True if only screen readers read the column. Text that everyone sees is preferred.
pub(super) fn is_assistive_column(page: &Page, draft: &ColumnDraft) -> bool {
    std::iter::once(draft.sample)
        .chain(page.tree.ancestors(draft.sample).take(1))
        .any(|node| is_assistive(page, node))
}

/// True if nearly every cell of `long` contains the letters and digits of the cell of `short` in its record.
fn has_texts_of(long: &ColumnDraft, short: &ColumnDraft) -> bool {
    let cells: FxHashMap<usize, &str> = short.cells.iter().map(|cell| (cell.record, cell.text())).collect();
    let has = |record: usize, text: &str| {
        let own: String = letters_and_digits(text).collect();
        let other: String =
            cells.get(&record).map(|other| letters_and_digits(other).collect()).unwrap_or_default();
        other.len() >= MIN_REPEATED_CHARS && own.contains(&other)
    };
    let same = long.cells.iter().filter(|cell| has(cell.record, cell.text())).count();
    10 * same >= 9 * long.cells.len()
}

#[cfg(test)]
mod tests {
    use crate::{Request, extract};
    use copal_dom::{Limits, Page};

    /// The names and the first texts of the columns of a list with one item per number.
    fn columns(item: impl Fn(usize) -> String) -> Vec<String> {
        let items: String = (1..=8).map(|n| format!("<li>{}</li>", item(n))).collect();
        let page = Page::from_text(&format!("<body><ul>{items}</ul>"), &Limits::default());
        let answer = extract(&page, &Request::default());
        let list = answer.primary().expect("a list");
        (0..list.columns.len()).filter_map(|c| list.records[0].cells[c].first().map(str::to_owned)).collect()
    }

    #[test]
    fn buttons_that_some_records_have_are_not_columns() {
        let found = columns(|n| {
            let action = if n % 3 == 0 { "<button>Select options</button>" } else { "" };
            let cart = if n % 3 == 1 { "<a href=#c class='buy-btn'>Add to cart</a>" } else { "" };
            format!("<h3><a href=/lamp{n}>Lamp number {n}</a></h3><p>£{n}.50</p>{action}{cart}")
        });
        assert!(found.iter().any(|text| text == "£1.50"), "{found:?}");
        assert!(!found.iter().any(|text| text.contains("cart") || text.contains("options")), "{found:?}");
    }

    #[test]
    fn a_button_with_another_text_in_each_record_is_a_value() {
        let found = columns(|n| {
            format!("<h3><a href=/lamp{n}>Lamp number {n}</a></h3><button>Reserve {n} of {n}0</button>")
        });
        assert!(found.iter().any(|text| text == "Reserve 1 of 10"), "{found:?}");
    }

    #[test]
    fn texts_for_screen_readers_do_not_repeat_visible_ones() {
        let found = columns(|n| {
            format!(
                "<h3><a href=/lamp{n}>Lamp number {n}</a></h3><p><span>$</span><span>{n}9</span><span>.00</span></p>\
                 <p class=sr-only>Price $ {n}9.00</p><p class=visually-hidden>Regular price</p>\
                 <p class=sr-only>{n}.5 out of 10</p>"
            )
        });
        assert!(found.iter().any(|text| text == "$19.00"), "{found:?}");
        assert!(found.iter().any(|text| text == "1.5 out of 10"), "{found:?}");
        assert!(!found.iter().any(|text| text.to_lowercase().contains("price")), "{found:?}");
    }

    #[test]
    fn menus_and_tooltips_are_not_columns() {
        let found = columns(|n| {
            format!(
                "<h3><a href=/post{n}>Post number {n}</a></h3><div role=tooltip>Written on day {n}</div>\
                 <div><i>Copy</i><i>Share</i><i>Report</i><i>Mute</i><i>Block</i><i>Hide</i></div>"
            )
        });
        assert!(found.iter().all(|text| text.contains("ost")), "{found:?}");
    }

    #[test]
    fn columns_with_a_header_are_kept_even_if_constant() {
        let rows: String = (1..=8)
            .map(|n| format!("<tr><td>{n}</td><td>Issue about lamp {n}</td><td>open</td><td>Ann</td></tr>"))
            .collect();
        let html = format!(
            "<body><table><thead><tr><th>Id</th><th>Title</th><th>Status</th><th>Owner</th></tr></thead>\
             <tbody>{rows}</tbody></table>"
        );
        let page = Page::from_text(&html, &Limits::default());
        let answer = extract(&page, &Request::default());
        let list = answer.primary().expect("a list");
        let names: Vec<&str> = list.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["id", "title", "status", "owner"]);
    }
}
