//! Numbers about every node, so that later stages look them up instead of walking over the tree.
//!
//! In: a [`Tree`] and its [`Styles`]. Out: [`Index`]: path ids (nodes with equal ids have equal tag paths
//! from the root), class-path ids (tags with their stable classes), structure hashes, and prefix sums in
//! document order of visible text, link text, text leaves, images and digits, which make each count O(1) for
//! any range of nodes. O(nodes + text).

use crate::attrs;
use crate::hash::mix;
use crate::style::Styles;
use crate::tags::{self, Tag};
use crate::tree::{NONE, Node, Tree};
use crate::words::stable_classes;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Derived numbers of a page's nodes; see the module's documentation.
#[derive(Debug, Clone, Default)]
pub struct Index {
    path: Vec<u32>,
    class_path: Vec<u32>,
    class: Vec<u32>,
    structure: Vec<u64>,
    chars: Vec<u32>,
    link_chars: Vec<u32>,
    leaves: Vec<u32>,
    images: Vec<u32>,
    digits: Vec<u32>,
}

impl Index {
    /// Computes the index of a page.
    pub fn compute(tree: &Tree, styles: &Styles) -> Index {
        let n = tree.len();
        let mut index = Index { structure: vec![0; n], ..Index::default() };
        index.paths(tree);
        index.sums(tree, styles);
        index.structures(tree);
        index
    }

    fn paths(&mut self, tree: &Tree) {
        let n = tree.len();
        (self.path, self.class_path, self.class) = (vec![0; n], vec![0; n], vec![0; n]);
        let mut paths: FxHashMap<(u32, Tag), u32> = FxHashMap::default();
        let mut class_paths: FxHashMap<(u32, Tag, u32), u32> = FxHashMap::default();
        let mut classes: FxHashMap<&str, u32> = FxHashMap::default();
        for node in tree.nodes() {
            let (i, parent) = (node as usize, tree.parent(node));
            if parent == NONE {
                continue;
            }
            let (above, class_above) = (self.path[parent as usize], self.class_path[parent as usize]);
            if tree.is_text(node) {
                (self.path[i], self.class_path[i]) = (above, class_above);
                continue;
            }
            let tag = tree.tag(node);
            let class = match tree.attr(node, attrs::CLASS) {
                Some(text) => *classes.entry(text).or_insert_with(|| class_key(text)),
                None => 0,
            };
            self.class[i] = class;
            // the items of a list have the same paths
            if let Some(twin) = self.twin(tree, node, class) {
                (self.path[i], self.class_path[i]) = (self.path[twin], self.class_path[twin]);
                continue;
            }
            let next = paths.len() as u32 + 1;
            self.path[i] = *paths.entry((above, tag)).or_insert(next);
            let next = class_paths.len() as u32 + 1;
            self.class_path[i] = *class_paths.entry((class_above, tag, class)).or_insert(next);
        }
    }

    /// The element before this one, if it has the same tag and class.
    fn twin(&self, tree: &Tree, node: Node, class: u32) -> Option<usize> {
        let mut before = tree.prev_sibling(node);
        if before != NONE && tree.is_text(before) {
            before = tree.prev_sibling(before);
        }
        let is_twin =
            before != NONE && tree.tag(before) == tree.tag(node) && self.class[before as usize] == class;
        is_twin.then_some(before as usize)
    }

    fn sums(&mut self, tree: &Tree, styles: &Styles) {
        let n = tree.len() + 1;
        for sum in
            [&mut self.chars, &mut self.link_chars, &mut self.leaves, &mut self.images, &mut self.digits]
        {
            sum.reserve_exact(n);
            sum.push(0);
        }
        let (mut chars, mut link_chars, mut leaves, mut images, mut digits) = (0u32, 0u32, 0u32, 0u32, 0u32);
        let mut link_end: Node = 0;
        for node in tree.nodes() {
            let tag = tree.tag(node);
            if styles.is_shown(node) {
                if tag == tags::TEXT {
                    let (c, d) = count(tree.raw_text(node));
                    chars += c;
                    digits += d;
                    leaves += u32::from(c > 0);
                    if node < link_end {
                        link_chars += c;
                    }
                } else if tag == tags::A {
                    link_end = link_end.max(tree.end(node));
                } else if matches!(tag, tags::IMG | tags::SVG) {
                    images += 1;
                }
            }
            self.chars.push(chars);
            self.link_chars.push(link_chars);
            self.leaves.push(leaves);
            self.images.push(images);
            self.digits.push(digits);
        }
    }

    /// Merkle hashes of tag and children. Equal neighbours count once, so that lists of three and of five
    /// items are equal.
    fn structures(&mut self, tree: &Tree) {
        for node in tree.nodes().rev() {
            let i = node as usize;
            if tree.is_text(node) {
                self.structure[i] = 0;
                continue;
            }
            let own = mix(self.structure[i] ^ mix(u64::from(tree.tag(node)) + 1));
            self.structure[i] = own;
            let parent = tree.parent(node);
            if parent != NONE {
                let next = tree.end(node);
                let repeats = next < tree.end(parent) && self.structure[next as usize] == own;
                if !repeats {
                    self.structure[parent as usize] = mix(self.structure[parent as usize].wrapping_add(own));
                }
            }
        }
    }

    /// Id of the tag path from the root. A text has the id of its parent.
    #[inline]
    pub fn path(&self, node: Node) -> u32 {
        self.path[node as usize]
    }

