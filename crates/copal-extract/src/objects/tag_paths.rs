//! Tag paths as hashes that are comparable between pages.
//!
//! In: a page. Out: one hash per node, of the tags, stable classes and stable ids from the root to the node.
//! Pages of one template give the same hash to the same place, whatever the number of siblings before it.
//! O(nodes).

use copal_dom::hash::mix;
use copal_dom::{Page, attrs, is_stable_word, tags};

/// Bytes of a text that enter its hash. Longer texts are told apart by their length and their beginning.
const MAX_HASHED_BYTES: usize = 400;

/// By node: the hash of its tag path.
pub(super) fn tag_paths(page: &Page) -> Vec<u64> {
    let tree = &page.tree;
    let mut paths: Vec<u64> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let parent_path = paths.get(tree.parent(node) as usize).copied().unwrap_or(0);
        let own = if tree.is_text(node) {
            1
        } else {
            let id = tree.attr(node, attrs::ID).filter(|id| is_stable_word(id)).map_or(0, hash_beginning);
            // The ids of tags outside the fixed table depend on the page, so these tags are hashed by name.
            let tag = if tree.tag(node) <= tags::DIALOG {
                u64::from(tree.tag(node))
            } else {
                hash_beginning(tree.tag_name(node))
            };
            mix(tag ^ mix(u64::from(page.index.class(node)) ^ mix(id)))
        };
        paths.push(mix(parent_path ^ own));
    }
    paths
}

/// A hash of the length of a text and of its first [`MAX_HASHED_BYTES`] bytes.
pub(super) fn hash_beginning(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ text.len() as u64;
    for byte in text.bytes().take(MAX_HASHED_BYTES) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    mix(hash)
}
