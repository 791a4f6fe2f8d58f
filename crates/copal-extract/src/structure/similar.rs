//! Similarity of tag strings: bounded edit distance and longest common subsequence, 64 cells at a time.
//!
//! In: slices of a [`TagTree`] or plain tag strings. Out: a yes or no (edit distance below a threshold), or a
//! length. Hashes, lengths and tag histograms decide most pairs; the others cost O(|a| * |b| / 64) (Myers
//! 1999, blocks as in Hyyrö 2003). A budget of word operations bounds the work on one page.

use crate::structure::tag_tree::{TagNode, TagTree};
use copal_dom::Tag;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Compares tag strings of one page and remembers the results.
pub(crate) struct TagStringMatcher<'a> {
    tags: &'a TagTree,
    threshold: f64,
    memo: FxHashMap<(u64, u64), bool>,
    bits: BitRows,
    counts: Vec<i32>,
    /// Remaining word operations.
    budget: u64,
}

impl<'a> TagStringMatcher<'a> {
    pub(crate) fn new(tags: &'a TagTree, threshold: f64, budget: u64) -> Self {
        let symbols = tags.tag.iter().max().map_or(0, |&tag| tag as usize) + 1;
        TagStringMatcher {
            tags,
            threshold,
            memo: FxHashMap::default(),
            bits: BitRows::new(symbols),
            counts: vec![0; symbols],
            budget,
        }
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.budget == 0
    }

    /// MDR section 3.2.2: true if the edit distance divided by the mean length is at most the threshold.
    pub(crate) fn are_similar(&mut self, a: &Range<TagNode>, b: &Range<TagNode>) -> bool {
        let (la, lb) = (a.len(), b.len());
        if la > 2 * lb || lb > 2 * la {
            return false;
        }
        let max_distance = (self.threshold * (la + lb) as f64 / 2.0) as usize;
        if la.abs_diff(lb) > max_distance {
            return false;
        }
        let (ha, hb) = (self.tags.hash(a), self.tags.hash(b));
        if ha == hb && la == lb {
            return true;
        }
        let key = (ha.min(hb), ha.max(hb));
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let answer = self.is_distance_within(a, b, max_distance);
        self.memo.insert(key, answer);
        answer
    }

    fn is_distance_within(&mut self, a: &Range<TagNode>, b: &Range<TagNode>, max_distance: usize) -> bool {
        let (a, b) = trimmed(self.tags.tags(a), self.tags.tags(b));
        let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        if short.is_empty() {
            return long.len() <= max_distance;
        }
        let cost = (a.len() + b.len()) as u64;
        if self.budget < cost {
            self.budget = 0;
            return false;
        }
        self.budget -= cost;
        if self.histogram_bound(a, b) > max_distance {
            return false;
        }
        let cost = (long.len() * short.len().div_ceil(64)) as u64;
        if self.budget < cost {
            self.budget = 0;
            return false;
        }
        self.budget -= cost;
        self.bits.edit_distance_within(short, long, max_distance)
    }

    /// A lower bound of the edit distance: the number of tags that one string has in excess of the other.
    fn histogram_bound(&mut self, a: &[Tag], b: &[Tag]) -> usize {
        for &tag in a {
            self.counts[tag as usize] += 1;
        }
        for &tag in b {
            self.counts[tag as usize] -= 1;
        }
        let (mut more, mut less) = (0usize, 0usize);
        for &tag in a.iter().chain(b) {
            let count = std::mem::take(&mut self.counts[tag as usize]);
            if count > 0 {
                more += count as usize;
            } else {
                less += count.unsigned_abs() as usize;
            }
        }
        more.max(less)
    }
}

/// Both strings without their common prefix and suffix.
fn trimmed<'t>(mut a: &'t [Tag], mut b: &'t [Tag]) -> (&'t [Tag], &'t [Tag]) {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    (&a[..a.len() - tail], &b[..b.len() - tail])
}

/// For every symbol of a pattern, a bit per position at which the symbol occurs.
pub(crate) struct BitRows {
    /// Symbol to row + 1; 0 means that the symbol is not in the pattern.
    row: Vec<u32>,
    used: Vec<Tag>,
    rows: Vec<u64>,
    plus: Vec<u64>,
    minus: Vec<u64>,
}

impl BitRows {
    pub(crate) fn new(symbols: usize) -> Self {
        BitRows {
            row: vec![0; symbols],
            used: Vec::new(),
            rows: Vec::new(),
            plus: Vec::new(),
            minus: Vec::new(),
        }
    }

