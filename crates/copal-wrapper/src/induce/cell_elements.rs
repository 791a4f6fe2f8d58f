//! The elements that a cell was read from.
//!
//! In: a record, a column and the texts of its cell. Out: [`CellElement`]s. Records do not yet carry the
//! sources of their texts, so the elements are found by searching the record for those that say what the cell
//! says, which may give several. [`cell_elements`] is the only place that knows this: once cells have
//! sources, it returns these and the search goes away. O(elements of the record + text).

use super::sample::Sample;
use crate::apply::cells::{RecordElements, apply_cut, element_value};
use crate::format::{ReadFrom, TextCut};
use copal_dom::{Node, Page};
use copal_extract::Column;
use copal_extract::located::{Addresses, cell_text};

/// Most elements of one record that are searched.
const MAX_ELEMENTS_SEARCHED: usize = 20_000;
/// Most elements that are returned for one cell.
const MAX_CELL_ELEMENTS: usize = 4;
/// How many characters longer than the cell an element's text may be …
const MAX_EXTRA_CHARS: usize = 20;
/// … and how many if only a part of the text is the cell.
const MAX_EXTRA_CHARS_WITH_CUT: usize = 400;
/// Most own texts of an element that are compared with the cell.
const MAX_OWN_TEXTS: usize = 8;
/// Most own texts of an element in which a cut is looked for.
const MAX_OWN_TEXTS_CUT: usize = 4;
/// Most pieces of a text that are compared with the cell.
const MAX_SPLIT_PIECES: usize = 6;
/// Longest words before or after a cell in the same text, in bytes.
const MAX_SURROUNDING_BYTES: usize = 60;
/// What separates several values in one text.
const VALUE_SEPARATORS: [&str; 4] = [" \u{2022} ", " \u{b7} ", " \u{2014} ", ", "];

/// The cells of one column on one sample.
pub(super) struct ColumnSample<'a> {
    pub(super) sample: &'a Sample<'a>,
    pub(super) records: RecordElements,
    /// The texts of the cell, per record.
    pub(super) cells: Vec<Vec<String>>,
    pub(super) base: Addresses,
}

/// An element that says what a cell says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellElement {
    /// Which of the record's elements it is in, from 0.
    pub(super) part: usize,
    /// The element.
    pub(super) node: Node,
    /// Which of its own text nodes is the cell, from 1. None if its whole text is.
    pub(super) own_text: Option<usize>,
}

/// The cells that a sample has in the column with this name and source.
pub(super) fn column_sample<'a>(sample: &'a Sample<'a>, column: &Column) -> Option<ColumnSample<'a>> {
    let same = |other: &Column| other.name == column.name && other.source == column.source;
    let at = sample.list.columns.iter().position(same)?;
    let records = &sample.list.records;
    Some(ColumnSample {
        sample,
        records: RecordElements::new(
            sample.page,
            records.iter().map(|record| record.place.parts.clone()).collect(),
        ),
        cells: records.iter().map(|record| record.cells[at].texts().map(str::to_owned).collect()).collect(),
        base: Addresses::of(sample.page),
    })
}

/// The elements that the cell of a record in a column was read from. With a cut, only the part of their text
/// that it gives is compared with the cell.
pub(super) fn cell_elements(
    column: &ColumnSample<'_>,
    record: usize,
    read_from: ReadFrom,
    cut: Option<&TextCut>,
) -> Vec<CellElement> {
    let page = column.sample.page;
    let Some(wanted) = column.cells[record].first() else { return Vec::new() };
    let says = |text: &str| match cut {
        Some(cut) => apply_cut(text.to_owned(), Some(cut)).as_ref() == Some(wanted),
        None => text == wanted,
    };
    let mut found = Vec::new();
    for (part, &head) in column.records.heads[record].iter().enumerate() {
        let nodes = head..page.tree.end(head);
        let elements = nodes.filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node));
        for node in elements.take(MAX_ELEMENTS_SEARCHED) {
            match read_from {
                ReadFrom::Text => {
                    // Texts that are much longer are not even read.
                    let chars = page.index.chars(&(node..page.tree.end(node))) as usize;
                    let extra = if cut.is_some() { MAX_EXTRA_CHARS_WITH_CUT } else { MAX_EXTRA_CHARS };
                    if chars <= wanted.len() + extra
                        && element_value(page, node, read_from, None).is_some_and(|text| says(&text))
                    {
                        found.push(CellElement { part, node, own_text: None });
                    }
                    let own_text = own_text(page, node, &says);
                    found.extend(own_text.map(|own| CellElement { part, node, own_text: Some(own) }));
                }
                ReadFrom::Href | ReadFrom::Src => {
                    if element_value(page, node, read_from, None)
                        .is_some_and(|text| column.base.resolve(&text) == *wanted)
                    {
                        found.push(CellElement { part, node, own_text: None });
                    }
                }
            }
        }
    }
    found.truncate(MAX_CELL_ELEMENTS);
    found
}

