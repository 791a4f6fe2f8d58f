//! Labels and their values: table rows, definition lists, "Label: value", a label before or above its value.
//!
//! In: a [`DetailPage`] and what the domain knows as labels. Out: [`LabelledValue`]s in document order. A
//! label is short and not a sentence. Without a colon it must be marked as a label by structure (the first
//! cell of a row, `dt`, a heading, bold before plain text) or be known to the domain. One file per layout; a
//! line that one layout reads as a label is not read again by a later one. O(lines + nodes), with a bound on
//! every value.

mod collector;
mod headings;
mod inline_labels;
mod label_lines;
mod labelled_value;
mod marked_up;

pub(super) use collector::LabelTest;
pub(super) use headings::section_lines;
pub(super) use labelled_value::{LabelLayout, LabelledValue};

use super::detail_page::DetailPage;
use super::table_heads::ColumnHeads;
use collector::{LabelledValueCollector, MAX_VALUE_COUNT};

/// Finds all labelled values of a page. `is_known_label` and `is_known_section` ask the domain about a label
/// and about a heading that names a section of the object; `column_heads` are the tables to read by column.
pub(super) fn find_labelled_values(
    page: &DetailPage<'_>,
    is_known_label: LabelTest<'_>,
    is_known_section: LabelTest<'_>,
    column_heads: &[ColumnHeads],
) -> Vec<LabelledValue> {
    let mut collector = LabelledValueCollector::new(page, is_known_label, is_known_section);
    marked_up::read_columns(&mut collector, column_heads);
    marked_up::read_table_rows(&mut collector);
    marked_up::read_definitions(&mut collector);
    label_lines::read_lines(&mut collector);
    headings::read_sections(&mut collector);
    let mut values = collector.values;
    values.sort_by_key(|value| (value.node, value.layout));
    values.truncate(MAX_VALUE_COUNT);
    values
}
