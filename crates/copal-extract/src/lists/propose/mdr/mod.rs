//! MDR, Mining Data Records in Web Pages (Liu, Grossman, Zhai 2003), whole.
//!
//! In: a [`Page`]. Out: its data regions with their records. Sections of the paper: 3.1 tag tree (`TagTree`);
//! 3.2.1 and 3.2.2 comparisons (Figures 4 to 6, `Similar`); 3.2.3 data regions (Figures 7 to 10, `regions`);
//! 3.3 records (Figures 11 to 18) and 3.4 records outside of regions (Figures 19 and 20, `records`).
//! Deviations (all tags instead of table tags, comparisons made when they are needed) are in `docs/papers/mdr.md`.
//! Cost: O(nodes * K) hash comparisons, and edit distances of the pairs that differ, within a budget.

mod records;
mod regions;

use crate::lists::candidate::{ListCandidate, RankedLists};
use crate::structure::similar::Similar;
use crate::structure::tag_tree::{At, TagTree};
use copal_dom::{Limit, Page, Warning};

/// The paper's constants.
#[derive(Debug, Clone)]
pub struct MdrOptions {
    /// K: the most siblings a generalised node may have.
    pub longest: usize,
    /// T: the largest normalised edit distance of neighbours.
    pub threshold: f64,
    /// Word operations for edit distances on one page.
    pub budget: u64,
}

impl Default for MdrOptions {
    fn default() -> Self {
        MdrOptions { longest: 10, threshold: 0.3, budget: 100_000_000 }
    }
}

/// A run of generalised nodes below one parent.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DataRegion {
    parent: At,
    /// Tag nodes in a generalised node.
    length: usize,
    /// The tag nodes covered, all children of `parent`.
    covered: Vec<At>,
}

/// Finds all data regions and their records. MDR itself does not rank them: they come with the most text first.
pub fn find(page: &Page, options: &MdrOptions) -> RankedLists {
    let tags = TagTree::new(page);
    let mut similar = Similar::new(&tags, options.threshold, options.budget);
    let regions = regions::find(&tags, &mut similar, options.longest);
    let mut found = records::find(page, &tags, &mut similar, &regions);
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let warnings = if similar.exhausted() { vec![Warning::Limit(Limit::Work)] } else { Vec::new() };
    RankedLists { regions: found, warnings, ..RankedLists::default() }
}

/// A region of at least two records; its score is its visible text.
fn found(page: &Page, records: Vec<copal_model::Parts>) -> Option<ListCandidate> {
    if records.len() < 2 {
        return None;
    }
    let chars: u32 = records.iter().flatten().map(|part| page.index.chars(part)).sum();
    let root = crate::structure::layout::common_root(&page.tree, &records);
    Some(ListCandidate { root, records, score: f64::from(chars), attributes: Vec::new() })
}
