//! Which elements have a class word.
//!
//! In: the elements of a tree. Out: [`ClassIndex`]. Most elements have the same classes as many others, so each different
//! value of `class` is cut into words once, and the elements with a word are collected when a selector asks for
//! it. O(elements + text of the different values) to build.

use crate::selector_names::hash;
use copal_dom::{Node, Tree, attrs};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// The elements of a page by class word.
#[derive(Debug, Default)]
pub(crate) struct ClassIndex {
    /// For each different value of `class` the elements that have it, in document order.
    by_value: Vec<Vec<Node>>,
    /// By the hash of the word.
    words: FxHashMap<u64, ClassWord>,
}

/// A word of classes.
#[derive(Debug, Default)]
struct ClassWord {
    /// The values with this word, as indices of `by_value`.
    values: Vec<u32>,
    /// The elements with one of these values, if there are several values and someone has asked.
    nodes: OnceCell<Vec<Node>>,
}

impl ClassIndex {
    /// Indexes the elements of a tree.
    pub(crate) fn of(tree: &Tree, elements: &[Node]) -> ClassIndex {
        let mut index = ClassIndex::default();
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        for &node in elements {
            let Some(value) = tree.attr(node, attrs::CLASS) else { continue };
            let number = *known.entry(value).or_insert_with(|| index.add_value(value));
            index.by_value[number as usize].push(node);
        }
        index
    }

    fn add_value(&mut self, value: &str) -> u32 {
        let number = self.by_value.len() as u32;
        self.by_value.push(Vec::new());
        for word in value.split_ascii_whitespace() {
            let values = &mut self.words.entry(hash(word)).or_default().values;
            // a value may contain a word twice
            if values.last() != Some(&number) {
                values.push(number);
            }
        }
        number
    }

    /// The elements with a word, given its hash, in document order.
    pub(crate) fn with_word(&self, word: u64) -> Option<&[Node]> {
        let word = self.words.get(&word)?;
        if let [only] = word.values[..] {
            return Some(&self.by_value[only as usize]);
        }
        Some(word.nodes.get_or_init(|| {
            let nodes = word.values.iter().flat_map(|&value| &self.by_value[value as usize]);
            let mut nodes: Vec<Node> = nodes.copied().collect();
            nodes.sort_unstable();
            nodes
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::ClassIndex;
    use crate::selector_names::hash;
    use copal_dom::{Limits, Node, Page};

    #[test]
    fn elements_are_found_by_each_of_their_words() {
        let html = "<p class='a b'>1<p class=b>2<p class='b  a a'>3<p class=''>4<p>5<p class=b>6";
        let page = Page::from_text(html, &Limits::default());
        let elements: Vec<Node> =
            page.tree.nodes().skip(1).filter(|&node| !page.tree.is_text(node)).collect();
        let index = ClassIndex::of(&page.tree, &elements);
        let texts = |word: &str| -> Option<String> {
            index.with_word(hash(word)).map(|nodes| nodes.iter().map(|&node| page.text_of(node)).collect())
        };
        assert_eq!(texts("a").as_deref(), Some("13"));
        assert_eq!(texts("b").as_deref(), Some("1236"));
        assert_eq!(texts("c"), None);
    }
}
