//! A detail page as lines of text, and which of them the other pages of its template also show (thesis
//! section 6.3, Algorithm 7).
//!
//! In: pages of one template. Out: one [`DetailPage`] per page: its lines of visible text in document order,
//! each with its tag path and, per text node, the number of pages that show the same text at that path.
//! Algorithm 7 compares all pairs of pages node by node. Here texts are counted by (path, text) instead, so
//! an inserted block does not shift what follows it, and the cost is linear in the pages together.

use super::tag_paths::{hash_beginning, tag_paths};
use copal_dom::{NONE, Node, Page, attrs, push_collapsed, tags};
use copal_domain::TextRuns;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Characters of a title that are read.
const MAX_TITLE_CHARS: usize = 300;
/// Share of the template's pages that show a static text.
const STATIC_PAGE_SHARE: f64 = 0.6;
/// Elements around a text that are searched for a link or a button.
const CONTROL_LEVELS: usize = 4;

/// The share of one text node in a line.
#[derive(Debug, Clone)]
pub(super) struct LineLeaf {
    pub(super) node: Node,
    /// Its bytes in the text of the line.
    pub(super) span: Range<usize>,
    /// Pages of the template that show this text at this path.
    pub(super) page_count: u32,
}

/// A line of text: a piece of the page's text run between block boundaries.
#[derive(Debug, Clone)]
pub(super) struct PageLine {
    /// The lowest element that contains the whole line.
    pub(super) node: Node,
    pub(super) text: String,
    pub(super) leaves: Vec<LineLeaf>,
    /// Tag path of the first text node, equal on all pages of a template.
    pub(super) path: u64,
    /// The line is boilerplate, outside the data area, or belongs to a list of other objects.
    pub(super) outside: bool,
    /// The line is boilerplate or outside the data area, but it differs between the pages.
    pub(super) doubtful: bool,
    /// The line names a column of a table.
    pub(super) is_head: bool,
    /// The byte of the page's text run at which it begins.
    pub(super) start: usize,
}

impl PageLine {
    pub(super) fn first(&self) -> Node {
        self.leaves.first().map_or(self.node, |leaf| leaf.node)
    }

    pub(super) fn last(&self) -> Node {
        self.leaves.last().map_or(self.node, |leaf| leaf.node)
    }
}

/// A page as lines, one of the pages of its template.
pub(super) struct DetailPage<'p> {
    pub(super) dom: &'p Page,
    pub(super) lines: Vec<PageLine>,
    /// By node: the hash of its tag path.
    pub(super) paths: Vec<u64>,
    /// Pages of its template, this one included.
    pub(super) page_count: u32,
    pub(super) title: String,
    /// The title that the page declares for other sites (`og:title`).
    pub(super) declared_title: String,
    /// The title differs between the pages of the template.
    pub(super) title_varies: bool,
}

