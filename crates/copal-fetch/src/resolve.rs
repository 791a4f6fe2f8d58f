//! Names to addresses, once for each connection: all addresses of a name must be global, and the connection goes to
//! one of those that were checked. reqwest asks here for every new connection to a name (not for literal addresses:
//! those are checked in `target.rs`), so an answer that changes between check and use does no harm.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use crate::FetchError;
use crate::target::Policy;

/// Addresses of a name, when they are there.
#[doc(hidden)]
pub type Addresses = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// A name lookup; tests bring their own.
#[doc(hidden)]
pub trait Resolve: Send + Sync {
    /// All addresses of `host`.
    fn resolve(&self, host: &str) -> Addresses;
}

/// The system's lookup.
struct System;

impl Resolve for System {
    fn resolve(&self, host: &str) -> Addresses {
        let host = host.to_owned();
        Box::pin(async move {
            Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
        })
    }
}

/// The lookup that reqwest gets: an error of ours is all it says of a host that may not be asked.
pub(crate) struct Checked {
    resolver: Arc<dyn Resolve>,
    policy: Policy,
}

impl Checked {
    pub(crate) fn new(resolver: Option<Arc<dyn Resolve>>, policy: Policy) -> Self {
        Self { resolver: resolver.unwrap_or_else(|| Arc::new(System)), policy }
    }
}

impl reqwest::dns::Resolve for Checked {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let host = name.as_str().to_owned();
        let policy = self.policy.clone();
        let found = self.resolver.resolve(&host);
        Box::pin(async move {
            let addresses = match found.await {
                Ok(addresses) => permitted(&host, addresses, &policy)?,
                Err(error) => return Err(FetchError::Name { host, reason: error.to_string() }.into()),
            };
            Ok(Box::new(addresses.into_iter()) as reqwest::dns::Addrs)
        })
    }
}

/// All of them or none: a name with a private address among its global ones is an attack or a mistake.
fn permitted(host: &str, addresses: Vec<IpAddr>, policy: &Policy) -> Result<Vec<SocketAddr>, FetchError> {
    let host = || host.to_owned();
    if addresses.is_empty() {
        return Err(FetchError::Name { host: host(), reason: "it has no address".to_owned() });
    }
    if let Some(&address) = addresses.iter().find(|address| !policy.permits(**address)) {
        return Err(FetchError::Private { host: host(), address });
    }
    Ok(addresses.into_iter().map(|address| SocketAddr::new(address, 0)).collect())
}
