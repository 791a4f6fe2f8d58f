//! A proxy on loopback through which a browser reaches the network, so that everything a page requests (its
//! scripts, frames, workers, images, prefetches) passes the checks of this crate.
//!
//! Requests of a browser go in; responses, refusals and a report of them come out. One proxy serves one page,
//! so limits and the report are per page. Encrypted connections end here with a key of this process
//! (`identity`), which the browser is told to accept, and a new connection with the certificate checks of
//! every other page goes to the server: without this, the proxy would see neither paths for robots.txt nor
//! bytes for the limits.
//!
//! Headers and cookies that a user gave for one origin are added to the page's requests to that origin, if the
//! connection is one of the same user (`peer`): others who reach the proxy must not use them.
//!
//! Refused are: URLs that [`Fetcher::get`] would refuse, what robots.txt disallows, WebSockets, requests
//! beyond the limits of the page, and images, fonts and media unless they are asked for.

mod identity;
mod kind;
mod observed;
mod peer;
mod report;
mod server;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::error::{FetchError, in_words};
use crate::fetcher::Fetcher;
pub use identity::certificate_pin;
pub use observed::ObservedResponse;
use report::Activity;
pub use report::{EgressReport, PageDocument, RefusedRequest};
use server::PageEgress;

/// What a page may ask for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EgressOptions {
    /// Responses that are not asked for, because they are known already.
    pub documents: Vec<GivenDocument>,
    /// Load images, fonts and media too. Only pictures of the page need them.
    pub images: bool,
    /// Requests that one page may send.
    pub max_requests: usize,
    /// Bytes that one page may load, decompressed.
    pub max_bytes: usize,
}

impl Default for EgressOptions {
    fn default() -> Self {
        Self { documents: Vec::new(), images: false, max_requests: 1000, max_bytes: 100_000_000 }
    }
}

/// A response that is known already, such as a saved page.
#[derive(Debug, Clone)]
pub struct GivenDocument {
    /// The URL that it is the response to.
    pub url: String,
    /// Its `Content-Type`.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
}

/// A running proxy. It stops, and its connections are closed, when this is dropped.
#[derive(Debug)]
pub struct EgressProxy {
    address: SocketAddr,
    activity: Arc<Activity>,
    _running: watch::Sender<()>,
}

impl EgressProxy {
    /// Starts a proxy on a free port of loopback. Has to be called in a tokio runtime.
    pub fn start(fetcher: &Fetcher, options: EgressOptions) -> Result<Self, FetchError> {
        let failed = |error: std::io::Error| FetchError::Setup { reason: in_words(&error) };
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let listener = tokio::net::TcpListener::from_std(listener).map_err(failed)?;
        let activity = Arc::new(Activity::default());
        let (running, stopped) = watch::channel(());
        let page = PageEgress::new(fetcher.clone(), options, Arc::clone(&activity), stopped)?;
        tokio::spawn(server::accept(listener, address, Arc::new(page)));
        Ok(Self { address, activity, _running: running })
    }

    /// Where the proxy listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// For how long nothing has been asked for; `None` while a response is awaited.
    pub fn idle_time(&self, now: Instant) -> Option<Duration> {
        self.activity.idle_time(now)
    }

    /// What was asked for so far.
    pub fn report(&self) -> EgressReport {
        self.activity.report()
    }

    /// The JSON that the page's own scripts have loaded from its own origin since the last call.
    pub fn take_observed(&self) -> Vec<ObservedResponse> {
        self.activity.take_observed()
    }
}
