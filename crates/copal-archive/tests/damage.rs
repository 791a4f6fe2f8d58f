//! Damaged archives: whatever the bytes are, reading ends, every undamaged page is there, and damage has a position.

#![allow(clippy::unwrap_used)]

use copal_archive::{Archive, ArchiveEntry, ArchiveLimits, ArchivedPage, Damage, DamagedRecord, PipedInput};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

fn page(number: usize) -> String {
    format!(
        "<html><body><h1>Page {number}</h1>{}</body></html>",
        "<p>Some text of the page.</p>".repeat(number + 1)
    )
}

fn record(kind: &str, url: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-31T12:00:00Z\r\n\
         Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn response(fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=UTF-8\r\n{fields}\r\n");
    [head.as_bytes(), body].concat()
}

fn response_record(number: usize) -> Vec<u8> {
    let block = response("", page(number).as_bytes());
    record(
        "response",
        &format!("https://site.example/{number}"),
        "application/http; msgtype=response",
        &block,
    )
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Three records, plain or one gzip member each, and where each begins.
fn archive(is_gzip: bool) -> (Vec<u8>, Vec<u64>) {
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    for number in 0..3 {
        starts.push(bytes.len() as u64);
        let record = response_record(number);
        bytes.extend(if is_gzip { gzip(&record) } else { record });
    }
    (bytes, starts)
}

fn read(bytes: &[u8]) -> (Vec<ArchivedPage>, Vec<DamagedRecord>) {
    read_from(Cursor::new(bytes))
}

fn read_from<R: Read + Seek>(input: R) -> (Vec<ArchivedPage>, Vec<DamagedRecord>) {
    let (mut pages, mut damaged) = (Vec::new(), Vec::new());
    for entry in Archive::new(input, ArchiveLimits::default()).unwrap() {
        match entry.unwrap() {
            ArchiveEntry::Page(page) => pages.push(page),
            ArchiveEntry::Damaged(record) => damaged.push(record),
            _ => unreachable!("no other entries"),
        }
    }
    (pages, damaged)
}

#[test]
fn pages_are_read_with_their_positions() {
    for is_gzip in [false, true] {
        let (bytes, starts) = archive(is_gzip);
        let (pages, damaged) = read(&bytes);
        assert_eq!(damaged, []);
        assert_eq!(pages.iter().map(|page| page.position).collect::<Vec<_>>(), starts, "gzip: {is_gzip}");
        for (number, found) in pages.iter().enumerate() {
            assert_eq!(found.body, page(number).as_bytes());
            assert_eq!(found.url.as_deref(), Some(format!("https://site.example/{number}").as_str()));
            assert_eq!(
                (found.content_type.as_deref(), found.charset.as_deref()),
                (Some("text/html"), Some("utf-8"))
            );
            assert!(!found.is_cut);
        }
    }
}

#[test]
fn a_gzip_file_of_one_member_is_read() {
    let (bytes, _) = archive(false);
    let (pages, damaged) = read(&gzip(&bytes));
    assert_eq!((pages.len(), damaged.len()), (3, 0));
}

#[test]
fn an_archive_that_ends_anywhere_gives_the_records_before() {
    for is_gzip in [false, true] {
        let (bytes, starts) = archive(is_gzip);
        for end in 0..bytes.len() {
            let (pages, damaged) = read(&bytes[..end]);
            let whole = (1..=3).filter(|&n| {
                // the empty lines at the end of a plain record, and the checksum of a member, are not content
                let record_end = starts.get(n).copied().unwrap_or(bytes.len() as u64) as usize;
                end >= record_end - if is_gzip { 0 } else { 4 }
            });
            let whole = whole.count();
            assert!(pages.len() >= whole, "{} pages of {whole} at {end} (gzip: {is_gzip})", pages.len());
            assert!(pages.len() + damaged.len() <= 4, "at {end}");
            assert!(
                pages.iter().enumerate().all(|(number, found)| found.body == page(number).as_bytes()),
                "at {end}"
            );
            let is_clean = starts.contains(&(end as u64))
                || !is_gzip && (whole > 0 && end as u64 <= starts.get(whole).copied().unwrap_or(u64::MAX));
            assert!(is_clean || !damaged.is_empty(), "silent at {end} (gzip: {is_gzip})");
        }
    }
}

/// A pipe that gives a few bytes at a time and cannot be sought.
struct Pipe<'a>(&'a [u8]);

impl Read for Pipe<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(37);
        self.0.read(&mut out[..most])
    }
}

impl Seek for Pipe<'_> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::NotSeekable.into())
    }
}

#[test]
fn a_damaged_pipe_is_read_like_a_damaged_file() {
    for is_gzip in [false, true] {
        let (bytes, _) = archive(is_gzip);
        for at in 0..bytes.len() {
            let cut = &bytes[..at];
            assert_eq!(read_from(PipedInput::new(Pipe(cut))), read(cut), "cut at {at} (gzip: {is_gzip})");
            // what cannot be read again at all ends with the record that is cut off
            let (pages, damaged) = read_from(Pipe(cut));
            assert_eq!(pages, read(cut).0, "cut at {at} (gzip: {is_gzip})");
            assert_eq!(damaged.first(), read(cut).1.first(), "cut at {at} (gzip: {is_gzip})");
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x20;
            // by how much a decoder is given at once, wrong data looks damaged or as if the end was missing
            let of_any_kind = |(pages, damaged): (Vec<ArchivedPage>, Vec<DamagedRecord>)| {
                (pages, damaged.into_iter().map(|record| (record.position, record.url)).collect::<Vec<_>>())
            };
            let piped = read_from(PipedInput::new(Pipe(&flipped)));
            assert_eq!(of_any_kind(piped), of_any_kind(read(&flipped)), "flipped at {at} (gzip: {is_gzip})");
        }
    }
}

