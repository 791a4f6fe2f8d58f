//! Which pages share a template.
//!
//! In: pages of a site. Out: their numbers, grouped by template. A page is described by a sketch: the
//! smallest hashes of its tag paths. Each page is compared only with the first page of every group, so the
//! cost is O(nodes + pages * templates). The trade-off: a page that resembles a later member but not the
//! first one starts a group of its own.

use super::tag_paths::tag_paths;
use copal_dom::Page;
use copal_dom::hash::mix;
use rustc_hash::FxHashSet;

/// Hashes in the sketch of a page.
const SKETCH_SIZE: usize = 96;
/// Smallest share of a sketch that pages of one template have in common.
const MIN_TEMPLATE_SIMILARITY: f64 = 0.35;
/// Templates that a page is compared with. Further templates become groups of one page.
const MAX_TEMPLATE_COUNT: usize = 64;

/// Groups pages by template.
pub(super) fn group_by_template(pages: &[&Page]) -> Vec<Vec<usize>> {
    if pages.len() < 2 {
        return pages.iter().map(|_| vec![0]).collect();
    }
    let mut groups: Vec<(Vec<u64>, Vec<usize>)> = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let sketch = template_sketch(page);
        let best = groups
            .iter()
            .enumerate()
            .take(MAX_TEMPLATE_COUNT)
            .map(|(group, (other, _))| (group, template_similarity(other, &sketch)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        match best {
            Some((group, share)) if share >= MIN_TEMPLATE_SIMILARITY => groups[group].1.push(at),
            _ if groups.len() < MAX_TEMPLATE_COUNT => groups.push((sketch, vec![at])),
            _ => groups.push((Vec::new(), vec![at])),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// The sketch of a page's template: at most 96 hashes, sorted. Sketches of different versions cannot be compared.
pub fn template_sketch(page: &Page) -> Vec<u64> {
    let distinct: FxHashSet<u64> = page
        .tree
        .nodes()
        .zip(tag_paths(page))
        .filter(|(node, _)| page.styles.is_shown(*node) && !page.tree.is_text(*node))
        .map(|(_, path)| mix(path))
        .collect();
    let mut hashes: Vec<u64> = distinct.into_iter().collect();
    hashes.sort_unstable();
    hashes.truncate(SKETCH_SIZE);
    hashes
}

/// An estimate of the share of tag paths that two pages have in common, from their sorted sketches.
pub fn template_similarity(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut both, mut seen) = (0, 0, 0u32, 0u32);
    while i < a.len() && j < b.len() && (seen as usize) < SKETCH_SIZE {
        seen += 1;
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                both += 1;
                i += 1;
                j += 1;
            }
        }
    }
    if seen == 0 { 0.0 } else { f64::from(both) / f64::from(seen) }
}
