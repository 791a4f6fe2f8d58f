//! `--render css`: stylesheets in a page, in its archive, in its folder, and fetched.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::run;
use copal_testserver::{Server, html, not_found, response};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// A list whose records have a text that the class `gone` marks.
fn lamps(head: &str) -> String {
    let lamp = |n: usize| {
        format!(
            "<li class=lamp><a href=/lamp/{n}>Lamp number {n}</a> <span class=price>£{n}9.50</span>\
             <span class=gone>Added to your basket</span><p>A lamp of type {n}, with a cable of {n} metres</p></li>"
        )
    };
    let lamps: String = (1..=8).map(lamp).collect();
    format!("<!doctype html><meta charset=utf-8>{head}<title>Lamps</title><h1>Lamps</h1><ul>{lamps}</ul>")
}

const HIDING: &str = ".lamp .gone { display: none }";

fn answer(folder: &Path, options: &str) -> Value {
    let run = run(folder, &format!("copal extract {options} --format json"));
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {} {}", run.stdout, run.stderr))
}

/// What the first record says, and whether stylesheets were read.
fn first_record(answer: &Value) -> (bool, bool) {
    let record = answer["regions"][0]["records"][0].to_string();
    assert!(record.contains("Lamp number 1"), "{answer}");
    (record.contains("basket"), answer["page"]["rendered"] == "css")
}

#[test]
fn stylesheets_inside_a_page_are_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("page.html"), lamps(&format!("<style>{HIDING}</style>"))).unwrap();
    assert_eq!(first_record(&answer(folder.path(), "page.html")), (true, false));
    assert_eq!(first_record(&answer(folder.path(), "page.html --render css")), (false, true));
}

#[test]
fn stylesheets_in_the_folder_of_a_page_are_read_and_no_others() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.css"), HIDING).unwrap();
    let folder = outside.path().join("saved");
    fs::create_dir_all(folder.join("page_files")).unwrap();
    fs::write(folder.join("page_files/a b.css"), "@import url(more.css);").unwrap();
    fs::write(folder.join("page_files/more.css"), HIDING).unwrap();
    symlink(outside.path().join("secret.css"), folder.join("link.css")).unwrap();
    let file = folder.join("page.html");
    for (href, is_read) in [
        ("page_files/a%20b.css", true),
        ("./page_files/more.css", true),
        ("../secret.css", false),
        ("page_files/../../secret.css", false),
        ("link.css", false),
        ("/etc/hosts", false),
        ("none.css", false),
    ] {
        fs::write(&file, lamps(&format!("<link rel=stylesheet href='{href}'>"))).unwrap();
        let found = answer(&folder, "page.html --render css");
        assert_eq!(first_record(&found), (!is_read, is_read), "{href}");
        // the URL that the page came from does not change where it was saved
        let found = answer(&folder, "page.html --render css --url https://lamps.example/");
        assert_eq!(first_record(&found), (!is_read, is_read), "{href}");
    }
}

#[test]
fn stylesheets_in_an_archive_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let page =
        lamps("<link rel=stylesheet href=cid:css-1@mhtml.blink>").replace('=', "=3D").replace('£', "=C2=A3");
    let archive = format!(
        "From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"B\"\r\n\r\n\
         --B\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\
         Content-Location: https://lamps.example/\r\n\r\n{page}\r\n\
         --B\r\nContent-Type: text/css\r\nContent-Location: cid:css-1@mhtml.blink\r\n\r\n{HIDING}\r\n--B--\r\n"
    );
    fs::write(folder.path().join("page.mhtml"), archive).unwrap();
    assert_eq!(first_record(&answer(folder.path(), "page.mhtml")), (true, false));
    assert_eq!(first_record(&answer(folder.path(), "page.mhtml --render css")), (false, true));
}

#[test]
fn linked_stylesheets_are_fetched_only_if_asked_for() {
    let server = Server::start(|request| match request.path.as_str() {
        "/lamps" => html(&lamps("<link rel=stylesheet href=/main.css><link rel=stylesheet href=/none.css>")),
        "/main.css" => response("200 OK", "Content-Type: text/css\r\n", "@import 'sheets/more.css';"),
        "/sheets/more.css" => response("200 OK", "Content-Type: text/css\r\n", HIDING),
        "/private.css" => response("200 OK", "Content-Type: text/css\r\n", "ul { display: none }"),
        "/robots.txt" => {
            response("200 OK", "Content-Type: text/plain\r\n", "User-agent: *\nDisallow: /private.css\n")
        }
        "/imported" => html(&lamps("<style>@import '/main.css';</style>")),
        "/closed" => html(&lamps("<link rel=stylesheet href=/private.css>")),
        _ => not_found(),
    });
    let folder = tempfile::tempdir().unwrap();
    let own = "--allow-private --delay 0 --no-cache --render css";
    let found = answer(folder.path(), &format!("{} {own}", server.url("/lamps")));
    assert_eq!(first_record(&found), (true, false));
    assert!(!server.paths().iter().any(|path| path.contains(".css")));
    let found = answer(folder.path(), &format!("{} {own} --stylesheets", server.url("/lamps")));
    assert_eq!(first_record(&found), (false, true));
    assert!(found["warnings"].to_string().contains("1 stylesheet of the page could not be read"), "{found}");
    // a page without a link to any may import them
    let found = answer(folder.path(), &format!("{} {own} --stylesheets", server.url("/imported")));
    assert_eq!(first_record(&found), (false, true));
    // robots.txt holds for stylesheets too
    let found = answer(folder.path(), &format!("{} {own} --stylesheets", server.url("/closed")));
    assert_eq!(first_record(&found), (true, false));
    assert!(!server.paths().iter().any(|path| path == "/private.css"));
}

#[test]
fn fetching_stylesheets_that_are_not_read_is_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("page.html"), lamps("")).unwrap();
    let run = run(folder.path(), "copal extract page.html --stylesheets");
    assert_eq!(
        (run.code, run.stderr.contains("--stylesheets needs --render css")),
        (2, true),
        "{}",
        run.stderr
    );
}
