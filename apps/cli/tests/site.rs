//! `copal site` against a small shop on loopback: records, wrapper, report, resuming after interrupts and kills.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::kettle_site::{EACH, KETTLES, OWN, PATIENCE, all_titles, counts, page, run, shop, titles};
use common::{folder, shell};
use copal_testserver::{Request, Server, html, not_found, response};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_site_becomes_records_a_wrapper_and_a_report() {
    let server = Server::start(shop);
    let folder = folder(&[]);
    let line = format!(
        "copal site $SITE/ {OWN} -o shop.sqlite --wrapper shop.copal.yaml --report shop.html --redact email --explain"
    );
    let first = run(&server, folder.path(), &line);
    assert_eq!(first.code, 0, "{}{}", first.stdout, first.stderr);
    assert!(first.stderr.contains("effective: 60 records (the site announces 60)"), "{}", first.stderr);
    assert!(first.stdout.contains("\"log in\" is another kind of page"), "{}", first.stdout);
    assert_eq!(titles(&folder.path().join("shop.sqlite")), all_titles());
    let asked = counts(&server);
    assert!(asked.values().all(|count| *count == 1), "one request per page: {asked:?}");
    assert!(!asked.contains_key("/news") && !asked.contains_key("/login"), "{asked:?}");
    let report = fs::read_to_string(folder.path().join("shop.html")).unwrap();
    assert!(report.contains("counter_reached") && report.contains("Copper kettle model 1"));
    assert!(
        !report.contains("<script") && !report.contains("@kettles.example"),
        "personal data is in the report"
    );
    let wrapper = fs::read_to_string(folder.path().join("shop.copal.yaml")).unwrap();
    assert!(wrapper.contains("navigation:") && wrapper.contains("open: "), "{wrapper}");
    // the wrapper repeats it: one request per page, and unchanged pages are not transferred
    let before = server.requests().len();
    let again = run(&server, folder.path(), &format!("copal site run shop.copal.yaml {OWN} -o again.sqlite"));
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(again.stderr, "60 records of 60 announced from 10 pages, done\n");
    assert_eq!(titles(&folder.path().join("again.sqlite")), all_titles());
    let requests = server.requests().split_off(before);
    let pages: Vec<&Request> = requests.iter().filter(|one| one.path.starts_with("/kettles")).collect();
    assert_eq!(pages.len(), KETTLES / EACH);
    assert!(pages.iter().all(|one| !one.header("if-none-match").is_empty()), "requests are conditional");
    // other commands understand the wrapper
    let applied =
        run(&server, folder.path(), &format!("copal apply shop.copal.yaml $SITE/kettles {OWN} --format csv"));
    assert_eq!((applied.code, applied.stdout.lines().count()), (0, 1 + EACH), "{}", applied.stderr);
    let checked = run(&server, folder.path(), &format!("copal check shop.copal.yaml $SITE/kettles {OWN}"));
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    let exported = run(&server, folder.path(), "copal export shop.copal.yaml --to scrapy");
    assert_eq!(exported.code, 0, "{}", exported.stderr);
}

#[test]
fn a_site_of_scripts_says_how_they_can_run_and_why_they_did_not() {
    let shell = "<!DOCTYPE html><title>Shop</title><div id=root></div>\
                 <noscript>You need to enable JavaScript to run this app.</noscript><script src=/app.js></script>";
    let server = Server::start(|request| if request.path == "/" { html(shell) } else { not_found() });
    let folder = folder(&[]);
    let plain = run(&server, folder.path(), &format!("copal site $SITE/ {OWN} -o a.sqlite"));
    assert_eq!(plain.code, 1, "{}", plain.stderr);
    assert!(plain.stderr.contains("[needs_scripts]"), "{}", plain.stderr);
    assert!(plain.stderr.contains("hint: --render auto"), "{}", plain.stderr);
    if cfg!(feature = "render") {
        // a program that starts and shows nothing
        let line = format!("copal site $SITE/ {OWN} --render auto --browser /bin/false -o b.sqlite");
        let failed = run(&server, folder.path(), &line);
        assert_eq!(failed.code, 1, "{}", failed.stderr);
        assert!(failed.stderr.contains("but a browser could not show it: "), "{}", failed.stderr);
        assert!(!failed.stderr.contains("hint: --render auto"), "{}", failed.stderr);
    }
}

