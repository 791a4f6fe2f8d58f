//! The tag tree of the papers: the visible elements of a page and nothing else.
//!
//! In: a [`Page`]. Out: [`TagTree`], compact arrays in document order. The tag string of one or more adjacent
//! siblings is therefore a slice, and its hash takes O(1). As in section 3.1 of MDR, comments, scripts and
//! the like are removed. O(nodes).

use copal_dom::{NONE, Node, Page, Tag, tags};
use std::ops::Range;

/// An element of a [`TagTree`], as its position in document order.
pub(crate) type TagNode = u32;

/// Hashes of tag strings are polynomials over this prime field.
const TAG_HASH_PRIME: u64 = (1 << 61) - 1;
/// The point at which the polynomials are evaluated.
const TAG_HASH_BASE: u64 = 0x0123_4567_89ab_cdef % TAG_HASH_PRIME;

/// See the module documentation.
pub(crate) struct TagTree {
    pub(crate) node: Vec<Node>,
    pub(crate) tag: Vec<Tag>,
    pub(crate) parent: Vec<TagNode>,
    end: Vec<TagNode>,
    /// The number of levels of each subtree; 1 for a leaf.
    pub(crate) height: Vec<u32>,
    hash: Vec<u64>,
    power: Vec<u64>,
}

impl TagTree {
    pub(crate) fn new(page: &Page) -> TagTree {
        let (tree, styles) = (&page.tree, &page.styles);
        let mut out = TagTree {
            node: Vec::new(),
            tag: Vec::new(),
            parent: Vec::new(),
            end: Vec::new(),
            height: Vec::new(),
            hash: vec![0],
            power: vec![1],
        };
        // position in the tag tree of each node, to look up parents
        let mut at_of: Vec<TagNode> = vec![NONE; tree.len()];
        let mut node = 0;
        while (node as usize) < tree.len() {
            if tree.is_text(node) {
                node += 1;
                continue;
            }
            if !styles.is_shown(node) {
                node = tree.end(node);
                continue;
            }
            let at = out.node.len() as TagNode;
            at_of[node as usize] = at;
            out.node.push(node);
            out.tag.push(tree.tag(node));
            out.parent.push(if node == 0 { NONE } else { at_of[tree.parent(node) as usize] });
            out.end.push(0);
            let last = out.hash.len() - 1;
            out.hash.push(add(mul(out.hash[last], TAG_HASH_BASE), u64::from(tree.tag(node)) + 1));
            out.power.push(mul(out.power[last], TAG_HASH_BASE));
            // a drawing counts as one element: its shapes say nothing about the structure of the page
            node = if tree.tag(node) == tags::SVG { tree.end(node) } else { node + 1 };
        }
        out.height = vec![1; out.node.len()];
        for at in (0..out.node.len()).rev() {
            if out.end[at] == 0 {
                out.end[at] = at as TagNode + 1;
            }
            let parent = out.parent[at];
            if parent != NONE {
                let parent = parent as usize;
                out.end[parent] = out.end[parent].max(out.end[at]);
                out.height[parent] = out.height[parent].max(out.height[at] + 1);
            }
        }
        out
    }

    pub(crate) fn len(&self) -> usize {
        self.node.len()
    }

    pub(crate) fn end(&self, at: TagNode) -> TagNode {
        self.end[at as usize]
    }

    pub(crate) fn children(&self, at: TagNode) -> impl Iterator<Item = TagNode> + '_ {
        let end = self.end(at);
        let within = move |child: TagNode| Some(child).filter(|&child| child < end);
        std::iter::successors(within(at + 1), move |&child| within(self.end(child)))
    }

    /// The hash of a slice's tag string. Equal strings have equal hashes.
    pub(crate) fn hash(&self, slice: &Range<TagNode>) -> u64 {
        let (a, b) = (slice.start as usize, slice.end as usize);
        let prefix = mul(self.hash[a], self.power[b - a]);
        add(self.hash[b], TAG_HASH_PRIME - prefix)
    }

    pub(crate) fn tags(&self, slice: &Range<TagNode>) -> &[Tag] {
        &self.tag[slice.start as usize..slice.end as usize]
    }

    /// The nodes of the page from the first sibling to the end of the last one, texts included.
    pub(crate) fn nodes(&self, page: &Page, first: TagNode, last: TagNode) -> Range<Node> {
        self.node[first as usize]..page.tree.end(self.node[last as usize])
    }
}

fn mul(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    add((product & u128::from(TAG_HASH_PRIME)) as u64, (product >> 61) as u64)
}

fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= TAG_HASH_PRIME { sum - TAG_HASH_PRIME } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    #[test]
    fn slices_with_equal_tags_have_equal_hashes() {
        let html = "<ul><li><a>1</a><b>2</b></li><script>x</script>\
            <li><a>3</a> t <b>4</b></li><li><b>5</b></li></ul>";
        let page = Page::from_text(html, &Limits::default());
        let tags = TagTree::new(&page);
        let ul = (0..tags.len() as TagNode).find(|&at| tags.tag[at as usize] == tags::UL).unwrap();
        let items: Vec<Range<TagNode>> = tags.children(ul).map(|at| at..tags.end(at)).collect();
        assert_eq!(items.len(), 3);
        assert_eq!(tags.hash(&items[0]), tags.hash(&items[1]));
        assert_ne!(tags.hash(&items[1]), tags.hash(&items[2]));
        assert_eq!(tags.height[ul as usize], 3);
        assert_eq!(page.visible_text(tags.nodes(&page, items[0].start, items[1].start)), "1 2 3 t 4");
    }
}
