//! Politeness: robots.txt in all its states, and the rate limiter on a simulated network of 200 hosts.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use copal_fetch::{FetchError, FetchErrorKind, FetchOptions, Politeness};
use copal_testserver::{Response, Server, html, not_found, redirect, response};
use support::*;

fn robots_options() -> FetchOptions {
    let mut options = test_options(true);
    options.obey_robots = true;
    options
}

/// A server with this response for robots.txt.
fn server(robots: impl Fn() -> Response + Send + Sync + 'static) -> Server {
    Server::start(move |request| if request.path == "/robots.txt" { robots() } else { html("a page") })
}

#[test]
fn pages_that_robots_txt_disallows_are_not_fetched() {
    let server = server(|| {
        response("200 OK", "", "\u{feff}User-agent: *\nDisallow: /private\nAllow: /private/*.html$\n")
    });
    let fetcher = fetcher(robots_options());
    block_on(async {
        for path in ["/", "/public?x", "/private/a.html"] {
            assert_eq!(fetcher.get(&server.url(path)).await.unwrap().body, b"a page", "{path}");
        }
        let error = fetcher.get(&server.url("/private/a.html?x")).await.unwrap_err();
        let message =
            "robots.txt of 127.0.0.1 disallows /private/a.html?x: use --ignore-robots to fetch it anyway";
        assert_eq!(error.to_string(), message);
        assert!(error.kind() == FetchErrorKind::Robots && !error.is_temporary());
    });
    assert_eq!(
        server.paths(),
        ["/robots.txt", "/", "/public?x", "/private/a.html"],
        "robots.txt is fetched once"
    );
    let mut options = test_options(true);
    options.obey_robots = false;
    assert_eq!(get(options, &server.url("/private/x")).unwrap().status, 200);
}

#[test]
fn robots_txt_is_matched_with_the_name_in_the_user_agent() {
    let server = server(|| {
        response("200 OK", "", "User-agent: copal\nDisallow: /a\nUser-agent: reader\nDisallow: /b")
    });
    let mut options = robots_options();
    assert!(
        get(options.clone(), &server.url("/a")).is_err() && get(options.clone(), &server.url("/b")).is_ok()
    );
    options.user_agent = "Reader/2.0 (+https://reader.example)".to_owned();
    assert!(get(options.clone(), &server.url("/a")).is_ok() && get(options, &server.url("/b")).is_err());
}

#[test]
fn a_missing_robots_txt_allows_and_a_failing_one_disallows_for_now() {
    let allowing: Vec<fn() -> Response> = vec![
        not_found,
        || response("401 Unauthorized", "", ""),
        || response("403 Forbidden", "", "User-agent: *\nDisallow: /"),
        || response("410 Gone", "", ""),
        || response("204 No Content", "", ""),
        || html("<html><body>User-agent: * Disallow: /</body></html>"),
        || redirect(302, "/robots.txt"),
        || redirect(302, "file:///etc/robots.txt"),
        || response("200 OK", "", "\0\u{1}\u{2}binary"),
    ];
    for (number, robots) in allowing.into_iter().enumerate() {
        assert!(get(robots_options(), &server(robots).url("/x")).is_ok(), "{number}");
    }
    let forbidding: Vec<fn() -> Response> = vec![
        || response("500 Broken", "", ""),
        || response("503 Busy", "", ""),
        || response("429 Slow down", "", ""),
        || Response::Close(Vec::new()),
        || redirect(302, "http://nowhere.example/robots.txt"),
    ];
    for (number, robots) in forbidding.into_iter().enumerate() {
        let server = server(robots);
        let mut options = robots_options();
        options.retries = 1;
        let error = get(options, &server.url("/x")).unwrap_err();
        assert!(error.is_temporary(), "{number}: {error}");
        assert!(server.paths().iter().all(|path| path == "/robots.txt"), "{number}");
        assert!(server.requests().len() >= 2, "{number}: it is retried");
    }
    let error = get(robots_options(), &server(|| response("503 Busy", "", "")).url("/x")).unwrap_err();
    let message =
        "robots.txt of 127.0.0.1 could not be read (status 503), which disallows everything for now";
    assert!(error.to_string().starts_with(message), "{error}");
}

#[test]
fn robots_txt_may_redirect_and_is_read_up_to_a_limit() {
    let hops = AtomicUsize::new(0);
    let moved = Server::start(move |request| match request.path.as_str() {
        "/robots.txt" | "/r1" | "/r2" | "/r3" | "/r4" => {
            redirect(301, &format!("/r{}", hops.fetch_add(1, Ordering::SeqCst) + 1))
        }
        "/r5" => response("200 OK", "", "User-agent: *\nDisallow: /x"),
        _ => html("a page"),
    });
    assert!(matches!(get(robots_options(), &moved.url("/x")), Err(FetchError::RobotsDisallowed { .. })));
    let endless = server(|| {
        Response::Endless(
            b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /x\n".to_vec(),
            b"Disallow: /abc\n".repeat(1000),
        )
    });
    let fetcher = fetcher(robots_options());
    assert!(matches!(block_on(fetcher.get(&endless.url("/x"))), Err(FetchError::RobotsDisallowed { .. })));
    assert!(block_on(fetcher.get(&endless.url("/ab"))).is_ok());
}

#[test]
fn robots_txt_of_redirect_targets_is_obeyed() {
    let other = server(|| response("200 OK", "", "User-agent: *\nDisallow: /x"));
    let location = other.url("/x");
    let first = Server::start(
        move |request| if request.path == "/a" { redirect(302, &location) } else { not_found() },
    );
    assert!(matches!(get(robots_options(), &first.url("/a")), Err(FetchError::RobotsDisallowed { .. })));
    assert_eq!(other.paths(), ["/robots.txt"]);
}

