//! The entry point of the crate: a URL goes in, the answer for its list or object comes out.

use std::sync::Arc;

use copal_dom::Page;
use copal_extract::{Answer, Document, KindRequest};
use copal_fetch::{FetchError, FetchOptions, Fetcher};

use crate::detail_pages;
use crate::error::{SiteError, catch_panic};
use crate::follow::{self, FirstPage};
use crate::options::VisitOptions;
use crate::page_opener::{OpenedDocument, PageOpener};
use crate::progress::{DetailProgress, PageSink, VisitProgress};
use crate::stopper::Stopper;

/// Visits URLs. Clones share the fetcher and the stopper.
#[derive(Debug, Clone)]
pub struct Visitor {
    opener: PageOpener,
}

impl Visitor {
    /// Creates a visitor. Does not send any request.
    pub fn new(fetch: FetchOptions, options: VisitOptions) -> Result<Visitor, SiteError> {
        let fetcher = Fetcher::new(fetch)?;
        Ok(Visitor { opener: PageOpener { fetcher, options: Arc::new(options), stopper: Stopper::new() } })
    }

    /// Why fetched pages are not stored although a cache was asked for.
    pub fn cache_problem(&self) -> Option<&FetchError> {
        self.opener.fetcher.cache_problem()
    }

    /// Stops all visits of this visitor. Each returns what it has read.
    pub fn stopper(&self) -> Stopper {
        self.opener.stopper.clone()
    }

    /// Fetches and parses the document at a URL.
    pub async fn open(&self, url: &str) -> Result<OpenedDocument, SiteError> {
        self.opener.open(url).await
    }

    /// The answer for a URL: its lists, with the main list followed over its pages and the detail pages of
    /// its records joined, as far as the options ask for that. Needs a multi-threaded runtime. Returns `None`
    /// if the visit is stopped before the first page has arrived.
    pub async fn visit(
        &self,
        url: &str,
        on_progress: impl Fn(&VisitProgress) + Sync,
    ) -> Result<Option<Answer>, SiteError> {
        self.visit_list(url, &on_progress, None).await
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
        self.visit_list(url, &on_progress, Some(&on_page)).await
    }

    async fn visit_list(
        &self,
        url: &str,
        on_progress: &(impl Fn(&VisitProgress) + Sync),
        on_page: Option<PageSink<'_>>,
    ) -> Result<Option<Answer>, SiteError> {
        let Some(opened) = self.opener.open_unless_stopped(url).await else { return Ok(None) };
        let OpenedDocument { document, url, next, .. } = opened?;
        let (page, mut extraction) = match document {
            Document::Data(extraction) => (None, *extraction),
            Document::Page(page) => {
                let extract = || tokio::task::block_in_place(|| self.extract(*page));
                let (page, extraction) = catch_panic(&url, extract)?;
                (Some(page), extraction)
            }
        };
        if let (None, Some(next)) = (&extraction.page.next, &next) {
            extraction.page.next = Some(next.clone());
        }
        let options = &self.opener.options;
        if let Some(on_page) = on_page.filter(|_| options.max_pages > 1 || options.max_details > 0) {
            tokio::task::block_in_place(|| on_page(extraction.clone()));
        }
        if options.max_pages > 1 && extraction.primary().is_some() {
            let first_page = FirstPage { page, url, declared_next: next };
            extraction = follow::follow(&self.opener, first_page, extraction, on_progress, on_page).await;
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

    /// Extracts the lists of a page, or its object.
    fn extract(&self, page: Page) -> (Box<Page>, Answer) {
        let VisitOptions { request, max_pages, max_details } = &*self.opener.options;
        let mut request = request.clone();
        // Only lists have following pages and records with detail pages.
        if *max_pages > 1 || *max_details > 0 {
            request.kind = KindRequest::List;
        }
        let extraction = copal_extract::extract(&page, &request);
        (Box::new(page), extraction)
    }
}
