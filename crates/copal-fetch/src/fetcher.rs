//! The entry point of the crate: a URL goes in, a page comes out.
//!
//! `get` looks into the cache, `attempt_repeatedly` retries temporary failures, `follow_redirects` goes from
//! hop to hop and
//! checks each one, and [`Transport`] sends the single requests.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};

use crate::allowed_url::AllowedUrl;
use crate::cache::{Cache, CacheEntry};
use crate::error::{FetchError, FetchErrorKind, is_temporary_status};
use crate::fetched_page::FetchedPage;
use crate::http_exchange::HttpResponse;
#[cfg(feature = "egress")]
use crate::http_exchange::OutgoingRequest;
use crate::options::FetchOptions;
use crate::page_request::{PageRequest, outgoing};
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
    /// A form was sent, and a redirect led from it to a page of its own.
    after_form: bool,
}

impl Fetcher {
    /// Creates a fetcher, and the folder of the cache if there is one. Does not send any request.
    pub fn new(options: FetchOptions) -> Result<Self, FetchError> {
        let robots = RobotsCache::new(&options.user_agent);
        let cache_options = options.cache.clone();
        let transport = Transport::new(options)?;
        let cache = cache_options.map(Cache::open).map(Arc::new);
        Ok(Self { shared: Arc::new(SharedState { transport, robots, cache }) })
    }

    /// Why pages are not stored although a cache was asked for: its folder cannot be written. Pages that are
    /// there are used all the same.
    pub fn cache_problem(&self) -> Option<&FetchError> {
        self.shared.cache.as_ref()?.problem()
    }

    /// Fetches the page at `url`. Waits until the host may be asked, follows redirects and retries temporary
    /// failures. Needs a tokio runtime with time and I/O. Error statuses (404) are returned as pages too, see
    /// [`FetchedPage::successful`].
    pub async fn get(&self, url: &str) -> Result<FetchedPage, FetchError> {
        self.fetch(&PageRequest::get(url)).await
    }

    /// Fetches a page like [`get`](Self::get), or sends a form. A form is sent once: failures are not retried, and a
    /// redirect after it is followed by GET. Its response is stored in the cache under the URL and the fields.
    pub async fn fetch(&self, request: &PageRequest) -> Result<FetchedPage, FetchError> {
        let SharedState { transport, cache, .. } = &*self.shared;
        let requested = AllowedUrl::parse(&request.url, &transport.policy)?;
        let key = request.cache_key(requested.url.as_str());
        // What a user sees after a login is not for later runs without it.
        let is_personal = transport.has_credentials_for(&requested.url);
        let stored = if is_personal || request.is_fresh { None } else { self.load(&key).await };
        if let (Some(entry), Some(cache)) = (&stored, cache)
            && cache.is_fresh(entry)
        {
            tracing::debug!(url = requested.url.as_str(), "from the cache");
            return Ok(entry.clone().into_page());
        }
        let reached =
            self.shared.attempt_repeatedly(&requested, request.form.as_deref(), stored.as_ref()).await?;
        self.finish(key, reached, stored).await
    }

