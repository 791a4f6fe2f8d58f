//! The pages of a task: bodies that came with it, and URLs that are fetched.

use crate::options::{ExtractOptions, RenderOption};
use crate::task::{FailureKind, NetworkSettings, TaskFailure, TaskPage};
use copal::{Answer, Document, Page, Received, Request};
use copal_fetch::{CacheOptions, FetchError, FetchOptions, Fetcher, Politeness, ProxySource};
use copal_site::{SiteError, VisitOptions, VisitProgress, Visitor};
use copal_tasks::{TaskError, catch_panic};
use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The longest delay between two requests, unless the shortest is longer.
const MAX_DELAY: Duration = Duration::from_secs(30);

/// Bytes of one image.
pub(super) const MAX_FETCHED_IMAGE_BYTES: usize = 1_000_000;
/// Stylesheets of a page that is shown.
const MAX_LINKED_SHEETS: usize = 8;
/// How long these may take together.
const MAX_STYLE_TIME: Duration = Duration::from_secs(6);

/// Told about each page of a list: pages and records so far.
pub(super) type OnProgress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Reads pages. URLs share one fetcher, which keeps delays and robots.txt files between tasks.
pub(super) struct PageSourceReader {
    runtime: Runtime,
    fetcher: Fetcher,
    /// Made when the first image is asked for.
    image_fetcher: OnceLock<Fetcher>,
    network: NetworkSettings,
}

impl PageSourceReader {
    pub(super) fn new(network: &NetworkSettings, page_bytes: usize) -> Result<PageSourceReader, TaskFailure> {
        let setup = |message: String| TaskFailure::new(FailureKind::Fetch, message);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(4)
            .enable_all()
            .build()
            .map_err(|error| setup(error.to_string()))?;
        let mut options = fetch_options(network, page_bytes);
        let min_delay = Duration::from_millis(network.delay_ms);
        let factor = if min_delay.is_zero() { 0.0 } else { 2.0 };
        options.politeness = Politeness::Adaptive { min_delay, max_delay: MAX_DELAY.max(min_delay), factor };
        let fetcher = runtime.block_on(async { Fetcher::new(options) });
        let fetcher = fetcher.map_err(|error| setup(error.to_string()))?;
        Ok(PageSourceReader { runtime, fetcher, image_fetcher: OnceLock::new(), network: network.clone() })
    }

    /// Reads a page that came with the task.
    pub(super) fn given(page: &TaskPage, body: &[u8], request: &Request) -> Result<Document, TaskFailure> {
        let received = Received {
            url: page.url.clone(),
            content_type: page.content_type.clone(),
            charset: page.charset.clone(),
        };
        Ok(catch_panic(|| copal::read(body, &received, request).map_err(TaskError::unreadable))?)
    }

    /// Fetches the document at a URL.
    pub(super) fn document(&self, url: &str, request: &Request) -> Result<Document, TaskFailure> {
        let mut options = VisitOptions::default();
        options.request = request.clone();
        let visitor = Visitor::with_fetcher(self.fetcher.clone(), options);
        let opened = self.runtime.block_on(async { visitor.open(url).await });
        Ok(opened.map_err(|error| site_failure(&error))?.document)
    }

    /// The document at a URL as a browser shows it.
    pub(super) fn rendered_document(
        &self,
        url: &str,
        request: &Request,
        render: RenderOption,
    ) -> Result<Document, TaskFailure> {
        let mut options = VisitOptions::default();
        options.request = request.clone();
        let always = if render == RenderOption::None { render } else { RenderOption::Chromium };
        options.rendering = rendering(always, &self.network)?;
        let visitor = Visitor::with_fetcher(self.fetcher.clone(), options);
        let opened =
            std::thread::scope(|scope| scope.spawn(|| self.runtime.block_on(visitor.open(url))).join());
        let opened = opened
            .map_err(|_| TaskFailure::new(FailureKind::Unreadable, format!("internal error on {url}")))?;
        Ok(opened.map_err(|error| site_failure(&error))?.document)
    }

