//! Finds lists that have moved: by redirects, by the forms that led to them, and by exploring the site again.
//!
//! In: the lists of a wrapper as they were checked. Out: where those that are broken are now. Only a page whose records
//! resemble the samples is taken. Forms on pages that are known already are tried first; only if lists are left, up to
//! [`MAX_EXPLORED_PAGES`] pages of the site are explored, as `copal site` does, and no list is read.

use super::candidate_lists::{CandidateList, assign};
use super::list_check::CheckedList;
use super::site_pages::SitePages;
use copal::wrapper::{Resemblance, Wrapper, resemblance};
use copal_explore::{
    ExploreOptions, Explorer, FoundList, Frontier, SiteMap, SiteReport, canonical_key, refilled_searches,
};
use copal_fetch::PageRequest;
use std::collections::HashSet;

/// Pages that are explored to find lists that have moved.
const MAX_EXPLORED_PAGES: usize = 30;
/// Pages whose forms are compared with those that led to the lists.
const MAX_FORM_PAGES: usize = 12;
/// Pages that are compared with the samples.
const MAX_CANDIDATES: usize = 30;

/// Where lists are now.
pub(super) struct MendedLists {
    /// For each broken list, in order: its page, or why none was found.
    pub(super) found: Vec<Result<CandidateList, String>>,
    /// What was explored, if that was needed.
    pub(super) map: Option<SiteMap>,
}

/// Looks for lists that are not where the wrapper says. `form_pages` have, or had, the forms that lead to them, and
/// `working` are the others. With `needs_map`, the site is explored in any case.
pub(super) fn mend_lists(
    pages: &mut SitePages,
    wrapper: &Wrapper,
    broken: &[&CheckedList],
    working: &[&CheckedList],
    form_pages: &[String],
    start: &str,
    needs_map: bool,
) -> MendedLists {
    let mut finder = ListFinder {
        pages,
        wrapper,
        broken,
        // a redesign may have come with the move
        needed: if working.iter().any(|list| list.resemblance == Resemblance::Same) {
            Resemblance::Same
        } else {
            Resemblance::Redesigned
        },
        taken: working
            .iter()
            .map(|list| request_key(&list.search.url, list.search.form.as_deref()))
            .collect(),
        candidates: Vec::new(),
    };
    finder.try_forms(form_pages);
    let mut assigned = assign(wrapper, broken, &finder.candidates);
    let mut map = None;
    if needs_map || assigned.iter().any(Result::is_err) {
        map = finder.explore(start);
        assigned = assign(wrapper, broken, &finder.candidates);
    }
    let mut candidates: Vec<Option<CandidateList>> = finder.candidates.into_iter().map(Some).collect();
    let no_page = || "no page of the site shows records like those of the samples".to_owned();
    let found = assigned.into_iter().map(|one| one.and_then(|at| candidates[at].take().ok_or_else(no_page)));
    MendedLists { found: found.collect(), map }
}

struct ListFinder<'a> {
    pages: &'a mut SitePages,
    wrapper: &'a Wrapper,
    broken: &'a [&'a CheckedList],
    needed: Resemblance,
    /// Requests that lists of the wrapper, or candidates, have already.
    taken: HashSet<String>,
    candidates: Vec<CandidateList>,
}

impl ListFinder<'_> {
    /// Fills in the forms of pages as they were filled in for the broken lists.
    fn try_forms(&mut self, form_pages: &[String]) {
        for url in form_pages.iter().take(MAX_FORM_PAGES) {
            // a token has to be that of the page as it is now
            let Ok(shown) = self.pages.open(&PageRequest::get(url).fresh()) else { continue };
            for (number, list) in self.broken.iter().enumerate() {
                for search in refilled_searches(&shown.page, &list.search) {
                    let request = match &search.body {
                        Some(body) => PageRequest::post(&search.url, body.clone()),
                        None => PageRequest::get(&search.url),
                    };
                    self.try_request(request, Some(url.clone()), Some(number), None);
                }
            }
        }
    }

    /// Explores the site, and tries the lists that were found and the forms of the pages that were visited.
    fn explore(&mut self, start: &str) -> Option<SiteMap> {
        let mut options = ExploreOptions::default();
        options.explore_pages = MAX_EXPLORED_PAGES;
        options.max_pages = 2 * MAX_EXPLORED_PAGES;
        let (visitor, runtime) = (self.pages.visitor.clone(), &self.pages.runtime);
        let on_progress = |_: &_| {};
        let mut explorer =
            Explorer::new(start, visitor, Frontier::in_memory().ok()?, options, &on_progress).ok()?;
        let map = runtime.block_on(explorer.find_lists()).ok()?;
        for list in &map.lists {
            let parent = form_page_of(&map, list);
            let expected = SiteReport::list_facts(list).map(|facts| facts.expected_records());
            self.try_request(list.request(), parent, None, expected);
        }
        let visited = map.entries.iter().filter(|entry| entry.state == "done" && entry.item.form.is_none());
        let urls: Vec<String> = visited.map(|entry| entry.item.url.clone()).collect();
        self.try_forms(&urls);
        Some(map)
    }

    /// Keeps what a request leads to, if its records resemble the samples.
    fn try_request(
        &mut self,
        request: PageRequest,
        form_page: Option<String>,
        choice_of: Option<usize>,
        expected: Option<u64>,
    ) {
        let key = request_key(&request.url, request.form.as_deref());
        if self.candidates.len() >= MAX_CANDIDATES || self.taken.contains(&key) {
            return;
        }
        let Ok(opened) = self.pages.open(&request) else { return };
        let resemblance = resemblance(self.wrapper, &opened.page);
        if resemblance < self.needed {
            return;
        }
        let own_key = request_key(&opened.url, request.form.as_deref());
        if own_key != key && self.taken.contains(&own_key) {
            return;
        }
        self.taken.extend([key, own_key]);
        let answer = copal::wrapper::apply(self.wrapper, &opened.page);
        let shown = answer.primary().map_or(0, |list| list.records.len() as u64);
        let counter = answer.page.counter.as_ref().map_or(0, |counter| counter.total);
        let expected = expected.unwrap_or(0).max(shown).max(counter);
        self.candidates.push(CandidateList { request, form_page, choice_of, opened, resemblance, expected });
    }
}

/// The page of the form that leads to a list.
fn form_page_of(map: &SiteMap, list: &FoundList) -> Option<String> {
    let key = request_key(&list.url, list.form.as_deref());
    let items = map.entries.iter().map(|entry| &entry.item);
    let mut forms = items.filter(|item| item.role.contains("form") || item.form.is_some());
    let item = forms.find(|item| request_key(&item.url, item.form.as_deref()) == key)?;
    Some(item.parent.clone())
}

/// A key that is equal for equal requests.
pub(super) fn request_key(url: &str, form: Option<&str>) -> String {
    let key = canonical_key(url).unwrap_or_else(|| url.to_owned());
    format!("{key} {}", form.unwrap_or_default())
}
