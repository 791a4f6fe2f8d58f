//! Labels and their values: rows of tables, definitions, "Label: value", a label and what stands behind or below it.
//!
//! In: a [`Sheet`], and what the domain knows as labels. Out: [`Pair`]s in document order. A label is short and not a sentence; without a
//! colon it must be one by structure (first cell, `dt`, heading, bold before plain) or by knowledge. O(lines + nodes), each
//! value bounded.

use super::sheet::{Line, Sheet};
use copal_dom::{NONE, Node, tags};
use copal_values::labels::{bare, ends_with_colon, is_label, separating_colon};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Where a pair was read from: the role of the value (CE of section 6.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum How {
    /// A row of a table.
    Row,
    /// A definition list.
    Definition,
    /// "Label: value" in one line.
    Inline,
    /// Behind a label that ends with a colon.
    Behind,
    /// Behind a label that is known, or set apart as one.
    Known,
    /// Below a heading.
    Heading,
}

/// A label with its values.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub(super) label: String,
    /// The texts of the value, one a line.
    pub(super) values: Vec<String>,
    /// The first line of the value.
    pub(super) line: usize,
    /// Its lines, if they are its own.
    pub(super) lines: Range<usize>,
    /// The first text of the value.
    pub(super) node: Node,
    pub(super) how: How,
    /// The value is the same on most pages.
    pub(super) fixed: bool,
}

/// Most lines of a value.
const LINES: usize = 80;
/// Most siblings that are looked at.
const FEW: usize = 64;
/// Largest cell that is looked into for rows of its own.
const CELL: Node = 4000;
/// Most pairs of a page.
const MOST: usize = 600;

/// What else is known to be a label.
pub(super) type Known<'a> = &'a dyn Fn(&str) -> bool;

/// All pairs of a page.
pub(super) fn find(sheet: &Sheet<'_>, known: Known<'_>, sections: Known<'_>) -> Vec<Pair> {
    let mut reader = Reader { sheet, known, sections, pairs: Vec::new(), labels: FxHashSet::default() };
    reader.rows();
    reader.definitions();
    reader.lines();
    reader.headings();
    let mut pairs = reader.pairs;
    pairs.sort_by_key(|pair| (pair.node, pair.how));
    pairs.truncate(MOST);
    pairs
}

struct Reader<'a, 'p> {
    sheet: &'a Sheet<'p>,
    known: Known<'a>,
    /// Headings that name a section of the object.
    sections: Known<'a>,
    pairs: Vec<Pair>,
    /// Lines that are labels already.
    labels: FxHashSet<usize>,
}

impl Reader<'_, '_> {
    /// Rows of tables with a label and a value, or several of both in turn.
    fn rows(&mut self) {
        let tree = &self.sheet.page.tree;
        let rows: Vec<Node> = tree.nodes().filter(|&node| tree.tag(node) == tags::TR).collect();
        for row in rows {
            let cells: Vec<Node> = tree
                .elements(row)
                .filter(|&cell| matches!(tree.tag(cell), tags::TD | tags::TH))
                .filter(|&cell| !self.sheet.lines_of(cell).is_empty())
                .collect();
            let heads = cells.iter().filter(|&&cell| tree.tag(cell) == tags::TH).count();
            match cells.len() {
                2 if heads < 2 => self.cell_pair(cells[0], cells[1]),
                n if n >= 4 && n % 2 == 0 && self.alternate(&cells) => {
                    for two in cells.chunks(2) {
                        self.cell_pair(two[0], two[1]);
                    }
                }
                3 if self
                    .one_line(cells[0])
                    .is_some_and(|line| ends_with_colon(&self.sheet.lines[line].text)) =>
                {
                    self.cell_pair(cells[0], cells[1]);
                }
                _ => {}
            }
        }
    }

    /// Every other cell is set apart as a label.
    fn alternate(&self, cells: &[Node]) -> bool {
        let tree = &self.sheet.page.tree;
        cells.chunks(2).all(|two| {
            let Some(line) = self.one_line(two[0]) else { return false };
            let text = &self.sheet.lines[line].text;
            (ends_with_colon(text)
                || tree.tag(two[0]) == tags::TH && tree.tag(two[1]) == tags::TD
                || (self.known)(text))
                && is_label(text)
        })
    }

    fn one_line(&self, node: Node) -> Option<usize> {
        let lines = self.sheet.lines_of(node);
        (lines.len() == 1).then_some(lines.start)
    }

    fn cell_pair(&mut self, label: Node, value: Node) {
        let tree = &self.sheet.page.tree;
        let Some(line) = self.one_line(label) else { return };
        let large = tree.end(value) - value > CELL;
        let nested = large || (value..tree.end(value)).any(|inner| tree.tag(inner) == tags::TR);
        let text = &self.sheet.lines[line].text;
        if nested || !is_label(text) {
            return;
        }
        self.push(line, &text.clone(), value, How::Row);
    }

