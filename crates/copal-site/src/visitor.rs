//! The entry point of the crate: a URL goes in, the answer for its list or object comes out.

use std::sync::Arc;

use copal_dom::{Page, Warning};
use copal_extract::{Answer, Document, KindRequest};
use copal_fetch::{FetchError, FetchOptions, Fetcher, PageRequest};

use crate::detail_pages;
use crate::error::{SiteError, catch_panic};
use crate::follow::{self, FirstPage};
use crate::options::VisitOptions;
use crate::page_opener::{FetchedBytes, OpenedDocument, PageOpener};
use crate::progress::{DetailProgress, PageSink, VisitProgress};
use crate::render_mode::{RenderMode, SavedPage};
use crate::rendering::OpenTab;
use crate::rendering_need::reason_to_render;
use crate::stopper::Stopper;
use crate::suggested_search::{SuggestedSearch, SuggestionQuery};

/// Visits URLs. Clones share the fetcher and the stopper.
#[derive(Debug, Clone)]
pub struct Visitor {
    opener: PageOpener,
}

/// One document and what was extracted from it.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReadDocument {
    /// The page; `None` for a data document.
    pub page: Option<Box<Page>>,
    /// Its answer.
    pub answer: Answer,
    /// The URL after all redirects.
    pub url: String,
    /// The document came from the cache.
    pub from_cache: bool,
}

/// The first page of a visit and its answer.
struct FirstAnswer {
    /// `None` for a data document.
    page: Option<Box<Page>>,
    extraction: Answer,
    url: String,
    next: Option<String>,
    tab: Option<OpenTab>,
}

impl Visitor {
    /// Creates a visitor. Does not send any request.
    pub fn new(fetch: FetchOptions, options: VisitOptions) -> Result<Visitor, SiteError> {
        Ok(Visitor::with_fetcher(Fetcher::new(fetch)?, options))
    }

    /// Creates a visitor that shares a fetcher with others: its delays, its robots.txt files and its cookies.
    pub fn with_fetcher(fetcher: Fetcher, options: VisitOptions) -> Visitor {
        Visitor { opener: PageOpener { fetcher, options: Arc::new(options), stopper: Stopper::new() } }
    }

    /// Why fetched pages are not stored although a cache was asked for.
    pub fn cache_problem(&self) -> Option<&FetchError> {
        self.opener.fetcher.cache_problem()
    }

    /// Stops all visits of this visitor. Each returns what it has read.
    pub fn stopper(&self) -> Stopper {
        self.opener.stopper.clone()
    }

    /// The fetcher, for requests that are not pages of a list.
    pub fn fetcher(&self) -> &Fetcher {
        &self.opener.fetcher
    }

    /// A visitor with the same fetcher, stopper and options, except for these limits.
    #[must_use]
    pub fn with_limits(&self, max_pages: usize, max_details: usize) -> Visitor {
        let options = VisitOptions { max_pages, max_details, ..(*self.opener.options).clone() };
        Visitor { opener: PageOpener { options: Arc::new(options), ..self.opener.clone() } }
    }

    /// One page and its answer. Returns `None` if the visit is stopped before the page has arrived. Needs a
    /// multi-threaded runtime.
    pub async fn read(&self, request: &PageRequest) -> Result<Option<ReadDocument>, SiteError> {
        let Some(opened) = self.opener.open_unless_stopped(request).await else { return Ok(None) };
        let opened = opened?;
        let from_cache = opened.from_cache;
        let FirstAnswer { page, extraction, url, .. } = self.first_answer(request, opened)?;
        Ok(Some(ReadDocument { page, answer: extraction, url, from_cache }))
    }

    /// True if pages may be shown in a browser.
    pub fn has_browser(&self) -> bool {
        self.opener.options.rendering.is_some()
    }

    /// The searches of a page's form whose values are chosen from suggestions: the beginning of a value is typed in the
    /// browser, and suggestions are taken. The form is not sent. `None` if the page has no such form, or without a
    /// browser. Needs a multi-threaded runtime.
    pub fn suggested_searches(
        &self,
        url: &str,
        query: SuggestionQuery<'_>,
    ) -> Result<Option<Vec<SuggestedSearch>>, SiteError> {
        let PageOpener { fetcher, options, stopper } = &self.opener;
        let Some(rendering) = &options.rendering else { return Ok(None) };
        rendering.suggested_searches(url, query, fetcher, stopper, &options.request.limits)
    }

