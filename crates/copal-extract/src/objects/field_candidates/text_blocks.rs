//! Lines of a long value as the texts that the page shows: the lines of one item or paragraph are one text.

use super::super::detail_page::DetailPage;
use copal_dom::{Node, tags};
use std::ops::Range;

/// Minimum number of letters of a long value. A shorter text is a heading of its first part.
pub(super) const MIN_LONG_VALUE_LETTERS: usize = 25;
/// Shortest line that is a paragraph of its own, in bytes.
const MIN_PARAGRAPH_LINE_BYTES: usize = 60;
/// Elements around a line that are searched for its item or paragraph.
const BLOCK_LEVELS: usize = 6;

/// Joins lines to blocks.
pub(super) fn join_blocks(page: &DetailPage<'_>, lines: Range<usize>) -> Vec<String> {
    let tree = &page.dom.tree;
    let mut blocks: Vec<(Node, String)> = Vec::new();
    for line in &page.lines[lines] {
        let block = tree
            .ancestors(line.first())
            .take(BLOCK_LEVELS)
            .find(|&above| matches!(tree.tag(above), tags::LI | tags::P | tags::TR | tags::DD))
            .unwrap_or(line.first());
        match blocks.last_mut() {
            // Long lines of one element are paragraphs that are separated by line breaks.
            Some((last, text))
                if *last == block && text.len().min(line.text.len()) < MIN_PARAGRAPH_LINE_BYTES =>
            {
                text.push(' ');
                text.push_str(&line.text);
            }
            _ => blocks.push((block, line.text.clone())),
        }
    }
    blocks.into_iter().map(|(_, text)| text).collect()
}
