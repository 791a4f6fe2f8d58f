//! Looks up host names and checks the addresses, once per connection.
//!
//! All addresses of a name must be global, and the connection goes to one of the addresses that were checked.
//! reqwest calls this for every new connection to a name, so a name that changes its address between check
//! and use (DNS rebinding) does no harm. Literal addresses are not looked up: `allowed_url.rs` checks them.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use crate::allowed_url::HostPolicy;
use crate::error::{FetchError, in_words};

/// The pending addresses of a name.
#[doc(hidden)]
pub type ResolvedAddresses = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// A name lookup that tests can replace.
#[doc(hidden)]
pub trait HostResolver: Send + Sync {
    /// All addresses of `host`.
    fn resolve(&self, host: &str) -> ResolvedAddresses;
}

/// The lookup of the operating system.
struct SystemResolver;

impl HostResolver for SystemResolver {
    fn resolve(&self, host: &str) -> ResolvedAddresses {
        let host = host.to_owned();
        Box::pin(async move {
            Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
        })
    }
}

/// The lookup that reqwest uses. It returns a [`FetchError`] for hosts that are not allowed, and
/// `http_exchange.rs` finds it again in the error chain of reqwest.
pub(crate) struct CheckedResolver {
    resolver: Arc<dyn HostResolver>,
    policy: HostPolicy,
}

impl CheckedResolver {
    pub(crate) fn new(resolver: Option<Arc<dyn HostResolver>>, policy: HostPolicy) -> Self {
        Self { resolver: resolver.unwrap_or_else(|| Arc::new(SystemResolver)), policy }
    }
}

/// Why a name was not found, without what the system's library says about itself.
fn lookup_reason(error: &io::Error) -> String {
    let text = in_words(error);
    match text.strip_prefix("failed to lookup address information: ") {
        Some(reason) => reason.to_lowercase(),
        None => text,
    }
}

impl reqwest::dns::Resolve for CheckedResolver {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let host = name.as_str().to_owned();
        let policy = self.policy.clone();
        let lookup = self.resolver.resolve(&host);
        Box::pin(async move {
            let addresses = match lookup.await {
                Ok(addresses) => check_addresses(&host, addresses, &policy)?,
                Err(error) => {
                    return Err(FetchError::HostNotFound { host, reason: lookup_reason(&error) }.into());
                }
            };
            Ok(Box::new(addresses.into_iter()) as reqwest::dns::Addrs)
        })
    }
}

/// All addresses or an error: a name with a private address among global ones is an attack or a mistake.
fn check_addresses(
    host: &str,
    addresses: Vec<IpAddr>,
    policy: &HostPolicy,
) -> Result<Vec<SocketAddr>, FetchError> {
    let host = || host.to_owned();
    if addresses.is_empty() {
        return Err(FetchError::HostNotFound { host: host(), reason: "it has no address".to_owned() });
    }
    if let Some(&address) = addresses.iter().find(|address| !policy.permits(**address)) {
        return Err(FetchError::PrivateAddress { host: host(), address });
    }
    Ok(addresses.into_iter().map(|address| SocketAddr::new(address, 0)).collect())
}
