//! The element clob (AMBER section 4.2): the visible text of a page, cut where no value may span.
//!
//! In: a [`Page`]. Out: [`TextRun`]: pieces of text between entity-breaking elements (Definition 3: blocks, list items,
//! table parts, `br`, images and controls), white space collapsed, sibling elements of one kind
//! apart even where no space stands between them, and for every byte the text node it comes from. A
//! value may span `<b>300</b> <i>GBP</i>`, but never two table cells. O(nodes + text).

use copal_dom::style::Display;
use copal_dom::{NONE, Node, Page, tags};
use std::ops::Range;

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20cf}')
}

/// What stands between two texts of one line without a space.
enum Joint {
    /// Nothing: they are one word.
    None,
    /// A space: elements of different kinds, mostly set apart by their style.
    Space,
    /// The end of the piece: elements of one kind are items beside each other.
    Break,
}

/// The visible text of a page in pieces; see the module.
#[derive(Debug, Clone, Default)]
pub struct TextRun {
    text: String,
    pieces: Vec<Range<usize>>,
    /// Where in `text` each text node's part begins, in order.
    leaves: Vec<(usize, Node)>,
}

impl TextRun {
    /// Reads the text of a page.
    pub fn new(page: &Page) -> TextRun {
        let tree = &page.tree;
        let mut clob = TextRun::default();
        let mut start = 0;
        let mut broken = true;
        // ends of the blocks around the current node, innermost last
        let mut blocks: Vec<Node> = Vec::new();
        for node in tree.nodes() {
            while blocks.last().is_some_and(|&end| node >= end) {
                blocks.pop();
                broken = true;
            }
            if !page.styles.is_shown(node) {
                continue;
            }
            if !tree.is_text(node) {
                if page.styles.display(node) == Display::Block {
                    broken = true;
                    blocks.push(tree.end(node));
                } else if is_separator(page, node) {
                    broken = true;
                }
                continue;
            }
            if page.index.leaves(&(node..node + 1)) == 0 {
                // white space between two inline texts is a space
                clob.space(start);
                continue;
            }
            if !broken {
                match clob.joint(page, start, node) {
                    Joint::None => {}
                    Joint::Space => clob.space(start),
                    Joint::Break => broken = true,
                }
            }
            if broken {
                clob.cut(start);
                start = clob.text.len();
                broken = false;
            }
            clob.push(start, node, tree.raw_text(node));
        }
        clob.cut(start);
        clob
    }

    /// How a text is joined to the one before it when nothing stands between them.
    fn joint(&self, page: &Page, start: usize, node: Node) -> Joint {
        let tree = &page.tree;
        let ends = self.text[start..].chars().next_back().filter(|c| c.is_alphanumeric());
        let begins = tree.raw_text(node).chars().next().filter(|c| c.is_alphanumeric() || is_currency(*c));
        let (Some(ends), Some(begins), Some(&(_, last))) = (ends, begins, self.leaves.last()) else {
            return Joint::None;
        };
        // the elements side by side that the two texts are in; a text beside an element goes on in it
        let mut right = node;
        while tree.parent(right) != NONE && !tree.contains(tree.parent(right), last) {
            right = tree.parent(right);
        }
        let left = tree.prev_sibling(right);
        if left == NONE || tree.is_text(left) || tree.is_text(right) {
            return Joint::None;
        }
        if begins.is_alphanumeric()
            && tree.tag(left) == tree.tag(right)
            && page.index.class(left) == page.index.class(right)
        {
            return Joint::Break;
        }
        if ends.is_alphabetic() || !begins.is_numeric() { Joint::Space } else { Joint::None }
    }

    fn push(&mut self, start: usize, node: Node, text: &str) {
        let mut begun = false;
        for c in text.chars() {
            if c.is_whitespace() {
                self.space(start);
                continue;
            }
            if !begun {
                self.leaves.push((self.text.len(), node));
                begun = true;
            }
            self.text.push(c);
        }
    }

