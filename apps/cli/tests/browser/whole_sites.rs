//! Whole sites whose pages need a browser.

use crate::common::run;
use copal_testserver::{Request, Response, Server, html, not_found};
use rusqlite::Connection;

const HOMES: usize = 14;

/// A site whose prices are written by a script: without it, its records have none.
fn site(request: &Request) -> Response {
    match request.path.as_str() {
        "/" => html(
            "<!doctype html><title>Homes</title><nav><a href=/buy>Homes for sale</a></nav><h1>Homes</h1><p>Welcome.",
        ),
        "/buy" => {
            let cards: String = (1..=HOMES)
                .map(|n| {
                    format!(
                        "<article class=card><h3><a href='/property/{n}'>{} bedroom flat, {n} Mill Lane, Oxford</a></h3>\
                         <span class=price data-thousands={}></span><p>A flat close to the shops of Oxford.</p></article>",
                        n % 4 + 1,
                        200 + 5 * n
                    )
                })
                .collect();
            html(&format!(
                "<!doctype html><title>Homes for sale</title><h1>Homes for sale</h1><p>{HOMES} properties found</p>\
                 <section>{cards}</section><script>for (const price of document.querySelectorAll('.price')) \
                 price.textContent = '£' + price.dataset.thousands + ',000';</script>"
            ))
        }
        _ => not_found(),
    }
}

#[test]
#[ignore = "needs a browser: make browser"]
fn prices_that_a_script_writes_are_read() {
    let server = Server::start(site);
    let folder = tempfile::tempdir().unwrap();
    let line = |render: &str, file: &str| {
        format!(
            "copal site {} --domain real-estate --allow-private --delay 0 --no-browser-sandbox --cache-dir cache \
             --render {render} -o {file}",
            server.url("/")
        )
    };
    // without the script there is no price, which every home for sale has
    let plain = run(folder.path(), &line("none", "plain.sqlite"));
    assert_eq!(plain.code, 1, "{}", plain.stderr);
    let shown = run(folder.path(), &line("chromium", "shown.sqlite"));
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let connection = Connection::open(folder.path().join("shown.sqlite")).unwrap();
    let exact = "SELECT count(*) FROM records WHERE price = '£' || (200 + 5 * CAST(replace(url, ?1, '') AS INTEGER)) || ',000'";
    let exact: i64 = connection.query_row(exact, [server.url("/property/")], |row| row.get(0)).unwrap();
    assert_eq!(usize::try_from(exact), Ok(HOMES));
}

/// A shop whose lists are made by a script. The page of each lamp is complete without it.
fn lamps(request: &Request) -> Response {
    let lamp = |n: usize| format!("Lamp number {n} with a shade of brass");
    match request.path.as_str() {
        "/" => html("<!doctype html><title>Lamp shop</title><h1>Lamp shop</h1><a href=/lamps>All lamps</a>"),
        "/lamps" => {
            let names: Vec<String> = (1..=HOMES).map(|n| format!("'{}'", lamp(n))).collect();
            html(&format!(
                "<!doctype html><title>Lamps</title><h1>Lamps</h1><p>{HOMES} lamps</p><ul id=list></ul><script>\
                 document.getElementById('list').innerHTML = [{}].map((name, n) => `<li class=lamp><h3><a \
                 href=/lamp/${{n + 1}}>${{name}}</a></h3><p class=price>£${{n + 20}}.50</p></li>`).join('');</script>",
                names.join(", ")
            ))
        }
        path => match path.strip_prefix("/lamp/").and_then(|n| n.parse().ok()).filter(|n| *n <= HOMES) {
            Some(n) => html(&format!(
                "<!doctype html><title>{0}</title><h1>{0}</h1><p>Price: £{1}.50",
                lamp(n),
                n + 19
            )),
            None => not_found(),
        },
    }
}

#[test]
#[ignore = "needs a browser: make browser"]
fn wrappers_are_learned_from_pages_that_need_a_browser() {
    let server = Server::start(lamps);
    let folder = tempfile::tempdir().unwrap();
    let line = |command: &str| {
        format!(
            "copal {command} --allow-private --delay 0 --no-browser-sandbox --render auto --cache-dir cache"
        )
    };
    let explored = run(
        folder.path(),
        &line(&format!("site {} -o lamps.sqlite --wrapper site.copal.yaml", server.url("/"))),
    );
    assert_eq!(explored.code, 0, "{}", explored.stderr);
    let learned = run(folder.path(), &line(&format!("learn {} -o lamps.copal.yaml", server.url("/lamps"))));
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    for wrapper in ["site.copal.yaml", "lamps.copal.yaml"] {
        let applied = format!("apply {wrapper} {} --format csv", server.url("/lamps"));
        let applied = run(folder.path(), &line(&applied));
        assert_eq!(applied.code, 0, "{wrapper}: {}", applied.stderr);
        assert_eq!(applied.stdout.lines().count(), 1 + HOMES, "{wrapper}: {}", applied.stdout);
        assert!(applied.stdout.contains("£33.50"), "{wrapper}: {}", applied.stdout);
    }
}
