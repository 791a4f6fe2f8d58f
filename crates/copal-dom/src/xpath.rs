//! Where a node is, as an XPath of the HTML5 tree (1-based).
//!
//! In: a node. Out: `/html/body/div[2]/ul[1]/li[3]`. O(nodes) once, then O(depth).

use crate::tags::{self, Tag};
use crate::tree::{Node, Tree};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Writes XPaths of one tree; what it needs to count is counted once, so that each costs O(depth).
#[derive(Debug)]
pub struct XPaths<'t> {
    tree: &'t Tree,
    /// By node: its place among the siblings of its name.
    place: Vec<u32>,
}

impl<'t> XPaths<'t> {
    /// Counts the siblings of all nodes. O(nodes).
    pub fn new(tree: &'t Tree) -> Self {
        let mut seen: FxHashMap<(Node, Tag), u32> = FxHashMap::default();
        let place = tree.nodes().map(|node| {
            if tree.is_text(node) {
                return 0;
            }
            let count = seen.entry((tree.parent(node), tree.tag(node))).or_default();
            *count += 1;
            *count
        });
        XPaths { tree, place: place.collect() }
    }

    /// The absolute XPath of an element (of a text's parent).
    pub fn of(&self, node: Node) -> String {
        let tree = self.tree;
        let element = if tree.is_text(node) { tree.parent(node) } else { node };
        let mut steps: Vec<Node> = std::iter::once(element).chain(tree.ancestors(element)).collect();
        let mut out = String::new();
        while let Some(step) = steps.pop() {
            if tree.tag(step) != tags::DOCUMENT {
                self.push_step(step, &mut out);
            }
        }
        if out.is_empty() {
            out.push('/');
        }
        out
    }

    fn push_step(&self, step: Node, out: &mut String) {
        let name = self.tree.tag_name(step);
        let plain = !self.tree.is_foreign(step)
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        if plain {
            out.push('/');
            out.push_str(name);
        } else {
            let _ = write!(out, "/*[name()={}]", quoted(name));
        }
        if !matches!(self.tree.tag(step), tags::HTML | tags::BODY | tags::HEAD) {
            let _ = write!(out, "[{}]", self.place[step as usize]);
        }
    }
}

/// An XPath 1.0 string: it has no escapes, so the quote that does not occur is used.
fn quoted(name: &str) -> String {
    if name.contains('\'') { format!("\"{}\"", name.replace('"', "")) } else { format!("'{name}'") }
}

#[cfg(test)]
mod tests {
    use super::XPaths;
    use crate::{Limits, parse::parse};

    #[test]
    fn steps_count_siblings_of_the_same_name() {
        let (tree, _) = parse("<p>a<div>b</div><p>c<svg><g/></svg>", &Limits::default());
        let xpaths = XPaths::new(&tree);
        let paths: Vec<String> = tree.nodes().filter(|&n| !tree.is_text(n)).map(|n| xpaths.of(n)).collect();
        assert_eq!(
            paths,
            [
                "/",
                "/html",
                "/html/head",
                "/html/body",
                "/html/body/p[1]",
                "/html/body/div[1]",
                "/html/body/p[2]",
                "/html/body/p[2]/*[name()='svg'][1]",
                "/html/body/p[2]/*[name()='svg'][1]/*[name()='g'][1]"
            ]
        );
    }
}
