//! Pages in a real browser: Debian's Chromium, against servers on loopback. `make browser` runs these tests; they
//! are ignored otherwise, because they need a browser. Tests run as root, so the browser's sandbox is off.

#![cfg(unix)]
// canaries listen on loopback
#![allow(clippy::unwrap_used, clippy::disallowed_types)]

mod common;
#[path = "browser/forbidden.rs"]
mod forbidden;
#[path = "../../../crates/copal-explore/tests/generated/mod.rs"]
mod generated_sites;
#[path = "browser/kills.rs"]
mod kills;
#[path = "browser/lamps.rs"]
mod lamps;
#[path = "browser/replays.rs"]
mod replays;
#[path = "browser/secure.rs"]
mod secure;
#[path = "browser/suggestions.rs"]
mod suggestions;
#[path = "browser/whole_sites.rs"]
mod whole_sites;

use common::run;
use common::service::Service;
use copal_testserver::{Server, html, response};
use lamps::{LampServer, lamp_titles};
use serde_json::Value;
use std::fs;
use std::sync::{Arc, Mutex};

/// Options of every command line: the server is on this machine and needs no delay.
pub(crate) const OWN: &str = "--allow-private --delay 0 --no-cache --no-browser-sandbox --format json -q";

/// The answer for a page of the lamp server.
fn extract(server: &LampServer, page: &str, options: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path(), &format!("copal extract {} {OWN} {options}", server.page(page)));
    serde_json::from_str(&run.stdout)
        .unwrap_or_else(|error| panic!("{page}: {error}: {} {}", run.stdout, run.stderr))
}

/// The texts of the lamps' names, wherever they are in the records.
fn titles(answer: &Value) -> Vec<String> {
    let Some(records) = answer["regions"][0]["records"].as_array() else { return Vec::new() };
    let title = |record: &Value| {
        let fields = record["fields"].as_object().unwrap().values();
        let texts = fields.flat_map(|value| match value {
            Value::Array(texts) => texts.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            other => vec![other.as_str().unwrap_or_default().to_owned()],
        });
        texts.into_iter().find(|text| text.starts_with("Lamp ")).unwrap_or_default()
    };
    records.iter().map(title).collect()
}

/// Pages whose list is complete at once, and how many records it has.
const COMPLETE_PAGES: &[&str] = &[
    "fetch",
    "late",
    "xhr-table",
    "template",
    "module",
    "react",
    "preact",
    "vue",
    "shadow",
    "frame",
    "other-frame",
    "tabs",
    "dialogs",
    "hash",
    "polling",
    "svelte",
    "vue-runtime",
    "srcdoc",
    "stream",
    "worker",
    "two-step",
    "consent",
    "consent-only-accept",
];
/// Pages that show more after scrolling or pressing.
const GROWING_PAGES: &[&str] = &["scroll", "more", "pager", "virtual", "scroll-area", "virtual-rows"];