#[test]
fn a_plan_visits_nothing_and_sends_nothing() {
    let server = Server::start(shop);
    let folder = folder(&[]);
    let plan = run(&server, folder.path(), &format!("copal site $SITE/ {OWN} --dry-run"));
    assert_eq!(plan.code, 0, "{}", plan.stderr);
    assert!(plan.stdout.contains("would send GET $SITE/find?q= (nothing, or any value)"), "{}", plan.stdout);
    assert!(
        plan.stdout.contains("nothing would be sent: not a search but join mailing list"),
        "{}",
        plan.stdout
    );
    assert!(plan.stdout.contains("would visit") && plan.stdout.contains("$SITE/kettles"), "{}", plan.stdout);
    assert!(plan.stdout.contains("would leave $SITE/login"), "{}", plan.stdout);
    assert_eq!(server.paths(), ["/robots.txt", "/"]);
    assert!(
        fs::read_dir(folder.path()).unwrap().flatten().all(|file| file.file_name() == "cache"),
        "no files"
    );
}

#[test]
fn budgets_end_a_run_and_the_same_command_continues() {
    let server = Server::start(shop);
    let folder = folder(&[]);
    let database = folder.path().join("shop.sqlite");
    let part =
        run(&server, folder.path(), &format!("copal site $SITE/ {OWN} -o shop.sqlite --budget pages=8"));
    assert_eq!(part.code, 4, "{}", part.stderr);
    assert!(part.stderr.contains("[budget_spent]"), "{}", part.stderr);
    assert!(titles(&database).len() < KETTLES);
    let rest = run(&server, folder.path(), &format!("copal site $SITE/ {OWN} -o shop.sqlite"));
    assert_eq!(rest.code, 0, "{}", rest.stderr);
    assert!(rest.stderr.starts_with("continuing the interrupted run\n"), "{}", rest.stderr);
    assert_eq!(titles(&database), all_titles());
    let mut asked = counts(&server);
    // each process asks for robots.txt
    assert_eq!(asked.remove("/robots.txt"), Some(2));
    assert!(asked.values().all(|count| *count == 1), "nothing is fetched twice: {asked:?}");
}

