//! What a URL may lead to: pages, redirects, data documents, feeds, other files and errors.

#![allow(clippy::unwrap_used)]

use copal_extract::Answer;
use copal_fetch::{FetchOptions, Politeness};
use copal_site::{SiteError, VisitOptions, Visitor};
use copal_testserver::{Request, Response, Server, html, not_found, redirect, response};

const LIST: &str = "<ul><li><a href=a>Первый чайник</a> <b>10 ₽</b>\
    <li><a href=b>Второй чайник</a> <b>12 ₽</b>\
    <li><a href=c>Третий чайник</a> <b>14 ₽</b><li><a href=d>Четвёртый чайник</a> <b>19 ₽</b></ul>";

fn site(request: &Request) -> Response {
    let typed = |kind: &str, body: &str| response("200 OK", &format!("Content-Type: {kind}\r\n"), body);
    match request.path.as_str() {
        "/list" => html(LIST),
        "/base" => html(&format!("<base href='/shop/'>{LIST}")),
        "/refresh" => html("<meta http-equiv=refresh content='0; url=/list'>Moved"),
        "/refresh-loop" => html("<meta http-equiv=refresh content='0; url=/refresh-loop?again'>Moved"),
        "/refresh-loop?again" => html("<meta http-equiv=refresh content='0; url=/refresh-loop'>Moved"),
        "/moved" => redirect(301, "/list"),
        // Only the header declares the charset.
        "/cyrillic" => {
            let text = LIST.replace('₽', "р");
            let bytes: Vec<u8> = text
                .chars()
                .map(|c| match c {
                    'а'..='я' => (c as u32 - 'а' as u32) as u8 + 0xe0,
                    'А'..='Я' => (c as u32 - 'А' as u32) as u8 + 0xc0,
                    'ё' => 0xb8,
                    other => other as u8,
                })
                .collect();
            response("200 OK", "Content-Type: text/html; charset=windows-1251\r\n", bytes)
        }
        "/data" => typed(
            "application/json",
            r#"{"page": 1, "results": [{"name": "Oak", "url": "/t/1"}, {"name": "Ash", "url": "/t/2"}]}"#,
        ),
        "/feed" => typed(
            "application/rss+xml",
            "<?xml version='1.0'?><rss><channel><title>Trees</title>\
             <item><title>Oak</title><link>/t/1</link></item>\
             <item><title>Ash</title><link>/t/2</link></item></channel></rss>",
        ),
        "/paper" => typed("application/pdf", "%PDF-1.7"),
        "/broken" => typed("application/json", "{\"a\": "),
        "/cut" => {
            let body = LIST.repeat(2);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
                body.len() + 500
            );
            Response::Close([head.into_bytes(), LIST.as_bytes().to_vec()].concat())
        }
        _ => not_found(),
    }
}

async fn visit(server: &Server, path: &str) -> Result<Answer, SiteError> {
    let mut fetch = FetchOptions::default();
    fetch.allow_private = true;
    fetch.politeness = Politeness::Off;
    fetch.retries = 0;
    let visitor = Visitor::new(fetch, VisitOptions::default()).unwrap();
    visitor.visit(&server.url(path), |_| {}).await.map(Option::unwrap)
}

fn column(found: &Answer, name: &str) -> Vec<String> {
    let list = found.primary().unwrap();
    let at = list.columns.iter().position(|column| column.name == name).unwrap();
    list.records.iter().map(|record| record.cells[at].join("|")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_resolved_against_the_final_url() {
    let server = Server::start(site);
    for (path, first) in [("/list", "/a"), ("/moved", "/a"), ("/refresh", "/a"), ("/base", "/shop/a")] {
        let found = visit(&server, path).await.unwrap();
        assert_eq!(column(&found, "url")[0], server.url(first), "{path}");
    }
    assert_eq!(visit(&server, "/refresh").await.unwrap().page.url.unwrap(), server.url("/list"));
    // Pages that redirect to each other do not loop forever.
    assert!(visit(&server, "/refresh-loop").await.unwrap().primary().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_charset_of_the_header_is_used() {
    let server = Server::start(site);
    assert_eq!(column(&visit(&server, "/cyrillic").await.unwrap(), "title")[3], "Четвёртый чайник");
}

#[tokio::test(flavor = "multi_thread")]
async fn data_and_feeds_are_lists() {
    let server = Server::start(site);
    let data = visit(&server, "/data").await.unwrap();
    assert_eq!(column(&data, "name"), ["Oak", "Ash"]);
    assert_eq!(column(&data, "url")[1], server.url("/t/2"));
    let feed = visit(&server, "/feed").await.unwrap();
    assert_eq!(column(&feed, "link")[0], server.url("/t/1"));
    assert_eq!(feed.page.title.as_deref(), Some("Trees"));
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_that_are_not_pages_are_named() {
    let server = Server::start(site);
    let error = |path: &'static str| {
        let server = &server;
        async move { visit(server, path).await.unwrap_err().to_string() }
    };
    assert!(
        error("/paper").await.ends_with("is a PDF document, not a web page (HTML, JSON and feeds are read)")
    );
    assert!(error("/broken").await.contains("not valid JSON"), "{}", error("/broken").await);
    assert!(
        error("/nothing").await.ends_with("/nothing returned 404 Not Found"),
        "{}",
        error("/nothing").await
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_truncated_page_is_read_as_far_as_it_arrived() {
    let server = Server::start(site);
    let found = visit(&server, "/cut").await.unwrap();
    assert_eq!(found.primary().unwrap().records.len(), 4);
    assert!(found.is_partial());
    assert!(found.warnings.iter().any(|warning| warning.to_string().contains("did not arrive intact")));
}
