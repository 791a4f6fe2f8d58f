//! Units in elements of their own: `<b>8</b><span>reviews</span>`.
//!
//! In: column drafts in the order of their positions. Out: the drafts without those that only say what the
//! numbers before them count; the unit becomes the label of the numbers. Singular and plural are one unit.
//! O(cells).

use super::column_draft::{ColumnDraft, DraftCell};
use copal_model::CellSource;
use rustc_hash::FxHashMap;

/// Fewer records do not show that a word is a unit.
const MIN_UNIT_RECORDS: usize = 4;
/// Shortest unit, in characters; shorter words connect numbers.
const MIN_UNIT_CHARS: usize = 3;
/// How much longer than its singular a plural is, in characters.
const MAX_PLURAL_SUFFIX: usize = 3;

/// Drops the columns of units; see the module.
pub(super) fn without_unit_columns(drafts: Vec<ColumnDraft>) -> Vec<ColumnDraft> {
    let mut out: Vec<ColumnDraft> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let numbers = out.iter_mut().rev().find(|before| before.source == CellSource::Text);
        if let Some(numbers) = numbers
            && numbers.label.is_none()
            && let Some(unit) = unit_after(numbers, &draft)
        {
            numbers.label = Some(unit);
        } else {
            out.push(draft);
        }
    }
    out
}

/// The unit, if all texts of `draft` are forms of one word that follow a number.
fn unit_after(numbers: &ColumnDraft, draft: &ColumnDraft) -> Option<String> {
    if draft.source != CellSource::Text || draft.cells.len() < MIN_UNIT_RECORDS {
        return None;
    }
    let longest = draft.cells.iter().map(DraftCell::text).max_by_key(|text| text.len())?.trim();
    let is_form = |text: &str| {
        let text = text.trim();
        let common = text.chars().zip(longest.chars()).take_while(|(a, b)| a == b).count();
        text.chars().all(char::is_alphabetic)
            && common >= MIN_UNIT_CHARS
            && longest.chars().count() - common <= MAX_PLURAL_SUFFIX
            && text.chars().count() - common <= MAX_PLURAL_SUFFIX
    };
    let is_number = |text: &str| {
        text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '+' | '\u{a0}'))
    };
    let before: FxHashMap<usize, &DraftCell> = numbers.cells.iter().map(|cell| (cell.record, cell)).collect();
    let follows = |cell: &DraftCell| {
        before.get(&cell.record).is_some_and(|number| {
            number.position < cell.position
                && cell.position - number.position <= 2
                && is_number(number.text())
        })
    };
    let all = draft.cells.iter().all(|cell| is_form(cell.text()) && follows(cell));
    all.then(|| longest.to_lowercase())
}

#[cfg(test)]
mod tests {
    use crate::{Request, extract};
    use copal_dom::{Limits, Page};

    #[test]
    fn a_unit_after_a_number_names_it() {
        let items: String = (1..=8)
            .map(|n| {
                let unit = if n == 1 { "shop" } else { "shops" };
                format!(
                    "<li><h3><a href=/l{n}>Lamp number {n}</a></h3><p><b>{n}</b><span>{unit}</span></p></li>"
                )
            })
            .collect();
        let page = Page::from_text(&format!("<body><ul>{items}</ul>"), &Limits::default());
        let answer = extract(&page, &Request::default());
        let list = answer.primary().expect("a list");
        let names: Vec<&str> = list.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["url", "title", "shops"]);
    }
}
