//! MDR, Mining Data Records in Web Pages (Liu, Grossman, Zhai 2003): the complete system.
//!
//! In: a [`Page`]. Out: its data regions with their records. Sections of the paper: 3.1 tag tree (`TagTree`);
//! 3.2.1 and 3.2.2 comparisons (Figures 4 to 6, `TagStringMatcher`); 3.2.3 data regions (Figures 7 to 10,
//! `regions`); 3.3 records (Figures 11 to 18) and 3.4 records outside the regions (Figures 19 and 20,
//! `records`). `docs/papers/mdr.md` lists the deviations (all tags instead of table tags only, lazy
//! comparisons). Cost: O(nodes * K) hash comparisons, plus edit distances for the pairs that differ, within a
//! budget.

mod records;
mod regions;

use crate::lists::candidate::{ListCandidate, RankedLists};
use crate::structure::similar::TagStringMatcher;
use crate::structure::tag_tree::{TagNode, TagTree};
use copal_dom::{Limit, Page, Warning};

/// The paper's constants.
#[derive(Debug, Clone)]
pub struct MdrOptions {
    /// K: the maximum number of siblings in a generalised node.
    pub longest: usize,
    /// T: the maximum normalised edit distance between neighbours.
    pub threshold: f64,
    /// Word operations that edit distances on one page may use in total.
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
    parent: TagNode,
    /// How many tag nodes one generalised node has.
    length: usize,
    /// The tag nodes of the region, all of them children of `parent`.
    covered: Vec<TagNode>,
}

/// Finds all data regions and their records. MDR does not rank them; we order them by the amount of text.
pub(crate) fn find(page: &Page, options: &MdrOptions) -> RankedLists {
    let tags = TagTree::new(page);
    let mut matcher = TagStringMatcher::new(&tags, options.threshold, options.budget);
    let regions = regions::find(&tags, &mut matcher, options.longest);
    let mut candidates = records::find(page, &tags, &mut matcher, &regions);
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let warnings = if matcher.is_exhausted() { vec![Warning::Limit(Limit::Work)] } else { Vec::new() };
    RankedLists { regions: candidates, warnings, ..RankedLists::default() }
}

/// Makes a candidate of at least two records. Its score is the length of its visible text.
fn to_candidate(page: &Page, records: Vec<copal_model::Parts>) -> Option<ListCandidate> {
    if records.len() < 2 {
        return None;
    }
    let chars: u32 = records.iter().flatten().map(|part| page.index.chars(part)).sum();
    let root = crate::structure::layout::common_root(&page.tree, &records);
    Some(ListCandidate { root, records, score: f64::from(chars), attributes: Vec::new() })
}
