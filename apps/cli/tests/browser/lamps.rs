//! A server with client-rendered pages (`pages/`) and the data that they ask for.

use copal_testserver::{Request, Response, Server, html, not_found, response};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Lamps in the shop.
const LAMP_COUNT: usize = 60;

pub(crate) struct LampServer {
    server: Server,
}

impl LampServer {
    pub(crate) fn start() -> LampServer {
        LampServer { server: Server::start(answer) }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The URL of a page in `pages/`.
    pub(crate) fn page(&self, name: &str) -> String {
        self.server.url(&format!("/pages/{name}.html"))
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.server.paths()
    }
}

pub(crate) fn lamp_titles(numbers: std::ops::RangeInclusive<usize>) -> Vec<String> {
    numbers.map(|n| format!("Lamp {n:03}")).collect()
}

fn answer(request: &Request) -> Response {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    match path {
        "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /private\n"),
        "/items.json" => response("200 OK", "Content-Type: application/json\r\n", items(query)),
        "/show.js" => script(
            "export const show = items => { const list = document.createElement('ul'); list.innerHTML = \
             items.map(i => `<li><a href=\"/lamp/${i.id}\">${i.title}</a> <span>${i.maker}</span> \
             <b>${i.price}</b></li>`).join(''); return list; };",
        ),
        "/decorate.js" => script("document.body.classList.add('decorated');"),
        "/hung" => html("<p>Never ends<script>for (;;) {}</script>"),
        // answered after the page was read
        "/never" => Response::Slow(vec![Vec::new()], Duration::from_secs(20)),
        _ => file(path),
    }
}

fn script(text: &str) -> Response {
    response("200 OK", "Content-Type: text/javascript\r\n", text)
}

fn file(path: &str) -> Response {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    match fs::read(folder.join(path.trim_start_matches('/'))) {
        Ok(bytes) if !path.contains("..") => {
            let is_script = Path::new(path).extension().is_some_and(|ending| ending == "js");
            let kind = if is_script { "text/javascript" } else { "text/html; charset=utf-8" };
            response("200 OK", &format!("Content-Type: {kind}\r\n"), bytes)
        }
        _ => not_found(),
    }
}

/// The lamps that a query like `from=20&count=20` asks for.
fn items(query: &str) -> String {
    let number = |name: &str| {
        let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        value.and_then(|value| value.parse::<usize>().ok()).unwrap_or_default()
    };
    let (from, count) = (number("from"), number("count"));
    let lamps: Vec<serde_json::Value> = (from + 1..=(from + count).min(LAMP_COUNT))
        .map(|n| {
            let (title, maker, price) =
                (format!("Lamp {n:03}"), format!("Maker {}", n % 7), format!("£{n}.50"));
            serde_json::json!({ "id": n, "title": title, "maker": maker, "price": price })
        })
        .collect();
    serde_json::json!({ "total": LAMP_COUNT, "items": lamps }).to_string()
}
