//! Whole sites whose search takes only values of a list that a script shows while one types.

use crate::common::{Run, run};
use crate::generated_sites::suggestions::{SUGGESTED_HOMES, SuggestionStyle};
use crate::generated_sites::{other_page, property};
use copal_testserver::{Request, Response, Server, html, not_found};
use rusqlite::Connection;
use std::path::Path;
use std::time::{Duration, Instant};

/// The longest time that a hostile form may take, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(6);

fn site(folder: &Path, server: &Server, options: &str) -> Run {
    let line = format!(
        "copal site {} --domain real-estate --allow-private --delay 0 --no-browser-sandbox --cache-dir cache {options}",
        server.url("/")
    );
    run(folder, &line)
}

fn start(style: SuggestionStyle) -> Server {
    Server::start(move |request| style.answer(request).unwrap_or_else(|| other_page(request)))
}

/// Records whose title is exact, by the number in their URL.
fn exact_titles(database: &Path, server: &Server) -> usize {
    let connection = Connection::open(database).unwrap();
    let mut statement = connection.prepare("SELECT url, title FROM records").unwrap();
    let rows =
        statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    let exact = |(url, title): &(String, String)| {
        let number = url.strip_prefix(&server.url("/property/")).and_then(|number| number.parse().ok());
        number.is_some_and(|number| property(number).title == *title)
    };
    rows.map(Result::unwrap).filter(exact).count()
}

#[test]
#[ignore = "needs a browser: make browser"]
fn suggestions_are_taken_where_nothing_else_is() {
    for style in [SuggestionStyle::Combobox, SuggestionStyle::Plain, SuggestionStyle::Wildcard] {
        let server = start(style);
        let folder = tempfile::tempdir().unwrap();
        let output = "--render auto -o homes.sqlite --explain --wrapper homes.copal.yaml";
        let found = site(folder.path(), &server, output);
        assert_eq!(found.code, 0, "{style:?}: {}{}", found.stdout, found.stderr);
        let exact = exact_titles(&folder.path().join("homes.sqlite"), &server);
        assert_eq!(exact, SUGGESTED_HOMES, "{style:?}: {}{}", found.stdout, found.stderr);
        let taken = if style == SuggestionStyle::Wildcard { "All areas" } else { "Manchester" };
        assert!(found.stdout.contains(&format!("with the suggestion \"{taken}\"")), "{}", found.stdout);
        // only the search is ever sent
        let posted = |request: &Request| request.method == "POST" && request.path != "/results";
        assert!(!server.requests().iter().any(posted), "{:?}", server.requests());
        let wrapper = std::fs::read_to_string(folder.path().join("homes.copal.yaml")).unwrap();
        assert!(wrapper.contains("choose: "), "{style:?}: {wrapper}");
        // what was learned works without the browser
        let line = "copal site run homes.copal.yaml --allow-private --delay 0 --no-cache -o again.sqlite";
        let again = run(folder.path(), line);
        assert_eq!(again.code, 0, "{style:?}: {}{wrapper}", again.stderr);
        assert_eq!(exact_titles(&folder.path().join("again.sqlite"), &server), SUGGESTED_HOMES, "{style:?}");
        let asked = server.requests().iter().filter(|request| request.path.starts_with("/suggest")).count();
        assert!(asked <= 60, "{style:?}: {asked} requests for suggestions");
    }
}

#[test]
#[ignore = "needs a browser: make browser"]
fn the_plan_says_what_would_be_typed() {
    let server = start(SuggestionStyle::Combobox);
    let folder = tempfile::tempdir().unwrap();
    let plan = site(folder.path(), &server, "--render auto --dry-run");
    let line = "if that is refused, would type \"Oxf\", \"Lee\"";
    assert!(plan.stdout.contains(line), "{}", plan.stdout);
    assert!(!server.requests().iter().any(|request| request.path.starts_with("/suggest")));
    let without = site(folder.path(), &server, "--render none --dry-run");
    assert!(!without.stdout.contains("would type"), "{}", without.stdout);
}

/// A search that is always refused, with a script that does something bad when one types.
fn hostile(script: &'static str) -> Server {
    Server::start(move |request: &Request| -> Response {
        match request.path.split('?').next().unwrap_or_default() {
            "/" | "/results" => html(&format!(
                "<!doctype html><title>Homes</title><h1>Homes</h1><p>Please enter a location.</p><form action=/results \
                 class=search><label>Location <input id=place name=location aria-autocomplete=list></label>\
                 <button>Search</button></form><ul id=list></ul><script>const list = document.getElementById('list'); \
                 document.getElementById('place').addEventListener('input', () => {{ {script} }});</script>"
            )),
            _ => not_found(),
        }
    })
}

#[test]
#[ignore = "needs a browser: make browser"]
fn hostile_suggestions_end() {
    let scripts = [
        "setInterval(() => list.insertAdjacentHTML('beforeend', '<li>Oxford</li>'), 20)",
        "list.innerHTML = '<li>Oxford and London</li>'.repeat(100000)",
        "for (;;) {}",
        "location.href = '/elsewhere'",
        "setTimeout(() => document.body.remove(), 100)",
    ];
    let runs: Vec<_> = scripts
        .into_iter()
        .map(|script| {
            std::thread::spawn(move || {
                let server = hostile(script);
                let folder = tempfile::tempdir().unwrap();
                let began = Instant::now();
                let found = site(folder.path(), &server, "--render auto -o homes.sqlite --budget pages=40");
                assert_eq!(found.code, 1, "{script}: {}{}", found.stdout, found.stderr);
                assert!(began.elapsed() < PATIENCE, "{script}: {:?}", began.elapsed());
            })
        })
        .collect();
    for one in runs {
        one.join().unwrap();
    }
}
