//! Line text: visible text with a space where a reader sees one, and the positions of text nodes in it.
//!
//! In: a range of nodes of a [`Page`]. Out: its line text ([`line_text`]), and [`LineIndex`], which
//! translates between text nodes and byte offsets of the line text of any element. Cells are cut from line
//! text, so spans of a [`Source`] are offsets in it ([`source_text`]).
//!
//! Whether two consecutive texts touch depends only on what is between them. Hence the line text of an
//! element is a slice of the line text of the page, and one pass over the page gives the offsets in all
//! elements: O(text) once, then O(log texts) per question. Counting the text before a value in its element
//! would be quadratic in deep pages.

use copal_dom::style::Display;
use copal_dom::{NONE, Node, Page, push_collapsed, tags};
use copal_model::Source;
use std::ops::Range;

/// The visible text of nodes with a space where the page has one: highlighted parts of a word stay in it.
pub(crate) fn line_text(page: &Page, nodes: Range<Node>) -> String {
    let mut out = String::with_capacity(page.index.chars(&nodes) as usize);
    each_text(page, nodes, |_, apart, piece| {
        if apart && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(piece);
    });
    out
}

/// The visible text of nodes that span several lines, such as those of a record: as in [`line_text`],
/// highlighted parts of a word stay in it, and everything else is set apart.
pub(crate) fn record_text(page: &Page, nodes: Range<Node>) -> String {
    let mut out = String::with_capacity(page.index.chars(&nodes) as usize);
    let mut before = nodes.start;
    each_text(page, nodes, |node, apart, piece| {
        let is_in_word = || {
            !apart
                && out.ends_with(char::is_alphabetic)
                // a capital, a digit or a script without case may begin something else
                && piece.starts_with(char::is_lowercase)
                && !is_block_between(page, before, node)
        };
        if !out.is_empty() && !is_in_word() {
            out.push(' ');
        }
        out.push_str(piece);
        before = node;
    });
    out
}

/// True if a block ends or begins between two consecutive texts. O(elements between them).
fn is_block_between(page: &Page, before: Node, after: Node) -> bool {
    let tree = &page.tree;
    let is_block = |node: Node| page.styles.display(node) == Display::Block;
    // the elements that end after the first text do not contain the second one
    let ended = std::iter::successors(Some(tree.parent(before)), |node| Some(tree.parent(*node)));
    let mut ended = ended.take_while(|node| *node != NONE && tree.end(*node) <= after);
    ended.any(is_block) || (before + 1..after).any(|node| !tree.is_text(node) && is_block(node))
}

/// The visible text nodes that are not blank: the node, whether a space precedes it, and its text with white
/// space collapsed.
fn each_text(page: &Page, nodes: Range<Node>, mut visit: impl FnMut(Node, bool, &str)) {
    let tree = &page.tree;
    let mut piece = String::new();
    let (mut apart, mut ends_in_word, mut ends_in_digit) = (false, false, false);
    let mut before = nodes.start;
    for node in nodes {
        if !page.styles.is_shown(node) {
            continue;
        }
        if !tree.is_text(node) {
            apart |= tree.tag(node) == tags::BR || tree.tag(node) == tags::IMG;
            continue;
        }
        let raw = tree.raw_text(node);
        piece.clear();
        if !push_collapsed(&mut piece, raw) {
            apart |= !raw.is_empty();
            continue;
        }
        let formatted = |node: Node| tags::is_formatting(tree.tag(tree.parent(node)));
        let touch = ends_in_word && piece.starts_with(char::is_alphanumeric);
        // elements without a space between them are mostly set apart by their style, as are texts whose
        // elements a limit cut
        apart |= raw.starts_with(char::is_whitespace)
            || touch && !formatted(before) && !formatted(node)
            || ends_in_digit && is_raised_number(page, node)
            || tree.prev_sibling(node) == before;
        visit(node, apart, &piece);
        apart = raw.ends_with(char::is_whitespace);
        ends_in_word = piece.ends_with(char::is_alphanumeric);
        ends_in_digit = piece.ends_with(|c: char| c.is_ascii_digit());
        before = node;
    }
}

