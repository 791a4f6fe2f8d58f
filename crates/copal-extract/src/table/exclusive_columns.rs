//! Columns that exclude each other: one field that some records write in another way.
//!
//! In: column drafts. Out: the drafts, with those merged that never occur together in one record, have the
//! same columns before and after them, and look alike: equal class, equal type, both headings, or both in
//! one cell of a table. An optional wrapper or badge therefore does not make a second column. The columns
//! that most records have serve as landmarks. O(cells · landmarks); each column is compared with a bounded
//! number of others.

use super::column_draft::{ColumnDraft, self_and_ancestors};
use super::html_tables::HtmlTables;
use super::value_types::ColumnTyper;
use copal_dom::{Node, Page, tags};
use copal_model::CellSource;
use copal_values::ValueType;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of landmarks.
const MAX_LANDMARKS: usize = u32::BITS as usize;
/// Share of the records that must have a landmark.
const MIN_LANDMARK_SUPPORT: f64 = 0.7;
/// How many preceding columns a column is compared with.
const MAX_COMPARED_COLUMNS: usize = 64;
/// Elements around a text that may be its heading.
const MAX_HEADING_DISTANCE: usize = 3;

/// A draft with what the comparison needs.
struct ExclusiveCandidate {
    draft: ColumnDraft,
    records: FxHashSet<usize>,
    place: PlaceAmongLandmarks,
    value_type: Option<ValueType>,
}

/// Merges columns; see the module.
pub(super) fn merge_exclusive_columns(
    page: &Page,
    tables: &HtmlTables,
    drafts: Vec<ColumnDraft>,
    records: usize,
    typer: &mut ColumnTyper,
) -> Vec<ColumnDraft> {
    let landmarks = Landmarks::new(&drafts, records);
    let mut out: Vec<ExclusiveCandidate> = Vec::with_capacity(drafts.len());
    for (c, draft) in drafts.into_iter().enumerate() {
        let new = ExclusiveCandidate {
            records: draft.cells.iter().map(|cell| cell.record).collect(),
            place: landmarks.place_of(c, &draft),
            value_type: if draft.source == CellSource::Text { typer.type_of_column(&draft) } else { None },
            draft,
        };
        let from = out.len().saturating_sub(MAX_COMPARED_COLUMNS);
        // all records have it, so it excludes nothing
        let same = (new.records.len() < records).then(|| {
            out[from..].iter().rposition(|other| {
                other.draft.source == new.draft.source
                    && other.records.len() + new.records.len() <= records
                    && other.place.agrees(new.place)
                    && other.draft.label == new.draft.label
                    && other.records.is_disjoint(&new.records)
                    && is_alike(page, tables, other, &new)
            })
        });
        match same.flatten() {
            Some(at) => {
                let other = &mut out[from + at];
                other.records.extend(&new.records);
                other.place.add(new.place);
                // the sample of the column with more values stands for both
                if new.draft.cells.len() > other.draft.cells.len() {
                    other.draft.sample = new.draft.sample;
                    other.value_type = new.value_type;
                }
                other.draft.cells.extend(new.draft.cells);
                other.draft.cells.sort_by_key(|cell| (cell.record, cell.position));
            }
            None => out.push(new),
        }
    }
    out.into_iter().map(|candidate| candidate.draft).collect()
}

/// True if two columns look like one field.
fn is_alike(page: &Page, tables: &HtmlTables, a: &ExclusiveCandidate, b: &ExclusiveCandidate) -> bool {
    let (left, right) = (a.draft.sample, b.draft.sample);
    let tree = &page.tree;
    if page.styles.style(left).strike != page.styles.style(right).strike {
        return false;
    }
    let element = |node: Node| if tree.is_text(node) { tree.parent(node) } else { node };
    let class = |node: Node| page.index.class(element(node));
    let same_class = class(left) != 0 && class(left) == class(right);
    if a.draft.source != CellSource::Text {
        return same_class && tree.tag(element(left)) == tree.tag(element(right));
    }
    let says_what = |value_type: ValueType| !matches!(value_type, ValueType::Number | ValueType::Count);
    let same_type = a.value_type == b.value_type;
    if same_type && a.value_type.is_some_and(says_what) {
        return true;
    }
    if !same_type && a.value_type.is_some() && b.value_type.is_some() {
        return false;
    }
    let heading = |node: Node| {
        self_and_ancestors(page, node).take(MAX_HEADING_DISTANCE).any(|up| tags::is_heading(tree.tag(up)))
    };
    let cell = |node: Node| {
        let cell = self_and_ancestors(page, node).find(|&up| matches!(tree.tag(up), tags::TD | tags::TH))?;
        tables.header(page, cell).map(|header| header.name.as_str())
    };
    let same_cell = cell(left).is_some() && cell(left) == cell(right);
    same_cell || heading(left) && heading(right) || same_class && same_type
}

/// Columns that most records have, and where they are in each record.
struct Landmarks {
    /// The column, and its position by record.
    columns: Vec<(usize, FxHashMap<usize, usize>)>,
}

impl Landmarks {
    fn new(drafts: &[ColumnDraft], records: usize) -> Landmarks {
        let frequent =
            |draft: &ColumnDraft| draft.record_count() as f64 >= MIN_LANDMARK_SUPPORT * records as f64;
        let columns = drafts.iter().enumerate().filter(|(_, draft)| frequent(draft)).take(MAX_LANDMARKS);
        let positions =
            |draft: &ColumnDraft| draft.cells.iter().map(|cell| (cell.record, cell.position)).collect();
        Landmarks { columns: columns.map(|(c, draft)| (c, positions(draft))).collect() }
    }

    /// Which landmarks are before a column in most of its records.
    fn place_of(&self, column: usize, draft: &ColumnDraft) -> PlaceAmongLandmarks {
        let mut place = PlaceAmongLandmarks::default();
        for (bit, (landmark, positions)) in self.columns.iter().enumerate() {
            let (mut before, mut after) = (0, 0);
            for cell in draft.cells.iter().filter(|_| *landmark != column) {
                match positions.get(&cell.record) {
                    Some(&position) if position < cell.position => before += 1,
                    Some(_) => after += 1,
                    None => {}
                }
            }
            place.known |= u32::from(before != after) << bit;
            place.before |= u32::from(before > after) << bit;
        }
        place
    }
}

/// Which landmarks are before a column, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct PlaceAmongLandmarks {
    before: u32,
    /// Landmarks that some records have besides the column.
    known: u32,
}

impl PlaceAmongLandmarks {
    /// True if no landmark is between two columns.
    fn agrees(self, other: PlaceAmongLandmarks) -> bool {
        (self.before ^ other.before) & self.known & other.known == 0
    }

    fn add(&mut self, other: PlaceAmongLandmarks) {
        self.before |= other.before;
        self.known |= other.known;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landmarks_that_a_column_never_meets_do_not_tell_it_apart() {
        let place = |before, known| PlaceAmongLandmarks { before, known };
        assert!(place(0b01, 0b11).agrees(place(0b01, 0b01)));
        assert!(place(0b01, 0b01).agrees(place(0b10, 0b10)));
        assert!(!place(0b01, 0b11).agrees(place(0b11, 0b11)));
    }
}
