//! Manners: robots.txt in all its states, turns and pauses on a simulated net of 200 hosts.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use copal_fetch::{ErrorKind, FetchError, FetchOptions, Politeness};
use copal_testserver::{Answer, Server, answer, html, not_found, redirect};
use support::*;

fn obedient() -> FetchOptions {
    let mut options = quick(true);
    options.obey_robots = true;
    options
}

/// A server whose robots.txt is this answer.
fn server(robots: impl Fn() -> Answer + Send + Sync + 'static) -> Server {
    Server::start(move |request| if request.path == "/robots.txt" { robots() } else { html("a page") })
}

#[test]
fn what_robots_txt_forbids_is_not_asked() {
    let server = server(|| {
        answer("200 OK", "", "\u{feff}User-agent: *\nDisallow: /private\nAllow: /private/*.html$\n")
    });
    let fetcher = fetcher(obedient());
    block_on(async {
        for path in ["/", "/public?x", "/private/a.html"] {
            assert_eq!(fetcher.get(&server.url(path)).await.unwrap().body, b"a page", "{path}");
        }
        let error = fetcher.get(&server.url("/private/a.html?x")).await.unwrap_err();
        let words = "robots.txt of 127.0.0.1 forbids /private/a.html?x: --ignore-robots asks anyway";
        assert_eq!(error.to_string(), words);
        assert!(error.kind() == ErrorKind::Robots && !error.is_temporary());
    });
    assert_eq!(
        server.paths(),
        ["/robots.txt", "/", "/public?x", "/private/a.html"],
        "robots.txt is asked for once"
    );
    let mut options = quick(true);
    options.obey_robots = false;
    assert_eq!(get(options, &server.url("/private/x")).unwrap().status, 200);
}

#[test]
fn the_name_in_the_user_agent_is_the_one_in_robots_txt() {
    let server =
        server(|| answer("200 OK", "", "User-agent: copal\nDisallow: /a\nUser-agent: reader\nDisallow: /b"));
    let mut options = obedient();
    assert!(
        get(options.clone(), &server.url("/a")).is_err() && get(options.clone(), &server.url("/b")).is_ok()
    );
    options.user_agent = "Reader/2.0 (+https://reader.example)".to_owned();
    assert!(get(options.clone(), &server.url("/a")).is_ok() && get(options, &server.url("/b")).is_err());
}

#[test]
fn a_robots_txt_that_is_not_there_allows_and_one_that_fails_forbids_for_now() {
    let allowing: Vec<fn() -> Answer> = vec![
        not_found,
        || answer("401 Unauthorized", "", ""),
        || answer("403 Forbidden", "", "User-agent: *\nDisallow: /"),
        || answer("410 Gone", "", ""),
        || answer("204 No Content", "", ""),
        || html("<html><body>User-agent: * Disallow: /</body></html>"),
        || redirect(302, "/robots.txt"),
        || redirect(302, "file:///etc/robots.txt"),
        || answer("200 OK", "", "\0\u{1}\u{2}binary"),
    ];
    for (number, robots) in allowing.into_iter().enumerate() {
        assert!(get(obedient(), &server(robots).url("/x")).is_ok(), "{number}");
    }
    let forbidding: Vec<fn() -> Answer> = vec![
        || answer("500 Broken", "", ""),
        || answer("503 Busy", "", ""),
        || answer("429 Slow down", "", ""),
        || Answer::Close(Vec::new()),
        || redirect(302, "http://nowhere.example/robots.txt"),
    ];
    for (number, robots) in forbidding.into_iter().enumerate() {
        let server = server(robots);
        let mut options = obedient();
        options.retries = 1;
        let error = get(options, &server.url("/x")).unwrap_err();
        assert!(error.is_temporary(), "{number}: {error}");
        assert!(server.paths().iter().all(|path| path == "/robots.txt"), "{number}");
        assert!(server.requests().len() >= 2, "{number}: tried again");
    }
    let error = get(obedient(), &server(|| answer("503 Busy", "", "")).url("/x")).unwrap_err();
    let words = "robots.txt of 127.0.0.1 could not be read (status 503), which forbids all for now";
    assert!(error.to_string().starts_with(words), "{error}");
}

