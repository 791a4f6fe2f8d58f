//! The list that the user chose, instead of the main one.
//!
//! In: the lists of a page, best first, and a [`ListChoice`]. Out: the chosen list as the main list, or a
//! summary of all lists if there is no such list. A selector can also choose a list that no method proposed:
//! the selected elements become its records. Linear in the texts of the records.

use crate::lists::candidate::{ListCandidate, RankedLists, one_part};
use crate::lists::{ListOptions, combined};
use crate::located;
use crate::request::{ElementSelector, ListChoice, Request};
use copal_dom::{Node, Page, push_collapsed};
use copal_model::{ListSummary, Parts, Region, Role};

/// Maximum number of elements that a selector may select as records.
const MAX_SELECTED_RECORDS: usize = 20_000;
/// Maximum number of characters of the text that a summary shows.
const MAX_SUMMARY_CHARS: usize = 60;
/// Maximum number of lists that are described although none of them is missing.
const MAX_SUMMARIES: usize = 20;

/// Chooses among the lists of a data document. A selector matches none of them: data has no elements.
pub(crate) fn choose(lists: &mut Vec<Region>, choice: &ListChoice) -> Vec<ListSummary> {
    let at = match choice {
        ListChoice::Rank(rank) => rank.checked_sub(1).filter(|at| *at < lists.len()),
        ListChoice::Near(text) => nearest(lists, text),
        ListChoice::Select(_) => None,
    };
    keep(lists, at)
}

/// Chooses among the lists of a page. `lists` has all of them, menus too, in the order of their ranks.
pub(crate) fn choose_on_page(
    page: &Page,
    lists: &mut Vec<Region>,
    choice: &ListChoice,
    request: &Request,
) -> Vec<ListSummary> {
    let is_counted = |list: &Region| list.role != Role::Navigation || request.navigation;
    let at = match choice {
        ListChoice::Rank(rank) => {
            let mut counted = (0..lists.len()).filter(|&at| is_counted(&lists[at]));
            rank.checked_sub(1).and_then(|rank| counted.nth(rank))
        }
        ListChoice::Near(text) => nearest(lists, text).or_else(|| {
            let proposed = unranked_near(page, &request.lists, text)?;
            lists.push(proposed);
            Some(lists.len() - 1)
        }),
        ListChoice::Select(selector) => selected(page, lists, &**selector, &request.lists),
    };
    if at.is_none() {
        lists.retain(is_counted);
    }
    keep(lists, at)
}

/// Keeps the chosen list. Without one, keeps none and describes all.
fn keep(lists: &mut Vec<Region>, at: Option<usize>) -> Vec<ListSummary> {
    let Some(at) = at else {
        let summaries = lists.iter().enumerate().map(|(at, list)| summary(at + 1, list)).collect();
        lists.clear();
        return summaries;
    };
    let mut chosen = lists.swap_remove(at);
    chosen.role = Role::Primary;
    *lists = vec![chosen];
    Vec::new()
}

fn summary(rank: usize, list: &Region) -> ListSummary {
    let first = list.records.iter().map(|record| record.text.trim()).find(|text| !text.is_empty());
    let first_text = shortened(first.unwrap_or_default());
    ListSummary { rank, role: list.role, records: list.records.len(), first_text }
}

