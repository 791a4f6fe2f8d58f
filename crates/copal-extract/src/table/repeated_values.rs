//! Values of one path that occur several times in a record.
//!
//! In: the values of all records. Out: for each path, how its values are assigned to columns. A few values
//! get one column per position. Values that name themselves (`Genre: Racing`) get one column per label. Items
//! of lists, and many values, share one column whose cells are lists. O(values).

use super::record_values::RecordValue;
use copal_dom::hash::hash_of;
use copal_dom::{Page, tags};
use copal_values::labels::inline_label;
use rustc_hash::FxHashSet;

/// A path that repeats more often than this becomes one column of lists.
const MAX_COLUMNS_PER_PATH: u32 = 4;
/// Maximum number of labels of one path.
const MAX_LABELS_PER_PATH: usize = 12;
/// How often a label must occur on average.
const MIN_VALUES_PER_LABEL: usize = 3;

/// How the values of one path are assigned to columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RepeatedValues {
    /// One column per position among the values of the path.
    ByPosition,
    /// One column per label.
    ByLabel,
    /// One column with all values.
    AsList,
}

impl RepeatedValues {
    /// Which of the columns of its path a value belongs to.
    pub(super) fn column_key(self, ordinal: u32, text: &str) -> u64 {
        match self {
            RepeatedValues::ByPosition => u64::from(ordinal),
            RepeatedValues::ByLabel => inline_label(text).map_or(0, hash_of),
            RepeatedValues::AsList => 0,
        }
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
            most if most > MAX_COLUMNS_PER_PATH => RepeatedValues::AsList,
            most if self.items && most != self.least => RepeatedValues::AsList,
            _ => RepeatedValues::ByPosition,
        }
    }
}

/// How the values of each path are assigned to columns, by the number of the path.
pub(super) fn classify_paths(page: &Page, values: &[Vec<RecordValue>], paths: usize) -> Vec<RepeatedValues> {
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
    for value in values.iter().flatten() {
        let count = &mut counts[value.path as usize];
        if count.most == 1 {
            continue;
        }
        let is_item = |node| page.tree.tag(node) == tags::LI;
        count.items |= is_item(value.node) || page.tree.ancestors(value.node).take(1).any(is_item);
        count.values += 1;
        if let Some(label) = inline_label(&value.text.text) {
            count.labelled += 1;
            if count.labels.len() <= MAX_LABELS_PER_PATH {
                count.labels.insert(hash_of(label));
            }
        }
    }
    counts.iter().map(PathCounts::repeated_values).collect()
}