/// Runs that are killed; more with `COPAL_SITE_KILLS`.
fn kills() -> usize {
    std::env::var("COPAL_SITE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(12)
}

#[test]
fn kills_lose_nothing_and_repeat_nothing() {
    let server = Server::start(|request| {
        thread::sleep(Duration::from_millis(8));
        shop(request)
    });
    let (mut rounds, mut killed) = (0, 0);
    while killed < kills() {
        rounds += 1;
        let folder = folder(&[]);
        let line = format!("copal site $SITE/ {OWN} -q -o shop.sqlite");
        let before = server.requests().len();
        let mut kills_of_round = 0;
        // each process lives a little longer than the one before, until one reaches the end
        for step in 0..200_u64 {
            let mut command = shell(folder.path(), &format!("exec {line}"));
            let quiet = command.env("SITE", server.url("")).stdin(Stdio::null()).stdout(Stdio::null());
            let mut child = quiet.stderr(Stdio::null()).spawn().unwrap();
            thread::sleep(Duration::from_millis(60 + 45 * step + 13 * rounds % 40));
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills_of_round += 1;
        }
        killed += kills_of_round;
        assert_eq!(titles(&folder.path().join("shop.sqlite")), all_titles());
        let mut asked: BTreeMap<String, usize> = BTreeMap::new();
        let mut sent: Vec<String> =
            server.requests().split_off(before).into_iter().map(|request| request.path).collect();
        // a process that is killed after its run was complete is followed by a new run, which begins with the sitemap
        if let Some(last_page) = sent.iter().position(|path| path == "/kettles?page=10") {
            let new_run = sent[last_page..].iter().position(|path| path == "/sitemap.xml");
            sent.truncate(new_run.map_or(sent.len(), |at| last_page + at));
        }
        for path in sent {
            *asked.entry(path).or_default() += 1;
        }
        asked.remove("/robots.txt");
        // a page that was in flight when the process died has to be asked for again
        let repeated: usize = asked.values().map(|count| count - 1).sum();
        assert!(
            repeated <= kills_of_round,
            "{repeated} repeated requests after {kills_of_round} kills: {asked:?}"
        );
        assert!(rounds < 60.max(kills() as u64), "the runs are too short to be killed");
    }
    println!("{killed} kills in {rounds} runs");
}

#[test]
fn ctrl_c_ends_a_run_in_good_order() {
    let is_held = Arc::new(AtomicBool::new(true));
    let server = {
        let is_held = Arc::clone(&is_held);
        Server::start(move |request| {
            let patience = Instant::now() + PATIENCE;
            while request.path == "/kettles?page=4"
                && is_held.load(Ordering::SeqCst)
                && Instant::now() < patience
            {
                thread::sleep(Duration::from_millis(20));
            }
            shop(request)
        })
    };
    let folder = folder(&[]);
    let line = format!("copal site $SITE/ {OWN} -o shop.sqlite");
    // exec: the process is copal itself, and its number the one to interrupt
    let mut command = shell(folder.path(), &format!("exec {line}"));
    let command = command.env("SITE", server.url("")).stdin(Stdio::null()).stdout(Stdio::null());
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let patience = Instant::now() + PATIENCE;
    while !server.paths().contains(&"/kettles?page=4".to_owned()) {
        assert!(Instant::now() < patience, "the fourth page was not asked for: {:?}", server.paths());
        thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-INT".to_owned(), child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("[interrupted]"), "{stderr}");
    is_held.store(false, Ordering::SeqCst);
    let rest = run(&server, folder.path(), &line);
    assert_eq!(rest.code, 0, "{}", rest.stderr);
    assert!(rest.stderr.starts_with("continuing the interrupted run\n"), "{}", rest.stderr);
    assert_eq!(titles(&folder.path().join("shop.sqlite")), all_titles());
    let mut asked = counts(&server);
    assert_eq!(asked.remove("/robots.txt"), Some(2));
    assert_eq!(asked.remove("/kettles?page=4"), Some(2), "it was in flight");
    assert!(asked.values().all(|count| *count == 1), "nothing else is fetched twice: {asked:?}");
}

#[test]
fn details_are_read_if_they_are_asked_for() {
    let server = Server::start(|request| match request.path.strip_prefix("/kettle/") {
        Some(n) => html(&page(
            &format!("Copper kettle model {n}"),
            &format!(
                "<p class=price>£{n}.99</p><table><tr><th>Capacity<td>1.{n} l<tr><th>Colour<td>Copper {n}\
                 <tr><th>Warranty<td>{n} months</table>"
            ),
        )),
        None => shop(request),
    });
    let folder = folder(&[]);
    let line = format!("copal site $SITE/ {OWN} --details -o shop.sqlite");
    let whole = run(&server, folder.path(), &line);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    let database = folder.path().join("shop.sqlite");
    assert_eq!(titles(&database), all_titles());
    let connection = Connection::open(&database).unwrap();
    let colour = "SELECT count(*) FROM records WHERE title = 'Copper kettle model ' || substr(colour, 8)";
    let exact: i64 = connection.query_row(colour, [], |row| row.get(0)).unwrap();
    assert_eq!(usize::try_from(exact), Ok(KETTLES), "each record has the colour of its own page");
    let asked = counts(&server);
    let details = asked.iter().filter(|(path, _)| path.starts_with("/kettle/"));
    assert!(details.clone().all(|(_, count)| *count == 1) && details.count() == KETTLES, "{asked:?}");
}

#[test]
fn errors_say_what_to_do() {
    let server = Server::start(|_| not_found());
    let closed = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /\n"),
        _ => shop(request),
    });
    let folder = folder(&[]);
    let cases = [
        ("copal site shop.example -o x.sqlite", 2, "expected a URL that begins with http:// or https://"),
        ("copal site $SITE/ --budget pages=none", 2, "expected pages=N, minutes=N, or both"),
        ("copal site $SITE/ --rate fast", 2, "expected requests per second"),
        ("copal site $SITE/ -o records.csv", 2, "expected a SQLite file"),
        ("copal site $SITE/ --allow-private --delay 0 --no-cache -o x.sqlite", 3, "[unreachable]"),
        ("copal site", 2, "copal site expects the URL of a site:"),
        ("copal site run missing.yaml", 3, "no such file"),
        ("copal site $ROBOTS/ --allow-private --delay 0 --no-cache -o y.sqlite", 3, "[disallowed]"),
    ];
    for (line, code, expected) in cases {
        let run = run(&server, folder.path(), &line.replace("$ROBOTS", &closed.url("")));
        assert_eq!(run.code, code, "{line}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{line}: {}", run.stderr);
    }
}

