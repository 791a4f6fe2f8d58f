//! Appending to files, databases, `copal diff`, and what a killed run leaves.
//!
//! With `COPAL_KILLS=200` (`make soak`) runs are killed more often than by default.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{BOOKS, SHOP, folder, golden, many_pages, names, run, shell, style};
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// The shop on another day: one price is lower, one lamp is gone, one is new.
fn later() -> String {
    SHOP.replace("£14<", "£11<").replace("/lamp/3", "/lamp/5").replace("Green lamp", "Black lamp")
}

fn query(file: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(file).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn a_database_and_its_differences() {
    let folder = folder(&[("monday.html", SHOP.as_bytes()), ("tuesday.html", later().as_bytes())]);
    let at = |day: &str| format!("copal extract {day}.html --url https://shop.example/ -o data.sqlite");
    let lines = [
        &at("monday"),
        &at("monday"),
        "copal diff data.sqlite --quiet | sed 's/(20[^)]*)/(…)/'",
        &at("tuesday"),
        "copal diff data.sqlite --quiet",
        "copal diff data.sqlite --runs 1 3 --quiet --format json | sed 's/(20[^)]*)/(…)/'",
        "copal diff data.sqlite --runs 1 7",
        "copal diff data.sqlite --table lamps",
        "copal learn monday.html --url https://shop.example/ -o shop.copal.yaml --quiet",
        "copal apply shop.copal.yaml tuesday.html --url https://shop.example/ -o data.sqlite --table by_wrapper",
    ];
    for run in golden("storage", folder.path(), &lines) {
        style(&run);
    }
    let file = folder.path().join("data.sqlite");
    assert_eq!(query(&file, "SELECT price FROM records WHERE key LIKE '%/lamp/2'"), ["£11"]);
    let method = query(&file, "SELECT DISTINCT method FROM by_wrapper");
    assert!(method[0].starts_with("wrapper shop.copal.yaml ") && method[0].len() == 32, "{method:?}");
    assert_eq!(names(folder.path()), ["data.sqlite", "monday.html", "shop.copal.yaml", "tuesday.html"]);
}

#[test]
fn differences_of_files() {
    let folder = folder(&[("monday.html", SHOP.as_bytes()), ("tuesday.html", later().as_bytes())]);
    let lines = [
        "copal extract monday.html -o monday.csv; copal extract tuesday.html -o tuesday.jsonl",
        "copal diff monday.csv tuesday.jsonl",
        "copal diff monday.csv monday.csv",
        "copal diff monday.csv tuesday.jsonl --key title",
        "copal diff monday.csv tuesday.jsonl --key colour",
        "copal diff monday.csv",
        "copal diff monday.csv nothing.csv",
        "copal diff monday.csv monday.html",
        "copal diff monday.csv tuesday.jsonl --runs 1 2",
        "copal diff nothing.sqlite",
        "printf 'a,b\\n1,2\\n' > a.csv; printf 'a,b\\n1,3\\n' > b.csv; copal diff a.csv b.csv",
    ];
    for run in golden("diff", folder.path(), &lines) {
        style(&run);
    }
}

#[test]
fn wrong_outputs_are_errors_and_change_nothing() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("other.sqlite", b"a text, not a database\n")]);
    let lines = [
        "copal extract shop.html -o other.sqlite",
        "copal extract shop.html -o no/such/folder/data.sqlite",
        "copal extract shop.html -o data.sqlite --format csv",
        "copal extract shop.html -o data.sqlite --table runs",
        "copal extract shop.html -o data.csv --table lamps",
        "copal extract shop.html -o data.json --append",
        "copal extract shop.html -o data.parquet --append",
        "copal extract shop.html -o data.csv --key title",
        "copal extract shop.html --append",
    ];
    for run in golden("storage-errors", folder.path(), &lines) {
        style(&run);
        assert!(!run.stderr.contains("secret"), "{}", run.stderr);
    }
    assert_eq!(fs::read(folder.path().join("other.sqlite")).unwrap(), b"a text, not a database\n");
    assert_eq!(names(folder.path()), ["other.sqlite", "shop.html"]);
}

