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
    /// It stands behind a leading link.
    pub(super) tail: bool,
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
            let mut push = |key, source, node, text: String| {
                let tail = source == CellSource::Text && text.starts_with(',');
                let text = if source == CellSource::Text { trimmed(text) } else { text };
                if source != CellSource::Text || says(&text) {
                    out.push(Value { key: (key, source), node, text, tail });
                }
            };
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
                    tree.attr(node, attrs::HREF).map(str::trim).filter(|href| leads_on(href))
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
    /// By node: a label inside is cut off.
    divided: Vec<bool>,
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
        let mut lines = Lines { start: part.start, flat, run: vec![0; part.len()], divided: vec![false; part.len()] };
        lines.runs(page, part.start, part.end);
        for node in part.clone() {
            if !tree.is_text(node) {
                lines.runs(page, node + 1, tree.end(node));
            }
        }
        lines
    }

    /// Finds lines among siblings and cuts them into values.
    fn runs(&mut self, page: &Page, from: Node, to: Node) {
        let tree = &page.tree;
        let mut at = from;
        while at < to {
            let start = at;
            while at < to && self.flat[(at - self.start) as usize] {
                at = tree.end(at);
            }
            self.cut(page, start, at);
            if at < to {
                at = tree.end(at);
            }
        }
    }

    /// Cuts one line at separators, behind a link it begins with and behind a bold label.
    fn cut(&mut self, page: &Page, from: Node, to: Node) {
        let tree = &page.tree;
        let env = |n: &str| std::env::var(n).is_ok();
        let (x3, x4, x5) = (!env("X3"), !env("X4"), !env("X5"));
        let mut start = from;
        let (mut words, mut elements) = (false, 0u32);
        let mut at = from;
        let mut lead = true;
        while at < to {
            let next = tree.end(at);
            let text = tree.raw_text(at).trim();
            if !page.styles.is_shown(at) || text.is_empty() {
                at = next;
                continue;
            }
            if x3 && text.chars().all(is_separator) {
                self.mixed(start, at, words && elements > 0);
                (start, words, elements, lead) = (next, false, 0, true);
                at = next;
                continue;
            }
            if tree.is_text(at) {
                words |= text.chars().any(char::is_alphanumeric);
            } else {
                elements += 1;
                let tag = tree.tag(at);
                let link = x4 && tag == tags::A && begins_anew(page, next, to);
                let label = x5 && matches!(tag, tags::B | tags::STRONG) && text.ends_with(':');
                if lead && label && begins(page, next, to) {
                    let parent = tree.parent(at);
                    if parent >= self.start && parent != copal_dom::NONE {
                        self.divided[(parent - self.start) as usize] = true;
                    }
                }
                if lead && (link || label) {
                    (start, words, elements) = (next, false, 0);
                }
            }
            lead = false;
            at = next;
        }
        self.mixed(start, to, words && elements > 0);
    }

    fn mixed(&mut self, from: Node, to: Node, mixed: bool) {
        if mixed {
            self.run[(from - self.start) as usize] = to;
        }
    }

    /// Formatting elements of different kinds without words of their container among them: values of their own.
    fn side_by_side(&self, page: &Page, node: Node) -> bool {
        let tree = &page.tree;
        let mut kinds = None;
        let mut differ = false;
        for child in tree.children(node) {
            if !page.styles.is_shown(child) || page.index.leaves(&(child..tree.end(child))) == 0 {
                continue;
            }
            if tree.is_text(child) {
                if tree.raw_text(child).chars().any(char::is_alphanumeric) {
                    return false;
                }
                continue;
            }
            let kind = (tree.tag(child), page.index.class(child));
            differ |= *kinds.get_or_insert(kind) != kind;
        }
        differ
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
        if inside.is_empty() || self.divided[(node - self.start) as usize] {
            return false;
        }
        let flat = page.tree.children(node).all(|child| self.flat[(child - self.start) as usize]);
        if flat && self.run[(node + 1 - self.start) as usize] == page.tree.end(node) {
            return true;
        }
        if std::env::var("X8").is_err() && self.side_by_side(page, node) {
            return false;
        }
        inside.into_iter().all(|inner| {
            let tag = page.tree.tag(inner);
            tag == tags::TEXT || tag == tags::BR || tags::is_formatting(tag) || !page.styles.is_shown(inner)
        })
    }
}

fn begins(page: &Page, from: Node, to: Node) -> bool {
    page.index.leaves(&(from..to)) > 0
}

/// What stands behind a leading link begins with a separator or another element: it is no part of the link's words.
fn begins_anew(page: &Page, from: Node, to: Node) -> bool {
    let tree = &page.tree;
    let mut at = from;
    while at < to {
        let text = tree.raw_text(at).trim_start();
        if page.styles.is_shown(at) && !text.is_empty() {
            return !tree.is_text(at) || text.starts_with([',', ';', '|', '-', '\u{2013}', '\u{2014}', '\u{b7}', '\u{2022}']);
        }
        at = tree.end(at);
    }
    false
}

/// Without the separators to the values before and behind it.
fn trimmed(text: String) -> String {
    let inner = text
        .trim_start_matches(|c: char| matches!(c, ' ' | ',' | ';') || is_separator(c))
        .trim_end_matches(|c: char| c == ' ' || is_separator(c));
    if inner.len() == text.len() { text } else { inner.to_owned() }
}

/// False for texts that only separate or decorate. `$$$` and stars are values.
fn says(text: &str) -> bool {
    text.contains(|c: char| {
        c.is_alphanumeric() || matches!(c, '\u{2605}' | '\u{2606}' | '\u{2713}' | '\u{2714}')
    }) || (2..=5).contains(&text.len()) && text.bytes().all(|b| b == b'$')
}

/// Characters that stand between values.
fn is_separator(c: char) -> bool {
    matches!(c, '|' | '\u{a6}' | '\u{b7}' | '\u{bb}' | '\u{2022}' | '\u{203a}' | '\u{2027}' | '\u{2219}' | '\u{22c5}' | '\u{25cf}')
}

/// True for what ends a line.
fn breaks(page: &Page, node: Node) -> bool {
    let tag = page.tree.tag(node);
    page.styles.is_shown(node)
        && (page.styles.display(node) == Display::Block
            || matches!(tag, tags::BR | tags::HR | tags::BUTTON | tags::SELECT | tags::TEXTAREA)
            || (std::env::var("X9").is_err() && is_assistive(page, node)))
}

/// Texts for screen readers only, by the class names that style sheets commonly give them: no part of the line they
/// stand in.
fn is_assistive(page: &Page, node: Node) -> bool {
    page.tree.attr(node, attrs::CLASS).is_some_and(|class| class.split_ascii_whitespace().any(|word| ASSISTIVE.contains(&word) || word.ends_with("sr-only")))
}

const ASSISTIVE: &[&str] = &["visually-hidden", "visuallyhidden", "screen-reader-text", "screenreader", "offscreen", "assistive-text"];


/// False for links that are buttons of a script.
fn leads_on(href: &str) -> bool {
    !href.is_empty() && href != "#" && !href.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("javascript:"))
}

/// Lazy pages keep the address aside and put a placeholder into `src`.
pub(crate) fn image_address(page: &Page, image: Node) -> Option<&str> {
    [attrs::DATA_SRC, attrs::SRC]
        .into_iter()
        .filter_map(|name| page.tree.attr(image, name))
        .map(str::trim)
        .find(|src| !src.is_empty() && !src.starts_with("data:"))
}

