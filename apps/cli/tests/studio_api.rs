//! What the studio asks of the service: the page as it is shown, corrections, drafts, and what was stored.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]
// Clients are plain sockets. They connect to loopback only.
#![allow(clippy::disallowed_types)]

mod common;

use common::SHOP;
use common::service::{Service, read_answer};
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn the_studio_is_served_with_policies_and_asks_for_the_token_itself() {
    let service = Service::start(&[]);
    let index = service.get("/");
    assert_eq!((index.status, index.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = index.header("content-security-policy").unwrap().to_owned();
    assert!(
        policy.contains("default-src 'none'; script-src 'self'") && policy.contains("frame-ancestors 'none'")
    );
    let frame = service.get("/studio/frame");
    let policy = frame.header("content-security-policy").unwrap();
    let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap();
    assert!(policy.starts_with("sandbox allow-scripts; default-src 'none';"), "{policy}");
    assert!(
        !policy.contains("allow-same-origin")
            && frame.text().contains(&format!("<script nonce=\"{nonce}\">"))
    );
    assert!(!service.get("/studio/frame").headers.contains(nonce), "a nonce is used twice");
    assert_eq!(service.get("/studio/main.js").header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(service.get("/studio/passwd").status, 404);
    assert_eq!(service.get("/studio/..%2f..%2fCargo.toml").status, 404);
    let guarded = Service::start_with_token("0123456789abcdef");
    assert_eq!((guarded.get("/").status, guarded.get("/studio/api.js").status), (200, 200));
    assert_eq!((guarded.get("/v1/drafts").status, guarded.get("/v1/start").status), (401, 401));
    assert_eq!(guarded.get("/v1/databases").status, 401);
}

#[test]
fn drafts_are_kept_within_their_limit() {
    let service = Service::start(&[]);
    let put = |name: &str, body: &str| {
        let path = format!("/v1/drafts/{name}");
        service.request("PUT", &path, "Content-Type: application/json\r\n", body.as_bytes()).status
    };
    assert_eq!(service.get("/v1/drafts").json(), json!({ "drafts": [] }));
    assert_eq!((put("lamps", "{\"list\": 2}"), put("lamps", "{\"list\": 3}")), (204, 204));
    assert_eq!(service.get("/v1/drafts/lamps").json(), json!({ "list": 3 }));
    assert_eq!((put("lamps", "{"), put("..%2flamps", "{}"), put("a.b", "{}")), (400, 400, 400));
    assert_eq!(put("large", &format!("\"{}\"", "x".repeat(1_000_001))), 413);
    assert_eq!(service.request("PUT", "/v1/drafts/lamps", "Content-Type: text/plain\r\n", b"{}").status, 415);
    assert_eq!(service.get("/v1/drafts").json(), json!({ "drafts": ["lamps"] }));
    assert_eq!(service.request("DELETE", "/v1/drafts/lamps", "", b"").status, 204);
    assert_eq!(service.request("DELETE", "/v1/drafts/lamps", "", b"").status, 404);
    assert_eq!(service.get("/v1/drafts/lamps").status, 404);
}

#[test]
fn a_page_is_viewed_pointed_at_corrected_and_what_was_stored_is_read() {
    let service = Service::start(&[]);
    let view = service.post("/v1/view", &json!({ "html": SHOP })).json();
    assert_eq!(view["source"], SHOP);
    let number = |class: &str| {
        let elements = view["elements"].as_array().unwrap();
        elements.iter().find(|element| element[3]["class"] == class).unwrap()[0].clone()
    };
    assert!(!view["shown"].to_string().contains("href"));
    let pointed = service.post("/v1/point", &json!({ "html": SHOP, "node": number("seen") })).json();
    assert_eq!((&pointed["pattern"], &pointed["matches"]), (&"ol[class=\"seen\"]".into(), &1.into()));
    assert_eq!(pointed["answer"]["regions"][0]["records"].as_array().unwrap().len(), 4);
    let several = service.post("/v1/point", &json!({ "html": SHOP, "pattern": "li" })).json();
    assert!(several["matches"].as_u64().unwrap() > 4);
    for (body, status) in [
        (json!({ "html": SHOP, "pattern": "li[" }), 400),
        (json!({ "html": SHOP, "node": 99_999 }), 400),
        (json!({ "html": SHOP }), 400),
    ] {
        assert_eq!(service.post("/v1/point", &body).status, status, "{body}");
    }
    let corrections =
        json!([{ "rename": { "column": "title", "to": "lamp" } }, { "hide": { "column": "url" } }]);
    let body = json!({ "html": SHOP, "corrections": corrections, "options": { "list": 1 } });
    let corrected = service.post("/v1/correct", &body).json();
    let columns = corrected["answer"]["regions"][0]["columns"].as_array().unwrap();
    let names: Vec<&str> = columns.iter().filter_map(|column| column["name"].as_str()).collect();
    assert!(names.contains(&"lamp") && !names.contains(&"url"), "{names:?}");
    for (corrections, words) in [
        (json!([{ "rename": { "column": "colour", "to": "x" } }]), "correction 1: no column"),
        (json!([{ "paint": { "column": "title" } }]), "unknown variant"),
        (json!([{ "rename": { "column": "title", "to": "x", "y": 1 } }]), "unknown field"),
    ] {
        let refused = service.post("/v1/correct", &json!({ "html": SHOP, "corrections": corrections }));
        assert_eq!(refused.status, 400);
        assert!(refused.text().contains(words), "{}", refused.text());
    }
    let store = json!({ "store": { "database": "lamps", "table": "lamps" } });
    let body = json!({ "html": SHOP, "wrapper_text": corrected["wrapper"], "options": store });
    assert_eq!(service.post("/v1/apply", &body).status, 200);
    let changed = body["html"].as_str().unwrap().replace("£12", "£13");
    let body = json!({ "html": changed, "wrapper_text": corrected["wrapper"], "options": store });
    assert_eq!(service.post("/v1/apply", &body).status, 200);
    assert_eq!(service.get("/v1/databases").json()["databases"][0]["tables"], json!(["lamps"]));
    assert_eq!(service.get("/v1/databases/lamps/runs").json()["runs"].as_array().unwrap().len(), 2);
    let records = service.get("/v1/databases/lamps/records?table=lamps&most=2").json();
    assert_eq!((&records["total"], records["records"].as_array().unwrap().len()), (&4.into(), 2));
    let differences = service.get("/v1/databases/lamps/differences").json();
    assert!(differences["differences"][0].to_string().contains("£13"), "{differences}");
    assert_eq!(service.get("/v1/databases/none/runs").status, 404);
    assert_eq!(service.get("/v1/databases/lamps/records?table=runs%22--").status, 404);
    assert_eq!(service.get("/v1/databases/..%2fjobs/records").status, 400);
}

#[test]
fn copal_studio_begins_with_a_page() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shop.html"), SHOP).unwrap();
    let mut studio = Command::new(env!("CARGO_BIN_EXE_copal"))
        .args(["studio", "--no-open", "--dir", "workspace", "shop.html"])
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(studio.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        read_answer(&mut stream)
    };
    let (start, file) = (ask("/v1/start"), ask("/v1/start/file"));
    let _ = studio.kill();
    let _ = studio.wait();
    assert_eq!(start.json(), json!({ "name": "shop.html" }));
    assert_eq!(file.body, SHOP.as_bytes());
}
