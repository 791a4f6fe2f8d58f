//! A connection that ends after every single byte of a response: status line, headers, chunk sizes, compressed data.
//! A page that did not arrive completely is an error or is marked as broken, and is never stored.

#![allow(clippy::unwrap_used)]

mod support;

use copal_fetch::{CacheOptions, FetchErrorKind};
use copal_testserver::{Response, Server};
use flate2::Compression;
use std::fs;
use std::io::Write;
use support::*;

fn page_text() -> String {
    let items: String = (0..12).map(|n| format!("<li>entry {n}</li>")).collect();
    format!("<ul>{items}</ul>")
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn chunked(body: &[u8]) -> Vec<u8> {
    let mut sent = Vec::new();
    for chunk in body.chunks(40) {
        sent.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        sent.extend_from_slice(chunk);
        sent.extend_from_slice(b"\r\n");
    }
    sent.extend_from_slice(b"0\r\n\r\n");
    sent
}

/// Responses with the page, and how many of their last bytes may be missing: a body whose length was announced otherwise
/// is complete without them.
fn responses() -> Vec<(&'static str, Vec<u8>, usize)> {
    let text = page_text();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: \"1\"\r\n";
    let response = |headers: String, body: &[u8]| [format!("{head}{headers}\r\n").as_bytes(), body].concat();
    let zipped = gzip(&text);
    vec![
        ("length", response(format!("Content-Length: {}\r\n", text.len()), text.as_bytes()), 0),
        // the empty line after the last chunk
        ("chunked", response("Transfer-Encoding: chunked\r\n".to_owned(), &chunked(text.as_bytes())), 2),
        (
            "gzip",
            response(format!("Content-Encoding: gzip\r\nContent-Length: {}\r\n", zipped.len()), &zipped),
            0,
        ),
        (
            "chunked gzip",
            response(
                "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n".to_owned(),
                &chunked(&zipped),
            ),
            2,
        ),
        // without a length the checksum alone tells that the body is complete
        ("gzip until the end", response("Content-Encoding: gzip\r\n".to_owned(), &zipped), 0),
    ]
}

#[test]
fn a_connection_cut_at_any_byte_never_gives_an_incomplete_page_as_a_complete_one() {
    let text = page_text();
    let mut cuts = 0;
    for (name, bytes, optional) in responses() {
        let sent = bytes.clone();
        let server = Server::start(move |request| {
            let count: usize = request.path[1..].parse().unwrap();
            Response::Close(sent[..count].to_vec())
        });
        let folder = tempfile::tempdir().unwrap();
        let mut options = test_options(true);
        options.cache = Some(CacheOptions::new(folder.path()));
        let fetcher = fetcher(options);
        for count in 0..=bytes.len() {
            let stored_before = fs::read_dir(folder.path()).unwrap().count();
            let may_be_complete = count + optional >= bytes.len();
            cuts += 1;
            match block_on(fetcher.get(&server.url(&format!("/{count}")))) {
                Ok(page) if page.broken.is_none() && !page.truncated => {
                    assert!(may_be_complete, "{name}: {count} of {} bytes pass as a page", bytes.len());
                    assert_eq!(page.body, text.as_bytes(), "{name}: {count} bytes");
                }
                Ok(page) => {
                    assert!(count < bytes.len(), "{name}: complete, but {:?}", page.broken);
                    assert!(text.as_bytes().starts_with(&page.body), "{name}: {count} bytes");
                    let stored = fs::read_dir(folder.path()).unwrap().count();
                    assert_eq!(stored, stored_before, "{name}: {count} bytes are stored");
                }
                Err(error) => {
                    assert!(count < bytes.len(), "{name}: complete, but {error}");
                    assert_eq!(error.kind(), FetchErrorKind::Network, "{name}: {count} bytes: {error}");
                    assert!(error.is_temporary(), "{name}: {count} bytes: {error}");
                }
            }
        }
    }
    assert!(cuts > 1000, "{cuts}");
}
