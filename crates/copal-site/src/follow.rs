//! Follows a list over all its pages.
//!
//! The first page and its answer go in. The answer comes out with the records of all pages, the URLs of these
//! pages and the reason why following stopped. A next link counts only if its page has a similar list. The
//! candidates, best first:
//!
//! 1. next links that are likely right,
//! 2. without one of those, the best uncertain link ("more") whose URL differs from the page's only in the
//!    query,
//! 3. if records or pages are missing ("page 3 of 5"): the URL that continues the pattern of the URLs so far,
//!    and other uncertain links.
//!
//! A page that says it is the last one ends the list, unless it has a link that is likely right. No page is
//! fetched twice. A second page in a row without new records ends the list. Cost: one request per page.
//!
//! If a browser shows the page, its following pages are shown there too. Where no URL goes on, buttons that
//! continue the list are pressed and the page is scrolled, as long as that brings new records; each counts as
//! a page.

use std::collections::HashSet;

use copal_dom::{Page, Warning};
use copal_extract::multipage::{AddedRecords, MultiPageList};
use copal_extract::paging;
use copal_extract::{Answer, Counter, Document, FollowReport};
use copal_fetch::PageRequest;
use url::Url;

use crate::error::{SiteError, catch_panic};
use crate::next_candidates::{NextLinks, data_next_links, page_next_links};
use crate::page_opener::{OpenedDocument, PageOpener};
use crate::progress::{PageSink, VisitProgress};
use crate::rendering::OpenTab;
use crate::replaying::{ReplayStep, Replaying};
use crate::stop_reason::StopReason;

/// Uncertain links that are tried per page if records are missing.
const MAX_UNCERTAIN_LINKS: usize = 3;
/// Pages in a row without new records that are tolerated.
const MAX_PAGES_WITHOUT_NEW_RECORDS: usize = 1;
/// Pages that must be known before the pattern of their URLs is continued.
const MIN_PAGES_FOR_URL_PATTERN: usize = 3;

/// The first page of a list.
pub(crate) struct FirstPage {
    /// `None` for a data document.
    pub(crate) page: Option<Box<Page>>,
    pub(crate) url: String,
    /// The URL of the next page that the server declares.
    pub(crate) declared_next: Option<String>,
    /// The page in the browser, if one shows it. Its following pages are shown there too.
    pub(crate) tab: Option<OpenTab>,
}

/// Follows the main list of a page.
pub(crate) async fn follow(
    opener: &PageOpener,
    first_page: FirstPage,
    mut extraction: Answer,
    on_progress: &(impl Fn(&VisitProgress) + Sync),
    on_page: Option<PageSink<'_>>,
) -> Answer {
    let request = &opener.options.request;
    let FirstPage { page, url, declared_next, mut tab } = first_page;
    let mut replaying = Replaying::default();
    if let (Some(tab), Some(page)) = (&mut tab, &page) {
        tab.note_list(page, extraction.primary());
        replaying.note_page(page, extraction.primary(), tab);
    }
    let mut state = FollowState { tab, replaying, ..FollowState::new(&url, extraction.page.counter.clone()) };
    let series = match page {
        Some(page) => {
            state.next_links = page_next_links(&page, extraction.primary(), declared_next);
            state.first_page_number = state.next_links.pages.map_or(1, |(page, _)| page);
            tokio::task::block_in_place(|| MultiPageList::begin(*page, &extraction, request))
        }
        None => {
            state.next_links = data_next_links(declared_next, &extraction);
            extraction.primary().map(|list| MultiPageList::begin_data(list, &url, request))
        }
    };
    let Some(mut series) = series else { return extraction };
    // A counter that announces no more than the first page shows, although there is a next link, counts
    // something else.
    let first_records = series.records() as u64;
    if !state.next_links.likely.is_empty()
        && state.counter.as_ref().is_some_and(|counter| counter.total <= first_records)
    {
        state.counter = None;
    }
    let mut reason = loop {
        on_progress(&state.progress(series.records()));
        if state.is_complete(series.records()) {
            break StopReason::CounterReached;
        }
        if state.pages.len() >= opener.options.max_pages {
            break StopReason::PageLimit;
        }
        if let Err(reason) = add_next_page(opener, &mut state, &mut series).await {
            break reason;
        }
        if let Some(on_page) = on_page {
            tokio::task::block_in_place(|| {
                if let Ok(Some(list)) = catch_panic(&url, || series.last_records()) {
                    on_page(Answer {
                        regions: vec![list],
                        page: extraction.page.clone(),
                        ..Answer::default()
                    });
                }
            });
        }
    };
    if matches!(reason, StopReason::NoNextLink | StopReason::LastPage) && state.is_complete(series.records())
    {
        reason = StopReason::CounterReached;
    }
    let records = series.records() as u64;
    let list = tokio::task::block_in_place(|| series.finish());
    if let Some(primary) = extraction.regions.iter_mut().find(|region| region.role.is_main()) {
        *primary = list;
    }
    let is_whole = reason.is_complete()
        && state.warnings.is_empty()
        && state.counter.as_ref().is_none_or(|counter| records >= counter.total)
        && (reason == StopReason::CounterReached || state.missing_pages().is_none());
    extraction.warnings.append(&mut state.warnings);
    extraction.followed = Some(FollowReport {
        pages: state.pages,
        replayed: state.replaying.pages,
        repeated: state.repeated,
        cut: matches!(reason, StopReason::Failed(_) | StopReason::Interrupted),
        stopped: reason.to_string(),
        whole: is_whole,
    });
    extraction
}

