//! The cells of a column, found by one locator.
//!
//! In: a page, its records and a locator. Out: for each record the values that the locator finds, each with
//! the nodes it was read from. O(elements of the records with the tag that its selector ends in + text that
//! is read).

use crate::format::{ColumnRule, Locator, ReadFrom, TextCut};
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use crate::value_types::value_type_named;
use copal_dom::{NONE, Node, Page, push_collapsed};
use copal_extract::Parts;
use copal_extract::located::{GivenText, cell_image, cell_link, cell_text, is_of_kind, tops};
use copal_extract::page_lines::PageLines;
use copal_values::ValueType;
use std::cell::OnceCell;
use std::ops::Range;

/// Longest text that may be a label, or a value that is found by its type, in bytes.
const MAX_LABEL_BYTES: usize = 60;
/// Maximum number of texts of a record that are tried as values of a type.
const MAX_TYPED_TEXTS: usize = 60;
/// Maximum number of values of one cell.
const MAX_CELL_VALUES: usize = 1000;

/// The records of a page.
pub(crate) struct RecordElements {
    pub(crate) parts: Vec<Parts>,
    /// The visible top-level elements of each record.
    pub(crate) heads: Vec<Vec<Node>>,
    // Most wrappers have no column of lines.
    lines: OnceCell<PageLines>,
}

impl RecordElements {
    pub(crate) fn new(page: &Page, parts: Vec<Parts>) -> RecordElements {
        let heads =
            parts.iter().map(|parts| parts.iter().flat_map(|part| tops(page, part)).collect()).collect();
        RecordElements { parts, heads, lines: OnceCell::new() }
    }

    /// The lines of the page, which are read when they are first asked for.
    pub(crate) fn lines(&self, page: &Page) -> &PageLines {
        self.lines.get_or_init(|| PageLines::new(page))
    }

    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }
}

/// How a column's cells are read from the elements that a locator finds.
#[derive(Clone, Copy)]
pub(crate) struct CellReading<'a> {
    pub(crate) read_from: ReadFrom,
    pub(crate) many: bool,
    pub(crate) lines: bool,
    pub(crate) cut: Option<&'a TextCut>,
}

