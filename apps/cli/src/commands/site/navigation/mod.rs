//! Whether the navigation in the wrapper of a site still works, and mends it.
//!
//! In: a wrapper that `copal site` wrote. Out: the steps that are broken, with the cause; or a navigation in which they
//! are mended, with what could not be. Lists (`list_check`), the ways to them (`route_check`) and the rule for the next
//! page (`next_check`) are checked one after the other; `list_mending` finds lists that have moved, `mending` writes the
//! steps. Nothing is sent but what `copal site` would send: GET requests, and searches.

mod candidate_lists;
mod list_check;
mod list_mending;
mod mending;
mod next_check;
mod route_check;
mod site_pages;

pub(crate) use mending::{NavigationChange, mend_lists_and_routes, mend_next};
pub(crate) use site_pages::{OpenedPage, SitePages};

use crate::error::CliError;
use crate::navigation_finding::NavigationFinding;
use copal::wrapper::{Resemblance, Wrapper};
use list_check::{CheckedList, check_lists, route_of};
use next_check::next_problem;
use route_check::{CheckedRoute, check_route};
use std::rc::Rc;

/// What was found at the places that a navigation names.
pub(crate) struct CheckedNavigation {
    lists: Vec<CheckedList>,
    /// One per route of the wrapper, in order; none for a route to a list that was not checked.
    routes: Vec<Option<CheckedRoute>>,
    /// Why the rule for the next page fails.
    next: Option<String>,
}

/// Checks at most `max_lists` lists of a wrapper, and the ways to them.
pub(crate) fn check_navigation(
    pages: &mut SitePages,
    wrapper: &Wrapper,
    max_lists: usize,
) -> CheckedNavigation {
    let mut lists = check_lists(pages, wrapper, max_lists);
    let mut routes: Vec<Option<CheckedRoute>> = Vec::new();
    if let Some(navigation) = &wrapper.navigation {
        for route in &navigation.routes {
            let is_its = |list: &&mut CheckedList| {
                route_of(navigation, list.slot, &list.search.url).is_some_and(|own| std::ptr::eq(own, route))
            };
            let checked = lists.iter_mut().find(is_its).map(|list| {
                let checked = check_route(pages, route, &list.search);
                // a server may ignore a field that it does not know, and show another list
                if checked.has_other_form && list.cause.is_none() && list.search.form.is_none() {
                    list.cause =
                        Some("its form has changed, so that its URL may mean something else".to_owned());
                }
                checked
            });
            routes.push(checked);
        }
    }
    let readable = first_pages(&lists, Resemblance::Same);
    let next = next_problem(pages, wrapper, &readable).map(|problem| problem.cause().to_owned());
    CheckedNavigation { lists, routes, next }
}

fn first_pages(lists: &[CheckedList], least: Resemblance) -> Vec<Rc<OpenedPage>> {
    let there = lists.iter().filter(|list| list.cause.is_none() && list.resemblance >= least);
    there.filter_map(|list| list.opened.clone()).collect()
}

impl CheckedNavigation {
    /// What is wrong, in the order of the wrapper file.
    pub(crate) fn findings(&self) -> Vec<NavigationFinding> {
        let mut findings = Vec::new();
        let mut push = |step: String, cause: String, is_broken| {
            findings.push(NavigationFinding { step, cause, is_broken });
        };
        for list in &self.lists {
            let shown = format!("{} ({})", list.slot.name(), list.search.url);
            if let Some(cause) = &list.cause {
                push(shown, cause.clone(), true);
            } else if let Some(target) = list.moved_to() {
                push(shown, format!("the site redirects to {target}"), false);
            }
        }
        for (number, route) in self.routes.iter().enumerate() {
            if let Some(cause) = route.as_ref().and_then(|route| route.cause.clone()) {
                push(format!("navigation.routes[{number}]"), cause, true);
            }
        }
        if let Some(cause) = &self.next {
            push("navigation.next".to_owned(), cause.clone(), true);
        }
        findings
    }

    /// The first pages of the lists that are there, with their names.
    pub(crate) fn pages(&self) -> Vec<(String, Rc<OpenedPage>)> {
        let there = self.lists.iter().filter(|list| list.cause.is_none());
        there.filter_map(|list| Some((list.search.url.clone(), list.opened.clone()?))).collect()
    }

    /// The lists that cannot be read now.
    pub(crate) fn errors(&self) -> Vec<CliError> {
        let unread = self.lists.iter();
        unread.filter_map(|list| Some(list.unread.clone()?.about(&list.search.url))).collect()
    }
}
