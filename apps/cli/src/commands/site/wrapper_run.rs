//! `copal site run`: the lists that a wrapper names, read page by page with its rules.
//!
//! In: a wrapper with navigation. Out: records in a database. Each page is asked for once, with the validators of the
//! cache, so that pages that did not change are not transferred. No page is explored: the URLs
//! of searches are in the wrapper, and the fields of those that are sent by POST.

use super::SiteRunArguments;
use super::site_output::SiteOutput;
use super::site_setup::default_output;
use crate::error::CliError;
use crate::interrupts::{Interrupts, stop_on_interrupt};
use crate::outcome::Outcome;
use crate::{reporting, wrapper_file};
use copal::wrapper::{NavigationSearch, Wrapper, apply, next_page};
use copal::{Answer, Document, Request};
use copal_explore::{ReportSample, canonical_key, record_keys, renewed_form};
use copal_fetch::PageRequest;
use copal_site::{VisitOptions, Visitor};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// What a run has read.
#[derive(Default)]
struct WrapperRun {
    pages: usize,
    failed: usize,
    known: HashSet<String>,
    visited: HashSet<String>,
    /// The sum of the numbers that the lists announce; `None` if one announces none.
    announced: Option<u64>,
    is_cut: bool,
}

pub(super) fn run(arguments: &SiteRunArguments) -> Result<Outcome, CliError> {
    arguments.run.start_threads()?;
    let wrapper = wrapper_file::load(&arguments.wrapper)?.wrapper;
    let lists = list_sources(&wrapper);
    let Some(first) = lists.first().map(ListSource::url) else {
        let message = "names no URL to open: expected a wrapper that copal site --wrapper wrote";
        return Err(CliError::usage(message).about(arguments.wrapper.display()));
    };
    let mut request = Request::default();
    request.limits = arguments.limits.limits();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(CliError::unreadable)?;
    let mut fetch = arguments.fetch.options(&request.limits, &[first])?;
    if let Some(cache) = &mut fetch.cache {
        // every page is asked for, with what the cache knows
        cache.max_age = Duration::ZERO;
    }
    let mut options = VisitOptions::default();
    options.request = request;
    let visitor = runtime.block_on(async { Visitor::new(fetch, options) }).map_err(CliError::unreadable)?;
    let database = arguments.output.clone().map_or_else(|| default_output(first), Ok)?;
    let mut output = SiteOutput::open(&database, first, &arguments.redact)?;
    let mut state = WrapperRun { announced: Some(0), ..WrapperRun::default() };
    runtime.block_on(async {
        let interrupts = Interrupts::listen().map_err(CliError::unreadable)?;
        let listener = tokio::spawn(stop_on_interrupt(visitor.clone(), interrupts));
        let deadline = Instant::now() + arguments.budget.time;
        for list in &lists {
            let Some(first) = first_request(&visitor, list, &mut state).await else { continue };
            read_list(&visitor, &wrapper, first, &mut output, &mut state, (arguments.budget.pages, deadline))
                .await?;
        }
        listener.abort();
        Ok::<(), CliError>(())
    })?;
    let records = state.known.len();
    let is_short = state.announced.is_some_and(|announced| (records as u64) < announced);
    let outcome = match () {
        () if records == 0 && state.failed > 0 => Outcome::Unreadable,
        () if records == 0 => Outcome::NothingFound,
        () if state.is_cut || state.failed > 0 || is_short => Outcome::Partial,
        () => Outcome::Done,
    };
    output.finish(outcome.name())?;
    if !arguments.run.quiet {
        let announced = state.announced.filter(|announced| *announced > 0);
        let announced = announced.map_or_else(String::new, |total| format!(" of {total} announced"));
        reporting::line(format_args!(
            "{records} records{announced} from {}, {}",
            reporting::count(state.pages, "page"),
            outcome.name()
        ));
    }
    Ok(outcome)
}

/// Where a list comes from.
enum ListSource<'a> {
    Url(&'a str),
    Search(&'a NavigationSearch),
}

impl ListSource<'_> {
    fn url(&self) -> &str {
        match self {
            ListSource::Url(url) => url,
            ListSource::Search(search) => &search.url,
        }
    }
}