    fn definitions(&mut self) {
        let tree = &self.sheet.page.tree;
        let terms: Vec<Node> = tree.nodes().filter(|&node| tree.tag(node) == tags::DT).collect();
        for term in terms {
            let Some(line) = self.one_line(term) else { continue };
            let label = self.sheet.lines[line].text.clone();
            if !is_label(&label) {
                continue;
            }
            let mut end = tree.end(term);
            let mut start = None;
            let mut next = tree.next_sibling(term);
            while next != NONE && tree.tag(next) != tags::DT {
                if tree.tag(next) == tags::DD {
                    start = start.or(Some(next));
                    end = tree.end(next);
                }
                next = tree.next_sibling(next);
            }
            if let Some(start) = start {
                self.push_lines(line, &label, self.sheet.lines_in(&(start..end)), How::Definition);
            }
        }
    }

    fn push(&mut self, label_line: usize, label: &str, value: Node, how: How) {
        let lines = self.sheet.lines_of(value);
        self.push_lines(label_line, label, lines, how);
    }

    fn push_lines(&mut self, label_line: usize, label: &str, lines: Range<usize>, how: How) {
        let lines = lines.start..lines.end.min(lines.start + LINES);
        let Some(first) = self.sheet.lines.get(lines.start).filter(|_| !lines.is_empty()) else { return };
        self.labels.insert(label_line);
        let fixed = lines.clone().all(|line| self.sheet.is_static(line));
        let values = lines.clone().flat_map(|line| items(&self.sheet.lines[line], 0)).collect();
        self.pairs.push(Pair {
            label: bare(label).to_owned(),
            values,
            line: lines.start,
            lines,
            node: first.first(),
            how,
            fixed,
        });
    }

    /// "Label: value" in one line, and labels in lines of their own.
    fn lines(&mut self) {
        for at in 0..self.sheet.lines.len() {
            if self.labels.contains(&at) || self.pairs.len() >= MOST {
                continue;
            }
            let line = &self.sheet.lines[at];
            if self.inside(at, line) {
                continue;
            }
            // a heading's value is its section
            let tree = &self.sheet.page.tree;
            if tree.ancestors(line.first()).take(3).any(|above| tags::is_heading(tree.tag(above))) {
                continue;
            }
            let colon = ends_with_colon(&line.text);
            // tabs and menus: what stands behind a link is another one
            if !colon && in_control(self.sheet, line.first()) {
                continue;
            }
            if !is_label(&line.text) || !(colon || (self.known)(bare(&line.text)) || self.set_apart(at)) {
                continue;
            }
            self.behind(at, if colon { How::Behind } else { How::Known });
        }
    }

    /// Pairs inside of one line; false if there are none.
    fn inside(&mut self, at: usize, line: &Line) -> bool {
        if line.text.len() > 600 {
            return false;
        }
        let before = self.pairs.len();
        // the label that is open: its text, and where its value begins
        let mut open: Option<(String, usize, Node)> = None;
        for (l, leaf) in line.leaves.iter().enumerate() {
            let text = &line.text[leaf.span.clone()];
            let whole_label = is_label(text)
                && (ends_with_colon(text)
                    || l + 1 < line.leaves.len()
                        && line.leaves.len() <= 8
                        && (self.leaf_set_apart(line, l)
                            || (self.known)(bare(text)) && self.differs(line, l)));
            if whole_label {
                if let Some((label, start, node)) = open.take() {
                    self.push_text(at, &label, start..leaf.span.start, node);
                }
                if let Some(next) = line.leaves.get(l + 1) {
                    open = Some((text.to_owned(), leaf.span.end, next.node));
                }
            } else if let Some(colon) = separating_colon(text) {
                // a label behind the value before it: "… 6-1 Weight: 186" keeps what stands before its last separator
                let head = &text[..colon];
                let cut = head
                    .rfind(['|', '\u{b7}', '\u{2022}', ';', ','])
                    .map_or(0, |cut| cut + head[cut..].chars().next().map_or(1, char::len_utf8));
                let label = head[cut..].trim();
                if is_label(label) && (cut == 0 || open.is_some()) {
                    if let Some((known, start, node)) = open.take() {
                        self.push_text(at, &known, start..leaf.span.start + cut, node);
                    }
                    let behind = colon + text[colon..].chars().next().map_or(1, char::len_utf8);
                    open = Some((label.to_owned(), leaf.span.start + behind, leaf.node));
                }
            }
        }
        if let Some((label, start, node)) = open {
            self.push_text(at, &label, start..line.text.len(), node);
        }
        self.pairs.len() > before
    }

