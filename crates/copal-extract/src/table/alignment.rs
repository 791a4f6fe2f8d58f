//! Alignment: which values of different records are one column.
//!
//! In: a list candidate. Out: an [`AlignedTable`]. A value is a text that a reader takes in as one, the
//! target of a link or the URL of an image. Values with the same path below the record (tags, stable classes,
//! column of a table), or with the same term before them, share a column. Columns are then split, pruned,
//! typed and named. Near-linear in the nodes of the records.

use super::cell_budget::CellBudget;
use super::column_draft::{ColumnDraft, DraftCell};
use super::column_names::name_columns;
use super::column_values::draft_values;
use super::field_terms::FieldTerms;
use super::html_tables::HtmlTables;
use super::prune_columns::prune_columns;
use super::record_values::{RecordValue, ValueCollector, ValuePaths};
use super::repeated_values;
use super::split_columns::split_columns;
use super::value_types::ColumnTyper;
use crate::lists::candidate::ListCandidate;
use crate::structure::line_text::LineIndex;
use copal_dom::{Node, Page};
use copal_model::{Cell, Column, Layout};
use copal_values::ValueType;
use rustc_hash::{FxHashMap, FxHashSet};

/// Columns, and the cells of every record.
pub(crate) struct AlignedTable {
    pub(crate) columns: Vec<Column>,
    /// By record, then by column.
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// Aligns the values of a list candidate. Nodes in `nested_items` belong to lists nested in the records and
/// are skipped.
pub(crate) fn align(
    page: &Page,
    lines: &LineIndex,
    found: &ListCandidate,
    layout: Layout,
    nested_items: &FxHashSet<Node>,
    budget: &CellBudget,
) -> AlignedTable {
    let tables =
        if layout == Layout::Table { HtmlTables::of_records(page, found) } else { HtmlTables::default() };
    let terms = FieldTerms::in_records(page, found);
    let mut collector =
        ValueCollector { page, lines, tables, terms, paths: ValuePaths::default(), nested_items };
    let values: Vec<Vec<RecordValue>> =
        found.records.iter().map(|parts| collector.record_values(parts)).collect();
    let ValueCollector { tables, paths, .. } = collector;
    let repeated = repeated_values::classify_paths(page, &values, paths.len());
    let mut drafts: Vec<ColumnDraft> = Vec::new();
    let mut columns: FxHashMap<(u32, u64), usize> = FxHashMap::default();
    // per path: the last record that had it, and how often that record has had it so far
    let mut seen: Vec<(usize, u32)> = vec![(usize::MAX, 0); paths.len()];
    for (record, values) in values.into_iter().enumerate() {
        for (position, value) in values.into_iter().enumerate() {
            let (last, times) = &mut seen[value.path as usize];
            let ordinal = if *last == record { *times } else { 0 };
            (*last, *times) = (record, ordinal + 1);
            let key = repeated[value.path as usize].column_key(ordinal, &value.text.text);
            let at = *columns.entry((value.path, key)).or_insert_with(|| {
                drafts.push(ColumnDraft {
                    source: value.source,
                    sample: value.node,
                    last: value.node,
                    tail: value.tail,
                    label: value.term.map(|term| page.text_of(term).trim_end_matches([':', ' ']).to_owned()),
                    cells: Vec::new(),
                });
                drafts.len() - 1
            });
            drafts[at].last = value.node;
            drafts[at].cells.push(DraftCell { record, position, text: value.text });
        }
    }
    drafts.sort_by(|a, b| a.mean_position().total_cmp(&b.mean_position()));
    let mut typer = ColumnTyper::default();
    let drafts = split_columns(drafts);
    let drafts = prune_columns(page, &tables, drafts, found.records.len(), &mut typer, budget);
    let types: Vec<Option<ValueType>> = drafts.iter().map(|draft| typer.type_of_column(draft)).collect();
    let names = name_columns(page, found, &tables, &drafts, &types);
    let values = draft_values(page, &drafts, &types, &mut typer.reader);
    let records = found.records.len();
    let mut rows = vec![vec![Cell::default(); drafts.len()]; records];
    let mut columns = Vec::with_capacity(drafts.len());
    let drafts = drafts.into_iter().zip(types).zip(names).zip(values);
    for (c, (((draft, value_type), (name, named_by)), read)) in drafts.enumerate() {
        let mut values = read.values.into_iter();
        for DraftCell { record, text, .. } in draft.cells {
            let value = values.next().flatten();
            let cell = &mut rows[record][c];
            // a list of texts has no single value
            cell.value = value.filter(|_| cell.is_empty());
            cell.texts.push(text);
        }
        let support = rows.iter().filter(|row| !row[c].is_empty()).count() as f64 / records as f64;
        let (value_type, source) = (value_type.map(ValueType::name), draft.source);
        let date_order = read.date_order;
        columns.push(Column { name, named_by, source, value_type, date_order, support, confidence: None });
    }
    AlignedTable { columns, rows }
}
