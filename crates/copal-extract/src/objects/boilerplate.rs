//! Parts of a page that are about the site, not about its object (thesis section 6.3, Algorithm 6).
//!
//! In: a [`DetailPage`] and the line that names the object. Out: the topmost elements that are boilerplate.
//! The tree is walked from the top; below an element that matches nothing more is asked. What makes an
//! element boilerplate is in [`zones`](crate::signals::zones). O(nodes).

use super::detail_page::DetailPage;
use crate::signals::zones::is_boilerplate;
use crate::table::class_names::field_in_class;
use copal_dom::{Node, attrs};

/// Largest share of the page's text in one element of boilerplate. A larger element has the object inside.
const MAX_BOILERPLATE_SHARE: f64 = 0.4;

/// Lines between a headline and its byline, and lines of a byline.
const MAX_BYLINE_DISTANCE: usize = 3;
const MAX_BYLINE_LINES: usize = 20;

/// The topmost elements that are boilerplate.
pub(super) fn find(page: &DetailPage<'_>, headline: Option<usize>) -> Vec<Node> {
    let dom = page.dom;
    let tree = &dom.tree;
    let headline_line = headline;
    let headline = headline.map(|line| page.lines[line].first());
    let all = f64::from(dom.index.chars(&(0..tree.len() as Node)).max(1));
    let mut found = Vec::new();
    let mut node = 0;
    while (node as usize) < tree.len() {
        let subtree = node..tree.end(node);
        let chars = dom.index.chars(&subtree);
        let holds_headline = headline.is_some_and(|headline| subtree.contains(&headline));
        let is_small = f64::from(chars) <= MAX_BOILERPLATE_SHARE * all;
        let is_candidate = !tree.is_text(node) && chars > 0 && !holds_headline && is_small;
        if is_candidate && is_boilerplate(dom, node) && !is_byline(page, headline_line, node) {
            found.push(node);
            node = tree.end(node);
        } else {
            node += 1;
        }
    }
    found
}

/// True for the authors of a text right below its headline. They are links, and their class may say that they
/// belong to the header of the text.
fn is_byline(page: &DetailPage<'_>, headline: Option<usize>, node: Node) -> bool {
    let tree = &page.dom.tree;
    let lines = page.lines_of(node);
    let is_below = headline.is_some_and(|at| lines.start > at && lines.start <= at + MAX_BYLINE_DISTANCE);
    let classes = tree.attr(node, attrs::CLASS).into_iter().flat_map(str::split_ascii_whitespace);
    is_below
        && lines.len() <= MAX_BYLINE_LINES
        && classes
            .filter_map(field_in_class)
            .any(|name| matches!(name.as_str(), "author" | "authors" | "byline"))
}
