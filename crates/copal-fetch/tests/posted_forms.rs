//! Forms that are sent by POST: once, not again after failures, and never to another place.

#![allow(clippy::unwrap_used)]

use copal_fetch::{CacheOptions, FetchError, FetchOptions, Fetcher, PageRequest, Politeness};
use copal_testserver::{Request, Response, Server, html, redirect, response};
use std::path::Path;

fn site(request: &Request) -> Response {
    match (request.method.as_str(), request.path.as_str()) {
        ("POST", "/find") => html(&format!("found {}", request.body)),
        ("POST", "/after") => redirect(303, "/results"),
        ("POST", "/again") => redirect(307, "/find"),
        ("POST", "/busy") => response("503 Service Unavailable", "", "later"),
        ("GET", "/results") => html("results"),
        _ => response("404 Not Found", "", ""),
    }
}

fn fetcher(cache: &Path) -> Fetcher {
    let mut options = FetchOptions::default();
    options.allow_private = true;
    options.politeness = Politeness::Off;
    options.retries = 3;
    options.cache = Some(CacheOptions::new(cache));
    Fetcher::new(options).unwrap()
}

/// The requests of a server, without those for robots.txt.
fn sent(server: &Server) -> Vec<String> {
    let requests = server.requests().into_iter().filter(|request| request.path != "/robots.txt");
    requests.map(|request| format!("{} {} {}", request.method, request.path, request.body)).collect()
}

#[tokio::test]
async fn equal_forms_are_sent_once() {
    let (server, folder) = (Server::start(site), tempfile::tempdir().unwrap());
    let fetcher = fetcher(folder.path());
    let form = |fields: &str| PageRequest::post(server.url("/find"), fields);
    for (fields, from_cache) in [("town=Bath", false), ("town=Leeds", false), ("town=Bath", true)] {
        let page = fetcher.fetch(&form(fields)).await.unwrap();
        assert_eq!(page.body, format!("found {fields}").into_bytes());
        assert_eq!(page.from_cache, from_cache);
    }
    assert_eq!(sent(&server), ["POST /find town=Bath", "POST /find town=Leeds"]);
    assert_eq!(server.requests()[1].header("content-type"), "application/x-www-form-urlencoded");
    // the URL alone is another page
    assert_eq!(fetcher.get(&server.url("/find")).await.unwrap().status, 404);
    // unless the page is wanted as it is now
    assert!(!fetcher.fetch(&form("town=Bath").fresh()).await.unwrap().from_cache);
}

#[tokio::test]
async fn a_redirect_leads_to_a_page_of_its_own() {
    let (server, folder) = (Server::start(site), tempfile::tempdir().unwrap());
    let fetcher = fetcher(folder.path());
    let page = fetcher.fetch(&PageRequest::post(server.url("/after"), "q=x")).await.unwrap();
    assert_eq!((page.url, page.body), (server.url("/results"), b"results".to_vec()));
    assert!(fetcher.get(&server.url("/results")).await.unwrap().from_cache);
    assert_eq!(sent(&server), ["POST /after q=x", "GET /results "]);
}

#[tokio::test]
async fn forms_are_not_sent_again() {
    let (server, folder) = (Server::start(site), tempfile::tempdir().unwrap());
    let fetcher = fetcher(folder.path());
    assert_eq!(fetcher.fetch(&PageRequest::post(server.url("/busy"), "q=x")).await.unwrap().status, 503);
    let elsewhere = fetcher.fetch(&PageRequest::post(server.url("/again"), "q=x")).await.unwrap_err();
    assert!(matches!(elsewhere, FetchError::RedirectedForm { .. }), "{elsewhere}");
    assert_eq!(sent(&server), ["POST /busy q=x", "POST /again q=x"]);
}
