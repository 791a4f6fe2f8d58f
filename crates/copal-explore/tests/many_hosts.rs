//! Many hosts at once with one fetcher: no host is asked too often, twice at a time, or for what its robots.txt forbids.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod generated;

use copal_explore::{ExploreOptions, Explorer, Frontier};
use copal_fetch::{FetchOptions, Fetcher, Politeness};
use copal_site::{VisitOptions, Visitor};
use copal_testserver::{Server, html, response};
use futures_util::stream::{self, StreamExt};
use generated::{page, path, properties, result_page};
use std::time::Duration;

/// Hosts; more with `COPAL_HOSTS`.
fn host_count() -> usize {
    std::env::var("COPAL_HOSTS").ok().and_then(|hosts| hosts.parse().ok()).unwrap_or(40)
}

/// The pause that every host gets.
const DELAY: Duration = Duration::from_millis(60);
/// The pause that every fifth host asks for.
const CRAWL_DELAY: Duration = Duration::from_secs(1);
/// Clocks of the client and the server are read at different moments.
const TOLERANCE: Duration = Duration::from_millis(5);

fn wants_crawl_delay(host: usize) -> bool {
    host.is_multiple_of(5)
}

fn start(host: usize) -> Server {
    // all of 127.0.0.0/8 is loopback
    let address = format!("127.0.{}.{}:0", 1 + host / 200, 1 + host % 200);
    Server::start_at(&address, move |request| match path(request) {
        "/robots.txt" => {
            let delay = if wants_crawl_delay(host) { "Crawl-delay: 1\n" } else { "" };
            response("200 OK", "", format!("User-agent: *\nDisallow: /private\n{delay}"))
        }
        "/" => html(&page(
            "Homes",
            "<a href=/private/homes>All homes</a> <a href=/private>Search</a> <a href=/buy>Homes for sale</a>",
            "<p>Welcome.</p>",
        )),
        "/buy" => result_page(request, &properties(9), 5, "", true),
        _ => html(&page("Page", "", "<p>Nothing here.</p>")),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn no_host_is_asked_too_often() {
    let servers: Vec<Server> = (0..host_count()).map(start).collect();
    let mut fetch = FetchOptions::default();
    fetch.allow_private = true;
    fetch.retries = 0;
    fetch.politeness =
        Politeness::Adaptive { min_delay: DELAY, max_delay: Duration::from_secs(5), factor: 0.0 };
    let fetcher = Fetcher::new(fetch).unwrap();
    let sites = servers.iter().map(|server| {
        let visitor = Visitor::with_fetcher(fetcher.clone(), VisitOptions::default());
        let start = server.url("/");
        async move {
            let frontier = Frontier::in_memory().unwrap();
            let mut explorer =
                Explorer::new(&start, visitor, frontier, ExploreOptions::default(), &|_| {}).unwrap();
            explorer.run(&mut |_, _| Ok(())).await.unwrap().records
        }
    });
    let records: Vec<u64> = stream::iter(sites).buffer_unordered(64).collect().await;
    assert!(records.iter().all(|count| *count == 9), "{records:?}");
    let (mut requests, mut violations) = (0, Vec::new());
    for (host, server) in servers.iter().enumerate() {
        let asked = server.requests();
        requests += asked.len();
        if server.max_active() > 1 {
            violations.push(format!("host {host}: {} requests at a time", server.max_active()));
        }
        if asked[0].path != "/robots.txt" {
            violations.push(format!("host {host}: {} before robots.txt", asked[0].path));
        }
        violations.extend(
            asked
                .iter()
                .filter(|one| one.path.starts_with("/private"))
                .map(|one| format!("host {host}: {}", one.path)),
        );
        let delay = if wants_crawl_delay(host) { CRAWL_DELAY } else { DELAY };
        // the delay that robots.txt asks for is known after it
        for pair in asked.windows(2).skip(1) {
            let pause = pair[1].at - pair[0].at;
            if pause + TOLERANCE < delay {
                violations.push(format!("host {host}: {} after {pause:?}", pair[1].path));
            }
        }
    }
    println!("{} hosts, {requests} requests, {} violations", servers.len(), violations.len());
    assert!(violations.is_empty(), "{violations:?}");
}
