//! Writes a tree as HTML again, for tests, reports and saved samples.
//!
//! In: a subtree. Out: HTML text. It has no comments and no doctype, because the tree has none. O(size), no
//! recursion.

use crate::tags;
use crate::tree::{Node, Tree};

/// The HTML of the subtree at `node`.
pub fn html(tree: &Tree, node: Node) -> String {
    let mut out = String::new();
    let mut open: Vec<Node> = Vec::new();
    for at in node..tree.end(node) {
        while open.last().is_some_and(|&last| at >= tree.end(last)) {
            close(tree, open.pop(), &mut out);
        }
        if tree.is_text(at) {
            let raw = has_raw_text(tree.tag(tree.parent(at)));
            push_text(tree.raw_text(at), raw, &mut out);
        } else if tree.tag(at) != tags::DOCUMENT {
            out.push('<');
            out.push_str(tree.tag_name(at));
            for (name, value) in tree.attributes(at) {
                out.push(' ');
                out.push_str(name);
                out.push_str("=\"");
                push_attribute(value, &mut out);
                out.push('"');
            }
            out.push('>');
            if !tags::is_void(tree.tag(at)) {
                open.push(at);
            }
        }
    }
    while !open.is_empty() {
        close(tree, open.pop(), &mut out);
    }
    out
}

fn close(tree: &Tree, node: Option<Node>, out: &mut String) {
    if let Some(node) = node {
        out.push_str("</");
        out.push_str(tree.tag_name(node));
        out.push('>');
    }
}

fn has_raw_text(parent: tags::Tag) -> bool {
    matches!(parent, tags::SCRIPT | tags::STYLE | tags::IFRAME | tags::NOFRAMES)
}

/// Appends a text: as it is if `raw` (the text of a script), otherwise with markup characters escaped.
pub fn push_text(text: &str, raw: bool, out: &mut String) {
    if raw {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            _ => out.push(c),
        }
    }
}

/// Appends an attribute's value, escaped for double quotes.
pub fn push_attribute(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            _ => out.push(c),
        }
    }
}
