//! The pages of a site that a check or a repair of its wrapper opens: each once.
//!
//! In: requests. Out: pages, or whether they are gone or only cannot be read now.

use crate::arguments::pages::ReadingArguments;
use crate::commands::site::site_setup::runtime;
use crate::error::CliError;
use copal::wrapper::NavigationSearch;
use copal::{Document, Page, Request};
use copal_explore::{SentSearch, form_difference, renewed_form};
use copal_fetch::{FetchError, PageRequest};
use copal_site::{SiteError, VisitOptions, Visitor};
use std::collections::HashMap;
use std::rc::Rc;

/// Statuses that say that a page is not there any more; others may be temporary.
const GONE_STATUSES: [u16; 3] = [404, 405, 410];

/// A page that was opened.
#[derive(Debug)]
pub(crate) struct OpenedPage {
    pub(crate) page: Page,
    /// The URL after all redirects.
    pub(crate) url: String,
}

/// Why there is no page.
#[derive(Debug, Clone)]
pub(super) enum PageProblem {
    /// The site no longer has it.
    Gone(String),
    /// It cannot be read now.
    Unreadable(CliError),
}

type OpenResult = Result<Rc<OpenedPage>, PageProblem>;

/// Opens pages, and keeps them.
pub(crate) struct SitePages {
    pub(super) runtime: tokio::runtime::Runtime,
    pub(super) visitor: Visitor,
    opened: HashMap<(String, Option<String>), OpenResult>,
}

impl SitePages {
    /// Prepares reading the pages of one site; `urls` are those that a wrapper names. Sends nothing.
    pub(crate) fn new(
        reading: &ReadingArguments,
        request: &Request,
        urls: &[&str],
    ) -> Result<SitePages, CliError> {
        if reading.fetch.render.screenshot.is_some() {
            return Err(CliError::usage("--screenshot is for copal extract"));
        }
        reading.fetch.render.check_stylesheets()?;
        let runtime = runtime()?;
        let fetch = reading.fetch.options(&request.limits, urls)?;
        let mut options = VisitOptions::default();
        options.request = request.clone();
        options.fetch_stylesheets = reading.fetch.render.stylesheets;
        #[cfg(feature = "render")]
        {
            options.rendering = reading.fetch.render.rendering(reading.fetch.delay, None)?;
        }
        #[cfg(not(feature = "render"))]
        if reading.fetch.render.is_on() {
            return Err(CliError::missing_feature("show pages in a browser", "render"));
        }
        let visitor = runtime.block_on(async { Visitor::new(fetch, options) });
        Ok(SitePages { runtime, visitor: visitor.map_err(CliError::unreadable)?, opened: HashMap::new() })
    }

    /// The page of a URL.
    pub(super) fn get(&mut self, url: &str) -> OpenResult {
        self.open(&PageRequest::get(url))
    }

    /// The page of a URL, if there is one.
    pub(crate) fn page(&mut self, url: &str) -> Option<Rc<OpenedPage>> {
        self.get(url).ok()
    }

    /// The page that a request leads to.
    pub(super) fn open(&mut self, request: &PageRequest) -> OpenResult {
        let key = (request.url.clone(), request.form.clone());
        if let Some(known) = self.opened.get(&key) {
            return known.clone();
        }
        let opened = self.runtime.block_on(self.visitor.open_request(request));
        let opened = match opened {
            Ok(opened) => match opened.document {
                Document::Page(page) => Ok(Rc::new(OpenedPage { page: *page, url: opened.url })),
                Document::Data(_) => Err(PageProblem::Gone("it is data now, and not a page".to_owned())),
            },
            Err(SiteError::Fetch(FetchError::Status { status, .. })) if GONE_STATUSES.contains(&status) => {
                Err(PageProblem::Gone(format!("HTTP status {status}")))
            }
            Err(error) => Err(PageProblem::Unreadable(CliError::unreadable(error))),
        };
        self.opened.insert(key, opened.clone());
        opened
    }

    /// The results of a search that is sent by POST. The page of its form is read first, for its token.
    pub(super) fn search(&mut self, search: &NavigationSearch) -> OpenResult {
        let shown = self.open(&PageRequest::get(&search.page).fresh());
        let shown = shown.map_err(|problem| match problem {
            PageProblem::Gone(why) => {
                PageProblem::Gone(format!("{}, the page of the form: {why}", search.page))
            }
            PageProblem::Unreadable(error) => PageProblem::Unreadable(error.about(&search.page)),
        })?;
        let sent =
            SentSearch { url: search.url.clone(), form: Some(search.form.clone()), chosen: Vec::new() };
        if let Some(difference) = form_difference(&shown.page, &sent) {
            return Err(PageProblem::Gone(format!("on {}, {difference}", search.page)));
        }
        let Some(form) = renewed_form(&shown.page, &search.url, &search.form) else {
            return Err(PageProblem::Gone(format!("{} no longer has the search form", search.page)));
        };
        self.open(&PageRequest::post(&search.url, form))
    }
}
