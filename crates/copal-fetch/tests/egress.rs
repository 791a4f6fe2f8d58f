//! The proxy for browsers: what a browser sends goes in as raw bytes, and everything passes the checks of fetching.

#![cfg(feature = "egress")]
#![allow(clippy::unwrap_used, clippy::disallowed_types)]

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use copal_fetch::{EgressOptions, EgressProxy, FetchErrorKind, FetchOptions, GivenDocument};
use copal_testserver::{Server, html, redirect, response};
use support::*;

/// A proxy on a runtime of its own.
struct RunningProxy {
    proxy: Option<EgressProxy>,
    _runtime: tokio::runtime::Runtime,
}

impl RunningProxy {
    fn start(fetch: FetchOptions, options: EgressOptions) -> RunningProxy {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let proxy = runtime.block_on(async { EgressProxy::start(&fetcher(fetch), options).unwrap() });
        RunningProxy { proxy: Some(proxy), _runtime: runtime }
    }

    fn proxy(&self) -> &EgressProxy {
        self.proxy.as_ref().unwrap()
    }

    /// Sends bytes and returns everything that comes back.
    fn send(&self, bytes: &str) -> String {
        exchange(self.proxy().address(), bytes)
    }

    fn get(&self, url: &str, headers: &str) -> String {
        self.send(&format!("GET {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n"))
    }
}

fn exchange(address: std::net::SocketAddr, bytes: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(bytes.as_bytes()).unwrap();
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn requests_are_passed_on_without_headers_of_the_connection() {
    let server = Server::start(|request| {
        response(
            "201 Created",
            "Set-Cookie: a=b\r\nAlt-Svc: h3=\":443\"\r\n",
            format!("got {}", request.method),
        )
    });
    let proxy = RunningProxy::start(test_options(true), EgressOptions::default());
    let text = proxy.send(&format!(
        "POST {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nUser-Agent: Chrome\r\nCookie: c=d\r\nContent-Length: 2\r\n\r\nhi",
        server.url("/post")
    ));
    assert!(text.starts_with("HTTP/1.1 201") && text.ends_with("got POST"), "{text}");
    assert!(text.contains("set-cookie: a=b") && !text.contains("alt-svc"), "{text}");
    let seen = &server.requests()[0];
    assert_eq!((seen.header("cookie"), seen.header("content-length")), ("c=d", "2"));
    assert!(seen.header("user-agent").starts_with("copal/"), "{}", seen.header("user-agent"));
    assert_eq!(proxy.proxy().report().requests, 1);
    assert!(proxy.proxy().idle_time(Instant::now()).is_some());
}

#[test]
fn forbidden_hosts_get_no_connection() {
    let canary = Server::start(|_| html("no"));
    let proxy = RunningProxy::start(test_options(false), EgressOptions::default());
    let port = canary.address().port();
    for host in ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "loop.test"] {
        let text = proxy.get(&format!("http://{host}:{port}/"), "");
        assert!(text.starts_with("HTTP/1.1 403"), "{host}: {text}");
        let tunnel =
            proxy.send(&format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
        // a name is looked up only when something is asked for in the tunnel
        assert!(tunnel.starts_with("HTTP/1.1 403") || host == "loop.test", "{host}: {tunnel}");
    }
    for url in ["ftp://example.org/", "http://a:b@example.org/", "http://example.org:25/"] {
        let text = proxy.get(url, "");
        assert!(text.starts_with("HTTP/1.1 4"), "{url}: {text}");
    }
    assert_eq!(canary.connections(), 0);
    let report = proxy.proxy().report();
    assert!(
        report.refused.iter().filter(|one| one.kind == Some(FetchErrorKind::Url)).count() >= 9,
        "{report:?}"
    );
}

#[test]
fn redirects_are_left_to_the_browser_and_checked_again() {
    let canary = Server::start_at("127.0.0.2:0", |_| html("no"));
    let target = canary.url("/");
    let server = Server::start(move |_| redirect(302, &target));
    let mut options = test_options(false);
    options.hooks.global = vec![LOOPBACK];
    let proxy = RunningProxy::start(options, EgressOptions::default());
    let text = proxy.get(&server.url("/"), "");
    assert!(text.starts_with("HTTP/1.1 302") && text.contains(&canary.url("/")), "{text}");
    assert!(proxy.get(&canary.url("/"), "").starts_with("HTTP/1.1 403"));
    assert_eq!(canary.connections(), 0);
}

#[test]
fn robots_txt_counts_for_resources_too() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /api\n"),
        _ => html("yes"),
    });
    let mut options = test_options(true);
    options.obey_robots = true;
    let proxy = RunningProxy::start(options, EgressOptions::default());
    assert!(proxy.get(&server.url("/app.js"), "").ends_with("yes"));
    assert!(proxy.get(&server.url("/api/list"), "").starts_with("HTTP/1.1 403"));
    assert_eq!(server.paths(), ["/robots.txt", "/app.js"]);
    assert_eq!(proxy.proxy().report().refused[0].kind, Some(FetchErrorKind::Robots));
}

