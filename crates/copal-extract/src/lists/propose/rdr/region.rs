//! The rich data region (section 3.4.1, Algorithm 1, Figure 5).
//!
//! In: keywords of every text leaf. Out: the element that holds most of the keyword elements at the frequent depth.
//! One stray hit would pull a lowest common ancestor up to the page, so a share of them is enough. O(nodes).

use super::texts::Texts;
use copal_dom::{Node, Page, tags};
use rustc_hash::FxHashMap;

pub(super) fn find(page: &Page, texts: &Texts, keywords: &[u32], share: f64) -> Node {
    let tree = &page.tree;
    let top = tree.find(tags::BODY).unwrap_or(0);
    // steps 1 and 3: keyword elements, and the depth at which most of them are (a neighbouring depth counts too)
    let hits: Vec<Node> = texts
        .leaf
        .iter()
        .enumerate()
        .filter(|(i, _)| keywords[i + 1] > keywords[*i])
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
    // step 5: down from the body while one child still holds enough
    let enough = (share * deep.len() as f64).ceil().max(1.0) as usize;
    let within =
        |node: Node| deep.partition_point(|&d| d < tree.end(node)) - deep.partition_point(|&d| d < node);
    let mut region = top;
    // an element with a single child holds no more than that child: go on down to where the hits part
    while let Some(child) = tree.elements(region).find(|&child| within(child) >= enough) {
        if deep.len() < 2 {
            break;
        }
        region = child;
    }
    region
}
