//! The values of a record.
//!
//! In: a record's parts. Out: its values in document order, each with the key of its place. A value is a text that a
//! reader takes in at once (`lines.rs`), a link's target or an image's address. O(nodes + text).

use super::lines::{Lines, is_separator};
use super::tables::Tables;
use super::terms::Terms;
use crate::structure::path_keys as keys;
use copal_dom::{Node, Page, attrs, push_collapsed, tags};
use copal_model::CellSource;
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
    pub(super) text: String,
    /// It goes on behind a comma: a list of what else is known.
    pub(super) tail: bool,
}

/// What is known of a region before its values are read.
pub(super) struct Reading<'a> {
    pub(super) page: &'a Page,
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
            let mut push = |key: u64, source: CellSource, node: Node, (text, tail): (String, bool)| {
                out.push(Value { path: self.paths.number(key, source), source, node, term, text, tail });
            };
            if let Some(href) = link(page, node) {
                push(key, CellSource::Href, node, (href.to_owned(), false));
            } else if let Some(src) = image_address(page, node) {
                push(key, CellSource::Src, node, (src.to_owned(), false));
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
                if let Some(text) = text_value(line_text(page, node..end)) {
                    push(key, CellSource::Text, words, text);
                }
                read_to = end;
            } else if tree.is_text(node) {
                let raw = tree.raw_text(node).trim();
                let mut text = String::with_capacity(raw.len());
                push_collapsed(&mut text, raw);
                if let Some(text) = text_value(text) {
                    push(key, CellSource::Text, node, text);
                }
            } else if lines.is_value(node) {
                if let Some(text) = text_value(line_text(page, node..tree.end(node))) {
                    push(key, CellSource::Text, node, text);
                }
                read_to = tree.end(node);
            }
        }
    }
}

/// The visible text of nodes with a space where the page has one: highlighted parts of a word stay in it.
pub(crate) fn line_text(page: &Page, nodes: Range<Node>) -> String {
    let tree = &page.tree;
    let mut out = String::with_capacity(page.index.chars(&nodes) as usize);
    let mut piece = String::new();
    let mut apart = false;
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
        let touch = out.ends_with(char::is_alphanumeric) && piece.starts_with(char::is_alphanumeric);
        // elements without a space between them are mostly set apart by their style, as are texts whose elements a limit cut
        apart |= raw.starts_with(char::is_whitespace)
            || touch && !formatted(before) && !formatted(node)
            || tree.prev_sibling(node) == before;
        if apart && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&piece);
        apart = raw.ends_with(char::is_whitespace);
        before = node;
    }
    out
}

/// A text without the separators to the values before and behind it, and whether it goes on behind a comma; none if nothing
/// is left.
pub(crate) fn text_value(text: String) -> Option<(String, bool)> {
    let tail = text.starts_with(',');
    let inner = text
        .trim_start_matches(|c: char| matches!(c, ' ' | ',' | ';') || is_separator(c))
        .trim_end_matches(|c: char| c == ' ' || is_separator(c));
    let text = if inner.len() == text.len() { text } else { inner.to_owned() };
    says(&text).then_some((text, tail))
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

/// A link's target; none if it only runs a script.
pub(crate) fn link(page: &Page, node: Node) -> Option<&str> {
    let is_link = page.tree.tag(node) == tags::A;
    let href = page.tree.attr(node, attrs::HREF).filter(|_| is_link)?.trim();
    let script = href.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("javascript:"));
    (!href.is_empty() && href != "#" && !script).then_some(href)
}

/// Lazy pages keep the address aside and put a placeholder into `src`.
pub(crate) fn image_address(page: &Page, image: Node) -> Option<&str> {
    if page.tree.tag(image) != tags::IMG {
        return None;
    }
    [attrs::DATA_SRC, attrs::SRC]
        .into_iter()
        .filter_map(|name| page.tree.attr(image, name))
        .map(str::trim)
        .find(|src| !src.is_empty() && !src.starts_with("data:"))
}
