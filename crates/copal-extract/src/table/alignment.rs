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
use super::exclusive_columns::merge_exclusive_columns;
use super::field_terms::FieldTerms;
use super::html_tables::HtmlTables;
use super::leftover_columns::{FinishedColumn, merge_leftovers};
use super::line_templates::{LineTemplates, find_line_templates};
use super::part_layout::PartLayout;
use super::prose_blocks::{ProseBlocks, find_prose_blocks};
use super::prune_columns::prune_columns;
use super::record_values::{RecordValue, ValueCollector, ValuePaths};
use super::repeated_values;
use super::split_columns::split_columns;
use super::unit_columns::without_unit_columns;
use super::value_pairs::name_value_pairs;
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
    let mut typer = ColumnTyper::default();
    let mut collector = ValueCollector {
        page,
        lines,
        tables,
        terms,
        paths: ValuePaths::default(),
        nested_items,
        prose: ProseBlocks::default(),
        templates: LineTemplates::default(),
    };
    let layouts: Vec<Vec<PartLayout<'_>>> =
        found.records.iter().map(|parts| collector.part_layouts(parts)).collect();
    collector.prose = find_prose_blocks(page, &layouts);
    collector.templates = find_line_templates(page, &layouts, &mut typer);
    let values: Vec<Vec<RecordValue>> =
        layouts.iter().map(|layouts| collector.record_values(layouts)).collect();
    drop(layouts);
    let ValueCollector { tables, paths, .. } = collector;
    let mut path_columns = repeated_values::classify_paths(page, &values, paths.len(), &mut typer);
    let mut drafts: Vec<ColumnDraft> = Vec::new();
    let mut columns: FxHashMap<(u32, u64), usize> = FxHashMap::default();
    for (record, values) in values.into_iter().enumerate() {
        for (position, value) in values.into_iter().enumerate() {
            let key = path_columns.column_key(record, &value, &mut typer);
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
    let drafts = split_columns(drafts);
    let drafts = prune_columns(page, &tables, drafts, found.records.len(), &mut typer, budget);
    let drafts = without_unit_columns(drafts);
    let drafts = merge_exclusive_columns(page, &tables, drafts, found.records.len(), &mut typer);
    let types: Vec<Option<ValueType>> = drafts.iter().map(|draft| typer.type_of_column(draft)).collect();
    let names = name_columns(page, found, &tables, &drafts, &types);
    let records = found.records.len();
    let finished = drafts.into_iter().zip(types).zip(names);
    let finished =
        finished.map(|((draft, value_type), named)| FinishedColumn { draft, value_type, named }).collect();
    let mut finished = merge_leftovers(finished, records);
    let values = draft_values(page, &finished, &mut typer.reader);
    name_value_pairs(&mut finished, &values);
    let mut rows = vec![vec![Cell::default(); finished.len()]; records];
    let mut columns = Vec::with_capacity(finished.len());
    for (c, (FinishedColumn { draft, value_type, named }, read)) in
        finished.into_iter().zip(values).enumerate()
    {
        let mut values = read.values.into_iter();
        for DraftCell { record, text, .. } in draft.cells {
            let value = values.next().flatten();
            let cell = &mut rows[record][c];
            // a list of texts has no single value
            cell.value = value.filter(|_| cell.is_empty());
            cell.texts.push(text);
        }
        let support = rows.iter().filter(|row| !row[c].is_empty()).count() as f64 / records as f64;
        let value_type = value_type.map(ValueType::name);
        columns.push(Column {
            name: named.name,
            named_by: named.by,
            name_reason: Some(named.reason),
            class_hint: named.class,
            source: draft.source,
            value_type,
            date_order: read.date_order,
            is_chosen: false,
            support,
            confidence: None,
        });
    }
    AlignedTable { columns, rows }
}
