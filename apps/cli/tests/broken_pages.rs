//! Pages that do not arrive intact, a cache that cannot be written, a silent server, and archives: what the
//! command says, and its exit code.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{end, folder, names, shell};
use copal_testserver::{Request, Response, Server, closing, html, response};
use std::path::Path;
use std::time::Duration;

/// Records of the whole list; a page of it has half of them.
const RECORDS: usize = 40;

fn list(first: usize, last: usize, next: &str) -> String {
    let item = |n: usize| {
        format!(
            "<li><h3><a href='/kettle/{n}'>Copper kettle model {n}</a></h3><b>£{n}.99</b>\
             <p>Holds {n} litres</p>"
        )
    };
    let items: String = (first..=last).map(item).collect();
    format!(
        "<!doctype html><html lang=en><title>Kettles</title><h1>Kettles</h1><p>{next}</p><ul>{items}</ul>"
    )
}

/// A response that announces more bytes than it has.
fn cut(page: &str) -> Response {
    let headers = format!("Content-Type: text/html\r\nContent-Length: {}\r\n", page.len() + 100);
    closing("200 OK", &headers, page)
}

fn site(request: &Request) -> Response {
    let next = "<a rel=next href='/list?page=2'>Next page</a>";
    match request.path.as_str() {
        "/robots.txt" => response("404 Not Found", "", ""),
        "/cut" => cut(&list(1, RECORDS / 2, "")),
        "/list" => html(&list(1, RECORDS / 2, next)),
        "/list?page=2" => cut(&list(RECORDS / 2 + 1, RECORDS, "")),
        "/silent" => Response::Slow(vec![Vec::new()], Duration::from_secs(20)),
        "/archive" => response("200 OK", "Content-Type: application/warc\r\n", ARCHIVE),
        "/kettle/3" => cut("<title>Copper kettle model 3</title><dl><dt>Weight<dd>3 kg</dl>"),
        path if path.starts_with("/kettle/") => {
            let number = &path["/kettle/".len()..];
            html(&format!("<title>Copper kettle model {number}</title><dl><dt>Weight<dd>{number} kg</dl>"))
        }
        _ => html(&list(1, RECORDS, "")),
    }
}

const ARCHIVE: &[u8] = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 40\r\n\r\n\
    <ul><li>one<li>two<li>three<li>four</ul>\r\n\r\n";

fn copal(server: &Server, folder: &Path, arguments: &str) -> common::Run {
    let line = format!("copal {arguments} --allow-private --delay 0");
    end(shell(folder, &line).env("SITE", server.url("")), &line, b"")
}

fn asked(server: &Server, path: &str) -> usize {
    server.paths().iter().filter(|asked| *asked == path).count()
}

#[test]
fn a_page_that_is_cut_gives_a_partial_result() {
    let (server, folder) = (Server::start(site), folder(&[]));
    let run = copal(&server, folder.path(), "extract $SITE/cut --format csv --cache-dir pages");
    assert_eq!((run.code, run.stdout.lines().count()), (4, 1 + RECORDS / 2), "{}", run.stderr);
    let page = list(1, RECORDS / 2, "").len();
    let reason = format!("the page did not arrive intact ({page} of {} bytes arrived)", page + 100);
    assert!(run.stderr.contains(&reason), "{}", run.stderr);
    assert_eq!(asked(&server, "/cut"), 2, "one retry");
    assert!(names(&folder.path().join("pages")).is_empty(), "not stored as a complete page");
}

#[test]
fn following_pages_and_detail_pages_that_are_cut_are_reported() {
    let (server, folder) = (Server::start(site), folder(&[]));
    let run = copal(&server, folder.path(), "extract $SITE/list --follow all --format csv --no-cache");
    assert_eq!((run.code, run.stdout.lines().count()), (4, 1 + RECORDS), "{}", run.stderr);
    assert!(run.stderr.contains("/list?page=2 did not arrive intact"), "{}", run.stderr);
    assert!(!run.stderr.contains("complete"), "{}", run.stderr);
    let run = copal(&server, folder.path(), "extract $SITE/whole --details 5 --format csv --no-cache");
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(run.stderr.contains("1 of 5 detail pages did not arrive intact"), "{}", run.stderr);
}

#[test]
fn a_wrapper_applied_to_a_page_that_is_cut_gives_a_partial_result() {
    let (server, folder) = (Server::start(site), folder(&[]));
    let run = copal(&server, folder.path(), "learn $SITE/whole -o kettles.copal.yaml");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = copal(&server, folder.path(), "apply kettles.copal.yaml $SITE/cut --format csv");
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(run.stderr.contains("did not arrive intact"), "{}", run.stderr);
}

#[test]
fn commands_for_wrappers_report_a_page_that_is_cut() {
    let (server, folder) = (Server::start(site), folder(&[]));
    let run = copal(&server, folder.path(), "learn $SITE/whole -o kettles.copal.yaml --no-cache --quiet");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for arguments in [
        "learn $SITE/cut -o cut.copal.yaml",
        "check kettles.copal.yaml $SITE/cut",
        "repair kettles.copal.yaml $SITE/cut --verify 1",
    ] {
        let run = copal(&server, folder.path(), &format!("{arguments} --no-cache"));
        assert_eq!(run.code, 4, "{arguments}: {}{}", run.stdout, run.stderr);
        let warnings = run.stderr.matches("/cut: the page did not arrive intact").count();
        assert_eq!(warnings, 1, "{arguments}: {}", run.stderr);
        let run = copal(&server, folder.path(), &format!("{arguments} --no-cache --quiet"));
        assert_eq!((run.code, run.stderr.as_str()), (4, ""), "{arguments}");
    }
    assert!(folder.path().join("cut.copal.yaml").exists(), "a wrapper is learned from what arrived");
}

#[test]
fn a_cache_that_cannot_be_written_is_reported_once() {
    let (server, folder) = (Server::start(site), folder(&[("file", b"")]));
    let arguments = "extract $SITE/one $SITE/two --format csv --cache-dir file/pages";
    let run = copal(&server, folder.path(), arguments);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 1 + 2 * RECORDS), "{}", run.stderr);
    assert_eq!(run.stderr.matches("warning: the cache file/pages cannot be written: ").count(), 1);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    let run = copal(&server, folder.path(), &format!("{arguments} --quiet"));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

/// The tries are counted, not the seconds.
#[test]
fn the_timeout_is_for_all_tries() {
    let (server, folder) = (Server::start(site), folder(&[]));
    let run = copal(&server, folder.path(), "extract $SITE/silent --timeout 2.5 --no-cache");
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("127.0.0.1 did not respond within 2.5 seconds"), "{}", run.stderr);
    assert_eq!(asked(&server, "/silent"), 1);
}

#[test]
fn archives_from_servers_are_refused() {
    let (server, folder) = (Server::start(site), folder(&[]));
    let run = copal(&server, folder.path(), "extract $SITE/archive");
    assert_eq!((run.code, run.stdout.as_str()), (3, ""));
    let refused = ": input is a WARC archive, which only copal extract reads, as a file";
    assert!(run.stderr.contains(refused), "{}", run.stderr);
}
