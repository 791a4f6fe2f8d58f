//! What a link says: its text, its labels in HTML attributes, and `rel`.

use copal_dom::{Node, Page, attrs, push_collapsed};

/// True if the element has `rel=next`.
pub(super) fn is_rel_next(page: &Page, node: Node) -> bool {
    let rel = page.tree.attr(node, attrs::REL);
    rel.is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("next")))
}

/// The text of a link. Hidden links have a text too: scripts follow them.
pub(super) fn text(page: &Page, node: Node) -> String {
    let shown = page.text_of(node);
    if !shown.is_empty() || page.styles.is_shown(node) {
        return shown;
    }
    let mut text = String::new();
    for at in node..page.tree.end(node) {
        if page.tree.is_text(at) {
            push_collapsed(&mut text, page.tree.raw_text(at));
        }
    }
    text
}

/// The labels of a link in HTML attributes, its own and those of its first descendants.
pub(super) fn labels(page: &Page, node: Node) -> impl Iterator<Item = &str> {
    let tree = &page.tree;
    let own = [attrs::ARIA_LABEL, attrs::TITLE, attrs::ALT, attrs::VALUE].into_iter();
    let own = own.filter_map(move |name| tree.attr(node, name));
    let inside = (node + 1..tree.end(node).min(node + 8)).flat_map(move |at| {
        let names = [attrs::ALT, attrs::ARIA_LABEL, attrs::TITLE].into_iter();
        names.filter_map(move |name| tree.attr(at, name))
    });
    own.chain(inside)
}