/// True for digits that are set above the line: cents, or the number of a footnote. They do not belong to the
/// number before them.
fn is_raised_number(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    tree.raw_text(node).trim().starts_with(|c: char| c.is_ascii_digit())
        && tree.ancestors(node).take(2).any(|up| tree.tag(up) == tags::SUP)
}

/// The text that the span of a source is an offset in: the line text of its element, or the value of its HTML
/// attribute.
///
/// ```
/// use copal_extract::{Request, extract, source_text};
/// let html = "<ul><li><a href=/1>Oak</a> 12 m<li><a href=/2>Ash</a> 9 m<li><a href=/3>Elm</a> 8 m</ul>";
/// let page = copal_dom::Page::from_text(html, &copal_dom::Limits::default());
/// for record in &extract(&page, &Request::default()).regions[0].records {
///     for text in record.cells.iter().flat_map(|cell| &cell.texts) {
///         let source = text.source.as_ref().expect("a text of the page");
///         let span = source.span.start as usize..source.span.end as usize;
///         assert_eq!(source_text(&page, source)[span], text.text);
///     }
/// }
/// ```
pub fn source_text(page: &Page, source: &Source) -> String {
    match source.attribute {
        Some(name) => page.tree.attr(source.node, name).unwrap_or_default().to_owned(),
        None => line_text(page, source.node..page.tree.end(source.node)),
    }
}

/// The range from the first to after the last text node that a source covers; `None` for an HTML attribute.
pub fn source_nodes(page: &Page, source: &Source) -> Option<Range<Node>> {
    LineIndex::of(page, source.node..page.tree.end(source.node)).nodes(source)
}

/// One text node and its bytes in the line text of all nodes.
#[derive(Debug, Clone, Copy)]
struct Piece {
    node: Node,
    start: u32,
    end: u32,
}

/// Positions of the text nodes of a page in its line text; see the module.
#[derive(Debug)]
pub(crate) struct LineIndex {
    pieces: Vec<Piece>,
}

impl LineIndex {
    pub(crate) fn new(page: &Page) -> LineIndex {
        LineIndex::of(page, page.tree.nodes())
    }

    fn of(page: &Page, nodes: Range<Node>) -> LineIndex {
        let mut pieces: Vec<Piece> = Vec::new();
        each_text(page, nodes, |node, apart, piece| {
            let before = pieces.last().map_or(0, |last: &Piece| last.end + u32::from(apart));
            pieces.push(Piece { node, start: before, end: before + piece.len() as u32 });
        });
        LineIndex { pieces }
    }

    /// The position of the first text at or after a node.
    fn from(&self, node: Node) -> usize {
        self.pieces.partition_point(|piece| piece.node < node)
    }

    /// Where the first text at or after `node` begins in the line text of `element`, which contains it.
    pub(crate) fn offset(&self, element: Node, node: Node) -> u32 {
        let start = |at: usize| self.pieces.get(at).map_or(0, |piece| piece.start);
        start(self.from(node)).saturating_sub(start(self.from(element)))
    }

    /// Bytes of the line text of a range of whole subtrees.
    pub(crate) fn len(&self, nodes: &Range<Node>) -> u32 {
        let (first, end) = (self.from(nodes.start), self.from(nodes.end));
        if first == end { 0 } else { self.pieces[end - 1].end - self.pieces[first].start }
    }

    /// The source of a text that was cut from the line text of `nodes`, a range of siblings, at `start`.
    pub(crate) fn source(&self, page: &Page, nodes: &Range<Node>, start: usize, text: &str) -> Source {
        let tree = &page.tree;
        let one = tree.end(nodes.start) == nodes.end && !tree.is_text(nodes.start);
        let node = if one { nodes.start } else { tree.parent(nodes.start) };
        let start = self.offset(node, nodes.start) + start as u32;
        Source { node, span: start..start + text.len() as u32, attribute: None }
    }

