//! What comes back for an address.

use crate::FetchError;

/// A page as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fetched {
    /// The address behind all redirects, without fragment.
    pub url: String,
    /// The status of the answer; pages that are not there (404) come back too, see [`successful`](Self::successful).
    pub status: u16,
    /// The kind of the body (`text/html`), small letters, without parameters.
    pub content_type: Option<String>,
    /// The charset that the server states.
    pub charset: Option<String>,
    /// The `Link` header: relation (small letters) and absolute address.
    pub links: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// No byte of the body was transferred: it was in the cache, and is young or was confirmed by the server.
    pub from_cache: bool,
    /// A cap was hit or the connection broke: the body is what was read until then.
    pub truncated: bool,
    /// The addresses that redirected, in order; the first is the one that was asked for.
    pub redirects: Vec<String>,
    /// A redirect led from https to http: what is in the body could have been changed on its way.
    pub downgraded: bool,
}

impl Fetched {
    /// The page if its status is one of success (200 to 299), else an error that names the status.
    pub fn successful(self) -> Result<Self, FetchError> {
        if (200..300).contains(&self.status) {
            return Ok(self);
        }
        Err(FetchError::Status { url: self.url, status: self.status })
    }
}
