//! RDR, An Efficient Mechanism for Product Data Answer (Akhtar et al. 2020): the complete system.
//!
//! In: a [`Page`] and the words of the search (given, or inferred from the page). Out: lists of records. The
//! modules follow section 3.4: keywords (`keywords`), the rich data region (Algorithm 1, `rich_region`), its
//! division into candidate lists by common tag sequences (Algorithm 2, `division`), formatting entropy
//! (equation 1) and the removal of noise (equations 2 and 3, `noise`). The paper states no thresholds; ours
//! were set by measuring, see `docs/papers/rdr.md`. Cost: linear in the page, plus O(|a| * |b| / 64) per pair
//! of distinct tag strings.

mod common_tags;
mod division;
mod keywords;
mod noise;
mod options;
mod rich_region;
mod text_elements;

use crate::lists::candidate::{ListCandidate, RankedLists, one_part};
use copal_dom::{Node, Page, tags};
use division::SiblingList;
pub use options::RdrOptions;
use text_elements::TextElements;

/// How many ancestors of a region without a list are tried before the whole page is divided.
const MAX_STEPS_UP: usize = 12;

/// Finds the lists of records. RDR does not rank them; we order them by the amount of text.
pub(crate) fn find(page: &Page, options: &RdrOptions) -> RankedLists {
    let texts = TextElements::new(page);
    let words = keywords::find(page, &texts, options);
    let counts = keywords::count(page, &texts, &words);
    let top = page.tree.find(tags::BODY).unwrap_or(0);
    let root = rich_region::find(page, &texts, &counts, options.share);
    let mut lists = division::merge(page, &texts, search(page, &texts, &counts, root, top, options));
    if coverage(page, top, &lists) < options.coverage {
        // the keywords occur in a small part of the page or nowhere: count links on the whole page instead
        let links = keywords::count_links(page, &texts);
        lists.extend(division::merge(page, &texts, search(page, &texts, &links, top, top, options)));
    }
    let mut regions: Vec<ListCandidate> =
        without_overlaps(page, lists).into_iter().map(|list| to_candidate(page, &list)).collect();
    regions.sort_by(|a, b| b.score.total_cmp(&a.score));
    RankedLists { regions, ..RankedLists::default() }
}

/// The element that holds the rich data region, for measuring this step alone.
#[cfg(feature = "research")]
pub fn rich_data_region(page: &Page, options: &RdrOptions) -> Node {
    let texts = TextElements::new(page);
    let words = keywords::find(page, &texts, options);
    rich_region::find(page, &texts, &keywords::count(page, &texts, &words), options.share)
}

/// Divides the region. If no list is left after cleaning, divides its ancestors one by one, and then the
/// whole page: each step divides everything again and a page may be deep, so the number of steps is limited.
fn search(
    page: &Page,
    texts: &TextElements,
    keyword_counts: &[u32],
    mut root: Node,
    top: Node,
    options: &RdrOptions,
) -> Vec<SiblingList> {
    let mut steps = 0;
    loop {
        let lists = division::find(page, texts, keyword_counts, root, options);
        let lists: Vec<SiblingList> =
            lists.into_iter().filter_map(|list| noise::clean(page, texts, list, options)).collect();
        if !lists.is_empty() || root <= top {
            return lists;
        }
        root = if steps < MAX_STEPS_UP { page.tree.parent(root) } else { top };
        steps += 1;
    }
}

fn chars(page: &Page, list: &SiblingList) -> u32 {
    list.members.iter().map(|&node| page.index.chars(&(node..page.tree.end(node)))).sum()
}

/// The share of the page's text that its largest list has.
fn coverage(page: &Page, top: Node, lists: &[SiblingList]) -> f64 {
    let largest = lists.iter().map(|list| chars(page, list)).max().unwrap_or(0);
    f64::from(largest) / f64::from(page.index.chars(&(top..page.tree.end(top))).max(1))
}

/// Drops every list that overlaps a list with more text.
fn without_overlaps(page: &Page, mut lists: Vec<SiblingList>) -> Vec<SiblingList> {
    lists.sort_by_key(|list| std::cmp::Reverse(chars(page, list)));
    let mut used = vec![false; page.tree.len()];
    lists.retain(|list| {
        let range = |node: Node| node as usize..page.tree.end(node) as usize;
        let free = list.members.iter().all(|&node| !used[range(node)].contains(&true));
        if free {
            for &node in &list.members {
                used[range(node)].fill(true);
            }
        }
        free
    });
    lists
}

fn to_candidate(page: &Page, list: &SiblingList) -> ListCandidate {
    let records: Vec<_> = list.members.iter().map(|&node| one_part(node..page.tree.end(node))).collect();
    let chars: u32 = records.iter().flatten().map(|part| page.index.chars(part)).sum();
    ListCandidate {
        root: crate::structure::layout::common_root(&page.tree, &records),
        records,
        score: f64::from(chars),
        attributes: Vec::new(),
    }
}
