//! Where a list continues, and how many records it has.
//!
//! In: a [`Page`] and its main list. Out: the links that may lead to the next page, best first
//! ([`next_links`]), the buttons that continue it by a script ([`next_buttons`]), the rule for the URLs of successive pages ([`learn_url_rule`]), and what the page says
//! about the number of records ([`page_info`]). Nothing is fetched here: only the caller who follows a link
//! can find out whether it was right. O(nodes).

mod announced_end;
mod class_signs;
mod counter;
#[cfg(test)]
mod counter_phrase_tests;
mod counter_phrases;
mod counter_tokens;
mod digits;
mod link_labels;
mod link_text;
mod link_urls;
mod link_words;
mod links;
mod list_extent;
mod next_buttons;
mod next_links;
mod page_nouns;
mod pager;
mod pager_record;
mod url_rule;

pub use next_buttons::next_buttons;
pub(crate) use pager_record::pagers_at_ends;
pub use url_rule::{UrlRule, learn_url_rule};

use copal_dom::{Node, Page};
use copal_model::{PageInfo, Parts, Region, Role};
use list_extent::ListExtent;
use next_links::ListCertainty;
use page_nouns::PageNouns;

/// The strongest evidence for a next link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NextKind {
    /// The page declares it with `rel=next`.
    Rel,
    /// Its text says "next", in words or with an arrow.
    Next,
    /// It has the number after that of this page.
    Numbered,
    /// Its text says "load more" or "show more".
    More,
    /// Its URL is that of this page with a number one step further.
    Url,
}

impl NextKind {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            NextKind::Rel => "rel",
            NextKind::Next => "next",
            NextKind::Numbered => "numbered",
            NextKind::More => "more",
            NextKind::Url => "url",
        }
    }
}

/// A link that may lead to the next page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NextLink {
    /// The URL as written in the page.
    pub href: String,
    /// The absolute URL if the page's own URL is known, otherwise the URL as written.
    pub url: String,
    /// The sum of the evidence for and against the link; links with [`SURE`] or more are probably right.
    pub score: f64,
    /// The strongest evidence for it.
    pub kind: NextKind,
    /// Its visible text.
    pub text: String,
}

/// The minimum score of a link that is accepted as the link to the next page.
pub const SURE: f64 = 4.25;

/// How the list of a page goes on, according to the page.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Continuation {
    /// The links that may lead to the next page, best first.
    pub links: Vec<NextLink>,
    /// The number of this page, and how many pages there are.
    pub pages: Option<(u64, Option<u64>)>,
    /// True if the page says that no page follows ("page 5 of 5"), and no link contradicts it.
    pub is_last: bool,
}

/// The links that may lead to the next page of a list, best first. They never lead to the page itself or to
/// another host. Links with a score below [`SURE`] are guesses, to be tried only if the list is known to
/// continue.
pub fn next_links(page: &Page, list: Option<&Region>) -> Vec<NextLink> {
    continuation(page, list).links
}

/// The links that may lead to the next page of a list, as [`next_links`] finds them, and whether there is
/// one.
pub fn continuation(page: &Page, list: Option<&Region>) -> Continuation {
    read(page, list).0
}

/// Title, language and URL of the page, its next link, and what it says about the pages of its main list.
pub fn page_info(page: &Page, list: Option<&Region>) -> PageInfo {
    let (continuation, counted) = read(page, list);
    let next = continuation.links.into_iter().next().filter(|link| link.score >= SURE);
    PageInfo {
        url: page.url.clone(),
        title: page.title(),
        lang: page.lang().map(str::to_owned),
        next: next.map(|link| link.url),
        has_stylesheet_styles: page.has_stylesheet_styles,
        ..counted
    }
}

/// The element in which the page announces how many records a list has, and the number.
pub fn counter_element(page: &Page, list: &Region) -> Option<(Node, u64)> {
    let mut counted = PageInfo::default();
    let extent = ListExtent::of(page, Some(list));
    let nouns = PageNouns::of(page, &extent);
    let element = counter::add(page, &extent, list.records.len(), Some(&nouns), &mut counted)?;
    Some((element, counted.counter?.total))
}

/// How many records a page says that it shows ("1-25 of 80", "25 results"), read as the counter of these
/// records.
pub(crate) fn shown_by_counter(page: &Page, records: &[Parts]) -> Option<u64> {
    let mut counted = PageInfo::default();
    // which records there are must not depend on a weak counter
    counter::add(page, &ListExtent::of_records(records), records.len(), None, &mut counted);
    let range = counted.range.map(|(first, last)| last - first + 1);
    range.or_else(|| counted.counter.filter(|counter| !counter.at_least).map(|counter| counter.total))
}

/// How the list continues, and its counters.
fn read(page: &Page, list: Option<&Region>) -> (Continuation, PageInfo) {
    let extent = ListExtent::of(page, list);
    let mut counted = PageInfo::default();
    if let Some(list) = list {
        counter::add(page, &extent, list.records.len(), Some(&PageNouns::of(page, &extent)), &mut counted);
    }
    let end = announced_end::announced_end(&counted);
    let certainty = match list.map(|list| list.role) {
        None => ListCertainty::NoList,
        Some(Role::Possible) => ListCertainty::Possible,
        Some(_) => ListCertainty::Sure,
    };
    let links = next_links::rank(page, certainty, &extent, end);
    let is_last = end.is_some() && links.first().is_none_or(|link| link.score < SURE);
    (Continuation { links, pages: counted.pages, is_last }, counted)
}
