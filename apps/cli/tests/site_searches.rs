//! Search forms that are sent by POST: what is sent, how often, and what is never sent.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::kettle_site::{OWN, all_titles, run, shop, titles};
use common::{folder, shell};
use copal_testserver::{Request, Response, Server, not_found, response};
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// A shop that is only reached by a search form that is sent by POST. The form has a token that belongs to a cookie.
fn shop_behind_a_posted_search(request: &Request) -> Response {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    match path {
        "/" => {
            let token = format!("k{:x}", request.at.elapsed().as_nanos());
            let form = format!(
                "<form method=post action=/find role=search><input type=hidden name=csrf_token value={token}>\
                 <label>Search <input type=search name=q placeholder='Search kettles'></label><button>Search</button></form>\
                 <form method=post action=/news><input type=email name=email><button>Subscribe</button></form>"
            );
            let body =
                format!("<!doctype html><title>Kettles</title><h1>Kettle shop</h1><p>Welcome.</p>{form}");
            response("200 OK", &format!("Content-Type: text/html\r\nSet-Cookie: csrf={token}\r\n"), body)
        }
        "/find" if request.method == "POST" => {
            let token = request.body.split('&').find_map(|field| field.strip_prefix("csrf_token="));
            if token.is_none_or(|token| !request.header("cookie").contains(&format!("csrf={token}"))) {
                return response("403 Forbidden", "", "the token is not valid");
            }
            let page = Request { path: "/kettles?page=1".to_owned(), ..request.clone() };
            shop(&page)
        }
        "/kettles" if query.is_empty() => not_found(),
        "/kettles" => shop(request),
        _ => not_found(),
    }
}

fn posts(server: &Server) -> Vec<Request> {
    server.requests().into_iter().filter(|request| request.method != "GET").collect()
}

#[test]
fn a_search_is_sent_by_post_once_and_nothing_else_is() {
    let server = Server::start(shop_behind_a_posted_search);
    let folder = folder(&[]);
    let plan = run(&server, folder.path(), &format!("copal site $SITE/ {OWN} --dry-run"));
    assert!(plan.stdout.contains("would send POST $SITE/find (nothing, or any value)"), "{}", plan.stdout);
    assert!(plan.stdout.contains("nothing would be sent: not a search"), "{}", plan.stdout);
    assert!(posts(&server).is_empty());
    let none = run(&server, folder.path(), &format!("copal site $SITE/ {OWN} --no-forms -o none.sqlite"));
    assert_eq!((none.code, posts(&server).len()), (1, 0), "{}", none.stderr);
    // with a cache of its own: a page of an earlier run has a token that is no longer valid
    let folder = common::folder(&[]);
    let line = format!(
        "copal site $SITE/ {OWN} -o shop.sqlite --explain --report shop.html --wrapper shop.copal.yaml"
    );
    let whole = run(&server, folder.path(), &line);
    assert_eq!(whole.code, 0, "{}{}", whole.stdout, whole.stderr);
    assert_eq!(titles(&folder.path().join("shop.sqlite")), all_titles());
    assert!(whole.stdout.contains("POST $SITE/find csrf_token="), "{}", whole.stdout);
    let sent = posts(&server);
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!(
        (sent[0].path.as_str(), sent[0].header("content-type")),
        ("/find", "application/x-www-form-urlencoded")
    );
    // the wrapper repeats the search, with a token of its own
    let again = run(&server, folder.path(), &format!("copal site run shop.copal.yaml {OWN} -o again.sqlite"));
    assert_eq!(
        again.code,
        0,
        "{}{}",
        again.stderr,
        fs::read_to_string(folder.path().join("shop.copal.yaml")).unwrap()
    );
    assert_eq!(titles(&folder.path().join("again.sqlite")), all_titles());
    assert!(posts(&server).iter().all(|request| request.path == "/find"));
}

#[test]
fn a_posted_search_continues_with_a_new_token() {
    let server = Server::start(shop_behind_a_posted_search);
    let folder = folder(&[]);
    let line = format!("copal site $SITE/ {OWN} -o shop.sqlite");
    // the sitemap and the start page, whose form is queued
    let part = run(&server, folder.path(), &format!("{line} --budget pages=2"));
    assert_eq!((part.code, posts(&server).len()), (4, 0), "{}", part.stderr);
    let rest = run(&server, folder.path(), &line);
    assert_eq!(rest.code, 0, "{}", rest.stderr);
    assert_eq!(titles(&folder.path().join("shop.sqlite")), all_titles());
    assert_eq!(posts(&server).len(), 2, "one with the old token, which is refused, and one with the new one");
}

#[test]
fn kills_repeat_only_searches_that_were_in_flight() {
    let server = Server::start(|request| {
        thread::sleep(Duration::from_millis(8));
        shop_behind_a_posted_search(request)
    });
    let folder = folder(&[]);
    let line = format!("exec copal site $SITE/ {OWN} -q -o shop.sqlite");
    let mut kills = 0;
    let mut ended = false;
    // each process lives longer than the one before, until one reaches the end
    for step in 0..40_u64 {
        let mut command = shell(folder.path(), &line);
        let quiet = command.env("SITE", server.url("")).stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = quiet.stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(40 + 60 * step));
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            ended = true;
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    // a machine may be too slow for the last of them
    if !ended {
        let last = run(&server, folder.path(), &line);
        assert_eq!(last.code, 0, "{}", last.stderr);
    }
    assert_eq!(titles(&folder.path().join("shop.sqlite")), all_titles());
    // a run that was killed at its very end starts again, with a search of its own
    let sent = posts(&server);
    assert!(sent.len() <= 2 * kills + 2, "{} searches after {kills} kills", sent.len());
    assert!(sent.iter().all(|request| request.path == "/find"), "{sent:?}");
}
