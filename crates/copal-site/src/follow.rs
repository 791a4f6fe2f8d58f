//! A list over all its pages.
//!
//! In: the first page and its answer. Out: the answer with the records of all pages, which pages these were and why it ended.
//! A link to a next page is a guess until the page behind it has been read: it must have a list of the same look, and records
//! that are new. Where a page has no sure link, one that says so little as "more" is tried if its address differs from the
//! page's in the query alone; where the counter says that records are missing, the rule behind the addresses so far and other
//! links that are less sure. Nothing is asked twice, and two pages without anything new end it.

use crate::open::{self, OpenError, Opened};
use crate::stop::Stop;
use crate::visitor::Visitor;
use copal::multipage::{Added, Series};
use copal::paging::{self, NextKind, SURE};
use copal::{Answer, Counter, Document, FollowReport, Page, Region, Role};
use std::collections::HashSet;
use url::Url;

/// Links that are not sure, tried on one page if records are missing.
const GUESSES: usize = 3;
/// Pages in a row that may bring nothing new.
const FRUITLESS: usize = 1;

/// How far it is.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Progress {
    /// The page that was read last.
    pub url: String,
    /// Pages so far.
    pub pages: usize,
    /// Records so far.
    pub records: usize,
    /// Records that the first page says there are.
    pub of: Option<Counter>,
    /// Pages of records so far, and how many there will be.
    pub details: Option<(usize, usize)>,
}

/// The first page.
pub(crate) struct Start {
    /// None if it is data.
    pub(crate) page: Option<Box<Page>>,
    pub(crate) url: String,
    /// The address of the next page as the server states it.
    pub(crate) next: Option<String>,
}

/// Follows the main list of a page.
pub(crate) async fn follow(
    visitor: &Visitor,
    start: Start,
    mut extraction: Answer,
    progress: &(impl Fn(&Progress) + Sync),
) -> Result<Answer, OpenError> {
    let extract = &visitor.options().extract.extract;
    let Start { page, url, next } = start;
    let mut way = Way::new(&url, extraction.page.counter.clone());
    let series = match page {
        Some(page) => {
            way.links = links(&page, extraction.primary(), next);
            tokio::task::block_in_place(|| Series::begin(*page, &extraction, extract))
        }
        None => {
            way.links = data_links(next, &extraction);
            extraction.primary().map(|list| Series::begin_data(list, &url, extract))
        }
    };
    let Some(mut series) = series else { return Ok(extraction) };
    let first = series.records();
    // a counter that says no more than the first page shows, while there is a link to go on, counts something else
    if !way.links.sure.is_empty() && way.counter.as_ref().is_some_and(|counter| counter.total <= first as u64)
    {
        way.counter = None;
    }
    let stop = loop {
        progress(&way.progress(series.records()));
        if way.is_complete(series.records()) {
            break Stop::Counter;
        }
        if way.pages.len() >= visitor.options().pages {
            break Stop::Limit;
        }
        match next_page(visitor, &mut way, &mut series).await {
            Ok(()) => {}
            Err(stop) => break stop,
        }
    };
    let stop =
        if matches!(stop, Stop::NoNext) && way.is_complete(series.records()) { Stop::Counter } else { stop };
    let records = series.records() as u64;
    let list = tokio::task::block_in_place(|| series.finish());
    if let Some(primary) = extraction.regions.iter_mut().find(|region| region.role == Role::Primary) {
        *primary = list;
    }
    let mut followed = FollowReport::default();
    followed.pages = way.pages;
    followed.repeated = way.repeated;
    followed.cut = matches!(stop, Stop::Failed(_) | Stop::Interrupted);
    followed.stopped = stop.to_string();
    followed.whole = stop.is_whole() && way.counter.as_ref().is_none_or(|counter| records >= counter.total);
    extraction.followed = Some(followed);
    Ok(extraction)
}

/// What is known on the way.
struct Way {
    pages: Vec<String>,
    /// Addresses that were asked, without fragments.
    visited: HashSet<String>,
    links: Links,
    counter: Option<Counter>,
    repeated: usize,
    /// Pages in a row that brought nothing new.
    fruitless: usize,
}

/// Where a page may go on.
#[derive(Default)]
struct Links {
    sure: Vec<String>,
    guesses: Vec<String>,
}

impl Way {
    fn new(url: &str, counter: Option<Counter>) -> Way {
        Way {
            pages: vec![url.to_owned()],
            visited: HashSet::from([plain(url)]),
            links: Links::default(),
            counter,
            repeated: 0,
            fruitless: 0,
        }
    }

