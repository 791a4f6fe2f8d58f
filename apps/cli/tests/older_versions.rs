//! Files that earlier states of copal wrote are read, or refused with a hint and left alone: wrappers, databases,
//! workspaces with jobs and with wrappers, frontiers of sites. `testdata/older` says where they come from.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]
// Clients are plain sockets. They connect to loopback only.
#![allow(clippy::disallowed_types)]

mod common;

use common::service::{Service, start_in};
use common::{SHOP, folder, root, run};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

fn older(name: &str) -> String {
    fs::read_to_string(root().join("testdata/older").join(name)).unwrap()
}

fn restore(name: &str, file: &Path) {
    Connection::open(file).unwrap().execute_batch(&older(name)).unwrap();
}

fn rows(file: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(file).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_wrapper_of_the_first_exports_reads_what_it_read() {
    let page = fs::read_to_string(root().join("apps/cli/tests/exports/offers.html")).unwrap();
    let wrapper = older("offers.copal.yaml");
    let folder = folder(&[("offers.copal.yaml", wrapper.as_bytes()), ("offers.html", page.as_bytes())]);
    let line = "copal apply offers.copal.yaml offers.html --url https://a.example/list --format csv";
    let read = run(folder.path(), line);
    assert_eq!((read.code, read.stderr.as_str()), (0, ""));
    let mut reader = csv::Reader::from_reader(read.stdout.as_bytes());
    let header = reader.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let column = |name: &str| -> Vec<&str> {
        let at = header.iter().position(|own| own == name).unwrap();
        records.iter().map(|record| &record[at]).collect()
    };
    assert_eq!(column("title"), ["Oak table", "Ash chair", "Elm bench"]);
    assert_eq!(column("amount"), ["1\u{a0}295", "89", "240"].map(|text| text.replace('\u{a0}', " ")));
    assert_eq!(column("size"), ["120 cm", "45 cm", ""]);
    assert_eq!(column("reference"), ["A-1", "B-2", ""]);
    // and it is exported and checked like one of today
    for line in ["copal export offers.copal.yaml --to scrapy", "copal check offers.copal.yaml offers.html"] {
        let done = run(folder.path(), line);
        assert!(matches!(done.code, 0 | 5), "{line}: {}", done.stderr);
        assert!(!done.stderr.starts_with("error"), "{line}: {}", done.stderr);
    }
}

#[test]
fn a_database_of_the_first_layout_is_compared_and_continued() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let file = folder.path().join("data.sqlite");
    restore("database.sql", &file);
    let differences = run(folder.path(), "copal diff data.sqlite");
    assert_eq!(differences.code, 5, "{}", differences.stderr);
    assert!(
        differences.stdout.contains("£12") && differences.stdout.contains("£11"),
        "{}",
        differences.stdout
    );
    let done = run(folder.path(), "copal extract shop.html --url https://shop.example/ -o data.sqlite");
    assert_eq!(done.code, 0, "{}", done.stderr);
    // the record that the page still has was seen by all three runs, with its history
    assert_eq!(
        rows(&file, "SELECT price || ' ' || first_run || ' ' || run FROM records WHERE key LIKE '%/lamp/1'"),
        ["£12 1 3"]
    );
    assert_eq!(
        rows(&file, "SELECT old || ' ' || new FROM history WHERE column_name = 'price' ORDER BY run"),
        ["£12 £11", "£11 £12"]
    );
    // what the page does not have any more stays
    assert_eq!(rows(&file, "SELECT title FROM records WHERE key LIKE '%/lamp/9'"), ["Old lamp"]);
    assert_eq!(rows(&file, "PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn a_frontier_of_the_first_layout_is_refused_and_left_alone() {
    let folder = folder(&[]);
    let file = folder.path().join("shop.sqlite.frontier");
    restore("frontier.sql", &file);
    let before = fs::read(&file).unwrap();
    let refused = run(folder.path(), "copal site http://127.0.0.1:9/ -o shop.sqlite --allow-private");
    assert_eq!(refused.code, 3, "{}{}", refused.stdout, refused.stderr);
    assert!(
        refused.stderr.contains("another version") && refused.stderr.contains("layout 1, expected 2"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn jobs_of_the_first_service_are_finished_and_unreadable_ones_hold_up_nothing() {
    let folder = tempfile::tempdir().unwrap();
    restore("jobs.sql", &folder.path().join("jobs.sqlite"));
    // a server of that time that was killed left a number without a text
    let wrappers = folder.path().join("wrappers/offers");
    fs::create_dir_all(&wrappers).unwrap();
    fs::write(wrappers.join("v1.yaml"), older("offers.copal.yaml")).unwrap();
    fs::write(wrappers.join("v2.yaml"), "").unwrap();
    let (process, address) = start_in(folder.path(), &[]);
    let service = Service { process, address, folder };
    let status = service.wait_for_job("0a1b2c3d4e5f60718293a4b5");
    assert_eq!(
        (&status["state"], &status["done"], &status["failed"]),
        (&"done".into(), &2.into(), &0.into()),
        "{status}"
    );
    let records = service.get("/v1/jobs/0a1b2c3d4e5f60718293a4b5/records").text();
    assert!(records.starts_with("{\"page\":\"one\",\"title\":\"Done before\"}\n"), "{records}");
    assert!(["Lamp one", "Lamp two", "Lamp three"].iter().all(|title| records.contains(title)), "{records}");
    let status = service.wait_for_job("ffffffffffffffffffffffff");
    assert_eq!((&status["state"], &status["failed"]), (&"done".into(), &1.into()), "{status}");
    assert!(status["errors"][0]["error"].as_str().unwrap().contains("another version of copal"), "{status}");
    assert_eq!(service.get("/v1/wrappers/offers").text(), older("offers.copal.yaml"));
}

/// Four pages in an archive; `testdata/older/checkpoint.json` has its size and where the second record begins.
fn small_archive() -> String {
    let item = |n: usize| {
        format!(
            "<li><h3><a href='/{n}'>Lamp {n}</a></h3><i class=price>£{n}.50</i> <span>Oak {n}</span></li>"
        )
    };
    let page = |first: usize| {
        let items: String = (first..first + 3).map(item).collect();
        format!(
            "<!doctype html><meta charset=utf-8><title>Lamps</title><h1>Lamps</h1><ul class=list>{items}</ul>"
        )
    };
    let record = |number: usize| {
        let page = page(100 + 10 * number);
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{page}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/{number}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    (0..4).map(record).collect()
}

#[test]
fn a_crawl_goes_on_from_a_checkpoint_of_the_first_crawls() {
    let folder = folder(&[("crawl.warc", small_archive().as_bytes())]);
    let line = "copal extract crawl.warc --long -o cells/ --part-pages 2 --format csv --quiet";
    assert_eq!(run(folder.path(), line).code, 0);
    let cells = folder.path().join("cells");
    let part = |number: usize| fs::read_to_string(cells.join(format!("part-0000{number}.csv"))).unwrap();
    let whole = [part(0), part(1)];
    assert!(whole[1].contains("Lamp 132"), "{}", whole[1]);
    // the run ended after the first part
    fs::remove_file(cells.join("part-00001.csv")).unwrap();
    fs::write(cells.join("_checkpoint.json"), older("checkpoint.json")).unwrap();
    let resumed = run(folder.path(), &format!("{line} --resume"));
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert_eq!([part(0), part(1)], whole);
    // one of another version is left alone
    let other = older("checkpoint.json").replace("\"version\": 1", "\"version\": 2");
    fs::write(cells.join("_checkpoint.json"), &other).unwrap();
    let refused = run(folder.path(), &format!("{line} --resume"));
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    assert!(refused.stderr.contains("hint: write the parts into another folder"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(cells.join("_checkpoint.json")).unwrap(), other);
    assert_eq!([part(0), part(1)], whole);
}

#[test]
fn a_wrapper_of_the_first_sites_is_applied_and_exported() {
    let page = "<title>Lamps</title><ul class=lamps><li><a href=/1>Blue lamp</a> <i>£12.00</i>\
                <li><a href=/2>Red lamp</a> <i>£14.50</i></ul><a rel=next href=?page=2>Next</a>";
    let folder =
        folder(&[("site.copal.yaml", older("site.copal.yaml").as_bytes()), ("page.html", page.as_bytes())]);
    let read = run(folder.path(), "copal apply site.copal.yaml page.html --format csv");
    assert_eq!((read.code, read.stderr.as_str()), (0, ""));
    assert_eq!(read.stdout, "url,title,price\n/1,Blue lamp,£12.00\n/2,Red lamp,£14.50\n");
    let exported = run(folder.path(), "copal export site.copal.yaml --to scrapy");
    assert_eq!(exported.code, 0, "{}", exported.stderr);
    assert!(exported.stdout.contains("https://shop.example/lamps?q=oak"), "{}", exported.stdout);
}
