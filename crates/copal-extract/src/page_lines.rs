//! The lines of a page: what a reader sees as separate texts of a block.
//!
//! In: a [`Page`]. Out: [`PageLines`], which gives the lines of any element. They are the text runs that the
//! fields of objects are made of, so that a wrapper can read a block of lines as the extraction does. O(page)
//! once, then O(log lines + lines of the element) per element.

use crate::located::GivenText;
use copal_dom::{NONE, Node, Page};
use copal_domain::TextRuns;
use std::ops::Range;

/// The lines of a page, in document order.
#[derive(Debug)]
pub struct PageLines {
    text_runs: TextRuns,
    /// The first and the last text node of each line.
    ends: Vec<(Node, Node)>,
}

impl PageLines {
    /// Reads the lines of a page.
    pub fn new(page: &Page) -> PageLines {
        let text_runs = TextRuns::new(page);
        let ends = text_runs.runs().iter().map(|run| {
            let mut leaves = text_runs.leaves(run);
            let first = leaves.next().unwrap_or(0);
            (first, leaves.last().unwrap_or(first))
        });
        PageLines { ends: ends.collect(), text_runs }
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True for pages without a visible text.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of a line.
    pub fn text(&self, line: usize) -> &str {
        self.text_runs.text(&self.text_runs.runs()[line])
    }

    /// The lines that begin in a range of nodes.
    pub fn lines_in(&self, nodes: &Range<Node>) -> Range<usize> {
        let from = self.ends.partition_point(|&(first, _)| first < nodes.start);
        let to = self.ends.partition_point(|&(first, _)| first < nodes.end);
        from..to.max(from)
    }

    /// The texts of the lines that begin in a range of nodes.
    pub fn texts_in(&self, nodes: &Range<Node>) -> Vec<GivenText> {
        self.lines_in(nodes).map(|line| GivenText::from(self.text(line).to_owned())).collect()
    }

    /// The lowest element around two lines and all between them.
    pub fn element_around(&self, page: &Page, first: usize, last: usize) -> Option<Node> {
        let (start, end) = (self.ends.get(first)?.0, self.ends.get(last)?.1);
        let around = |node: Node| page.tree.contains(node, end) && !page.tree.is_text(node);
        std::iter::successors(Some(start), |&node| Some(page.tree.parent(node)))
            .take_while(|&node| node != NONE)
            .find(|&node| around(node))
    }
}