impl<'p> DetailPage<'p> {
    fn new(dom: &'p Page) -> DetailPage<'p> {
        let paths = tag_paths(dom);
        let text_run = TextRuns::new(dom);
        let lines = text_run.runs().iter().map(|piece| line_of(dom, &text_run, piece, &paths)).collect();
        let title = dom.title().unwrap_or_default().chars().take(MAX_TITLE_CHARS).collect();
        let tree = &dom.tree;
        let is_title = |&node: &Node| {
            [attrs::PROPERTY, attrs::NAME].iter().any(|&name| tree.attr(node, name) == Some("og:title"))
        };
        let declared = tree.nodes().filter(|&node| tree.tag(node) == tags::META).find(is_title);
        let declared_title = declared
            .and_then(|node| tree.attr(node, attrs::CONTENT))
            .unwrap_or_default()
            .chars()
            .take(MAX_TITLE_CHARS)
            .collect();
        DetailPage { dom, lines, paths, page_count: 1, title, declared_title, title_varies: true }
    }

    /// True if most pages of the template show the same text at this place.
    pub(super) fn is_static(&self, line: usize) -> bool {
        self.lines[line].leaves.iter().all(|leaf| self.leaf_is_static(leaf))
    }

    pub(super) fn leaf_is_static(&self, leaf: &LineLeaf) -> bool {
        let static_count = (STATIC_PAGE_SHARE * f64::from(self.page_count)).max(2.0);
        self.page_count > 1 && f64::from(leaf.page_count) >= static_count
    }

    /// The lines whose first text node is in a range of nodes.
    pub(super) fn lines_in(&self, nodes: &Range<Node>) -> Range<usize> {
        let from = self.lines.partition_point(|line| line.first() < nodes.start);
        let to = self.lines.partition_point(|line| line.first() < nodes.end);
        from..to.max(from)
    }

    /// The line that contains a byte of the page's text run.
    pub(super) fn line_at(&self, byte: usize) -> Option<usize> {
        self.lines.partition_point(|line| line.start <= byte).checked_sub(1)
    }

    /// The lines of an element.
    pub(super) fn lines_of(&self, node: Node) -> Range<usize> {
        self.lines_in(&(node..self.dom.tree.end(node)))
    }

    /// The line of an element that shows exactly one.
    pub(super) fn only_line_of(&self, node: Node) -> Option<usize> {
        let lines = self.lines_of(node);
        (lines.len() == 1).then_some(lines.start)
    }

    /// The lowest element around all of the lines.
    pub(super) fn element_around(&self, lines: &[usize]) -> Option<Node> {
        let tree = &self.dom.tree;
        let first = lines.iter().map(|&line| self.lines[line].first()).min()?;
        let last = lines.iter().map(|&line| self.lines[line].last()).max()?;
        let mut node = if tree.is_text(first) { tree.parent(first) } else { first };
        while node != NONE && !tree.contains(node, last) {
            node = tree.parent(node);
        }
        (node != NONE).then_some(node)
    }

    pub(super) fn is_in_link(&self, text: Node) -> bool {
        let tree = &self.dom.tree;
        tree.ancestors(text).take(CONTROL_LEVELS).any(|above| tree.tag(above) == tags::A)
    }

    pub(super) fn is_in_link_or_button(&self, text: Node) -> bool {
        let tree = &self.dom.tree;
        let mut above = tree.ancestors(text).take(CONTROL_LEVELS);
        above.any(|above| matches!(tree.tag(above), tags::A | tags::BUTTON))
    }

    /// True if a node is a button or is in one. A button does something, so its text is not a value.
    pub(super) fn is_in_button(&self, node: Node) -> bool {
        let tree = &self.dom.tree;
        let mut nodes = std::iter::once(node).chain(tree.ancestors(node)).take(1 + CONTROL_LEVELS);
        nodes.any(|node| tree.tag(node) == tags::BUTTON)
    }
}

/// Splits the pages of one template into lines and counts the texts they share.
pub(super) fn split_into_lines<'p>(pages: &[&'p Page]) -> Vec<DetailPage<'p>> {
    let mut pages: Vec<DetailPage<'p>> = pages.iter().map(|page| DetailPage::new(page)).collect();
    // a page alone shares nothing: its counts are those of new lines
    if pages.len() < 2 {
        return pages;
    }
    let mut counts: FxHashMap<(u64, u64), u32> = FxHashMap::default();
    for page in &pages {
        let keys: FxHashSet<(u64, u64)> = page
            .lines
            .iter()
            .flat_map(|line| line.leaves.iter().map(|leaf| path_and_text(page, line, leaf)))
            .collect();
        for key in keys {
            *counts.entry(key).or_default() += 1;
        }
    }
    let page_count = pages.len() as u32;
    let titles: FxHashSet<&str> = pages.iter().map(|page| page.title.as_str()).collect();
    let title_varies = titles.len() > 1;
    for page in &mut pages {
        (page.page_count, page.title_varies) = (page_count, title_varies);
        for at in 0..page.lines.len() {
            for leaf in 0..page.lines[at].leaves.len() {
                let line = &page.lines[at];
                let count = counts.get(&path_and_text(page, line, &line.leaves[leaf])).copied().unwrap_or(1);
                page.lines[at].leaves[leaf].page_count = count;
            }
        }
    }
    pages
}

/// What is counted: the path of a text together with the text.
fn path_and_text(page: &DetailPage<'_>, line: &PageLine, leaf: &LineLeaf) -> (u64, u64) {
    (page.paths[leaf.node as usize], hash_beginning(&line.text[leaf.span.clone()]))
}

fn line_of(page: &Page, text_run: &TextRuns, piece: &Range<usize>, paths: &[u64]) -> PageLine {
    let mut leaves: Vec<LineLeaf> = Vec::new();
    let text = text_run.text(piece);
    let mut from = 0;
    for node in text_run.leaves(piece) {
        let mut own = String::new();
        push_collapsed(&mut own, page.tree.raw_text(node));
        // The text run continues with this node, after at most one space.
        let rest = text[from..].trim_start();
        let start = text.len() - rest.len();
        let end = if rest.starts_with(own.as_str()) {
            start + own.len()
        } else {
            char_boundary_before(text, start + own.len())
        };
        leaves.push(LineLeaf { node, span: start..end, page_count: 1 });
        from = end;
    }
    let first = leaves.first().map_or(0, |leaf| leaf.node);
    PageLine {
        node: text_run.element(page, piece),
        text: text.to_owned(),
        leaves,
        path: paths[first as usize],
        outside: false,
        doubtful: false,
        is_head: false,
        start: piece.start,
    }
}

/// The last byte, up to this one, at which a character begins.
fn char_boundary_before(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
