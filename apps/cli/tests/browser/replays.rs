//! Lists whose data the page's script loads as JSON: read with and without the browser.

use super::{OWN, common::run};
use copal_testserver::{Request, Response, Server, html, not_found, response};
use serde_json::{Value, json};

/// Lamps in the shop: six parts of 20, and one of 10.
const LAMP_COUNT: usize = 130;
const PART_SIZE: usize = 20;

const PAGE: &str = include_str!("pages/replay.html");

fn lamp(n: usize) -> Value {
    let city = ["Ulm", "Riga", "Bern"][n % 3];
    json!({
        "id": n,
        "title": format!("Lamp {n:03} & shade"),
        "maker": { "name": format!("Maker {}", n % 7), "city": city },
        "price": n as f64 + if n.is_multiple_of(2) { 0.5 } else { 0.0 },
        "badge": n.is_multiple_of(5).then(|| format!("{n} in stock")),
        "sold": false,
    })
}

fn lamps(from: usize, count: usize) -> Vec<Value> {
    (from + 1..=(from + count).min(LAMP_COUNT)).map(lamp).collect()
}

fn data(body: &Value) -> Response {
    response("200 OK", "Content-Type: application/json\r\n", body.to_string())
}

fn answer(request: &Request) -> Response {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let parameter = |name: &str| {
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default()
    };
    let number = |name: &str| parameter(name).parse::<usize>().unwrap_or_default();
    let part = |from: usize, next: Value| json!({ "items": lamps(from, PART_SIZE), "next": next });
    let page_start = number("page").max(1).wrapping_sub(1) * PART_SIZE;
    // a cursor says nothing to others
    let cursor =
        |from: usize| if from < LAMP_COUNT { json!(format!("c{:x}z", from * 7919)) } else { Value::Null };
    let cursor_start = |text: &str| {
        let hex = text.strip_prefix('c').and_then(|rest| rest.strip_suffix('z')).unwrap_or_default();
        usize::from_str_radix(hex, 16).unwrap_or_default() / 7919
    };
    match path {
        "/replay" => html(PAGE),
        // the first lamps are part of the page, and only the following ones are loaded
        "/inline" => {
            let given = json!(lamps(0, PART_SIZE)).to_string();
            html(&PAGE.replacen("<script>", &format!("<script>window.given = {given};\n"), 1))
        }
        "/data/offset" => {
            data(&json!({ "total": LAMP_COUNT, "items": lamps(number("from"), number("count")) }))
        }
        "/data/page" if page_start < LAMP_COUNT => data(&part(page_start, Value::Null)),
        "/data/token" if request.header("x-token") == "lamp-7" => data(&part(page_start, Value::Null)),
        "/data/cursor" => {
            let from = cursor_start(parameter("after"));
            data(&part(from, cursor(from + PART_SIZE)))
        }
        "/data/link" => {
            let from = cursor_start(parameter("part"));
            let next = cursor(from + PART_SIZE);
            let next = next.as_str().map_or(Value::Null, |next| json!(format!("/data/link?part={next}")));
            data(&part(from, next))
        }
        "/data/surprise" => {
            let mut body = part(page_start, Value::Null);
            for lamp in body["items"].as_array_mut().unwrap() {
                if lamp["id"] == 90 {
                    lamp["sold"] = true.into();
                }
            }
            data(&body)
        }
        _ => not_found(),
    }
}

/// What a run of the command gave and asked for.
struct Reading {
    /// The names of the columns, and the fields of all records.
    table: Value,
    follow: Value,
    /// Requests for the page itself.
    navigations: usize,
    /// Requests for data.
    data_requests: usize,
}

