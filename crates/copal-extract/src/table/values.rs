//! The values of a record.
//!
//! In: a record's parts. Out: its values in document order, each with the key of its place. A value is a text that a
//! reader takes in at once (`lines.rs`), a link's target or an image's address. O(nodes + text).

use super::lines::{Lines, is_separator};
use super::tables::Tables;
use super::terms::Terms;
use crate::structure::element_urls::{image_value, link_value};
use crate::structure::line_text::{LineIndex, attribute_source, line_text};
use crate::structure::path_keys as keys;
use copal_dom::{AttrName, Node, Page, tags};
use copal_model::{CellSource, CellText};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The paths at which values of a region stand, each with what is read there; numbered as they are met.
#[derive(Default)]
pub(super) struct Paths {
    numbers: FxHashMap<(u64, CellSource), u32>,
}

impl Paths {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    fn number(&mut self, key: u64, source: CellSource) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry((key, source)).or_insert(next)
    }
}

/// One value of one record.
pub(super) struct Value {
    /// The number of its path.
    pub(super) path: u32,
    pub(super) source: CellSource,
    pub(super) node: Node,
    /// The term that names it.
    pub(super) term: Option<Node>,
    /// The text, and where it was read.
    pub(super) text: CellText,
    /// It goes on after a comma: a list of what else is known.
    pub(super) tail: bool,
}

/// What is known of a region before its values are read.
pub(super) struct Reading<'a> {
    pub(super) page: &'a Page,
    pub(super) lines: &'a LineIndex,
    pub(super) tables: Tables,
    pub(super) terms: Terms,
    pub(super) paths: Paths,
    /// Items of lists inside of the records, which are not read here.
    pub(super) items: &'a FxHashSet<Node>,
}

impl Reading<'_> {
    /// The values of a record in document order; cells that reach into its rows stand where they are seen.
    pub(super) fn values(&mut self, parts: &[Range<Node>]) -> Vec<Value> {
        let page = self.page;
        let mut out = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let keys = keys::keys(page, part, &mut keys::tops(number), &|above, node| self.step(above, node));
            let begin = out.len();
            self.read(part, &keys, &mut out);
            if !self.tables.any_reaching() {
                continue;
            }
            for row in part.clone().filter(|&node| page.tree.tag(node) == tags::TR) {
                for i in 0..self.tables.reaching(row).len() {
                    let cell = self.tables.reaching(row)[i];
                    if !parts.iter().any(|part| part.contains(&cell)) {
                        let above = keys[(row - part.start) as usize];
                        self.insert(cell, row, above, &mut out, begin);
                    }
                }
            }
        }
        out
    }

    /// Puts the values of a cell of a row above to those of a row, before the cells behind it.
    fn insert(&mut self, cell: Node, row: Node, above: u64, out: &mut Vec<Value>, begin: usize) {
        let page = self.page;
        let nodes = cell..page.tree.end(cell);
        let top = self.step(above, cell);
        let keys = keys::keys(page, &nodes, &mut |_| top, &|above, node| self.step(above, node));
        let mut values = Vec::new();
        self.read(&nodes, &keys, &mut values);
        let place = self.tables.place(page, cell);
        let behind = page.tree.elements(row).find(|&other| self.tables.place(page, other) > place);
        let behind = behind.unwrap_or(page.tree.end(row));
        // those of other cells from above have smaller nodes, and stand there already
        let at =
            out[begin..].iter().rposition(|value| value.node < behind).map_or(begin, |at| begin + at + 1);
        out.splice(at..at, values);
    }

    fn step(&self, above: u64, node: Node) -> u64 {
        match self.terms.of(node) {
            Some((_, words)) => keys::named_step(above, words),
            None => keys::step(self.page, above, node, |page, cell| self.tables.place(page, cell)),
        }
    }

    /// Reads the values of a part.
    fn read(&mut self, part: &Range<Node>, keys: &[u64], out: &mut Vec<Value>) {
        let page = self.page;
        let tree = &page.tree;
        let lines = Lines::new(page, part);
        // nodes before this one are inside a value that was read whole
        let mut read_to = part.start;
        let mut behind_item = part.start;
        // the term of the field that ends there
        let mut named: Option<(Node, Node)> = None;
        for (node, key) in part.clone().zip(keys.iter().copied()) {
            if self.items.contains(&node) {
                behind_item = tree.end(node);
            }
            if node < behind_item {
                continue;
            }
            if !page.styles.is_shown(node) {
                continue;
            }
            if let Some((term, _)) = self.terms.of(node) {
                named = Some((tree.end(node), term));
            }
            let term = named.filter(|&(end, _)| node < end).map(|(_, term)| term);
            let mut push = |key: u64, source: CellSource, node: Node, text: CellText, tail: bool| {
                out.push(Value { path: self.paths.number(key, source), source, node, term, text, tail });
            };
            if let Some((name, href)) = link_value(page, node) {
                push(key, CellSource::Href, node, attribute_text(page, node, name, href), false);
            } else if let Some((name, src)) = image_value(page, node) {
                push(key, CellSource::Src, node, attribute_text(page, node, name, src), false);
            }
            if node < read_to {
                continue;
            }
            if self.terms.is_label(node) {
                read_to = tree.end(node);
            } else if let Some(end) = lines.value_from(node) {
                // its key is that of its container's words, with or without elements among them
                let words = words_of(page, node, end);
                let parent = tree.parent(node);
                let inside = parent >= part.start && parent < part.end;
                let above = || keys[(parent - part.start) as usize];
                let key = if inside { keys::step(page, above(), words, |_, _| 0) } else { key };
                if let Some((text, tail)) = visible_text(page, self.lines, node..end) {
                    push(key, CellSource::Text, words, text, tail);
                }
                read_to = end;
            } else if tree.is_text(node) || lines.is_value(node) {
                if let Some((text, tail)) = visible_text(page, self.lines, node..tree.end(node)) {
                    push(key, CellSource::Text, node, text, tail);
                }
                read_to = tree.end(node);
            }
        }
    }
}

