//! The text runs of a page (AMBER section 4.2, "element clob"): its visible text, split where no value
//! may span.
//!
//! In: a [`Page`]. Out: [`TextRuns`]: the text between entity-breaking elements (Definition 3: blocks, list
//! items, table parts, `br`, images and controls), with white space collapsed, and for every byte the text
//! node it comes from. Sibling elements of one kind are separate runs even without a space between them. A
//! value may span `<b>300</b> <i>GBP</i>`, but never two table cells. O(nodes + text).

use copal_dom::style::Display;
use copal_dom::{NONE, Node, Page, tags};
use copal_values::numbers::is_currency_sign;
use std::ops::Range;

/// How two texts of one line without a space between them are joined.
enum TextJoint {
    /// Nothing: they are one word.
    None,
    /// A space: elements of different kinds, usually separated by their style.
    Space,
    /// The end of the run: elements of one kind are items next to each other.
    Break,
}

/// The visible text of a page, as text runs; see the module.
#[derive(Debug, Clone, Default)]
pub struct TextRuns {
    text: String,
    runs: Vec<Range<usize>>,
    /// Where in `text` each text node begins, in order.
    leaves: Vec<(usize, Node)>,
    /// Whether the text of each of them has a digit.
    has_digit: Vec<bool>,
}

impl TextRuns {
    /// Reads the text of a page.
    pub fn new(page: &Page) -> TextRuns {
        let tree = &page.tree;
        let mut text_runs = TextRuns::default();
        let mut start = 0;
        let mut broken = true;
        // The ends of the blocks around the current node, the innermost last.
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
                } else if separates_values(page, node) {
                    broken = true;
                }
                continue;
            }
            if page.index.leaves(&(node..node + 1)) == 0 {
                // White space between two inline texts is a space.
                text_runs.space(start);
                continue;
            }
            if !broken {
                match text_runs.joint(page, start, node) {
                    TextJoint::None => {}
                    TextJoint::Space => text_runs.space(start),
                    TextJoint::Break => broken = true,
                }
            }
            if broken {
                text_runs.end_run(start);
                start = text_runs.text.len();
                broken = false;
            }
            text_runs.push(start, node, tree.raw_text(node));
        }
        text_runs.end_run(start);
        text_runs
    }

    /// How a text is joined to the one before it if there is nothing between them.
    fn joint(&self, page: &Page, start: usize, node: Node) -> TextJoint {
        let tree = &page.tree;
        let ends = self.text[start..].chars().next_back().filter(|c| c.is_alphanumeric());
        let begins =
            tree.raw_text(node).chars().next().filter(|c| c.is_alphanumeric() || is_currency_sign(*c));
        let (Some(ends), Some(begins), Some(&(_, last))) = (ends, begins, self.leaves.last()) else {
            return TextJoint::None;
        };
        // The sibling elements that contain the two texts. A text next to an element continues in it.
        let mut right = node;
        while tree.parent(right) != NONE && !tree.contains(tree.parent(right), last) {
            right = tree.parent(right);
        }
        let left = tree.prev_sibling(right);
        if left == NONE || tree.is_text(left) || tree.is_text(right) {
            return TextJoint::None;
        }
        if begins.is_alphanumeric()
            && tree.tag(left) == tree.tag(right)
            && page.index.class(left) == page.index.class(right)
        {
            return TextJoint::Break;
        }
        if ends.is_alphabetic() || !begins.is_numeric() { TextJoint::Space } else { TextJoint::None }
    }

    fn push(&mut self, start: usize, node: Node, text: &str) {
        let mut begun = false;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            if length == 0 {
                self.space(start);
                rest = &rest[c.len_utf8()..];
                continue;
            }
            if !begun {
                self.leaves.push((self.text.len(), node));
                self.has_digit.push(text.bytes().any(|byte| byte.is_ascii_digit()));
                begun = true;
            }
            self.text.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }

    fn space(&mut self, start: usize) {
        if self.text.len() > start && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// Ends the run that began at `start`.
    fn end_run(&mut self, start: usize) {
        let end = start + self.text[start..].trim_end().len();
        if end > start {
            self.runs.push(start..end);
        }
    }

    /// The text runs in document order, as ranges of [`TextRuns::text`].
    pub fn runs(&self) -> &[Range<usize>] {
        &self.runs
    }

    /// The text of a range.
    pub fn text(&self, span: &Range<usize>) -> &str {
        &self.text[span.clone()]
    }

    /// The text nodes that a range touches, in document order.
    pub fn leaves(&self, span: &Range<usize>) -> impl Iterator<Item = Node> + '_ {
        self.leaves_with_digits(span).map(|(node, _)| node)
    }

    /// The same, each with whether its whole text has a digit.
    pub(crate) fn leaves_with_digits(&self, span: &Range<usize>) -> impl Iterator<Item = (Node, bool)> + '_ {
        let first = self.leaves.partition_point(|&(at, _)| at <= span.start).saturating_sub(1);
        let end = span.end;
        let leaves = self.leaves[first..].iter().zip(&self.has_digit[first..]);
        leaves.take_while(move |&(&(at, _), _)| at < end).map(|(&(_, node), &has_digit)| (node, has_digit))
    }

    /// The text node that a byte comes from, and the text of that node before the byte. `None` for a byte
    /// before all texts.
    pub fn position(&self, at: usize) -> Option<(Node, &str)> {
        let leaf = self.leaves.partition_point(|&(start, _)| start <= at).checked_sub(1)?;
        let (start, node) = self.leaves[leaf];
        Some((node, &self.text[start..at]))
    }

    /// The lowest element that contains all of the range.
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

/// True for inline elements that show something of their own, which separates values.
fn separates_values(page: &Page, node: Node) -> bool {
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
    use super::TextRuns;
    use copal_dom::{Limits, Page, tags};

    fn runs(html: &str) -> Vec<String> {
        let text_runs = TextRuns::new(&Page::from_text(html, &Limits::default()));
        text_runs.runs().iter().map(|run| text_runs.text(run).to_owned()).collect()
    }

    #[test]
    fn inline_elements_join_and_blocks_separate() {
        assert_eq!(runs("<p><b>300</b> <i>GBP</i></p>"), ["300 GBP"]);
        assert_eq!(runs("<p>300<i>GBP</i></p>"), ["300GBP"]);
        assert_eq!(runs("<table><tr><td>300</td><td>GBP</td></tr></table>"), ["300", "GBP"]);
        assert_eq!(
            runs("a<br>b<img>c<div>d</div>e <span style='display:inline-block'>f</span>"),
            ["a", "b", "c", "d", "e", "f"]
        );
        assert_eq!(runs("<p>Price:  \n <span>  300 GBP </span></p><p hidden>x</p>"), ["Price: 300 GBP"]);
    }

    #[test]
    fn a_span_knows_its_element() {
        let page = Page::from_text("<div id=d><p>x <b>300</b> <i>GBP</i> y</p></div>", &Limits::default());
        let text_runs = TextRuns::new(&page);
        let at = |text: &str| {
            let start = text_runs.text(&text_runs.runs()[0]).find(text).unwrap();
            page.tree.tag(text_runs.element(&page, &(start..start + text.len())))
        };
        assert_eq!(at("300"), tags::B);
        assert_eq!(at("GBP"), tags::I);
        assert_eq!(at("300 GBP"), tags::P);
        assert_eq!(at("x 300"), tags::P);
    }
}
