//! The wrapper that a run of `copal site` writes.
//!
//! In: the report of the run. Out: the text of a wrapper that was learned from the first pages of the lists, with the
//! URLs of all lists and the way to each of them. Pages come from the cache.

use super::site_routes::site_routes;
use crate::reporting;
use copal::values::ValueType;
use copal::wrapper::NavigationSearch;
use copal::{Request, SetPage};
use copal_explore::{FoundList, SiteReport, redacted};
use copal_site::Visitor;
use copal_tasks::learn_pages;

/// Lists whose first pages a wrapper is learned from.
const MAX_WRAPPER_SAMPLES: usize = 3;

/// The wrapper of the lists that were read, as text; a warning if none can be learned.
pub(super) fn learned_wrapper(
    runtime: &tokio::runtime::Runtime,
    visitor: &Visitor,
    report: &SiteReport,
    request: &Request,
    redacted_types: &[ValueType],
    quiet: bool,
) -> Option<String> {
    let lists = report.lists.iter().filter(|list| list.state == "done");
    let lists: Vec<&FoundList> = lists.collect();
    let mut set = Vec::new();
    for list in lists.iter().take(MAX_WRAPPER_SAMPLES) {
        let opened = runtime.block_on(visitor.open_request(&list.request()));
        if let Ok(opened) = opened
            && let copal::Document::Page(page) = opened.document
        {
            set.push(SetPage::analyse(list.url.clone(), *page, request));
        }
    }
    if set.is_empty() {
        return None;
    }
    match learn_pages(set, request) {
        Ok(mut learned) => {
            let navigation = learned.wrapper.navigation.get_or_insert_default();
            let mut urls = lists.iter().filter(|list| list.form.is_none()).map(|list| list.url.clone());
            navigation.open = urls.next();
            navigation.lists = urls.collect();
            navigation.searches = lists.iter().filter_map(|list| posted_search(report, list)).collect();
            navigation.routes = site_routes(runtime, visitor, &report.map, &lists);
            // examples of values would repeat what the records leave out
            let profiles = learned.wrapper.pages.iter_mut().flat_map(|rule| &mut rule.columns);
            for example in
                profiles.filter_map(|column| column.profile.as_mut()).flat_map(|one| &mut one.examples)
            {
                if let Some(without) = redacted(example, redacted_types) {
                    *example = without;
                }
            }
            Some(learned.wrapper.to_string())
        }
        Err(error) => {
            if !quiet {
                reporting::warning(format_args!("no wrapper: {}", error.message));
            }
            None
        }
    }
}

/// The search form that leads to a list, if it is sent by POST.
fn posted_search(report: &SiteReport, list: &FoundList) -> Option<NavigationSearch> {
    let form = list.form.clone()?;
    let sent = || report.map.iter().filter(|entry| entry.item.form.is_some());
    // the parts of a list that was divided are not in the map: they come from the form of the whole list
    let item = sent().find(|entry| entry.item.form == list.form).or_else(|| sent().next())?;
    Some(NavigationSearch { page: item.item.parent.clone(), url: list.url.clone(), form })
}