    /// Fetches and parses the document at a URL. If the page needs a browser, and there is one, it is shown there; this
    /// needs a multi-threaded runtime.
    pub async fn open(&self, url: &str) -> Result<OpenedDocument, SiteError> {
        self.open_request(&PageRequest::get(url)).await
    }

    /// Like [`open`](Self::open), for what a form leads to.
    pub async fn open_request(&self, request: &PageRequest) -> Result<OpenedDocument, SiteError> {
        let opened = self.opener.open(request).await?;
        let rendering = self.opener.options.rendering.as_ref();
        // whether a page needs a browser is only known from its answer
        if opened.tab.is_some() || rendering.is_none_or(|one| one.mode() != RenderMode::Auto) {
            return Ok(opened);
        }
        let from_cache = opened.from_cache;
        let FirstAnswer { page, extraction, url, next, tab } = self.first_answer(request, opened)?;
        let document = page.map_or_else(|| Document::Data(Box::new(extraction)), Document::Page);
        Ok(OpenedDocument { document, url, next, from_cache, tab })
    }

    /// Fetches a URL, but does not parse what it sends: another process may do that. Redirects inside the page
    /// ([`refresh_target`](crate::refresh_target)) are left to the caller.
    pub async fn fetch_bytes(&self, url: &str) -> Result<FetchedBytes, SiteError> {
        self.opener.fetch_bytes(&PageRequest::get(url)).await
    }

    /// The answer for a URL: its lists, with the main list followed over its pages and the detail pages of
    /// its records joined, as far as the options ask for that. Needs a multi-threaded runtime. Returns `None`
    /// if the visit is stopped before the first page has arrived.
    pub async fn visit(
        &self,
        url: &str,
        on_progress: impl Fn(&VisitProgress) + Sync,
    ) -> Result<Option<Answer>, SiteError> {
        self.visit_request(&PageRequest::get(url), on_progress).await
    }

    /// Like [`visit`](Self::visit), for a list that a form leads to.
    pub async fn visit_request(
        &self,
        request: &PageRequest,
        on_progress: impl Fn(&VisitProgress) + Sync,
    ) -> Result<Option<Answer>, SiteError> {
        let Some(opened) = self.opener.open_unless_stopped(request).await else { return Ok(None) };
        self.visit_list(request, opened?, &on_progress, None).await
    }

    /// The answer for a saved page, which is shown in the browser as the page at `url`. Fails if the options
    /// have no browser.
    pub async fn visit_saved(
        &self,
        url: &str,
        page: &SavedPage,
        on_progress: impl Fn(&VisitProgress) + Sync,
    ) -> Result<Option<Answer>, SiteError> {
        let Some(rendering) = &self.opener.options.rendering else {
            return Err(FetchError::Setup { reason: "saved pages need a browser here".to_owned() }.into());
        };
        let opened = self.opener.open_in_browser(rendering, url, Some(page))?;
        self.visit_list(&PageRequest::get(url), opened, &on_progress, None).await
    }

    /// Like [`visit`](Self::visit); also gives the answer for each page of the list as soon as the page was
    /// read, without the pages before it. The next page is not asked for before `on_page` returns. A program
    /// that stores these answers loses nothing if it is killed. The answer for the whole list replaces them:
    /// its columns may have other names, and only it has the fields of detail pages.
    pub async fn visit_page_by_page(
        &self,
        url: &str,
        on_progress: impl Fn(&VisitProgress) + Sync,
        on_page: impl Fn(Answer) + Sync,
    ) -> Result<Option<Answer>, SiteError> {
        let request = PageRequest::get(url);
        let Some(opened) = self.opener.open_unless_stopped(&request).await else { return Ok(None) };
        self.visit_list(&request, opened?, &on_progress, Some(&on_page)).await
    }

