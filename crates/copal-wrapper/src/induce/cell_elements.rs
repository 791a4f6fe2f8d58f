//! The elements that a cell was read from.
//!
//! In: a record and a column. Out: [`CellElement`]s. They follow from the cell's source: the element at the
//! source, and those around it that have no other text. Where only a part of an element's text is the cell,
//! the cut follows from the span of the source. Cells without a source are searched (`text_search.rs`).
//! O(depth x text of the element) per record.

use super::column_sample::{
    CellElement, ColumnSample, MAX_CELL_ELEMENTS, MAX_EXTRA_CHARS_WITH_CUT, MAX_OWN_TEXTS,
    MAX_SURROUNDING_BYTES, VALUE_SEPARATORS,
};
use super::text_search::{search_cut, search_elements};
use crate::apply::cells::{cut_bytes, element_value};
use crate::format::{ReadFrom, TextCut};
use copal_dom::Node;
use copal_extract::Source;
use copal_extract::located::GivenText;
use std::ops::Range;

/// A text that has a cell in it.
struct Surroundings {
    element: CellElement,
    text: String,
    /// The bytes of the text that are the cell.
    cell: Range<usize>,
}

impl Surroundings {
    fn is_cell_after(&self, cut: &TextCut) -> bool {
        cut_bytes(&self.text, cut).as_ref() == Some(&self.cell)
    }
}

/// The source of a cell, if locators can read it: visible text, or the URL of a link or an image.
fn readable_source<'a>(
    column: &'a ColumnSample<'_>,
    record: usize,
    read_from: ReadFrom,
) -> Option<&'a Source> {
    let source = column.sources[record].as_ref()?;
    let is_url = read_from != ReadFrom::Text;
    (source.attribute.is_some() == is_url).then_some(source)
}

/// The elements whose text or URL is the cell of a record.
pub(super) fn cell_elements(
    column: &ColumnSample<'_>,
    record: usize,
    read_from: ReadFrom,
) -> Vec<CellElement> {
    match readable_source(column, record, read_from) {
        None => search_elements(column, record, read_from, None),
        Some(source) if read_from == ReadFrom::Text => text_elements(column, record, source),
        Some(source) => {
            let part = part_of(column, record, source.node);
            part.map(|part| CellElement { part, node: source.node, own_text: None }).into_iter().collect()
        }
    }
}

/// Which of a record's elements a node is in.
fn part_of(column: &ColumnSample<'_>, record: usize, node: Node) -> Option<usize> {
    let tree = &column.sample.page.tree;
    column.records.heads[record].iter().position(|&head| tree.contains(head, node))
}

/// The bytes of the page's line text that a text covers.
fn page_span(column: &ColumnSample<'_>, text: &GivenText) -> Option<Range<u32>> {
    let positions = &column.sample.positions;
    positions.span_on_page(&positions.source(text)?)
}

/// The innermost element that has all text nodes of a source.
fn innermost_element(column: &ColumnSample<'_>, source: &Source) -> Option<Node> {
    let tree = &column.sample.page.tree;
    let nodes = column.sample.positions.nodes(source)?;
    tree.ancestors(nodes.start).find(|&up| tree.end(up) >= nodes.end)
}

/// The elements from `node` to the record's element that have the same text, outermost first. The text of
/// each contains that of the one below, so the first that has more ends the search.
fn elements_with_same_text(
    column: &ColumnSample<'_>,
    head: Node,
    node: Node,
    span: &Range<u32>,
) -> Vec<Node> {
    let page = column.sample.page;
    let around = std::iter::once(node).chain(page.tree.ancestors(node)).take_while(|&up| up >= head);
    let mut found: Vec<Node> = around
        .take_while(|&up| {
            let text = element_value(page, up, ReadFrom::Text, None);
            text.and_then(|text| page_span(column, &text)).as_ref() == Some(span)
        })
        .collect();
    found.reverse();
    found
}

fn text_elements(column: &ColumnSample<'_>, record: usize, source: &Source) -> Vec<CellElement> {
    let page = column.sample.page;
    let Some((part, node, span)) = text_place(column, record, source) else { return Vec::new() };
    let head = column.records.heads[record][part];
    let whole = elements_with_same_text(column, head, node, &span);
    let mut found: Vec<CellElement> =
        whole.into_iter().map(|node| CellElement { part, node, own_text: None }).collect();
    // Own texts are of use only where an element has other elements inside.
    if page.tree.elements(node).next().is_some() {
        let own = own_texts(column, node).find(|(_, text)| page_span(column, text).as_ref() == Some(&span));
        found.extend(own.map(|(number, _)| CellElement { part, node, own_text: Some(number) }));
    }
    found.truncate(MAX_CELL_ELEMENTS);
    found
}

/// The record's element, the innermost element and the bytes of the page's line text that a source is in.
/// None if the record does not have it, such as a table cell that spans several rows.
fn text_place(
    column: &ColumnSample<'_>,
    record: usize,
    source: &Source,
) -> Option<(usize, Node, Range<u32>)> {
    let node = innermost_element(column, source)?;
    Some((part_of(column, record, node)?, node, column.sample.positions.span_on_page(source)?))
}

