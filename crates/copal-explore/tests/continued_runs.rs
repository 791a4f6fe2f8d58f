//! A run that is stopped after every page ends like one that was never stopped.

#![allow(clippy::unwrap_used)]

use copal_explore::{ExploreOptions, Explorer, Frontier, ReasonCode, SiteReport};
use copal_fetch::{FetchOptions, Politeness};
use copal_site::{VisitOptions, Visitor};
use copal_testserver::{Server, html, not_found};
use std::path::Path;

/// Runs that read one page each; more than the site has pages.
const SHORT_RUNS: usize = 8;

async fn run(url: &str, frontier: &Path, max_pages: usize) -> SiteReport {
    let mut fetch = FetchOptions::default();
    fetch.allow_private = true;
    fetch.politeness = Politeness::Off;
    fetch.retries = 0;
    let visitor = Visitor::new(fetch, VisitOptions::default()).unwrap();
    let mut options = ExploreOptions::default();
    options.max_pages = max_pages;
    let frontier = Frontier::open(frontier).unwrap();
    let mut explorer = Explorer::new(url, visitor, frontier, options, &|_| {}).unwrap();
    let report = explorer.run_to_end(&mut |_, _| Ok(())).await.unwrap();
    // as if it had been killed
    drop(explorer);
    report
}

type Site = Box<dyn Fn(&str) -> copal_testserver::Response + Send + Sync>;

#[tokio::test(flavor = "multi_thread")]
async fn what_was_learned_before_a_stop_is_in_the_report() {
    let login = "<title>Members</title><h1>Members</h1><form method=post action=/session><label>User name \
                 <input name=user></label><label>Password <input type=password name=password></label>\
                 <button>Log in</button></form>";
    let wall = move |path: &str| match path {
        "/" => html("<title>Homes</title><h1>Homes</h1><p>Welcome.</p><a href=/homes>All homes for sale</a>"),
        "/homes" => html(login),
        _ => not_found(),
    };
    let gone = |_: &str| not_found();
    let sites: [(Site, ReasonCode); 2] =
        [(Box::new(wall), ReasonCode::LoginRequired), (Box::new(gone), ReasonCode::Unreachable)];
    for (site, reason) in sites {
        let server = Server::start(move |request| site(&request.path));
        let folder = tempfile::tempdir().unwrap();
        let url = server.url("/");
        let whole = Box::pin(run(&url, &folder.path().join("whole"), 100)).await;
        assert_eq!(whole.reason, reason, "{}", whole.map_text());
        let stepwise = folder.path().join("stepwise");
        for _ in 0..SHORT_RUNS {
            Box::pin(run(&url, &stepwise, 1)).await;
        }
        let asked = server.requests().len();
        let last = Box::pin(run(&url, &stepwise, 100)).await;
        assert_eq!((last.reason, &last.start_error), (reason, &whole.start_error), "{}", last.map_text());
        // a start page that is missing was not finished: the budget of one page leaves none to look elsewhere
        let repeated = server.paths().split_off(asked);
        let is_done = reason != ReasonCode::Unreachable;
        assert!(!is_done || repeated.iter().all(|path| path == "/robots.txt"), "{repeated:?}");
    }
}