    fn space(&mut self, start: usize) {
        if self.text.len() > start && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// Ends the piece that began at `start`.
    fn cut(&mut self, start: usize) {
        let end = start + self.text[start..].trim_end().len();
        if end > start {
            self.pieces.push(start..end);
        }
    }

    /// The pieces in document order, as ranges of [`TextRun::text`].
    pub fn pieces(&self) -> &[Range<usize>] {
        &self.pieces
    }

    /// The text of a range.
    pub fn text(&self, span: &Range<usize>) -> &str {
        &self.text[span.clone()]
    }

    /// The text nodes that a range touches, in document order.
    pub fn leaves(&self, span: &Range<usize>) -> impl Iterator<Item = Node> + '_ {
        let first = self.leaves.partition_point(|&(at, _)| at <= span.start).saturating_sub(1);
        let end = span.end;
        self.leaves[first..].iter().take_while(move |&&(at, _)| at < end).map(|&(_, node)| node)
    }

    /// The text node that a byte comes from, and the text of that node before the byte. None for a byte before all texts.
    pub fn position(&self, at: usize) -> Option<(Node, &str)> {
        let leaf = self.leaves.partition_point(|&(start, _)| start <= at).checked_sub(1)?;
        let (start, node) = self.leaves[leaf];
        Some((node, &self.text[start..at]))
    }

    /// The lowest element that holds the range whole.
    pub fn element(&self, page: &Page, span: &Range<usize>) -> Node {
        let mut leaves = self.leaves(span);
        let first = leaves.next().unwrap_or(0);
        let last = leaves.last().unwrap_or(first);
        let mut element = page.tree.parent(first);
        while !page.tree.contains(element, last) {
            element = page.tree.parent(element);
        }
        element
    }
}

/// Inline elements that show something of their own stand between values.
fn is_separator(page: &Page, node: Node) -> bool {
    matches!(
        page.tree.tag(node),
        tags::BR
            | tags::HR
            | tags::IMG
            | tags::INPUT
            | tags::BUTTON
            | tags::SELECT
            | tags::TEXTAREA
            | tags::SVG
    )
}

#[cfg(test)]
mod tests {
    use super::TextRun;
    use copal_dom::{Limits, Page, tags};

    fn pieces(html: &str) -> Vec<String> {
        let clob = TextRun::new(&Page::from_text(html, &Limits::default()));
        clob.pieces().iter().map(|piece| clob.text(piece).to_owned()).collect()
    }

    #[test]
    fn inline_elements_join_and_blocks_part() {
        assert_eq!(pieces("<p><b>300</b> <i>GBP</i></p>"), ["300 GBP"]);
        assert_eq!(pieces("<p>300<i>GBP</i></p>"), ["300GBP"]);
        assert_eq!(pieces("<table><tr><td>300</td><td>GBP</td></tr></table>"), ["300", "GBP"]);
        assert_eq!(
            pieces("a<br>b<img>c<div>d</div>e <span style='display:inline-block'>f</span>"),
            ["a", "b", "c", "d", "e", "f"]
        );
        assert_eq!(pieces("<p>Price:  \n <span>  300 GBP </span></p><p hidden>x</p>"), ["Price: 300 GBP"]);
    }

    #[test]
    fn a_span_knows_its_element() {
        let page = Page::from_text("<div id=d><p>x <b>300</b> <i>GBP</i> y</p></div>", &Limits::default());
        let clob = TextRun::new(&page);
        let at = |text: &str| {
            let start = clob.text(&clob.pieces()[0]).find(text).unwrap();
            page.tree.tag(clob.element(&page, &(start..start + text.len())))
        };
        assert_eq!(at("300"), tags::B);
        assert_eq!(at("GBP"), tags::I);
        assert_eq!(at("300 GBP"), tags::P);
        assert_eq!(at("x 300"), tags::P);
    }
}