/// What is known while a list is followed.
struct FollowState {
    /// URLs of the pages so far.
    pages: Vec<String>,
    /// URLs that were requested or redirected to, as keys.
    visited: HashSet<String>,
    next_links: NextLinks,
    /// The number of the first page, which need not be 1.
    first_page_number: u64,
    counter: Option<Counter>,
    /// Records that were on more than one page.
    repeated: usize,
    /// Pages in a row without new records.
    pages_without_new_records: usize,
    /// Why following pages are not complete.
    warnings: Vec<Warning>,
    /// The last page in the browser, if one shows it.
    tab: Option<OpenTab>,
    /// How the list goes on without the browser, if that is known.
    replaying: Replaying,
}

impl FollowState {
    fn new(url: &str, counter: Option<Counter>) -> FollowState {
        FollowState {
            pages: vec![url.to_owned()],
            visited: HashSet::from([visited_key(url)]),
            next_links: NextLinks::default(),
            first_page_number: 1,
            counter,
            repeated: 0,
            pages_without_new_records: 0,
            warnings: Vec::new(),
            tab: None,
            replaying: Replaying::default(),
        }
    }

    /// Keeps the warnings about a following page that make the list partial. One that is not about a single
    /// page, such as a limit, is kept once.
    fn add_warnings(&mut self, opened: &OpenedDocument) {
        for warning in opened.partial_warnings() {
            let warning = match warning {
                Warning::Incomplete { why, .. } => {
                    Warning::Incomplete { what: opened.url.clone(), why: why.clone() }
                }
                other => other.clone(),
            };
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    fn progress(&self, records: usize) -> VisitProgress {
        VisitProgress {
            url: self.pages.last().cloned().unwrap_or_default(),
            pages: self.pages.len(),
            records,
            announced: self.counter.clone(),
            details: None,
        }
    }

    /// True if there are as many records as the first page announces, from more than that page.
    fn is_complete(&self, records: usize) -> bool {
        let reached = |counter: &Counter| !counter.at_least && records as u64 >= counter.total;
        self.pages.len() > 1 && self.counter.as_ref().is_some_and(reached)
    }

    /// Pages in a row without new records that are tolerated.
    fn tolerated_pages(&self) -> usize {
        MAX_PAGES_WITHOUT_NEW_RECORDS + self.replaying.pages
    }

    fn lacks_records(&self, records: usize) -> bool {
        self.counter.as_ref().is_some_and(|counter| (records as u64) < counter.total)
    }

    /// The number of the last page and the number of all pages, if more pages are announced. A number that
    /// is not that of the page belongs to something else.
    fn missing_pages(&self) -> Option<(u64, u64)> {
        let number = self.first_page_number + self.pages.len() as u64 - 1;
        self.next_links.pages.filter(|&(page, pages)| page == number && page < pages)
    }

    /// Why there is no page to try.
    fn no_candidate(&self) -> StopReason {
        match self.missing_pages() {
            Some((page, pages)) => StopReason::MissingPages { page, pages },
            None if self.next_links.is_last => StopReason::LastPage,
            None => StopReason::NoNextLink,
        }
    }

    /// True if the URL differs from that of the last page only in the query.
    fn has_path_of_last_page(&self, url: &str) -> bool {
        let without_query = |url: &str| url.split(['?', '#']).next().map(str::to_owned);
        self.pages.last().is_some_and(|last| without_query(last) == without_query(url))
    }

    /// The URLs to try, best first.
    fn candidate_urls(&self, records: usize) -> Vec<String> {
        let NextLinks { likely, uncertain, is_last, .. } = &self.next_links;
        let mut urls = likely.clone();
        if *is_last {
            return urls;
        }
        if urls.is_empty() {
            urls.extend(uncertain.iter().find(|url| self.has_path_of_last_page(url)).cloned());
        }
        if self.lacks_records(records) || self.missing_pages().is_some() {
            let pages: Vec<&str> = self.pages.iter().map(String::as_str).collect();
            let pattern =
                (pages.len() >= MIN_PAGES_FOR_URL_PATTERN).then(|| paging::learn_url_rule(&pages)).flatten();
            urls.extend(pattern.and_then(|pattern| pattern.nth(pages.len() as u64)));
            urls.extend(uncertain.iter().take(MAX_UNCERTAIN_LINKS).cloned());
        }
        urls
    }
}

/// Adds the next page to the series. The error is the reason why there is none.
async fn add_next_page(
    opener: &PageOpener,
    state: &mut FollowState,
    series: &mut MultiPageList,
) -> Result<(), StopReason> {
    match state.replaying.add_next(opener, series).await {
        ReplayStep::Added { url, repeated } => {
            state.repeated += repeated;
            state.pages.push(url);
            return Ok(());
        }
        ReplayStep::Ended(reason) => return Err(reason),
        ReplayStep::NotReplayed => {}
    }
    let candidates = state.candidate_urls(series.records());
    let mut reason = if candidates.is_empty() { state.no_candidate() } else { StopReason::Loop };
    for url in candidates {
        if !state.visited.insert(visited_key(&url)) {
            continue;
        }
        let mut opened = match open_next(opener, state, &url).await.ok_or(StopReason::Interrupted)? {
            Ok(opened) => opened,
            Err(error) => {
                reason = StopReason::Failed(error.to_string());
                continue;
            }
        };
        let final_key = visited_key(&opened.url);
        if final_key != visited_key(&url) && !state.visited.insert(final_key) {
            reason = StopReason::Loop;
            continue;
        }
        let add = || tokio::task::block_in_place(|| add_document(series, &opened));
        match catch_panic(&opened.url, add) {
            Err(error) => reason = StopReason::Failed(error.to_string()),
            Ok(None) => reason = StopReason::OtherPage(opened.url),
            Ok(Some((added, _)))
                if added.new == 0 && state.pages_without_new_records >= state.tolerated_pages() =>
            {
                reason = StopReason::NoNewRecords;
            }
            Ok(Some((added, next_links))) => {
                state.pages_without_new_records =
                    if added.new == 0 { state.pages_without_new_records + 1 } else { 0 };
                if added.new == 0 && next_links.likely.is_empty() {
                    reason = StopReason::NoNewRecords;
                    continue;
                }
                state.repeated += added.repeated;
                state.add_warnings(&opened);
                if let (Some(mut tab), Document::Page(page)) = (opened.tab.take(), &opened.document) {
                    tab.note_list(page, series.last());
                    state.replaying.note_page(page, series.last(), &tab);
                    state.tab = Some(tab);
                }
                state.pages.push(opened.url);
                state.next_links = next_links;
                return Ok(());
            }
        }
    }
    continue_in_browser(state, series, reason)
}

/// Opens a following page the way the first one was opened.
async fn open_next(
    opener: &PageOpener,
    state: &FollowState,
    url: &str,
) -> Option<Result<OpenedDocument, SiteError>> {
    match &opener.options.rendering {
        Some(rendering) if state.tab.is_some() => {
            let opened = opener.open_in_browser(rendering, url, None);
            (opened.is_ok() || !opener.stopper.is_stopped()).then_some(opened)
        }
        _ => opener.open_unless_stopped(&PageRequest::get(url)).await,
    }
}

/// Scrolls the page in the browser or presses a button, if there is one. Otherwise following ends for `reason`.
fn continue_in_browser(
    state: &mut FollowState,
    series: &mut MultiPageList,
    reason: StopReason,
) -> Result<(), StopReason> {
    let Some(mut tab) = state.tab.take() else { return Err(reason) };
    let last = state.pages.last().cloned().unwrap_or_default();
    tab.note_known_pages(state.replaying.take_known_pages());
    let advance = || tokio::task::block_in_place(|| tab.advance(series));
    let page = match catch_panic(&last, advance).flatten() {
        Ok(Some(page)) => page,
        Ok(None) => return Err(reason),
        Err(error) => return Err(StopReason::Failed(error.to_string())),
    };
    state.pages_without_new_records = 0;
    state.next_links = page_next_links(&page, series.last(), None);
    state.replaying.note_page(&page, series.last(), &tab);
    state.pages.push(page.url.unwrap_or(last));
    state.tab = Some(tab);
    Ok(())
}

/// Adds the records of a document and returns its next links. `None` if it has no similar list.
fn add_document(series: &mut MultiPageList, opened: &OpenedDocument) -> Option<(AddedRecords, NextLinks)> {
    match &opened.document {
        Document::Page(page) => {
            let added = series.add(page)?;
            Some((added, page_next_links(page, series.last(), opened.next.clone())))
        }
        Document::Data(extraction) => {
            let added = series.add_data(extraction.primary()?.clone(), &opened.url);
            Some((added, data_next_links(opened.next.clone(), extraction)))
        }
    }
}

/// The key of a URL in the set of visited pages: the URL without its fragment.
fn visited_key(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut url) => {
            url.set_fragment(None);
            url.into()
        }
        Err(_) => url.to_owned(),
    }
}