    /// Id of the path of tags and stable classes from the root.
    #[inline]
    pub fn class_path(&self, node: Node) -> u32 {
        self.class_path[node as usize]
    }

    /// Hash of the node's own stable classes in any order; 0 if it has none.
    #[inline]
    pub fn class(&self, node: Node) -> u32 {
        self.class[node as usize]
    }

    /// Hash of the subtree's structure.
    #[inline]
    pub fn structure(&self, node: Node) -> u64 {
        self.structure[node as usize]
    }

    /// Visible characters in a range of nodes, without white space.
    #[inline]
    pub fn chars(&self, nodes: &Range<Node>) -> u32 {
        self.chars[nodes.end as usize] - self.chars[nodes.start as usize]
    }

    /// Visible characters inside links, without white space.
    #[inline]
    pub fn link_chars(&self, nodes: &Range<Node>) -> u32 {
        self.link_chars[nodes.end as usize] - self.link_chars[nodes.start as usize]
    }

    /// Visible text nodes that are not only white space.
    #[inline]
    pub fn leaves(&self, nodes: &Range<Node>) -> u32 {
        self.leaves[nodes.end as usize] - self.leaves[nodes.start as usize]
    }

    /// Visible images.
    #[inline]
    pub fn images(&self, nodes: &Range<Node>) -> u32 {
        self.images[nodes.end as usize] - self.images[nodes.start as usize]
    }

    /// Visible digits.
    #[inline]
    pub fn digits(&self, nodes: &Range<Node>) -> u32 {
        self.digits[nodes.end as usize] - self.digits[nodes.start as usize]
    }
}

/// The number of characters that are not white space, and the number of digits among them.
fn count(text: &str) -> (u32, u32) {
    let (mut chars, mut digits) = (0, 0);
    if text.is_ascii() {
        // the compiler counts many bytes at once as long as a count fits into a byte
        for bytes in text.as_bytes().chunks(usize::from(u8::MAX)) {
            let (mut spaces, mut chunk_digits) = (0u8, 0u8);
            for b in bytes {
                // unlike to `is_ascii_whitespace`, a vertical tab is white space
                spaces += u8::from(*b == b' ' || (b'\t'..=b'\r').contains(b));
                chunk_digits += u8::from(b.is_ascii_digit());
            }
            chars += bytes.len() as u32 - u32::from(spaces);
            digits += u32::from(chunk_digits);
        }
    } else {
        for c in text.chars() {
            chars += u32::from(!c.is_whitespace() && c != '\u{200b}' && c != '\u{feff}');
            digits += u32::from(c.is_ascii_digit());
        }
    }
    (chars, digits)
}

/// A hash of the stable words, independent of their order.
fn class_key(text: &str) -> u32 {
    let mut key = 0u64;
    for word in stable_classes(text) {
        let mut h = 0xcbf2_9ce4_8422_2325_u64;
        for b in word.bytes() {
            h = (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        }
        key = key.wrapping_add(mix(h));
    }
    if key == 0 { 0 } else { (mix(key) as u32).max(1) }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, Page, tags};

    #[test]
    fn sums_count_only_what_is_visible() {
        let page = Page::from_text(
            "<p>ab 1<a href=x>cd</a><img><script>zz</script><p hidden>no</p>",
            &Limits::default(),
        );
        let all = 0..page.tree.len() as u32;
        let index = &page.index;
        assert_eq!(
            (
                index.chars(&all),
                index.link_chars(&all),
                index.leaves(&all),
                index.images(&all),
                index.digits(&all)
            ),
            (5, 2, 2, 1, 1)
        );
    }

    #[test]
    fn texts_of_any_length_are_counted() {
        for length in [0, 1, 16, 254, 255, 256, 511, 1000] {
            for (piece, chars, digits) in [("a1 \t\u{b}\r\n\u{c}", 2, 1), ("é2 \u{a0}\u{200b}", 2, 1)] {
                let counted = super::count(&piece.repeat(length));
                assert_eq!(counted, (chars * length as u32, digits * length as u32), "{piece:?}, {length}");
            }
        }
    }

    #[test]
    fn generated_classes_do_not_change_the_class_path() {
        let html = "<ul><li class='item css-1a2b3c'>a<li class='css-9z8y7x item'>b<li class='other'>c</ul>";
        let page = Page::from_text(html, &Limits::default());
        let items: Vec<u32> = page.tree.nodes().filter(|&n| page.tree.tag(n) == tags::LI).collect();
        let paths: Vec<u32> = items.iter().map(|&n| page.index.class_path(n)).collect();
        assert_eq!(paths[0], paths[1]);
        assert_ne!(paths[1], paths[2]);
        assert_eq!(page.index.path(items[0]), page.index.path(items[2]));
    }

    #[test]
    fn repeats_do_not_change_the_structure() {
        let page = Page::from_text(
            "<ul><li><a>1</a></ul><ul><li><a>1</a><li><a>2</a></ul><ul><li>x</ul>",
            &Limits::default(),
        );
        let lists: Vec<u64> = page
            .tree
            .nodes()
            .filter(|&n| page.tree.tag(n) == tags::UL)
            .map(|n| page.index.structure(n))
            .collect();
        assert_eq!(lists[0], lists[1]);
        assert_ne!(lists[1], lists[2]);
    }
}
