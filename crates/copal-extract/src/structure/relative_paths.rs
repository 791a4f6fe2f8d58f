//! Paths between any two nodes of a page, one above the other, as numbers.
//!
//! In: a [`Page`], and which step each node adds to a path. Out: [`Paths`]: the key of the path from an element down to a
//! node in O(1), so that records are compared without walking them again for each list they may belong to. A key is
//! a polynomial in the steps, as in a rolling hash: what stands above the element is subtracted. O(nodes).

use copal_dom::{NONE, Node, Page};

/// See the module.
pub(crate) struct Paths {
    /// The key of the path from the document, and how many steps it has.
    keys: Vec<(u64, u32)>,
    /// The powers of [`BASE`].
    powers: Vec<u64>,
}

/// Odd, so that no step is lost by multiplying.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Paths {
    /// A node without a step has the path of its parent.
    pub(crate) fn new(page: &Page, mut step: impl FnMut(Node) -> Option<u64>) -> Paths {
        let tree = &page.tree;
        let mut keys: Vec<(u64, u32)> = Vec::with_capacity(tree.len());
        let mut powers = vec![1u64];
        for node in tree.nodes() {
            let parent = tree.parent(node);
            let (above, steps) = if parent == NONE { (0, 0) } else { keys[parent as usize] };
            keys.push(match step(node) {
                Some(step) => (above.wrapping_mul(BASE).wrapping_add(key_of(step)), steps + 1),
                None => (above, steps),
            });
            if keys[node as usize].1 as usize == powers.len() {
                powers.push(powers[powers.len() - 1].wrapping_mul(BASE));
            }
        }
        Paths { keys, powers }
    }

    /// The key of the path from `top` down to `node`, where `top` itself has the key `first` wherever it stands.
    pub(crate) fn key(&self, top: Node, first: u64, node: Node) -> u64 {
        let ((above, from), (key, to)) = (self.keys[top as usize], self.keys[node as usize]);
        key.wrapping_add(first.wrapping_sub(above).wrapping_mul(self.powers[(to - from) as usize]))
    }
}

/// The key of a path of one step.
pub(crate) fn key_of(step: u64) -> u64 {
    let key = step.wrapping_add(1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key ^ key >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::{Limits, tags};

    #[test]
    fn equal_paths_have_equal_keys_at_any_depth() {
        let html =
            "<body><div><p><i>a</i></p></div><ul><li><div><p><b>b</b></p></div></ul><div><i>c</i></div>";
        let page = Page::from_text(html, &Limits::default());
        let tree = &page.tree;
        let paths = Paths::new(&page, |node| {
            let tag = tree.tag(node);
            (tag != tags::TEXT && !tags::is_formatting(tag)).then_some(u64::from(tag))
        });
        let tops: Vec<Node> = tree.nodes().filter(|&node| tree.tag(node) == tags::DIV).collect();
        let keys: Vec<u64> = tops.iter().map(|&top| paths.key(top, 7, tree.end(top) - 1)).collect();
        assert_eq!((keys.len(), keys[0]), (3, keys[1]));
        assert_ne!(keys[0], keys[2]);
        assert_eq!(paths.key(tops[0], 7, tops[0]), 7);
    }
}
