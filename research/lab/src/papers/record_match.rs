//! How found records relate to the gold: right, joined with others, split, or missed.
//!
//! In: the texts of the gold records, and found records as node ranges. Out: a [`RecordMatch`]. A record is
//! right if it holds the texts of one gold record and of no other. This is simpler than the scorer of the
//! corpora, which also looks at what a record has too much. O(found x gold x texts).

use crate::text::folded;
use copal::Page;
use copal_extract::Parts;
use serde_json::Value;
use std::ops::AddAssign;

/// Share of a gold record's texts that a record must hold.
const MIN_HELD_TEXTS: f64 = 0.9;
/// Of several gold records, one that has this much of the found text is the record; the others are contained
/// in it by chance.
const MIN_OWN_TEXT: f64 = 0.7;

/// What became of the gold records of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RecordMatch {
    /// Gold records.
    pub(crate) gold: usize,
    /// Found records.
    pub(crate) found: usize,
    /// Gold records that are one found record.
    pub(crate) right: usize,
    /// Gold records that are in one found record together with others.
    pub(crate) joined: usize,
    /// Gold records that are in several found records.
    pub(crate) split: usize,
}

impl AddAssign for RecordMatch {
    fn add_assign(&mut self, other: RecordMatch) {
        self.gold += other.gold;
        self.found += other.found;
        self.right += other.right;
        self.joined += other.joined;
        self.split += other.split;
    }
}

impl RecordMatch {
    pub(crate) fn f1(self) -> f64 {
        2.0 * self.right as f64 / (self.gold + self.found).max(1) as f64
    }

    /// The share of the gold records that were found, which the BUW paper calls accuracy.
    pub(crate) fn accuracy(self) -> f64 {
        self.right as f64 / self.gold.max(1) as f64
    }

    /// Gold records that are in no found record.
    pub(crate) fn missed(self) -> usize {
        self.gold.saturating_sub(self.right + self.joined + self.split)
    }

    /// True if at least half of the gold records are in the found list, in whatever division.
    pub(crate) fn is_region_found(self) -> bool {
        2 * self.missed() <= self.gold && self.gold > 0
    }

    pub(crate) fn of(page: &Page, gold: &[Vec<String>], records: &[Parts]) -> RecordMatch {
        let texts: Vec<String> = records
            .iter()
            .map(|parts| parts.iter().map(|part| folded(&page.visible_text(part.clone()))).collect())
            .collect();
        compare(gold, &texts)
    }
}

fn compare(gold: &[Vec<String>], found: &[String]) -> RecordMatch {
    let holds = |record: &str, texts: &[String]| {
        let held = texts.iter().filter(|text| record.contains(text.as_str())).count();
        held as f64 >= MIN_HELD_TEXTS * texts.len() as f64
    };
    let size = |at: usize| gold[at].iter().map(String::len).sum::<usize>();
    let mut fate = vec![None; gold.len()];
    for record in found {
        let held: Vec<usize> = (0..gold.len()).filter(|&at| holds(record, &gold[at])).collect();
        let free = held.iter().copied().filter(|&at| fate[at] != Some(true));
        let own = free.max_by_key(|&at| size(at));
        let is_own = |at: usize| held.len() == 1 || size(at) as f64 >= MIN_OWN_TEXT * record.len() as f64;
        match own {
            Some(at) if is_own(at) => fate[at] = Some(true),
            _ => held.into_iter().for_each(|at| fate[at] = fate[at].or(Some(false))),
        }
    }
    let all = found.concat();
    let count = |wanted: Option<bool>| fate.iter().filter(|one| **one == wanted).count();
    let split = (0..gold.len()).filter(|&at| fate[at].is_none() && holds(&all, &gold[at])).count();
    RecordMatch {
        gold: gold.len(),
        found: found.len(),
        right: count(Some(true)),
        joined: count(Some(false)),
        split,
    }
}

/// The texts of the gold records of a page, folded for comparison.
pub(crate) fn folded_records(gold: &Value) -> Vec<Vec<String>> {
    let texts = |record: &Value| -> Vec<String> {
        let texts = record["texts"].as_array().into_iter().flatten().filter_map(Value::as_str);
        texts.map(folded).filter(|text| !text.is_empty()).collect()
    };
    let records = gold["records"].as_array().into_iter().flatten().map(texts);
    records.filter(|texts| !texts.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(records: &[&[&str]]) -> Vec<Vec<String>> {
        records.iter().map(|record| record.iter().map(|text| (*text).to_owned()).collect()).collect()
    }

    #[test]
    fn records_are_right_joined_split_or_missed() {
        let gold = texts(&[&["alpha", "1"], &["beta", "2"], &["gamma", "3"], &["delta", "4"], &["eps", "5"]]);
        let found = ["alpha1", "beta2gamma3", "delta", "4"].map(str::to_owned);
        let compared = compare(&gold, &found);
        assert_eq!(compared, RecordMatch { gold: 5, found: 4, right: 1, joined: 2, split: 1 });
        assert_eq!(compared.missed(), 1);
        assert!(compared.is_region_found());
    }

    #[test]
    fn a_record_inside_the_text_of_another_does_not_count_as_joined() {
        let gold = texts(&[&["lamp"], &["lampshade", "oak"]]);
        let compared = compare(&gold, &["lamp", "lampshadeoak"].map(str::to_owned));
        assert_eq!((compared.right, compared.joined), (2, 0));
    }
}
