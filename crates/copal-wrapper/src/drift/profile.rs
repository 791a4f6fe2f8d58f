//! The profile of a wrapper: statistics of what it read on its samples, which later pages are compared with.
//!
//! In: what a wrapper reads from pages. Out: a [`Profile`] of the pages and a [`ColumnProfile`] per column,
//! small enough for the wrapper file. O(text of the cells + elements of the pages).

use super::evidence::least_fill;
use crate::format::{ColumnProfile, PageRule, Profile, ReadFrom};
use crate::locate::hash;
use crate::locate::page_fingerprint::{page_fingerprint, to_hex};
use copal_dom::{Page, tags};
use copal_extract::Region;
use rustc_hash::FxHashSet;

/// Maximum number of records whose cells are kept as examples.
const MAX_EXAMPLES: usize = 5;
/// Longest example; the rest of a longer cell is dropped.
pub(crate) const MAX_EXAMPLE_CHARS: usize = 80;

/// Counts over the cells of one column.
#[derive(Debug, Default)]
pub(crate) struct CellCounts {
    pub(crate) records: usize,
    pub(crate) cells: usize,
    pub(crate) typed: usize,
    lengths: Vec<usize>,
    distinct: FxHashSet<u64>,
    letters: usize,
    digits: usize,
    /// Characters that are not spaces.
    characters: usize,
}

impl CellCounts {
    /// Counts the cells of a column of a list.
    pub(crate) fn add(&mut self, list: &Region, column: usize) {
        for record in &list.records {
            self.records += 1;
            let Some(text) = record.cells.get(column).and_then(|cell| cell.first()) else { continue };
            self.cells += 1;
            let value = record.cells[column].value.is_some();
            // A cell with several texts has no single value that could be typed.
            self.typed += usize::from(value || record.cells[column].len() > 1);
            self.lengths.push(text.chars().count());
            self.distinct.insert(hash(text));
            for c in text.chars().filter(|c| !c.is_whitespace()) {
                self.characters += 1;
                self.letters += usize::from(c.is_alphabetic());
                self.digits += usize::from(c.is_numeric());
            }
        }
    }

    pub(crate) fn presence(&self) -> f64 {
        share(self.cells, self.records)
    }

    pub(crate) fn typed(&self) -> f64 {
        share(self.typed, self.cells)
    }

    pub(crate) fn distinct(&self) -> f64 {
        share(self.distinct.len(), self.cells)
    }

    pub(crate) fn letters(&self) -> f64 {
        share(self.letters, self.characters)
    }

    pub(crate) fn digits(&self) -> f64 {
        share(self.digits, self.characters)
    }

    /// The length that this share of the cells do not exceed, in characters.
    pub(crate) fn length(&mut self, quantile: f64) -> usize {
        self.lengths.sort_unstable();
        let at = (self.lengths.len().saturating_sub(1) as f64 * quantile).round() as usize;
        self.lengths.get(at).copied().unwrap_or(0)
    }

    fn profile(&mut self, has_type: bool, examples: Vec<String>) -> ColumnProfile {
        ColumnProfile {
            typed: has_type.then(|| rounded(self.typed())),
            length: (self.length(0.05), self.length(0.95)),
            distinct: rounded(self.distinct()),
            letters: rounded(self.letters()),
            digits: rounded(self.digits()),
            examples,
        }
    }
}

/// Sets the profiles of a rule and of its columns from what the rule reads on its samples.
pub(crate) fn fill_profiles(rule: &mut PageRule, samples: &[(&Page, &Region)]) {
    let Some((page, first)) = samples.first() else { return };
    let record_counts = || samples.iter().map(|(_, list)| list.records.len());
    let covered: f64 = samples.iter().map(|(page, list)| coverage(page, list)).sum();
    rule.profile = Some(Profile {
        samples: samples.len(),
        records: (record_counts().min().unwrap_or(0), record_counts().max().unwrap_or(0)),
        coverage: Some(rounded(covered / samples.len() as f64)),
        page_fingerprint: Some(to_hex(&page_fingerprint(page))),
        least_fill: None,
    });
    let step = first.records.len().div_ceil(MAX_EXAMPLES).max(1);
    for (at, column) in rule.columns.iter_mut().enumerate() {
        let mut counts = CellCounts::default();
        for (_, list) in samples {
            counts.add(list, at);
        }
        let cells = first.records.iter().step_by(step).map(|record| record.cells[at].first());
        let examples = cells.map(|cell| cell.map(example).unwrap_or_default()).collect();
        // A sample may have a column that its extraction missed, so presence is what is read, not what was
        // known.
        column.presence = Some(counts.presence());
        let typed = column.value_type.is_some() && column.read_from == ReadFrom::Text;
        column.profile = Some(counts.profile(typed, examples));
    }
    let least = least_fill(&rule.columns, samples.iter().map(|(_, list)| *list));
    if let Some(profile) = &mut rule.profile {
        profile.least_fill = least.map(rounded);
    }
}

/// A cell, shortened to the length of an example.
pub(crate) fn example(text: &str) -> String {
    text.chars().take(MAX_EXAMPLE_CHARS).collect()
}

/// Share of a page's visible text that is inside the records.
pub(crate) fn coverage(page: &Page, list: &Region) -> f64 {
    let inside: u64 = list
        .records
        .iter()
        .flat_map(|record| &record.place.parts)
        .map(|part| u64::from(page.index.chars(part)))
        .sum();
    let all = page.tree.find(tags::BODY).map_or(0, |body| page.index.chars(&(body..page.tree.end(body))));
    (inside as f64 / f64::from(all.max(1))).min(1.0)
}

fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}
