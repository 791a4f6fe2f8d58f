//! Locators with their scores while a column is learned, and which of several elements a locator means.

use super::candidates::LocatorFamily;
use super::column_sample::ColumnSample;
use crate::apply::cells::element_value;
use crate::format::{Locator, ReadFrom};
use crate::locate::css::Css;
use copal_dom::Node;

/// Score of a locator by label.
pub(super) const LABEL_SCORE: f64 = 0.85;

/// A locator with its family and its score.
pub(super) type ScoredLocator = (LocatorFamily, f64, Locator);

/// Which of the elements that a locator finds in a record is this one, from 1.
pub(super) fn ordinal(
    known: &ColumnSample<'_>,
    record: usize,
    read_from: ReadFrom,
    locator: &Locator,
    node: Node,
) -> usize {
    let page = known.sample.page;
    let css = locator.css.as_deref().map(Css::parse);
    let (Some(Ok(css)), Some(&scope)) =
        (css, known.records.heads[record].get(locator.element.unwrap_or(1) - 1))
    else {
        return 1;
    };
    let mut before = 0;
    css.each(&known.sample.index, std::iter::once((scope, scope..node)), |_, other| {
        if page.styles.is_shown(other) && element_value(page, other, read_from, locator.text).is_some() {
            before += 1;
        }
    });
    before + 1
}
