//! Whether the selectors of the next link still lead through a list, and others if they do not.
//!
//! In: a wrapper and the first pages of its lists. Out: why the selectors fail, and selectors that lead through the
//! pages instead. A page is the next one of a list only if the wrapper reads records there that the pages before it do
//! not have. At most [`MAX_NEXT_LISTS`] lists, and [`MAX_LEARNED_PAGES`] pages after the first of each.

use super::site_pages::{OpenedPage, PageProblem, SitePages};
use copal::wrapper::{Wrapper, apply, common_next_selectors, next_page};
use copal::{Answer, Page, Request};
use copal_explore::{canonical_key, record_keys};
use std::collections::HashSet;
use std::rc::Rc;

/// Lists whose next links are checked.
const MAX_NEXT_LISTS: usize = 3;
/// Pages after the first to which a rule is followed.
const MAX_NEXT_PAGES: usize = 2;
/// Pages from which a new rule is learned: in numbered pages, a rule that is right on two may be wrong on the third.
const MAX_LEARNED_PAGES: usize = 3;

/// Why the rule for the next page fails.
pub(super) enum NextProblem {
    /// There is a next page, and the rule does not find it.
    NotFound(String),
    /// There must be a next page, but no link to it is found.
    NoLink(String),
}

impl NextProblem {
    pub(super) fn cause(&self) -> &str {
        match self {
            NextProblem::NotFound(cause) | NextProblem::NoLink(cause) => cause,
        }
    }
}

/// Checks the rule on the first pages of lists. `None` if it works, or if nothing can be said.
pub(super) fn next_problem(
    pages: &mut SitePages,
    wrapper: &Wrapper,
    lists: &[Rc<OpenedPage>],
) -> Option<NextProblem> {
    let navigation = wrapper.navigation.as_ref().filter(|navigation| !navigation.next.is_empty())?;
    let rule = navigation.next.join("`, `");
    let (mut has_next, mut short) = (false, None);
    for list in lists.iter().take(MAX_NEXT_LISTS) {
        let mut known = keys_of(&apply(wrapper, &list.page));
        let mut at = Rc::clone(list);
        // a rule may be right on the first page, and lead back from the second
        for number in 0..MAX_NEXT_PAGES {
            let target = next_page(wrapper, &at.page);
            let failure = match &target {
                None => Some(format!("no link is found by `{rule}`")),
                Some(url) => match further_records(pages, wrapper, url, &mut known) {
                    Ok(0) => {
                        Some(format!("`{rule}` leads to {url}, which has no further records of the list,"))
                    }
                    Err(PageProblem::Gone(why)) => Some(format!("`{rule}` leads to {url} ({why})")),
                    Ok(_) => None,
                    Err(PageProblem::Unreadable(_)) => break,
                },
            };
            let Some(failure) = failure else {
                has_next = true;
                match target.and_then(|url| pages.page(&url)) {
                    Some(next) => at = next,
                    None => break,
                }
                continue;
            };
            if let Some(url) = found_next(pages, wrapper, &at, &mut known) {
                return Some(NextProblem::NotFound(format!(
                    "{failure} on {}, where {url} is the next page",
                    at.url
                )));
            }
            if number == 0 {
                short = short.or_else(|| hidden_records(wrapper, list));
            }
            break;
        }
    }
    // a list that hides records has no next link either; that was so for some list only
    short.filter(|_| !has_next).map(NextProblem::NoLink)
}

/// What a page says of records that it does not show, in words.
fn hidden_records(wrapper: &Wrapper, list: &OpenedPage) -> Option<String> {
    let answer = apply(wrapper, &list.page);
    let counter = answer.page.counter.as_ref().filter(|counter| !counter.at_least)?;
    let shown = answer.primary().map_or(0, |list| list.records.len());
    let is_short = counter.total > shown as u64;
    is_short.then(|| format!("{} shows {shown} of {} records and no link to more", list.url, counter.total))
}

/// Selectors that lead through the pages of the lists. Empty if there are none.
pub(super) fn mended_next(pages: &mut SitePages, wrapper: &Wrapper, lists: &[Rc<OpenedPage>]) -> Vec<String> {
    let mut steps: Vec<(Rc<OpenedPage>, String)> = Vec::new();
    for list in lists.iter().take(MAX_NEXT_LISTS) {
        let mut known = keys_of(&apply(wrapper, &list.page));
        let mut at = Rc::clone(list);
        for _ in 0..MAX_LEARNED_PAGES {
            let Some(url) = found_next(pages, wrapper, &at, &mut known) else { break };
            let Ok(next) = pages.get(&url) else { break };
            steps.push((std::mem::replace(&mut at, next), url));
        }
    }
    let steps: Vec<(&Page, &str)> = steps.iter().map(|(from, to)| (&from.page, to.as_str())).collect();
    common_next_selectors(&steps)
}

/// The next page that the extractor finds, if it has further records of the list.
fn found_next(
    pages: &mut SitePages,
    wrapper: &Wrapper,
    list: &OpenedPage,
    known: &mut HashSet<String>,
) -> Option<String> {
    let url = copal::extract_page(&list.page, &Request::default()).page.next?;
    if canonical_key(&url) == canonical_key(&list.url) {
        return None;
    }
    further_records(pages, wrapper, &url, known).is_ok_and(|new| new > 0).then_some(url)
}

/// How many records of a page are not known yet. They are known then.
fn further_records(
    pages: &mut SitePages,
    wrapper: &Wrapper,
    url: &str,
    known: &mut HashSet<String>,
) -> Result<usize, PageProblem> {
    let opened = pages.get(url)?;
    let before = known.len();
    known.extend(keys_of(&apply(wrapper, &opened.page)));
    Ok(known.len() - before)
}

fn keys_of(answer: &Answer) -> HashSet<String> {
    answer.primary().map(record_keys).unwrap_or_default().into_iter().collect()
}