#[test]
fn pages_have_limits_and_no_images() {
    let server = Server::start(|_| html(&"x".repeat(1000)));
    let mut options = EgressOptions::default();
    options.max_requests = 2;
    let proxy = RunningProxy::start(test_options(true), options);
    let image = proxy.get(&server.url("/i.png"), "Accept: image/avif,*/*\r\n");
    assert!(image.starts_with("HTTP/1.1 403"), "{image}");
    for _ in 0..2 {
        assert!(proxy.get(&server.url("/"), "").starts_with("HTTP/1.1 200"));
    }
    assert!(proxy.get(&server.url("/"), "").starts_with("HTTP/1.1 403"));
    assert_eq!((server.connections() > 0, proxy.proxy().report().limit), (true, Some("requests")));
    let mut options = EgressOptions::default();
    options.max_bytes = 1500;
    let proxy = RunningProxy::start(test_options(true), options);
    let statuses: Vec<bool> =
        (0..3).map(|_| proxy.get(&server.url("/"), "").starts_with("HTTP/1.1 200")).collect();
    assert_eq!((statuses, proxy.proxy().report().limit), (vec![true, true, false], Some("bytes")));
}

#[test]
fn given_documents_are_not_asked_for() {
    let mut options = EgressOptions::default();
    options.documents.push(GivenDocument {
        url: "http://saved-page.invalid/#top".to_owned(),
        content_type: "text/html".to_owned(),
        body: b"<p>saved".to_vec(),
    });
    let proxy = RunningProxy::start(test_options(false), options);
    let text = proxy.get("http://saved-page.invalid/", "Sec-Fetch-Dest: document\r\n");
    assert!(text.ends_with("<p>saved"), "{text}");
    assert_eq!(proxy.proxy().report().page_document.unwrap().response, Ok(200));
    let other = proxy.get("http://saved-page.invalid/other", "Sec-Fetch-Dest: document\r\n");
    assert!(other.starts_with("HTTP/1.1 403"), "{other}");
    assert!(proxy.proxy().report().page_document.unwrap().response.is_err());
}

#[test]
fn web_sockets_are_refused() {
    let server = Server::start(|_| html("no"));
    let proxy = RunningProxy::start(test_options(true), EgressOptions::default());
    let text = proxy.get(&server.url("/socket"), "Upgrade: websocket\r\n");
    assert!(text.starts_with("HTTP/1.1 403"), "{text}");
    // without encryption, browsers use a tunnel
    let authority = server.address();
    let text = proxy.send(&format!(
        "CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\nGET /socket HTTP/1.1\r\nHost: {authority}\r\n\r\n"
    ));
    assert!(!text.contains("no"), "{text}");
    assert_eq!(server.connections(), 0);
}

#[test]
fn nonsense_gives_an_error_and_a_dropped_proxy_is_gone() {
    let mut running = RunningProxy::start(test_options(true), EgressOptions::default());
    for bytes in [
        "\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "\u{16}\u{3}\u{1}",
        "CONNECT :0 HTTP/1.1\r\n\r\n",
    ] {
        let text = running.send(bytes);
        assert!(!text.contains(" 200 "), "{bytes:?}: {text}");
    }
    let address = running.proxy().address();
    running.proxy = None;
    let gone = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        TcpStream::connect(address).is_err()
    });
    assert!(gone);
}

#[test]
fn requests_of_scripts_are_repeated_with_their_headers_to_their_origin_only() {
    let canary = Server::start(|_| html("no"));
    let elsewhere = canary.url("/items.json");
    let server = Server::start(move |request| match request.path.as_str() {
        "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /closed\n"),
        "/moved.json" => redirect(302, &elsewhere),
        "/page.html" => html("a page"),
        path => response("200 OK", "Content-Type: application/json\r\n", format!("[\"{path}\"]")),
    });
    let mut options = test_options(true);
    options.obey_robots = true;
    let fetcher = fetcher(options.clone());
    let proxy = RunningProxy::start(options, EgressOptions::default());
    let own =
        format!("Cookie: s=1\r\nX-Token: t\r\nIf-None-Match: \"e\"\r\nReferer: {}\r\n", server.url("/"));
    proxy.get(&server.url("/items.json?page=1"), &own);
    proxy.get(&server.url("/page.html"), &own);
    // another site's page asks for these
    proxy.get(&server.url("/items.json?page=9"), "Referer: http://other.example/\r\n");
    let observed = proxy.proxy().take_observed();
    let urls: Vec<&str> = observed.iter().map(|one| one.url.as_str()).collect();
    assert_eq!(urls, [server.url("/items.json?page=1")]);
    assert!(proxy.proxy().take_observed().is_empty());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let repeat = |url: String| runtime.block_on(fetcher.repeat(&observed[0], &url));
    let page = repeat(server.url("/items.json?page=2")).unwrap();
    assert_eq!(page.body, b"[\"/items.json?page=2\"]");
    let seen = server.requests().pop().unwrap();
    assert_eq!(
        (seen.header("cookie"), seen.header("x-token"), seen.header("if-none-match")),
        ("s=1", "t", "")
    );
    let asked = server.paths().len();
    assert_eq!(repeat(canary.url("/items.json")).unwrap_err().kind(), FetchErrorKind::Url);
    assert_eq!(repeat(server.url("/closed/items.json")).unwrap_err().kind(), FetchErrorKind::Robots);
    assert_eq!(server.paths().len(), asked, "{:?}", server.paths());
    assert!(repeat(server.url("/moved.json")).is_err());
    assert_eq!(canary.connections(), 0);
}
