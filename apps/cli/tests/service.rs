//! `copal serve` as programs use it: a real server on loopback, real requests, hostile clients and pages.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]
// Clients are plain sockets, so that broken requests can be sent too. They connect to loopback only.
#![allow(clippy::disallowed_types)]

mod common;

use common::service::{PATIENCE, Service, start_in};
use common::{ARTICLE, BOOKS, SHOP, root};
use copal_testserver::{Server, html, redirect};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// Jobs that are killed; `make soak` and CI set more.
const KILLS: usize = 3;

/// A page that takes long without its limits, and much memory: a deep, wide tree of formatting tags.
fn bomb() -> String {
    let mut page = String::from("<!DOCTYPE html><title>Bomb</title>");
    for number in 0..60_000 {
        page.push_str(&format!("<p><b a={number}>x<i b={number}>y"));
    }
    page
}

/// What the command prints for the same page.
fn by_command(page: &str, options: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("page.html"), page).unwrap();
    let line = format!("copal extract -q page.html {options}");
    common::run(folder.path(), &line).stdout
}

#[test]
fn extraction_is_that_of_the_command() {
    let service = Service::start(&[]);
    let answer = service.post("/v1/extract", &json!({ "html": SHOP, "options": { "format": "csv" } }));
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.text(), by_command(SHOP, "--format csv"));
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(answer.header("x-copal-outcome"), Some("done"));
    assert_eq!(answer.header("x-copal-records"), Some("4"));

    let options = json!({ "all": true, "format": "records", "rename": { "title": "name" } });
    let answer = service.post("/v1/extract", &json!({ "html": SHOP, "options": options }));
    assert_eq!(answer.text(), by_command(SHOP, "--all --rename title=name --format records"));

    let options = json!({ "near": "Oil lamp", "fields": ["title"], "format": "csv" });
    let answer = service.post("/v1/extract", &json!({ "html": SHOP, "options": options }));
    assert_eq!(answer.text(), by_command(SHOP, "--near 'Oil lamp' --fields title --format csv"));

    let answer = service.post("/v1/extract", &json!({ "html": ARTICLE }));
    assert_eq!((answer.status, answer.header("x-copal-outcome")), (200, Some("nothing-found")));

    let answer = service.post("/v1/objects", &json!({ "html": SHOP, "options": { "format": "records" } }));
    assert_eq!(answer.text(), by_command(SHOP, "--kind object --format records"));

    let answer = service.post("/v1/sections", &json!({ "html": BOOKS }));
    assert_eq!(answer.json()["pages"][0]["sections"][0]["kind"], "table", "{}", answer.text());
}

