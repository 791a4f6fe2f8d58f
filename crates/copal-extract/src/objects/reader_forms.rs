//! Forms that readers fill in about themselves: logins, comments, applications, newsletters.
//!
//! In: a page. Out: the ranges of nodes of such forms, in document order. Their labels name what is asked, not
//! what the object is. A form with a quantity and a button belongs to the object, and a form around most of
//! the page is only how the site is built. O(nodes).

use super::detail_page::DetailPage;
use copal_dom::{Node, attrs, tags};
use std::ops::Range;

/// Largest share of the page's text in a form that somebody fills in.
const MAX_FORM_SHARE: f64 = 0.3;

/// The forms of a page that ask for texts about the reader.
pub(super) fn reader_forms(page: &DetailPage<'_>) -> Vec<Range<Node>> {
    let tree = &page.dom.tree;
    let all = f64::from(page.dom.index.chars(&(0..tree.len() as Node)).max(1));
    let mut found: Vec<Range<Node>> = Vec::new();
    // The innermost open form; forms are not nested in HTML.
    let mut form: Option<Range<Node>> = None;
    for node in tree.nodes() {
        if form.as_ref().is_some_and(|form| node >= form.end) {
            form = None;
        }
        if tree.tag(node) == tags::FORM {
            let nodes = node..tree.end(node);
            let is_small = f64::from(page.dom.index.chars(&nodes)) <= MAX_FORM_SHARE * all;
            form = is_small.then_some(nodes);
        } else if asks_for_text(page, node)
            && let Some(nodes) = form.take()
        {
            found.push(nodes);
        }
    }
    found
}

/// True for controls of forms about the reader.
fn asks_for_text(page: &DetailPage<'_>, node: Node) -> bool {
    match page.dom.tree.tag(node) {
        tags::TEXTAREA => true,
        tags::INPUT => is_input_type(page, node, &["password", "email", "tel", "file"]),
        _ => false,
    }
}

/// True for a control that a reader types into or chooses from.
pub(super) fn is_filled_in(page: &DetailPage<'_>, node: Node) -> bool {
    const OTHER_TYPES: &[&str] = &["hidden", "submit", "button", "image", "radio", "checkbox"];
    match page.dom.tree.tag(node) {
        tags::SELECT | tags::TEXTAREA => true,
        tags::INPUT => !is_input_type(page, node, OTHER_TYPES),
        _ => false,
    }
}

fn is_input_type(page: &DetailPage<'_>, input: Node, types: &[&str]) -> bool {
    let own = page.dom.tree.attr(input, attrs::TYPE).unwrap_or_default();
    types.iter().any(|kind| own.eq_ignore_ascii_case(kind))
}

/// True if a node is in one of the ranges, which are in document order.
pub(super) fn is_in_form(forms: &[Range<Node>], node: Node) -> bool {
    let after = forms.partition_point(|form| form.start <= node);
    after.checked_sub(1).is_some_and(|at| forms[at].contains(&node))
}

#[cfg(test)]
mod tests {
    use super::super::detail_page::split_into_lines;
    use super::{is_in_form, reader_forms};
    use copal_dom::{Limits, Page};

    #[test]
    fn forms_about_the_reader_are_found() {
        let html = "<h1>Oak table</h1><p>A table of solid oak with four turned legs and a drawer.</p>\
            <form id=buy>Quantity: <input type=text name=qty> <p>Price: 10 EUR</p></form>\
            <form id=ask>Your name <input type=text> Question <textarea></textarea></form>";
        let page = Page::from_text(html, &Limits::default());
        let pages = split_into_lines(&[&page]);
        let forms = reader_forms(&pages[0]);
        let node = |text: &str| pages[0].lines.iter().find(|line| line.text.contains(text)).unwrap().first();
        assert!(is_in_form(&forms, node("Question")));
        assert!(!is_in_form(&forms, node("10 EUR")) && !is_in_form(&forms, node("solid oak")));
    }
}
