//! Opens URLs: a URL goes in, a page (or the lists of a data document) with its final URL comes out.
//!
//! A page that redirects with `<meta http-equiv=refresh>` is followed like an HTTP redirect.

use std::sync::Arc;

use copal_dom::Warning;
use copal_extract::{Document, Received};
use copal_fetch::{FetchError, FetchedPage, Fetcher, PageRequest};

use crate::error::{SiteError, catch_panic};
use crate::meta_refresh::refresh_target;
use crate::options::VisitOptions;
use crate::render_mode::{RenderMode, SavedPage};
use crate::rendering::{OpenTab, Rendering};
use crate::stopper::Stopper;
use crate::stylesheet_fetching;

const MAX_META_REFRESHES: usize = 5;

/// A document as it was opened.
#[derive(Debug)]
#[non_exhaustive]
pub struct OpenedDocument {
    /// The page, or the lists of a data document, with warnings about how it was transferred.
    pub document: Document,
    /// The URL after all redirects.
    pub url: String,
    /// The URL of the next page, if the server declares it (`Link: rel=next`).
    pub next: Option<String>,
    /// The document came from the cache.
    pub from_cache: bool,
    /// The page in the browser, if one shows it.
    pub(crate) tab: Option<OpenTab>,
}

/// What a server sent, not parsed yet.
#[derive(Debug)]
#[non_exhaustive]
pub struct FetchedBytes {
    /// The URL after all redirects of the server.
    pub url: String,
    /// What the server declares about the body.
    pub received: Received,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// The URL of the next page, if the server declares it (`Link: rel=next`).
    pub next: Option<String>,
    /// What users should know about the transfer.
    pub warnings: Vec<Warning>,
    /// The body came from the cache.
    pub from_cache: bool,
}

/// Opens the pages of a visit. Clones share the fetcher and the stopper.
#[derive(Debug, Clone)]
pub(crate) struct PageOpener {
    pub(crate) fetcher: Fetcher,
    pub(crate) options: Arc<VisitOptions>,
    pub(crate) stopper: Stopper,
}

impl PageOpener {
    /// Fetches and parses a URL. Returns `None` if the visit is stopped before the document has arrived.
    pub(crate) async fn open_unless_stopped(
        &self,
        request: &PageRequest,
    ) -> Option<Result<OpenedDocument, SiteError>> {
        let opened = self.stopper.unless_stopped(self.open(request)).await;
        // a browser that was interrupted gives an error
        opened.filter(|opened| opened.is_ok() || !self.stopper.is_stopped())
    }

    /// Fetches and parses a URL, or shows it in the browser if all pages are shown there. What a form that is sent
    /// by POST leads to is never shown there: its URL alone leads to another page.
    pub(crate) async fn open(&self, request: &PageRequest) -> Result<OpenedDocument, SiteError> {
        match &self.options.rendering {
            Some(rendering) if rendering.mode() == RenderMode::Always && request.form.is_none() => {
                self.open_in_browser(rendering, &request.url, None)
            }
            _ => self.fetch(request).await,
        }
    }

    /// Fetches and parses a URL.
    async fn fetch(&self, first: &PageRequest) -> Result<OpenedDocument, SiteError> {
        let request = &self.options.request;
        let mut wanted = first.clone();
        let mut refreshes_left = MAX_META_REFRESHES;
        let mut warnings = Vec::new();
        loop {
            let mut fetched = self.fetch_bytes(&wanted).await?;
            warnings.append(&mut fetched.warnings);
            let read = || copal_extract::read(&fetched.body, &fetched.received, request);
            let mut document = catch_panic(&fetched.url, read)?
                .map_err(|reason| SiteError::Read { url: fetched.url.clone(), reason })?;
            if let Document::Page(page) = &document
                && refreshes_left > 0
                && let Some(target) = refresh_target(page, &fetched.url)
            {
                refreshes_left -= 1;
                wanted = PageRequest::get(target);
                continue;
            }
            if let Document::Page(page) = &mut document
                && self.options.fetch_stylesheets
                && request.stylesheets
            {
                stylesheet_fetching::add_linked_styles(page, &self.fetcher).await;
            }
            match &mut document {
                Document::Page(page) => page.warnings.append(&mut warnings),
                Document::Data(answer) => answer.warnings.append(&mut warnings),
            }
            return Ok(OpenedDocument {
                document,
                next: fetched.next,
                url: fetched.url,
                from_cache: fetched.from_cache,
                tab: None,
            });
        }
    }

    /// Fetches a URL, but does not parse what it sends.
    pub(crate) async fn fetch_bytes(&self, request: &PageRequest) -> Result<FetchedBytes, SiteError> {
        let fetched = self.fetcher.fetch(request).await?.successful()?;
        let warnings = transfer_warnings(&fetched, self.options.request.limits.bytes);
        let is_next = |rel: &str| rel.split_ascii_whitespace().any(|rel| rel == "next");
        let next = fetched.links.into_iter().find(|(rel, _)| is_next(rel)).map(|(_, url)| url);
        let received = Received {
            url: Some(fetched.url.clone()),
            content_type: fetched.content_type,
            charset: fetched.charset,
        };
        let (url, body, from_cache) = (fetched.url, fetched.body, fetched.from_cache);
        Ok(FetchedBytes { url, received, body, next, warnings, from_cache })
    }

    /// Shows a URL, or a saved page as the page at this URL, in the browser.
    pub(crate) fn open_in_browser(
        &self,
        rendering: &Rendering,
        url: &str,
        saved: Option<&SavedPage>,
    ) -> Result<OpenedDocument, SiteError> {
        let limits = &self.options.request.limits;
        let (page, tab) = rendering.open(url, saved, &self.fetcher, &self.stopper, limits)?;
        let url = page.url.clone().unwrap_or_else(|| url.to_owned());
        let document = Document::Page(page);
        Ok(OpenedDocument { document, url, next: None, from_cache: false, tab: Some(tab) })
    }
}

impl OpenedDocument {
    /// The warnings that make a result with this document partial.
    pub(crate) fn partial_warnings(&self) -> impl Iterator<Item = &Warning> {
        let warnings = match &self.document {
            Document::Page(page) => &page.warnings,
            Document::Data(answer) => &answer.warnings,
        };
        warnings.iter().filter(|warning| warning.is_about_partial_result())
    }
}

/// What users should know about a transfer; `max_bytes` is the limit for pages.
fn transfer_warnings(fetched: &FetchedPage, max_bytes: usize) -> Vec<Warning> {
    let mut warnings = Vec::new();
    match &fetched.broken {
        Some(error) => {
            let what = "the page".to_owned();
            warnings.push(Warning::Incomplete { what, why: describe_broken(error) });
        }
        // A body beyond the byte limit of pages is reported by that limit.
        None if fetched.truncated && fetched.body.len() <= max_bytes => warnings.push(Warning::Cut),
        None => {}
    }
    if fetched.downgraded {
        warnings.push(Warning::Note("a redirect led from https to http".to_owned()));
    }
    warnings
}

/// Why a body is broken, without the host, which the warning's page has.
fn describe_broken(error: &FetchError) -> String {
    match error {
        FetchError::BrokenBody { reason, .. } => reason.clone(),
        FetchError::Timeout { after, .. } => {
            format!("not all of it came within {} seconds", after.as_secs_f32())
        }
        other => other.to_string(),
    }
}
