//! The one thing callers use: an address goes in, a page comes out.

use std::sync::Arc;

use crate::{FetchError, FetchOptions, Fetched};

/// Fetches pages, politely and safely. Clones share connections, cookies, turns and the cache.
#[derive(Debug, Clone)]
pub struct Fetcher {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    options: FetchOptions,
}

impl Fetcher {
    /// A fetcher with these options. Makes the folder of the cache; nothing is asked yet.
    pub fn new(options: FetchOptions) -> Result<Self, FetchError> {
        Ok(Self { shared: Arc::new(Shared { options }) })
    }

    /// The page at `url`. Waits for its turn at the host, follows redirects, tries again what failed for now. Needs a
    /// tokio runtime with time and I/O.
    #[allow(clippy::unused_async)]
    pub async fn get(&self, url: &str) -> Result<Fetched, FetchError> {
        let reason = format!("{url}: not built yet ({} retries)", self.shared.options.retries);
        Err(FetchError::Setup { reason })
    }
}
