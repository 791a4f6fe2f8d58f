//! `copal apply --follow`, `--details` and `--strict`: whole lists with a wrapper, against a shop on loopback.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::shop::{PAGES, Shop};
use common::{folder, run, style};
use serde_json::Value;
use std::fs;
use std::thread;
use std::time::Duration;

/// Options of every command line here: the shop is on this machine and needs no delay.
const OWN: &str = "--allow-private --delay 0";

/// A shop, and the wrapper `shop.yaml` of its list and its detail pages.
fn shop_with_wrapper() -> Shop {
    let shop = Shop::open();
    let pages = "$SHOP/kettles $SHOP/kettle/1 $SHOP/kettle/2 $SHOP/kettle/3";
    let learned = shop.run(&format!("copal learn {pages} {OWN} -o shop.yaml"));
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    shop.asked();
    shop
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn texts<'a>(list: &'a Value, column: &str) -> Vec<&'a str> {
    let records = list["records"].as_array().unwrap().iter();
    records.filter_map(|record| record["fields"][column].as_str()).collect()
}

fn kettles(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("Copper kettle model {number}")).collect()
}

#[test]
fn a_wrapper_reads_the_whole_list() {
    let shop = shop_with_wrapper();
    let run =
        shop.run(&format!("copal apply shop.yaml $SHOP/kettles {OWN} --no-cache --follow all --format json"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found = json(&run.stdout);
    assert_eq!(texts(&found["regions"][0], "title"), kettles(23));
    let pages: Vec<String> = std::iter::once("$SHOP/kettles".to_owned())
        .chain((2..=PAGES).map(|page| format!("$SHOP/kettles?page={page}")))
        .collect();
    assert_eq!(found["follow"]["pages"], Value::from(pages.clone()));
    assert_eq!(found["follow"]["whole"], true);
    let records = found["regions"][0]["records"].as_array().unwrap();
    assert!(records.iter().enumerate().all(|(at, record)| record["page"] == pages[at / 5].as_str()));
    let asked = shop.asked();
    assert_eq!(asked.len(), PAGES + 1, "robots.txt, and each page once: {asked:?}");
}

#[test]
fn a_wrapper_reads_as_many_pages_as_it_is_asked_for() {
    let shop = shop_with_wrapper();
    let run = shop.run(&format!("copal apply shop.yaml $SHOP/kettles {OWN} --follow 2 --format json"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found = json(&run.stdout);
    assert_eq!(texts(&found["regions"][0], "title"), kettles(10));
    assert_eq!(found["follow"]["whole"], false);
    // a page that is gone ends the list: what was read before is written, and the exit code says so
    let run = shop.run(&format!("copal apply shop.yaml $SHOP/gone {OWN} --follow all --format json"));
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert_eq!(texts(&json(&run.stdout)["regions"][0], "title"), kettles(10));
    assert!(run.stderr.contains("gone?page=3"), "{}", run.stderr);
}

#[test]
fn a_wrapper_reads_the_pages_of_the_records() {
    let shop = shop_with_wrapper();
    let run =
        shop.run(&format!("copal apply shop.yaml $SHOP/kettles {OWN} --no-cache --details 2 --format json"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(texts(&json(&run.stdout)["regions"][0], "weight"), ["1.2 kg", "2.2 kg"]);
    assert_eq!(shop.asked(), ["/robots.txt", "/kettles", "/kettle/1", "/kettle/2"]);
    let line = format!("copal apply shop.yaml $SHOP/kettles {OWN} --follow 2 --details --format json");
    let run = shop.run(&line);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found = json(&run.stdout);
    let weights: Vec<String> = (1..=10).map(|number| format!("{number}.2 kg")).collect();
    assert_eq!(texts(&found["regions"][0], "weight"), weights);
}

#[test]
fn what_the_wrapper_does_not_know_is_refused() {
    let shop = Shop::open();
    let learned = shop.run(&format!("copal learn $SHOP/books {OWN} -o books.yaml"));
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    for (option, reason) in [("--follow all", "has no next link"), ("--details", "has no rule for pages of")]
    {
        let refused = shop.run(&format!("copal apply books.yaml $SHOP/books {OWN} {option}"));
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{option}");
        assert!(refused.stderr.contains(reason) && refused.stderr.contains("hint: "), "{}", refused.stderr);
        style(&refused);
    }
}

#[test]
fn a_pattern_with_several_matches_is_refused_if_asked() {
    let table = |rows: &str| format!("<table class=fares><tr><th>From<th>Fare{rows}</table>");
    let one = format!("<h1>Fares</h1>{}", table("<tr><td>Graz<td>12<tr><td>Linz<td>14"));
    let other = table("<tr><td>Bonn<td>9<tr><td>Jena<td>8<tr><td>Kiel<td>7");
    let folder = folder(&[
        ("one.html", one.as_bytes()),
        ("two.html", format!("{one}<h2>Before</h2>{other}").as_bytes()),
    ]);
    let learned = run(folder.path(), "copal learn --method deuds --select table one.html -o fares.yaml");
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    let chosen = run(folder.path(), "copal apply fares.yaml two.html --format csv");
    assert_eq!((chosen.code, chosen.stdout.as_str()), (0, "from,fare\nGraz,12\nLinz,14\n"));
    assert!(chosen.stderr.contains("2 sections"), "{}", chosen.stderr);
    let strict = run(folder.path(), "copal apply fares.yaml two.html --strict --format csv");
    assert_eq!((strict.code, strict.stdout.as_str()), (1, ""), "{}", strict.stderr);
    assert!(strict.stderr.contains("matches 2 sections, and --strict expects one"), "{}", strict.stderr);
    style(&strict);
    // a page with one match is read, and the others are written although one was refused
    let both = run(folder.path(), "copal apply fares.yaml two.html one.html --strict -o all.csv");
    assert_eq!(both.code, 1, "{}", both.stderr);
    let csv = fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert_eq!(csv.lines().count(), 3, "{csv}");
}

/// On a terminal, a page that takes its time is announced.
#[test]
fn slow_pages_show_progress() {
    let shop = shop_with_wrapper();
    for command in
        ["learn $SHOP/held?page=3", "apply shop.yaml $SHOP/held?page=3", "check shop.yaml $SHOP/held?page=3"]
    {
        let line = format!("copal {command} {OWN} --no-cache");
        fs::write(shop.path().join("line.sh"), &line).unwrap();
        shop.hold(true);
        let shown = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_secs(4));
                shop.hold(false);
            });
            shop.run("script -qec 'sh line.sh' /dev/null")
        });
        assert!(shown.stdout.contains("reading 1 page ("), "{command}: {}", shown.stdout);
    }
}
