//! The values of a record.
//!
//! In: a record's parts. Out: its values in document order, each with the key of its place. A value is a text that a
//! reader takes in at once: an element's or a line's words together with the links and highlighted words among them.
//! Elements side by side without words of their container between them are values of their own. A link's target and an
//! image's address are values too. O(nodes + text).

use super::keys::{self, path_keys};
use crate::model::CellSource;
use copal_dom::style::Display;
use copal_dom::{Node, Page, attrs, push_collapsed, tags};
use std::ops::Range;

/// One value of one record.
pub(super) struct Value {
    pub(super) key: (u64, CellSource),
    pub(super) node: Node,
    pub(super) text: String,
}

/// The values of a record in document order.
pub(super) fn values(page: &Page, parts: &[Range<Node>]) -> Vec<Value> {
    let tree = &page.tree;
    let mut out = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let keys = path_keys(page, part, number);
        let lines = Lines::new(page, part);
        // nodes before this one are inside a value that was read whole
        let mut read_to = part.start;
        for (node, key) in part.clone().zip(keys.iter().copied()) {
            if !page.styles.is_shown(node) {
                continue;
            }
            let tag = tree.tag(node);
            let mut push = |key, source, node, text: String| out.push(Value { key: (key, source), node, text });
            if let Some(end) = lines.line(node).filter(|_| node >= read_to) {
                let text = page.visible_text(node..end);
                let parent = tree.parent(node);
                let key = if parent >= part.start { keys::step(page, keys[(parent - part.start) as usize], lines.text(node, end, page)) } else { key };
                push(key, CellSource::Text, lines.text(node, end, page), text);
                read_to = end;
            }
            if tag == tags::TEXT {
                let mut text = String::new();
                if node >= read_to && push_collapsed(&mut text, tree.raw_text(node)) {
                    push(key, CellSource::Text, node, text);
                }
                continue;
            }
            if tag == tags::A
                && let Some(href) =
                    tree.attr(node, attrs::HREF).map(str::trim).filter(|href| !href.is_empty())
            {
                push(key, CellSource::Href, node, href.to_owned());
            } else if tag == tags::IMG
                && let Some(src) = image_address(page, node)
            {
                push(key, CellSource::Src, node, src.to_owned());
            }
            if node >= read_to && lines.is_value(page, node) {
                let text = page.text_of(node);
                if !text.is_empty() {
                    push(key, CellSource::Text, node, text);
                }
                read_to = tree.end(node);
            }
        }
    }
    out
}

/// Which nodes of a part are inside lines, and which lines are one value.
struct Lines {
    start: Node,
    /// By node: nothing below (or it) breaks a line.
    flat: Vec<bool>,
    /// By node: the end of the mixed run of siblings that begins with it, or 0.
    run: Vec<Node>,
}

impl Lines {
    fn new(page: &Page, part: &Range<Node>) -> Lines {
        let tree = &page.tree;
        let at = |node: Node| (node - part.start) as usize;
        let mut flat = vec![true; part.len()];
        for node in part.clone().rev() {
            if breaks(page, node) {
                flat[at(node)] = false;
            }
            let parent = tree.parent(node);
            if !flat[at(node)] && parent >= part.start && parent < part.end {
                flat[at(parent)] = false;
            }
        }
        let mut lines = Lines { start: part.start, flat, run: vec![0; part.len()] };
        lines.runs(page, part.start, part.end);
        for node in part.clone() {
            if !tree.is_text(node) {
                lines.runs(page, node + 1, tree.end(node));
            }
        }
        lines
    }

    /// Finds mixed runs among siblings.
    fn runs(&mut self, page: &Page, from: Node, to: Node) {
        let tree = &page.tree;
        let mut at = from;
        while at < to {
            let start = at;
            let (mut words, mut elements) = (false, false);
            while at < to && self.flat[(at - self.start) as usize] {
                if tree.is_text(at) {
                    words |= page.styles.is_shown(at) && tree.raw_text(at).chars().any(char::is_alphanumeric);
                } else {
                    elements |= page.index.leaves(&(at..tree.end(at))) > 0;
                }
                at = tree.end(at);
            }
            if words && elements {
                self.run[(start - self.start) as usize] = at;
            }
            if at < to {
                at = tree.end(at);
            }
        }
    }

    fn line(&self, node: Node) -> Option<Node> {
        let end = self.run[(node - self.start) as usize];
        (end > node).then_some(end)
    }

    /// The first text of a run.
    fn text(&self, node: Node, end: Node, page: &Page) -> Node {
        let mut at = node;
        while at < end {
            if page.tree.is_text(at) {
                return at;
            }
            at = page.tree.end(at);
        }
        node
    }

    /// True if the element is read whole: nothing but texts and formatting is inside, or words of its own among inline
    /// elements.
    fn is_value(&self, page: &Page, node: Node) -> bool {
        let inside = node + 1..page.tree.end(node);
        if inside.is_empty() {
            return false;
        }
        let flat = page.tree.children(node).all(|child| self.flat[(child - self.start) as usize]);
        if flat && self.run[(node + 1 - self.start) as usize] != 0 {
            return true;
        }
        inside.into_iter().all(|inner| {
            let tag = page.tree.tag(inner);
            tag == tags::TEXT || tag == tags::BR || tags::is_formatting(tag) || !page.styles.is_shown(inner)
        })
    }
}

/// True for what ends a line.
fn breaks(page: &Page, node: Node) -> bool {
    let tag = page.tree.tag(node);
    page.styles.is_shown(node)
        && (page.styles.display(node) == Display::Block
            || matches!(tag, tags::BR | tags::HR | tags::BUTTON | tags::SELECT | tags::TEXTAREA))
}

/// Lazy pages keep the address aside and put a placeholder into `src`.
pub(crate) fn image_address(page: &Page, image: Node) -> Option<&str> {
    [attrs::DATA_SRC, attrs::SRC]
        .into_iter()
        .filter_map(|name| page.tree.attr(image, name))
        .map(str::trim)
        .find(|src| !src.is_empty() && !src.starts_with("data:"))
}

