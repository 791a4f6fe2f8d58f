//! Values of one path that a record has several of.
//!
//! In: the values of all records. Out: for each path how its values are told apart: few of them by their place, each a column;
//! values that name themselves (`Genre: Racing`) by their labels; items of a list, and many values, not at all: they are
//! one column of lists. O(values).

use super::values::Value;
use copal_dom::hash::hash_of;
use copal_dom::{Page, tags};
use copal_values::labels::inline_label;
use rustc_hash::FxHashSet;

/// A path may repeat this often and still be a column for each place.
const PLACES: u32 = 4;
/// Most labels of one path.
const LABELS: usize = 12;
/// How often a label occurs at least, on average.
const OFTEN: usize = 3;

/// How values of one path are told apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Repeats {
    /// By their place.
    Places,
    /// By their labels.
    Labels,
    /// Not at all.
    List,
}

impl Repeats {
    /// The column a value goes to, of those of its path.
    pub(super) fn slot(self, ordinal: u32, text: &str) -> u64 {
        match self {
            Repeats::Places => u64::from(ordinal),
            Repeats::Labels => inline_label(text).map_or(0, hash_of),
            Repeats::List => 0,
        }
    }
}

/// What is counted of a path.
#[derive(Default)]
struct Counts {
    /// In the record that has most, and in the one that has fewest.
    most: u32,
    least: u32,
    values: usize,
    labelled: usize,
    labels: FxHashSet<u64>,
    items: bool,
}

impl Counts {
    fn repeats(&self) -> Repeats {
        let labelled = 5 * self.labelled >= 4 * self.values;
        match self.most {
            1 => Repeats::Places,
            _ if labelled && self.labels.len() <= LABELS && self.values >= OFTEN * self.labels.len() => {
                Repeats::Labels
            }
            most if most > PLACES => Repeats::List,
            most if self.items && most != self.least => Repeats::List,
            _ => Repeats::Places,
        }
    }
}

/// How the values of each path are told apart, by the paths' numbers.
pub(super) fn of(page: &Page, values: &[Vec<Value>], paths: usize) -> Vec<Repeats> {
    let mut counts: Vec<Counts> = std::iter::repeat_with(Counts::default).take(paths).collect();
    let mut own: Vec<u32> = vec![0; paths];
    for record in values {
        for value in record {
            own[value.path as usize] += 1;
        }
        for value in record {
            // a path is met as often as it repeats; the first time counts
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
            if count.labels.len() <= LABELS {
                count.labels.insert(hash_of(label));
            }
        }
    }
    counts.iter().map(Counts::repeats).collect()
}