    fn push_text(&mut self, line: usize, label: &str, span: Range<usize>, node: Node) {
        let whole = &self.sheet.lines[line];
        let value = whole.text[span.clone()]
            .trim()
            .trim_start_matches([':', '|'])
            .trim_end_matches(SEPARATORS)
            .trim();
        if value.is_empty() || bare(label).is_empty() {
            return;
        }
        let fixed = self.sheet.is_static(line);
        let values =
            if span.end == whole.text.len() { items(whole, span.start) } else { vec![value.to_owned()] };
        let values = if values.len() > 1 { values } else { vec![value.to_owned()] };
        self.pairs.push(Pair {
            label: bare(label).to_owned(),
            values,
            line,
            lines: 0..0,
            node,
            how: How::Inline,
            fixed,
        });
    }

    /// A leaf looks like a label beside the rest of its line: bold or a `label`, the rest plain.
    fn leaf_set_apart(&self, line: &Line, leaf: usize) -> bool {
        let page = self.sheet.page;
        let (own, next) = (line.leaves[leaf].node, line.leaves[leaf + 1].node);
        let bold = |node| page.styles.style(node).bold;
        let fixed = self.sheet.pages < 2
            || self.sheet.leaf_is_static(&line.leaves[leaf])
                && !self.sheet.leaf_is_static(&line.leaves[leaf + 1]);
        let label = page.tree.tag(page.tree.parent(own)) == tags::LABEL;
        leaf == 0 && (label || bold(own) && !bold(next)) && fixed
    }

    /// The text is the template's and what follows is not.
    fn differs(&self, line: &Line, leaf: usize) -> bool {
        let next = &line.leaves[leaf + 1];
        let page = self.sheet.page;
        let styles = page.styles.id(line.leaves[leaf].node) != page.styles.id(next.node)
            || self.sheet.paths[line.leaves[leaf].node as usize] != self.sheet.paths[next.node as usize];
        styles && (self.sheet.pages < 2 || !self.sheet.leaf_is_static(next))
    }

    /// A line of its own that looks like a label: the template's text, alone beside one sibling that is not, in a row of such rows.
    fn set_apart(&self, at: usize) -> bool {
        let sheet = self.sheet;
        let tree = &sheet.page.tree;
        let node = wrapper(sheet, at);
        let parent = tree.parent(node);
        if parent == NONE
            || matches!(tree.tag(parent), tags::BODY | tags::HTML)
            || tags::is_heading(tree.tag(node))
        {
            return false;
        }
        let parts: Vec<Node> = tree
            .children(parent)
            .take(FEW)
            .filter(|&child| !sheet.lines_of(child).is_empty())
            .take(3)
            .collect();
        if parts.len() != 2 || parts[0] != node || sheet.lines_of(parts[1]).len() > 6 {
            return false;
        }
        let value = sheet.lines_of(parts[1]).start;
        if sheet.pages > 1 && (!sheet.is_static(at) || sheet.is_static(value)) {
            return false;
        }
        // rows of this form beside it
        let form = |row: Node| {
            let children: Vec<u64> =
                tree.elements(row).take(4).map(|child| sheet.paths[child as usize]).collect();
            (sheet.paths[row as usize], children)
        };
        let own = form(parent);
        let beside = [tree.next_sibling(parent), tree.prev_sibling(parent)];
        let near = |start: Node, forward: bool| {
            let mut node = start;
            while node != NONE && tree.is_text(node) {
                node = if forward { tree.next_sibling(node) } else { tree.prev_sibling(node) };
            }
            node
        };
        let (next, prev) = (near(beside[0], true), near(beside[1], false));
        sheet.pages > 1 || [next, prev].into_iter().any(|row| row != NONE && form(row) == own)
    }

    /// The value behind a label in a line of its own.
    fn behind(&mut self, at: usize, how: How) {
        let sheet = self.sheet;
        let tree = &sheet.page.tree;
        let mut node = wrapper(sheet, at);
        let label = sheet.lines[at].text.clone();
        // the next thing that shows something, in the element or around it
        for _ in 0..3 {
            let mut next = tree.next_sibling(node);
            for _ in 0..FEW {
                if next == NONE || !sheet.lines_of(next).is_empty() {
                    break;
                }
                next = tree.next_sibling(next);
            }
            if next == NONE {
                node = tree.parent(node);
                if node == NONE
                    || matches!(tree.tag(node), tags::BODY | tags::TR | tags::DL | tags::UL | tags::LI)
                {
                    return;
                }
                continue;
            }
            let lines = sheet.lines_of(next);
            let text = &sheet.lines[lines.start].text;
            if in_button(sheet, sheet.lines[lines.start].first()) {
                return;
            }
            if ends_with_colon(text) && is_label(text) || tags::is_heading(tree.tag(next)) {
                return;
            }
            let labels = lines.clone().skip(1).take(LINES).find(|&line| {
                let text = &sheet.lines[line].text;
                (ends_with_colon(text) || (self.known)(bare(text)) || separating_colon(text).is_some())
                    && is_label(head(text))
            });
            let end = labels.unwrap_or(lines.end).min(lines.start + 30);
            // a large block behind a label is not its value as a whole
            let end = if how == How::Known && lines.len() > 12 { lines.start + 1 } else { end };
            self.push_lines(at, &label, lines.start..end, how);
            return;
        }
    }

