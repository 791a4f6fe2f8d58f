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
    // with exec the process is copal itself, so its id is the one to interrupt
    let mut command = shop.shell(&format!("exec {line}"));
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    shop.wait_for(asked);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
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
