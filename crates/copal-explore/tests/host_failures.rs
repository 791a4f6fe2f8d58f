//! Hosts that stop responding in the middle of a run, and the run that continues it.

#![allow(clippy::unwrap_used)]

use copal_explore::{ExploreOptions, Explorer, Frontier, ReasonCode, SiteReport, SiteStatus};
use copal_extract::{Answer, Request};
use copal_fetch::{CacheOptions, FetchOptions, Politeness};
use copal_site::{VisitOptions, Visitor};
use copal_testserver::{Response, Server, html, not_found};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sections of the site; more than the errors in a row after which a host is given up.
const SECTIONS: usize = 12;
const EACH: usize = 12;

fn site(path: &str) -> Response {
    let links: String =
        (1..=SECTIONS).map(|n| format!("<a href=/lamps/{n}>All lamps of series {n}</a> ")).collect();
    if path == "/" {
        return html(&format!("<title>Lamps</title><nav>{links}</nav><h1>Lamps</h1><p>Welcome.</p>"));
    }
    let Some(section) = path.strip_prefix("/lamps/").and_then(|n| n.parse::<usize>().ok()) else {
        return not_found();
    };
    let items: String = (1..=EACH)
        .map(|n| {
            format!(
                "<li class=item><h3><a href='/lamp/{section}-{n}'>Brass lamp {section}.{n}</a></h3>\
                 <span class=price>£{n}.50</span><p>Wired by hand in room {n}.</p></li>"
            )
        })
        .collect();
    html(&format!(
        "<title>Series {section}</title><nav>{links}</nav><h1>Series {section}</h1><ul class=lamps>{items}</ul>"
    ))
}

async fn run(url: &str, folder: &Path, urls: &mut BTreeSet<String>) -> SiteReport {
    let mut fetch = FetchOptions::default();
    fetch.allow_private = true;
    fetch.politeness = Politeness::Off;
    fetch.retries = 0;
    fetch.cache = Some(CacheOptions::new(folder.join("cache")));
    let mut options = VisitOptions::default();
    options.request = Request::default();
    let visitor = Visitor::new(fetch, options).unwrap();
    let frontier = Frontier::open(&folder.join("x.frontier")).unwrap();
    let mut explorer = Explorer::new(url, visitor, frontier, ExploreOptions::default(), &|_| {}).unwrap();
    let mut sink = |_: &str, answer: &Answer| {
        let list = &answer.regions[0];
        let column = list.link_column().unwrap();
        for record in &list.records {
            let is_new = urls.insert(record.cells[column].first().unwrap_or_default().to_owned());
            assert!(is_new, "a record was stored twice");
        }
        Ok(())
    };
    explorer.run(&mut sink).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_stops_responding_interrupts_the_run() {
    let is_down = Arc::new(AtomicBool::new(true));
    let server = {
        let is_down = Arc::clone(&is_down);
        Server::start(move |request| match request.path.as_str() {
            path if path.starts_with("/lamps/") && is_down.load(Ordering::SeqCst) => {
                // the connection ends without a response
                Response::Close(Vec::new())
            }
            path => site(path),
        })
    };
    let folder = tempfile::tempdir().unwrap();
    let mut urls = BTreeSet::new();
    let report = Box::pin(run(&server.url("/"), folder.path(), &mut urls)).await;
    assert_eq!((report.status, report.reason), (SiteStatus::Nothing, ReasonCode::Interrupted));
    let asked = server.paths().iter().filter(|path| path.starts_with("/lamps/")).count();
    assert!(asked < SECTIONS, "the host was given up before every page had failed: {asked}");
    assert!(urls.is_empty());
    is_down.store(false, Ordering::SeqCst);
    let report = Box::pin(run(&server.url("/"), folder.path(), &mut urls)).await;
    assert_eq!(report.status, SiteStatus::Effective, "{}\n{}", report.summary(), report.map_text());
    assert_eq!(urls.len(), SECTIONS * EACH, "pages that failed are asked for again\n{}", report.map_text());
}
