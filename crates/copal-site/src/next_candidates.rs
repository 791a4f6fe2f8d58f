//! The URLs at which a list may go on.
//!
//! In: a page with its list, or the answer of a data document, and the next URL that the server declares. Out: the
//! candidates, best first. [`follow`](crate::follow) decides which of them are tried.

use copal_dom::Page;
use copal_extract::paging::{self, NextKind, SURE};
use copal_extract::{Answer, Region};

/// The candidates for the next page, best first, and what the page says about its number.
#[derive(Default)]
pub(crate) struct NextLinks {
    pub(crate) likely: Vec<String>,
    pub(crate) uncertain: Vec<String>,
    /// The number of the page, and how many pages there are.
    pub(crate) pages: Option<(u64, u64)>,
    /// The page says that it is the last one.
    pub(crate) is_last: bool,
}

/// The next links of a page: first the one that the server declares, then those on the page.
pub(crate) fn page_next_links(page: &Page, list: Option<&Region>, declared: Option<String>) -> NextLinks {
    let continuation = paging::continuation(page, list);
    let (likely, uncertain): (Vec<_>, Vec<_>) =
        continuation.links.into_iter().partition(|link| link.score >= SURE);
    let uncertain = uncertain.into_iter().filter(|link| link.kind != NextKind::Url);
    NextLinks {
        likely: declared.into_iter().chain(likely.into_iter().map(|link| link.url)).collect(),
        uncertain: uncertain.map(|link| link.url).collect(),
        pages: continuation.pages.and_then(|(page, pages)| Some((page, pages?))),
        is_last: continuation.is_last,
    }
}

/// The next link of a data document: the one that the server declares, or else the one in the document.
pub(crate) fn data_next_links(declared: Option<String>, extraction: &Answer) -> NextLinks {
    let next = declared.or_else(|| extraction.page.next.clone());
    NextLinks { likely: next.into_iter().collect(), ..NextLinks::default() }
}
