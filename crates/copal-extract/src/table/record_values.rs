//! The values of a record.
//!
//! In: the parts of a record. Out: its values in document order, each with the number of its path. A value is
//! a text that a reader takes in as one (see [`super::inline_lines`]), the target of a link or the URL of an
//! image. O(nodes + text).

use super::field_terms::FieldTerms;
use super::html_tables::HtmlTables;
use super::inline_lines::{InlineLines, is_separator};
use super::line_templates::LineTemplates;
use super::part_layout::PartLayout;
use super::prose_blocks::ProseBlocks;
use crate::structure::element_urls::{image_value, link_value};
use crate::structure::line_text::{LineIndex, attribute_source, line_text};
use crate::structure::path_keys as keys;
use copal_dom::{AttrName, Node, Page, tags};
use copal_model::{CellSource, CellText};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The paths of all values of a list, each with the source that is read there; numbered in the order in which
/// they occur.
#[derive(Default)]
pub(super) struct ValuePaths {
    numbers: FxHashMap<(u64, CellSource), u32>,
}

impl ValuePaths {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    fn number(&mut self, key: u64, source: CellSource) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry((key, source)).or_insert(next)
    }
}

/// One value of one record.
pub(super) struct RecordValue {
    /// The number of its path.
    pub(super) path: u32,
    pub(super) source: CellSource,
    pub(super) node: Node,
    /// The term that names it.
    pub(super) term: Option<Node>,
    /// The text, and where it was read.
    pub(super) text: CellText,
    /// The text begins with a comma: it lists further facts.
    pub(super) tail: bool,
}

/// Collects the values of the records of one list.
pub(super) struct ValueCollector<'a> {
    pub(super) page: &'a Page,
    pub(super) lines: &'a LineIndex,
    pub(super) tables: HtmlTables,
    pub(super) terms: FieldTerms,
    pub(super) paths: ValuePaths,
    /// Items of lists nested in the records. They become records of these lists, so they are skipped here.
    pub(super) nested_items: &'a FxHashSet<Node>,
    /// Elements that are read whole.
    pub(super) prose: ProseBlocks,
    /// Lines that are not.
    pub(super) templates: LineTemplates,
}

