//! An interrupted run writes what it has read. The same command run again only requests the rest.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::shop::Shop;
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

/// Runs a command line, interrupts it as soon as a certain page is requested, and returns its standard
/// output, its standard error and its exit code.
fn interrupted(shop: &Shop, line: &str, asked: &str) -> (String, String, i32) {
    signalled(shop, "INT", line, asked)
}

/// The same with another signal; the exit code is -1 if the signal ended the process.
fn signalled(shop: &Shop, signal: &str, line: &str, asked: &str) -> (String, String, i32) {
    // exec: the process is copal itself, and its number the one to interrupt
    let mut command = shop.shell(&format!("exec {line}"));
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    shop.wait_for(asked);
    let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap_or(-1))
}

fn titles(text: &str) -> Vec<String> {
    let found: Value = serde_json::from_str(text).unwrap();
    let records = found["regions"][0]["records"].as_array().unwrap().iter();
    records.map(|record| record["fields"]["title"].as_str().unwrap().to_owned()).collect()
}

fn kettles(last: usize) -> Vec<String> {
    (1..=last).map(|n| format!("Copper kettle model {n}")).collect()
}

#[test]
fn what_was_read_is_written_and_the_rest_is_requested_later() {
    let shop = Shop::open();
    shop.hold(true);
    let line = "copal extract $SHOP/held --allow-private --delay 0 --follow all --format json";
    let (stdout, stderr, code) = interrupted(&shop, line, "/held?page=3");
    assert_eq!(code, 4, "{stderr}");
    assert_eq!(titles(&stdout), kettles(10));
    let found: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(found["follow"]["stopped"], "interrupted");
    assert_eq!(found["follow"]["whole"], false);
    assert!(stderr.starts_with("warning: interrupted: writing what was read"), "{stderr}");
    assert!(stderr.contains("10 of 23 records from 2 pages (interrupted)\n"), "{stderr}");
    shop.hold(false);
    shop.asked();
    let run = shop.run(line);
    assert_eq!((run.code, titles(&run.stdout)), (0, kettles(23)), "{}", run.stderr);
    assert_eq!(shop.asked(), ["/robots.txt", "/held?page=3", "/held?page=4", "/held?page=5"]);
}

#[test]
fn files_are_complete_or_unchanged() {
    let shop = Shop::open();
    shop.hold(true);
    let line = "copal extract $SHOP/books $SHOP/held $SHOP/kettles --allow-private --delay 0 --follow all -j 1 -o list.csv";
    let (_, stderr, code) = interrupted(&shop, line, "/held?page=3");
    assert_eq!(code, 4, "{stderr}");
    let list = fs::read_to_string(shop.path().join("list.csv")).unwrap();
    let rows = |text: &str, path: &str| text.lines().filter(|row| row.contains(path)).count();
    assert_eq!((rows(&list, "/books,"), rows(&list, "/held")), (3, 10), "{list}");
    assert!(list.ends_with('\n'));
    // nothing was read, so the file of an earlier run stays
    let line = "copal extract \"$SHOP/held?page=4\" --allow-private --delay 0 -o list.csv";
    let (_, stderr, code) = interrupted(&shop, line, "/held?page=4");
    assert_eq!(code, 4, "{stderr}");
    assert_eq!(fs::read_to_string(shop.path().join("list.csv")).unwrap(), list);
}

#[test]
fn sigterm_and_sighup_end_a_run_like_an_interrupt() {
    let line = "copal extract $SHOP/held --allow-private --delay 0 --follow all --format json";
    for signal in ["TERM", "HUP"] {
        let shop = Shop::open();
        shop.hold(true);
        let (stdout, stderr, code) = signalled(&shop, signal, line, "/held?page=3");
        assert_eq!((code, titles(&stdout)), (4, kettles(10)), "{signal}: {stderr}");
        shop.hold(false);
    }
}

#[test]
fn a_run_that_ignores_sighup_goes_on() {
    let shop = Shop::open();
    shop.hold(true);
    let line = "copal extract $SHOP/held --allow-private --delay 0 --follow all --format json";
    // as nohup does it
    let mut command = shop.shell(&format!("trap '' HUP; exec {line}"));
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    shop.wait_for("/held?page=3");
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
    shop.hold(false);
    let output = child.wait_with_output().unwrap();
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!((output.status.code(), titles(&stdout)), (Some(0), kettles(23)), "{stderr}");
}