impl<'a> CellReading<'a> {
    pub(crate) fn of(rule: &'a ColumnRule) -> CellReading<'a> {
        CellReading { read_from: rule.read_from, many: rule.many, lines: rule.lines, cut: rule.cut.as_ref() }
    }
}

/// The values that a locator finds, per record. A locator that does not parse finds nothing; files are
/// checked when read.
pub(crate) fn cells_at(
    page: &Page,
    index: &ElementIndex<'_>,
    records: &RecordElements,
    reading: CellReading<'_>,
    locator: &Locator,
) -> Vec<Vec<GivenText>> {
    if reading.lines {
        return lines_at(page, index, records, locator);
    }
    let mut out: Vec<Vec<GivenText>> = vec![Vec::new(); records.len()];
    let wanted = locator.nth.unwrap_or(1);
    let most = if reading.many { MAX_CELL_VALUES } else { wanted };
    let scope_of = |record: usize| records.heads[record].get(locator.element.unwrap_or(1) - 1).copied();
    let mut take = |record: usize, text: Option<GivenText>| {
        if let Some(text) = text.and_then(|text| apply_cut(text, reading.cut)) {
            out[record].push(text);
        }
    };
    match (&locator.css, &locator.label) {
        (Some(css), _) => {
            let Ok(css) = Css::parse(css) else { return out };
            let scopes: Vec<(usize, Node)> =
                (0..records.len()).filter_map(|record| Some((record, scope_of(record)?))).collect();
            let ranges = scopes.iter().map(|&(_, scope)| (scope, scope..page.tree.end(scope)));
            let mut counts = vec![0; records.len()];
            css.each(index, ranges, |at, node| {
                let record = scopes[at].0;
                if counts[record] < most && page.styles.is_shown(node) {
                    let text = element_value(page, node, reading.read_from, locator.text);
                    counts[record] += usize::from(text.is_some());
                    take(record, text);
                }
            });
        }
        (None, Some(label)) => {
            for record in 0..records.len() {
                for part in &records.parts[record] {
                    if let Some(nodes) = nodes_after_label(page, part, label) {
                        take(record, cell_text(page, nodes));
                        break;
                    }
                }
            }
        }
        (None, None) => {
            let Some(kind) = locator.value_type.as_deref().and_then(value_type_named) else { return out };
            for record in 0..records.len() {
                let texts = records.parts[record].iter().flat_map(|part| typed_texts(page, part, kind));
                texts.take(most).for_each(|text| take(record, Some(text)));
            }
        }
    }
    if !reading.many {
        for values in &mut out {
            // Reading stops at the value with the wanted number, so it is the last.
            let only = (values.len() == wanted).then(|| values.pop()).flatten();
            *values = only.into_iter().collect();
        }
    }
    out
}

/// The lines of the element that a locator finds, per record.
fn lines_at(
    page: &Page,
    index: &ElementIndex<'_>,
    records: &RecordElements,
    locator: &Locator,
) -> Vec<Vec<GivenText>> {
    let lines = records.lines(page);
    let css = locator.css.as_deref().and_then(|css| Css::parse(css).ok());
    let lines_of_record = |record: usize| {
        let nodes = match (&css, &locator.label) {
            (Some(css), _) => {
                let scope = *records.heads[record].get(locator.element.unwrap_or(1) - 1)?;
                let (mut left, mut found) = (locator.nth.unwrap_or(1), None);
                css.each(index, std::iter::once((scope, scope..page.tree.end(scope))), |_, node| {
                    if left > 0
                        && page.styles.is_shown(node)
                        && element_value(page, node, ReadFrom::Text, None).is_some()
                    {
                        left -= 1;
                        found = (left == 0).then_some(node);
                    }
                });
                let node = found?;
                node..page.tree.end(node)
            }
            (None, Some(label)) => {
                records.parts[record].iter().find_map(|part| nodes_after_label(page, part, label))?
            }
            (None, None) => return None,
        };
        Some(lines.texts_in(&nodes).into_iter().take(MAX_CELL_VALUES).collect())
    };
    (0..records.len()).map(|record| lines_of_record(record).unwrap_or_default()).collect()
}

/// The short texts of a part that are values of a type.
fn typed_texts(page: &Page, part: &Range<Node>, kind: ValueType) -> impl Iterator<Item = GivenText> {
    let shown = |&node: &Node| page.tree.is_text(node) && page.styles.is_shown(node);
    let texts =
        part.clone().filter(shown).filter(|&node| page.tree.raw_text(node).len() <= 4 * MAX_LABEL_BYTES);
    let short = texts
        .filter_map(|node| cell_text(page, node..node + 1))
        .filter(|text| text.as_str().len() <= MAX_LABEL_BYTES);
    short.take(MAX_TYPED_TEXTS).filter(move |text| is_of_kind(kind, text.as_str()))
}

/// The text, link or image of an element. `own_text` selects one of its own text nodes, from 1.
pub(crate) fn element_value(
    page: &Page,
    node: Node,
    read_from: ReadFrom,
    own_text: Option<usize>,
) -> Option<GivenText> {
    match (read_from, own_text) {
        (ReadFrom::Href, _) => cell_link(page, node),
        (ReadFrom::Src, _) => cell_image(page, node),
        (ReadFrom::Text, None) => cell_text(page, node..page.tree.end(node)),
        (ReadFrom::Text, Some(number)) => {
            let texts = page.tree.children(node).filter(|&child| page.tree.is_text(child));
            texts.filter_map(|text| cell_text(page, text..text + 1)).nth(number - 1)
        }
    }
}

/// The part of a text that is the value.
pub(crate) fn apply_cut(text: GivenText, cut: Option<&TextCut>) -> Option<GivenText> {
    let Some(cut) = cut else { return Some(text) };
    let bytes = cut_bytes(text.as_str(), cut)?;
    text.part(bytes)
}

/// The bytes of a text that a cut keeps; `None` if it keeps nothing.
pub(crate) fn cut_bytes(text: &str, cut: &TextCut) -> Option<Range<usize>> {
    let (mut start, mut end) = (0, text.len());
    if let Some(after) = &cut.after {
        start = text.find(after.as_str())? + after.len();
    }
    if let Some(before) = &cut.before {
        end = text[start..].find(before.as_str()).map_or(end, |at| start + at);
    }
    if let (Some(split), Some(piece)) = (&cut.split, cut.piece) {
        let mut pieces = text[start..end].split(split.as_str());
        let before: usize = pieces.by_ref().take(piece - 1).map(|piece| piece.len() + split.len()).sum();
        let piece = pieces.next()?;
        start += before;
        end = start + piece.len();
    }
    let kept = &text[start..end];
    let start = end - kept.trim_start().len();
    let kept = text[start..end].trim_end();
    (!kept.is_empty()).then(|| start..start + kept.len())
}

/// What follows the first text of a part that is this label and nothing else: the next sibling of its
/// element.
fn nodes_after_label(page: &Page, part: &Range<Node>, label: &str) -> Option<Range<Node>> {
    let tree = &page.tree;
    let mut words = String::new();
    let texts = part.clone().filter(|&node| tree.is_text(node) && page.styles.is_shown(node));
    for text in texts {
        let raw = tree.raw_text(text);
        if raw.len() > 4 * MAX_LABEL_BYTES {
            continue;
        }
        words.clear();
        if push_collapsed(&mut words, raw)
            && without_colon(&words) == without_colon(label)
            && let Some(next) = next_with_text(page, text, part)
        {
            return Some(next..tree.end(next));
        }
    }
    None
}

fn without_colon(label: &str) -> &str {
    label.trim().trim_end_matches(':').trim_end()
}

/// The next sibling that has a text, of a node or of the ancestors that begin with it.
fn next_with_text(page: &Page, node: Node, part: &Range<Node>) -> Option<Node> {
    let tree = &page.tree;
    let mut at = node;
    loop {
        let mut next = tree.next_sibling(at);
        while next != NONE && next < part.end {
            if page.styles.is_shown(next) && cell_text(page, next..tree.end(next)).is_some() {
                return Some(next);
            }
            next = tree.next_sibling(next);
        }
        let parent = tree.parent(at);
        let first = page.index.leaves(&(parent..at)) == 0;
        if parent == NONE || parent < part.start || !first {
            return None;
        }
        at = parent;
    }
}

/// The label directly before a node of a record, if there is one.
pub(crate) fn label_before(page: &Page, node: Node, record: Node) -> Option<String> {
    let tree = &page.tree;
    let mut at = node;
    while at > record {
        let mut before = tree.prev_sibling(at);
        while before != NONE {
            if page.styles.is_shown(before) && page.index.leaves(&(before..tree.end(before))) > 0 {
                let text = page.text_of(before);
                let fits = text.len() <= MAX_LABEL_BYTES && text.contains(char::is_alphabetic);
                return fits.then(|| without_colon(&text).to_owned());
            }
            before = tree.prev_sibling(before);
        }
        at = tree.parent(at);
    }
    None
}
