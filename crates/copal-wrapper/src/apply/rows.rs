//! The cells of records: one row per record, one entry per column.
//!
//! In: a page, a rule and the records. Out: a [`GivenList`]. The first locator of a column reads its cells.
//! If these are too rare to be chance or have another type, all locators are asked and vote per record. If
//! the first locator finds nothing at all, even an optional column may have moved, so the others are asked
//! too; they are believed if what they find could be the column's. O(columns x elements of the records).

use super::cells::{CellReading, RecordElements, cells_at};
use crate::format::{ColumnRule, PageRule, ReadFrom};
use crate::locate::ElementIndex;
use crate::proportions::fell;
use crate::value_types::value_type_named;
use copal_dom::{Node, Page};
use copal_extract::located::{GivenColumn, GivenList, GivenText, fits_column_kind};
use copal_extract::{CellSource, Parts};
use copal_values::notation::DateOrder;

/// Minimum share of the expected cells that records must have.
pub(super) const MIN_PRESENCE: f64 = 0.5;
/// How many times longer than nearly all cells of the samples a text may be that another locator finds.
const MAX_LENGTH_RATIO: usize = 3;
/// Characters by which it may be longer in any case.
const LENGTH_SLACK: usize = 10;
/// Maximum number of cells of a column whose type is checked.
const MAX_TYPE_CHECKS: usize = 3;

/// Share of the cells of expected columns that records have; 1 if no column is expected.
pub(super) fn expected_presence(rule: &PageRule, rows: &[Vec<Vec<GivenText>>]) -> f64 {
    let expected: Vec<usize> = (0..rule.columns.len()).filter(|&c| rule.columns[c].is_expected()).collect();
    if expected.is_empty() || rows.is_empty() {
        return f64::from(u8::from(!rows.is_empty()));
    }
    let there: usize = rows.iter().map(|row| expected.iter().filter(|&&c| !row[c].is_empty()).count()).sum();
    there as f64 / (rows.len() * expected.len()) as f64
}

/// Reads all columns of the records.
pub(super) fn read_rows(
    page: &Page,
    index: &ElementIndex<'_>,
    rule: &PageRule,
    root: Node,
    parts: Vec<Parts>,
) -> GivenList {
    let records = RecordElements::new(page, parts);
    let mut rows: Vec<Vec<Vec<GivenText>>> = vec![Vec::with_capacity(rule.columns.len()); records.len()];
    for column in &rule.columns {
        for (row, cell) in rows.iter_mut().zip(column_cells(page, index, &records, column)) {
            row.push(cell);
        }
    }
    let columns = rule.columns.iter().map(|column| GivenColumn {
        name: column.name.clone(),
        source: match column.read_from {
            ReadFrom::Text => CellSource::Text,
            ReadFrom::Href => CellSource::Href,
            ReadFrom::Src => CellSource::Src,
        },
        kind: column.value_type.as_deref().and_then(value_type_named),
        date_order: column.date_order.as_deref().and_then(DateOrder::from_name),
    });
    GivenList { root, columns: columns.collect(), records: records.parts, rows }
}

fn column_cells(
    page: &Page,
    index: &ElementIndex<'_>,
    records: &RecordElements,
    column: &ColumnRule,
) -> Vec<Vec<GivenText>> {
    let reading = CellReading::of(column);
    let first = cells_at(page, index, records, reading, &column.find[0]);
    if column.find.len() == 1 || is_as_expected(column, &first) {
        return first;
    }
    let is_absent = first.iter().all(Vec::is_empty);
    let mut all = vec![first];
    all.extend(column.find[1..].iter().map(|locator| cells_at(page, index, records, reading, locator)));
    if is_absent {
        all.retain(|cells| could_be_column(column, cells));
        if all.is_empty() {
            return vec![Vec::new(); records.len()];
        }
    }
    (0..records.len())
        .map(|record| {
            let values: Vec<&[GivenText]> = all.iter().map(|cells| cells[record].as_slice()).collect();
            vote(column, &values).to_vec()
        })
        .collect()
}

/// The value that wins: values of the column's type before others, then the one that most locators give, then
/// the first.
fn vote<'a>(column: &ColumnRule, values: &[&'a [GivenText]]) -> &'a [GivenText] {
    let typed = |value: &[GivenText]| value.first().is_some_and(|text| is_typed(column, text.as_str()));
    // Locators agree if they give the same texts, wherever these are: pages repeat titles and links.
    let same = |a: &[GivenText], b: &[GivenText]| {
        a.iter().map(GivenText::as_str).eq(b.iter().map(GivenText::as_str))
    };
    let votes = |value: &[GivenText]| values.iter().filter(|other| same(other, value)).count();
    let rank = |value: &[GivenText]| (!value.is_empty(), typed(value), votes(value));
    // `max_by_key` returns the last of equals, but the first locator is the best.
    values.iter().rev().copied().max_by_key(|value| rank(value)).unwrap_or(values[0])
}

fn is_typed(column: &ColumnRule, text: &str) -> bool {
    let value_type = column.value_type.as_deref().and_then(value_type_named);
    let value_type = value_type.filter(|_| column.read_from == ReadFrom::Text);
    value_type.is_none_or(|value_type| fits_column_kind(value_type, text))
}

/// True if a column is not too rare for chance and most of its first cells have its type. A column that is
/// on no record is never as expected, because the test cannot say anything about rare columns on short
/// pages.
fn is_as_expected(column: &ColumnRule, cells: &[Vec<GivenText>]) -> bool {
    let there = cells.iter().filter(|cell| !cell.is_empty()).count();
    let share = there as f64 / cells.len().max(1) as f64;
    if there == 0 || fell(column.presence.unwrap_or(0.0), share, cells.len()) {
        return false;
    }
    has_its_type(column, cells)
}

/// True if most of the first cells have the column's type.
fn has_its_type(column: &ColumnRule, cells: &[Vec<GivenText>]) -> bool {
    let some: Vec<&GivenText> = cells.iter().filter_map(|cell| cell.first()).take(MAX_TYPE_CHECKS).collect();
    let typed = some.iter().filter(|text| is_typed(column, text.as_str())).count();
    2 * typed >= some.len()
}

/// True if what a locator finds may be the cells of a column that its first locator does not find: their
/// type is right, they are not much longer than before, and they are not in many more records.
fn could_be_column(column: &ColumnRule, cells: &[Vec<GivenText>]) -> bool {
    let there = cells.iter().filter(|cell| !cell.is_empty()).count();
    let absent = 1.0 - there as f64 / cells.len().max(1) as f64;
    let longest = column.profile.as_ref().map(|profile| MAX_LENGTH_RATIO * profile.length.1 + LENGTH_SLACK);
    let fits = |text: &GivenText| longest.is_none_or(|longest| text.as_str().chars().count() <= longest);
    there > 0
        && has_its_type(column, cells)
        && cells.iter().filter_map(|cell| cell.first()).all(fits)
        && !fell(1.0 - column.presence.unwrap_or(1.0), absent, cells.len())
}