    fn progress(&self, records: usize) -> Progress {
        Progress {
            url: self.pages.last().cloned().unwrap_or_default(),
            pages: self.pages.len(),
            records,
            of: self.counter.clone(),
            details: None,
        }
    }

    /// As many records as the first page says, on more than that page.
    fn is_complete(&self, records: usize) -> bool {
        let all = |counter: &Counter| !counter.at_least && records as u64 >= counter.total;
        self.pages.len() > 1 && self.counter.as_ref().is_some_and(all)
    }

    fn lacks_records(&self, records: usize) -> bool {
        self.counter.as_ref().is_some_and(|counter| (records as u64) < counter.total)
    }

    /// The address differs from the last page's in the query alone.
    fn is_beside(&self, url: &str) -> bool {
        let path = |url: &str| url.split(['?', '#']).next().map(str::to_owned);
        self.pages.last().is_some_and(|last| path(last) == path(url))
    }

    /// Addresses to try, best first.
    fn candidates(&self, records: usize) -> Vec<String> {
        let mut all = self.links.sure.clone();
        if all.is_empty() {
            all.extend(self.links.guesses.iter().filter(|url| self.is_beside(url)).take(1).cloned());
        }
        if self.lacks_records(records) {
            let known: Vec<&str> = self.pages.iter().map(String::as_str).collect();
            let ruled = (known.len() >= 3).then(|| paging::rule(&known)).flatten();
            all.extend(ruled.and_then(|rule| rule.nth(known.len() as u64)));
            all.extend(self.links.guesses.iter().take(GUESSES).cloned());
        }
        all
    }
}

/// Reads the next page into the series; the error says why there is none.
async fn next_page(visitor: &Visitor, way: &mut Way, series: &mut Series) -> Result<(), Stop> {
    let candidates = way.candidates(series.records());
    let mut why = if candidates.is_empty() { Stop::NoNext } else { Stop::Loop };
    for url in candidates {
        if !way.visited.insert(plain(&url)) {
            continue;
        }
        let opened = visitor.stopping().unless_stopped(visitor.open(&url)).await.ok_or(Stop::Interrupted)?;
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                why = Stop::Failed(error.to_string());
                continue;
            }
        };
        let landed = plain(&opened.url);
        if landed != plain(&url) && !way.visited.insert(landed) {
            why = Stop::Loop;
            continue;
        }
        let read = open::guarded(&opened.url, || tokio::task::block_in_place(|| add(series, &opened)));
        match read {
            Err(error) => why = Stop::Failed(error.to_string()),
            Ok(None) => why = Stop::OtherPage(opened.url),
            Ok(Some((added, _))) if added.new == 0 && way.fruitless >= FRUITLESS => why = Stop::NothingNew,
            Ok(Some((added, links))) => {
                way.fruitless = if added.new == 0 { way.fruitless + 1 } else { 0 };
                if added.new == 0 && links.sure.is_empty() {
                    why = Stop::NothingNew;
                    continue;
                }
                way.repeated += added.repeated;
                way.pages.push(opened.url);
                way.links = links;
                return Ok(());
            }
        }
    }
    Err(why)
}

/// What a document adds, and where it goes on.
fn add(series: &mut Series, opened: &Opened) -> Option<(Added, Links)> {
    match &opened.document {
        Document::Page(page) => {
            let added = series.add(page)?;
            Some((added, links(page, series.last(), opened.next.clone())))
        }
        Document::Data(extraction) => {
            let added = series.add_data(extraction.primary()?.clone(), &opened.url);
            Some((added, data_links(opened.next.clone(), extraction)))
        }
    }
}

/// Where a page may go on: what the server states, then what the page shows.
fn links(page: &Page, list: Option<&Region>, stated: Option<String>) -> Links {
    let (sure, guesses): (Vec<_>, Vec<_>) =
        paging::next_links(page, list).into_iter().partition(|link| link.score >= SURE);
    let guesses = guesses.into_iter().filter(|link| link.kind != NextKind::Url).collect();
    let addresses = |links: Vec<paging::NextLink>| links.into_iter().map(|link| link.url);
    Links { sure: stated.into_iter().chain(addresses(sure)).collect(), guesses: addresses(guesses).collect() }
}

/// Where data goes on: what the server states, then what the document says.
fn data_links(stated: Option<String>, extraction: &Answer) -> Links {
    let said = extraction.page.next.clone().filter(|_| stated.is_none());
    Links { sure: stated.into_iter().chain(said).collect(), guesses: Vec::new() }
}

/// An address without its fragment.
fn plain(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut url) => {
            url.set_fragment(None);
            url.into()
        }
        Err(_) => url.to_owned(),
    }
}
