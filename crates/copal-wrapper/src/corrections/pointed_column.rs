//! Columns that a person points at: an element of one record, and the smallest element around several columns.
//!
//! Locators are those that learning would choose: a selector is kept if it finds the element that was pointed at, and
//! of those that do, the one that finds something in most records is the first. O(candidates x records).

use super::{element_of, read_list};
use crate::apply::cells::{CellReading, RecordElements, cells_at};
use crate::deuds;
use crate::error::WrapperError;
use crate::format::{ColumnRule, Locator, MAX_LOCATORS, PageKind, ReadFrom, Wrapper};
use crate::induce::{best_of_families, selector_candidates};
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use copal_dom::{Node, Page};
use copal_extract::{Record, Region};

/// A column that reads this element, or the element around this text, and its counterparts.
pub(super) fn column(
    wrapper: &Wrapper,
    page: &Page,
    name: &str,
    node: Node,
    read_from: ReadFrom,
) -> Result<ColumnRule, WrapperError> {
    let element = element_of(page, node)?;
    let index = ElementIndex::new(&page.tree);
    if wrapper.pages.first().is_some_and(|rule| rule.kind == PageKind::Detail) {
        let css = deuds::pattern(&index, element)?;
        let find = vec![Locator { css: Some(css), ..Locator::default() }];
        return Ok(ColumnRule { name: name.to_owned(), read_from, find, ..ColumnRule::default() });
    }
    let list = read_list(wrapper, page)?;
    located_column(page, &index, &list, name, element, read_from)
}

/// A column that reads the smallest element around columns.
pub(super) fn merged(
    wrapper: &Wrapper,
    page: &Page,
    columns: &[String],
    name: &str,
) -> Result<ColumnRule, WrapperError> {
    if columns.len() < 2 {
        return Err(WrapperError::value("expected at least two columns to merge"));
    }
    let list = read_list(wrapper, page)?;
    let places: Vec<usize> = columns
        .iter()
        .map(|name| {
            let at = list.columns.iter().position(|column| column.name == *name);
            at.ok_or_else(|| WrapperError::value(format!("no column {name:?} on this page")))
        })
        .collect::<Result<_, _>>()?;
    let around = list.records.iter().find_map(|record| around_cells(page, record, &places));
    let around = around.ok_or_else(|| {
        WrapperError::value("no record has these columns in one element that is smaller than the record")
    })?;
    let index = ElementIndex::new(&page.tree);
    located_column(page, &index, &list, name, around, ReadFrom::Text)
}

/// The smallest element of a record around the cells of columns; `None` if that is the record, or a cell is empty.
fn around_cells(page: &Page, record: &Record, columns: &[usize]) -> Option<Node> {
    let nodes: Vec<Node> = columns
        .iter()
        .map(|&column| Some(record.cells.get(column)?.texts.first()?.source.as_ref()?.node))
        .collect::<Option<_>>()?;
    let first = *nodes.iter().min()?;
    let holds_all = |element: &Node| nodes.iter().all(|&node| page.tree.contains(*element, node));
    let around = std::iter::once(first).chain(page.tree.ancestors(first)).find(holds_all)?;
    let is_inside = record.place.parts.iter().any(|part| part.start < around && around < part.end);
    (is_inside && !page.tree.is_text(around)).then_some(around)
}

fn located_column(
    page: &Page,
    index: &ElementIndex<'_>,
    list: &Region,
    name: &str,
    element: Node,
    read_from: ReadFrom,
) -> Result<ColumnRule, WrapperError> {
    let parts = list.records.iter().map(|record| record.place.parts.clone()).collect();
    let records = RecordElements::new(page, parts);
    let outside = || {
        WrapperError::value("the element is outside all records: click inside one, or choose another list")
    };
    let (part, scope) = records
        .heads
        .iter()
        .flat_map(|heads| heads.iter().enumerate())
        .find(|(_, head)| page.tree.contains(**head, element) || **head == element)
        .map(|(part, &head)| (part, head))
        .ok_or_else(outside)?;
    let reading = CellReading { read_from, many: false, lines: false, cut: None };
    let mut found = Vec::new();
    for candidate in selector_candidates(&page.tree, scope, element) {
        let Ok(css) = Css::parse(&candidate.css) else { continue };
        let selected = css_in_record(&css, index, page, scope);
        let Some(nth) = selected.iter().position(|&node| node == element) else { continue };
        let locator = Locator {
            css: Some(candidate.css),
            nth: (nth > 0).then_some(nth + 1),
            element: (part > 0).then_some(part + 1),
            ..Locator::default()
        };
        let cells = cells_at(page, index, &records, reading, &locator);
        let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
        if filled == 0 {
            continue;
        }
        // coverage decides, then how long such a selector lasts; numbers among equal elements shift easily
        let penalty = if nth > 0 { 0.6 } else { 1.0 };
        let coverage = filled as f64 / records.len().max(1) as f64;
        found.push((candidate.family, coverage + 0.5 * candidate.score * penalty, (locator, filled)));
    }
    let best: Vec<(Locator, usize)> = best_of_families(found, MAX_LOCATORS);
    let Some((_, filled)) = best.first() else {
        return Err(WrapperError::value("nothing can be read there: choose an element with a text"));
    };
    let presence = *filled as f64 / records.len().max(1) as f64;
    // locators that find less than the first would only confuse the vote
    let find = best.iter().filter(|(_, count)| count == filled).map(|(locator, _)| locator.clone()).collect();
    Ok(ColumnRule {
        name: name.to_owned(),
        read_from,
        find,
        presence: Some((presence * 100.0).round() / 100.0),
        ..ColumnRule::default()
    })
}

/// The shown elements of a record that a selector finds, the record's own element included.
fn css_in_record(css: &Css, index: &ElementIndex<'_>, page: &Page, scope: Node) -> Vec<Node> {
    let mut found = Vec::new();
    let range = scope..page.tree.end(scope);
    css.each(index, std::iter::once((scope, range)), |_, node| {
        if page.styles.is_shown(node) {
            found.push(node);
        }
    });
    found
}