impl<'a> ValueCollector<'a> {
    /// Path keys and lines of the parts of a record.
    pub(super) fn part_layouts(&self, parts: &[Range<Node>]) -> Vec<PartLayout<'a>> {
        let page = self.page;
        let layout = |(number, part): (usize, &Range<Node>)| PartLayout {
            part: part.clone(),
            keys: keys::keys(page, part, &mut keys::tops(number), &|above, node| self.path_step(above, node)),
            lines: InlineLines::new(page, part, &|node| self.terms.is_label(node)),
        };
        parts.iter().enumerate().map(layout).collect()
    }

    /// The values of a record in document order. Cells that span into its rows are placed where a reader sees
    /// them.
    pub(super) fn record_values(&mut self, layouts: &[PartLayout<'_>]) -> Vec<RecordValue> {
        let page = self.page;
        let mut out = Vec::new();
        for layout in layouts {
            let (part, keys) = (&layout.part, &layout.keys);
            let begin = out.len();
            self.collect(layout, &mut out);
            if !self.tables.has_spanning_cells() {
                continue;
            }
            for row in part.clone().filter(|&node| page.tree.tag(node) == tags::TR) {
                for i in 0..self.tables.spanning_cells(row).len() {
                    let cell = self.tables.spanning_cells(row)[i];
                    if !layouts.iter().any(|layout| layout.part.contains(&cell)) {
                        let above = keys[(row - part.start) as usize];
                        self.insert_spanning_cell(cell, row, above, &mut out, begin);
                    }
                }
            }
        }
        out
    }

    /// Adds the values of a cell that spans into `row`, before the values of the next cell of that row.
    fn insert_spanning_cell(
        &mut self,
        cell: Node,
        row: Node,
        above: u64,
        out: &mut Vec<RecordValue>,
        begin: usize,
    ) {
        let page = self.page;
        let nodes = cell..page.tree.end(cell);
        let top = self.path_step(above, cell);
        let keys = keys::keys(page, &nodes, &mut |_| top, &|above, node| self.path_step(above, node));
        let mut values = Vec::new();
        let lines = InlineLines::new(page, &nodes, &|node| self.terms.is_label(node));
        self.collect(&PartLayout { part: nodes, keys, lines }, &mut values);
        let place = self.tables.column_number(page, cell);
        let next_cell = page.tree.elements(row).find(|&other| self.tables.column_number(page, other) > place);
        let next_cell = next_cell.unwrap_or(page.tree.end(row));
        // values of other spanning cells have smaller nodes and are already in place
        let at =
            out[begin..].iter().rposition(|value| value.node < next_cell).map_or(begin, |at| begin + at + 1);
        out.splice(at..at, values);
    }

    /// The path key of a node below the key `above`. Fields with a term are keyed by its words.
    fn path_step(&self, above: u64, node: Node) -> u64 {
        match self.terms.term_of(node) {
            Some((_, words)) => keys::named_step(above, words),
            None => keys::step(self.page, above, node, |page, cell| self.tables.column_number(page, cell)),
        }
    }

    /// Collects the values of a part.
    fn collect(&mut self, layout: &PartLayout<'_>, out: &mut Vec<RecordValue>) {
        let page = self.page;
        let tree = &page.tree;
        let PartLayout { part, keys, lines } = layout;
        // nodes before this one are inside a value that was read whole
        let mut read_to = part.start;
        let mut after_item = part.start;
        // the end of the field that is being read, and its term
        let mut named: Option<(Node, Node)> = None;
        for (node, key) in part.clone().zip(keys.iter().copied()) {
            if self.nested_items.contains(&node) {
                after_item = tree.end(node);
            }
            if node < after_item {
                continue;
            }
            if !page.styles.is_shown(node) {
                continue;
            }
            if let Some((term, _)) = self.terms.term_of(node) {
                named = Some((tree.end(node), term));
            }
            if let Some(&words) = self.templates.labels.get(&node) {
                named = Some((tree.end(node), words));
            }
            let term = named.filter(|&(end, _)| node < end).map(|(_, term)| term);
            let is_whole = self.prose.whole.contains(&node);
            let is_cut = !is_whole && self.templates.cut.contains(&node);
            let mut push = |key: u64, source: CellSource, node: Node, text: CellText, tail: bool| {
                out.push(RecordValue {
                    path: self.paths.number(key, source),
                    source,
                    node,
                    term,
                    text,
                    tail,
                });
            };
            if self.prose.inner_links.contains(&node) {
                // a word of a text, not a field
            } else if let Some((name, href)) = link_value(page, node) {
                push(key, CellSource::Href, node, attribute_text(page, node, name, href), false);
            } else if let Some((name, src)) = image_value(page, node) {
                push(key, CellSource::Src, node, attribute_text(page, node, name, src), false);
            }
            if node < read_to {
                continue;
            }
            if self.terms.is_label(node) || self.templates.constants.contains(&node) {
                read_to = tree.end(node);
            } else if let Some(end) = lines.value_end(node).filter(|_| !is_cut) {
                // keyed by the words of the container, so that records without elements among the words agree
                let words = first_text_node(page, node, end);
                let parent = tree.parent(node);
                let inside = parent >= part.start && parent < part.end;
                let above = || keys[(parent - part.start) as usize];
                let key = if inside { keys::step(page, above(), words, |_, _| 0) } else { key };
                if let Some((text, tail)) = visible_text(page, self.lines, node..end) {
                    push(key, CellSource::Text, words, text, tail);
                }
                read_to = end;
            } else if tree.is_text(node) || is_whole || !is_cut && lines.is_value(node) {
                if let Some((text, tail)) = visible_text(page, self.lines, node..tree.end(node)) {
                    push(key, CellSource::Text, node, text, tail);
                }
                read_to = tree.end(node);
            }
        }
    }
}

/// The text of sibling nodes, and whether it begins with a comma.
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

/// A text without the separators before and after it.
pub(crate) struct TextValue {
    pub(crate) text: String,
    /// Bytes that were cut off before it.
    pub(crate) start: usize,
    /// It began with a comma.
    pub(crate) tail: bool,
}

/// The value in a line of text; `None` if it only separates or decorates.
pub(crate) fn text_value(text: String) -> Option<TextValue> {
    let tail = text.starts_with(',');
    let rest = text.trim_start_matches(|c: char| matches!(c, ' ' | ',' | ';') || is_separator(c));
    let start = text.len() - rest.len();
    let inner = rest.trim_end_matches(|c: char| c == ' ' || is_separator(c));
    let text = if inner.len() == text.len() { text } else { inner.to_owned() };
    is_meaningful(&text).then_some(TextValue { text, start, tail })
}

/// False for texts that only separate or decorate. `$$$` and stars are values.
fn is_meaningful(text: &str) -> bool {
    let symbol = |c: char| matches!(c, '\u{2605}' | '\u{2606}' | '\u{2713}' | '\u{2714}');
    text.contains(|c: char| c.is_alphanumeric() || symbol(c))
        || (2..=5).contains(&text.len()) && text.bytes().all(|b| b == b'$')
}

/// The first text among siblings; the first sibling if there is none.
fn first_text_node(page: &Page, from: Node, to: Node) -> Node {
    let mut at = from;
    while at < to && !page.tree.is_text(at) {
        at = page.tree.end(at);
    }
    if at < to { at } else { from }
}
