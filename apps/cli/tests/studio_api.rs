//! What the studio asks of the service: the page as it is shown, corrections, drafts, and what was stored.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]
// Clients are plain sockets. They connect to loopback only.
#![allow(clippy::disallowed_types)]

mod common;

use common::SHOP;
use common::service::{Service, read_answer};
use copal_testserver::{Server, not_found, response};
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
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
fn records_that_are_missing_are_taken_in() {
    let service = Service::start(&[]);
    let row = |n: usize| {
        format!("<li class=i><a href=/{n}>Lamp number {n}</a> <b>£{n}.50</b> <i>in stock</i></li>")
    };
    let rows = |range: std::ops::Range<usize>| -> String { range.map(row).collect() };
    let html = format!(
        "<title>Lamps</title><h1>Lamps</h1><ul id=now>{}</ul><h2>Soon</h2><ul id=soon>{}</ul>",
        rows(1..9),
        rows(20..23)
    );
    let view = service.post("/v1/view", &json!({ "html": html })).json();
    let elements = view["elements"].as_array().unwrap();
    let list = |id: &str| elements.iter().find(|element| element[3]["id"] == id).unwrap()[0].clone();
    let of = |list: &serde_json::Value| elements.iter().filter(|one| one[1] == *list).collect::<Vec<_>>();
    let (now, soon) = (of(&list("now")), of(&list("soon")));
    let wrapper =
        service.post("/v1/correct", &json!({ "html": html, "examples": [now[0][0], now[1][0]] })).json();
    let text = wrapper["wrapper"].as_str().unwrap();
    let count =
        |answer: &serde_json::Value| answer["answer"]["regions"][0]["records"].as_array().unwrap().len();
    // the list may have both parts already: then there is nothing to take in
    assert!([8, 11].contains(&count(&wrapper)), "{text}");
    let corrections = json!([{ "include": { "records": [soon[1][0]] } }]);
    let body = json!({ "html": html, "wrapper_text": text, "corrections": corrections });
    let corrected = service.post("/v1/correct", &body).json();
    assert_eq!(count(&corrected), 11, "{corrected}");
    let around = json!([{ "include": { "records": [view["elements"][0][0]] } }]);
    let body = json!({ "html": html, "wrapper_text": text, "corrections": around });
    assert_eq!(service.post("/v1/correct", &body).status, 400);
}

const BOOK: &str = "<title>The Long Way</title><body><h1>The Long Way</h1><table>
    <tr><th>Author</th><td>Ann Marsh</td></tr><tr><th>Publisher</th><td>Hill Press</td></tr>
    <tr><th>Pages</th><td>312</td></tr><tr><th>Price</th><td>£12.50</td></tr></table>
    <p class=blurb>A walk along the coast, told in twelve chapters and many letters.</p></body>";

#[test]
fn the_fields_of_an_object_are_corrected_and_stored() {
    let service = Service::start(&[]);
    let view = service.post("/v1/view", &json!({ "html": BOOK })).json();
    let blurb = view["elements"].as_array().unwrap().iter().find(|one| one[3]["class"] == "blurb").unwrap()
        [0]
    .clone();
    let first = json!({ "html": BOOK, "options": { "kind": "object" } });
    let fields = service.post("/v1/correct", &first).json()["answer"]["fields"].clone();
    let author =
        fields.as_object().unwrap().iter().find(|(_, value)| *value == "Ann Marsh").unwrap().0.clone();
    let price = fields.as_object().unwrap().iter().find(|(_, value)| *value == "£12.50").unwrap().0.clone();
    let corrections = json!([
        { "rename": { "column": author, "to": "writer" } },
        { "hide": { "column": price } },
        { "add": { "name": "about", "node": blurb } },
    ]);
    let body = json!({ "html": BOOK, "corrections": corrections, "options": { "kind": "object" } });
    let corrected = service.post("/v1/correct", &body).json();
    let fields = &corrected["answer"]["fields"];
    assert_eq!(fields["writer"], "Ann Marsh", "{corrected}");
    assert!(fields["about"].as_str().unwrap().contains("twelve chapters"), "{fields}");
    assert!(fields.get(&price).is_none(), "{fields}");
    // the studio shows where a field is
    assert!(corrected["answer"]["sources"]["about"]["xpath"].as_str().unwrap().contains("/p"), "{corrected}");
    let store = json!({ "store": { "database": "books" } });
    let body = json!({ "html": BOOK, "wrapper_text": corrected["wrapper"], "options": store });
    assert_eq!(service.post("/v1/apply", &body).status, 200);
    let stored = service.get("/v1/databases/books/records").json();
    assert_eq!(
        (&stored["total"], &stored["records"][0]["writer"]),
        (&1.into(), &"Ann Marsh".into()),
        "{stored}"
    );
}

#[test]
fn the_last_check_of_a_wrapper_is_remembered() {
    let service = Service::start(&[]);
    let learned = service.post("/v1/learn", &json!({ "html": SHOP, "save_as": "shop" }));
    assert_eq!(learned.status, 200, "{}", learned.text());
    let library = || service.get("/v1/wrappers").json()["wrappers"][0].clone();
    assert!(library()["check"].is_null());
    service.post("/v1/check", &json!({ "html": SHOP, "wrapper": "shop" }));
    let check = library()["check"].clone();
    assert_eq!((&check["drifted"], &check["version"]), (&false.into(), &1.into()), "{check}");
    service.post("/v1/check", &json!({ "html": "<title>Gone</title><p>We moved.</p>", "wrapper": "shop" }));
    let check = library()["check"].clone();
    assert_eq!((&check["drifted"], &check["records"]), (&true.into(), &0.into()), "{check}");
    assert!(!check["why"].as_array().unwrap().is_empty());
    // an older version can be stored again as the newest
    let yaml = service.get("/v1/wrappers/shop?version=1").text();
    let put =
        service.request("PUT", "/v1/wrappers/shop", "Content-Type: application/yaml\r\n", yaml.as_bytes());
    assert_eq!((put.status, put.json()["version"].clone()), (201, 2.into()));
}

