//! Learning how the pages of a list are reached.
//!
//! In: a page and its list. Out: a [`Navigation`] with the page's URL and with selectors of the next link, if
//! there is one that is certain. O(elements).

use super::candidates::{best_of_families, selector_candidates};
use crate::format::Navigation;
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use copal_dom::{Node, Page, attrs};
use copal_extract::Region;
use copal_extract::paging::{SURE, next_links};

/// Maximum number of selectors of the next link.
const MAX_NEXT_SELECTORS: usize = 3;
/// Maximum number of links to the next page that give candidates.
const MAX_LINKS_TRIED: usize = 3;

/// What a list page says about its site. None if neither its URL nor a next link is known.
pub(super) fn learn_navigation(page: &Page, list: &Region) -> Option<Navigation> {
    let next = next_selectors(page, list);
    (page.url.is_some() || !next.is_empty()).then(|| Navigation {
        open: page.url.clone(),
        steps: Vec::new(),
        next,
    })
}

fn next_selectors(page: &Page, list: &Region) -> Vec<String> {
    let Some(link) = next_links(page, Some(list)).into_iter().find(|link| link.score >= SURE) else {
        return Vec::new();
    };
    let (tree, index) = (&page.tree, ElementIndex::new(&page.tree));
    let Ok(links) = Css::parse("a, link") else { return Vec::new() };
    let leads_there = |&node: &Node| tree.attr(node, attrs::HREF) == Some(link.href.as_str());
    let there: Vec<Node> = links.select(&index).into_iter().filter(leads_there).collect();
    let mut good = Vec::new();
    for candidate in there.iter().take(MAX_LINKS_TRIED).flat_map(|&node| selector_candidates(tree, 0, node)) {
        let Ok(css) = Css::parse(&candidate.css) else { continue };
        // Whoever navigates follows the first element that the selector finds.
        if css.select(&index).first().is_some_and(leads_there) {
            good.push((candidate.family, candidate.score, candidate.css));
        }
    }
    best_of_families(good, MAX_NEXT_SELECTORS)
}
