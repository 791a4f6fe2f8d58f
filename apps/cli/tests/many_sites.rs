//! `copal site --urls`: several sites side by side, one table, resuming after interrupts and kills.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::kettle_site::{KETTLES, OWN, PATIENCE, all_titles, counts, shop};
use common::{Run, end, folder, shell};
use copal_testserver::{Request, Response, Server, html, not_found};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn run(folder: &Path, line: &str) -> Run {
    end(&mut shell(folder, line), line, b"")
}

fn write_list(folder: &Path, servers: &[&Server]) {
    let lines: String = servers.iter().map(|server| format!("{}\n", server.url("/"))).collect();
    fs::write(folder.join("shops.txt"), format!("# shops\n\n{lines}")).unwrap();
}

/// The titles of each site.
fn titles(database: &Path) -> BTreeMap<String, Vec<String>> {
    let connection = Connection::open(database).unwrap();
    let mut statement = connection.prepare("SELECT site, title FROM records ORDER BY title").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let mut titles: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows {
        let (site, title): (String, String) = row.unwrap();
        titles.entry(site).or_default().push(title);
    }
    titles
}

fn site_name(server: &Server) -> String {
    server.address().to_string()
}

/// Every site has all its records, each once.
fn assert_complete(database: &Path, servers: &[&Server]) {
    let stored = titles(database);
    assert_eq!(stored.len(), servers.len(), "{:?}", stored.keys());
    for server in servers {
        assert_eq!(stored[&site_name(server)], all_titles(), "{}", site_name(server));
    }
}

#[test]
fn sites_become_one_table_and_one_that_fails_ends_nothing_else() {
    let shops = [Server::start(shop), Server::start(shop)];
    let empty = Server::start(|request| {
        if request.path == "/" {
            html("<title>Words</title><p>Nothing is sold here.</p>")
        } else {
            not_found()
        }
    });
    let gone = Server::start(|_| not_found());
    let folder = folder(&[]);
    write_list(folder.path(), &[&shops[0], &gone, &empty, &shops[1]]);
    let line = format!("copal site --urls shops.txt {OWN} --wrapper wrappers --report reports");
    let first = run(folder.path(), &line);
    assert_eq!(first.code, 4, "{}{}", first.stdout, first.stderr);
    let database = folder.path().join("shops.sqlite");
    assert_complete(&database, &[&shops[0], &shops[1]]);
    for expected in [
        format!("{}: effective: 60 records (the site announces 60)", site_name(&shops[1])),
        format!("{}: none: 0 records", site_name(&gone)),
        "4 sites: 2 effective, 2 none; 120 records in all\nshops.sqlite\n".to_owned(),
    ] {
        assert!(first.stderr.contains(&expected), "{expected}: {}", first.stderr);
    }
    for shop in &shops {
        let asked = counts(shop);
        assert!(asked.values().all(|count| *count == 1), "one request per page: {asked:?}");
        assert_eq!(shop.max_active(), 1);
    }
    let connection = Connection::open(&database).unwrap();
    let keys: i64 =
        connection.query_row("SELECT count(DISTINCT key) FROM records", [], |row| row.get(0)).unwrap();
    assert_eq!(usize::try_from(keys), Ok(2 * KETTLES));
    let wrappers: Vec<_> = fs::read_dir(folder.path().join("wrappers")).unwrap().flatten().collect();
    assert_eq!(wrappers.len(), 2, "one for each site with records");
    assert_eq!(fs::read_dir(folder.path().join("reports")).unwrap().count(), 4);
    // the wrapper of one of them works alone
    let path = wrappers[0].path();
    let again = run(folder.path(), &format!("copal site run '{}' {OWN} -o one.sqlite", path.display()));
    assert_eq!(again.code, 0, "{}", again.stderr);
    // only what is new is read if the list grows while something is left; a complete batch begins again
    let third = Server::start(shop);
    write_list(folder.path(), &[&shops[0], &shops[1], &third]);
    let before = shops[0].requests().len();
    let more = run(folder.path(), &format!("copal site --urls shops.txt {OWN}"));
    assert_eq!(more.code, 0, "{}", more.stderr);
    assert!(
        more.stderr.starts_with("continuing the interrupted run: 2 of 3 sites are done\n"),
        "{}",
        more.stderr
    );
    assert_eq!(shops[0].requests().len(), before, "it was done");
    assert_complete(&database, &[&shops[0], &shops[1], &third]);
    let anew = run(folder.path(), "copal site --urls shops.txt --allow-private --delay 0 --no-cache -q");
    assert_eq!((anew.code, anew.stderr.as_str()), (0, ""));
    assert!(shops[0].requests().len() > before + KETTLES / 6);
    assert_complete(&database, &[&shops[0], &shops[1], &third]);
}