#[test]
fn terms_of_a_gazetteer_are_searched() {
    let service = Service::start(&[]);
    let domains = service.get("/v1/domains").json();
    let mut searched = 0;
    for domain in domains["domains"].as_array().unwrap() {
        let name = domain["name"].as_str().unwrap();
        for attribute in domain["attributes"].as_array().unwrap().iter().take(4) {
            let path =
                format!("/v1/domains/{name}/terms?attribute={}&most=3", attribute["name"].as_str().unwrap());
            let answer = service.get(&path).json();
            let terms = answer["terms"].as_array().unwrap();
            assert!(terms.len() <= 3);
            if let Some(term) = terms.first().and_then(|term| term.as_str()).filter(|term| term.is_ascii()) {
                let part = term.split(' ').next().unwrap().to_lowercase();
                let found = service.get(&format!("{path}&contains={part}")).json();
                assert!(found["matching"].as_u64().unwrap() >= 1, "{path} {part}");
                searched += 1;
            }
        }
    }
    assert!(searched > 0);
    assert_eq!(service.get("/v1/domains/boats/terms?attribute=name").status, 404);
    assert_eq!(service.get("/v1/domains/books/terms").status, 400);
    assert_eq!(service.get("/v1/domains/books/terms?attribute=title&file=x").status, 400);
}

/// A GIF of one pixel.
const PIXEL: &[u8] = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\0;";

#[test]
fn images_are_fetched_if_they_are_images() {
    let site = Server::start(|request| match request.path.as_str() {
        "/pixel.gif" => response("200 OK", "Content-Type: text/html\r\n", PIXEL),
        "/drawing.svg" => response(
            "200 OK",
            "Content-Type: image/svg+xml\r\n",
            "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        ),
        "/page.gif" => response("200 OK", "Content-Type: image/gif\r\n", "<script>alert(1)</script>"),
        "/moved.gif" => response("302 Found", "Location: http://169.254.169.254/\r\n", ""),
        _ => not_found(),
    });
    let urls: Vec<String> =
        ["/pixel.gif", "/drawing.svg", "/page.gif", "/none.gif"].map(|path| site.url(path)).into();
    let open = Service::start(&["--allow-private", "--ignore-robots"]);
    let images = open.post("/v1/images", &json!({ "urls": urls })).json()["images"].clone();
    assert!(images[0]["data"].as_str().unwrap().starts_with("data:image/gif;base64,R0lGOD"), "{images}");
    for image in images.as_array().unwrap().iter().skip(1) {
        assert!(image.get("data").is_none() && image["problem"].is_string(), "{image}");
    }
    for body in
        [json!({}), json!({ "urls": vec!["http://a.example/"; 31] }), json!({ "urls": ["x".repeat(9000)] })]
    {
        assert_eq!(open.post("/v1/images", &body).status, 400);
    }
    // without --allow-private nothing on this machine or in its network is asked
    let before = site.connections();
    let closed = Service::start(&[]);
    let mut forbidden = urls;
    forbidden.extend(
        ["file:///etc/passwd", "http://[::1]/", "http://10.0.0.1/", "http://localhost/", "ftp://a.example/"]
            .map(str::to_owned),
    );
    let images = closed.post("/v1/images", &json!({ "urls": forbidden })).json()["images"].clone();
    assert!(images.as_array().unwrap().iter().all(|image| image.get("data").is_none()), "{images}");
    assert_eq!(site.connections(), before);
}

#[test]
fn copal_studio_says_in_plain_words_why_it_cannot_start() {
    let folder = tempfile::tempdir().unwrap();
    let held = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = held.local_addr().unwrap().port().to_string();
    fs::write(folder.path().join("file"), "").unwrap();
    let run = |arguments: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_copal"))
            .args(["studio", "--no-open"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(!done.status.success());
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    let used = run(&["--dir", "workspace", "--port", &port]);
    assert!(used.contains("is in use by another program") && used.contains("--port"), "{used}");
    let not_a_folder = run(&["--dir", "file/workspace"]);
    assert!(not_a_folder.contains("the workspace folder cannot be used"), "{not_a_folder}");
    assert!(run(&["missing.html"]).contains("missing.html: no such file"));
    assert!(run(&["--url", "https://a.example/"]).contains("--url is the address of a saved page"));
    for text in [used, not_a_folder] {
        assert!(!text.contains("os error"), "{text}");
    }
}

#[test]
fn copal_studio_begins_with_a_page() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shop.html"), SHOP).unwrap();
    let mut studio = Command::new(env!("CARGO_BIN_EXE_copal"))
        .args(["studio", "--no-open", "--dir", "workspace", "--url", "https://shop.example/", "shop.html"])
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
    assert_eq!(start.json(), json!({ "name": "shop.html", "base": "https://shop.example/" }));
    assert_eq!(file.body, SHOP.as_bytes());
}
