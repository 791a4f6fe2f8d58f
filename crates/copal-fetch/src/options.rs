//! Settings of a [`Fetcher`](crate::Fetcher): allowed hosts, limits, politeness, cache. The defaults are
//! polite and safe.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::credentials::OriginCredentials;
use crate::resolver::HostResolver;

/// Settings of a [`Fetcher`](crate::Fetcher). Start with `FetchOptions::default()`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FetchOptions {
    /// Allow localhost and private networks.
    pub allow_private: bool,
    /// Where proxies are taken from.
    pub proxies: ProxySource,
    /// Headers and cookies for one origin. Its pages are neither read from the cache nor stored in it.
    pub credentials: Option<OriginCredentials>,
    /// Limits per page.
    pub limits: FetchLimits,
    /// Sent as `User-Agent`. The part before the first `/` is the name that is looked up in robots.txt.
    pub user_agent: String,
    /// Read robots.txt of each host first and obey it.
    pub obey_robots: bool,
    /// Delays between requests to one host.
    pub politeness: Politeness,
    /// How many times a request is repeated after a temporary failure. After a body that is incomplete or
    /// damaged it is repeated only once; then the longest body is the page.
    pub retries: u32,
    /// The delay before the first retry. It doubles with every retry and is multiplied by a random factor
    /// between 0.5 and 1.5.
    pub backoff: Duration,
    /// The longest delay before a retry. If a server asks for more (`Retry-After`), there is no retry.
    pub max_backoff: Duration,
    /// Store pages on disk and fetch them again only if they have changed.
    pub cache: Option<CacheOptions>,
    /// Replacements for the network, for tests.
    #[doc(hidden)]
    pub hooks: TestHooks,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            allow_private: false,
            proxies: ProxySource::Environment,
            credentials: None,
            limits: FetchLimits::default(),
            user_agent: DEFAULT_USER_AGENT.to_owned(),
            obey_robots: true,
            politeness: Politeness::default(),
            retries: 2,
            backoff: Duration::from_secs(1),
            max_backoff: Duration::from_mins(2),
            cache: None,
            hooks: TestHooks::default(),
        }
    }
}

/// The default `User-Agent`.
pub const DEFAULT_USER_AGENT: &str =
    concat!("copal/", env!("CARGO_PKG_VERSION"), " (web page extractor; no contact given)");

/// Where proxies are taken from. Local and private hosts are never contacted through a proxy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxySource {
    /// `HTTP_PROXY` (ignored in CGI programs), `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in upper or lower
    /// case.
    #[default]
    Environment,
    /// No proxy, whatever the environment says. For services.
    None,
    /// This proxy for all hosts, whatever the environment says.
    Url(ProxyUrl),
}

/// The URL of a proxy, which may contain a user name and a password. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ProxyUrl(String);

impl ProxyUrl {
    /// A proxy; its scheme must be http or https. Without a scheme, http is meant.
    pub fn new(url: &str) -> Option<ProxyUrl> {
        let url = url.trim();
        let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
        let parsed = url::Url::parse(&url).ok()?;
        let is_usable = matches!(parsed.scheme(), "http" | "https")
            && parsed.host_str().is_some_and(|host| !host.is_empty());
        is_usable.then_some(ProxyUrl(url))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ProxyUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ProxyUrl")
    }
}

/// Limits per page, including its redirects. A body that exceeds one of the first three is cut, and the page
/// is marked as truncated.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FetchLimits {
    /// Bytes of a body as transferred, which usually means compressed.
    pub wire_bytes: usize,
    /// Bytes of a body after decompression. Memory stays below this (or 4 MB) plus one megabyte.
    /// A body in brotli or zstd may be cut at half of it, because their windows need the rest.
    pub decoded_bytes: usize,
    /// How many times larger a body may become by decompression. Applies above one megabyte.
    pub compression_ratio: usize,
    /// Time for one attempt to fetch a page, with its redirects and robots.txt. The wait for the host's turn
    /// does not count.
    pub attempt_time: Duration,
    /// Time for all attempts to fetch a page and for the pauses between them. There is no retry that could
    /// only begin later.
    pub total_time: Duration,
    /// Time to look up a host and connect to it.
    pub connect_time: Duration,
    /// Redirects that are followed.
    pub redirects: usize,
    /// Bytes of the headers of one response.
    pub header_bytes: usize,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self {
            wire_bytes: 10_000_000,
            decoded_bytes: 10_000_000,
            compression_ratio: 100,
            attempt_time: Duration::from_mins(1),
            total_time: Duration::from_mins(4),
            connect_time: Duration::from_secs(10),
            redirects: 10,
            header_bytes: 64 * 1024,
        }
    }
}

/// Delays between requests to one host (name and port).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Politeness {
    /// No delays, and several requests at a time. Only for your own servers.
    Off,
    /// One request at a time. After each one a pause of `factor` times the response time, or the
    /// `Crawl-delay` of robots.txt if that is longer, within the two bounds.
    Adaptive {
        /// The shortest pause.
        min_delay: Duration,
        /// The longest pause.
        max_delay: Duration,
        /// Pause per second that the server needed.
        factor: f32,
    },
}

impl Default for Politeness {
    fn default() -> Self {
        Self::Adaptive { min_delay: Duration::from_secs(1), max_delay: Duration::from_secs(30), factor: 2.0 }
    }
}

/// Where pages are stored between runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheOptions {
    /// A folder for the cache alone. It is created, readable only by this user, if it does not exist. If it
    /// cannot be written, pages are not stored, see
    /// [`Fetcher::cache_problem`](crate::Fetcher::cache_problem).
    pub folder: PathBuf,
    /// The oldest pages are deleted when the folder grows beyond this.
    pub max_bytes: u64,
    /// A page younger than this is used without a request.
    pub max_age: Duration,
}

impl CacheOptions {
    /// A cache in `folder` of 500 MB, whose pages are used without a request for an hour.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), max_bytes: 500_000_000, max_age: Duration::from_hours(1) }
    }
}

/// Replacements for the network, for tests.
#[doc(hidden)]
#[derive(Clone, Default)]
pub struct TestHooks {
    /// Used instead of the system's name lookup.
    pub resolver: Option<Arc<dyn HostResolver>>,
    /// Loopback addresses that are treated as global.
    pub global: Vec<IpAddr>,
    /// Additional root certificates, in DER.
    pub roots: Vec<Vec<u8>>,
    /// Used instead of the environment variables: names and values.
    pub environment: Option<Vec<(String, String)>>,
}

impl std::fmt::Debug for TestHooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TestHooks")
    }
}
