//! Records side by side: values, places, columns, types and names, one file a step.
//!
//! In: a region's records. Out: columns and one cell a record and column. A value is a text that a reader takes in at once, a
//! link's target or an image's address. Values with the same path below the record (tags, stable classes, column of a
//! table) or the same term are one column. Near-linear in the nodes of the records.

pub(crate) mod attributes;
pub mod confidence;
pub(crate) mod kinds;
mod lines;
pub(crate) mod names;
pub(crate) mod nested;
pub(crate) mod places;
mod prune;
pub(crate) mod region;
mod repeats;
pub(crate) mod snake_case;
mod split;
mod tables;
mod terms;
mod values;

pub(crate) use crate::structure::line_text::line_text;
pub(crate) use values::text_value;

use crate::lists::candidate::ListCandidate;
use crate::structure::line_text::LineIndex;
use copal_dom::{Node, Page};
use copal_model::{Cell, CellSource, CellText, Column, Layout};
use copal_values::ValueType;
use kinds::Reader;
use rustc_hash::{FxHashMap, FxHashSet};
use tables::Tables;
use terms::Terms;
use values::{Paths, Reading, Value};

pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    /// By record, by column.
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// A column in the making.
struct Draft {
    source: CellSource,
    /// The nodes of its first value and of its last one.
    sample: Node,
    last: Node,
    /// Its values stand behind a leading link.
    tail: bool,
    /// Words that every record has before the value.
    label: Option<String>,
    cells: Vec<DraftCell>,
}

/// One text of a column in the making.
#[derive(Debug, Clone)]
struct DraftCell {
    record: usize,
    /// Position among the values of its record.
    position: usize,
    text: CellText,
}

impl DraftCell {
    fn text(&self) -> &str {
        &self.text.text
    }
}

impl Draft {
    /// A column like another one, without cells.
    fn new(like: &Draft) -> Draft {
        Draft {
            source: like.source,
            sample: like.sample,
            last: like.last,
            tail: like.tail,
            label: like.label.clone(),
            cells: Vec::new(),
        }
    }
}

/// The columns of a region, without what is in the items of lists inside of its records.
pub(crate) fn align(
    page: &Page,
    lines: &LineIndex,
    found: &ListCandidate,
    layout: Layout,
    items: &FxHashSet<Node>,
) -> Table {
    let tables = if layout == Layout::Table { Tables::of_rows(page, found) } else { Tables::default() };
    let terms = Terms::within(page, found);
    let mut reading = Reading { page, lines, tables, terms, paths: Paths::default(), items };
    let values: Vec<Vec<Value>> = found.records.iter().map(|parts| reading.values(parts)).collect();
    let Reading { tables, paths, .. } = reading;
    let repeats = repeats::of(page, &values, paths.len());
    let mut drafts: Vec<Draft> = Vec::new();
    let mut columns: FxHashMap<(u32, u64), usize> = FxHashMap::default();
    // by path: the record that had it last, and how often so far
    let mut seen: Vec<(usize, u32)> = vec![(usize::MAX, 0); paths.len()];
    for (record, values) in values.into_iter().enumerate() {
        for (position, value) in values.into_iter().enumerate() {
            let (last, times) = &mut seen[value.path as usize];
            let ordinal = if *last == record { *times } else { 0 };
            (*last, *times) = (record, ordinal + 1);
            let slot = repeats[value.path as usize].slot(ordinal, &value.text.text);
            let at = *columns.entry((value.path, slot)).or_insert_with(|| {
                drafts.push(Draft {
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
    drafts.sort_by(|a, b| prune::mean_position(a).total_cmp(&prune::mean_position(b)));
    let mut reader = Reader::default();
    let drafts = prune::prune(page, split::split(drafts), found.records.len(), &mut reader);
    let kinds: Vec<Option<ValueType>> = drafts.iter().map(|draft| reader.kind_of(draft)).collect();
    let names = names::name_columns(page, found, &tables, &drafts, &kinds);
    let records = found.records.len();
    let mut rows = vec![vec![Cell::default(); drafts.len()]; records];
    let mut columns = Vec::with_capacity(drafts.len());
    for (c, ((draft, kind), (name, named_by))) in drafts.into_iter().zip(kinds).zip(names).enumerate() {
        for DraftCell { record, text, .. } in draft.cells {
            let cell = &mut rows[record][c];
            // a list of texts has no single value
            let typed = kind.filter(|_| cell.is_empty());
            cell.value = typed.and_then(|kind| reader.value_of(kind, &text.text));
            cell.texts.push(text);
        }
        let support = rows.iter().filter(|row| !row[c].is_empty()).count() as f64 / records as f64;
        let kind = kind.map(ValueType::name);
        columns.push(Column { name, named_by, source: draft.source, kind, support, confidence: None });
    }
    Table { columns, rows }
}
