//! Web pages from the net, politely and safely: the only crate with sockets and name lookups.
//!
//! `address ─target→ checked ─cache→ young? ─robots→ allowed? ─manners→ its turn ─wire→ head, body ─decode→ Fetched`
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
//! Addresses may come from pages: only global hosts are asked (unless `allow_private`), on every hop, and the address
//! that was checked is the one that is connected to. Bodies are cut while they are read; memory stays below
//! `limits.decoded_bytes` and one megabyte. SECURITY.md has the promises.

// This crate is the owner of sockets and name lookups: what clippy.toml forbids elsewhere is at home here.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

mod address;
mod cache;
mod cookies;
mod decode;
mod error;
mod fetched;
mod fetcher;
mod guide;
mod head;
mod manners;
mod options;
mod proxy;
mod resolve;
mod retry;
mod robots;
mod target;
mod tls;
mod wire;

pub use error::{ErrorKind, FetchError};
pub use fetched::Fetched;
pub use fetcher::Fetcher;
#[doc(hidden)]
pub use options::Hooks;
pub use options::{CacheOptions, DEFAULT_USER_AGENT, FetchLimits, FetchOptions, Politeness, Proxies};
#[doc(hidden)]
pub use resolve::{Addresses, Resolve};
