//! The JSON that a page's own scripts loaded, kept while the page is shown, so that requests like these can be
//! sent again without the browser ([`Fetcher::repeat`]).
//!
//! Kept are successful responses to `GET` requests of the page to its own origin, the latest ones, within limits
//! on their number and bytes. The headers of a request may contain cookies and tokens: they stay inside this
//! crate, are sent to the origin that they were sent to before, and `Debug` shows none of them.

use std::collections::VecDeque;
use std::fmt;

use hyper::Method;
use hyper::header::{self, HeaderMap};
use url::Url;

use crate::error::FetchError;
use crate::fetched_page::FetchedPage;
use crate::fetcher::Fetcher;
use crate::http_exchange::{HttpResponse, OutgoingRequest};
use crate::response_headers::content_type;

/// Responses that are kept; the oldest are dropped.
const MAX_OBSERVED: usize = 60;
/// Bytes of one response that is kept.
const MAX_OBSERVED_BYTES: usize = 2_000_000;
/// Bytes of all responses that are kept.
const MAX_ALL_OBSERVED_BYTES: usize = 10_000_000;

/// Headers that are about one response, not about the page that asks.
const NOT_REPEATED: &[header::HeaderName] =
    &[header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE, header::IF_RANGE, header::RANGE];

/// A request of a page's script and its response.
#[derive(Clone)]
pub struct ObservedResponse {
    /// The URL that was asked for.
    pub url: String,
    /// The body: JSON as far as the server says.
    pub body: Vec<u8>,
    headers: HeaderMap,
}

impl fmt::Debug for ObservedResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObservedResponse({}, {} bytes)", self.url, self.body.len())
    }
}

/// The responses that were kept so far, in the order of their arrival.
#[derive(Debug, Default)]
pub(super) struct ObservedResponses {
    kept: VecDeque<ObservedResponse>,
    bytes: usize,
}

impl ObservedResponses {
    /// Keeps a response, if it is one that may be asked for again.
    pub(super) fn note(&mut self, url: &Url, method: &Method, headers: &HeaderMap, response: &HttpResponse) {
        let is_json = content_type(&response.headers).0.is_some_and(|kind| is_json_type(&kind));
        let is_complete = response.status == 200 && !response.truncated && response.broken.is_none();
        if *method != Method::GET || !is_complete || !is_json || response.body.len() > MAX_OBSERVED_BYTES {
            return;
        }
        let mut headers = headers.clone();
        for name in NOT_REPEATED {
            headers.remove(name);
        }
        self.bytes += response.body.len();
        self.kept.push_back(ObservedResponse { url: url.to_string(), body: response.body.clone(), headers });
        while self.kept.len() > MAX_OBSERVED || self.bytes > MAX_ALL_OBSERVED_BYTES {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.bytes -= oldest.body.len();
        }
    }

    /// What was kept since the last call.
    pub(super) fn take(&mut self) -> Vec<ObservedResponse> {
        self.bytes = 0;
        std::mem::take(&mut self.kept).into()
    }
}

fn is_json_type(kind: &str) -> bool {
    matches!(kind, "application/json" | "text/json") || kind.ends_with("+json")
}

impl Fetcher {
    /// Sends the request of a page's script again, to a URL of the same origin, and returns the response. The
    /// checks, limits, robots.txt rules and pauses are those of every page. Redirects are errors: their targets
    /// could belong to somebody else. The cache is not used, because the request may be a personal one.
    pub async fn repeat(&self, observed: &ObservedResponse, url: &str) -> Result<FetchedPage, FetchError> {
        let target = self.allowed_url(url)?;
        if Url::parse(&observed.url).map(|seen| seen.origin()) != Ok(target.url.origin()) {
            let reason = "the page asked another origin".to_owned();
            return Err(FetchError::InvalidUrl { url: url.to_owned(), reason });
        }
        let request = OutgoingRequest::get(observed.headers.clone());
        let response = self.send_for_browser(&target, request, true).await?;
        let (content_type, charset) = content_type(&response.headers);
        let page = FetchedPage {
            url: target.url.to_string(),
            status: response.status,
            content_type,
            charset,
            body: response.body,
            truncated: response.truncated,
            broken: response.broken,
            ..FetchedPage::default()
        };
        page.successful()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(kind: &'static str, body: Vec<u8>) -> HttpResponse {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, header::HeaderValue::from_static(kind))]);
        HttpResponse { status: 200, headers, body, truncated: false, broken: None }
    }

    fn noted(responses: &[(Method, HttpResponse)]) -> Vec<ObservedResponse> {
        let mut observed = ObservedResponses::default();
        let headers = HeaderMap::from_iter([
            (header::COOKIE, header::HeaderValue::from_static("session=secret")),
            (header::IF_NONE_MATCH, header::HeaderValue::from_static("\"1\"")),
        ]);
        for (number, (method, response)) in responses.iter().enumerate() {
            let url = Url::parse(&format!("https://shop.example/items?page={number}")).unwrap();
            observed.note(&url, method, &headers, response);
        }
        observed.take()
    }

    #[test]
    fn only_complete_json_of_get_requests_is_kept() {
        let json = || response("application/json; charset=utf-8", b"[]".to_vec());
        let kept = noted(&[
            (Method::GET, json()),
            (Method::POST, json()),
            (Method::GET, response("text/html", b"[]".to_vec())),
            (Method::GET, HttpResponse { status: 404, ..json() }),
            (Method::GET, HttpResponse { truncated: true, ..json() }),
            (Method::GET, response("application/hal+json", b"{}".to_vec())),
            (Method::GET, response("application/json", vec![b' '; MAX_OBSERVED_BYTES + 1])),
        ]);
        let urls: Vec<&str> = kept.iter().map(|one| one.url.as_str()).collect();
        assert_eq!(urls, ["https://shop.example/items?page=0", "https://shop.example/items?page=5"]);
        assert!(kept[0].headers.contains_key(header::COOKIE));
        assert!(!kept[0].headers.contains_key(header::IF_NONE_MATCH));
        assert!(!format!("{kept:?}").contains("secret"));
    }

    #[test]
    fn the_latest_responses_are_kept_within_the_limits() {
        let many: Vec<_> =
            (0..100).map(|_| (Method::GET, response("application/json", b"[]".to_vec()))).collect();
        let kept = noted(&many);
        assert_eq!(kept.len(), MAX_OBSERVED);
        assert_eq!(kept[MAX_OBSERVED - 1].url, "https://shop.example/items?page=99");
        let large: Vec<_> =
            (0..8).map(|_| (Method::GET, response("application/json", vec![b' '; 1_900_000]))).collect();
        assert_eq!(noted(&large).len(), 5);
    }
}