/// What sibling nodes say, and whether it goes on after a comma.
fn visible_text(page: &Page, lines: &LineIndex, nodes: Range<Node>) -> Option<(CellText, bool)> {
    let TextValue { text, start, tail } = text_value(line_text(page, nodes.clone()))?;
    let source = lines.source(page, &nodes, start, &text);
    Some((CellText { text, source: Some(source) }, tail))
}

/// A part of an HTML attribute's value.
fn attribute_text(page: &Page, node: Node, name: AttrName, part: &str) -> CellText {
    let value = page.tree.attr(node, name).unwrap_or_default();
    CellText { text: part.to_owned(), source: Some(attribute_source(node, name, value, part)) }
}

/// A text without the separators to the values before and after it.
pub(crate) struct TextValue {
    pub(crate) text: String,
    /// Bytes that were cut off before it.
    pub(crate) start: usize,
    /// It goes on after a comma.
    pub(crate) tail: bool,
}

/// The value in a line text; none if it says nothing.
pub(crate) fn text_value(text: String) -> Option<TextValue> {
    let tail = text.starts_with(',');
    let rest = text.trim_start_matches(|c: char| matches!(c, ' ' | ',' | ';') || is_separator(c));
    let start = text.len() - rest.len();
    let inner = rest.trim_end_matches(|c: char| c == ' ' || is_separator(c));
    let text = if inner.len() == text.len() { text } else { inner.to_owned() };
    says(&text).then_some(TextValue { text, start, tail })
}

/// False for texts that only separate or decorate. `$$$` and stars are values.
fn says(text: &str) -> bool {
    let symbol = |c: char| matches!(c, '\u{2605}' | '\u{2606}' | '\u{2713}' | '\u{2714}');
    text.contains(|c: char| c.is_alphanumeric() || symbol(c))
        || (2..=5).contains(&text.len()) && text.bytes().all(|b| b == b'$')
}

/// The first text of siblings.
fn words_of(page: &Page, from: Node, to: Node) -> Node {
    let mut at = from;
    while at < to && !page.tree.is_text(at) {
        at = page.tree.end(at);
    }
    if at < to { at } else { from }
}
