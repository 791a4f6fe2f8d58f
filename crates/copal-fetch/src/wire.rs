//! One request and its answer. A checked address goes in; status, head and a capped body come out. Redirects are not
//! followed here, so that every hop is checked like the first.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::header::{self, HeaderMap};
use tokio::time::{Instant, timeout_at};

use crate::decode::{Decoder, Stop};
use crate::target::{Target, shown};
use crate::{FetchError, FetchLimits, head, tls};

/// brotli and zstd are decoded too, but not asked for: their windows take from the cap of large pages, and there is
/// hardly a server that has them and not gzip.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, deflate";

/// An answer, whole or as far as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// The body is not all.
    pub(crate) truncated: bool,
    /// The connection broke within the body.
    pub(crate) broken: Option<FetchError>,
}

impl Answer {
    /// Where it redirects to.
    pub(crate) fn location(&self) -> Option<String> {
        if !matches!(self.status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        head::text(&self.headers, &header::LOCATION)
    }
}

/// Asks and reads, within `left`.
pub(crate) async fn exchange(
    client: &reqwest::Client,
    target: &Target,
    headers: HeaderMap,
    limits: &FetchLimits,
    left: Duration,
) -> Result<Answer, FetchError> {
    let deadline = Instant::now() + left;
    let late = || FetchError::Timeout { host: target.host().to_owned(), after: limits.total };
    let request = client.get(target.url.clone()).headers(headers).send();
    let mut response = match timeout_at(deadline, request).await {
        Ok(answer) => answer.map_err(|error| in_words(target.host(), &error, limits))?,
        Err(_) => return Err(late()),
    };
    let host = || target.host().to_owned();
    let headers = std::mem::take(response.headers_mut());
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if size > limits.header_bytes {
        return Err(FetchError::Headers { host: host(), limit: limits.header_bytes });
    }
    let status = response.status().as_u16();
    let mut answer = Answer { status, headers, body: Vec::new(), truncated: false, broken: None };
    if answer.location().is_some() {
        return Ok(answer);
    }
    let encoding = head::texts(&answer.headers, &header::CONTENT_ENCODING).join(",");
    let length = head::text(&answer.headers, &header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
    let Some(mut decoder) = Decoder::new(&encoding, length, limits) else {
        return Err(FetchError::Encoding { host: host(), encoding: shown(&encoding) });
    };
    let (mut wire, mut too_much) = (0, false);
    loop {
        let piece = match timeout_at(deadline, response.chunk()).await {
            Ok(Ok(Some(piece))) => piece,
            Ok(Ok(None)) => break,
            Ok(Err(error)) => {
                answer.broken = Some(in_words(target.host(), &error, limits));
                break;
            }
            Err(_) => {
                answer.broken = Some(late());
                break;
            }
        };
        let allowed = piece.len().min(limits.wire_bytes - wire);
        wire += allowed;
        match decoder.push(&piece[..allowed]) {
            Ok(()) if allowed == piece.len() => {}
            Ok(()) | Err(Stop::Full) => {
                answer.truncated = true;
                break;
            }
            Err(Stop::Memory) => {
                too_much = true;
                break;
            }
            Err(Stop::Wrong) => {
                let reason = format!("its {encoding} data is wrong");
                answer.broken = Some(FetchError::Protocol { host: host(), reason });
                break;
            }
        }
    }
    let (body, full) = decoder.finish();
    answer.body = body;
    answer.truncated |= full || too_much || answer.broken.is_some();
    if too_much && answer.body.is_empty() {
        return Err(FetchError::Encoding {
            host: host(),
            encoding: format!("{encoding} that needs too much memory"),
        });
    }
    match answer.broken.take() {
        // nothing came: no page at all
        Some(error) if answer.body.is_empty() => Err(error),
        broken => Ok(Answer { broken, ..answer }),
    }
}

/// What went wrong, in words for a person: the innermost error that we know says it best.
fn in_words(host: &str, error: &reqwest::Error, limits: &FetchLimits) -> FetchError {
    let mut innermost: &(dyn Error + 'static) = error;
    let mut next = Some(innermost);
    while let Some(current) = next {
        innermost = current;
        if let Some(own) = current.downcast_ref::<FetchError>() {
            return own.clone();
        }
        if let Some(error) = current.downcast_ref::<rustls::Error>() {
            return tls::in_words(host, error);
        }
        // an I/O error hides what it wraps from `source`
        let wrapped = current.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match wrapped {
            Some(wrapped) => Some(wrapped as &(dyn Error + 'static)),
            None => current.source(),
        };
    }
    let (host, reason) = (host.to_owned(), innermost.to_string());
    if reason.contains("too large") {
        return FetchError::Headers { host, limit: limits.header_bytes };
    }
    if error.is_timeout() {
        return FetchError::Timeout { host, after: limits.connect };
    }
    if error.is_connect() {
        return FetchError::Connect { host, reason };
    }
    FetchError::Protocol { host, reason }
}
