//! The elements of a cell whose source is not known, found by comparing texts.
//!
//! In: a record, a column and the texts of its cell. Out: [`CellElement`]s that say what the cell says, which
//! may be several. Only cells without a source need this search: fields of detail pages, and attributes of a
//! domain that are composed of several nodes. All others are in `cell_elements.rs`. O(elements of the record
//! + text).

use super::column_sample::{
    CellElement, ColumnSample, MAX_CELL_ELEMENTS, MAX_EXTRA_CHARS_WITH_CUT, MAX_OWN_TEXTS,
    MAX_SURROUNDING_BYTES, VALUE_SEPARATORS,
};
use crate::apply::cells::{apply_cut, element_value};
use crate::format::{ReadFrom, TextCut};
use copal_dom::{Node, Page};
use copal_extract::located::GivenText;

/// Maximum number of elements of one record that are searched.
const MAX_ELEMENTS_SEARCHED: usize = 20_000;
/// How many characters longer than the cell an element's text may be, because of white space and separators.
const MAX_EXTRA_CHARS: usize = 20;
/// Maximum number of own texts of an element in which a cut is looked for.
const MAX_OWN_TEXTS_CUT: usize = 4;
/// Maximum number of pieces of a text that are compared with the cell.
const MAX_SPLIT_PIECES: usize = 6;

/// The elements whose text is the cell of a record. With a cut, only the part of their text that it
/// gives is compared with the cell.
pub(super) fn search_elements(
    column: &ColumnSample<'_>,
    record: usize,
    read_from: ReadFrom,
    cut: Option<&TextCut>,
) -> Vec<CellElement> {
    let page = column.sample.page;
    let Some(wanted) = column.cells[record].first() else { return Vec::new() };
    let says = |text: GivenText| apply_cut(text, cut).is_some_and(|text| text.as_str() == wanted);
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
                        && element_value(page, node, read_from, None).is_some_and(&says)
                    {
                        found.push(CellElement { part, node, own_text: None });
                    }
                    let own_text = own_text(page, node, &says);
                    found.extend(own_text.map(|own| CellElement { part, node, own_text: Some(own) }));
                }
                ReadFrom::Href | ReadFrom::Src => {
                    if element_value(page, node, read_from, None)
                        .is_some_and(|text| column.base.resolve(text.as_str()) == *wanted)
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
fn own_text(page: &Page, node: Node, says: &dyn Fn(GivenText) -> bool) -> Option<usize> {
    page.tree.elements(node).next()?;
    (1..=MAX_OWN_TEXTS)
        .take_while(|&own| element_value(page, node, ReadFrom::Text, Some(own)).is_some())
        .find(|&own| element_value(page, node, ReadFrom::Text, Some(own)).is_some_and(says))
}

/// The cut that turns a text of the record into its cell, where no whole text is the cell.
pub(super) fn search_cut(column: &ColumnSample<'_>, record: usize, objects: bool) -> Option<TextCut> {
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
                let after = text.as_str().strip_suffix(wanted.as_str()).and_then(words);
                let before = text.as_str().strip_prefix(wanted.as_str()).and_then(words);
                if after.is_some() != before.is_some() {
                    return Some(TextCut { after, before, ..TextCut::default() });
                }
            }
        }
    }
    None
}

/// A cut that splits a text of the record at a separator so that one piece is the cell.
fn cut_at(column: &ColumnSample<'_>, record: usize, separator: &str) -> Option<TextCut> {
    (1..=MAX_SPLIT_PIECES).find_map(|piece| {
        let cut = TextCut { split: Some(separator.to_owned()), piece: Some(piece), ..TextCut::default() };
        (!search_elements(column, record, ReadFrom::Text, Some(&cut)).is_empty()).then_some(cut)
    })
}