/// A password is never shown, whether the build has PostgreSQL or not.
#[test]
fn servers_that_cannot_be_reached_are_named_without_password() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    for server in ["[", "127.0.0.1:1"] {
        let line =
            format!("copal extract shop.html -o 'postgres://ann:secret@{server}/shop?connect_timeout=5'");
        let run = run(folder.path(), &line);
        style(&run);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(!run.stderr.contains("secret"), "{}", run.stderr);
        if !cfg!(feature = "postgres") {
            assert!(run.stderr.contains("rebuild with --features postgres"), "{}", run.stderr);
        }
    }
}

#[test]
fn csv_files_grow() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("books.html", BOOKS.as_bytes())]);
    let at = |name: &str| folder.path().join(name);
    run(folder.path(), "copal extract books.html -o list.csv --append");
    let first = fs::read_to_string(at("list.csv")).unwrap();
    assert_eq!(run(folder.path(), "copal extract books.html -o list.csv --append").code, 0);
    let second = fs::read_to_string(at("list.csv")).unwrap();
    let rows = first.split_once('\n').unwrap().1;
    assert_eq!(second, format!("{first}{rows}"));
    // new columns are added at the end, so the old rows stay valid
    assert_eq!(run(folder.path(), "copal extract shop.html -o list.csv --append").code, 0);
    let mut reader = csv::Reader::from_path(at("list.csv")).unwrap();
    let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert!(header.join(",").starts_with(first.lines().next().unwrap()), "{header:?}");
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3 + 3 + 4);
    let cells = |row: &csv::StringRecord| [&row[column("title")], &row[column("price")]].map(str::to_owned);
    assert_eq!(cells(&rows[5]), ["Night Ferry", ""]);
    assert_eq!(cells(&rows[6]), ["Blue lamp", "£12"]);
    // a file that is not a table is not changed
    for (text, why) in [
        (&b"a,b\n1,2,3\n"[..], "line 2 has 3 cells"),
        (b"a,a\n1,2\n", "its header has \"a\" twice"),
        (b"a,b\n\xff,2\n", "not UTF-8"),
    ] {
        fs::write(at("bad.csv"), text).unwrap();
        let run = run(folder.path(), "copal extract shop.html -o bad.csv --append");
        assert_eq!(run.code, 3);
        assert!(run.stderr.contains(why), "{}", run.stderr);
        assert_eq!(fs::read(at("bad.csv")).unwrap(), text);
    }
    assert_eq!(names(folder.path()), ["bad.csv", "books.html", "list.csv", "shop.html"]);
}

/// Number of pages of a run that is killed.
const PAGES: usize = 200;
/// Number of records of each page.
const RECORDS: usize = 8;

/// Checks that each page is stored completely or not at all, and returns how many are stored.
fn whole_pages(file: &Path) -> usize {
    if !query(file, "SELECT name FROM sqlite_master WHERE name = 'records'").is_empty() {
        assert_eq!(query(file, "PRAGMA integrity_check"), ["ok"]);
        let counts = query(file, "SELECT CAST(count(*) AS TEXT) FROM records GROUP BY page");
        assert!(counts.iter().all(|count| *count == RECORDS.to_string()), "{counts:?}");
        return counts.len();
    }
    0
}

/// The size of the write-ahead log, in bytes, at which a run is killed: after one page or after many.
fn begun_write(seed: u64) -> u64 {
    1 + (seed >> 40) % 400_000
}

/// Waits until a file has at least this many bytes, or the run is over.
fn await_write(file: &Path, bytes: u64, child: &mut Child, at_most: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < 4 * at_most && child.try_wait().unwrap().is_none() {
        if fs::metadata(file).is_ok_and(|meta| meta.len() >= bytes) {
            return;
        }
        sleep(Duration::from_micros(200));
    }
}

