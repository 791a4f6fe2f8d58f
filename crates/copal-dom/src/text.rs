//! Text as a reader sees it: white space collapsed, hidden parts left out.
//!
//! In: raw text, or a range of nodes of a [`Page`]. Out: visible text, and the folded form in which two texts are
//! compared. O(length of the text).

use crate::page::Page;
use crate::tree::Node;
use std::ops::Range;

/// Appends `text` with its white space collapsed and trimmed; returns false if nothing was there.
/// A space is put between what `out` holds already and the text.
pub fn push_collapsed(out: &mut String, text: &str) -> bool {
    let mut any = false;
    for word in text.split(|c: char| c.is_whitespace() || c == '\u{200b}' || c == '\u{feff}') {
        if !word.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
            any = true;
        }
    }
    any
}

/// The letters and digits of a text in lower case. Two texts that differ only in case, punctuation and white space give
/// the same characters.
pub fn letters_and_digits(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// [`letters_and_digits`] as a string.
pub fn squash(text: &str) -> String {
    letters_and_digits(text).collect()
}

impl Page {
    /// The visible text of a range of nodes, its pieces separated by one space.
    pub fn visible_text(&self, nodes: Range<Node>) -> String {
        let mut out = String::new();
        for node in nodes {
            if self.tree.is_text(node) && self.styles.is_shown(node) {
                push_collapsed(&mut out, self.tree.raw_text(node));
            }
        }
        out
    }

    /// The visible text of one subtree.
    pub fn text_of(&self, node: Node) -> String {
        self.visible_text(node..self.tree.end(node))
    }
}