#[test]
fn a_site_without_a_start_page_is_found_by_its_sitemap_or_feed() {
    let sitemap = Server::start(|request| match request.path.as_str() {
        "/" => not_found(),
        "/robots.txt" => response("200 OK", "", "User-agent: *\nAllow: /\nSitemap: /maps/all.xml\n"),
        "/maps/all.xml" => {
            let body =
                format!("<urlset><url><loc>http://{}/kettles</loc></url></urlset>", request.header("host"));
            response("200 OK", "Content-Type: application/xml\r\n", body)
        }
        _ => shop(request),
    });
    let feed = Server::start(|request| match request.path.as_str() {
        "/" => not_found(),
        "/atom.xml" => {
            let entry = |n| {
                let link = format!("<link href='http://{}/kettles?page={n}'/>", request.header("host"));
                format!(
                    "<entry><title>News {n}</title>{link}<id>{n}</id><updated>2026-01-0{n}T00:00:00Z</updated></entry>"
                )
            };
            let entries: String = (1..=3).map(entry).collect();
            let body =
                format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>News</title>{entries}</feed>");
            response("200 OK", "Content-Type: application/atom+xml\r\n", body)
        }
        _ => shop(request),
    });
    for server in [sitemap, feed] {
        let folder = folder(&[]);
        let found = run(&server, folder.path(), &format!("copal site $SITE/ {OWN} -o shop.sqlite"));
        assert_eq!(found.code, 0, "{}", found.stderr);
        assert_eq!(titles(&folder.path().join("shop.sqlite")), all_titles());
    }
    let nothing = Server::start(|_| not_found());
    let folder = folder(&[]);
    let none = run(&nothing, folder.path(), &format!("copal site $SITE/ {OWN} -o none.sqlite"));
    assert_eq!(none.code, 3);
    let tried = "also tried: /sitemap.xml, the sitemaps of robots.txt, feeds [unreachable]";
    assert!(none.stderr.contains(tried), "{}", none.stderr);
}

#[test]
fn missing_pages_do_not_end_a_run() {
    let server = Server::start(|request| match request.path.as_str() {
        "/" => {
            let links: String = (1..=15).map(|n| format!("<a href=/gone/{n}>Old kettles {n}</a> ")).collect();
            html(&page("Kettle shop", &links))
        }
        _ => shop(request),
    });
    let folder = folder(&[]);
    let whole = run(&server, folder.path(), &format!("copal site $SITE/ {OWN} -o shop.sqlite"));
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    assert_eq!(titles(&folder.path().join("shop.sqlite")), all_titles());
    let private = run(&server, folder.path(), "copal site $SITE/ -o private.sqlite");
    assert_eq!(private.code, 3, "{}", private.stderr);
    assert!(private.stderr.contains("--allow-private"), "{}", private.stderr);
}
