//! The rich data region (section 3.4.1, Algorithm 1, Figure 5).
//!
//! In: the keyword counts of the text leaves. Out: the element that contains most keyword elements of the
//! most frequent depth. A single stray keyword would move the lowest common ancestor up to the whole page, so
//! a share of the elements is enough. O(nodes).

use super::text_elements::TextElements;
use copal_dom::{Node, Page, tags};
use rustc_hash::FxHashMap;

/// The rich data region. `keyword_counts` has the number of keywords before each text leaf.
pub(super) fn find(page: &Page, texts: &TextElements, keyword_counts: &[u32], share: f64) -> Node {
    let tree = &page.tree;
    let top = tree.find(tags::BODY).unwrap_or(0);
    // steps 1 and 3: the keyword elements and their most frequent depth (adjacent depths count too)
    let hits: Vec<Node> = texts
        .leaf
        .iter()
        .enumerate()
        .filter(|(i, _)| keyword_counts[i + 1] > keyword_counts[*i])
        .map(|(_, &leaf)| leaf)
        .collect();
    let mut depths: FxHashMap<u32, u32> = FxHashMap::default();
    for &hit in &hits {
        *depths.entry(tree.depth(hit)).or_default() += 1;
    }
    let Some((&frequent, _)) = depths.iter().max_by_key(|(depth, count)| (**count, **depth)) else {
        return top;
    };
    // step 4: deep elements
    let deep: Vec<Node> = hits.into_iter().filter(|&hit| tree.depth(hit).abs_diff(frequent) <= 1).collect();
    // step 5: descend from the body while one child still contains enough of them
    let enough = (share * deep.len() as f64).ceil().max(1.0) as usize;
    let within =
        |node: Node| deep.partition_point(|&d| d < tree.end(node)) - deep.partition_point(|&d| d < node);
    let mut region = top;
    // an element with a single child contains no more than that child: descend to where the hits separate
    while let Some(child) = tree.elements(region).find(|&child| within(child) >= enough) {
        if deep.len() < 2 {
            break;
        }
        region = child;
    }
    region
}
