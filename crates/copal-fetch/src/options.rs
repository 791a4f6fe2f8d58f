//! What a [`Fetcher`](crate::Fetcher) may do: addresses, limits, manners, cache. The defaults are polite and safe.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::resolve::Resolve;

/// Settings of a [`Fetcher`](crate::Fetcher); begin with `FetchOptions::default()`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FetchOptions {
    /// Ask also hosts of this machine and of private networks.
    pub allow_private: bool,
    /// Where proxies are taken from.
    pub proxies: Proxies,
    /// Caps of one page.
    pub limits: FetchLimits,
    /// Sent as `User-Agent`; what stands before the first `/` is the name that robots.txt is searched for.
    pub user_agent: String,
    /// Read robots.txt of each host first, and do as it says.
    pub obey_robots: bool,
    /// Pauses between requests to one host.
    pub politeness: Politeness,
    /// How many times a request that failed for now is tried again.
    pub retries: u32,
    /// The pause before the first retry; it doubles with each, and is half to one and a half of that by chance.
    pub backoff: Duration,
    /// The longest pause before a retry. A server that asks for a longer one (`Retry-After`) is not asked again.
    pub max_backoff: Duration,
    /// Pages are kept on disk and asked for again only if they changed.
    pub cache: Option<CacheOptions>,
    /// For tests: other names, other roots of trust.
    #[doc(hidden)]
    pub hooks: Hooks,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            allow_private: false,
            proxies: Proxies::Environment,
            limits: FetchLimits::default(),
            user_agent: DEFAULT_USER_AGENT.to_owned(),
            obey_robots: true,
            politeness: Politeness::default(),
            retries: 2,
            backoff: Duration::from_secs(1),
            max_backoff: Duration::from_secs(120),
            cache: None,
            hooks: Hooks::default(),
        }
    }
}

/// What the program calls itself unless told otherwise.
pub const DEFAULT_USER_AGENT: &str =
    concat!("copal/", env!("CARGO_PKG_VERSION"), " (web page extractor; no contact given)");

/// Where proxies are taken from. Loopback and private addresses are never asked through one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proxies {
    /// `HTTP_PROXY` (not in a CGI program), `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`, in capitals or not.
    #[default]
    Environment,
    /// No proxy, whatever the environment says. For services.
    None,
}

/// Caps of one page, redirects included. What goes beyond one of the first three is cut, and the page says so.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FetchLimits {
    /// Bytes of a body as sent, mostly compressed.
    pub wire_bytes: usize,
    /// Bytes of a body behind its decompression. Memory stays below this (or 4 MB) and one megabyte.
    /// A body in brotli or zstd may be cut at half of it: their windows need the rest.
    pub decoded_bytes: usize,
    /// How many times larger than sent a body of more than a megabyte may become.
    pub ratio: usize,
    /// Time of all requests for one page, without waiting for its turn; a retry begins anew.
    pub total: Duration,
    /// Time to find the address of a host and to connect.
    pub connect: Duration,
    /// Redirects that are followed.
    pub redirects: usize,
    /// Bytes of the head of an answer.
    pub header_bytes: usize,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self {
            wire_bytes: 10_000_000,
            decoded_bytes: 10_000_000,
            ratio: 100,
            total: Duration::from_secs(60),
            connect: Duration::from_secs(10),
            redirects: 10,
            header_bytes: 64 * 1024,
        }
    }
}

/// Pauses between requests to one host (name and port).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Politeness {
    /// No pauses, and several requests at a time. For servers of one's own.
    Off,
    /// One request at a time; after it a pause of `factor` times what the answer took, or robots.txt's `Crawl-delay`
    /// if that is longer, between the two bounds.
    Adaptive {
        /// The shortest pause.
        min_delay: Duration,
        /// The longest pause.
        max_delay: Duration,
        /// Pause for each second that the server needed.
        factor: f32,
    },
}

impl Default for Politeness {
    fn default() -> Self {
        Self::Adaptive { min_delay: Duration::from_secs(1), max_delay: Duration::from_secs(30), factor: 2.0 }
    }
}

/// Where pages are kept between runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheOptions {
    /// A folder of its own; made if it is not there, for this user alone.
    pub folder: PathBuf,
    /// The oldest pages go when the folder grows beyond this.
    pub max_bytes: u64,
    /// A page younger than this is taken from the folder without a request.
    pub max_age: Duration,
}

impl CacheOptions {
    /// A cache in `folder` of 500 MB whose pages are taken without a request for an hour.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), max_bytes: 500_000_000, max_age: Duration::from_secs(3600) }
    }
}

/// What tests put in the place of the net.
#[doc(hidden)]
#[derive(Clone, Default)]
pub struct Hooks {
    /// Instead of the system's name lookup.
    pub resolver: Option<Arc<dyn Resolve>>,
    /// Addresses of this machine that stand for global ones.
    pub global: Vec<IpAddr>,
    /// Further roots of trust, DER.
    pub roots: Vec<Vec<u8>>,
    /// Instead of the environment's variables: names and values.
    pub environment: Option<Vec<(String, String)>>,
}

impl std::fmt::Debug for Hooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hooks")
    }
}
