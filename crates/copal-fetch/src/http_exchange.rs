//! One HTTP request and its response.
//!
//! A checked URL goes in; status, headers and a bounded body come out. Redirects are not followed here, so
//! that every hop is checked like the first one.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::Method;
use reqwest::header::{self, HeaderMap};
use tokio::time::{Instant, timeout_at};

use crate::allowed_url::AllowedUrl;
use crate::decode::{BodyDecoder, DecodeFault, DecodeStop};
use crate::error::{FetchError, in_words, printable};
use crate::options::FetchLimits;
use crate::response_headers::{header_value, header_values};
use crate::tls::tls_error;

/// brotli and zstd are decoded too, but not requested: their windows reduce the limit for large pages, and
/// nearly every server that supports them also supports gzip.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, deflate";

/// A response, complete or as far as it arrived.
#[derive(Debug)]
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// The body is incomplete or damaged.
    pub(crate) truncated: bool,
    /// What is wrong with the body, if it was not cut by a limit.
    pub(crate) broken: Option<FetchError>,
}

impl HttpResponse {
    /// The target of a redirect.
    pub(crate) fn location(&self) -> Option<String> {
        if !matches!(self.status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        header_value(&self.headers, &header::LOCATION)
    }
}

/// What is sent to a URL.
#[derive(Debug, Default)]
pub(crate) struct OutgoingRequest {
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl OutgoingRequest {
    pub(crate) fn get(headers: HeaderMap) -> Self {
        Self { headers, ..Self::default() }
    }
}

/// Sends a request and reads the response within `time_left`.
pub(crate) async fn exchange(
    client: &reqwest::Client,
    page: &AllowedUrl,
    request: OutgoingRequest,
    limits: &FetchLimits,
    time_left: Duration,
) -> Result<HttpResponse, FetchError> {
    let deadline = Instant::now() + time_left;
    let after = limits.attempt_time.min(limits.total_time);
    let timeout = || FetchError::Timeout { host: page.host().to_owned(), after };
    let OutgoingRequest { method, headers, body } = request;
    let mut builder = client.request(method, page.url.clone()).headers(headers);
    if !body.is_empty() {
        builder = builder.body(body);
    }
    let request = builder.send();
    let mut incoming = match timeout_at(deadline, request).await {
        Ok(sent) => sent.map_err(|error| request_error(page.host(), &error, limits))?,
        Err(_) => return Err(timeout()),
    };
    let host = || page.host().to_owned();
    let headers = std::mem::take(incoming.headers_mut());
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if size > limits.header_bytes {
        return Err(FetchError::HeadersTooLarge { host: host(), limit: limits.header_bytes });
    }
    let status = incoming.status().as_u16();
    let mut response = HttpResponse { status, headers, body: Vec::new(), truncated: false, broken: None };
    if response.location().is_some() {
        return Ok(response);
    }
    let encoding = header_values(&response.headers, &header::CONTENT_ENCODING).join(",");
    let length: Option<u64> =
        header_value(&response.headers, &header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
    let Some(mut decoder) = BodyDecoder::new(&encoding, length, limits) else {
        return Err(FetchError::UnsupportedEncoding { host: host(), encoding: printable(&encoding) });
    };
    let (mut wire_bytes, mut out_of_memory, mut transferred, mut fault) = (0, false, false, None);
    loop {
        let piece = match timeout_at(deadline, incoming.chunk()).await {
            Ok(Ok(Some(piece))) => piece,
            Ok(Ok(None)) => {
                transferred = true;
                break;
            }
            Ok(Err(error)) => {
                response.broken = Some(match request_error(page.host(), &error, limits) {
                    FetchError::Protocol { host, reason } => {
                        FetchError::BrokenBody { host, reason: broken_transfer(wire_bytes, length, &reason) }
                    }
                    other => other,
                });
                break;
            }
            Err(_) => {
                response.broken = Some(timeout());
                break;
            }
        };
        let allowed = piece.len().min(limits.wire_bytes - wire_bytes);
        wire_bytes += allowed;
        match decoder.push(&piece[..allowed]) {
            Ok(()) if allowed == piece.len() => {}
            Ok(()) | Err(DecodeStop::LimitReached) => {
                response.truncated = true;
                break;
            }
            Err(DecodeStop::OutOfMemory) => {
                out_of_memory = true;
                break;
            }
            Err(DecodeStop::Fault(found)) => {
                fault = Some(found);
                break;
            }
        }
    }
    let decoded = decoder.finish();
    response.body = decoded.bytes;
    // Without a length, the end of the connection is the end of the body, and compressed data has at least a header. An
    // empty body that is announced as such is complete.
    let is_announced = length.is_some() || response.headers.contains_key(header::TRANSFER_ENCODING);
    let is_missing = wire_bytes == 0 && status == 200 && !is_announced && !encoding.is_empty();
    if transferred && (decoded.ends_early || is_missing) {
        fault = Some(DecodeFault::EndsEarly);
    }
    if let Some(fault) = fault {
        let reason = describe_fault(fault, &printable(&encoding), response.body.len());
        response.broken = Some(FetchError::BrokenBody { host: host(), reason });
    }
    response.truncated |= decoded.limit_reached || out_of_memory || response.broken.is_some();
    if out_of_memory && response.body.is_empty() {
        return Err(FetchError::UnsupportedEncoding {
            host: host(),
            encoding: format!("{encoding} that needs too much memory"),
        });
    }
    match response.broken.take() {
        // Nothing arrived, so there is no page.
        Some(error) if response.body.is_empty() => Err(error),
        broken => Ok(HttpResponse { broken, ..response }),
    }
}

/// How far a transfer came that ended with an error.
fn broken_transfer(received: usize, announced: Option<u64>, reason: &str) -> String {
    match announced {
        Some(announced) => format!("{received} of {announced} bytes arrived"),
        None => format!("the transfer failed after {received} bytes: {}", printable(reason)),
    }
}

fn describe_fault(fault: DecodeFault, encoding: &str, decoded: usize) -> String {
    match fault {
        DecodeFault::Corrupt => format!("its {encoding} data is corrupt after {decoded} bytes of text"),
        DecodeFault::EndsEarly => format!("its {encoding} data ends early, after {decoded} bytes of text"),
        DecodeFault::WrongChecksum => format!("the checksum of its {encoding} data is wrong"),
    }
}

/// Converts an error of reqwest. The innermost error that we know describes the problem best.
fn request_error(host: &str, error: &reqwest::Error, limits: &FetchLimits) -> FetchError {
    let mut innermost: &(dyn Error + 'static) = error;
    let mut next = Some(innermost);
    while let Some(current) = next {
        innermost = current;
        if let Some(own) = current.downcast_ref::<FetchError>() {
            return own.clone();
        }
        if let Some(error) = current.downcast_ref::<rustls::Error>() {
            return tls_error(host, error);
        }
        // `source` of an I/O error skips the error that it wraps.
        let wrapped = current.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match wrapped {
            Some(wrapped) => Some(wrapped as &(dyn Error + 'static)),
            None => current.source(),
        };
    }
    let (host, reason) = (host.to_owned(), in_words(innermost));
    if reason.contains("too large") {
        return FetchError::HeadersTooLarge { host, limit: limits.header_bytes };
    }
    if error.is_timeout() {
        return FetchError::Timeout { host, after: limits.connect_time };
    }
    if error.is_connect() {
        return FetchError::Connect { host, reason };
    }
    FetchError::Protocol { host, reason }
}