/// The rows of a query of one column.
#[cfg(feature = "sqlite")]
fn query(shop: &Shop, file: &str, sql: &str) -> Vec<String> {
    let connection = rusqlite::Connection::open(shop.path().join(file)).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// What a run leaves, but for its number and the time.
#[cfg(feature = "sqlite")]
fn stored(shop: &Shop, file: &str) -> Vec<String> {
    let mut all =
        query(shop, file, "SELECT name || ' ' || type FROM pragma_table_info('records') ORDER BY 1");
    let row =
        "SELECT concat_ws('|', key, title, price, price_amount, about, url, page) FROM records ORDER BY key";
    all.extend(query(shop, file, row));
    all
}

#[cfg(feature = "sqlite")]
#[test]
fn a_killed_run_has_stored_each_page_that_it_read_and_the_next_one_completes_the_list() {
    let line = |options: &str, file: &str| {
        format!("copal extract $SHOP/held --allow-private --delay 0 --follow all {options} -o {file}")
    };
    for (signal, details) in [("KILL", ""), ("TERM", ""), ("HUP", ""), ("INT", ""), ("KILL", "--details all")]
    {
        let shop = Shop::open();
        shop.hold(true);
        let (_, stderr, code) = signalled(&shop, signal, &line(details, "killed.sqlite"), "/held?page=3");
        assert_eq!(code, if signal == "KILL" { -1 } else { 4 }, "{signal}: {stderr}");
        let titles = query(&shop, "killed.sqlite", "SELECT title FROM records ORDER BY rowid");
        assert_eq!(titles, kettles(10), "{signal}");
        let pages = query(
            &shop,
            "killed.sqlite",
            "SELECT DISTINCT replace(page, rtrim(page, replace(page, '/', '')), '') FROM records ORDER BY 1",
        );
        assert_eq!(pages, ["held", "held?page=2"], "{signal}");
        shop.hold(false);
        assert_eq!(shop.run(&line(details, "killed.sqlite")).code, 0);
        assert_eq!(shop.run(&line(details, "whole.sqlite")).code, 0);
        assert_eq!(stored(&shop, "killed.sqlite"), stored(&shop, "whole.sqlite"), "{signal} {details}");
        let runs = query(&shop, "whole.sqlite", "SELECT pages || ' ' || records || ' ' || outcome FROM runs");
        assert_eq!(runs, ["5 23 done"]);
        let sql = "SELECT count(*) || ' ' || count(DISTINCT key) || ' ' || count(DISTINCT run) FROM records";
        assert_eq!(query(&shop, "killed.sqlite", sql), ["23 23 1"], "{signal}");
        if details.is_empty() {
            assert_eq!(query(&shop, "killed.sqlite", "SELECT CAST(count(*) AS TEXT) FROM history"), ["0"]);
        }
    }
}

#[cfg(feature = "sqlite")]
#[test]
fn kills_at_any_page_leave_whole_pages() {
    let shop = Shop::open();
    for page in 2..=5 {
        let line =
            "copal extract $SHOP/kettles --allow-private --delay 0 --follow all --no-cache -o data.sqlite";
        let (_, stderr, _) = signalled(&shop, "KILL", line, &format!("/kettles?page={page}"));
        let counts = query(
            &shop,
            "data.sqlite",
            "SELECT CAST(count(*) AS TEXT) FROM records GROUP BY page ORDER BY page",
        );
        assert!(counts.len() >= page - 1, "{counts:?} {stderr}");
        let whole = |(at, count): (usize, &String)| count == if at == 4 { "3" } else { "5" };
        assert!(counts.iter().enumerate().all(whole), "{counts:?}");
        assert_eq!(query(&shop, "data.sqlite", "PRAGMA integrity_check"), ["ok"]);
        for name in ["data.sqlite", "data.sqlite-wal", "data.sqlite-shm"] {
            let _ = fs::remove_file(shop.path().join(name));
        }
        shop.asked();
    }
}
