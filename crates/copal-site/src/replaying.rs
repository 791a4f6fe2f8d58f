//! Reads the following pages of a list from the JSON that the page's script loads, where that gives what the
//! browser shows.
//!
//! In: the pages that the browser showed. After two of them, `replay` may know how the script asks for the next part
//! and what it makes of it. The last request is then sent again: only if its response gives the records that the
//! browser showed, following requests are sent, one page each. If something unknown comes, the browser goes on.

use std::collections::HashSet;

use copal_dom::Page;
use copal_extract::Region;
use copal_extract::multipage::{AddedRecords, MultiPageList};
use copal_fetch::{FetchError, ObservedResponse};
use url::Url;

use crate::error::catch_panic;
use crate::page_opener::PageOpener;
use crate::rendering::OpenTab;
use crate::replay::{ReplayPlan, ReplayedPage, SeenPage};
use crate::stop_reason::StopReason;

/// Responses of a page that are searched for its list, the latest ones.
const MAX_SEARCHED_RESPONSES: usize = 30;
/// How often a plan is looked for, or fails, before the browser reads the rest of the list.
const MAX_FAILURES: usize = 2;

/// What the next step of a list was.
pub(crate) enum ReplayStep {
    /// A page was added; its data has this URL.
    Added { url: String, repeated: usize },
    /// The list ends.
    Ended(StopReason),
    /// The browser has to go on.
    NotReplayed,
}

/// How a list is replayed, as far as that is known.
#[derive(Default)]
pub(crate) struct Replaying {
    /// The last two pages that the browser showed, with the response that carries each.
    seen: Vec<(SeenPage, Option<ObservedResponse>)>,
    plan: Option<(ReplayPlan, ObservedResponse)>,
    /// A page was shown since a plan was looked for.
    is_new: bool,
    failures: usize,
    visited: HashSet<String>,
    /// Pages that were replayed.
    pub(crate) pages: usize,
    /// Pages that the browser has to show again after something unknown came.
    known_pages: usize,
}

impl Replaying {
    /// Remembers a page that the browser shows, and what its script has loaded since the last one.
    pub(crate) fn note_page(&mut self, page: &Page, list: Option<&Region>, tab: &OpenTab) {
        if self.failures >= MAX_FAILURES || !tab.may_replay() {
            return;
        }
        let origin = page.url.as_deref().and_then(|url| Url::parse(url).ok()).map(|url| url.origin());
        let is_own = |one: &ObservedResponse| Url::parse(&one.url).ok().map(|url| url.origin()) == origin;
        let mut observed: Vec<ObservedResponse> = tab.take_observed().into_iter().filter(is_own).collect();
        observed.drain(..observed.len().saturating_sub(MAX_SEARCHED_RESPONSES));
        let responses: Vec<(&str, &[u8])> =
            observed.iter().map(|one| (one.url.as_str(), one.body.as_slice())).collect();
        let parts =
            list.into_iter().flat_map(|list| &list.records).map(|record| match &*record.place.parts {
                [part] => Some(part.clone()),
                _ => None,
            });
        let parts: Option<Vec<_>> = parts.collect();
        let seen = catch_panic("replay", || SeenPage::new(page, &parts?, &responses)).ok().flatten();
        let Some(seen) = seen else {
            self.seen.clear();
            return;
        };
        let response = seen.response().and_then(|at| observed.into_iter().nth(at));
        self.seen.push((seen, response));
        self.seen.drain(..self.seen.len().saturating_sub(2));
        self.is_new = true;
    }

