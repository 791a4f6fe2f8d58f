//! Names to addresses, once for each connection: all addresses of a name must be global, and the connection goes to
//! one of those that were checked.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;

/// Addresses of a name, when they are there.
#[doc(hidden)]
pub type Addresses = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// A name lookup; tests bring their own.
#[doc(hidden)]
pub trait Resolve: Send + Sync {
    /// All addresses of `host`.
    fn resolve(&self, host: &str) -> Addresses;
}