#[test]
#[ignore = "needs a browser: make browser"]
fn lists_that_scripts_build_are_read() {
    let server = LampServer::start();
    let mut wrong = Vec::new();
    for page in COMPLETE_PAGES {
        let with = titles(&extract(&server, page, "--render chromium"));
        if with != lamp_titles(1..=20) {
            wrong.push(format!("{page}: {with:?}"));
        }
        for level in ["none", "css"] {
            let without = titles(&extract(&server, page, &format!("--render {level}")));
            assert_ne!(without, lamp_titles(1..=20), "{page} needs no browser, so it tests nothing");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs a browser: make browser"]
fn lists_are_followed_by_scrolling_and_pressing() {
    let server = LampServer::start();
    let mut wrong = Vec::new();
    for page in GROWING_PAGES {
        let answer = extract(&server, page, "--render chromium --follow all");
        if titles(&answer) != lamp_titles(1..=60) {
            wrong.push(format!("{page}: {:?} {}", titles(&answer), answer["follow"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs a browser: make browser"]
fn auto_uses_the_browser_only_where_it_is_needed() {
    let server = LampServer::start();
    let mut wrong = Vec::new();
    for page in COMPLETE_PAGES.iter().chain(GROWING_PAGES).chain(&["counter"]) {
        let answer = extract(&server, page, "--render auto");
        if answer["page"]["rendered"] != "chromium" || answer["page"]["rendered_why"].as_str().is_none() {
            wrong.push(format!("{page}: not rendered"));
        }
    }
    assert_eq!(titles(&extract(&server, "counter", "--render auto")), lamp_titles(1..=60));
    let answer = extract(&server, "static", "--render auto");
    if !answer["page"]["rendered"].is_null() || titles(&answer) != lamp_titles(1..=20) {
        wrong.push(format!("static: {}", answer["page"]));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs a browser: make browser"]
fn saved_pages_are_shown_too() {
    let folder = tempfile::tempdir().unwrap();
    let list = "for (let n = 1; n < 9; n++) document.body.insertAdjacentHTML('beforeend', \
        `<div class=lamp><a href=/lamp/${n}>Lamp 00${n}</a> <i>£${n}.50</i></div>`)";
    fs::write(folder.path().join("saved.html"), format!("<h1>Lamps</h1><script>{list}</script>")).unwrap();
    let run = run(folder.path(), &format!("copal extract saved.html --render chromium {OWN}"));
    let answer: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    assert_eq!(titles(&answer), lamp_titles(1..=8));
    assert_eq!(answer["page"]["url"], Value::Null);
}

#[test]
#[ignore = "needs a browser: make browser"]
fn consent_layers_are_refused_and_never_accepted() {
    let server = LampServer::start();
    assert_eq!(titles(&extract(&server, "consent", "--render chromium")), lamp_titles(1..=20));
    let asked = server.asked();
    assert!(asked.iter().any(|path| path == "/items.json?refused"), "{asked:?}");
    assert_eq!(titles(&extract(&server, "consent-only-accept", "--render chromium")), lamp_titles(1..=20));
    let asked = server.asked();
    let is_agreed = |path: &String| path.ends_with("?accepted") || path.ends_with("?closed");
    assert!(!asked.iter().any(is_agreed), "{asked:?}");
}

#[test]
#[ignore = "needs a browser: make browser"]
fn errors_are_those_of_fetching() {
    let server = LampServer::start();
    let folder = tempfile::tempdir().unwrap();
    let options = "--render chromium --delay 0 --no-cache --no-browser-sandbox";
    for (arguments, message) in [
        (format!("{} {options} --allow-private", server.url("/absent")), "404"),
        (format!("{} {options}", server.url("/pages/fetch.html")), "--allow-private"),
        (format!("{} {options} --allow-private", server.url("/private/list")), "robots.txt"),
        (format!("{} {options} --allow-private", server.url("/hung")), "did not answer"),
        (format!("{} {options} --allow-private --browser /absent", server.page("fetch")), "/absent"),
    ] {
        let run = run(folder.path(), &format!("copal extract {arguments}"));
        assert_eq!(run.code, 3, "{arguments}: {} {}", run.stdout, run.stderr);
        assert!(run.stderr.contains(message), "{arguments}: {}", run.stderr);
    }
    assert!(!server.asked().iter().any(|path| path.starts_with("/private")), "{:?}", server.asked());
}

#[test]
#[ignore = "needs a browser: make browser"]
fn headers_and_cookies_are_sent_to_the_page_s_own_origin_only() {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let own_told = Arc::clone(&told);
    let other = Server::start(move |request| {
        own_told.lock().unwrap().push(format!("{} {:?}", request.path, request.headers));
        let allowed = "Access-Control-Allow-Origin: *\r\nContent-Type: application/json\r\n";
        response("200 OK", allowed, r#"{"note": "other"}"#)
    });
    let other_url = other.url("/note.json");
    let site = Server::start(move |request| {
        let text = format!("{:?}", request.headers).to_lowercase();
        let knows = text.contains("session=secret-7") && text.contains("bearer token-8");
        match request.path.as_str() {
            "/list" if knows => html(&format!(
                "<h1>Orders</h1><ul id=list></ul><script>fetch('{other_url}').then(a => a.json()).then(() => \
                 fetch('/orders.json')).then(a => a.json()).then(found => list.innerHTML = found.map(n => \
                 `<li><a href=/order/${{n}}>Order ${{n}}</a> <b>£${{n}}.20</b></li>`).join(''))</script>"
            )),
            "/orders.json" if knows => {
                response("200 OK", "Content-Type: application/json\r\n", "[11, 12, 13, 14, 15, 16]")
            }
            _ => response("403 Forbidden", "", "who are you?"),
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let secrets = "--cookie session=secret-7 --header 'Authorization: Bearer token-8'";
    let line = format!("copal extract {} {OWN} --render chromium", site.url("/list"));
    let found = run(folder.path(), &format!("{line} {secrets}"));
    assert_eq!(found.code, 0, "{}", found.stderr);
    assert!(found.stdout.contains("Order 16"), "{}", found.stdout);
    let told = told.lock().unwrap().join("\n");
    assert!(told.contains("/note.json"), "{told}");
    assert!(!told.contains("secret-7") && !told.contains("token-8"), "{told}");
    assert_eq!(run(folder.path(), &line).code, 3, "the page needs the cookie");
}

#[test]
#[ignore = "needs a browser: make browser"]
fn a_picture_of_the_page_is_written() {
    let server = LampServer::start();
    let folder = tempfile::tempdir().unwrap();
    let line =
        format!("copal extract {} {OWN} --render chromium --screenshot lamps.png", server.page("fetch"));
    let run = run(folder.path(), &line);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let png = fs::read(folder.path().join("lamps.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xaeB`\x82"), "{} bytes", png.len());
    // the header has the size: the whole page is higher than the window
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert!(number(16) == 1280 && number(20) > 1024, "{} x {}", number(16), number(20));
}

#[test]
#[ignore = "needs a browser: make browser"]
fn a_report_shows_the_page_with_its_records() {
    let server = LampServer::start();
    let folder = tempfile::tempdir().unwrap();
    let options =
        "--allow-private --delay 0 --no-cache --no-browser-sandbox -q --render chromium -o report.html";
    let run = run(folder.path(), &format!("copal extract {} {options}", server.page("fetch")));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(report.contains("href=\"data:image/png;base64,iVBORw0KGgo") && report.contains("img-src data:;"));
    for number in 1..=20 {
        assert!(report.contains(&format!("paint-order=\"stroke\">{number}</text>")), "record {number}");
    }
    assert!(report.contains("<title>column ") && report.contains(">list 1</text>"));
}

#[test]
#[ignore = "needs a browser: make browser"]
fn doctor_finds_the_browser() {
    let folder = tempfile::tempdir().unwrap();
    let found = run(folder.path(), "copal doctor");
    assert_eq!(found.code, 0, "{}", found.stderr);
    assert!(found.stdout.contains("Chrom") && found.stdout.contains("browser: /"), "{}", found.stdout);
    let missing = run(folder.path(), "copal doctor --browser /absent");
    assert_eq!(missing.code, 1);
    assert!(
        missing.stdout.contains("/absent") && missing.stdout.contains("apt install chromium"),
        "{}",
        missing.stdout
    );
}

#[test]
#[ignore = "needs a browser: make browser"]
fn the_service_shows_pages_in_the_browser_if_it_is_asked_to() {
    let server = LampServer::start();
    let service = Service::start(&["--allow-private", "--delay", "0", "--no-browser-sandbox"]);
    let ask = |page: &str, render: &str, options: Value| {
        let mut body = serde_json::json!({ "url": server.page(page), "options": options });
        body["options"]["render"] = render.into();
        let answer = service.post("/v1/extract", &body);
        assert_eq!(answer.status, 200, "{page}: {}", answer.text());
        answer.json()
    };
    let none = serde_json::json!({});
    assert_ne!(titles(&ask("fetch", "none", none.clone())), lamp_titles(1..=20));
    for render in ["chromium", "auto"] {
        let answer = ask("fetch", render, none.clone());
        assert_eq!(titles(&answer), lamp_titles(1..=20), "{render}");
        assert_eq!(answer["page"]["rendered"], "chromium");
    }
    let followed = ask("more", "chromium", serde_json::json!({ "follow": 100 }));
    assert_eq!(titles(&followed), lamp_titles(1..=60));
    assert_eq!(ask("static", "auto", none)["page"]["rendered"], Value::Null);
}
