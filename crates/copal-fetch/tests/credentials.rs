//! Headers and cookies of the user go to one origin only, and never to the disk.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::sync::Arc;

use copal_fetch::{CacheOptions, FetchOptions, OriginCredentials, ProxySource, ProxyUrl};
use copal_testserver::{Request, Server, html, redirect, response};
use support::*;

const SECRET: &str = "s3cret-value";

fn with_secrets(url: &str) -> FetchOptions {
    let mut credentials = OriginCredentials::for_url(url).unwrap();
    credentials.add_header(&format!("Authorization: Bearer {SECRET}")).unwrap();
    credentials.add_cookies(&format!("sid={SECRET}")).unwrap();
    let mut options = test_options(true);
    options.credentials = Some(credentials);
    options
}

fn has_secret(request: &Request) -> bool {
    request.headers.iter().any(|(_, value)| value.contains(SECRET))
}

#[test]
fn the_origin_gets_headers_and_cookies() {
    let server = Server::start(|request| match request.path.as_str() {
        "/first" => response("200 OK", "Set-Cookie: step=2; Path=/\r\n", "first"),
        _ => html("second"),
    });
    let url = server.url("/first");
    let fetcher = fetcher(with_secrets(&url));
    block_on(async {
        fetcher.get(&url).await.unwrap();
        fetcher.get(&server.url("/second")).await.unwrap();
    });
    let requests = server.requests();
    assert_eq!(requests[0].header("authorization"), format!("Bearer {SECRET}"));
    assert_eq!(requests[0].header("cookie"), format!("sid={SECRET}"));
    assert_eq!(
        requests[1].header("cookie"),
        format!("sid={SECRET}; step=2"),
        "cookies of the server are added"
    );
}

#[test]
fn other_origins_get_nothing_also_after_redirects() {
    let other = Arc::new(Server::start(|_| html("other")));
    let target = other.url("/landing");
    let server = Server::start(move |request| match request.path.as_str() {
        "/away" => redirect(302, &target),
        "/again" => redirect(307, "/here"),
        _ => html("here"),
    });
    let options = with_secrets(&server.url("/"));
    assert_eq!(get(options.clone(), &server.url("/away")).unwrap().body, b"other");
    assert!(server.requests().iter().all(has_secret), "the first hop is the origin");
    assert_eq!(other.requests().len(), 1);
    assert!(!other.requests().iter().any(has_secret), "{:?}", other.requests());
    // a redirect within the origin keeps them
    get(options.clone(), &server.url("/again")).unwrap();
    assert!(server.requests().iter().all(has_secret));
    // the same host with another port or name is another origin
    get(options.clone(), &other.url("/direct")).unwrap();
    get(options, &server.url_with_host("shop.test", "/named")).unwrap();
    assert!(!other.requests().iter().any(has_secret));
    assert!(!has_secret(server.requests().last().unwrap()));
}

#[test]
fn pages_of_the_origin_are_not_cached() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|request| html(&format!("page for {}", request.header("cookie"))));
    let cached = |mut options: FetchOptions| {
        options.cache = Some(CacheOptions::new(folder.path().join("cache")));
        options
    };
    // what an anonymous run stored is not used for the user
    get(cached(test_options(true)), &server.url("/list")).unwrap();
    let own = get(cached(with_secrets(&server.url("/"))), &server.url("/list")).unwrap();
    assert!(!own.from_cache && String::from_utf8(own.body).unwrap().contains(SECRET));
    // and what the user saw is not stored
    let later = get(cached(test_options(true)), &server.url("/list")).unwrap();
    assert!(later.from_cache && later.body == b"page for ");
    let only_user = get(cached(with_secrets(&server.url("/"))), &server.url("/account")).unwrap();
    assert!(!only_user.from_cache);
    assert!(!get(cached(test_options(true)), &server.url("/account")).unwrap().from_cache);
    for entry in fs::read_dir(folder.path().join("cache")).unwrap().flatten() {
        let bytes = fs::read(entry.path()).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains(SECRET));
    }
}

#[test]
fn a_page_that_redirects_through_the_origin_is_not_cached() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Server::start(|request| html(&format!("page for {}", request.header("cookie"))));
    let target = origin.url("/account");
    let other = Server::start(move |_| redirect(302, &target));
    let mut options = with_secrets(&origin.url("/"));
    options.cache = Some(CacheOptions::new(folder.path()));
    get(options, &other.url("/")).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_proxy_gets_its_own_credentials_and_no_message_shows_them() {
    let proxy = Server::start(|request| html(request.header("proxy-authorization")));
    let url = proxy.url("").replace("http://", &format!("http://me:{SECRET}@"));
    let mut options = test_options(false);
    options.proxies = ProxySource::Url(ProxyUrl::new(&url).unwrap());
    assert!(!format!("{options:?}").contains(SECRET), "{options:?}");
    let page = get(options.clone(), "http://site.example/").unwrap();
    assert!(page.body.starts_with(b"Basic "));
    assert_eq!(proxy.requests()[0].header("authorization"), "");
    // a proxy that does not answer
    let mut options = test_options(false);
    options.proxies = ProxySource::Url(ProxyUrl::new(&format!("http://me:{SECRET}@127.0.0.1:9")).unwrap());
    let error = get(options, "http://site.example/").unwrap_err();
    assert!(!error.to_string().contains(SECRET), "{error}");
    for wrong in ["", "socks5://127.0.0.1:1", "http://", "http:// x"] {
        assert_eq!(ProxyUrl::new(wrong), None, "{wrong}");
    }
}

#[test]
fn debug_output_shows_no_secret() {
    let options = with_secrets("https://shop.example/");
    assert!(!format!("{options:?}").contains(SECRET), "{options:?}");
}
