//! Bodies that do not arrive intact: what arrived is the page, after one retry, with the reason, and it is
//! not
//! stored. Also the time that attempts may take together.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use copal_fetch::{CacheOptions, FetchError, FetchErrorKind, FetchOptions, Politeness};
use copal_testserver::{Response, Server, closing, html, response};
use flate2::Compression;
use support::*;

/// The text of `data/page.br` and `data/page.zst`.
fn page_text() -> String {
    let items: String = (0..400).map(|n| format!("<li>entry {n}</li>")).collect();
    format!("<ul>{items}</ul>")
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zlib(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn raw_deflate(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// A body with one wrong bit, `from_end` bytes before its end.
fn flipped(mut body: Vec<u8>, from_end: usize) -> Vec<u8> {
    let at = body.len() - from_end;
    body[at] ^= 1;
    body
}

fn cut(mut body: Vec<u8>, missing: usize) -> Vec<u8> {
    body.truncate(body.len() - missing);
    body
}

fn encoded(encoding: &str, body: impl AsRef<[u8]>) -> Response {
    response("200 OK", &format!("Content-Encoding: {encoding}\r\n"), body)
}

/// Three attempts at most, and no delays worth mentioning.
fn retrying() -> FetchOptions {
    let mut options = test_options(true);
    options.retries = 2;
    options
}

/// Bodies that are not intact, and what is said about them.
fn broken_responses() -> Vec<(Response, &'static str)> {
    let text = page_text();
    let half = text.len() / 2;
    let zstd = include_bytes!("data/page.zst").to_vec();
    let brotli = include_bytes!("data/page.br").to_vec();
    let chunk = format!("{half:x}\r\n{}\r\n", &text[..half]);
    let chunked = "Transfer-Encoding: chunked\r\n";
    vec![
        (encoded("gzip", cut(gzip(&text), 300)), "its gzip data ends early, after "),
        (encoded("gzip", cut(gzip(&text), 8)), "its gzip data ends early, after "),
        (encoded("gzip", cut(gzip(&text), 1)), "its gzip data ends early, after "),
        (closing("200 OK", "Content-Encoding: gzip\r\n", cut(gzip(&text), 300)), "its gzip data ends early"),
        (encoded("gzip", flipped(gzip(&text), 8)), "the checksum of its gzip data is wrong"),
        (encoded("gzip", flipped(gzip(&text), 1)), "the checksum of its gzip data is wrong"),
        (encoded("deflate", cut(zlib(&text), 300)), "its deflate data ends early, after "),
        (encoded("deflate", cut(zlib(&text), 1)), "its deflate data ends early, after "),
        (encoded("deflate", flipped(zlib(&text), 1)), "its deflate data is corrupt after "),
        (encoded("deflate", cut(raw_deflate(&text), 300)), "its deflate data ends early, after "),
        (encoded("br", cut(brotli, 30)), "its br data ends early, after "),
        (encoded("zstd", flipped(zstd, 1)), "the checksum of its zstd data is wrong"),
        (closing("200 OK", "Content-Length: 100000\r\n", &text[..half]), " of 100000 bytes arrived"),
        (closing("200 OK", chunked, &chunk), "the transfer failed after "),
        (closing("200 OK", chunked, format!("{chunk}zz\r\n")), "the transfer failed after "),
        (closing("200 OK", chunked, format!("{chunk}ffffffff\r\nx")), "the transfer failed after "),
    ]
}

#[test]
fn broken_bodies_are_retried_once_used_and_not_stored() {
    let cases = broken_responses();
    let responses: Vec<Response> = cases.iter().map(|(response, _)| response.clone()).collect();
    let server = Server::start(move |request| responses[request.path[1..].parse::<usize>().unwrap()].clone());
    let folder = tempfile::tempdir().unwrap();
    let mut options = retrying();
    options.cache = Some(CacheOptions::new(folder.path()));
    let text = page_text();
    for (number, (_, reason)) in cases.iter().enumerate() {
        let path = format!("/{number}");
        let page = get(options.clone(), &server.url(&path)).unwrap();
        let broken = page.broken.as_ref().unwrap_or_else(|| panic!("{number} {reason}"));
        assert!(matches!(broken, FetchError::BrokenBody { .. }), "{number} {broken:?}");
        assert_eq!((broken.kind(), broken.is_temporary()), (FetchErrorKind::Network, true));
        assert!(broken.to_string().contains(reason), "{number} {broken}");
        let arrived = page.body.strip_suffix(b"x").unwrap_or(&page.body);
        assert!(page.truncated && text.as_bytes().starts_with(arrived), "{number} {reason}");
        assert!(page.body.len() > 300, "{number} {reason} {}", page.body.len());
        assert_eq!(server.paths().iter().filter(|asked| **asked == path).count(), 2, "{number} {reason}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{number} {reason}");
    }
}

#[test]
fn a_body_that_was_broken_once_is_complete_after_the_retry() {
    let requests = AtomicUsize::new(0);
    let server = Server::start(move |_| match requests.fetch_add(1, Ordering::SeqCst) {
        0 => encoded("gzip", cut(gzip(&page_text()), 300)),
        _ => encoded("gzip", gzip(&page_text())),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut options = retrying();
    options.cache = Some(CacheOptions::new(folder.path()));
    let page = get(options, &server.url("/")).unwrap();
    assert_eq!((page.body, page.truncated, page.broken), (page_text().into_bytes(), false, None));
    assert_eq!((server.requests().len(), fs::read_dir(folder.path()).unwrap().count()), (2, 1));
}

/// The second attempt gives less than the first, or nothing.
#[test]
fn the_longest_body_is_kept() {
    let requests = AtomicUsize::new(0);
    let server = Server::start(move |request| match requests.fetch_add(1, Ordering::SeqCst) % 2 {
        0 => closing("200 OK", "Content-Length: 9\r\n", "longer"),
        _ => match request.path.as_str() {
            "/shorter" => closing("200 OK", "Content-Length: 9\r\n", "short"),
            "/busy" => response("503 Busy", "", "busy"),
            "/gone" => response("410 Gone", "", "no such page any more"),
            _ => Response::Close(Vec::new()),
        },
    });
    let mut options = test_options(true);
    options.retries = 1;
    for path in ["/shorter", "/busy", "/nothing"] {
        let page = get(options.clone(), &server.url(path)).unwrap();
        assert_eq!(
            (page.status, page.body.as_slice(), page.truncated),
            (200, &b"longer"[..], true),
            "{path}"
        );
        assert!(page.broken.unwrap().to_string().ends_with("6 of 9 bytes arrived"), "{path}");
    }
    // A complete answer, although it is not the page.
    let page = get(options, &server.url("/gone")).unwrap();
    assert_eq!((page.status, page.truncated), (410, false));
}

#[test]
fn intact_bodies_are_not_taken_for_broken_ones() {
    let server = Server::start(|request| match request.path.as_str() {
        "/empty" => encoded("gzip", ""),
        "/padded" => encoded("gzip", [gzip("page"), vec![0; 20]].concat()),
        "/members" => encoded("gzip", [gzip("pa"), gzip("ge")].concat()),
        "/close" => closing("200 OK", "Content-Encoding: deflate\r\n", zlib("page")),
        "/none" => response("204 No Content", "Content-Encoding: gzip\r\n", ""),
        _ => closing("200 OK", "", "page"),
    });
    for path in ["/empty", "/padded", "/members", "/close", "/none", "/plain"] {
        let page = get(retrying(), &server.url(path)).unwrap();
        let expected: &[u8] = if matches!(path, "/empty" | "/none") { b"" } else { b"page" };
        assert_eq!((page.body.as_slice(), page.truncated, page.broken), (expected, false, None), "{path}");
        assert_eq!(server.paths().iter().filter(|asked| *asked == path).count(), 1, "{path}");
    }
}

/// The missing part of robots.txt could disallow the page.
#[test]
fn an_incomplete_robots_txt_disallows_everything() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => closing("200 OK", "Content-Length: 500\r\n", "User-agent: *\nAllow: /\n"),
        _ => html("page"),
    });
    let mut options = test_options(true);
    options.obey_robots = true;
    let error = get(options, &server.url("/page")).unwrap_err();
    assert!(matches!(error, FetchError::RobotsUnavailable { .. }), "{error}");
    assert!(error.to_string().contains("23 of 500 bytes arrived"), "{error}");
    assert_eq!(server.paths(), ["/robots.txt"]);
}

/// Counts requests instead of seconds: an attempt that used up the time is the last one, and so is one after
/// which the pause would.
#[test]
fn attempts_share_the_time_of_their_page() {
    let server = Server::start(|request| match request.path.as_str() {
        "/silent" | "/robots.txt" => Response::Slow(vec![Vec::new()], Duration::from_secs(20)),
        "/later" => response("503 Busy", "Retry-After: 30\r\n", "busy"),
        _ => response("503 Busy", "", "busy"),
    });
    let asked = |path: &str| server.paths().iter().filter(|asked| *asked == path).count();
    let mut options = retrying();
    options.limits.total_time = Duration::from_millis(1500);
    let error = get(options.clone(), &server.url("/silent")).unwrap_err();
    assert_eq!(error.to_string(), "127.0.0.1 did not respond within 1.5 seconds");
    assert_eq!(asked("/silent"), 1);
    // robots.txt counts too.
    options.obey_robots = true;
    let error = get(options.clone(), &server.url("/page")).unwrap_err();
    assert!(matches!(error, FetchError::Timeout { .. }), "{error}");
    assert_eq!(server.paths(), ["/silent", "/robots.txt"]);
    // Pauses that the server or politeness demand.
    options.obey_robots = false;
    options.limits.total_time = Duration::from_secs(20);
    assert_eq!((get(options.clone(), &server.url("/later")).unwrap().status, asked("/later")), (503, 1));
    let (min_delay, max_delay) = (Duration::from_secs(30), Duration::from_secs(30));
    let mut polite = options.clone();
    polite.politeness = Politeness::Adaptive { min_delay, max_delay, factor: 2.0 };
    assert_eq!((get(polite, &server.url("/polite")).unwrap().status, asked("/polite")), (503, 1));
    // Within the time there are all attempts.
    assert_eq!((get(options.clone(), &server.url("/busy")).unwrap().status, asked("/busy")), (503, 3));
    // An attempt that is too slow does not use up the time of the next one.
    options.limits.attempt_time = Duration::from_secs(1);
    assert!(matches!(get(options, &server.url("/silent")).unwrap_err(), FetchError::Timeout { .. }));
    assert_eq!(asked("/silent"), 1 + 3);
}
