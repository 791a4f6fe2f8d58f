//! Web archives as inputs: every page is answered, damage is reported with its position, and the output is in the order
//! of the file.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{Run, end, shell};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::Path;

const RECORDS: usize = 6;

fn list(number: usize) -> String {
    let item = |n: usize| {
        format!("<li><a href='/kettle/{n}'>Kettle {number}-{n}</a> <b>£{n}.99</b> <i>{n} litres</i></li>")
    };
    let items: String = (1..=RECORDS).map(item).collect();
    format!("<!doctype html><html lang=en><title>Kettles</title><h1>Kettles</h1><ul>{items}</ul></html>")
}

fn record(url: &str, body: &str) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}");
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-31T12:00:00Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        http.len()
    );
    [head.as_bytes(), http.as_bytes(), b"\r\n\r\n"].concat()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn archive(pages: usize) -> Vec<u8> {
    let url =
        |n: usize| format!("https://shop.example/{}/{n}", if n.is_multiple_of(2) { "even" } else { "odd" });
    (0..pages).flat_map(|n| gzip(&record(&url(n), &list(n)))).collect()
}

fn copal(folder: &Path, arguments: &str) -> Run {
    let line = format!("copal {arguments}");
    end(&mut shell(folder, &line), &line, b"")
}

#[test]
fn every_page_of_an_archive_is_answered_in_order() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("crawl.warc.gz"), archive(600)).unwrap();
    let run = copal(folder.path(), "extract crawl.warc.gz -o all.jsonl");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("600 pages"), "{}", run.stderr);
    assert!(run.stderr.contains("600 lists with 3600 records"), "{}", run.stderr);
    let lines = fs::read_to_string(folder.path().join("all.jsonl")).unwrap();
    let titles: Vec<&str> = lines
        .lines()
        .map(|line| line.split("\"title\":\"").nth(1).unwrap().split('"').next().unwrap())
        .collect();
    let wanted: Vec<String> =
        (0..600).flat_map(|n| (1..=RECORDS).map(move |item| format!("Kettle {n}-{item}"))).collect();
    assert_eq!(titles, wanted);
    assert!(lines.contains("https://shop.example/kettle/3"));
    let run = copal(folder.path(), "extract crawl.warc.gz --url-match '*/odd/*' --format pages");
    assert_eq!(run.stdout.lines().count(), 300);
    assert!(run.stderr.contains("300 left out by --url-match"), "{}", run.stderr);
}

#[test]
fn damage_is_reported_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = archive(5);
    let second = gzip(&record("https://shop.example/even/0", &list(0))).len();
    bytes[second + 60] ^= 0xff;
    fs::write(folder.path().join("crawl.warc.gz"), &bytes).unwrap();
    let run = copal(folder.path(), "extract crawl.warc.gz --format pages");
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(run.stderr.contains(&format!("record at byte {second}: ")), "{}", run.stderr);
    assert!(run.stdout.lines().filter(|line| line.contains("Kettle 4-1")).count() == 1, "{}", run.stdout);
    for end in [0, 10, bytes.len() - 3] {
        fs::write(folder.path().join("cut.warc.gz"), &bytes[..end]).unwrap();
        let run = copal(folder.path(), "extract cut.warc.gz");
        assert!([1, 4].contains(&run.code), "{end}: {} {}", run.code, run.stderr);
    }
    fs::write(folder.path().join("not.warc"), b"<ul><li>one</li></ul>").unwrap();
    let run = copal(folder.path(), "extract not.warc");
    assert!(run.stderr.contains("expected a WARC record"), "{}", run.stderr);
}

#[test]
fn pipes_are_read_whole_and_archives_need_a_run_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("crawl.warc"), record("https://shop.example/1", &list(7))).unwrap();
    fs::write(folder.path().join("a.html"), list(8)).unwrap();
    let line = "mkfifo page && (cat a.html > page &) && copal extract page --format csv";
    let run = end(&mut shell(folder.path(), line), line, b"");
    assert!(run.code == 0 && run.stdout.contains("Kettle 8-6"), "{} {}", run.stdout, run.stderr);
    let run = copal(folder.path(), "extract crawl.warc https://shop.example/");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("give them to a run of their own"), "{}", run.stderr);
}

/// What a run says about records, without the names of its input.
fn record_warnings(run: &Run) -> Vec<&str> {
    run.stderr.lines().filter_map(|line| line.find("record at byte").map(|at| &line[at..])).collect()
}

#[test]
fn a_pipe_that_is_cut_off_gives_what_a_file_that_is_cut_off_gives() {
    let folder = tempfile::tempdir().unwrap();
    let plain: Vec<u8> =
        (0..3).flat_map(|n| record(&format!("https://shop.example/odd/{n}"), &list(n))).collect();
    for (name, bytes) in [("crawl.warc", plain), ("crawl.warc.gz", archive(3))] {
        let mut codes = Vec::new();
        for cut in (40..=bytes.len()).step_by(bytes.len() / 9) {
            fs::write(folder.path().join(name), &bytes[..cut]).unwrap();
            fs::write(folder.path().join("cut"), &bytes[..cut]).unwrap();
            let file = copal(folder.path(), &format!("extract {name} --format pages"));
            let pipes = [
                format!(
                    "rm {name} && mkfifo {name} && (cat cut > {name} &) && copal extract {name} --format pages"
                ),
                "cat cut | copal extract /dev/stdin --format pages".to_owned(),
                "cat cut | copal extract - --format pages".to_owned(),
            ];
            // what a pipe without a name brings shows only once its first bytes can be unpacked
            for line in pipes.into_iter().take(if cut < 300 { 1 } else { 3 }) {
                let pipe = end(&mut shell(folder.path(), &line), &line, b"");
                assert_eq!(
                    (pipe.code, &pipe.stdout),
                    (file.code, &file.stdout),
                    "{cut} {line}: {}",
                    pipe.stderr
                );
                assert_eq!(record_warnings(&pipe), record_warnings(&file), "{cut} {line}");
            }
            fs::remove_file(folder.path().join(name)).unwrap();
            codes.push(file.code);
        }
        assert!(codes.contains(&4), "{name}: {codes:?}");
    }
    fs::write(folder.path().join("all.warc.gz"), archive(3)).unwrap();
    let line = "cat all.warc.gz | copal extract - --format csv";
    let run = end(&mut shell(folder.path(), line), line, b"");
    assert!(run.code == 0 && run.stdout.contains("Kettle 2-6"), "{} {}", run.stdout, run.stderr);
}

#[test]
fn archives_and_files_may_be_mixed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("crawl.warc"), record("https://shop.example/1", &list(7))).unwrap();
    fs::write(folder.path().join("a.html"), list(8)).unwrap();
    fs::write(folder.path().join("b.html"), list(9)).unwrap();
    let run = copal(folder.path(), "extract a.html crawl.warc b.html --format csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let order: Vec<usize> = ["Kettle 8-1", "Kettle 7-1", "Kettle 9-1"]
        .iter()
        .map(|text| run.stdout.find(text).unwrap())
        .collect();
    assert!(order.is_sorted(), "{}", run.stdout);
}
