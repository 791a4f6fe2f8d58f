//! The entry point of the crate: a URL goes in, a page comes out.
//!
//! `get` looks into the cache and retries temporary failures, `follow_redirects` goes from hop to hop and
//! checks each one, and [`Transport`] sends the single requests.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};

use crate::allowed_url::AllowedUrl;
use crate::cache::{Cache, CacheEntry};
use crate::error::{FetchError, FetchErrorKind, is_temporary_status};
use crate::fetched_page::FetchedPage;
use crate::http_exchange::HttpResponse;
use crate::options::FetchOptions;
use crate::response_headers::{content_type, header_value, links, may_store};
use crate::retry;
use crate::robots_cache::RobotsCache;
use crate::transport::Transport;

/// Fetches pages politely and safely. Clones share connections, cookies, delays and the cache.
#[derive(Debug, Clone)]
pub struct Fetcher {
    shared: Arc<SharedState>,
}

#[derive(Debug)]
struct SharedState {
    transport: Transport,
    robots: RobotsCache,
    cache: Option<Arc<Cache>>,
}

/// The response at the end of all redirects.
#[derive(Debug)]
struct FinalResponse {
    url: AllowedUrl,
    response: HttpResponse,
    redirects: Vec<String>,
    downgraded: bool,
}

impl Fetcher {
    /// Creates a fetcher, and the folder of the cache if there is one. Does not send any request.
    pub fn new(options: FetchOptions) -> Result<Self, FetchError> {
        let robots = RobotsCache::new(&options.user_agent);
        let cache_options = options.cache.clone();
        let transport = Transport::new(options)?;
        let cache = cache_options.map(Cache::open).transpose()?.map(Arc::new);
        Ok(Self { shared: Arc::new(SharedState { transport, robots, cache }) })
    }

    /// Fetches the page at `url`. Waits until the host may be asked, follows redirects and retries temporary
    /// failures. Needs a tokio runtime with time and I/O. Error statuses (404) are returned as pages too, see
    /// [`FetchedPage::successful`].
    pub async fn get(&self, url: &str) -> Result<FetchedPage, FetchError> {
        let SharedState { transport, cache, .. } = &*self.shared;
        let requested = AllowedUrl::parse(url, &transport.policy)?;
        let stored = self.load(&requested).await;
        if let (Some(entry), Some(cache)) = (&stored, cache)
            && cache.is_fresh(entry)
        {
            return Ok(entry.clone().into_page());
        }
        let mut attempt = 0;
        loop {
            let result = self.shared.follow_redirects(&requested, stored.as_ref()).await;
            let delay = if attempt < transport.options.retries {
                self.shared.retry_delay(attempt, &result)
            } else {
                None
            };
            let Some(delay) = delay else { return self.finish(&requested, result?, stored).await };
            let authority =
                result.as_ref().map_or_else(|_| requested.authority(), |reached| reached.url.authority());
            transport.rate_limiter.postpone(&authority, delay);
            attempt += 1;
        }
    }

    /// Turns a response into a page and stores it in the cache if that is allowed.
    async fn finish(
        &self,
        requested: &AllowedUrl,
        reached: FinalResponse,
        stored: Option<CacheEntry>,
    ) -> Result<FetchedPage, FetchError> {
        let FinalResponse { url, response, redirects, downgraded } = reached;
        if response.status == 304
            && let Some(entry) = stored
        {
            let entry = entry.confirmed();
            self.store(entry.clone()).await;
            return Ok(entry.into_page());
        }
        let (content_type, charset) = content_type(&response.headers);
        let page = FetchedPage {
            url: url.url.to_string(),
            status: response.status,
            content_type,
            charset,
            links: links(&response.headers, &url.url),
            body: response.body,
            from_cache: false,
            truncated: response.truncated,
            redirects,
            downgraded,
        };
        if self.shared.cache.is_some()
            && page.status == 200
            && !page.truncated
            && may_store(&response.headers)
        {
            let etag = header_value(&response.headers, &header::ETAG);
            let last_modified = header_value(&response.headers, &header::LAST_MODIFIED);
            self.store(CacheEntry::new(requested.url.as_str(), &page, etag, last_modified)).await;
        }
        Ok(page)
    }

