//! The description and the price of an object that nothing names.
//!
//! In: a page and its headline. Out: the lines of the longest running text, and the line of the price that is
//! nearest to the headline. O(lines).

use super::detail_page::DetailPage;
use super::reported_area::price_near;
use copal_dom::{NONE, Node};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Shortest paragraph of a description, in bytes.
const MIN_DESCRIPTION_BYTES: usize = 80;
/// Lines between two paragraphs of one description.
const MAX_PARAGRAPH_GAP: usize = 2;
/// Paragraphs of a description.
const MAX_PARAGRAPHS: usize = 20;

/// The lines of the description: paragraphs with one parent that have the most text together. Text after the
/// headline is preferred.
pub(super) fn description(page: &DetailPage<'_>, headline: Option<usize>) -> Option<Range<usize>> {
    let mut blocks: FxHashMap<Node, (usize, Range<usize>)> = FxHashMap::default();
    for (at, line) in page.lines.iter().enumerate() {
        let is_short = line.text.len() < MIN_DESCRIPTION_BYTES;
        if line.outside || line.doubtful || is_short || page.is_static(at) || line.text.contains('\u{a9}') {
            continue;
        }
        let block = paragraph_block(page, at);
        let known = blocks.entry(block).or_insert((0, at..at));
        if at <= known.1.end + MAX_PARAGRAPH_GAP && known.1.len() < MAX_PARAGRAPHS {
            *known = (known.0 + line.text.len(), known.1.start..at + 1);
        }
    }
    let weight = |(bytes, lines): &(usize, Range<usize>)| {
        let is_before = headline.is_some_and(|headline| lines.start < headline);
        (if is_before { bytes / 3 } else { *bytes }, std::cmp::Reverse(lines.start))
    };
    blocks.into_values().max_by_key(weight).map(|(_, lines)| lines)
}

/// The element around a paragraph and its neighbours: the parent of the outermost element that shows only
/// this line.
fn paragraph_block(page: &DetailPage<'_>, at: usize) -> Node {
    let tree = &page.dom.tree;
    let mut node = page.lines[at].node;
    loop {
        let above = tree.parent(node);
        if above == NONE || page.lines_of(above) != (at..at + 1) {
            return if above == NONE { node } else { above };
        }
        node = above;
    }
}

/// The line of the price near the headline.
pub(super) fn price(page: &DetailPage<'_>, headline: Option<usize>) -> Option<usize> {
    let is_own = |at: usize| {
        let line = &page.lines[at];
        !line.outside && !line.doubtful && !page.is_static(at)
    };
    price_near(page, headline?, &is_own)
}