#[test]
fn files_are_sent_as_multipart() {
    let service = Service::start(&[]);
    let part = |name: &str, head: &str, body: &str| {
        format!("--xyz\r\nContent-Disposition: form-data; name=\"{name}\"{head}\r\n\r\n{body}\r\n")
    };
    let file = part("file", "; filename=\"shop.html\"\r\nContent-Type: text/html", SHOP);
    let options = part("request", "", r#"{"url": "https://shop.example/", "options": {"format": "csv"}}"#);
    let body = format!("{options}{file}--xyz--\r\n");
    let kind = "Content-Type: multipart/form-data; boundary=xyz\r\n";
    let answer = service.request("POST", "/v1/extract", kind, body.as_bytes());
    assert_eq!(answer.text(), by_command(SHOP, "--url https://shop.example/ --format csv"));
    let unknown = format!("{}--xyz--\r\n", part("page", "", SHOP));
    let answer = service.request("POST", "/v1/extract", kind, unknown.as_bytes());
    assert_eq!(answer.status, 400, "{}", answer.text());
    for broken in
        ["", "--xyz", "--xyz\r\n\r\n", "no boundary", "--xyz\r\nContent-Disposition: x\r\n\r\n--xyz--"]
    {
        let answer = service.request("POST", "/v1/extract", kind, broken.as_bytes());
        assert_eq!(answer.status, 400, "{broken:?}: {}", answer.text());
    }
}

#[test]
fn wrappers_are_learned_stored_applied_checked_and_exported() {
    let service = Service::start(&[]);
    let learned = service.post("/v1/learn", &json!({ "html": SHOP, "save_as": "shop" }));
    assert_eq!(learned.status, 200, "{}", learned.text());
    assert_eq!(learned.json()["version"], 1);
    let text = service.get("/v1/wrappers/shop").text();
    assert_eq!(learned.json()["wrapper"], text.as_str());
    let other = SHOP.replace("Blue lamp", "Pink lamp");
    let body = json!({ "wrapper": "shop", "html": other, "options": { "format": "csv" } });
    let applied = service.post("/v1/apply", &body);
    assert!(
        applied.text().contains("Pink lamp") && applied.text().contains("Red lamp"),
        "{}",
        applied.text()
    );
    let checked = service.post("/v1/check", &json!({ "wrapper": "shop", "html": other }));
    assert_eq!(checked.json()["drifted"], false, "{}", checked.text());
    let changed = json!({ "wrapper": "shop", "pages": [{ "html": ARTICLE }, { "html": ARTICLE }] });
    let checked = service.post("/v1/check", &changed);
    assert_eq!(
        (checked.json()["drifted"].clone(), checked.header("x-copal-outcome")),
        (true.into(), Some("changed"))
    );
    let exported = service.post("/v1/export", &json!({ "wrapper": "shop", "to": "scrapy" }));
    assert!(exported.text().contains("scrapy"), "{}", exported.text());
    // a second version, by writing the file
    let yaml = "Content-Type: application/yaml\r\n";
    let written = service.request("PUT", "/v1/wrappers/shop", yaml, text.as_bytes());
    assert_eq!((written.status, written.json()["version"].clone()), (201, 2.into()));
    assert_eq!(service.get("/v1/wrappers/shop/versions").json()["versions"], json!([1, 2]));
    assert_eq!(service.get("/v1/wrappers").json()["wrappers"][0]["name"], "shop");
    assert_eq!(service.get("/v1/wrappers/shop?version=1").status, 200);
    assert_eq!(service.get("/v1/wrappers/shop?version=9").status, 404);
    for (path, body) in [("shop", "not: a wrapper"), ("..%2Fshop", text.as_str()), ("%2e%2e", text.as_str())]
    {
        let written = service.request("PUT", &format!("/v1/wrappers/{path}"), yaml, body.as_bytes());
        assert_eq!(written.status, 400, "{path}: {}", written.text());
    }
    let repaired = service.post("/v1/repair", &json!({ "wrapper": "shop", "html": SHOP }));
    assert_eq!(repaired.json()["repaired"], false, "{}", repaired.text());
}

/// Lamps before and after a redesign.
fn lamps(numbers: std::ops::Range<usize>, is_new: bool) -> String {
    let item = |n: usize| {
        if is_new {
            format!(
                "<article><div class=cost><b>£{n}.50</b></div><h3><a href=/p/{n}>Lamp {n} of oak</a></h3>\
                 <section>Bright, {n}00 lumen</section></article>"
            )
        } else {
            format!(
                "<li class=item><a class=name href=/p/{n}>Lamp {n} of oak</a><span class=price>£{n}.50</span>\
                 <p>Bright, {n}00 lumen</p></li>"
            )
        }
    };
    let items: String = numbers.map(item).collect();
    if is_new {
        format!("<title>Lamps</title><main><h2>Our lamps</h2><div class=grid>{items}</div></main>")
    } else {
        format!("<title>Lamps</title><h1>Lamps</h1><ul class=results>{items}</ul><p>All rights reserved</p>")
    }
}

#[test]
fn a_repair_writes_a_version_that_reads_the_new_pages() {
    let service = Service::start(&[]);
    let learned = service.post("/v1/learn", &json!({ "html": lamps(10..30, false), "save_as": "lamps" }));
    assert_eq!(learned.status, 200, "{}", learned.text());
    let new_pages: Vec<Value> =
        [10..30, 30..50, 50..70].map(|numbers| json!({ "html": lamps(numbers, true) })).to_vec();
    let request = json!({ "wrapper": "lamps", "pages": new_pages });
    let checked = service.post("/v1/check", &request);
    assert_eq!(checked.json()["drifted"], true, "{}", checked.text());
    let before = service.get("/v1/wrappers/lamps").text();
    // a dry run stores nothing
    let mut dry = request.clone();
    dry["dry_run"] = true.into();
    assert_eq!(service.post("/v1/repair", &dry).json()["repaired"], true);
    assert_eq!(service.get("/v1/wrappers/lamps/versions").json()["versions"], json!([1]));
    let repaired = service.post("/v1/repair", &request);
    assert_eq!(repaired.json()["repaired"], true, "{}", repaired.text());
    assert_eq!(service.get("/v1/wrappers/lamps/versions").json()["versions"], json!([1, 2]));
    assert_ne!(service.get("/v1/wrappers/lamps").text(), before);
    assert_eq!(service.get("/v1/wrappers/lamps?version=1").text(), before);
    let checked = service.post("/v1/check", &request);
    assert_eq!(checked.json()["drifted"], false, "{}", checked.text());
    let body = json!({ "wrapper": "lamps", "html": lamps(70..90, true), "options": { "format": "csv" } });
    let applied = service.post("/v1/apply", &body).text();
    assert_eq!(applied.lines().count(), 21, "{applied}");
    assert!(applied.contains("Lamp 89 of oak") && applied.contains("£89.50"), "{applied}");
}

#[test]
fn a_full_workspace_takes_nothing_more_but_still_answers() {
    let service = Service::start(&["--quota", "150000"]);
    let wrapper = service.post("/v1/learn", &json!({ "html": SHOP, "save_as": "shop" }));
    assert_eq!(wrapper.status, 200, "{}", wrapper.text());
    let text = service.get("/v1/wrappers/shop").text();
    let yaml = "Content-Type: application/yaml\r\n";
    let write = || service.request("PUT", "/v1/wrappers/shop", yaml, text.as_bytes()).status;
    let mut statuses: Vec<u16> = Vec::new();
    while statuses.last() != Some(&507) && statuses.len() < 500 {
        statuses.push(write());
    }
    assert_eq!(statuses.pop(), Some(507));
    assert!(statuses.iter().all(|status| *status == 201), "{statuses:?}");
    let store = json!({ "html": SHOP, "options": { "store": { "database": "lamps" } } });
    let job = json!({ "urls": ["https://shop.example/"] });
    for (path, body) in [("/v1/extract", &store), ("/v1/jobs", &job)] {
        let full = service.post(path, body);
        assert_eq!(full.status, 507, "{path}: {}", full.text());
        assert!(full.text().contains("--quota"), "{}", full.text());
    }
    assert!(!service.folder.path().join("databases/lamps.sqlite").exists());
    let answer = service.post("/v1/extract", &json!({ "html": SHOP, "options": { "format": "csv" } }));
    assert_eq!((answer.status, answer.text()), (200, by_command(SHOP, "--format csv")));
}

#[test]
fn requests_are_in_the_log_of_the_workspace() {
    let service = Service::start(&["--quiet"]);
    let answer = service.post("/v1/extract", &json!({ "html": SHOP }));
    let missing = service.get("/v1/nothing");
    let log = fs::read_to_string(service.folder.path().join("logs/service.log")).unwrap();
    let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (answer, status) in [(answer, 200), (missing, 404)] {
        let id = answer.header("x-request-id").unwrap();
        let event = events.iter().find(|event| event["request_id"] == id);
        let event = event.unwrap_or_else(|| panic!("{id} is not in the log: {log}"));
        assert_eq!(event["status"], status, "{event}");
        assert!(event["time"].as_f64().unwrap() > 1.7e9 && event["level"] == "info", "{event}");
    }
}

#[test]
fn records_are_stored_in_databases_of_the_workspace_only() {
    let service = Service::start(&[]);
    let store = |database: &str| {
        let options = json!({ "format": "csv", "store": { "database": database } });
        service.post("/v1/extract", &json!({ "html": SHOP, "options": options }))
    };
    let stored = store("lamps");
    assert_eq!(stored.status, 200, "{}", stored.text());
    assert!(stored.header("x-copal-stored").unwrap().contains("4 records"), "{}", stored.headers);
    assert!(service.folder.path().join("databases/lamps.sqlite").exists());
    for name in ["../lamps", "/tmp/x", "a.sqlite", "postgres://localhost/x", ""] {
        assert_eq!(store(name).status, 400, "{name}");
    }
}

#[test]
fn urls_are_fetched_and_private_ones_refused() {
    let site = Server::start(|request| match request.path.as_str() {
        "/shop" => html(SHOP),
        "/away" => redirect(302, "http://169.254.169.254/latest"),
        _ => copal_testserver::response("404 Not Found", "", ""),
    });
    let service = Service::start(&[]);
    let answer = service.post("/v1/extract", &json!({ "url": site.url("/shop") }));
    assert_eq!(answer.status, 403, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/problem+json"));
    for url in
        ["file:///etc/passwd", "http://[::1]/", "http://localhost/", "http://0x7f.1/", "ftp://a.example/"]
    {
        let answer = service.post("/v1/extract", &json!({ "url": url }));
        assert_eq!(answer.status, 403, "{url}: {}", answer.text());
    }
    assert_eq!(site.connections(), 0);
    let service = Service::start(&["--allow-private", "--delay", "0"]);
    let body = json!({ "url": site.url("/shop"), "options": { "format": "csv" } });
    let answer = service.post("/v1/extract", &body);
    assert_eq!(answer.text(), by_command(SHOP, &format!("--url {} --format csv", site.url("/shop"))));
    assert_eq!(service.post("/v1/extract", &json!({ "url": site.url("/missing") })).status, 502);
}

#[test]
fn wrong_requests_get_problems_that_say_what_to_do() {
    let service = Service::start(&["--body-limit", "100000"]);
    let post = |body: &str| {
        service.request("POST", "/v1/extract", "Content-Type: application/json\r\n", body.as_bytes())
    };
    for (body, expected) in [
        ("", "JSON"),
        ("{", "JSON"),
        ("[]", "JSON"),
        ("{}", "expected html"),
        (r#"{"htm": "x"}"#, "unknown field `htm`"),
        (r#"{"html": "x", "options": {"al": true}}"#, "unknown field `al`"),
        (r#"{"html": "x", "options": {"list": 0}}"#, "from 1"),
        (r#"{"html": "x", "options": {"select": "["}}"#, "select"),
        (r#"{"html": "x", "options": {"list": 1, "near": "y"}}"#, "exclude"),
        (r#"{"html": "x", "options": {"domain": "/etc/passwd"}}"#, "expected one of"),
        (r#"{"html": "x", "options": {"domain": "book"}}"#, "did you mean books?"),
        (r#"{"pages": [{}]}"#, "neither html nor url"),
    ] {
        let answer = post(body);
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
        assert!(answer.text().contains(expected), "{body}: {}", answer.text());
        assert_eq!(answer.json()["request_id"], answer.header("x-request-id").unwrap());
    }
    let nested = format!(r#"{{"html": {}1{}}}"#, "[".repeat(40_000), "]".repeat(40_000));
    assert_eq!(post(&nested).status, 400);
    let answer = post(&format!(r#"{{"html": "{}"}}"#, "x".repeat(200_000)));
    assert_eq!((answer.status, answer.json()["type"].clone()), (413, "urn:copal:problem:too-large".into()));
    assert_eq!(service.request("POST", "/v1/extract", "Content-Type: text/plain\r\n", b"{}").status, 415);
    assert_eq!(service.get("/v1/extract").status, 405);
    assert_eq!(service.get("/v1/nothing").status, 404);
    let binary = service.post("/v1/extract", &json!({ "html": "\u{0}\u{1}\u{2}", "options": {} }));
    assert!(matches!(binary.status, 200 | 422), "{}", binary.text());
}

#[test]
fn web_pages_and_other_hosts_are_refused() {
    let service = Service::start(&[]);
    let port = service.address.rsplit(':').next().unwrap();
    let raw = |head: &str| {
        service.send(format!("GET /v1/domains HTTP/1.1\r\n{head}Connection: close\r\n\r\n").as_bytes())
    };
    assert_eq!(raw(&format!("Host: localhost:{port}\r\n")).status, 200);
    assert_eq!(raw(&format!("Host: evil.example:{port}\r\n")).status, 421);
    assert_eq!(raw(&format!("Host: localhost:{port}\r\nOrigin: http://evil.example\r\n")).status, 403);
    assert_eq!(raw(&format!("Host: localhost:{port}\r\nSec-Fetch-Site: cross-site\r\n")).status, 403);
    assert_eq!(service.get("/healthz").text(), "ok\n");
    assert!(
        service.get("/metrics").text().contains("copal_requests_total{route=\"/healthz\",status=\"200\"} 1")
    );
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| common::run(folder.path(), line);
    let refused = run("copal serve --port 0 --address 0.0.0.0 --dir w");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    fs::write(folder.path().join("token"), "short").unwrap();
    assert_eq!(run("copal serve --port 0 --token-file token --dir w").code, 2);
    let second = run(&format!("copal serve --port 0 --dir {}", service.folder.path().display()));
    assert_eq!(second.code, 3);
    assert!(second.stderr.contains("another server"), "{}", second.stderr);
    // with a token
    let token = folder.path().join("long");
    fs::write(&token, "0123456789abcdef0123\n").unwrap();
    let service = Service::start(&["--token-file", token.to_str().unwrap()]);
    assert_eq!(service.get("/v1/domains").status, 401);
    assert_eq!(service.get("/healthz").status, 200);
    let bearer = "Authorization: Bearer 0123456789abcdef0123\r\n";
    assert_eq!(service.request("GET", "/v1/domains", bearer, b"").status, 200);
}

#[test]
fn pages_that_exceed_a_limit_cost_only_themselves() {
    let service = Service::start(&["--page-time", "3", "--page-memory", "60", "--workers", "2"]);
    let expected = by_command(SHOP, "--format csv");
    let bomb = json!({ "html": bomb() });
    // far more text than 60 MB of memory can hold as a tree
    let large =
        json!({ "html": format!("<ul>{}</ul>", "<li><a href=/x>lamp</a> <b>£9</b></li>".repeat(120_000)) });
    thread::scope(|scope| {
        let bombs = scope.spawn(|| {
            for body in [&bomb, &large, &bomb, &large] {
                let answer = service.post("/v1/extract", body);
                assert!(matches!(answer.status, 200 | 422), "{} {}", answer.status, answer.text());
            }
            service.post("/v1/extract", &large)
        });
        for _ in 0..20 {
            let answer =
                service.post("/v1/extract", &json!({ "html": SHOP, "options": { "format": "csv" } }));
            assert_eq!((answer.status, answer.text()), (200, expected.clone()));
        }
        let large = bombs.join().unwrap();
        assert_eq!(large.status, 422, "{}", large.text());
        assert!(
            large.text().contains("memory-limit") || large.text().contains("time-limit"),
            "{}",
            large.text()
        );
    });
    let metrics = service.get("/metrics").text();
    let ended: u64 = ["copal_task_aborts_total ", "copal_task_timeouts_total "]
        .iter()
        .map(|name| {
            metrics.lines().find_map(|line| line.strip_prefix(*name)).unwrap().parse::<u64>().unwrap()
        })
        .sum();
    assert!(ended >= 1, "{metrics}");
}

#[test]
fn overload_and_slow_clients_are_shed() {
    let service = Service::start(&["--workers", "1", "--queue", "1", "--client-time", "1"]);
    let large = json!({ "html": bomb() });
    let statuses: Vec<u16> = thread::scope(|scope| {
        let clients: Vec<_> = (0..12).map(|_| scope.spawn(|| service.post("/v1/extract", &large))).collect();
        let answers = clients.into_iter().map(|client| client.join().unwrap());
        answers
            .inspect(|answer| assert!(answer.status != 503 || answer.header("retry-after").is_some()))
            .map(|answer| answer.status)
            .collect()
    });
    assert!(statuses.contains(&503) && statuses.contains(&200), "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 200 | 408 | 422 | 503)), "{statuses:?}");
    // a client that never ends its request is cut off
    let mut slow = TcpStream::connect(&service.address).unwrap();
    slow.set_read_timeout(Some(PATIENCE)).unwrap();
    slow.write_all(b"POST /v1/extract HTTP/1.1\r\nHost: ").unwrap();
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    let mut slow = TcpStream::connect(&service.address).unwrap();
    slow.set_read_timeout(Some(PATIENCE)).unwrap();
    let head = format!(
        "POST /v1/extract HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        service.address
    );
    slow.write_all(head.as_bytes()).unwrap();
    let mut first = [0; 64];
    let read = slow.read(&mut first).unwrap();
    assert!(String::from_utf8_lossy(&first[..read]).starts_with("HTTP/1.1 408"));
    assert_eq!(service.get("/healthz").status, 200);
}

fn job_body(pages: usize) -> Value {
    let page = |number: usize| {
        let html = SHOP.replace("Blue lamp", &format!("Lamp number {number}"));
        json!({ "html": html, "name": format!("page {number}") })
    };
    json!({ "pages": (1..=pages).map(page).collect::<Vec<_>>(), "options": { "fields": ["title"] } })
}

/// Each page's own record, in order.
fn numbers(records: &str) -> Vec<usize> {
    let lines = records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let titles: Vec<String> = lines.map(|line| line["title"].as_str().unwrap().to_owned()).collect();
    titles.iter().filter_map(|title| title.strip_prefix("Lamp number ")?.parse().ok()).collect()
}

#[test]
fn jobs_report_progress_and_can_be_cancelled() {
    let service = Service::start(&[]);
    let started = service.post("/v1/jobs", &job_body(6));
    assert_eq!(started.status, 202, "{}", started.text());
    let id = started.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(started.header("location"), Some(format!("/v1/jobs/{id}").as_str()));
    let status = service.wait_for_job(&id);
    assert_eq!(
        (&status["state"], &status["done"], &status["records"]),
        (&"done".into(), &6.into(), &24.into())
    );
    let records = service.get(&format!("/v1/jobs/{id}/records")).text();
    assert_eq!(numbers(&records), [1, 2, 3, 4, 5, 6], "{records}");
    let long = service.post("/v1/jobs", &job_body(400)).json()["id"].as_str().unwrap().to_owned();
    let cancelled = service.request("DELETE", &format!("/v1/jobs/{long}"), "", b"");
    assert_eq!(cancelled.json()["state"], "cancelled", "{}", cancelled.text());
    assert!(service.wait_for_job(&long)["done"].as_i64().unwrap() < 400);
    assert_eq!(service.get("/v1/jobs").json()["jobs"].as_array().unwrap().len(), 2);
    assert_eq!(service.get("/v1/jobs/none").status, 404);
    let bad = json!({ "urls": ["http://127.0.0.1:8099/"], "pages": [{ "html": SHOP }] });
    let id = service.post("/v1/jobs", &bad).json()["id"].as_str().unwrap().to_owned();
    let status = service.wait_for_job(&id);
    assert_eq!((&status["done"], &status["failed"]), (&1.into(), &1.into()), "{status}");
    assert!(status["errors"][0]["error"].as_str().unwrap().contains("private address"), "{status}");
}

#[test]
fn killed_jobs_lose_nothing_and_double_nothing() {
    let kills = std::env::var("COPAL_SERVICE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    // so many pages that fast machines do not end before the kills
    let pages = (20 + 600 * kills).min(9_000);
    let mut service = Service::start(&[]);
    let id = service.post("/v1/jobs", &job_body(pages)).json()["id"].as_str().unwrap().to_owned();
    let mut seed = 7_u64;
    let mut killed_at_work = 0;
    for _ in 0..kills {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        thread::sleep(Duration::from_millis(50 + (seed >> 33) % 300));
        let state = service.get(&format!("/v1/jobs/{id}")).json()["state"].clone();
        killed_at_work += usize::from(state == "running");
        service.process.kill().unwrap();
        service.process.wait().unwrap();
        (service.process, service.address) = start_in(service.folder.path(), &[]);
    }
    let status = service.wait_for_job(&id);
    assert!(2 * killed_at_work >= kills, "only {killed_at_work} of {kills} kills met a running job");
    assert_eq!(
        (&status["state"], &status["done"], &status["failed"]),
        (&"done".into(), &pages.into(), &0.into())
    );
    let records = service.get(&format!("/v1/jobs/{id}/records")).text();
    assert_eq!(numbers(&records), (1..=pages).collect::<Vec<_>>());
    assert_eq!(records.lines().count(), 4 * pages);
}

#[test]
fn signals_end_the_service_in_good_order() {
    for signal in ["HUP", "INT", "TERM"] {
        // tests that outlive their terminal pass that on
        if signal == "HUP" && copal_tasks::is_hangup_ignored() {
            continue;
        }
        let mut service = Service::start(&[]);
        // requests that are answered before the end
        assert_eq!(service.get("/v1/drafts").status, 200);
        let sent =
            Command::new("kill").args([format!("-{signal}"), service.process.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let ended = service.process.wait().unwrap();
        assert_eq!(ended.code(), Some(0), "SIG{signal}: {ended}");
    }
}

#[test]
fn the_api_document_lists_all_routes() {
    let service = Service::start(&[]);
    let document = service.get("/openapi.json").json();
    let source = fs::read_to_string(root().join("apps/service/src/http/router.rs")).unwrap();
    let routes = source.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next());
    // the studio is for people
    let is_api = |route: &&str| !matches!(*route, "/openapi.json" | "/") && !route.starts_with("/studio/");
    for route in routes.filter(is_api) {
        assert!(document["paths"][route].is_object(), "{route} is not in the document");
    }
}
