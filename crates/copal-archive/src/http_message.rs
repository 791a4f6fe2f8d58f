//! A stored HTTP response: its status, its type, and its body without transfer and content encodings.

use crate::damage::Damage;
use std::borrow::Cow;
use std::io::{self, Read};

/// Header fields of a message that are read.
const MAX_FIELDS: usize = 200;

/// A response.
#[derive(Debug)]
pub(crate) struct HttpMessage<'a> {
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    pub(crate) body: Cow<'a, [u8]>,
    /// The body is longer than the limit, or its encoding is damaged after the bytes that are here.
    pub(crate) is_cut: bool,
}

/// Reads a response whose decoded body has at most `max_bytes`.
pub(crate) fn parse_response(block: &[u8], max_bytes: usize) -> Result<HttpMessage<'_>, Damage> {
    let mut fields = vec![httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut response = httparse::Response::new(&mut fields);
    let config = {
        let mut config = httparse::ParserConfig::default();
        config.allow_spaces_after_header_name_in_responses(true);
        config.ignore_invalid_headers_in_responses(true);
        config
    };
    let length = match config.parse_response(&mut response, block) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) | Err(_) => return Err(Damage::Http),
    };
    let field = |name: &str| {
        let found = response.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name));
        found.map(|field| String::from_utf8_lossy(field.value).trim().to_ascii_lowercase())
    };
    let status = response.code.unwrap_or(0);
    let content_type = field("content-type");
    let mut body = Cow::Borrowed(&block[length..]);
    let mut is_cut = false;
    // archives of some crawlers keep the header fields of bodies that they have decoded
    if field("transfer-encoding").is_some_and(|encoding| encoding.contains("chunked"))
        && let Some((joined, whole)) = join_chunks(&body)
    {
        (body, is_cut) = (Cow::Owned(joined), !whole);
    }
    for encoding in field("content-encoding").unwrap_or_default().rsplit(',') {
        let decoded = decode(encoding.trim(), &body, max_bytes)?;
        if let Some((decoded, whole)) = decoded {
            (body, is_cut) = (Cow::Owned(decoded), is_cut || !whole);
        }
    }
    if body.len() > max_bytes {
        is_cut = true;
        body = match body {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..max_bytes]),
            Cow::Owned(mut bytes) => {
                bytes.truncate(max_bytes);
                Cow::Owned(bytes)
            }
        };
    }
    Ok(HttpMessage { status, content_type, body, is_cut })
}

/// The content of chunks, and whether all of them are there; `None` if the body has no chunks.
fn join_chunks(body: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut joined = Vec::with_capacity(body.len());
    let mut rest = body;
    loop {
        let parsed = match httparse::parse_chunk_size(rest) {
            Ok(httparse::Status::Complete(parsed)) => parsed,
            // not chunked at all, or cut
            _ if joined.is_empty() => return None,
            _ => return Some((joined, false)),
        };
        let (start, size) = (parsed.0, usize::try_from(parsed.1).unwrap_or(usize::MAX));
        if size == 0 {
            return Some((joined, true));
        }
        rest = &rest[start..];
        if size >= rest.len() {
            joined.extend_from_slice(rest);
            return Some((joined, false));
        }
        joined.extend_from_slice(&rest[..size]);
        rest = &rest[size..];
        rest = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n")).unwrap_or(rest);
    }
}

/// The decoded body and whether it is whole; `None` if it is not encoded that way.
fn decode(encoding: &str, body: &[u8], max_bytes: usize) -> Result<Option<(Vec<u8>, bool)>, Damage> {
    let limit = max_bytes as u64 + 1;
    let mut decoded = Vec::new();
    let (result, name) = match encoding {
        "gzip" | "x-gzip" if body.starts_with(&[0x1f, 0x8b]) => {
            (flate2::read::MultiGzDecoder::new(body).take(limit).read_to_end(&mut decoded), "gzip")
        }
        "deflate" => {
            // with the header of zlib as the standard wants, or without it as some servers send
            let is_zlib = body.first().is_some_and(|byte| byte & 0x0f == 8)
                && body.len() > 1
                && (u16::from(body[0]) << 8 | u16::from(body[1])) % 31 == 0;
            let result = if is_zlib {
                flate2::read::ZlibDecoder::new(body).take(limit).read_to_end(&mut decoded)
            } else {
                flate2::read::DeflateDecoder::new(body).take(limit).read_to_end(&mut decoded)
            };
            (result, "deflate")
        }
        "br" => (
            brotli_decompressor::Decompressor::new(body, 4096).take(limit).read_to_end(&mut decoded),
            "brotli",
        ),
        "zstd" => (decode_zstd(body, limit, &mut decoded), "zstd"),
        _ => return Ok(None),
    };
    match result {
        Ok(_) => Ok(Some((decoded, true))),
        Err(_) if decoded.is_empty() && looks_like_text(body) => Ok(None),
        Err(_) if decoded.is_empty() => Err(Damage::Body(name)),
        Err(_) => Ok(Some((decoded, false))),
    }
}

/// The frames of a zstd body, at most `limit` bytes.
fn decode_zstd(body: &[u8], limit: u64, decoded: &mut Vec<u8>) -> io::Result<usize> {
    let mut rest = body;
    while !rest.is_empty() && (decoded.len() as u64) < limit {
        let frame = ruzstd::decoding::StreamingDecoder::new(&mut rest).map_err(io::Error::other)?;
        let left = limit - decoded.len() as u64;
        frame.take(left).read_to_end(decoded)?;
    }
    Ok(decoded.len())
}

/// True if a body that should be compressed is not: it begins like a page.
fn looks_like_text(body: &[u8]) -> bool {
    let start = body.trim_ascii_start();
    start.first() == Some(&b'<') || start.starts_with(b"\xef\xbb\xbf<")
}
