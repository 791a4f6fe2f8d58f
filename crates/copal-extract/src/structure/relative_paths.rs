//! Keys of the paths from any element of a page down to any of its descendants.
//!
//! In: a [`Page`], and the step that each node adds to a path. Out: [`RelativePaths`], which gives the key of
//! the path from an element down to a node in O(1). Records can therefore be compared without walking them
//! again for each list that they may belong to. A key is a polynomial in the steps, as in a rolling hash: the
//! part above the element is subtracted. O(nodes).

use copal_dom::{NONE, Node, Page};

/// Path keys of one page; see the module documentation.
pub(crate) struct RelativePaths {
    /// Per node: the key of the path from the document, and its number of steps.
    keys: Vec<(u64, u32)>,
    /// Powers of [`PATH_KEY_BASE`], by exponent.
    powers: Vec<u64>,
}

/// The base of the polynomial. It is odd, so that multiplication is invertible and no step is lost.
const PATH_KEY_BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl RelativePaths {
    /// A node for which `step` returns `None` has the path of its parent.
    pub(crate) fn new(page: &Page, mut step: impl FnMut(Node) -> Option<u64>) -> RelativePaths {
        let tree = &page.tree;
        let mut keys: Vec<(u64, u32)> = Vec::with_capacity(tree.len());
        let mut powers = vec![1u64];
        for node in tree.nodes() {
            let parent = tree.parent(node);
            let (above, steps) = if parent == NONE { (0, 0) } else { keys[parent as usize] };
            keys.push(match step(node) {
                Some(step) => (above.wrapping_mul(PATH_KEY_BASE).wrapping_add(key_of(step)), steps + 1),
                None => (above, steps),
            });
            if keys[node as usize].1 as usize == powers.len() {
                powers.push(powers[powers.len() - 1].wrapping_mul(PATH_KEY_BASE));
            }
        }
        RelativePaths { keys, powers }
    }

    /// The key of the path from `top` down to `node`, where `top` itself counts as a step with the key
    /// `first`.
    pub(crate) fn key(&self, top: Node, first: u64, node: Node) -> u64 {
        let ((above, from), (key, to)) = (self.keys[top as usize], self.keys[node as usize]);
        key.wrapping_add(first.wrapping_sub(above).wrapping_mul(self.powers[(to - from) as usize]))
    }
}

/// The key of a path that has a single step.
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
        let paths = RelativePaths::new(&page, |node| {
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
