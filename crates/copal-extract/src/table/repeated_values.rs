//! Values of one path that occur several times in a record.
//!
//! In: the values of all records. Out: for each path, how its values are assigned to columns. A few values
//! get one column per position. Values that name themselves (`Genre: Racing`) get one column per label, and
//! unlike values (a price, a date, `3 beds`) one per type and unit. Items of lists, and many values, share
//! one column whose cells are lists. O(values).

use super::record_values::RecordValue;
use super::text_names::unit_of;
use super::value_types::ColumnTyper;
use copal_dom::hash::hash_of;
use copal_dom::{Page, tags};
use copal_model::CellSource;
use copal_values::ValueType;
use copal_values::labels::inline_label;
use rustc_hash::{FxHashMap, FxHashSet};

/// A path that repeats more often than this becomes one column of lists.
const MAX_COLUMNS_PER_PATH: u32 = 4;
/// Maximum number of labels of one path.
const MAX_LABELS_PER_PATH: usize = 12;
/// How often a label must occur on average.
const MIN_VALUES_PER_LABEL: usize = 3;
/// Longest text that is a value after a label, in bytes. In longer ones a colon is part of a sentence.
const MAX_LABELLED_BYTES: usize = 120;
/// Paths with more values per record are lists, whatever the values are.
const MAX_SLOTS_PER_PATH: u32 = 12;

/// How the values of one path are assigned to columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RepeatedValues {
    /// One column per position among the values of the path.
    ByPosition,
    /// One column per label.
    ByLabel,
    /// One column per type and unit; the other values by position.
    BySlot,
    /// One column with all values.
    AsList,
}

/// Assigns the values of each path to columns.
pub(super) struct PathColumns {
    by_path: Vec<RepeatedValues>,
    /// By path and slot: the last record that had it, and how often that record has had it so far.
    seen: FxHashMap<(u32, u64), (usize, u32)>,
}

impl PathColumns {
    /// Which of the columns of its path a value belongs to. Values must be given in their order.
    pub(super) fn column_key(&mut self, record: usize, value: &RecordValue, typer: &mut ColumnTyper) -> u64 {
        let text = value.text.text.as_str();
        let slot = match self.by_path[value.path as usize] {
            RepeatedValues::AsList => return 0,
            RepeatedValues::ByLabel => return inline_label(text).map_or(0, hash_of),
            RepeatedValues::ByPosition => 0,
            RepeatedValues::BySlot => value_slot(text, typer).unwrap_or_default(),
        };
        let (last, times) = self.seen.entry((value.path, slot)).or_insert((record, 0));
        let ordinal = if *last == record { *times } else { 0 };
        (*last, *times) = (record, ordinal + 1);
        slot.wrapping_add(u64::from(ordinal))
    }
}

/// The label of a value, or its type, with its unit if it is a count; `None` if nothing says what it is.
fn value_slot(text: &str, typer: &mut ColumnTyper) -> Option<u64> {
    if text.len() <= MAX_LABELLED_BYTES
        && let Some(label) = inline_label(text)
    {
        return Some(hash_of(label) | 1 << 32);
    }
    let value_type = typer.type_of_text(text)?;
    match value_type {
        ValueType::Number | ValueType::Count => {
            let unit = unit_of(text)?;
            Some(hash_of(unit.strip_suffix('s').unwrap_or(&unit)) | 1 << 32)
        }
        _ => Some(hash_of(value_type.name()) | 1 << 32),
    }
}

/// Counts of one path over all records.
#[derive(Default)]
struct PathCounts {
    /// The number of values in the record with most.
    most: u32,
    /// The number of values in the record with fewest, among those that have any.
    least: u32,
    values: usize,
    labelled: usize,
    labels: FxHashSet<u64>,
    /// Some of its values are list items.
    items: bool,
    /// Values with a slot, the different slots, and values whose slot their record has already.
    slotted: usize,
    slots: FxHashSet<u64>,
    repeated_slots: usize,
    /// The record of the last slotted value, and its slots.
    last_record: usize,
    last_slots: Vec<u64>,
}