    /// Turns a response into a page and stores it in the cache if that is allowed.
    async fn finish(
        &self,
        key: String,
        reached: FinalResponse,
        stored: Option<CacheEntry>,
    ) -> Result<FetchedPage, FetchError> {
        let FinalResponse { url, response, redirects, downgraded, after_form } = reached;
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
            broken: response.broken,
            redirects,
            downgraded,
        };
        let is_personal =
            |url: &str| url.parse().is_ok_and(|url| self.shared.transport.has_credentials_for(&url));
        let was_personal = is_personal(&page.url) || page.redirects.iter().any(|url| is_personal(url));
        if self.shared.cache.is_some()
            && !was_personal
            && page.status == 200
            && !page.truncated
            && may_store(&response.headers)
        {
            let etag = header_value(&response.headers, &header::ETAG);
            let last_modified = header_value(&response.headers, &header::LAST_MODIFIED);
            if after_form {
                let entry = CacheEntry::new(page.url.clone(), &page, etag.clone(), last_modified.clone());
                self.store(entry).await;
            }
            self.store(CacheEntry::new(key, &page, etag, last_modified)).await;
        }
        Ok(page)
    }

    /// Sends the request of a browser to a URL that was checked, if robots.txt allows that. Redirects are
    /// returned: the browser asks for their targets itself.
    #[cfg(feature = "egress")]
    pub(crate) async fn send_for_browser(
        &self,
        target: &AllowedUrl,
        request: OutgoingRequest,
        is_document: bool,
    ) -> Result<HttpResponse, FetchError> {
        let SharedState { transport, robots, .. } = &*self.shared;
        let mut time_left = transport.options.limits.attempt_time;
        if transport.options.obey_robots {
            robots.check(transport, target, &mut time_left).await?;
        }
        transport.send_for_browser(target, request, is_document, time_left).await
    }

    /// True if the user gave headers or cookies for an origin.
    #[cfg(feature = "egress")]
    pub(crate) fn has_credentials(&self) -> bool {
        self.shared.transport.options.credentials.is_some()
    }

    /// Adds the user's headers and cookies to the request of a browser, if it goes to their origin. The browser's
    /// own cookies stay.
    #[cfg(feature = "egress")]
    pub(crate) fn add_credentials(&self, target: &AllowedUrl, headers: &mut HeaderMap) {
        let credentials = self.shared.transport.options.credentials.as_ref();
        if let Some(credentials) = credentials.filter(|credentials| credentials.are_for(&target.url)) {
            for name in credentials.header_names() {
                headers.remove(name);
            }
            let own = headers.get(header::COOKIE).and_then(|value| value.to_str().ok()).map(str::to_owned);
            credentials.add_to(&target.url, headers, own.as_deref());
        }
    }

    /// Checks a URL as [`get`](Self::get) does, without asking for it. A browser changes some URLs before it asks, for
    /// example by removing user names.
    #[cfg(feature = "egress")]
    pub fn check_url(&self, url: &str) -> Result<(), FetchError> {
        self.allowed_url(url).map(drop)
    }

    /// Checks a URL without asking for it.
    #[cfg(feature = "egress")]
    pub(crate) fn allowed_url(&self, url: &str) -> Result<AllowedUrl, FetchError> {
        AllowedUrl::parse(url, &self.shared.transport.policy)
    }

    async fn load(&self, key: &str) -> Option<CacheEntry> {
        let cache = Arc::clone(self.shared.cache.as_ref()?);
        let key = key.to_owned();
        let max_body = self.shared.transport.options.limits.decoded_bytes;
        tokio::task::spawn_blocking(move || cache.load(&key, max_body)).await.ok().flatten()
    }

    async fn store(&self, entry: CacheEntry) {
        let Some(cache) = self.shared.cache.clone() else { return };
        // A page that could not be stored is still a page.
        let _ = tokio::task::spawn_blocking(move || cache.store(&entry)).await;
    }
}