#[test]
fn sites_of_one_host_take_turns() {
    let server = Server::start(|request| {
        thread::sleep(Duration::from_millis(3));
        shop(request)
    });
    let folder = folder(&[]);
    let list = format!("{}\n{}\n", server.url("/"), server.url("/kettles"));
    fs::write(folder.path().join("shops.txt"), list).unwrap();
    let both = run(folder.path(), &format!("copal site --urls shops.txt {OWN} --at-once 4"));
    assert_eq!(both.code, 0, "{}", both.stderr);
    assert_eq!(server.max_active(), 1);
    let stored = titles(&folder.path().join("shops.sqlite"));
    let names = ["/", "/kettles"].map(|path| format!("{}{path}", site_name(&server)));
    assert_eq!(stored.keys().cloned().collect::<Vec<_>>(), names);
    assert!(stored.values().all(|titles| *titles == all_titles()));
    let mut asked = counts(&server);
    assert_eq!(asked.remove("/sitemap.xml"), Some(2), "missing pages are not cached");
    assert!(asked.values().all(|count| *count == 1), "the second site comes from the cache: {asked:?}");
}

/// Runs that are killed; more with `COPAL_SITE_KILLS`.
fn kills() -> usize {
    std::env::var("COPAL_SITE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8)
}

#[test]
fn kills_of_a_batch_lose_nothing_and_repeat_nothing() {
    let slow = |request: &Request| {
        thread::sleep(Duration::from_millis(8));
        shop(request)
    };
    let servers = [Server::start(slow), Server::start(slow), Server::start(slow)];
    let all: Vec<&Server> = servers.iter().collect();
    let (mut rounds, mut killed) = (0, 0);
    while killed < kills() {
        rounds += 1;
        let folder = folder(&[]);
        write_list(folder.path(), &all);
        let line = format!("copal site --urls shops.txt {OWN} -q --at-once 2");
        let before: Vec<usize> = servers.iter().map(|server| server.requests().len()).collect();
        let mut kills_of_round = 0;
        // each process lives a little longer than the one before, until one reaches the end
        for step in 0..200_u64 {
            let mut command = shell(folder.path(), &format!("exec {line}"));
            let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = quiet.spawn().unwrap();
            thread::sleep(Duration::from_millis(80 + 60 * step + 17 * rounds % 50));
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills_of_round += 1;
        }
        killed += kills_of_round;
        assert_complete(&folder.path().join("shops.sqlite"), &all);
        for (server, before) in servers.iter().zip(before) {
            let mut asked: BTreeMap<String, usize> = BTreeMap::new();
            for request in server.requests().split_off(before) {
                *asked.entry(request.path).or_default() += 1;
            }
            // each process asks for it
            asked.remove("/robots.txt");
            // a page that was in flight when the process died has to be asked for again
            let repeated: usize = asked.values().map(|count| count - 1).sum();
            assert!(
                repeated <= kills_of_round,
                "{repeated} repeated after {kills_of_round} kills: {asked:?}"
            );
        }
        assert!(rounds < 60.max(kills() as u64), "the runs are too short to be killed");
    }
    println!("{killed} kills in {rounds} runs of three sites");
}

#[test]
fn ctrl_c_ends_all_sites_in_good_order() {
    let is_held = Arc::new(AtomicBool::new(true));
    let held = Arc::clone(&is_held);
    let slow = Server::start(move |request| {
        let patience = Instant::now() + PATIENCE;
        while request.path == "/kettles?page=4" && held.load(Ordering::SeqCst) && Instant::now() < patience {
            thread::sleep(Duration::from_millis(20));
        }
        shop(request)
    });
    let (quick, last) = (Server::start(shop), Server::start(shop));
    let folder = folder(&[]);
    write_list(folder.path(), &[&slow, &quick, &last]);
    let line = format!("copal site --urls shops.txt {OWN} --at-once 2");
    let mut command = shell(folder.path(), &format!("exec {line}"));
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let patience = Instant::now() + PATIENCE;
    // the others are read while the slow one waits
    while !slow.paths().contains(&"/kettles?page=4".to_owned())
        || !last.paths().contains(&"/kettles?page=10".to_owned())
    {
        assert!(Instant::now() < patience, "{:?} {:?}", slow.paths(), last.paths());
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(200));
    let kill = Command::new("kill").args(["-INT".to_owned(), child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("[interrupted]"), "{stderr}");
    is_held.store(false, Ordering::SeqCst);
    let rest = run(folder.path(), &line);
    assert_eq!(rest.code, 0, "{}", rest.stderr);
    assert!(rest.stderr.starts_with("continuing the interrupted run: "), "{}", rest.stderr);
    assert_complete(&folder.path().join("shops.sqlite"), &[&slow, &quick, &last]);
    let mut asked = counts(&slow);
    asked.remove("/robots.txt");
    assert_eq!(asked.remove("/kettles?page=4"), Some(2), "it was in flight");
    assert!(asked.values().all(|count| *count == 1), "nothing else is fetched twice: {asked:?}");
    assert_eq!(counts(&quick).remove("/robots.txt"), Some(1), "it was done");
}

/// The same kettles, with other texts around them and without some.
fn other_shop(request: &Request) -> Response {
    let Response::Bytes(bytes) = shop(&Request { headers: Vec::new(), ..request.clone() }) else {
        return not_found();
    };
    let text = String::from_utf8(bytes).unwrap();
    let Some((_, body)) = text.split_once("\r\n\r\n").filter(|_| text.starts_with("HTTP/1.1 200")) else {
        return not_found();
    };
    let mut body =
        body.replace("Copper kettle model", "Kettle of copper, model").replace("Made by hand", "Handmade");
    for n in (1..=KETTLES).filter(|n| n.is_multiple_of(4)) {
        body = body.replace(&format!("copper, model {n}<"), &format!("copper, model {}<", 100 + n));
    }
    html(&body)
}

#[test]
fn records_of_several_sites_are_matched() {
    let shops = [Server::start(shop), Server::start(other_shop)];
    let folder = folder(&[]);
    write_list(folder.path(), &[&shops[0], &shops[1]]);
    let early = run(folder.path(), "copal site match shops.sqlite");
    assert_eq!(early.code, 3, "{}", early.stderr);
    let read = run(folder.path(), &format!("copal site --urls shops.txt {OWN}"));
    assert_eq!(read.code, 0, "{}", read.stderr);
    let matched = run(folder.path(), "copal site match shops.sqlite -o offers.csv");
    assert_eq!(matched.code, 0, "{}", matched.stderr);
    assert_eq!(matched.stderr, "90 of 120 records on 2 sites are in 45 groups\n");
    let connection = Connection::open(folder.path().join("shops.sqlite")).unwrap();
    // a kettle is the kettle of the same model and price, which the key says
    let sql = "SELECT count(*), min(confidence), min(substr(key, instr(key, '/kettle/')) = substr(other_key, instr(other_key, '/kettle/'))), min(reasons) \
               FROM copal_matches";
    let (pairs, confidence, is_right, reasons): (i64, f64, bool, String) = connection
        .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .unwrap();
    assert_eq!(pairs, 45);
    assert!(
        confidence >= 0.8 && is_right && reasons.contains("title 85% the same words"),
        "{confidence} {reasons}"
    );
    let mut reader = csv::Reader::from_path(folder.path().join("offers.csv")).unwrap();
    assert_eq!(
        reader.headers().unwrap().iter().take(4).collect::<Vec<_>>(),
        ["match_group", "confidence", "site", "title"]
    );
    assert_eq!(reader.records().map(Result::unwrap).count(), 90);
    // records of one site have no site
    let alone = run(folder.path(), &format!("copal site {} {OWN} -o one.sqlite", shops[0].url("/")));
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    let alone = run(folder.path(), "copal site match one.sqlite");
    assert_eq!(alone.code, 2);
    assert!(alone.stderr.contains("its records have no column site"), "{}", alone.stderr);
}

#[test]
fn wrong_lists_are_errors_before_anything_is_sent() {
    let server = Server::start(shop);
    let folder =
        folder(&[("empty.txt", b"# nothing\n"), ("wrong.txt", b"http://shop.example/\nshop.example\n")]);
    write_list(folder.path(), &[&server, &server]);
    let cases = [
        ("copal site --urls missing.txt", 3, "no such file"),
        ("copal site --urls empty.txt", 3, "expected one URL per line"),
        (
            "copal site --urls wrong.txt",
            2,
            "wrong.txt: expected a URL that begins with http:// or https://, found",
        ),
        ("copal site --urls shops.txt https://shop.example/", 2, "cannot be used with"),
        ("copal site --urls shops.txt --dry-run", 2, "cannot be used with"),
        ("copal site --urls shops.txt --at-once 0", 2, "expected a whole number from 1 to 64"),
        ("copal site --urls shops.txt -o shops.csv", 2, "expected a SQLite file"),
        ("copal site --urls shops.txt -o postgres://me:secret@db.example/x", 2, "expected a SQLite file"),
        ("copal site --urls - < shops.txt", 2, "expected -o FILE.sqlite"),
    ];
    for (line, code, expected) in cases {
        let run = run(folder.path(), line);
        assert_eq!(run.code, code, "{line}: {}", run.stderr);
        assert!(run.stderr.contains(expected) && !run.stderr.contains("secret"), "{line}: {}", run.stderr);
    }
    assert!(server.requests().is_empty());
    let repeated = run(folder.path(), &format!("copal site --urls - {OWN} -o a.sqlite < shops.txt"));
    assert_eq!(repeated.code, 0, "{}", repeated.stderr);
    assert!(repeated.stderr.contains("1 repeated URL left out"), "{}", repeated.stderr);
}