/// The own texts of an element with their numbers.
fn own_texts<'a>(
    column: &'a ColumnSample<'_>,
    node: Node,
) -> impl Iterator<Item = (usize, GivenText)> + use<'a> {
    let page = column.sample.page;
    (1..=MAX_OWN_TEXTS)
        .map_while(move |own| Some((own, element_value(page, node, ReadFrom::Text, Some(own))?)))
}

/// The texts of a record that have its cell in them: an own text of the innermost element, and the whole text
/// of the elements around.
fn surroundings(column: &ColumnSample<'_>, record: usize, source: &Source) -> Vec<Surroundings> {
    let page = column.sample.page;
    let Some((part, node, span)) = text_place(column, record, source) else { return Vec::new() };
    let head = column.records.heads[record][part];
    let whole = element_value(page, node, ReadFrom::Text, None);
    let around = whole.as_ref().and_then(|text| page_span(column, text));
    let around = around.map(|span| elements_with_same_text(column, head, node, &span)).unwrap_or_default();
    let whole = around.into_iter().filter_map(|node| Some((node, None, whole.clone()?)));
    let own = own_texts(column, node).map(|(number, text)| (node, Some(number), text));
    let inside = |(node, own_text, text): (Node, Option<usize>, GivenText)| {
        let all = page_span(column, &text)?;
        let cell = span.start.checked_sub(all.start)? as usize..span.end.checked_sub(all.start)? as usize;
        let fits = span.end <= all.end && text.as_str().len() <= cell.len() + MAX_EXTRA_CHARS_WITH_CUT;
        fits.then(|| Surroundings {
            element: CellElement { part, node, own_text },
            text: text.into_string(),
            cell,
        })
    };
    whole.chain(own).filter_map(inside).collect()
}

/// The elements of which a part of the text, given by a cut, is the cell.
pub(super) fn cut_elements(column: &ColumnSample<'_>, record: usize, cut: &TextCut) -> Vec<CellElement> {
    let Some(source) = readable_source(column, record, ReadFrom::Text) else {
        return search_elements(column, record, ReadFrom::Text, Some(cut));
    };
    let right = surroundings(column, record, source).into_iter().filter(|one| one.is_cell_after(cut));
    right.map(|one| one.element).take(MAX_CELL_ELEMENTS).collect()
}

/// The cut that turns texts of the records into their cells. None if whole texts are the cells of as many
/// records. `with_cell` are the records to look at.
pub(super) fn find_cut(column: &ColumnSample<'_>, with_cell: &[usize], objects: bool) -> Option<TextCut> {
    let (mut texts, mut whole): (Vec<Vec<Surroundings>>, usize) = (Vec::new(), 0);
    for &record in with_cell {
        let elements = cell_elements(column, record, ReadFrom::Text);
        match readable_source(column, record, ReadFrom::Text) {
            None if elements.is_empty() => return search_cut(column, record, objects),
            None => {}
            Some(source) => {
                whole += usize::from(!elements.is_empty());
                texts.push(surroundings(column, record, source));
            }
        }
    }
    let right =
        |cut: &TextCut| texts.iter().filter(|texts| texts.iter().any(|one| one.is_cell_after(cut))).count();
    let mut best = (whole, None);
    for cut in possible_cuts(&texts) {
        let right = right(&cut);
        if right > best.0 {
            best = (right, Some(cut));
        }
    }
    best.1
}

/// Cuts that may fit: at separators, and at the words that all cells have before or after them.
fn possible_cuts(texts: &[Vec<Surroundings>]) -> Vec<TextCut> {
    let mut cuts: Vec<TextCut> = Vec::new();
    for one in texts.iter().flatten() {
        for separator in VALUE_SEPARATORS {
            let before = &one.text[..one.cell.start];
            if one.text.contains(separator) {
                let piece = Some(before.matches(separator).count() + 1);
                cuts.push(TextCut { split: Some(separator.to_owned()), piece, ..TextCut::default() });
            }
        }
    }
    for own in [true, false] {
        let some = texts.iter().filter_map(|texts| {
            let mut same = texts.iter().filter(|one| one.element.own_text.is_some() == own);
            same.find(|one| one.cell.len() < one.text.len())
        });
        let some: Vec<&Surroundings> = some.collect();
        let after = common_words(some.iter().map(|one| one.text[..one.cell.start].rsplit(' ').collect()));
        let before = common_words(some.iter().map(|one| one.text[one.cell.end..].split(' ').collect()));
        let after = after.map(|mut words| {
            words.reverse();
            words.join(" ")
        });
        let before = before.map(|words| words.join(" "));
        for (after, before) in [(after.clone(), before.clone()), (after, None), (None, before)] {
            if after.is_some() || before.is_some() {
                cuts.push(TextCut { after, before, ..TextCut::default() });
            }
        }
    }
    cuts
}

/// The words that all lists begin with, up to a length; none if they have none.
fn common_words<'a>(lists: impl Iterator<Item = Vec<&'a str>>) -> Option<Vec<&'a str>> {
    let common = lists
        .map(|words| words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>())
        .reduce(|a, b| a.into_iter().zip(b).take_while(|(a, b)| a == b).map(|(word, _)| word).collect())?;
    let mut bytes = 0;
    let short = common.into_iter().take_while(|word| {
        bytes += word.len() + 1;
        bytes <= MAX_SURROUNDING_BYTES
    });
    Some(short.collect::<Vec<_>>()).filter(|words| !words.is_empty())
}