    /// Sections: a heading and what stands below it, up to the next one of its level.
    fn headings(&mut self) {
        let sheet = self.sheet;
        let tree = &sheet.page.tree;
        let headings: Vec<Node> = tree.nodes().filter(|&node| tags::is_heading(tree.tag(node))).collect();
        for (h, &heading) in headings.iter().enumerate() {
            let Some(line) = self.one_line(heading) else { continue };
            // a heading that differs from page to page is a name, and so is the first of a page
            let text = &sheet.lines[line].text;
            let section = (self.sections)(text);
            let template = section
                || (self.known)(bare(text))
                || if sheet.pages > 1 { sheet.is_static(line) } else { tree.tag(heading) != tags::H1 };
            let label = section || is_label(text);
            if self.labels.contains(&line) || !label || !template || self.pairs.len() >= MOST {
                continue;
            }
            let mut holder = heading;
            // a heading alone in its box heads what stands beside the box
            while tree.parent(holder) != NONE
                && sheet.lines_of(tree.parent(holder)) == sheet.lines_of(heading)
            {
                holder = tree.parent(holder);
            }
            let next = headings[h + 1..].iter().find(|&&next| tree.tag(next) <= tree.tag(heading));
            let parent = tree.parent(holder);
            let end = if parent == NONE { tree.end(holder) } else { tree.end(parent) };
            let end = next.map_or(end, |&next| end.min(next));
            let lines = sheet.lines_in(&(tree.end(holder)..end));
            let label = sheet.lines[line].text.clone();
            self.push_lines(line, &label, lines, How::Heading);
            self.labels.remove(&line);
        }
    }
}

/// In a link or button.
pub(super) fn in_control(sheet: &Sheet<'_>, text: Node) -> bool {
    let tree = &sheet.page.tree;
    tree.ancestors(text).take(4).any(|above| matches!(tree.tag(above), tags::A | tags::BUTTON))
}

/// A button does something; it is no value.
pub(super) fn in_button(sheet: &Sheet<'_>, node: Node) -> bool {
    let tree = &sheet.page.tree;
    std::iter::once(node).chain(tree.ancestors(node)).take(5).any(|above| tree.tag(above) == tags::BUTTON)
}

/// The outermost element that shows nothing but the line; the line's text if its element shows more.
fn wrapper(sheet: &Sheet<'_>, at: usize) -> Node {
    let tree = &sheet.page.tree;
    let line = &sheet.lines[at];
    let mut node = if line.leaves.len() == 1 { line.first() } else { line.node };
    if sheet.lines_of(node) != (at..at + 1) {
        node = line.last();
    }
    loop {
        let above = tree.parent(node);
        if above == NONE || tree.tag(above) == tags::BODY || sheet.lines_of(above) != (at..at + 1) {
            return node;
        }
        node = above;
    }
}

/// What parts one value from the next.
const SEPARATORS: [char; 7] = ['|', '\u{b7}', '\u{2022}', ';', ',', '/', '\u{a0}'];

/// The values of a line from a place on: texts of several elements with nothing but separators between them, else all of it.
fn items(line: &Line, from: usize) -> Vec<String> {
    let whole = || vec![line.text[from..].to_owned()];
    let leaves: Vec<&str> = line
        .leaves
        .iter()
        .filter(|leaf| leaf.span.start >= from)
        .map(|leaf| &line.text[leaf.span.clone()])
        .collect();
    if !(3..=60).contains(&leaves.len()) {
        return whole();
    }
    let is_separator = |text: &str| {
        let text = text.trim();
        !text.contains(char::is_alphanumeric) && text.contains(SEPARATORS)
            || matches!(text, "&" | "and" | "und" | "et" | "y")
    };
    let parted =
        leaves.chunks(2).all(|two| !is_separator(two[0]) && two.get(1).is_none_or(|next| is_separator(next)));
    if !parted {
        return whole();
    }
    leaves.into_iter().step_by(2).map(|text| text.trim().to_owned()).collect()
}

/// The part of a text before its colon.
fn head(text: &str) -> &str {
    separating_colon(text).map_or(text, |colon| &text[..colon])
}