    /// Prepares the rows of a pattern; returns the number of words per row.
    fn set_pattern(&mut self, pattern: &[Tag]) -> usize {
        let words = pattern.len().div_ceil(64);
        for &tag in &self.used {
            self.row[tag as usize] = 0;
        }
        self.used.clear();
        self.rows.clear();
        for (i, &tag) in pattern.iter().enumerate() {
            if self.row[tag as usize] == 0 {
                self.used.push(tag);
                self.row[tag as usize] = self.used.len() as u32;
                self.rows.resize(self.used.len() * words, 0);
            }
            let row = (self.row[tag as usize] - 1) as usize;
            self.rows[row * words + i / 64] |= 1 << (i % 64);
        }
        words
    }

    /// True if the Levenshtein distance between the strings is at most `most`.
    pub(crate) fn edit_distance_within(&mut self, pattern: &[Tag], text: &[Tag], most: usize) -> bool {
        if pattern.is_empty() {
            return text.len() <= most;
        }
        let words = self.set_pattern(pattern);
        self.plus.clear();
        self.plus.resize(words, u64::MAX);
        self.minus.clear();
        self.minus.resize(words, 0);
        let last = 1u64 << ((pattern.len() - 1) % 64);
        let mut distance = pattern.len();
        for (j, &tag) in text.iter().enumerate() {
            let row = self.row.get(tag as usize).copied().unwrap_or(0) as usize;
            // the row above the pattern grows by one per column
            let (mut plus_in, mut minus_in) = (1u64, 0u64);
            for w in 0..words {
                let matches = if row == 0 { 0 } else { self.rows[(row - 1) * words + w] };
                let (plus, minus) = (self.plus[w], self.minus[w]);
                let x = matches | minus;
                let matches = matches | minus_in;
                let d = ((matches & plus).wrapping_add(plus) ^ plus) | matches;
                let mut plus_row = minus | !(d | plus);
                let mut minus_row = plus & d;
                if w == words - 1 {
                    distance += usize::from(plus_row & last != 0);
                    distance -= usize::from(minus_row & last != 0);
                }
                let (plus_out, minus_out) = (plus_row >> 63, minus_row >> 63);
                plus_row = (plus_row << 1) | plus_in;
                minus_row = (minus_row << 1) | minus_in;
                self.plus[w] = minus_row | !(x | plus_row);
                self.minus[w] = plus_row & x;
                (plus_in, minus_in) = (plus_out, minus_out);
            }
            if distance > most + (text.len() - 1 - j) {
                return false;
            }
        }
        distance <= most
    }

    /// The length of the longest common subsequence.
    pub(crate) fn common_length(&mut self, pattern: &[Tag], text: &[Tag]) -> usize {
        if pattern.is_empty() || text.is_empty() {
            return 0;
        }
        let words = self.set_pattern(pattern);
        self.plus.clear();
        self.plus.resize(words, u64::MAX);
        for &tag in text {
            let row = self.row.get(tag as usize).copied().unwrap_or(0) as usize;
            if row == 0 {
                continue;
            }
            let mut carry = false;
            for w in 0..words {
                let v = self.plus[w];
                let u = v & self.rows[(row - 1) * words + w];
                let (sum, c1) = v.overflowing_add(u);
                let (sum, c2) = sum.overflowing_add(u64::from(carry));
                carry = c1 | c2;
                self.plus[w] = sum | (v & !u);
            }
        }
        (0..pattern.len()).filter(|i| self.plus[i / 64] & (1 << (i % 64)) == 0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edit_distance(a: &[Tag], b: &[Tag]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let best = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = std::mem::replace(&mut row[j + 1], best);
            }
        }
        row[b.len()]
    }

    fn common_length(a: &[Tag], b: &[Tag]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                table[i + 1][j + 1] =
                    if a[i] == b[j] { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn bit_parallel_results_equal_those_of_the_textbook_algorithms(
            a in prop::collection::vec(0u16..5, 0..200),
            b in prop::collection::vec(0u16..5, 0..200),
            most in 0usize..150,
        ) {
            let mut bits = BitRows::new(5);
            prop_assert_eq!(bits.edit_distance_within(&a, &b, most), edit_distance(&a, &b) <= most);
            prop_assert_eq!(bits.common_length(&a, &b), common_length(&a, &b));
        }

        #[test]
        fn trimming_does_not_change_the_distance(
            a in prop::collection::vec(0u16..3, 0..40),
            b in prop::collection::vec(0u16..3, 0..40),
        ) {
            let (x, y) = trimmed(&a, &b);
            prop_assert_eq!(edit_distance(x, y), edit_distance(&a, &b));
        }
    }
}
