//! Fetches web pages politely and safely. The only crate with sockets and name lookups.
//!
//! A URL goes in, a [`FetchedPage`] comes out. The steps, one module each:
//!
//! 1. `allowed_url` parses and checks the URL (`ip_ranges` knows which addresses are global),
//! 2. `cache` returns a stored page that is recent enough,
//! 3. `robots_cache` and `robots` check robots.txt,
//! 4. `rate_limiter` waits until the host may be asked again,
//! 5. `transport` and `http_exchange` send the request (`resolver`, `proxy`, `tls`, `cookie_jar`, `credentials`),
//! 6. `decode` decompresses the body into a bounded buffer,
//! 7. `fetcher` follows redirects and retries temporary failures.
//!
//! With the feature `egress`, a browser can reach the network through the same steps: `egress` is a proxy on
//! loopback that sends what the browser asks for with a [`Fetcher`].
//!
//! ```no_run
//! # async fn example() -> Result<(), copal_fetch::FetchError> {
//! let fetcher = copal_fetch::Fetcher::new(copal_fetch::FetchOptions::default())?;
//! let page = fetcher.get("https://example.org/list").await?.successful()?;
//! println!("{} bytes from {}", page.body.len(), page.url);
//! # Ok(()) }
//! ```
//!
//! # Untrusted input
//! URLs may come from pages. Only global hosts are contacted (unless `allow_private` is set). This is
//! checked on every redirect, and the address that was checked is the address that is connected to.
//! Bodies are cut while they are read: memory stays below `limits.decoded_bytes` plus one megabyte.
//! SECURITY.md lists the guarantees.

// This crate owns sockets and name lookups, which clippy.toml forbids everywhere else.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

mod allowed_url;
mod cache;
mod cookie_jar;
mod credentials;
mod decode;
#[cfg(feature = "egress")]
mod egress;
mod error;
mod fetched_page;
mod fetcher;
mod http_exchange;
mod ip_ranges;
mod options;
mod page_request;
mod proxy;
mod rate_limiter;
mod resolver;
mod response_headers;
mod retry;
mod robots;
mod robots_cache;
mod sitemap;
mod sync;
mod tls;
mod transport;

pub use credentials::{CredentialError, MAX_COOKIE_FILE_BYTES, OriginCredentials};
#[cfg(feature = "egress")]
pub use egress::{
    EgressOptions, EgressProxy, EgressReport, GivenDocument, ObservedResponse, PageDocument, RefusedRequest,
    certificate_pin,
};
pub use error::{FetchError, FetchErrorKind};
pub use fetched_page::FetchedPage;
pub use fetcher::Fetcher;
#[doc(hidden)]
pub use options::TestHooks;
pub use options::{
    CacheOptions, DEFAULT_USER_AGENT, FetchLimits, FetchOptions, Politeness, ProxySource, ProxyUrl,
};
pub use page_request::PageRequest;
#[doc(hidden)]
pub use resolver::{HostResolver, ResolvedAddresses};
pub use sitemap::{MAX_SITEMAP_BYTES, Sitemap};
