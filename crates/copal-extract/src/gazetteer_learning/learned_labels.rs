//! Learned labels (AMBER section 4.6, the "Area" of the example).
//!
//! In: the records of a page and the instances of one attribute in them. Out: texts right before the
//! instances of most records that are shaped like labels, with a confidence. O(nodes of the records).

use super::term_evidence::{Instance, LabelSeen};
use copal_dom::{Node, Page, tags};
use copal_domain::Domain;
use std::collections::BTreeMap;

/// Fewest records with the same label.
const MIN_LABELLED_RECORDS: usize = 3;
/// Longest label, in characters.
const MAX_LEARNED_LABEL_CHARS: usize = 30;
/// Longest label, in words.
const MAX_LEARNED_LABEL_WORDS: usize = 4;
/// Factor for a label without a colon: one page alone is never enough to learn it.
const NO_COLON_WEIGHT: f64 = 0.5;

/// Label candidates of one region. `is_other` is true for nodes whose text is a value.
pub(super) fn find_labels(
    page: &Page,
    domain: &Domain,
    instances: &[Instance],
    is_other: &dyn Fn(Node) -> bool,
) -> Vec<LabelSeen> {
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
        .map(|((text, colon), count)| LabelSeen { confidence: confidence(count, all, colon), text })
        .collect()
}

/// `share * n / (n + 1)`, half of it without a colon: `n` records have the label, a `share` of those with the
/// attribute.
fn confidence(count: usize, all: usize, colon: bool) -> f64 {
    let (n, share) = (count as f64, count as f64 / all.max(1) as f64);
    share * n / (n + 1.0) * if colon { 1.0 } else { NO_COLON_WEIGHT }
}

/// The label-shaped text right before an instance, and whether it ends with a colon.
fn before(page: &Page, instance: &Instance, is_other: &dyn Fn(Node) -> bool) -> Option<(String, bool)> {
    let text = page.text_of(instance.node);
    // "Area: Oxford" in one element
    if let Some(at) = text.find(&instance.text).filter(|&at| at > 0) {
        let start = text[..at].trim_end().strip_suffix([':', '\u{ff1a}'])?;
        let label = start.rsplit([',', ';', '|', '\u{b7}', '.']).next()?.trim();
        return is_label_shaped(label).then(|| (label.to_owned(), true));
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
        // "Save" on a button is not a label
        if in_control(up) {
            return None;
        }
        up = page.tree.parent(up);
    }
    (is_label_shaped(label) && !in_control(parent) && !is_other(parent)).then(|| (label.to_owned(), colon))
}

fn is_label_shaped(label: &str) -> bool {
    (2..=MAX_LEARNED_LABEL_CHARS).contains(&label.chars().count())
        && label.split_whitespace().count() <= MAX_LEARNED_LABEL_WORDS
        && label.starts_with(char::is_alphabetic)
        && !label
            .chars()
            .any(|c| c.is_numeric() || matches!(c, '!' | '?' | '@' | '\u{a3}' | '$' | '\u{20ac}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_recognised_by_their_shape() {
        for label in ["Area", "Nearest town", "地区", "Lage"] {
            assert!(is_label_shaped(label), "{label}");
        }
        for other in ["", "x", "3 beds", "£200", "A long sentence about the house", "New!"] {
            assert!(!is_label_shaped(other), "{other}");
        }
    }

    #[test]
    fn a_label_without_a_colon_needs_two_pages() {
        assert!(confidence(10, 10, true) > 0.9);
        assert!(confidence(1000, 1000, false) < 0.5);
        assert!(super::super::term_formulation::combined_confidence([confidence(5, 5, false); 2]) > 0.5);
    }
}