    /// Adds the next page of the list, if it can be read without the browser.
    pub(crate) async fn add_next(&mut self, opener: &PageOpener, series: &mut MultiPageList) -> ReplayStep {
        if std::mem::take(&mut self.is_new) {
            self.find_plan(opener, series).await;
        }
        let Some((plan, _)) = &mut self.plan else { return ReplayStep::NotReplayed };
        let is_complete = plan.total.is_some_and(|total| series.records() as u64 >= total);
        let Some(url) = plan.next_url().filter(|_| !is_complete) else {
            return ReplayStep::Ended(StopReason::DataEnded);
        };
        if !self.visited.insert(url.clone()) {
            return ReplayStep::Ended(StopReason::Loop);
        }
        let replayed = match self.fetch(opener, &url).await {
            Ok(replayed) => replayed,
            Err(NoPage::Interrupted) => return ReplayStep::Ended(StopReason::Interrupted),
            Err(NoPage::Absent) if self.plan.as_ref().is_some_and(|(plan, _)| plan.is_last_short()) => {
                return ReplayStep::Ended(StopReason::DataEnded);
            }
            Err(NoPage::Absent | NoPage::Unusable) => return self.give_up(),
        };
        if replayed.count == 0 {
            return ReplayStep::Ended(StopReason::DataEnded);
        }
        match tokio::task::block_in_place(|| add_records(series, &replayed)) {
            None => self.give_up(),
            Some(added) if added.new == 0 => ReplayStep::Ended(StopReason::NoNewRecords),
            Some(added) => {
                self.pages += 1;
                if let Some((plan, _)) = &mut self.plan {
                    plan.advance(url.clone(), replayed);
                }
                ReplayStep::Added { url, repeated: added.repeated }
            }
        }
    }

    fn give_up(&mut self) -> ReplayStep {
        (self.plan, self.failures) = (None, MAX_FAILURES);
        self.known_pages = self.pages;
        self.seen.clear();
        ReplayStep::NotReplayed
    }

    /// The pages that were replayed before the browser has to go on, which shows their records again.
    pub(crate) fn take_known_pages(&mut self) -> usize {
        std::mem::take(&mut self.known_pages)
    }

    /// Looks for a plan, and checks it with the request that the browser sent last.
    async fn find_plan(&mut self, opener: &PageOpener, series: &MultiPageList) {
        let [(previous, _), (last, Some(response))] = self.seen.as_slice() else { return };
        let learn = || tokio::task::block_in_place(|| ReplayPlan::learn(previous, last));
        let Some(mut plan) = catch_panic("replay", learn).ok().flatten() else {
            self.failures += 1;
            return;
        };
        // a number that is reached already counts something else, such as the records of each response
        plan.total = plan.total.filter(|&total| total > series.records() as u64);
        let (url, response) = (plan.last_url().to_owned(), response.clone());
        self.visited.insert(url.clone());
        self.plan = Some((plan, response));
        let replayed = self.fetch(opener, &url).await;
        let is_same = |plan: &ReplayPlan, replayed: &ReplayedPage| {
            let known = AddedRecords { new: 0, repeated: replayed.count };
            plan.is_confirmed_by(replayed) && series.compare(&replayed.page) == Some(known)
        };
        let is_confirmed = match (&self.plan, &replayed) {
            (Some((plan, _)), Ok(replayed)) => {
                let check = || tokio::task::block_in_place(|| is_same(plan, replayed));
                catch_panic(&url, check).unwrap_or_default()
            }
            _ => false,
        };
        if !is_confirmed {
            self.plan = None;
            self.failures += 1;
        }
    }

    /// The page for the data at a URL.
    async fn fetch(&self, opener: &PageOpener, url: &str) -> Result<ReplayedPage, NoPage> {
        let (plan, response) = self.plan.as_ref().ok_or(NoPage::Unusable)?;
        let fetched = opener.stopper.unless_stopped(opener.fetcher.repeat(response, url)).await;
        let limits = &opener.options.request.limits;
        match fetched.ok_or(NoPage::Interrupted)? {
            Ok(fetched) if !fetched.truncated && fetched.body.len() <= limits.bytes => {
                let read = || tokio::task::block_in_place(|| plan.page_for(&fetched.body, limits));
                catch_panic(url, read).ok().and_then(Result::ok).ok_or(NoPage::Unusable)
            }
            Err(FetchError::Status { status: 400 | 404 | 416 | 422, .. }) => Err(NoPage::Absent),
            _ => Err(NoPage::Unusable),
        }
    }
}

/// Why there is no page for a URL.
enum NoPage {
    /// The server says that it does not exist.
    Absent,
    /// It cannot be fetched, or is unlike what was seen.
    Unusable,
    Interrupted,
}

/// Adds the records of a page, if the series finds all of them there.
fn add_records(series: &mut MultiPageList, replayed: &ReplayedPage) -> Option<AddedRecords> {
    let found = series.compare(&replayed.page)?;
    if found.new + found.repeated != replayed.count {
        return None;
    }
    series.add(&replayed.page)
}
