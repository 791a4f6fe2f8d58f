//! Candidate labels (AMBER section 4.6, the "Area" of the example).
//!
//! In: a page's records and the instances of one attribute in them. Out: texts directly before the instances
//! of most records that have the form of labels, each with a confidence. O(nodes of the records).

use super::term_evidence::{Instance, LabelCandidate};
use copal_dom::{Node, Page, tags};
use copal_domain::Domain;
use std::collections::BTreeMap;

/// Minimum number of records with the same label.
const MIN_LABELLED_RECORDS: usize = 3;
/// Longest label, in characters and in words.
const MAX_LABEL_CHARS: usize = 30;
const MAX_LABEL_WORDS: usize = 4;
/// The weight of a label without a colon: one page alone is never enough.
const WEIGHT_WITHOUT_COLON: f64 = 0.5;

/// The candidate labels of one region. `is_other` is true for nodes whose text is a value.
pub(super) fn find(
    page: &Page,
    domain: &Domain,
    instances: &[Instance],
    is_other: &dyn Fn(Node) -> bool,
) -> Vec<LabelCandidate> {
    let mut counts: BTreeMap<(String, bool), usize> = BTreeMap::new();
    for instance in instances {
        if let Some((label, colon)) = before(page, instance, is_other) {
            *counts.entry((label, colon)).or_default() += 1;
        }
    }
    let all = instances.len();
    let known = |label: &str| {
        !domain.attributes_of_label(label).is_empty() || !domain.attributes_of_term(label).is_empty()
    };
    counts
        .into_iter()
        .filter(|((label, _), count)| *count >= MIN_LABELLED_RECORDS && 2 * count > all && !known(label))
        .map(|((text, colon), count)| LabelCandidate { confidence: confidence(count, all, colon), text })
        .collect()
}

/// `share * n / (n + 1)`, half of it without a colon: `n` records have it, a `share` of those with the
/// attribute.
fn confidence(count: usize, all: usize, colon: bool) -> f64 {
    let (n, share) = (count as f64, count as f64 / all.max(1) as f64);
    share * n / (n + 1.0) * if colon { 1.0 } else { WEIGHT_WITHOUT_COLON }
}

/// The text directly before an instance if it has the form of a label, and whether it ends with a colon.
fn before(page: &Page, instance: &Instance, is_other: &dyn Fn(Node) -> bool) -> Option<(String, bool)> {
    let text = page.text_of(instance.node);
    // "Area: Oxford" in one element
    if let Some(at) = text.find(&instance.text).filter(|&at| at > 0) {
        let start = text[..at].trim_end().strip_suffix([':', '\u{ff1a}'])?;
        let label = start.rsplit([',', ';', '|', '\u{b7}', '.']).next()?.trim();
        return has_label_form(label).then(|| (label.to_owned(), true));
    }
    let leaf = (instance.record.start..instance.node).rev().find(|&node| {
        page.tree.is_text(node) && page.styles.is_shown(node) && page.index.leaves(&(node..node + 1)) > 0
    })?;
    let parent = page.tree.parent(leaf);
    let text = page.text_of(parent);
    let label = text.trim_end_matches([':', '\u{ff1a}', ' ']);
    let colon = label.len() < text.trim_end().len();
    let in_control = |node: Node| matches!(page.tree.tag(node), tags::A | tags::BUTTON);
    let mut up = parent;
    while !colon && up > instance.record.start {
        // "Save" on a button is not a label.
        if in_control(up) {
            return None;
        }
        up = page.tree.parent(up);
    }
    (has_label_form(label) && !in_control(parent) && !is_other(parent)).then(|| (label.to_owned(), colon))
}

fn has_label_form(label: &str) -> bool {
    (2..=MAX_LABEL_CHARS).contains(&label.chars().count())
        && label.split_whitespace().count() <= MAX_LABEL_WORDS
        && label.starts_with(char::is_alphabetic)
        && !label
            .chars()
            .any(|c| c.is_numeric() || matches!(c, '!' | '?' | '@' | '\u{a3}' | '$' | '\u{20ac}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_a_form() {
        for label in ["Area", "Nearest town", "地区", "Lage"] {
            assert!(has_label_form(label), "{label}");
        }
        for other in ["", "x", "3 beds", "£200", "A long sentence about the house", "New!"] {
            assert!(!has_label_form(other), "{other}");
        }
    }

    #[test]
    fn a_label_without_a_colon_needs_two_pages() {
        assert!(confidence(10, 10, true) > 0.9);
        assert!(confidence(1000, 1000, false) < 0.5);
        assert!(super::super::term_formulation::combined_confidence([confidence(5, 5, false); 2]) > 0.5);
    }
}
