//! RDR, An Efficient Mechanism for Product Data Answer (Akhtar et al. 2020), whole.
//!
//! In: a [`Page`] and the words that were searched for (given, or found on the page). Out: lists of records.
//! Parts of section 3.4: keywords (`words`), rich data region (Algorithm 1, `region`), division into candidate
//! lists by common tag sequences (Algorithm 2, `division`), formatting entropy (equation 1) and the removal of noise
//! (equations 2 and 3, `noise`). The paper gives no thresholds: ours were set by measuring, see
//! `docs/papers/rdr.md`. Cost: linear in the page, and O(|a| * |b| / 64) for each pair of distinct tag strings.

mod cts;
mod division;
mod noise;
mod options;
mod region;
mod texts;
mod words;

use crate::lists::candidate::{ListCandidate, RankedLists, one_part};
use copal_dom::{Node, Page, tags};
use division::List;
pub use options::RdrOptions;
use texts::Texts;

/// Steps up from a region without a list before the whole page is divided.
const STEPS: usize = 12;

/// Finds the lists of records. RDR itself does not rank them: they come with the most text first.
pub fn find(page: &Page, options: &RdrOptions) -> RankedLists {
    let texts = Texts::new(page);
    let words = words::find(page, &texts, options);
    let keywords = words::count(page, &texts, &words);
    let top = page.tree.find(tags::BODY).unwrap_or(0);
    let root = region::find(page, &texts, &keywords, options.share);
    let mut lists = division::merge(page, &texts, search(page, &texts, &keywords, root, top, options));
    if coverage(page, top, &lists) < options.coverage {
        // the words point at a corner or at nothing: let every link count as a word, on the whole page
        let links = words::count_links(page, &texts);
        lists.extend(division::merge(page, &texts, search(page, &texts, &links, top, top, options)));
    }
    let mut regions: Vec<ListCandidate> =
        without_overlaps(page, lists).into_iter().map(|list| found(page, &list)).collect();
    regions.sort_by(|a, b| b.score.total_cmp(&a.score));
    RankedLists { regions, ..RankedLists::default() }
}

/// Divides the region; where no list is left after cleaning, what is around it: step by step at first, then the page
/// (each step divides everything again, and a page may be deep).
fn search(
    page: &Page,
    texts: &Texts,
    keywords: &[u32],
    mut root: Node,
    top: Node,
    options: &RdrOptions,
) -> Vec<List> {
    let mut steps = 0;
    loop {
        let lists = division::find(page, texts, keywords, root, options);
        let lists: Vec<List> =
            lists.into_iter().filter_map(|list| noise::clean(page, texts, list, options)).collect();
        if !lists.is_empty() || root <= top {
            return lists;
        }
        root = if steps < STEPS { page.tree.parent(root) } else { top };
        steps += 1;
    }
}

fn chars(page: &Page, list: &List) -> u32 {
    list.members.iter().map(|&node| page.index.chars(&(node..page.tree.end(node)))).sum()
}

/// Share of the page's text in its largest list.
fn coverage(page: &Page, top: Node, lists: &[List]) -> f64 {
    let most = lists.iter().map(|list| chars(page, list)).max().unwrap_or(0);
    f64::from(most) / f64::from(page.index.chars(&(top..page.tree.end(top))).max(1))
}

/// The lists with the most text whose records share nothing with those before them.
fn without_overlaps(page: &Page, mut lists: Vec<List>) -> Vec<List> {
    lists.sort_by_key(|list| std::cmp::Reverse(chars(page, list)));
    let mut taken = vec![false; page.tree.len()];
    lists.retain(|list| {
        let range = |node: Node| node as usize..page.tree.end(node) as usize;
        let free = list.members.iter().all(|&node| !taken[range(node)].contains(&true));
        if free {
            for &node in &list.members {
                taken[range(node)].fill(true);
            }
        }
        free
    });
    lists
}

fn found(page: &Page, list: &List) -> ListCandidate {
    let records: Vec<_> = list.members.iter().map(|&node| one_part(node..page.tree.end(node))).collect();
    let chars: u32 = records.iter().flatten().map(|part| page.index.chars(part)).sum();
    ListCandidate {
        root: crate::structure::layout::common_root(&page.tree, &records),
        records,
        score: f64::from(chars),
        attributes: Vec::new(),
    }
}
