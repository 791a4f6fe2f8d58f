//! The nodes of a record's part with what reading needs to know about them.

use super::inline_lines::InlineLines;
use copal_dom::{Node, Page};
use std::ops::Range;

/// One part of a record: its path keys and its lines.
pub(super) struct PartLayout<'a> {
    pub(super) part: Range<Node>,
    /// The path key of every node of the part.
    pub(super) keys: Vec<u64>,
    pub(super) lines: InlineLines<'a>,
}

impl PartLayout<'_> {
    /// The path key of a node of the part.
    pub(super) fn key(&self, node: Node) -> u64 {
        self.keys[(node - self.part.start) as usize]
    }

    /// The elements of the part around a node, from the inside out, without the part's own top element.
    pub(super) fn ancestors<'p>(&'p self, page: &'p Page, node: Node) -> impl Iterator<Item = Node> + 'p {
        page.tree.ancestors(node).take_while(|&up| up > self.part.start)
    }

    /// The texts of the part that are shown and not blank.
    pub(super) fn texts<'p>(&'p self, page: &'p Page) -> impl Iterator<Item = Node> + 'p {
        self.part.clone().filter(|&node| {
            page.tree.is_text(node)
                && page.styles.is_shown(node)
                && !page.tree.raw_text(node).trim().is_empty()
        })
    }
}