    async fn visit_list(
        &self,
        requested: &PageRequest,
        opened: OpenedDocument,
        on_progress: &(impl Fn(&VisitProgress) + Sync),
        on_page: Option<PageSink<'_>>,
    ) -> Result<Option<Answer>, SiteError> {
        let FirstAnswer { page, mut extraction, url, next, tab } = self.first_answer(requested, opened)?;
        if let (None, Some(next)) = (&extraction.page.next, &next) {
            extraction.page.next = Some(next.clone());
        }
        let options = &self.opener.options;
        if let Some(on_page) = on_page.filter(|_| options.max_pages > 1 || options.max_details > 0) {
            tokio::task::block_in_place(|| on_page(extraction.clone()));
        }
        if options.max_pages > 1 && extraction.primary().is_some() {
            let first_page = FirstPage { page, url, declared_next: next, tab };
            // on the heap: it would make every future around it large
            let following = follow::follow(&self.opener, first_page, extraction, on_progress, on_page);
            extraction = Box::pin(following).await;
        }
        if options.max_details > 0 {
            let list_progress = VisitProgress {
                url: extraction.page.url.clone().unwrap_or_default(),
                pages: extraction.followed.as_ref().map_or(1, |followed| followed.pages.len()),
                records: extraction.primary().map_or(0, |list| list.records.len()),
                announced: extraction.page.counter.clone(),
                details: None,
            };
            let on_detail = |details: DetailProgress| {
                on_progress(&VisitProgress { details: Some(details), ..list_progress.clone() });
            };
            detail_pages::join_detail_pages(&self.opener, &mut extraction, &on_detail).await;
        }
        Ok(Some(extraction))
    }

    /// The answer for the first page. If the page needs a browser, and there is one, it is shown there.
    fn first_answer(
        &self,
        requested: &PageRequest,
        opened: OpenedDocument,
    ) -> Result<FirstAnswer, SiteError> {
        let is_rendered = opened.tab.is_some();
        let mut first = self.answer(opened)?;
        if is_rendered {
            first.extraction.page.rendered = Some("asked for".to_owned());
            return Ok(first);
        }
        // a browser would send a GET request for the URL, which shows another page than the form did
        let is_form = requested.form.is_some();
        let requested = requested.url.as_str();
        let rendering = self.opener.options.rendering.as_ref();
        let rendering = rendering.filter(|one| one.mode() == RenderMode::Auto && !is_form);
        let (Some(rendering), Some(page)) = (rendering, &first.page) else { return Ok(first) };
        let Some(why) = reason_to_render(page, &first.extraction) else { return Ok(first) };
        // fragments mean something to scripts only
        let is_same = requested.split('#').next() == Some(first.url.as_str());
        let shown_url = if is_same { requested } else { &first.url };
        let shown =
            self.opener.open_in_browser(rendering, shown_url, None).and_then(|shown| self.answer(shown));
        match shown {
            Ok(mut shown) if has_more(&shown.extraction, &first.extraction) => {
                shown.extraction.page.rendered = Some(why.to_owned());
                Ok(shown)
            }
            Ok(_) => Ok(first),
            Err(error) => {
                let text = format!("{why}, but a browser could not show it: {error}");
                first.extraction.warnings.push(Warning::Note(text));
                Ok(first)
            }
        }
    }

    /// The answer for a document.
    fn answer(&self, opened: OpenedDocument) -> Result<FirstAnswer, SiteError> {
        let OpenedDocument { document, url, next, tab, .. } = opened;
        let (page, extraction) = match document {
            Document::Data(extraction) => (None, *extraction),
            Document::Page(page) => {
                let extract = || tokio::task::block_in_place(|| self.extract(*page));
                let (page, extraction) = catch_panic(&url, extract)?;
                (Some(page), extraction)
            }
        };
        Ok(FirstAnswer { page, extraction, url, next, tab })
    }

    /// Extracts the lists of a page, or its object.
    fn extract(&self, page: Page) -> (Box<Page>, Answer) {
        let VisitOptions { request, max_pages, max_details, .. } = &*self.opener.options;
        let mut request = request.clone();
        // Only lists have following pages and records with detail pages.
        if *max_pages > 1 || *max_details > 0 {
            request.kind = KindRequest::List;
        }
        let extraction = copal_extract::extract(&page, &request);
        (Box::new(page), extraction)
    }
}

/// True if the answer with a browser is better than the one without it.
fn has_more(shown: &Answer, plain: &Answer) -> bool {
    let records = |answer: &Answer| answer.primary().map(|list| list.records.len());
    match (records(shown), records(plain)) {
        (Some(shown), Some(plain)) => shown >= plain,
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => {
            shown.object.is_some() || plain.object.is_none() && shown.regions.len() >= plain.regions.len()
        }
    }
}