impl SharedState {
    /// Sends the request until it succeeds, fails for good, or has used up its attempts or its time.
    async fn attempt_repeatedly(
        &self,
        requested: &AllowedUrl,
        form: Option<&str>,
        stored: Option<&CacheEntry>,
    ) -> Result<FinalResponse, FetchError> {
        let Transport { options, rate_limiter, .. } = &self.transport;
        let mut total_left = options.limits.total_time;
        let mut partial = None;
        let mut attempt = 0;
        loop {
            let attempt_time = options.limits.attempt_time.min(total_left);
            let mut time_left = attempt_time;
            let result = self.follow_redirects(requested, form, stored, &mut time_left).await;
            total_left = total_left.saturating_sub(attempt_time.saturating_sub(time_left));
            // One retry shows whether a body was cut by accident; servers that always cut it will cut it
            // again.
            let is_broken = result.as_ref().is_ok_and(|reached| reached.response.broken.is_some());
            // A form that was sent may have arrived.
            let may_retry = form.is_none() && attempt < options.retries && !(is_broken && partial.is_some());
            let Some(delay) = may_retry.then(|| self.retry_delay(attempt, &result)).flatten() else {
                return better_response(result, partial);
            };
            let authority =
                result.as_ref().map_or_else(|_| requested.authority(), |reached| reached.url.authority());
            let pause = delay.max(rate_limiter.pause_left(&authority));
            if pause >= total_left {
                return better_response(result, partial);
            }
            tracing::info!(url = requested.url.as_str(), seconds = pause.as_secs(), "will try again");
            total_left -= pause;
            rate_limiter.postpone(&authority, delay);
            if is_broken {
                partial = result.ok();
            }
            attempt += 1;
        }
    }

    /// Sends the request and follows redirects. Every hop is checked like the first one. Subtracts the time
    /// that requests took from `time_left`.
    async fn follow_redirects(
        &self,
        start: &AllowedUrl,
        mut form: Option<&str>,
        stored: Option<&CacheEntry>,
        time_left: &mut Duration,
    ) -> Result<FinalResponse, FetchError> {
        let Transport { options, policy, .. } = &self.transport;
        let limits = &options.limits;
        let (mut current, mut redirects, mut downgraded) = (start.clone(), Vec::new(), false);
        let was_form = form.is_some();
        loop {
            let with_origin = |error: FetchError| match redirects.last() {
                Some(from) if error.kind() == FetchErrorKind::Url => {
                    FetchError::RefusedRedirect { from: String::clone(from), reason: Box::new(error) }
                }
                _ => error,
            };
            if options.obey_robots {
                self.robots.check(&self.transport, &current, time_left).await.map_err(with_origin)?;
            }
            let conditions = stored
                .filter(|entry| form.is_none() && entry.url == current.url.as_str())
                .map_or_else(HeaderMap::new, conditional_headers);
            let request = outgoing(form, conditions);
            let response =
                self.transport.send(&current, request, limits, time_left).await.map_err(with_origin)?;
            let Some(location) = response.location() else {
                let after_form = was_form && form.is_none();
                return Ok(FinalResponse { url: current, response, redirects, downgraded, after_form });
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
            // 307 and 308 ask for the form to be sent again. That is only done for another spelling of the same host.
            if form.is_some() && matches!(response.status, 307 | 308) {
                if !is_same_action(&current.url, &next.url) {
                    return Err(FetchError::RedirectedForm { from: current.url.into(), to: next.url.into() });
                }
            } else {
                form = None;
            }
            tracing::debug!(url = current.url.as_str(), to = next.url.as_str(), "redirected");
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

/// The last result, or the incomplete response of an earlier attempt if that has more of the page.
fn better_response(
    last: Result<FinalResponse, FetchError>,
    partial: Option<FinalResponse>,
) -> Result<FinalResponse, FetchError> {
    let Some(partial) = partial else { return last };
    match last {
        Ok(last) if last.response.broken.is_none() && !is_temporary_status(last.response.status) => Ok(last),
        Ok(last)
            if last.response.broken.is_some() && last.response.body.len() >= partial.response.body.len() =>
        {
            Ok(last)
        }
        _ => Ok(partial),
    }
}

/// True if two URLs differ in nothing but a `www.` of the host and a scheme that becomes https.
fn is_same_action(a: &url::Url, b: &url::Url) -> bool {
    let host = |url: &url::Url| url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
    let rest = |url: &url::Url| (url.path().to_owned(), url.query().map(str::to_owned), url.port());
    host(a) == host(b) && rest(a) == rest(b) && (a.scheme() == b.scheme() || b.scheme() == "https")
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