/// The lists of a wrapper: the first one, the further ones, and those that a form leads to.
fn list_sources(wrapper: &Wrapper) -> Vec<ListSource<'_>> {
    let Some(navigation) = &wrapper.navigation else { return Vec::new() };
    let own = wrapper.url.as_deref().filter(|_| navigation.searches.is_empty());
    let urls = navigation.open.as_deref().or(own).into_iter();
    let urls = urls.chain(navigation.lists.iter().map(String::as_str)).map(ListSource::Url);
    urls.chain(navigation.searches.iter().map(ListSource::Search)).collect()
}

/// The request for the first page of a list. The token of a form is read from the form's page first.
async fn first_request(
    visitor: &Visitor,
    list: &ListSource<'_>,
    state: &mut WrapperRun,
) -> Option<PageRequest> {
    let search = match list {
        ListSource::Url(url) => return Some(PageRequest::get(*url)),
        ListSource::Search(search) => search,
    };
    state.pages += 1;
    let shown = PageRequest::get(&search.page).fresh();
    let opened = visitor.open_request(&shown);
    match visitor.stopper().unless_stopped(opened).await {
        None => state.is_cut = true,
        Some(Err(error)) => {
            state.failed += 1;
            reporting::error(&CliError::unreadable(error).about(&search.page));
        }
        Some(Ok(opened)) => {
            let Document::Page(page) = opened.document else { return None };
            if let Some(form) = renewed_form(&page, &search.url, &search.form) {
                return Some(PageRequest::post(&search.url, form));
            }
            state.failed += 1;
            let message = format!("the page no longer has the search form that is sent to {}", search.url);
            reporting::error(&CliError::unreadable(message).about(&search.page));
        }
    }
    None
}

/// Reads one list over its pages. A page without new records ends it.
async fn read_list(
    visitor: &Visitor,
    wrapper: &Wrapper,
    first: PageRequest,
    output: &mut SiteOutput,
    state: &mut WrapperRun,
    (max_pages, deadline): (usize, Instant),
) -> Result<(), CliError> {
    let mut next = Some(first);
    let mut is_first = true;
    while let Some(request) = next.take() {
        let url = &request.url;
        // searches with one URL differ in their fields
        let key = canonical_key(url).unwrap_or_else(|| url.clone());
        if !state.visited.insert(format!("{key} {}", request.form.as_deref().unwrap_or_default())) {
            break;
        }
        if state.pages >= max_pages || Instant::now() >= deadline || visitor.stopper().is_stopped() {
            state.is_cut = true;
            break;
        }
        state.pages += 1;
        let opened = match visitor.stopper().unless_stopped(visitor.open_request(&request)).await {
            Some(Ok(opened)) => opened,
            Some(Err(error)) => {
                state.failed += 1;
                reporting::error(&CliError::unreadable(error).about(url));
                break;
            }
            None => {
                state.is_cut = true;
                break;
            }
        };
        let Document::Page(page) = opened.document else { break };
        let mut answer = tokio::task::block_in_place(|| apply(wrapper, &page));
        if is_first {
            let counter = answer.page.counter.as_ref().filter(|counter| !counter.at_least);
            state.announced = state.announced.zip(counter).map(|(sum, counter)| sum + counter.total);
        }
        is_first = false;
        let new = keep_new_records(&mut answer, &mut state.known);
        if new == 0 {
            break;
        }
        next = next_page(wrapper, &page).or_else(|| answer.page.next.clone()).map(PageRequest::get);
        let mut sample = ReportSample::default();
        tokio::task::block_in_place(|| output.store(None, &opened.url, &answer, &mut sample))
            .map_err(CliError::unreadable)?;
    }
    Ok(())
}

/// Removes the records that were read before. Returns how many are left.
fn keep_new_records(answer: &mut Answer, known: &mut HashSet<String>) -> usize {
    let mut new = 0;
    for list in &mut answer.regions {
        let mut keys = record_keys(list).into_iter();
        list.records.retain(|_| keys.next().is_some_and(|key| known.insert(key)));
        new += list.records.len();
    }
    if answer.object.is_some() {
        new += usize::from(known.insert(answer.page.url.clone().unwrap_or_default()));
    }
    new
}