#[test]
fn a_killed_run_leaves_whole_pages_and_the_next_one_completes_them() {
    let folder = many_pages(PAGES, RECORDS);
    let line = "exec copal extract pages -o data.sqlite --quiet -j 1";
    let file = folder.path().join("data.sqlite");
    let clear = || {
        for name in names(folder.path()).iter().filter(|name| name.starts_with("data.sqlite")) {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    };
    let begun = Instant::now();
    assert_eq!(run(folder.path(), line).code, 0);
    let whole = begun.elapsed();
    assert_eq!(whole_pages(&file), PAGES);
    let kills = std::env::var("COPAL_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let mut seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    let mut partial = 0;
    for kill in 0..kills {
        clear();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = whole.mul_f64((seed >> 33) as f64 / (1u64 << 31) as f64);
        let mut child =
            shell(folder.path(), line).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        if kill % 2 == 0 {
            sleep(moment);
        } else {
            // pages are only written in a short part of the run, which most kills would miss without waiting
            await_write(&folder.path().join("data.sqlite-wal"), begun_write(seed), &mut child, whole);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let left = if file.exists() { whole_pages(&file) } else { 0 };
        partial += usize::from((1..PAGES).contains(&left));
        // every fifth time the run is completed: nothing is missing, stored twice or changed
        if kill % 5 == 0 {
            let again = run(folder.path(), line);
            assert_eq!(again.code, 0, "{}", again.stderr);
            assert_eq!(whole_pages(&file), PAGES);
            let sql =
                "SELECT count(*) || ' ' || count(DISTINCT key) || ' ' || count(DISTINCT run) FROM records";
            assert_eq!(query(&file, sql), [format!("{0} {0} 1", PAGES * RECORDS)]);
            assert_eq!(query(&file, "SELECT CAST(count(*) AS TEXT) FROM history"), ["0"]);
        }
    }
    println!("{kills} kills in {whole:?}, {partial} of them left some of the pages");
    assert!(partial > 0, "no kill came while pages were kept");
}

#[test]
fn concurrent_runs_take_turns() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("books.html", BOOKS.as_bytes())]);
    let line = "copal extract shop.html books.html --url https://shop.example/ -o data.sqlite --quiet";
    let mut started: Vec<Child> = (0..6).map(|_| shell(folder.path(), line).spawn().unwrap()).collect();
    for child in &mut started {
        assert!(child.wait().unwrap().success());
    }
    let file = folder.path().join("data.sqlite");
    let sql = "SELECT count(*) || ' ' || count(DISTINCT key) || ' ' || (SELECT count(*) FROM runs WHERE outcome = 'done') FROM records";
    assert_eq!(query(&file, sql), ["7 7 6"]);
    assert_eq!(query(&file, "SELECT CAST(count(*) AS TEXT) FROM history"), ["0"]);
    assert_eq!(query(&file, "PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn a_run_that_waits_too_long_says_why() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let line = "copal extract shop.html -o data.sqlite --quiet";
    assert_eq!(run(folder.path(), line).code, 0);
    let connection = Connection::open(folder.path().join("data.sqlite")).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = run(folder.path(), line);
    assert_eq!((refused.code, refused.stdout.as_str()), (3, ""));
    let why =
        "error: cannot write data.sqlite: another process is writing to it: try again when that is done\n";
    assert_eq!(refused.stderr, why);
    connection.execute_batch("ROLLBACK").unwrap();
    assert_eq!(run(folder.path(), line).code, 0);
}

#[test]
fn a_full_disk_is_an_error_and_leaves_complete_pages() {
    let folder = many_pages(PAGES, RECORDS);
    // the limit on file size is 100 KB, which is enough for some of the pages
    let line = "trap '' XFSZ; ulimit -f 200; copal extract pages -o data.sqlite --quiet -j 1";
    let full = run(folder.path(), line);
    assert_eq!(full.code, 3, "{}", full.stderr);
    style(&full);
    assert!(full.stderr.starts_with("error: cannot write data.sqlite: "), "{}", full.stderr);
    let left = whole_pages(&folder.path().join("data.sqlite"));
    assert!(left < PAGES, "{left}");
    assert_eq!(run(folder.path(), "copal extract pages -o data.sqlite --quiet").code, 0);
    assert_eq!(whole_pages(&folder.path().join("data.sqlite")), PAGES);
}