    /// The range from the first to after the last text node that a source covers; `None` for an HTML
    /// attribute.
    pub(crate) fn nodes(&self, source: &Source) -> Option<Range<Node>> {
        if source.attribute.is_some() || source.span.is_empty() {
            return None;
        }
        let first = self.from(source.node);
        let base = self.pieces.get(first)?.start;
        let (start, end) = (base + source.span.start, base + source.span.end);
        let pieces_up_to = |at: u32| first + self.pieces[first..].partition_point(|piece| piece.start <= at);
        let (from, to) = (pieces_up_to(start).checked_sub(1)?, pieces_up_to(end - 1).checked_sub(1)?);
        Some(self.pieces[from].node..self.pieces[to].node + 1)
    }
}

/// The source of a part of an HTML attribute's value; `part` must be a slice of `value`.
pub(crate) fn attribute_source(node: Node, name: copal_dom::AttrName, value: &str, part: &str) -> Source {
    let start = (part.as_ptr() as usize).saturating_sub(value.as_ptr() as usize) as u32;
    Source { node, span: start..start + part.len() as u32, attribute: Some(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;
    use proptest::prelude::*;

    const PIECES: [&str; 14] = [
        "<div>",
        "</div>",
        "<b>",
        "</b>",
        "<span>",
        "</span>",
        "<br>",
        "<img>",
        " ",
        "a",
        "7",
        ", ",
        "<i hidden>x</i>",
        "\u{200b}",
    ];

    #[test]
    fn highlighted_parts_of_a_word_stay_in_it_and_blocks_set_apart() {
        for (html, want) in [
            ("<p>The libr<b>ary</b> of <i>Al</i>exandria</p>", "The library of Alexandria"),
            ("<p>see <b>also</b></p><p><b>this</b>one</p>", "see also thisone"),
            ("<div><b>one</b><div>two</div>three</div>", "one two three"),
            ("<div><b>one</b><br>two<img>three</div>", "one two three"),
            ("<table><tr><td><b>12</b><td><b>May</b></table>", "12 May"),
            ("<p><b>£5</b><span>★★</span>(new)", "£5 ★★ (new)"),
            ("<p><span>one</span><span>two</span></p>", "one two"),
        ] {
            let page = Page::from_text(html, &Limits::default());
            assert_eq!(record_text(&page, page.tree.nodes()), want, "{html}");
        }
    }

    proptest! {
        /// The line text of an element is the slice of the page's that the index says.
        #[test]
        fn an_element_is_a_slice_of_the_page(parts in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
            let page = Page::from_text(&parts.concat(), &Limits::default());
            let tree = &page.tree;
            let whole = line_text(&page, tree.nodes());
            let index = LineIndex::new(&page);
            for node in tree.nodes() {
                let nodes = node..tree.end(node);
                let text = line_text(&page, nodes.clone());
                prop_assert_eq!(index.len(&nodes) as usize, text.len());
                if !text.is_empty() {
                    let start = index.offset(0, node) as usize;
                    prop_assert_eq!(&whole[start..start + text.len()], &text);
                    let source = index.source(&page, &nodes, 0, &text);
                    prop_assert!(!tree.is_text(source.node));
                    let span = source.span.start as usize..source.span.end as usize;
                    prop_assert_eq!(&source_text(&page, &source)[span], &text);
                    let covered = index.nodes(&source).unwrap();
                    prop_assert_eq!(source_nodes(&page, &source), Some(covered.clone()));
                    prop_assert!(covered.start >= node && covered.end <= nodes.end);
                    prop_assert_eq!(line_text(&page, covered), text);
                }
            }
        }
    }
}