/// The lists of a page that could be chosen by their rank, from what the ranking knows. `before` lists, of embedded
/// data, rank above them.
pub(crate) fn summaries(page: &Page, ranked: &RankedLists, before: usize) -> Vec<ListSummary> {
    let first_text = |candidate: &ListCandidate| {
        let mut text = String::new();
        for part in candidate.records.first().into_iter().flatten() {
            push_collapsed(&mut text, &page.visible_text(part.clone()));
        }
        shortened(text.trim())
    };
    let counted = (0..ranked.regions.len()).filter(|&at| ranked.role(at) != Role::Navigation);
    let one = |(rank, at): (usize, usize)| {
        let candidate = &ranked.regions[at];
        let records = candidate.records.len();
        ListSummary {
            rank: before + rank + 1,
            role: ranked.role(at),
            records,
            first_text: first_text(candidate),
        }
    };
    counted.enumerate().take(MAX_SUMMARIES).map(one).collect()
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_SUMMARY_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Text for comparison: white space collapsed, lower case.
fn folded(text: &str) -> String {
    let mut collapsed = String::new();
    push_collapsed(&mut collapsed, text);
    collapsed.to_lowercase()
}

/// The list that has the shortest record with a text. If there are several, the one with the best rank.
fn nearest(lists: &[Region], text: &str) -> Option<usize> {
    let wanted = folded(text);
    let shortest = |list: &Region| {
        let texts = list.records.iter().map(|record| folded(&record.text));
        texts.filter(|text| text.contains(&wanted)).map(|text| text.len()).min()
    };
    let found = lists.iter().enumerate().filter_map(|(at, list)| Some((shortest(list)?, at)));
    found.min().map(|(_, at)| at)
}

/// A list with a text among those that the ranking left out, because they overlap with better ones.
fn unranked_near(page: &Page, options: &ListOptions, text: &str) -> Option<Region> {
    let wanted = folded(text);
    let shortest = |records: &[Parts]| {
        let texts = records.iter().map(|parts| {
            let mut text = String::new();
            for part in parts {
                push_collapsed(&mut text, &page.visible_text(part.clone()));
            }
            text.to_lowercase()
        });
        texts.filter(|text| text.contains(&wanted)).map(|text| text.len()).min()
    };
    let found = combined::all_candidates(page, options).into_iter();
    let found = found.filter_map(|records| Some((shortest(&records)?, records)));
    let (_, records) = found.min_by_key(|(length, _)| *length)?;
    let mut list = located::aligned(page, records);
    list.method = options.method;
    Some(list)
}

/// The position of the list that a selector means. A list that is not among `lists` is added to them.
fn selected(
    page: &Page,
    lists: &mut Vec<Region>,
    selector: &dyn ElementSelector,
    options: &ListOptions,
) -> Option<usize> {
    let elements = outermost(page, selector.select_in(page, &[0]).into_iter().next()?);
    let records = match elements.as_slice() {
        [] => return None,
        [container] => {
            let inside = |records: &mut dyn Iterator<Item = &Parts>| {
                let mut parts = records.flatten();
                parts.all(|part| *container <= part.start && part.end <= page.tree.end(*container))
            };
            let is_inside = |list: &Region| {
                !list.records.is_empty() && inside(&mut list.records.iter().map(|record| &record.place.parts))
            };
            if let Some(at) = lists.iter().position(is_inside) {
                return Some(at);
            }
            let mut proposed = combined::all_candidates(page, options).into_iter();
            let proposed = proposed.find(|records| inside(&mut records.iter()));
            proposed.or_else(|| children_as_records(page, *container))?
        }
        several => several.iter().map(|&node| one_part(node..page.tree.end(node))).collect(),
    };
    let mut list = located::aligned(page, records);
    list.method = options.method;
    lists.push(list);
    Some(lists.len() - 1)
}

/// The elements that are shown and are not inside another one of them.
fn outermost(page: &Page, elements: Vec<Node>) -> Vec<Node> {
    let mut end = 0;
    let is_outer = |node: &Node| {
        let outer = *node >= end && page.styles.is_shown(*node);
        if outer {
            end = page.tree.end(*node);
        }
        outer
    };
    elements.into_iter().filter(is_outer).take(MAX_SELECTED_RECORDS).collect()
}

/// The children of an element as records. An element with a single child is replaced by its first descendant
/// with several children.
fn children_as_records(page: &Page, container: Node) -> Option<Vec<Parts>> {
    let mut element = container;
    loop {
        let children: Vec<Node> =
            page.tree.elements(element).filter(|&child| page.styles.is_shown(child)).collect();
        match children.as_slice() {
            [] => return None,
            [only] => element = *only,
            several => {
                return Some(several.iter().map(|&node| one_part(node..page.tree.end(node))).collect());
            }
        }
    }
}
