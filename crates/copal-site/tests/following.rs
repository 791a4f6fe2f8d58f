//! Lists over several pages, from a server on loopback: pagers of many kinds and their failures, and detail
//! pages.

#![allow(clippy::unwrap_used)]

use copal_extract::{Answer, Region};
use copal_fetch::{CacheOptions, FetchOptions, Politeness};
use copal_site::{VisitOptions, VisitProgress, Visitor};
use copal_testserver::{Request, Response, Server, html, not_found, response};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn fetch_options() -> FetchOptions {
    let mut fetch = FetchOptions::default();
    fetch.allow_private = true;
    fetch.politeness = Politeness::Off;
    fetch.retries = 0;
    fetch
}

fn visitor(fetch: FetchOptions, pages: usize) -> Visitor {
    let mut options = VisitOptions::default();
    options.max_pages = pages;
    Visitor::new(fetch, options).unwrap()
}

async fn follow(server: &Server, path: &str) -> Answer {
    visitor(fetch_options(), 100).visit(&server.url(path), |_| {}).await.unwrap().unwrap()
}

fn titles(list: &Region) -> Vec<&str> {
    let at = list.columns.iter().position(|column| column.name == "title").unwrap();
    list.records.iter().map(|record| record.cells[at].first().unwrap()).collect()
}

fn names(numbers: std::ops::RangeInclusive<usize>) -> Vec<String> {
    numbers.map(name).collect()
}

fn name(n: usize) -> String {
    format!("Copper kettle model {n}")
}

/// A page with these records, and `below` after them.
fn list(numbers: impl Iterator<Item = usize>, below: &str) -> String {
    let items: String = numbers
        .map(|n| {
            format!(
                "<li class=item><h3><a href='/kettle/{n}'>{}</a></h3><span class=price>£{n}.99</span>\
                 <p class=about>Holds {} litres and is made by hand in workshop {n}.</p></li>",
                name(n),
                n % 7 + 1
            )
        })
        .collect();
    format!(
        "<!doctype html><html lang=en><title>Kettles</title><nav><a href=/>Home</a> <a href=/about>About</a> \
         <a href=/cart>Cart</a></nav><h1>Kettles</h1><ul class=kettles>{items}</ul>{below}\
         <footer>© Kettle shop</footer>"
    )
}

/// The records of page `k` (from 1), five of 23 per page.
fn numbers(k: usize) -> std::ops::RangeInclusive<usize> {
    5 * k - 4..=(5 * k).min(23)
}

const PAGE_COUNT: usize = 5;

