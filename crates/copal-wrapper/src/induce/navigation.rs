//! Learning how the pages of a list are reached.
//!
//! In: a page and its list. Out: a [`Navigation`] with the page's URL and with selectors of the next link, if
//! there is one that is certain, and of the counter. O(elements).

use super::candidates::{best_of_families, selector_candidates};
use crate::format::Navigation;
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use copal_dom::{Node, Page, attrs};
use copal_extract::Region;
use copal_extract::paging::{SURE, counter_element, next_links};
use std::collections::HashSet;

/// Maximum number of selectors of the next link.
const MAX_NEXT_SELECTORS: usize = 3;
/// Maximum number of selectors of the counter.
const MAX_COUNTER_SELECTORS: usize = 2;
/// Maximum number of links to the next page that give candidates.
const MAX_LINKS_TRIED: usize = 3;

/// What a list page says about its site. None if neither its URL nor a next link is known.
pub(super) fn learn_navigation(page: &Page, list: &Region) -> Option<Navigation> {
    let (next, counter) = (next_selectors(page, list), counter_selectors(page, list));
    (page.url.is_some() || !next.is_empty() || !counter.is_empty()).then(|| Navigation {
        open: page.url.clone(),
        lists: Vec::new(),
        searches: Vec::new(),
        routes: Vec::new(),
        steps: Vec::new(),
        next,
        counter,
    })
}

/// Selectors of an element of a page, the most durable first: the first match of each is the element.
pub fn element_selectors(page: &Page, element: Node, at_most: usize) -> Vec<String> {
    good_selectors(page, &[element], |node| node == element, at_most)
}

fn counter_selectors(page: &Page, list: &Region) -> Vec<String> {
    let Some((element, _)) = counter_element(page, list) else { return Vec::new() };
    good_selectors(page, &[element], |node| node == element, MAX_COUNTER_SELECTORS)
}

fn next_selectors(page: &Page, list: &Region) -> Vec<String> {
    let Some(link) = next_links(page, Some(list)).into_iter().find(|link| link.score >= SURE) else {
        return Vec::new();
    };
    let Ok(links) = Css::parse("a, link") else { return Vec::new() };
    let leads_there = |node: Node| page.tree.attr(node, attrs::HREF) == Some(link.href.as_str());
    let there: Vec<Node> =
        links.select(&ElementIndex::new(&page.tree)).into_iter().filter(|&node| leads_there(node)).collect();
    good_selectors(page, &there[..there.len().min(MAX_LINKS_TRIED)], leads_there, MAX_NEXT_SELECTORS)
}

/// The best selectors of these elements: their first match, which is what counts on a page, is right.
fn good_selectors(
    page: &Page,
    elements: &[Node],
    is_right: impl Fn(Node) -> bool,
    at_most: usize,
) -> Vec<String> {
    let index = ElementIndex::new(&page.tree);
    let mut good = Vec::new();
    // several links to one page, above and below a list, give the same selectors
    let mut tried = HashSet::new();
    for candidate in elements.iter().flat_map(|&node| selector_candidates(&page.tree, 0, node)) {
        if !tried.insert(candidate.css.clone()) {
            continue;
        }
        let Ok(css) = Css::parse(&candidate.css) else { continue };
        if css.select(&index).first().is_some_and(|&node| is_right(node)) {
            good.push((candidate.family, candidate.score, candidate.css));
        }
    }
    best_of_families(good, at_most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;
    use copal_extract::Request;

    #[test]
    fn the_counter_is_learned_with_the_next_link() {
        let items: String = (1..=6)
            .map(|n| {
                format!("<li><h3><a href='/{n}'>Kettle {n}</a></h3><p>Made by hand in workshop {n}</p></li>")
            })
            .collect();
        let html = format!(
            "<link rel=next href='?page=2'><h1>Kettles</h1><p class=shown><b>1-6</b> of <b>23</b> kettles</p><ul>{items}</ul>\
             <a rel=next href='?page=2'>Next</a><footer><p>Since 1999</p></footer>"
        );
        let page = Page::from_text(&html, &Limits::default());
        let answer = copal_extract::extract(&page, &Request::default());
        let navigation = learn_navigation(&page, answer.primary().unwrap()).unwrap();
        assert!(!navigation.next.is_empty());
        let distinct: HashSet<&String> = navigation.next.iter().collect();
        assert_eq!(distinct.len(), navigation.next.len(), "{:?}", navigation.next);
        let found = Css::parse(&navigation.counter[0]).unwrap().select(&ElementIndex::new(&page.tree));
        assert_eq!(page.tree.attr(found[0], attrs::CLASS), Some("shown"), "{:?}", navigation.counter);
    }
}
