//! The fingerprint of a whole page: a sketch that tells whether two pages have the same template.
//!
//! In: a page. Out: the 32 smallest hashes of its steps from an element to a child, each step with the tags
//! and stable class words. The share of hashes that two such sketches have in common estimates the Jaccard
//! similarity of the pages' steps (min-hashing with one permutation), and 32 of them are short enough for the
//! wrapper file. O(elements).

use copal_dom::{Page, attrs, stable_classes, tags};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Hashes of a page's fingerprint.
const PAGE_FINGERPRINT_SIZE: usize = 32;

/// The page's smallest hashes, in ascending order.
pub(crate) fn page_fingerprint(page: &Page) -> Vec<u32> {
    let tree = &page.tree;
    let mut steps: FxHashSet<u32> = FxHashSet::default();
    let Some(body) = tree.find(tags::BODY) else { return Vec::new() };
    for node in (body + 1..tree.end(body)).filter(|&node| !tree.is_text(node) && page.styles.is_shown(node)) {
        let parent = tree.parent(node);
        let mut hasher = FxHasher::default();
        (tree.tag_name(parent), tree.tag_name(node)).hash(&mut hasher);
        let mut words: Vec<&str> =
            tree.attr(node, attrs::CLASS).map(|all| stable_classes(all).collect()).unwrap_or_default();
        words.sort_unstable();
        words.hash(&mut hasher);
        steps.insert(mixed(hasher.finish()));
    }
    let mut all: Vec<u32> = steps.into_iter().collect();
    all.sort_unstable();
    all.truncate(PAGE_FINGERPRINT_SIZE);
    all
}

/// Spreads the bits of a hash (splitmix64), so that the smallest of many hashes are a fair sample of them.
fn mixed(hash: u64) -> u32 {
    let mut z = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 32) as u32
}

/// A fingerprint as the wrapper file has it: eight hexadecimal digits per hash.
pub(crate) fn to_hex(fingerprint: &[u32]) -> String {
    fingerprint.iter().map(|hash| format!("{hash:08x}")).collect()
}

/// How similar the page of a wrapper file's fingerprint is to another page, from 0 to 1: of the smallest
/// hashes of both, the share that both have. None if one of them is empty.
pub(crate) fn page_similarity(known: &str, found: &[u32]) -> Option<f64> {
    let known: Vec<u32> = known
        .as_bytes()
        .chunks(8)
        .filter_map(|hex| u32::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok())
        .collect();
    if known.is_empty() || found.is_empty() {
        return None;
    }
    let mut all: Vec<u32> = known.iter().chain(found).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(PAGE_FINGERPRINT_SIZE);
    let both = all.iter().filter(|hash| known.contains(hash) && found.contains(hash)).count();
    Some(both as f64 / all.len() as f64)
}