    /// The stylesheets that a page links to, by URL, as far as they can be fetched in a short time.
    pub(super) fn linked_stylesheets(&self, page: &Page) -> HashMap<String, String> {
        let mut found = HashMap::new();
        let saved = copal_css::Stylesheets::saved_with(page);
        let end = Instant::now() + MAX_STYLE_TIME;
        for url in copal_css::linked_stylesheets(page, &saved).into_iter().take(MAX_LINKED_SHEETS) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let fetched =
                self.runtime.block_on(async { tokio::time::timeout(left, self.fetcher.get(&url)).await });
            let Ok(Ok(response)) = fetched else { continue };
            let Ok(response) = response.successful() else { continue };
            // servers answer with a page where a file is missing
            if !response.content_type.as_deref().is_some_and(|kind| kind.contains("html")) {
                found.insert(url, String::from_utf8_lossy(&response.body).into_owned());
            }
        }
        found
    }

    /// Fetches an image. The checks of URLs and addresses are those of pages, but there is no delay between images:
    /// one is fetched after the other, as slowly as a person's browser at most.
    pub(super) fn image(&self, url: &str, left: Duration) -> Result<Vec<u8>, TaskFailure> {
        let fetcher = match self.image_fetcher.get() {
            Some(fetcher) => fetcher,
            None => {
                let mut options = fetch_options(&self.network, MAX_FETCHED_IMAGE_BYTES);
                options.politeness =
                    Politeness::Adaptive { min_delay: Duration::ZERO, max_delay: MAX_DELAY, factor: 0.0 };
                let fetcher = self.runtime.block_on(async { Fetcher::new(options) });
                let fetcher = fetcher.map_err(|error| TaskFailure::new(FailureKind::Fetch, error))?;
                self.image_fetcher.get_or_init(|| fetcher)
            }
        };
        let fetched = self.runtime.block_on(async { tokio::time::timeout(left, fetcher.get(url)).await });
        let fetched =
            fetched.map_err(|_| TaskFailure::new(FailureKind::Fetch, "the image takes too long"))?;
        let response = fetched.and_then(copal_fetch::FetchedPage::successful);
        let response = response.map_err(|error| TaskFailure::new(fetch_failure_kind(&error), error))?;
        Ok(response.body)
    }

    /// Fetches a page, or shows it in the browser: always, or if it needs that.
    pub(super) fn opened(
        &self,
        name: &str,
        url: &str,
        render: RenderOption,
        request: &Request,
    ) -> Result<Page, TaskFailure> {
        if render != RenderOption::Chromium {
            let plain = as_page(name, self.document(url, request)?)?;
            let needs_browser = || {
                let answer = copal::extract_page(&plain, request);
                copal_site::reason_to_render(&plain, &answer).is_some()
            };
            if render == RenderOption::None || !needs_browser() {
                return Ok(plain);
            }
        }
        as_page(name, self.rendered_document(url, request, render)?)
    }

    /// The answer for a URL, with its following pages and detail pages.
    pub(super) fn visit(
        &self,
        url: &str,
        request: &Request,
        options: &ExtractOptions,
        on_progress: OnProgress<'_>,
    ) -> Result<Answer, TaskFailure> {
        let mut visit = VisitOptions::default();
        visit.request = request.clone();
        visit.max_pages = options.follow.unwrap_or(1);
        visit.max_details = options.details.unwrap_or(0);
        visit.rendering = rendering(options.render, &self.network)?;
        let visitor = Visitor::with_fetcher(self.fetcher.clone(), visit);
        let report = |progress: &VisitProgress| on_progress(progress.pages, progress.records);
        // `visit` blocks its thread where it extracts, which a runtime allows in its own threads only
        let (answer, url) = std::thread::scope(|scope| {
            let work = scope.spawn(|| self.runtime.block_on(visitor.visit(url, report)));
            (work.join(), url)
        });
        let answer = answer
            .map_err(|_| TaskFailure::new(FailureKind::Unreadable, format!("internal error on {url}")))?;
        let answer = answer.map_err(|error| site_failure(&error))?;
        answer.ok_or_else(|| TaskFailure::new(FailureKind::Fetch, "the visit was stopped"))
    }
}