#[test]
fn a_flipped_bit_costs_at_most_its_record() {
    for is_gzip in [false, true] {
        let (bytes, starts) = archive(is_gzip);
        for at in (0..bytes.len()).step_by(3) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x20;
            let (pages, damaged) = read(&flipped);
            let is_intact =
                pages.len() == 3 && (0..3).all(|number| pages[number].body == page(number).as_bytes());
            // plain archives have no checksum that is verified
            assert!(!is_gzip || is_intact || !damaged.is_empty(), "silent at {at}");
            let hit = starts.iter().filter(|start| **start as usize <= at).count() - 1;
            for number in (0..3).filter(|number| *number != hit) {
                let is_there = pages.iter().any(|found| found.body == page(number).as_bytes());
                assert!(is_there, "page {number} is lost by byte {at} (gzip: {is_gzip})");
            }
        }
    }
}

#[test]
fn wrong_lengths_are_reported_and_reading_goes_on() {
    for length in ["99999999999999999999999", "-5", "abc", "", "5368709120"] {
        let wrong = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\nx\r\n\r\n");
        let bytes = [wrong.into_bytes(), response_record(1)].concat();
        let (pages, damaged) = read(&bytes);
        assert_eq!((pages.len(), damaged.len()), (1, 1), "{length}");
        assert_eq!((damaged[0].position, &damaged[0].damage), (0, &Damage::Length));
    }
}

#[test]
fn bodies_are_decoded_within_the_limit() {
    let html = page(3);
    let chunked = format!("{:x}\r\n{html}\r\n0\r\n\r\n", html.len());
    let cases = [
        response("Transfer-Encoding: chunked\r\n", chunked.as_bytes()),
        response("Content-Encoding: gzip\r\n", &gzip(html.as_bytes())),
        // fields that no longer say the truth
        response("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", html.as_bytes()),
        response("Content-Encoding: br\r\n", html.as_bytes()),
    ];
    for block in cases {
        let (pages, damaged) = read(&record("response", "https://x.example/", "application/http", &block));
        assert_eq!(damaged, []);
        assert_eq!(String::from_utf8_lossy(&pages[0].body), html);
    }
    let bomb = gzip(&gzip(&vec![0; 50_000_000]));
    let once = response("Content-Encoding: gzip\r\n", &gzip(&vec![b' '; 50_000_000]));
    let (pages, _) = read(&record("response", "https://x.example/", "application/http", &once));
    assert!(pages[0].is_cut && pages[0].body.len() <= 10_000_000);
    let twice = response("Content-Encoding: gzip, gzip\r\n", &bomb);
    let (pages, _) = read(&record("response", "https://x.example/", "application/http", &twice));
    assert!(pages[0].is_cut && pages[0].body.len() <= 10_000_000);
}

#[test]
fn what_is_not_a_page_is_counted() {
    let image = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG".to_vec();
    let unchanged = b"HTTP/1.1 304 Not Modified\r\n\r\n".to_vec();
    let bytes = [
        record("warcinfo", "", "application/warc-fields", b"software: x"),
        record("response", "https://x.example/a.png", "application/http", &image),
        record("response", "https://x.example/", "application/http", &unchanged),
        record("revisit", "https://x.example/", "application/http", b"HTTP/1.1 200 OK\r\n\r\n"),
        record("resource", "https://x.example/r", "text/html; charset=latin1", b"<p>resource</p>"),
        record("response", "https://x.example/bad", "application/http", b"not http"),
    ]
    .concat();
    let mut archive = Archive::new(Cursor::new(&bytes), ArchiveLimits::default()).unwrap();
    let entries: Vec<ArchiveEntry> = archive.by_ref().map(Result::unwrap).collect();
    assert_eq!(entries.len(), 2);
    let ArchiveEntry::Page(resource) = &entries[0] else { panic!("a page") };
    assert_eq!(resource.charset.as_deref(), Some("latin1"));
    let ArchiveEntry::Damaged(bad) = &entries[1] else { panic!("damage") };
    assert_eq!((&bad.damage, bad.url.as_deref()), (&Damage::Http, Some("https://x.example/bad")));
    let counts = archive.counts();
    assert_eq!((counts.records, counts.other_type, counts.other_status, counts.revisits), (6, 1, 1, 1));
}

proptest! {
    #[test]
    fn any_bytes_end(bytes in proptest::collection::vec(any::<u8>(), 0..2000), prefix in 0_usize..4) {
        let start: &[u8] = [&b""[..], b"WARC/1.0\r\n", &[0x1f, 0x8b, 8, 0], b"WARC/1.0\r\nContent-Length: 9\r\n\r\n"][prefix];
        let all = [start, &bytes].concat();
        let (pages, damaged) = read(&all);
        prop_assert!(pages.len() + damaged.len() <= all.len() + 1);
    }
}
