//! Where a list goes on, and how much of it there is.
//!
//! In: a [`Page`] and its main list. Out: the links that may lead to the next page, best first ([`next_links`]), the rule
//! behind the addresses of successive pages ([`rule`]), and what the page says of the number of its records. Nothing is
//! fetched: whoever follows a link finds out whether it was right. O(nodes).

mod address;
mod counter;
mod counter_words;
mod links;
mod next;
mod numbered;
mod phrase;
mod place;
mod rule;
mod words;

pub use rule::{UrlRule, rule};

use copal_dom::Page;
use copal_model::{PageInfo, Region};
use place::Place;

/// What speaks for a link most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NextKind {
    /// The page declares it: `rel=next`.
    Rel,
    /// Its words or its arrow.
    Next,
    /// The number behind that of this page.
    Numbered,
    /// "Load more", "show more".
    More,
    /// Its address is that of this page with a number one step on.
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
    /// As written in the page.
    pub href: String,
    /// Absolute if the page's own address is known, else as written.
    pub url: String,
    /// The sum of what speaks for and against it; [`SURE`] or more is likely right.
    pub score: f64,
    /// What speaks for it most.
    pub kind: NextKind,
    /// Its visible text.
    pub text: String,
}

/// The score from which a link is taken for the next page.
pub const SURE: f64 = 4.25;

/// The links that may lead to the next page of a list, best first. Never the page itself, never another host. Those below
/// [`SURE`] are guesses: to be tried only if the list must go on.
pub fn next_links(page: &Page, list: Option<&Region>) -> Vec<NextLink> {
    next::rank(page, list.is_some(), &Place::of(list))
}

/// What is known of the page and of the pages of its main list.
pub fn page_info(page: &Page, list: Option<&Region>) -> PageInfo {
    let mut info = PageInfo {
        url: page.url.clone(),
        title: page.title(),
        lang: page.lang().map(str::to_owned),
        ..PageInfo::default()
    };
    let place = Place::of(list);
    let links = next::rank(page, list.is_some(), &place);
    info.next = links.into_iter().next().filter(|link| link.score >= SURE).map(|link| link.url);
    if let Some(list) = list {
        counter::add(page, &place, list.records.len(), &mut info);
    }
    info
}
