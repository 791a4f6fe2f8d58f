//! A website with sixty kettles in ten pages, a search form, and forms that must not be sent. For tests of `copal site`.

#![allow(clippy::unwrap_used)]

use super::{Run, end, shell};
use copal_testserver::{Request, Response, Server, not_found, response};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

pub(crate) const KETTLES: usize = 60;
pub(crate) const EACH: usize = 6;
/// How long something may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
pub(crate) const OWN: &str = "--allow-private --delay 0 --cache-dir cache";

pub(crate) fn page(title: &str, content: &str) -> String {
    format!(
        "<!doctype html><html lang=en><title>{title}</title><nav><a href=/>Home</a> <a href=/kettles>All kettles</a> \
         <a href=/login>Log in</a> <a href=/contact>Contact</a></nav><main><h1>{title}</h1>{content}</main>"
    )
}

pub(crate) fn shop(request: &Request) -> Response {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let body = match path {
        "/" => page(
            "Kettle shop",
            "<p>Welcome to our shop.</p><form action=/find><input type=search name=q placeholder='Search kettles'>\
             <button>Search</button></form><form method=post action=/news><input type=email name=email>\
             <button>Subscribe</button></form>",
        ),
        "/kettles" => {
            let k: usize = query.strip_prefix("page=").and_then(|k| k.parse().ok()).unwrap_or(1);
            let items: String = (EACH * (k - 1) + 1..=EACH * k)
                .map(|n| {
                    format!(
                        "<li class=item><h3><a href='/kettle/{n}'>Copper kettle model {n}</a></h3>\
                         <span class=price>£{n}.99</span><p class=about>Made by hand in workshop {n}.</p>\
                         <p class=by>maker{n}@kettles.example</p></li>"
                    )
                })
                .collect();
            let next = if k * EACH < KETTLES {
                format!("<a rel=next href='/kettles?page={}'>Next page</a>", k + 1)
            } else {
                String::new()
            };
            let (first, last) = (EACH * (k - 1) + 1, EACH * k);
            page(
                "Kettles",
                &format!(
                    "<p>{first}-{last} of {KETTLES} kettles</p><ul class=kettles>{items}</ul><p>{next}</p>"
                ),
            )
        }
        _ => return not_found(),
    };
    let tag = format!("\"{}\"", body.len());
    if request.header("if-none-match") == tag {
        return response("304 Not Modified", &format!("ETag: {tag}\r\n"), "");
    }
    response("200 OK", &format!("Content-Type: text/html; charset=utf-8\r\nETag: {tag}\r\n"), body)
}

pub(crate) fn run(server: &Server, folder: &Path, line: &str) -> Run {
    let mut command = shell(folder, line);
    command.env("SITE", server.url(""));
    let run = end(&mut command, line, b"");
    let plain = |text: &str| text.replace(&server.url(""), "$SITE");
    Run { stdout: plain(&run.stdout), stderr: plain(&run.stderr), ..run }
}

pub(crate) fn titles(database: &Path) -> Vec<String> {
    let connection = Connection::open(database).unwrap();
    let mut statement = connection.prepare("SELECT title FROM records ORDER BY title").unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

pub(crate) fn all_titles() -> Vec<String> {
    let mut titles: Vec<String> = (1..=KETTLES).map(|n| format!("Copper kettle model {n}")).collect();
    titles.sort();
    titles
}

/// How often each page was asked for.
pub(crate) fn counts(server: &Server) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for path in server.paths() {
        *counts.entry(path).or_default() += 1;
    }
    counts
}