fn read(server: &Server, page: &str, options: &str) -> Reading {
    let before = server.paths().len();
    let folder = tempfile::tempdir().unwrap();
    let line = format!("copal extract '{}' {OWN} --render chromium --follow all {options}", server.url(page));
    let run = run(folder.path(), &line);
    let answer: Value = serde_json::from_str(&run.stdout)
        .unwrap_or_else(|error| panic!("{page}: {error}: {} {}", run.stdout, run.stderr));
    let region = &answer["regions"][0];
    let records = region["records"].as_array().cloned().unwrap_or_default();
    let fields: Vec<&Value> = records.iter().map(|record| &record["fields"]).collect();
    let paths = server.paths().split_off(before);
    let count = |begin: &str| paths.iter().filter(|path| path.starts_with(begin)).count();
    Reading {
        table: json!({ "columns": region["columns"], "records": fields }),
        follow: answer["follow"].clone(),
        navigations: count("/replay") + count("/inline"),
        data_requests: count("/data/"),
    }
}

/// Reads a page with and without replay, checks that both are the same list, and returns what replay did.
fn read_both(page: &str) -> (Reading, Reading) {
    let server = Server::start(answer);
    let (with, without) = (read(&server, page, ""), read(&server, page, "--no-replay"));
    let titles = |reading: &Reading| -> Vec<String> {
        let records = reading.table["records"].as_array().unwrap().iter();
        let is_title = |text: &&str| text.starts_with("Lamp ");
        records
            .map(|fields| {
                let mut texts = fields.as_object().unwrap().values().filter_map(Value::as_str);
                texts.find(is_title).unwrap_or_default().to_owned()
            })
            .collect()
    };
    let all: Vec<String> = (1..=LAMP_COUNT).map(|n| format!("Lamp {n:03} & shade")).collect();
    assert_eq!(titles(&without), all, "{page} without replay: {}", without.follow);
    assert_eq!(titles(&with), all, "{page} with replay: {}", with.follow);
    for (number, title) in all.iter().enumerate() {
        let record = |reading: &Reading| reading.table["records"][number].clone();
        assert_eq!(record(&with), record(&without), "{page}: {title}");
    }
    assert_eq!(with.table["columns"], without.table["columns"], "{page}");
    assert_eq!(without.follow["replayed"], Value::Null);
    println!(
        "{page}: {} pages replayed; navigations {} and {}, data requests {} and {}",
        with.follow["replayed"],
        with.navigations,
        without.navigations,
        with.data_requests,
        without.data_requests
    );
    (with, without)
}

#[test]
#[ignore = "needs a browser: make browser"]
fn lists_are_replayed_from_the_data_of_their_scripts() {
    for page in [
        "/replay?data=offset&way=more",
        "/replay?data=offset&way=scroll",
        "/replay?data=offset&way=pager",
        "/replay?data=page&way=more",
        "/replay?data=cursor&way=more",
        "/replay?data=cursor&way=pager",
        "/replay?data=link&way=pager",
        "/replay?data=token&way=more",
    ] {
        let (with, without) = read_both(page);
        // two of the seven parts are shown by the browser
        assert_eq!(with.follow["replayed"], 5, "{page}: {}", with.follow);
        assert_eq!(with.follow["whole"], true, "{page}: {}", with.follow);
        assert_eq!((with.navigations, without.navigations), (1, 1), "{page}");
        // one request more to check the plan, and one more to find the end where nothing announces it
        assert!(with.data_requests <= without.data_requests + 2, "{page}: {}", with.data_requests);
    }
}

#[test]
#[ignore = "needs a browser: make browser"]
fn a_first_page_without_a_request_is_enough_if_the_second_says_its_number() {
    let (with, _) = read_both("/inline?data=page&way=more");
    assert_eq!(with.follow["replayed"], 5, "{}", with.follow);
}

#[test]
#[ignore = "needs a browser: make browser"]
fn texts_that_a_script_formats_are_left_to_the_browser() {
    let (with, without) = read_both("/replay?data=offset&way=more&row=formatted");
    assert_eq!(with.follow["replayed"], Value::Null, "{}", with.follow);
    assert_eq!(with.data_requests, without.data_requests);
}

#[test]
#[ignore = "needs a browser: make browser"]
fn the_browser_goes_on_where_the_data_has_something_unknown() {
    for way in ["more", "pager"] {
        let (with, _) = read_both(&format!("/replay?data=surprise&way={way}"));
        // lamp 90 is in the fifth part
        assert_eq!(with.follow["replayed"], 2, "{way}: {}", with.follow);
        assert!(with.table.to_string().contains("Sold out"));
    }
}