#[test]
fn robots_txt_may_be_elsewhere_and_is_read_up_to_a_limit() {
    let hops = AtomicUsize::new(0);
    let moved = Server::start(move |request| match request.path.as_str() {
        "/robots.txt" | "/r1" | "/r2" | "/r3" | "/r4" => {
            redirect(301, &format!("/r{}", hops.fetch_add(1, Ordering::SeqCst) + 1))
        }
        "/r5" => answer("200 OK", "", "User-agent: *\nDisallow: /x"),
        _ => html("a page"),
    });
    assert!(matches!(get(obedient(), &moved.url("/x")), Err(FetchError::Robots { .. })));
    let endless = server(|| {
        Answer::Endless(
            b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /x\n".to_vec(),
            b"Disallow: /abc\n".repeat(1000),
        )
    });
    let fetcher = fetcher(obedient());
    assert!(matches!(block_on(fetcher.get(&endless.url("/x"))), Err(FetchError::Robots { .. })));
    assert!(block_on(fetcher.get(&endless.url("/ab"))).is_ok());
}

#[test]
fn hosts_that_redirects_lead_to_are_asked_for_their_robots_txt_too() {
    let other = server(|| answer("200 OK", "", "User-agent: *\nDisallow: /x"));
    let location = other.url("/x");
    let first = Server::start(
        move |request| if request.path == "/a" { redirect(302, &location) } else { not_found() },
    );
    assert!(matches!(get(obedient(), &first.url("/a")), Err(FetchError::Robots { .. })));
    assert_eq!(other.paths(), ["/robots.txt"]);
}

#[test]
fn crawl_delay_and_the_time_a_server_needs_make_the_pause() {
    let times = |robots: &'static str, slow: u64| {
        let server = Server::start(move |request| match request.path.as_str() {
            "/robots.txt" => answer("200 OK", "", robots),
            _ => {
                std::thread::sleep(Duration::from_millis(slow));
                html("a page")
            }
        });
        let mut options = obedient();
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
    assert!(times("", 100) >= Duration::from_millis(300), "the answer's time and twice that");
    assert!(times("User-agent: *\nCrawl-delay: 0.2", 0) >= Duration::from_millis(200));
    assert!(times("User-agent: *\nCrawl-delay: 1000", 0) >= Duration::from_millis(400), "bounded");
}

/// Many hosts at once, each with rules and a pace of its own; the server notes who asked for what and when.
#[test]
fn two_hundred_hosts_are_asked_politely() {
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
            ("/robots.txt", 1) => answer("200 OK", "", "User-agent: *\nDisallow: /3"),
            ("/robots.txt", _) => {
                answer("200 OK", "", "User-agent: *\nDisallow: /\nAllow: /1$\nCrawl-delay: 0.06")
            }
            _ => html("a page"),
        }
    });
    let mut options = obedient();
    options.politeness =
        Politeness::Adaptive { min_delay: DELAY, max_delay: Duration::from_secs(1), factor: 1.0 };
    let fetcher = fetcher(options);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let fetched = runtime.block_on(async {
        let mut tasks = Vec::new();
        for page in 1..=3 {
            for host in 0..HOSTS {
                let (fetcher, url) =
                    (fetcher.clone(), server.url_as(&format!("h{host}.test"), &format!("/{page}")));
                tasks.push(tokio::spawn(async move { fetcher.get(&url).await }));
            }
        }
        let mut fetched = 0;
        for task in tasks {
            match task.await.unwrap() {
                Ok(page) => fetched += usize::from(page.body == b"a page"),
                Err(error) => assert!(matches!(error, FetchError::Robots { .. }), "{error}"),
            }
        }
        fetched
    });
    // a third of the hosts allows three pages, a third two, a third one
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
            // the delay that robots.txt asks for is known behind it
            let pause = if index == 0 { DELAY } else { pause };
            assert!(pair[1].0.duration_since(pair[0].0) >= pause, "{host} {requests:?}");
        }
    }
}

#[test]
fn without_politeness_requests_go_at_once() {
    let arrived = AtomicUsize::new(0);
    let server = Server::start(move |_| {
        arrived.fetch_add(1, Ordering::SeqCst);
        // answers when a second request is there
        let patience = Instant::now() + Duration::from_secs(20);
        while arrived.load(Ordering::SeqCst) < 2 && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        html("a page")
    });
    let fetcher = fetcher(quick(true));
    block_on(async {
        let tasks: Vec<_> = (0..4)
            .map(|n| (fetcher.clone(), server.url(&format!("/{n}"))))
            .map(|(fetcher, url)| tokio::spawn(async move { fetcher.get(&url).await }))
            .collect();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
    });
    assert!(server.most_active() > 1);
}
