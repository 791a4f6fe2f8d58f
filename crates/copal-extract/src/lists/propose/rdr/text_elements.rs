//! The text elements of a page (section 3.2): which elements show a text, with which tag and in which style.
//!
//! In: a [`Page`]. Out: [`TextElements`] in document order, with counts for any subtree. Formatting inside a
//! text (`b` around a search word) does not start a new text element. O(nodes).

use copal_dom::{Node, Page, Tag, attrs, tags};
use std::ops::Range;

/// The text leaves and text elements of a page.
pub(super) struct TextElements {
    /// Visible text nodes.
    pub(super) leaf: Vec<Node>,
    /// Per leaf: a number for its style (computed style, tag and class of its element).
    pub(super) style: Vec<u64>,
    /// The tags of the text elements in document order.
    pub(super) tag: Vec<Tag>,
    /// The text elements in document order.
    pub(super) element: Vec<Node>,
    /// How many text elements precede each node; one entry more than there are nodes.
    elements_before: Vec<u32>,
    /// How many leaves precede each node; one entry more than there are nodes.
    leaves_before: Vec<u32>,
}

impl TextElements {
    pub(super) fn new(page: &Page) -> TextElements {
        let tree = &page.tree;
        let n = tree.len();
        let mut texts = TextElements {
            leaf: Vec::new(),
            style: Vec::new(),
            tag: Vec::new(),
            element: Vec::new(),
            elements_before: Vec::with_capacity(n + 1),
            leaves_before: Vec::with_capacity(n + 1),
        };
        for node in tree.nodes() {
            texts.elements_before.push(texts.element.len() as u32);
            texts.leaves_before.push(texts.leaf.len() as u32);
            if !tree.is_text(node) || page.index.leaves(&(node..node + 1)) == 0 {
                continue;
            }
            let parent = tree.parent(node);
            let mut element = parent;
            while tags::is_formatting(tree.tag(element)) {
                element = tree.parent(element);
            }
            texts.leaf.push(node);
            texts.style.push(style(page, parent, element));
            if texts.element.last() != Some(&element) {
                texts.element.push(element);
                texts.tag.push(tree.tag(element));
            }
        }
        texts.elements_before.push(texts.element.len() as u32);
        texts.leaves_before.push(texts.leaf.len() as u32);
        texts
    }

    /// The number of text elements in a subtree.
    pub(super) fn count(&self, page: &Page, node: Node) -> u32 {
        self.elements_before[page.tree.end(node) as usize] - self.elements_before[node as usize]
    }

    /// The tag string of a subtree (section 3.2).
    pub(super) fn tags(&self, page: &Page, node: Node) -> &[Tag] {
        let end = page.tree.end(node) as usize;
        &self.tag[self.elements_before[node as usize] as usize..self.elements_before[end] as usize]
    }

    /// The indexes of the leaves in a subtree.
    pub(super) fn leaves(&self, page: &Page, node: Node) -> Range<usize> {
        let end = page.tree.end(node) as usize;
        self.leaves_before[node as usize] as usize..self.leaves_before[end] as usize
    }
}

/// A number for the style of a text. Stylesheets are not loaded, so a class is the best sign of a different
/// style.
fn style(page: &Page, parent: Node, element: Node) -> u64 {
    let class = page.index.class(element);
    let own = u64::from(class != 0 || page.tree.attr(element, attrs::CLASS).is_some());
    u64::from(page.styles.id(parent)) << 48
        | u64::from(page.tree.tag(element)) << 33
        | own << 32
        | u64::from(class)
}
