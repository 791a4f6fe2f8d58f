//! One call from an address to an answer.

use crate::details;
use crate::follow::{self, Progress};
use crate::open::{self, OpenError, Opened};
use crate::stop::Stopper;
use copal::{Answer, Document, KindRequest, Options, Page};
use copal_fetch::{FetchError, FetchOptions, Fetcher};
use std::sync::Arc;

/// How an address is visited.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct VisitOptions {
    /// What is extracted.
    pub extract: Options,
    /// Most pages of a list; 1 for the first alone.
    pub pages: usize,
    /// Most pages of records that are read, too.
    pub details: usize,
}

impl Default for VisitOptions {
    fn default() -> Self {
        VisitOptions { extract: Options::default(), pages: 1, details: 0 }
    }
}

/// Visits addresses. Clones share their fetcher.
#[derive(Debug, Clone)]
pub struct Visitor {
    fetcher: Fetcher,
    options: Arc<VisitOptions>,
    stopper: Stopper,
}

impl Visitor {
    /// A visitor; nothing is asked yet.
    pub fn new(fetch: FetchOptions, options: VisitOptions) -> Result<Visitor, FetchError> {
        Ok(Visitor { fetcher: Fetcher::new(fetch)?, options: Arc::new(options), stopper: Stopper::new() })
    }

    /// Ends all visits: each gives what it has.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// The document at an address.
    pub async fn open(&self, url: &str) -> Result<Opened, OpenError> {
        open::open(&self.fetcher, url, &self.options.extract).await
    }

    /// The answer for an address: its lists, the main one followed over its pages if that was asked for. Needs a runtime of
    /// several threads. None if someone said stop before the first page was there.
    pub async fn visit(
        &self,
        url: &str,
        progress: impl Fn(&Progress) + Sync,
    ) -> Result<Option<Answer>, OpenError> {
        let Some(opened) = self.stopper.unless_stopped(self.open(url)).await else { return Ok(None) };
        let opened = opened?;
        let Opened { document, url, next, notes, .. } = opened;
        let (page, mut extraction) = match document {
            Document::Data(extraction) => (None, *extraction),
            Document::Page(page) => {
                let work = || tokio::task::block_in_place(|| self.read(*page));
                let (page, extraction) = open::guarded(&url, work)?;
                (Some(page), extraction)
            }
        };
        extraction.warnings.extend(notes);
        if let (None, Some(next)) = (&extraction.page.next, &next) {
            extraction.page.next = Some(next.clone());
        }
        if self.options.pages > 1 && extraction.primary().is_some() {
            let start = follow::Start { page, url, next };
            extraction = follow::follow(self, start, extraction, &progress).await?;
        }
        if self.options.details > 0 {
            let records = extraction.primary().map_or(0, |list| list.records.len());
            let pages = extraction.followed.as_ref().map_or(1, |followed| followed.pages.len());
            let of = extraction.page.counter.clone();
            let url = extraction.page.url.clone().unwrap_or_default();
            let told = |done, all| {
                progress(&Progress {
                    url: url.clone(),
                    pages,
                    records,
                    of: of.clone(),
                    details: Some((done, all)),
                });
            };
            details::add(self, &mut extraction, self.options.details, &told).await;
        }
        Ok(Some(extraction))
    }

    /// The lists of a page, or its object.
    fn read(&self, page: Page) -> (Box<Page>, Answer) {
        let VisitOptions { extract, pages, details } = &*self.options;
        let mut extract = extract.clone();
        // following pages or records only makes sense for a list
        if *pages > 1 || *details > 0 {
            extract.extract.kind = KindRequest::List;
        }
        let answer = copal::extract_page(&page, &extract);
        (Box::new(page), answer)
    }

    pub(crate) fn options(&self) -> &VisitOptions {
        &self.options
    }

    pub(crate) fn stopping(&self) -> &Stopper {
        &self.stopper
    }
}