    async fn load(&self, requested: &AllowedUrl) -> Option<CacheEntry> {
        let cache = Arc::clone(self.shared.cache.as_ref()?);
        let url = requested.url.to_string();
        let max_body = self.shared.transport.options.limits.decoded_bytes;
        tokio::task::spawn_blocking(move || cache.load(&url, max_body)).await.ok().flatten()
    }

    async fn store(&self, entry: CacheEntry) {
        let Some(cache) = self.shared.cache.clone() else { return };
        // A page that could not be stored is still a page.
        let _ = tokio::task::spawn_blocking(move || cache.store(&entry)).await;
    }
}

impl SharedState {
    /// Sends the request and follows redirects. Every hop is checked like the first one.
    async fn follow_redirects(
        &self,
        start: &AllowedUrl,
        stored: Option<&CacheEntry>,
    ) -> Result<FinalResponse, FetchError> {
        let Transport { options, policy, .. } = &self.transport;
        let limits = &options.limits;
        let (mut current, mut redirects, mut downgraded) = (start.clone(), Vec::new(), false);
        let mut time_left = limits.total_time;
        loop {
            let with_origin = |error: FetchError| match redirects.last() {
                Some(from) if error.kind() == FetchErrorKind::Url => {
                    FetchError::RefusedRedirect { from: String::clone(from), reason: Box::new(error) }
                }
                _ => error,
            };
            if options.obey_robots {
                self.robots.check(&self.transport, &current).await.map_err(with_origin)?;
            }
            let conditions = stored
                .filter(|entry| entry.url == current.url.as_str())
                .map_or_else(HeaderMap::new, conditional_headers);
            let response = self
                .transport
                .send(&current, conditions, limits, &mut time_left)
                .await
                .map_err(with_origin)?;
            let Some(location) = response.location() else {
                return Ok(FinalResponse { url: current, response, redirects, downgraded });
            };
            if redirects.len() >= limits.redirects {
                return Err(FetchError::TooManyRedirects {
                    url: start.url.to_string(),
                    limit: limits.redirects,
                });
            }
            redirects.push(current.url.to_string());
            let next = current.join(&location, policy).map_err(|reason| FetchError::RefusedRedirect {
                from: current.url.to_string(),
                reason: Box::new(reason),
            })?;
            downgraded |= current.url.scheme() == "https" && next.url.scheme() == "http";
            current = next;
        }
    }

    /// The delay before another attempt, or nothing if a retry would not help.
    fn retry_delay(&self, attempt: u32, result: &Result<FinalResponse, FetchError>) -> Option<Duration> {
        let (temporary, retry_after) = match result {
            Ok(FinalResponse { response, .. }) => {
                // A body that was too slow to arrive in time would be too slow again.
                let broken = response
                    .broken
                    .as_ref()
                    .is_some_and(|error| !matches!(error, FetchError::Timeout { .. }));
                (
                    broken || is_temporary_status(response.status),
                    header_value(&response.headers, &header::RETRY_AFTER),
                )
            }
            Err(error) => (error.is_temporary(), None),
        };
        let options = &self.transport.options;
        temporary
            .then(|| retry::delay(attempt, options.backoff, options.max_backoff, retry_after.as_deref()))
            .flatten()
    }
}

/// Headers that ask for the page only if it has changed.
fn conditional_headers(entry: &CacheEntry) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let pairs: [(HeaderName, _); 2] =
        [(header::IF_NONE_MATCH, &entry.etag), (header::IF_MODIFIED_SINCE, &entry.last_modified)];
    for (name, value) in pairs {
        if let Some(value) = value.as_ref().and_then(|value| HeaderValue::from_str(value).ok()) {
            headers.insert(name, value);
        }
    }
    headers
}
