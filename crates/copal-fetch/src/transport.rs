//! Sends single requests: waits for the host's turn, picks the HTTP client (direct or through a proxy) and
//! adds and stores cookies.
//!
//! A checked URL goes in, a response comes out. Redirects, retries, robots.txt and the cache are decided by
//! the callers, so that pages and robots.txt files share the same connections, cookies and delays.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::header::{self, HeaderMap, HeaderValue};

use crate::allowed_url::{AllowedUrl, HostPolicy};
use crate::cookie_jar::CookieJar;
use crate::error::FetchError;
use crate::http_exchange::{ACCEPT_ENCODING, HttpResponse, OutgoingRequest, exchange};
use crate::options::{FetchLimits, FetchOptions};
use crate::proxy::ProxySettings;
use crate::rate_limiter::RateLimiter;
use crate::resolver::CheckedResolver;
use crate::response_headers::header_values;
use crate::sync::lock;
use crate::tls;

const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const IDLE_CONNECTION_LIFETIME: Duration = Duration::from_mins(1);

/// Connections, cookies and delays of one fetcher.
#[derive(Debug)]
pub(crate) struct Transport {
    pub(crate) options: FetchOptions,
    pub(crate) policy: HostPolicy,
    pub(crate) rate_limiter: RateLimiter,
    proxies: ProxySettings,
    tls: rustls::ClientConfig,
    direct_client: reqwest::Client,
    /// One client per proxy, by the URL of the proxy.
    proxy_clients: Mutex<HashMap<String, reqwest::Client>>,
    cookies: CookieJar,
}

impl Transport {
    /// Prepares the clients. Does not connect to anything.
    pub(crate) fn new(options: FetchOptions) -> Result<Self, FetchError> {
        if HeaderValue::from_str(&options.user_agent).is_err() || options.user_agent.trim().is_empty() {
            let reason = "the user agent must be printable text that is not empty".to_owned();
            return Err(FetchError::Setup { reason });
        }
        let policy =
            HostPolicy { allow_private: options.allow_private, global: options.hooks.global.clone() };
        let tls = tls::client_config(&options.hooks.roots)?;
        let resolver = CheckedResolver::new(options.hooks.resolver.clone(), policy.clone());
        let direct_client =
            build_client(&options, &tls, |builder| builder.no_proxy().dns_resolver(Arc::new(resolver)))?;
        Ok(Self {
            rate_limiter: RateLimiter::new(options.politeness),
            proxies: ProxySettings::read(&options),
            proxy_clients: Mutex::default(),
            cookies: CookieJar::default(),
            options,
            policy,
            tls,
            direct_client,
        })
    }

    /// Sends one request when its turn comes, with the cookies of its host. Subtracts the time it took from
    /// `time_left`; the wait for the turn does not count.
    pub(crate) async fn send(
        &self,
        page: &AllowedUrl,
        request: OutgoingRequest,
        limits: &FetchLimits,
        time_left: &mut Duration,
    ) -> Result<HttpResponse, FetchError> {
        let mut request = request;
        let headers = &mut request.headers;
        let (client, proxy) = self.client_for(page)?;
        let _permit = self.rate_limiter.acquire(&page.authority()).await;
        let jar = self.cookies.header(&page.url);
        if let Some(cookies) = jar.as_ref().and_then(|value| HeaderValue::try_from(value).ok()) {
            headers.insert(header::COOKIE, cookies);
        }
        if let Some(credentials) = &self.options.credentials {
            credentials.add_to(&page.url, headers, jar.as_deref());
        }
        let began = Instant::now();
        let response = exchange(&client, page, request, limits, *time_left).await;
        let response = response.map_err(|error| naming_proxy(error, proxy.as_deref()));
        *time_left = time_left.saturating_sub(began.elapsed());
        let milliseconds = began.elapsed().as_millis() as u64;
        match &response {
            Ok(response) => {
                let (status, bytes) = (u64::from(response.status), response.body.len() as u64);
                tracing::debug!(url = page.url.as_str(), status, bytes, milliseconds, "response");
            }
            Err(error) => {
                tracing::debug!(
                    url = page.url.as_str(),
                    error = error.to_string(),
                    milliseconds,
                    "no response"
                );
            }
        }
        if let Ok(response) = &response {
            for cookie in header_values(&response.headers, &header::SET_COOKIE) {
                self.cookies.set(&page.url, &cookie);
            }
        }
        response
    }

    /// Sends the request of a browser, which has cookies of its own. A document waits for its turn like every
    /// page. What a page needs beside it only shares the host with a few other requests: a page with its
    /// resources is one visit, and the pause is between visits.
    #[cfg(feature = "egress")]
    pub(crate) async fn send_for_browser(
        &self,
        target: &AllowedUrl,
        request: OutgoingRequest,
        is_document: bool,
        time_left: Duration,
    ) -> Result<HttpResponse, FetchError> {
        let (client, proxy) = self.client_for(target)?;
        let authority = target.authority();
        let (_turn, _share);
        if is_document {
            _turn = self.rate_limiter.acquire(&authority).await;
        } else {
            _share = self.rate_limiter.acquire_share(&authority).await;
        }
        let response = exchange(&client, target, request, &self.options.limits, time_left).await;
        response.map_err(|error| naming_proxy(error, proxy.as_deref()))
    }

    /// True if requests to a URL carry headers or cookies of the user.
    pub(crate) fn has_credentials_for(&self, url: &url::Url) -> bool {
        self.options.credentials.as_ref().is_some_and(|credentials| credentials.are_for(url))
    }

    /// The client for a page, and the URL of its proxy.
    fn client_for(&self, page: &AllowedUrl) -> Result<(reqwest::Client, Option<String>), FetchError> {
        let Some(proxy) = self.proxies.proxy_for(page)? else {
            return Ok((self.direct_client.clone(), None));
        };
        let mut clients = lock(&self.proxy_clients);
        if let Some(client) = clients.get(&proxy.url) {
            return Ok((client.clone(), Some(proxy.url)));
        }
        let client = build_client(&self.options, &self.tls, |builder| builder.proxy(proxy.proxy))?;
        clients.insert(proxy.url.clone(), client.clone());
        Ok((client, Some(proxy.url)))
    }
}

/// An error of connecting, with the proxy: it is the proxy that could not be reached, and not the host.
fn naming_proxy(error: FetchError, proxy: Option<&str>) -> FetchError {
    match (error, proxy) {
        (FetchError::Connect { host, reason }, Some(proxy)) => {
            FetchError::Connect { host, reason: format!("through the proxy {proxy}: {reason}") }
        }
        (error, _) => error,
    }
}

/// Builds a client with the settings that all clients share; `route` adds the proxy or the resolver.
fn build_client(
    options: &FetchOptions,
    tls: &rustls::ClientConfig,
    route: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder,
) -> Result<reqwest::Client, FetchError> {
    let mut headers = HeaderMap::new();
    headers.insert(header::ACCEPT, HeaderValue::from_static(ACCEPT));
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(ACCEPT_ENCODING));
    let builder = reqwest::Client::builder()
        .user_agent(options.user_agent.as_str())
        .default_headers(headers)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(options.limits.connect_time)
        .pool_max_idle_per_host(2)
        .pool_idle_timeout(IDLE_CONNECTION_LIFETIME)
        .referer(false)
        .http1_only()
        .tls_backend_preconfigured(tls.clone());
    route(builder).build().map_err(|error| FetchError::Setup { reason: error.to_string() })
}
