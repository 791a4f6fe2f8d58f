//! Removes e-mail addresses and telephone numbers from records before they are stored.
//!
//! In: an answer and the value types to remove. Out: the same answer, in which their texts are replaced. O(text).

use crate::site_report::SiteReport;
use copal_extract::{Answer, Cell, Region};
use copal_values::{ValueType, find_values};

/// What is written in place of what was removed.
const REPLACEMENT: &str = "[redacted]";

/// Removes values of these types from all records and objects of an answer.
pub fn redact(answer: &mut Answer, types: &[ValueType]) {
    if types.is_empty() {
        return;
    }
    for region in &mut answer.regions {
        redact_region(region, types);
    }
    if let Some(object) = &mut answer.object {
        for field in &mut object.fields {
            let mut is_changed = false;
            for text in &mut field.texts {
                if let Some(without) = redacted(text, types) {
                    *text = without;
                    is_changed = true;
                }
            }
            if is_changed {
                field.value = None;
            }
        }
    }
}

fn redact_region(region: &mut Region, types: &[ValueType]) {
    // lists inside records are lists too, and may be nested further: a stack instead of a recursion
    let mut open: Vec<&mut Region> = vec![region];
    while let Some(region) = open.pop() {
        for record in &mut region.records {
            if let Some(text) = redacted(&record.text, types) {
                record.text = text;
            }
            record.cells.iter_mut().for_each(|cell| redact_cell(cell, types));
            open.extend(record.children.iter_mut());
        }
    }
}

fn redact_cell(cell: &mut Cell, types: &[ValueType]) {
    let mut is_changed = false;
    for text in cell.texts_mut() {
        if let Some(without) = redacted(text, types) {
            *text = without;
            is_changed = true;
        }
    }
    if is_changed {
        cell.value = None;
    }
}

/// Removes values of these types from the texts of the map of a report.
pub fn redact_report(report: &mut SiteReport, types: &[ValueType]) {
    for entry in &mut report.map {
        for text in [&mut entry.item.reason, &mut entry.outcome] {
            if let Some(without) = redacted(text, types) {
                *text = without;
            }
        }
    }
}

/// The text without values of these types; `None` if there are none.
pub fn redacted(text: &str, types: &[ValueType]) -> Option<String> {
    let is_link =
        |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    if (types.contains(&ValueType::Email) && is_link("mailto:"))
        || (types.contains(&ValueType::Phone) && is_link("tel:"))
    {
        return Some(REPLACEMENT.to_owned());
    }
    let mut found = find_values(text);
    found.retain(|one| types.contains(&one.value_type));
    if found.is_empty() {
        return None;
    }
    found.sort_by_key(|one| one.span.start);
    let (mut without, mut end) = (String::new(), 0);
    for one in found {
        if one.span.start < end {
            continue;
        }
        without.push_str(&text[end..one.span.start]);
        without.push_str(REPLACEMENT);
        end = one.span.end;
    }
    without.push_str(&text[end..]);
    Some(without)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_asked_for_is_removed() {
        let both = [ValueType::Email, ValueType::Phone];
        assert_eq!(
            redacted("Ask Ada (ada@a.example, +44 1865 123456) about flat 7", &both).as_deref(),
            Some("Ask Ada ([redacted], [redacted]) about flat 7")
        );
        assert_eq!(
            redacted("ada@a.example or +44 1865 123456", &[ValueType::Email]).as_deref(),
            Some("[redacted] or +44 1865 123456")
        );
        assert_eq!(redacted("£250,000, 3 bedrooms", &both), None);
        assert_eq!(redacted("mailto:ada@a.example?subject=x", &both).as_deref(), Some("[redacted]"));
        assert_eq!(redacted("TEL:0123", &both).as_deref(), Some("[redacted]"));
    }
}