impl PathCounts {
    fn repeated_values(&self) -> RepeatedValues {
        let labelled = 5 * self.labelled >= 4 * self.values;
        match self.most {
            1 => RepeatedValues::ByPosition,
            _ if labelled
                && self.labels.len() <= MAX_LABELS_PER_PATH
                && self.values >= MIN_VALUES_PER_LABEL * self.labels.len() =>
            {
                RepeatedValues::ByLabel
            }
            // where all records have equally many, positions are at least as reliable as types
            most if most != self.least && most <= MAX_SLOTS_PER_PATH && self.has_unlike_values() => {
                RepeatedValues::BySlot
            }
            most if most > MAX_COLUMNS_PER_PATH => RepeatedValues::AsList,
            most if self.items && most != self.least => RepeatedValues::AsList,
            _ => RepeatedValues::ByPosition,
        }
    }
}

impl PathCounts {
    /// True if a good part of the values have slots of their own, and records hardly ever have two of one.
    fn has_unlike_values(&self) -> bool {
        let untyped = usize::from(self.slotted < self.values);
        4 * self.slotted >= self.values
            && self.slots.len() <= MAX_LABELS_PER_PATH
            && self.slots.len() + untyped >= 2
            && 20 * self.repeated_slots <= self.slotted
            && self.slotted >= MIN_VALUES_PER_LABEL * self.slots.len()
    }

    fn add_slot(&mut self, record: usize, slot: u64) {
        if self.last_record != record + 1 {
            self.last_record = record + 1;
            self.last_slots.clear();
        }
        self.slotted += 1;
        if self.last_slots.contains(&slot) {
            self.repeated_slots += 1;
        } else {
            self.last_slots.push(slot);
        }
        if self.slots.len() <= MAX_LABELS_PER_PATH {
            self.slots.insert(slot);
        }
    }
}

/// How the values of each path are assigned to columns.
pub(super) fn classify_paths(
    page: &Page,
    values: &[Vec<RecordValue>],
    paths: usize,
    typer: &mut ColumnTyper,
) -> PathColumns {
    let mut counts: Vec<PathCounts> = std::iter::repeat_with(PathCounts::default).take(paths).collect();
    let mut own: Vec<u32> = vec![0; paths];
    for record in values {
        for value in record {
            own[value.path as usize] += 1;
        }
        for value in record {
            // every value of the path reaches this line; only the first one counts
            let times = std::mem::take(&mut own[value.path as usize]);
            if times > 0 {
                let count = &mut counts[value.path as usize];
                count.most = count.most.max(times);
                count.least = if count.least == 0 { times } else { count.least.min(times) };
            }
        }
    }
    let numbered =
        values.iter().enumerate().flat_map(|(r, record)| record.iter().map(move |value| (r, value)));
    for (record, value) in numbered {
        let count = &mut counts[value.path as usize];
        if count.most == 1 {
            continue;
        }
        let is_item = |node| page.tree.tag(node) == tags::LI;
        let is_text = page.tree.is_text(value.node);
        count.items |= is_item(value.node) || is_text && is_item(page.tree.parent(value.node));
        count.values += 1;
        if let Some(label) = inline_label(&value.text.text) {
            count.labelled += 1;
            if count.labels.len() <= MAX_LABELS_PER_PATH {
                count.labels.insert(hash_of(label));
            }
        }
        if value.source == CellSource::Text
            && count.most <= MAX_SLOTS_PER_PATH
            && let Some(slot) = value_slot(&value.text.text, typer)
        {
            count.add_slot(record, slot);
        }
    }
    let by_path = counts.iter().map(PathCounts::repeated_values).collect();
    PathColumns { by_path, seen: FxHashMap::default() }
}

#[cfg(test)]
mod tests {
    use crate::{Request, extract};
    use copal_dom::{Limits, Page};

    #[test]
    fn an_optional_paragraph_does_not_shift_labelled_ones() {
        let item = |n: usize| {
            let file = if n.is_multiple_of(3) { "" } else { "<p>File: 12/ab</p>" };
            let state = if n.is_multiple_of(2) { "open" } else { "closed" };
            let lot = format!("Two rooms with a view of garden number {n}");
            format!(
                "<li><h3><a href=/lot{n}>Lot number {n}</a></h3>{file}<p>State: {state}</p><p>{lot}</p></li>"
            )
        };
        let items: String = (1..=9).map(item).collect();
        let page = Page::from_text(&format!("<body><ul>{items}</ul>"), &Limits::default());
        let answer = extract(&page, &Request::default());
        let list = answer.primary().expect("a list");
        let state = list.columns.iter().position(|column| column.name == "state").expect("a state");
        assert!(list.records.iter().all(|record| record.cells[state].join("").contains("State: ")));
    }
}