/// The page of a document; feeds and JSON are not pages.
pub(super) fn as_page(name: &str, document: Document) -> Result<Page, TaskFailure> {
    match document {
        Document::Page(read) => Ok(*read),
        Document::Data(_) => {
            let message = format!("{name}: is data, not a page: expected HTML");
            let mut failure = TaskFailure::new(FailureKind::Unreadable, message);
            failure.hint =
                Some("feeds and JSON are read by /v1/extract, but have no page to show".to_owned());
            Err(failure)
        }
    }
}

/// What all fetchers of a worker obey.
fn fetch_options(network: &NetworkSettings, max_bytes: usize) -> FetchOptions {
    let mut options = FetchOptions::default();
    options.allow_private = network.allow_private;
    options.obey_robots = network.obey_robots;
    // the variables of the operator's shell are not meant for the users of a service
    options.proxies = ProxySource::None;
    options.limits.decoded_bytes = max_bytes.saturating_add(1);
    options.limits.wire_bytes = max_bytes.saturating_add(1);
    options.limits.attempt_time = Duration::from_secs(network.timeout_s);
    options.limits.total_time = Duration::from_secs(network.timeout_s);
    if let Some(contact) = &network.contact {
        options.user_agent = format!("copal/{} (+{contact})", env!("CARGO_PKG_VERSION"));
    }
    options.cache = network.cache.clone().map(CacheOptions::new);
    options
}

#[cfg(feature = "render")]
fn rendering(
    option: RenderOption,
    network: &NetworkSettings,
) -> Result<Option<copal_site::Rendering>, TaskFailure> {
    let mode = match option {
        RenderOption::None => return Ok(None),
        RenderOption::Auto => copal_site::RenderMode::Auto,
        RenderOption::Chromium => copal_site::RenderMode::Always,
    };
    let mut options = copal_render::RenderOptions::default();
    options.browser.clone_from(&network.browser);
    options.sandbox = network.browser_sandbox;
    let renderer = copal_render::Renderer::new(options)
        .map_err(|error| TaskFailure::new(FailureKind::Unreadable, error))?;
    Ok(Some(copal_site::Rendering::new(renderer, mode)))
}

#[cfg(not(feature = "render"))]
fn rendering(
    option: RenderOption,
    _: &NetworkSettings,
) -> Result<Option<copal_site::Rendering>, TaskFailure> {
    if option == RenderOption::None {
        return Ok(None);
    }
    let message = "render: this build cannot show pages in a browser: rebuild with --features render";
    Err(TaskFailure::new(FailureKind::Usage, message))
}

/// Why a site gave no page: forbidden by us, or failed there.
pub(super) fn site_failure(error: &SiteError) -> TaskFailure {
    let kind = match error {
        SiteError::Fetch(error) => fetch_failure_kind(error),
        _ => FailureKind::Unreadable,
    };
    TaskFailure::new(kind, error)
}

fn fetch_failure_kind(error: &FetchError) -> FailureKind {
    match error {
        FetchError::InvalidUrl { .. } => FailureKind::Usage,
        FetchError::RefusedRedirect { .. }
        | FetchError::UnsupportedScheme { .. }
        | FetchError::Userinfo { .. }
        | FetchError::BlockedPort { .. }
        | FetchError::LocalName { .. }
        | FetchError::PrivateAddress { .. }
        | FetchError::RobotsDisallowed { .. } => FailureKind::Forbidden,
        _ => FailureKind::Fetch,
    }
}
