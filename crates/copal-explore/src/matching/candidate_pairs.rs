//! Pairs of records that may be the same.
//!
//! In: the table of fields. Out: pairs that share an identifier, a title, a rare word of title or address, or another value that
//! few records have. What many records have makes no pairs. O(pairs), bounded.

use super::field_values::{ColumnRole, FieldTable, FieldValue};
use std::collections::{HashMap, HashSet};

/// A word that more records have says too little to compare them all.
const MAX_BLOCK: usize = 60;
/// The rarest words of a record that make pairs.
const BLOCK_WORDS: usize = 6;

#[derive(Debug, Default)]
pub(super) struct CandidatePairs {
    pub(super) of_two_sites: Vec<(usize, usize)>,
    /// Two things that look alike: they show what agrees by chance.
    pub(super) of_one_site: Vec<(usize, usize)>,
    pub(super) is_cut: bool,
}

pub(super) fn candidate_pairs(table: &FieldTable, max_pairs: usize) -> CandidatePairs {
    let mut blocks: HashMap<(usize, &str), Vec<usize>> = HashMap::new();
    let mut title_blocks: HashMap<&[u32], Vec<usize>> = HashMap::new();
    let mut word_blocks: HashMap<u32, Vec<usize>> = HashMap::new();
    for (at, record) in table.records.iter().enumerate() {
        let mut words: Vec<u32> = Vec::new();
        for (column, value) in record {
            match (table.columns[*column].role, value) {
                (ColumnRole::Identifier | ColumnRole::Other, FieldValue::Exact { text, .. }) => {
                    blocks.entry((*column, text)).or_default().push(at);
                }
                (ColumnRole::Title | ColumnRole::Address, FieldValue::Words(own)) => {
                    words.extend(own);
                    title_blocks.entry(own).or_default().push(at);
                }
                _ => {}
            }
        }
        words.sort_by_key(|word| (table.word_counts[*word as usize], *word));
        words.dedup();
        // words that nobody else has make no pairs
        let shared = words.into_iter().filter(|word| table.word_counts[*word as usize] > 1);
        shared.take(BLOCK_WORDS).for_each(|word| word_blocks.entry(word).or_default().push(at));
    }
    let mut blocks: Vec<Vec<usize>> =
        blocks.into_values().chain(title_blocks.into_values()).chain(word_blocks.into_values()).collect();
    // the rarest first: they are the best if there are too many
    blocks.retain(|block| (2..=MAX_BLOCK).contains(&block.len()));
    blocks.sort();
    blocks.sort_by_key(Vec::len);
    let mut found = CandidatePairs::default();
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    for block in &blocks {
        for (at, &first) in block.iter().enumerate() {
            for &second in &block[at + 1..] {
                let pair = (first.min(second), first.max(second));
                if first == second || !seen.insert(pair) {
                    continue;
                }
                if seen.len() > max_pairs {
                    found.is_cut = true;
                    return found;
                }
                let is_one_site = table.sites[first] == table.sites[second];
                if is_one_site { found.of_one_site.push(pair) } else { found.of_two_sites.push(pair) }
            }
        }
    }
    found
}