#[test]
fn crawl_delay_and_response_time_determine_the_pause() {
    let times = |robots: &'static str, slow: u64| {
        let server = Server::start(move |request| match request.path.as_str() {
            "/robots.txt" => response("200 OK", "", robots),
            _ => {
                std::thread::sleep(Duration::from_millis(slow));
                html("a page")
            }
        });
        let mut options = robots_options();
        options.politeness = Politeness::Adaptive {
            min_delay: Duration::from_millis(20),
            max_delay: Duration::from_millis(400),
            factor: 2.0,
        };
        let fetcher = fetcher(options);
        block_on(async {
            for path in ["/1", "/2", "/3"] {
                fetcher.get(&server.url(path)).await.unwrap();
            }
        });
        let requests = server.requests();
        requests[2].at.duration_since(requests[1].at).min(requests[3].at.duration_since(requests[2].at))
    };
    assert!(times("", 0) >= Duration::from_millis(20));
    assert!(times("", 100) >= Duration::from_millis(300), "the response time and twice that");
    assert!(times("User-agent: *\nCrawl-delay: 0.2", 0) >= Duration::from_millis(200));
    assert!(times("User-agent: *\nCrawl-delay: 1000", 0) >= Duration::from_millis(400), "bounded");
}

/// Many hosts at once, each with its own rules and speed. The server records every request and its time.
#[test]
fn two_hundred_hosts_are_fetched_politely() {
    const HOSTS: usize = 200;
    const DELAY: Duration = Duration::from_millis(25);
    let active: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
    let overlaps = Arc::new(AtomicUsize::new(0));
    let (now_active, counted) = (Arc::clone(&active), Arc::clone(&overlaps));
    let server = Server::start(move |request| {
        let host = request.header("host").to_owned();
        let number: usize = host[1..host.find('.').unwrap()].parse().unwrap();
        let mut map = now_active.lock().unwrap();
        *map.entry(host.clone()).or_default() += 1;
        counted.fetch_add(usize::from(map[&host] > 1), Ordering::SeqCst);
        drop(map);
        std::thread::sleep(Duration::from_millis((number % 4) as u64));
        *now_active.lock().unwrap().get_mut(&host).unwrap() -= 1;
        match (request.path.as_str(), number % 3) {
            ("/robots.txt", 0) => not_found(),
            ("/robots.txt", 1) => response("200 OK", "", "User-agent: *\nDisallow: /3"),
            ("/robots.txt", _) => {
                response("200 OK", "", "User-agent: *\nDisallow: /\nAllow: /1$\nCrawl-delay: 0.06")
            }
            _ => html("a page"),
        }
    });
    let mut options = robots_options();
    options.politeness =
        Politeness::Adaptive { min_delay: DELAY, max_delay: Duration::from_secs(1), factor: 1.0 };
    let fetcher = fetcher(options);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let fetched = runtime.block_on(async {
        let mut tasks = Vec::new();
        for page in 1..=3 {
            for host in 0..HOSTS {
                let (fetcher, url) =
                    (fetcher.clone(), server.url_with_host(&format!("h{host}.test"), &format!("/{page}")));
                tasks.push(tokio::spawn(async move { fetcher.get(&url).await }));
            }
        }
        let mut fetched = 0;
        for task in tasks {
            match task.await.unwrap() {
                Ok(page) => fetched += usize::from(page.body == b"a page"),
                Err(error) => assert!(matches!(error, FetchError::RobotsDisallowed { .. }), "{error}"),
            }
        }
        fetched
    });
    // A third of the hosts allows three pages, a third two, a third one.
    assert_eq!(fetched, 67 * 3 + 67 * 2 + 66);
    let mut by_host: HashMap<String, Vec<(Instant, String)>> = HashMap::new();
    for request in server.requests() {
        by_host.entry(request.header("host").to_owned()).or_default().push((request.at, request.path));
    }
    assert_eq!((by_host.len(), overlaps.load(Ordering::SeqCst)), (HOSTS, 0));
    for (host, mut requests) in by_host {
        requests.sort();
        let number: usize = host[1..host.find('.').unwrap()].parse().unwrap();
        let allowed: &[&str] = [&["/1", "/2", "/3"][..], &["/1", "/2"], &["/1"]][number % 3];
        assert_eq!(requests[0].1, "/robots.txt", "{host}");
        assert!(
            requests[1..].iter().all(|(_, path)| allowed.contains(&path.as_str())),
            "{host} {requests:?}"
        );
        let pause = if number % 3 == 2 { Duration::from_millis(60) } else { DELAY };
        for (index, pair) in requests.windows(2).enumerate() {
            // The delay in robots.txt only applies after robots.txt was read.
            let pause = if index == 0 { DELAY } else { pause };
            assert!(pair[1].0.duration_since(pair[0].0) >= pause, "{host} {requests:?}");
        }
    }
}

#[test]
fn without_politeness_requests_are_concurrent() {
    let arrived = AtomicUsize::new(0);
    let server = Server::start(move |_| {
        arrived.fetch_add(1, Ordering::SeqCst);
        // Responds when a second request has arrived.
        let patience = Instant::now() + Duration::from_secs(20);
        while arrived.load(Ordering::SeqCst) < 2 && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        html("a page")
    });
    let fetcher = fetcher(test_options(true));
    block_on(async {
        let tasks: Vec<_> = (0..4)
            .map(|n| (fetcher.clone(), server.url(&format!("/{n}"))))
            .map(|(fetcher, url)| tokio::spawn(async move { fetcher.get(&url).await }))
            .collect();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
    });
    assert!(server.max_active() > 1);
}