/// Which of the element's own text nodes is the cell, from 1. Only for elements that have other elements
/// inside.
fn own_text(page: &Page, node: Node, says: &dyn Fn(&str) -> bool) -> Option<usize> {
    page.tree.elements(node).next()?;
    (1..=MAX_OWN_TEXTS)
        .take_while(|&own| element_value(page, node, ReadFrom::Text, Some(own)).is_some())
        .find(|&own| element_value(page, node, ReadFrom::Text, Some(own)).is_some_and(|text| says(&text)))
}

/// The cut that turns a text of the record into its cell, where no whole text is the cell.
pub(super) fn find_cut(column: &ColumnSample<'_>, record: usize, objects: bool) -> Option<TextCut> {
    let at_separator = || VALUE_SEPARATORS.iter().find_map(|separator| cut_at(column, record, separator));
    // On detail pages labels precede values; in lists several values share a line.
    if objects { cut_around(column, record).or_else(at_separator) } else { at_separator() }
}

/// A cut that removes the words before or after the cell, such as a label or a unit, from a text that says
/// little more.
fn cut_around(column: &ColumnSample<'_>, record: usize) -> Option<TextCut> {
    let page = column.sample.page;
    let wanted = column.cells[record].first()?;
    for &head in &column.records.heads[record] {
        let nodes = (head..page.tree.end(head))
            .filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node));
        for node in nodes.take(MAX_ELEMENTS_SEARCHED) {
            let chars = page.index.chars(&(node..page.tree.end(node))) as usize;
            let whole = element_value(page, node, ReadFrom::Text, None)
                .filter(|_| chars <= wanted.len() + MAX_SURROUNDING_BYTES);
            let own =
                (1..=MAX_OWN_TEXTS_CUT).map_while(|own| element_value(page, node, ReadFrom::Text, Some(own)));
            for text in whole.into_iter().chain(own) {
                let words = |part: &str| {
                    let part = part.trim();
                    (part.len() <= MAX_SURROUNDING_BYTES && part.contains(char::is_alphabetic))
                        .then(|| part.to_owned())
                };
                let after = text.strip_suffix(wanted.as_str()).and_then(words);
                let before = text.strip_prefix(wanted.as_str()).and_then(words);
                if after.is_some() != before.is_some() {
                    return Some(TextCut { after, before, ..TextCut::default() });
                }
            }
        }
    }
    None
}

/// The text node that is the own text with this number, from 1.
pub(super) fn own_text_node(page: &Page, node: Node, number: usize) -> Option<Node> {
    let texts = page.tree.children(node).filter(|&child| page.tree.is_text(child));
    texts.filter(|&text| cell_text(page, text..text + 1).is_some()).nth(number - 1)
}

/// A cut that splits a text of the record at a separator so that one piece is the cell.
fn cut_at(column: &ColumnSample<'_>, record: usize, separator: &str) -> Option<TextCut> {
    (1..=MAX_SPLIT_PIECES).find_map(|piece| {
        let cut = TextCut { split: Some(separator.to_owned()), piece: Some(piece), ..TextCut::default() };
        (!cell_elements(column, record, ReadFrom::Text, Some(&cut)).is_empty()).then_some(cut)
    })
}
