//! Locators of blocks of lines: fields of an object whose values are the lines of one element.
//!
//! In: detail pages with a field of several texts. Out: locators of the elements that have these texts as
//! their lines. A block often begins with its own label or ends with a link, which the field does not have,
//! so an element that has a few other lines is accepted too. O(lines x texts of the field).

use super::candidates::{LocatorFamily, selector_candidates};
use super::column_sample::{ColumnSample, MAX_CELL_ELEMENTS};
use super::scored_locator::{LABEL_SCORE, ScoredLocator, ordinal};
use crate::apply::cells::label_before;
use crate::format::{Locator, ReadFrom};
use copal_dom::Node;
use rustc_hash::FxHashSet;

/// Minimum similarity of an element's lines and the texts of the field.
const MIN_LINE_SIMILARITY: f64 = 0.5;
/// Maximum number of lines between two texts of a field that follow each other.
const MAX_LINES_BETWEEN: usize = 3;

/// Locators of the elements whose lines are the texts of a field.
pub(super) fn line_locators(known: &[ColumnSample<'_>]) -> Vec<ScoredLocator> {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut out: Vec<ScoredLocator> = Vec::new();
    for known in known {
        let (page, Some(&scope)) = (known.sample.page, known.records.heads[0].first()) else { continue };
        for node in blocks_of_lines(known) {
            for candidate in selector_candidates(&page.tree, scope, node) {
                let locator = Locator { css: Some(candidate.css), ..Locator::default() };
                let nth = ordinal(known, 0, ReadFrom::Text, &locator, node);
                let (family, score) = if nth > 1 {
                    (LocatorFamily::Position, candidate.score * 0.6 * 0.97f64.powf(nth as f64))
                } else {
                    (candidate.family, candidate.score)
                };
                let locator = Locator { nth: (nth > 1).then_some(nth), ..locator };
                if seen.insert(format!("{locator:?}")) {
                    out.push((family, score, locator));
                }
            }
            if let Some(label) = label_before(page, node, scope) {
                let locator = Locator { label: Some(label), ..Locator::default() };
                if seen.insert(format!("{locator:?}")) {
                    out.push((LocatorFamily::Label, LABEL_SCORE, locator));
                }
            }
        }
    }
    out
}

/// The elements whose lines are nearly those of the field on a page, the most similar first.
fn blocks_of_lines(known: &ColumnSample<'_>) -> Vec<Node> {
    let (page, lines) = (known.sample.page, known.records.lines(known.sample.page));
    let texts = &known.cells[0];
    let Some(first) = texts.first() else { return Vec::new() };
    let mut found: Vec<(f64, Node)> = Vec::new();
    for start in (0..lines.len()).filter(|&line| lines.text(line) == first) {
        let mut last = start;
        for text in &texts[1..] {
            let next = last + 1..(last + 2 + MAX_LINES_BETWEEN).min(lines.len());
            last = next.into_iter().find(|&line| lines.text(line) == text).unwrap_or(last);
        }
        let Some(node) = lines.element_around(page, start, last) else { continue };
        let inside: Vec<String> =
            lines.lines_in(&(node..page.tree.end(node))).map(|line| lines.text(line).to_owned()).collect();
        let similarity = line_similarity(texts, &inside);
        if similarity >= MIN_LINE_SIMILARITY {
            found.push((similarity, node));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.dedup_by_key(|(_, node)| *node);
    found.into_iter().map(|(_, node)| node).take(MAX_CELL_ELEMENTS).collect()
}

/// The Jaccard similarity of two lists of lines.
pub(super) fn line_similarity(a: &[String], b: &[String]) -> f64 {
    let (a, b): (FxHashSet<&String>, FxHashSet<&String>) = (a.iter().collect(), b.iter().collect());
    let both = a.intersection(&b).count();
    both as f64 / (a.len() + b.len() - both).max(1) as f64
}