fn query(request: &Request) -> HashMap<String, String> {
    let text = request.path.split_once('?').map_or("", |(_, query)| query);
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn number(request: &Request, name: &str, first: usize) -> usize {
    query(request).get(name).and_then(|value| value.parse().ok()).unwrap_or(first)
}

/// A shop with one path per kind of pager.
fn shop(request: &Request) -> Response {
    let path = request.path.split('?').next().unwrap_or_default();
    let link = |k: usize, to: String| if (1..=PAGE_COUNT).contains(&k) { to } else { String::new() };
    let (k, below) = match path {
        "/numbered" => {
            let at = number(request, "page", 1);
            let links: String = (1..=PAGE_COUNT)
                .map(|k| {
                    if k == at {
                        format!("<b>{k}</b> ")
                    } else {
                        format!("<a href='/numbered?page={k}'>{k}</a> ")
                    }
                })
                .collect();
            (at, format!("<div class=pages>{links}</div>"))
        }
        "/next" => {
            let at = number(request, "p", 1);
            (at, link(at + 1, format!("<p><a href='?p={}'>Next page</a>", at + 1)))
        }
        "/german" => {
            let at = number(request, "seite", 1);
            (at, link(at + 1, format!("<p><a href='?seite={}'>Weiter »</a>", at + 1)))
        }
        "/offset" => {
            let at = number(request, "start", 0) / 5 + 1;
            (
                at,
                link(
                    at + 1,
                    format!(
                        "<p>Results {}-{} of 23 <a href='/offset?start={}'>&gt;</a>",
                        numbers(at).start(),
                        numbers(at).end(),
                        at * 5
                    ),
                ),
            )
        }
        "/cursor" => {
            let cursors = ["", "x9f", "77a", "bb2", "c0d"];
            let at = cursors
                .iter()
                .position(|own| *own == query(request).get("after").map_or("", String::as_str))
                .unwrap_or(0)
                + 1;
            (
                at,
                cursors.get(at).map_or_else(String::new, |next| {
                    format!("<a class=older href='/cursor?after={next}'>Older</a>")
                }),
            )
        }
        "/more" => {
            let at = number(request, "batch", 1);
            (
                at,
                link(
                    at + 1,
                    format!("<p class=more><a class=load-more href='/more?batch={}'>Load more</a>", at + 1),
                ),
            )
        }
        "/declared" => {
            let at = number(request, "n", 1);
            (at, link(at + 1, format!("<link rel=next href='/declared?n={}'>", at + 1)))
        }
        // The third page has no next link, but the counter says that records are missing.
        "/hidden" => {
            let at = number(request, "page", 1);
            let next =
                if at < 3 { format!("<a href='/hidden?page={}'>Next</a>", at + 1) } else { String::new() };
            (at, format!("<p>Showing {}-{} of 23</p>{next}", numbers(at).start(), numbers(at).end()))
        }
        // The link on the last page leads nowhere.
        "/counted" => {
            let at = number(request, "page", 1);
            (at, format!("<p>Page {at} of {PAGE_COUNT}</p><p><a href='/counted?page={}'>Next</a>", at + 1))
        }
        // The third page has no next link, but says that two more pages follow.
        "/unlinked" => {
            let at = number(request, "page", 1);
            let next =
                if at < 3 { format!("<a href='/unlinked?page={}'>Next</a>", at + 1) } else { String::new() };
            (at, format!("<p>Page {at} of {PAGE_COUNT}</p>{next}"))
        }
        // The second page has no next link, and the pattern of its URL is not known yet.
        "/ending" => {
            let at = number(request, "page", 1);
            let next = if at < 2 { "<a href='/ending?page=2'>Next</a>" } else { "" };
            (at, format!("<p>Page {at} of {PAGE_COUNT}</p>{next}"))
        }
        // A blog that calls its older articles previous.
        "/blog" => {
            let at = number(request, "page", 1);
            let older = link(at + 1, format!("<a href='/blog?page={}'>« Previous</a>", at + 1));
            let newer = match at {
                1 => String::new(),
                2 => "<a href='/blog'>Next »</a>".to_owned(),
                _ => format!("<a href='/blog?page={}'>Next »</a>", at - 1),
            };
            (at, format!("<p>{older} {newer}</p>"))
        }
        "/round" => {
            let at = number(request, "page", 1);
            (at, format!("<p><a href='/round?page={}'>Next</a>", at % 3 + 1))
        }
        // The third page leads to the first one; the URLs do not tell.
        "/loop" => {
            let positions = ["/loop", "/loop?after=x", "/loop?after=y"];
            let at = positions.iter().position(|own| *own == request.path).unwrap_or(0) + 1;
            (at, format!("<p><a href='{}'>Next</a>", positions[at % 3]))
        }
        "/same" => (1, format!("<p><a href='/same?page={}'>Next</a>", number(request, "page", 1) + 1)),
        "/elsewhere" => (1, "<p><a href='/about?p=2'>Next</a>".to_owned()),
        "/failing" => {
            let at = number(request, "page", 1);
            if at == 3 {
                return response("500 Oops", "", "");
            }
            (at, format!("<p><a href='/failing?page={}'>Next</a>", at + 1))
        }
        "/stated" => {
            let at = number(request, "page", 1);
            let header = link(at + 1, format!("Link: </stated?page={}>; rel=\"next\"\r\n", at + 1));
            return response(
                "200 OK",
                &format!("Content-Type: text/html\r\n{header}"),
                list(numbers(at), ""),
            );
        }
        "/about" => return html("<h1>About us</h1><p>We have made kettles since 1871.<p>Visit our shop."),
        path => match path.strip_prefix("/path/page/").or(path.strip_prefix("/path")) {
            Some(rest) => {
                let at = rest.trim_matches('/').parse().unwrap_or(1);
                (at, link(at + 1, format!("<a href='/path/page/{}/'>›</a>", at + 1)))
            }
            None => return not_found(),
        },
    };
    html(&list(numbers(k), &below))
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_complete_with_every_kind_of_pager() {
    let server = Server::start(shop);
    for path in [
        "/numbered",
        "/next",
        "/german",
        "/offset",
        "/path",
        "/cursor",
        "/more",
        "/declared",
        "/stated",
        "/blog",
        "/counted",
        "/unlinked",
    ] {
        let found = follow(&server, path).await;
        let list = found.primary().unwrap();
        assert_eq!(titles(list), names(1..=23), "{path}");
        let followed = found.followed.as_ref().unwrap();
        assert_eq!(followed.pages.len(), PAGE_COUNT, "{path}: {followed:?}");
        assert!(followed.whole && !followed.cut, "{path}: {followed:?}");
        assert_eq!(list.records[22].page.as_ref().unwrap().number, 5);
        // A link that only says "more" is tried but not reported as the next page.
        assert!(found.page.next.is_some() || path == "/more", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn data_documents_are_followed_too() {
    let server = Server::start(|request| {
        let k = number(request, "page", 1);
        let items: Vec<String> =
            numbers(k).map(|n| format!(r#"{{"id": {n}, "name": "{}"}}"#, name(n))).collect();
        let next = if k < PAGE_COUNT { format!(r#""/api?page={}""#, k + 1) } else { "null".to_owned() };
        let body = format!(r#"{{"count": 23, "next": {next}, "results": [{}]}}"#, items.join(","));
        if request.path.starts_with("/api") {
            response("200 OK", "Content-Type: application/json\r\n", body)
        } else {
            not_found()
        }
    });
    let found = follow(&server, "/api").await;
    let list = found.primary().unwrap();
    assert_eq!(list.records.len(), 23);
    assert_eq!(list.records[22].cells[0], [name(23)]);
    assert!(found.followed.unwrap().whole);
}

#[tokio::test(flavor = "multi_thread")]
async fn following_starts_at_the_given_page() {
    let server = Server::start(shop);
    let found = follow(&server, "/next?p=4").await;
    assert_eq!(titles(found.primary().unwrap()), names(16..=23));
    let last = follow(&server, "/next?p=5").await;
    assert_eq!(titles(last.primary().unwrap()), names(21..=23));
    assert_eq!(last.followed.unwrap().stopped, "no link to a next page");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_url_pattern_finds_pages_without_links() {
    let server = Server::start(shop);
    let found = follow(&server, "/hidden").await;
    assert_eq!(found.page.counter.as_ref().map(|counter| counter.total), Some(23));
    assert_eq!(titles(found.primary().unwrap()), names(1..=23));
    assert_eq!(found.followed.unwrap().stopped, "all announced records were found");
}

#[tokio::test(flavor = "multi_thread")]
async fn page_numbers_tell_the_end_of_a_list() {
    let server = Server::start(shop);
    let found = follow(&server, "/counted").await;
    let followed = found.followed.unwrap();
    assert_eq!((followed.stopped.as_str(), followed.whole), ("the last page says that none follows", true));
    assert!(!server.paths().contains(&"/counted?page=6".to_owned()), "{:?}", server.paths());
    let last = follow(&server, "/counted?page=5").await;
    assert_eq!(titles(last.primary().unwrap()), names(21..=23));
    assert_eq!(last.followed.unwrap().stopped, "the last page says that none follows");

    // The first page that is read need not be page 1.
    let found = follow(&server, "/unlinked?page=2").await;
    assert_eq!(titles(found.primary().unwrap()), names(6..=15));
    let followed = found.followed.unwrap();
    let wanted = ("page 3 of 5 has no link to a next page", false);
    assert_eq!((followed.stopped.as_str(), followed.whole), wanted);
    // A link that says next but leads back to the first page is not one.
    let found = follow(&server, "/round").await;
    assert_eq!(titles(found.primary().unwrap()), names(1..=15));
    assert_eq!(found.followed.unwrap().stopped, "no link to a next page");
    let found = follow(&server, "/ending").await;
    assert_eq!(titles(found.primary().unwrap()), names(1..=10));
    let followed = found.followed.unwrap();
    let wanted = ("page 2 of 5 has no link to a next page", false);
    assert_eq!((followed.stopped.as_str(), followed.whole), wanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_pages_than_the_limit_are_fetched() {
    let server = Server::start(shop);
    let found = visitor(fetch_options(), 2).visit(&server.url("/numbered"), |_| {}).await.unwrap().unwrap();
    assert_eq!(titles(found.primary().unwrap()), names(1..=10));
    let followed = found.followed.unwrap();
    assert_eq!(
        (followed.stopped.as_str(), followed.whole, followed.cut),
        ("the page limit was reached", false, false)
    );
    let pages = server.paths().iter().filter(|path| path.starts_with("/numbered")).count();
    assert_eq!(pages, 2);
    // With a limit of one page nothing is followed.
    let found = visitor(fetch_options(), 1).visit(&server.url("/numbered"), |_| {}).await.unwrap().unwrap();
    assert!(found.followed.is_none() && found.page.next.unwrap().ends_with("/numbered?page=2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn loops_repetitions_and_other_pages_end_following() {
    let server = Server::start(shop);
    for (path, records, reason) in [
        ("/loop", 15, "the next page was already read"),
        ("/same", 5, "the next page has no new records"),
        ("/elsewhere", 5, "has no similar list"),
    ] {
        let found = follow(&server, path).await;
        assert_eq!(found.primary().unwrap().records.len(), records, "{path}");
        let followed = found.followed.unwrap();
        assert!(followed.stopped.contains(reason), "{path}: {}", followed.stopped);
        assert!(!followed.cut);
    }
    assert!(server.paths().len() < 20, "{:?}", server.paths());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_page_keeps_earlier_records() {
    let server = Server::start(shop);
    let found = follow(&server, "/failing").await;
    assert_eq!(titles(found.primary().unwrap()), names(1..=10));
    let followed = found.followed.as_ref().unwrap();
    assert!(followed.stopped.contains("500"), "{}", followed.stopped);
    assert!(followed.cut && !followed.whole && found.is_partial());
}

#[tokio::test(flavor = "multi_thread")]
async fn records_that_move_between_requests_are_counted_once() {
    // Before every request three new kettles are added at the front, so records of page 1 move to page 2.
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |request| {
        if !request.path.starts_with("/shifting") {
            return not_found();
        }
        let new = 3 * asked.fetch_add(1, Ordering::SeqCst);
        let k = number(request, "page", 1);
        let all: Vec<usize> = (0..new).map(|n| 100 + n).rev().chain(1..=20).collect();
        let below = if 5 * k < all.len() {
            format!("<a href='/shifting?page={}'>Next</a>", k + 1)
        } else {
            String::new()
        };
        html(&list(all.into_iter().skip(5 * (k - 1)).take(5), &below))
    });
    let found = follow(&server, "/shifting").await;
    let list = found.primary().unwrap();
    let mut seen = titles(list);
    seen.sort_unstable();
    let all = seen.len();
    seen.dedup();
    assert_eq!(seen.len(), all, "each record once");
    assert!(names(1..=20).iter().all(|name| seen.contains(&name.as_str())), "{seen:?}");
    assert!(found.followed.unwrap().repeated > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_calendar_ends() {
    let server = Server::start(|request| {
        if !request.path.starts_with("/calendar") {
            return not_found();
        }
        let k = number(request, "month", 1);
        let days: String = (1..=4)
            .map(|week| (1..=7).map(|day| format!("<td>{}", 7 * week + day - 7)).collect::<String>())
            .map(|row| format!("<tr>{row}"))
            .collect();
        html(&format!(
            "<h1>Month {k}</h1><table><tr><th>Mo<th>Tu<th>We<th>Th<th>Fr<th>Sa<th>Su{days}</table>\
             <a href='/calendar?month={}'>Previous month</a> <a href='/calendar?month={}'>Next month</a>",
            k - 1,
            k + 1
        ))
    });
    let found = follow(&server, "/calendar?month=5").await;
    assert!(server.paths().len() < 6, "{:?}", server.paths());
    drop(found);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_visit_returns_its_records_and_continues_from_the_cache() {
    let server = Server::start(shop);
    let folder = tempfile::tempdir().unwrap();
    let mut fetch = fetch_options();
    fetch.cache = Some(CacheOptions::new(folder.path()));
    let first = visitor(fetch.clone(), 100);
    let stopper = first.stopper();
    let stop_at_three = |progress: &VisitProgress| {
        if progress.pages == 3 {
            stopper.stop();
        }
    };
    let found = first.visit(&server.url("/numbered"), stop_at_three).await.unwrap().unwrap();
    assert_eq!(titles(found.primary().unwrap()), names(1..=15));
    let followed = found.followed.as_ref().unwrap();
    assert!(followed.cut && followed.stopped == "interrupted" && found.is_partial());
    // Another visit after the stop returns nothing and sends no request.
    assert!(first.visit(&server.url("/next"), |_| {}).await.unwrap().is_none());
    let whole = visitor(fetch, 100).visit(&server.url("/numbered"), |_| {}).await.unwrap().unwrap();
    assert_eq!(titles(whole.primary().unwrap()), names(1..=23));
    let mut pages: Vec<String> =
        server.paths().into_iter().filter(|path| path.starts_with("/numbered")).collect();
    pages.sort_unstable();
    pages.dedup();
    let asked = server.paths().iter().filter(|path| path.starts_with("/numbered")).count();
    assert_eq!(asked, pages.len(), "each page is fetched once: {:?}", server.paths());
    assert_eq!(pages.len(), PAGE_COUNT);
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_has_pages_records_and_the_announced_count() {
    let server = Server::start(shop);
    let reports = std::sync::Mutex::new(Vec::new());
    let report = |progress: &VisitProgress| {
        reports.lock().unwrap().push((
            progress.pages,
            progress.records,
            progress.announced.as_ref().map(|counter| counter.total),
        ));
    };
    visitor(fetch_options(), 100).visit(&server.url("/offset"), report).await.unwrap();
    let reports = reports.into_inner().unwrap();
    assert_eq!(reports[0], (1, 5, Some(23)));
    assert_eq!(reports.last(), Some(&(5, 23, Some(23))));
}

#[tokio::test(flavor = "multi_thread")]
async fn retry_after_is_respected() {
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |request| {
        if request.path == "/numbered?page=2" && asked.fetch_add(1, Ordering::SeqCst) == 0 {
            return response("429 Too Many Requests", "Retry-After: 1\r\n", "");
        }
        shop(request)
    });
    let mut fetch = fetch_options();
    fetch.retries = 2;
    let found = visitor(fetch, 100).visit(&server.url("/numbered"), |_| {}).await.unwrap().unwrap();
    assert_eq!(titles(found.primary().unwrap()), names(1..=23));
    let at: Vec<_> =
        server.requests().into_iter().filter(|request| request.path == "/numbered?page=2").collect();
    assert!(at.len() == 2 && at[1].at - at[0].at >= Duration::from_millis(900));
}

#[tokio::test(flavor = "multi_thread")]
async fn detail_pages_add_their_fields() {
    let server = Server::start(|request| match request.path.strip_prefix("/kettle/") {
        Some("4") => response("410 Gone", "", ""),
        Some(number) => {
            let n: usize = number.parse().unwrap_or(0);
            html(&format!(
                "<title>{name} - Kettle shop</title><nav><a href=/>Home</a></nav><main><h1>{name}</h1>\
                 <dl><dt>Weight</dt><dd>{n}.2 kg</dd><dt>Colour</dt><dd>{}</dd></dl>\
                 <p>This kettle was hammered by hand in workshop {n} and tested for a week.</p></main>\
                 <footer>© Kettle shop</footer>",
                ["red", "copper", "black"][n % 3],
                name = name(n)
            ))
        }
        None => shop(request),
    });
    let mut options = VisitOptions::default();
    options.max_pages = 2;
    options.max_details = 7;
    let visitor = Visitor::new(fetch_options(), options).unwrap();
    let found = visitor.visit(&server.url("/next"), |_| {}).await.unwrap().unwrap();
    let list = found.primary().unwrap();
    let column = |name: &str| list.columns.iter().position(|column| column.name == name).unwrap();
    let weight = column("weight");
    let weights: Vec<&str> =
        list.records.iter().map(|record| record.cells[weight].first().unwrap_or("")).collect();
    assert_eq!(weights, ["1.2 kg", "2.2 kg", "3.2 kg", "", "5.2 kg", "6.2 kg", "7.2 kg", "", "", ""]);
    assert_eq!(list.records[4].cells[column("colour")], ["black"]);
    let warnings: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    assert!(
        warnings.iter().any(|line| line.starts_with("1 of 7 detail pages could not be read")),
        "{warnings:?}"
    );
    assert_eq!(titles(list), names(1..=10));
}

#[tokio::test(flavor = "multi_thread")]
async fn detail_pages_of_other_sites_are_not_fetched() {
    let server = Server::start(|request| match request.path.as_str() {
        "/news" => {
            let items: String = (1..=5)
                .map(|n| {
                    let link = format!("<a href='http://elsewhere.example/{n}'>Story {n} of the day</a>");
                    format!("<li>{link} <b>{n}0 points</b></li>")
                })
                .collect();
            html(&format!("<ul>{items}</ul>"))
        }
        _ => not_found(),
    });
    let mut options = VisitOptions::default();
    options.max_details = 10;
    let found = Visitor::new(fetch_options(), options)
        .unwrap()
        .visit(&server.url("/news"), |_| {})
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.primary().unwrap().records.len(), 5);
    assert!(found.warnings.iter().any(|warning| warning.to_string().contains("other sites")));
}
