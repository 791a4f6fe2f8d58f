//! The one thing callers use: an address goes in, a page comes out. `get` looks into the cache and tries again what
//! failed for now, `follow` goes from redirect to redirect, `ask` waits for the turn and makes one request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};

use crate::cache::{Cache, Entry};
use crate::cookies::Jar;
use crate::error::is_temporary_status;
use crate::guide::Guide;
use crate::manners::{Hosts, lock};
use crate::proxy::Environment;
use crate::resolve::Checked;
use crate::target::{Policy, Target};
use crate::wire::{ACCEPT_ENCODING, Answer, exchange};
use crate::{FetchError, FetchLimits, FetchOptions, Fetched, head, retry, tls};

/// Fetches pages, politely and safely. Clones share connections, cookies, turns and the cache.
#[derive(Debug, Clone)]
pub struct Fetcher {
    shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) options: FetchOptions,
    pub(crate) policy: Policy,
    pub(crate) hosts: Hosts,
    guide: Guide,
    environment: Environment,
    tls: rustls::ClientConfig,
    direct: reqwest::Client,
    /// One client a proxy, by its address.
    proxied: Mutex<HashMap<String, reqwest::Client>>,
    cookies: Jar,
    cache: Option<Arc<Cache>>,
}

impl Fetcher {
    /// A fetcher with these options. Makes the folder of the cache; nothing is asked yet.
    pub fn new(options: FetchOptions) -> Result<Self, FetchError> {
        if HeaderValue::from_str(&options.user_agent).is_err() || options.user_agent.trim().is_empty() {
            return Err(FetchError::Setup { reason: "the user agent has to be plain text".to_owned() });
        }
        let policy = Policy { allow_private: options.allow_private, global: options.hooks.global.clone() };
        let tls = tls::config(&options.hooks.roots)?;
        let resolver = Checked::new(options.hooks.resolver.clone(), policy.clone());
        let direct = client(&options, &tls, |builder| builder.no_proxy().dns_resolver(Arc::new(resolver)))?;
        let cache = options.cache.clone().map(Cache::open).transpose()?.map(Arc::new);
        let shared = Shared {
            hosts: Hosts::new(options.politeness),
            guide: Guide::new(&options.user_agent),
            environment: Environment::read(&options),
            proxied: Mutex::default(),
            cookies: Jar::default(),
            options,
            policy,
            tls,
            direct,
            cache,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The page at `url`. Waits for its turn at the host, follows redirects, tries again what failed for now. Needs a
    /// tokio runtime with time and I/O. An answer that is no success (404) is a page too: [`Fetched::successful`].
    pub async fn get(&self, url: &str) -> Result<Fetched, FetchError> {
        let target = Target::parse(url, &self.shared.policy)?;
        let known = self.load(&target).await;
        if let (Some(entry), Some(cache)) = (&known, &self.shared.cache)
            && cache.is_fresh(entry)
        {
            return Ok(entry.clone().into_page());
        }
        let mut attempt = 0;
        loop {
            let result = self.shared.follow(&target, known.as_ref()).await;
            let pause = if attempt < self.shared.options.retries {
                self.shared.pause(attempt, &result)
            } else {
                None
            };
            let Some(pause) = pause else { return self.conclude(&target, result?, known).await };
            let authority =
                result.as_ref().map_or_else(|_| target.authority(), |arrival| arrival.at.authority());
            self.shared.hosts.postpone(&authority, pause);
            attempt += 1;
        }
    }

    /// An answer as a page, which the cache keeps if it may.
    async fn conclude(
        &self,
        asked: &Target,
        arrival: Arrival,
        known: Option<Entry>,
    ) -> Result<Fetched, FetchError> {
        let Arrival { at, answer, redirects, downgraded } = arrival;
        if answer.status == 304
            && let Some(entry) = known
        {
            let entry = entry.confirmed();
            self.store(entry.clone()).await;
            return Ok(entry.into_page());
        }
        let (content_type, charset) = head::content_type(&answer.headers);
        let page = Fetched {
            url: at.url.to_string(),
            status: answer.status,
            content_type,
            charset,
            links: head::links(&answer.headers, &at.url),
            body: answer.body,
            from_cache: false,
            truncated: answer.truncated,
            redirects,
            downgraded,
        };
        if self.shared.cache.is_some()
            && page.status == 200
            && !page.truncated
            && head::may_store(&answer.headers)
        {
            let etag = head::text(&answer.headers, &header::ETAG);
            let modified = head::text(&answer.headers, &header::LAST_MODIFIED);
            self.store(Entry::new(asked.url.as_str(), &page, etag, modified)).await;
        }
        Ok(page)
    }

    async fn load(&self, target: &Target) -> Option<Entry> {
        let cache = Arc::clone(self.shared.cache.as_ref()?);
        let (url, most) = (target.url.to_string(), self.shared.options.limits.decoded_bytes);
        tokio::task::spawn_blocking(move || cache.load(&url, most)).await.ok().flatten()
    }

    async fn store(&self, entry: Entry) {
        let Some(cache) = self.shared.cache.clone() else { return };
        // a page that could not be kept is still a page
        let _ = tokio::task::spawn_blocking(move || cache.store(&entry)).await;
    }
}

/// The answer at the end of all redirects.
#[derive(Debug)]
struct Arrival {
    at: Target,
    answer: Answer,
    redirects: Vec<String>,
    downgraded: bool,
}

impl Shared {
    /// Asks, and goes where redirects lead; every hop is checked as the first one was.
    async fn follow(&self, start: &Target, known: Option<&Entry>) -> Result<Arrival, FetchError> {
        let limits = &self.options.limits;
        let (mut at, mut redirects, mut downgraded) = (start.clone(), Vec::new(), false);
        let mut left = limits.total;
        loop {
            let onward = |error: FetchError| match redirects.last() {
                Some(from) if error.kind() == crate::ErrorKind::Address => {
                    FetchError::Redirect { from: String::clone(from), reason: Box::new(error) }
                }
                _ => error,
            };
            if self.options.obey_robots {
                self.guide.check(self, &at).await.map_err(onward)?;
            }
            let further =
                known.filter(|entry| entry.url == at.url.as_str()).map_or_else(HeaderMap::new, conditions);
            let answer = self.ask(&at, further, limits, &mut left).await.map_err(onward)?;
            let Some(location) = answer.location() else {
                return Ok(Arrival { at, answer, redirects, downgraded });
            };
            if redirects.len() >= limits.redirects {
                return Err(FetchError::Redirects { url: start.url.to_string(), limit: limits.redirects });
            }
            redirects.push(at.url.to_string());
            let next = at.join(&location, &self.policy).map_err(|reason| FetchError::Redirect {
                from: at.url.to_string(),
                reason: Box::new(reason),
            })?;
            downgraded |= at.url.scheme() == "https" && next.url.scheme() == "http";
            at = next;
        }
    }

    /// One request in its turn, with the cookies of its host. Takes the time it needed off `left`.
    pub(crate) async fn ask(
        &self,
        target: &Target,
        mut headers: HeaderMap,
        limits: &FetchLimits,
        left: &mut Duration,
    ) -> Result<Answer, FetchError> {
        let client = self.client_for(target)?;
        let _turn = self.hosts.turn(&target.authority()).await;
        if let Some(cookies) =
            self.cookies.header(&target.url).and_then(|value| HeaderValue::try_from(value).ok())
        {
            headers.insert(header::COOKIE, cookies);
        }
        let began = Instant::now();
        let answer = exchange(&client, target, headers, limits, *left).await;
        *left = left.saturating_sub(began.elapsed());
        if let Ok(answer) = &answer {
            for cookie in head::texts(&answer.headers, &header::SET_COOKIE) {
                self.cookies.set(&target.url, &cookie);
            }
        }
        answer
    }

    /// The pause before another try, if one makes sense.
    fn pause(&self, attempt: u32, result: &Result<Arrival, FetchError>) -> Option<Duration> {
        let (temporary, retry_after) = match result {
            Ok(Arrival { answer, .. }) => {
                // a page that was too slow to come whole would be so again
                let broken =
                    answer.broken.as_ref().is_some_and(|error| !matches!(error, FetchError::Timeout { .. }));
                (
                    broken || is_temporary_status(answer.status),
                    head::text(&answer.headers, &header::RETRY_AFTER),
                )
            }
            Err(error) => (error.is_temporary(), None),
        };
        let options = &self.options;
        temporary
            .then(|| retry::pause(attempt, options.backoff, options.max_backoff, retry_after.as_deref()))
            .flatten()
    }

    fn client_for(&self, target: &Target) -> Result<reqwest::Client, FetchError> {
        let Some(proxy) = self.environment.proxy_for(target)? else { return Ok(self.direct.clone()) };
        let mut proxied = lock(&self.proxied);
        if let Some(known) = proxied.get(&proxy.address) {
            return Ok(known.clone());
        }
        let made = client(&self.options, &self.tls, |builder| builder.proxy(proxy.proxy))?;
        proxied.insert(proxy.address, made.clone());
        Ok(made)
    }
}

/// What all clients have in common.
fn client(
    options: &FetchOptions,
    tls: &rustls::ClientConfig,
    way: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder,
) -> Result<reqwest::Client, FetchError> {
    let mut headers = HeaderMap::new();
    let html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    headers.insert(header::ACCEPT, HeaderValue::from_static(html));
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(ACCEPT_ENCODING));
    let builder = reqwest::Client::builder()
        .user_agent(options.user_agent.as_str())
        .default_headers(headers)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(options.limits.connect)
        .pool_max_idle_per_host(2)
        .pool_idle_timeout(Duration::from_secs(60))
        .referer(false)
        .http1_only()
        .tls_backend_preconfigured(tls.clone());
    way(builder).build().map_err(|error| FetchError::Setup { reason: error.to_string() })
}

/// Send it only if it changed.
fn conditions(entry: &Entry) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let pairs: [(HeaderName, _); 2] =
        [(header::IF_NONE_MATCH, &entry.etag), (header::IF_MODIFIED_SINCE, &entry.modified)];
    for (name, value) in pairs {
        if let Some(value) = value.as_ref().and_then(|value| HeaderValue::from_str(value).ok()) {
            headers.insert(name, value);
        }
    }
    headers
}
