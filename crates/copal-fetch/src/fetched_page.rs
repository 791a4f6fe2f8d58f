//! The result of fetching one URL.

use crate::error::FetchError;

/// A page as the server sent it, or as the cache stored it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FetchedPage {
    /// The URL after all redirects, without a fragment.
    pub url: String,
    /// The HTTP status. Error statuses such as 404 are returned too, see [`successful`](Self::successful).
    pub status: u16,
    /// The media type of the body (`text/html`), in lower case, without parameters.
    pub content_type: Option<String>,
    /// The charset that the server declares.
    pub charset: Option<String>,
    /// The `Link` headers: relation (lower case) and absolute URL.
    pub links: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// The body was not transferred: it came from the cache, because it is recent or because the server
    /// confirmed that it has not changed.
    pub from_cache: bool,
    /// A limit was hit or the transfer failed: the body is what was read until then. Such a page is not
    /// stored in the cache.
    pub truncated: bool,
    /// What was wrong with the transfer if the page is truncated for another reason than a limit.
    pub broken: Option<FetchError>,
    /// The URLs that redirected, in order. The first one is the requested URL.
    pub redirects: Vec<String>,
    /// A redirect led from https to http: the body could have been modified in transit.
    pub downgraded: bool,
}

impl FetchedPage {
    /// The page if its status is a success (200 to 299), otherwise an error with the status.
    pub fn successful(self) -> Result<Self, FetchError> {
        if (200..300).contains(&self.status) {
            return Ok(self);
        }
        let (url, status) = (self.url, self.status);
        if matches!(status, 401 | 403 | 429 | 503) && is_challenge(&self.body) {
            return Err(FetchError::Challenge { url, status });
        }
        Err(FetchError::Status { url, status })
    }
}

/// Bytes of a body that are searched.
const MAX_SEARCHED_BYTES: usize = 64 * 1024;
/// What pages contain that ask visitors to prove that they are people.
const CHALLENGE_MARKS: &[&str] = &[
    "captcha",
    "challenge-platform",
    "verify you are human",
    "are you a robot",
    "checking your browser",
    "just a moment",
    "unusual traffic",
];

/// True if the body of an error is a challenge.
fn is_challenge(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&body[..body.len().min(MAX_SEARCHED_BYTES)]).to_lowercase();
    CHALLENGE_MARKS.iter().any(|mark| text.contains(mark))
}
