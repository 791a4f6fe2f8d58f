//! `copal extract` with URLs, against a shop on loopback.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::shop::{PAGES, Shop};
use common::{SHOP, names};
use serde_json::Value;
use std::fs;

/// Options of every command line here: the shop is on this machine and needs no delay.
const OWN: &str = "--allow-private --delay 0";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn titles(list: &Value) -> Vec<&str> {
    let records = list["records"].as_array().unwrap().iter();
    records.map(|record| record["fields"]["title"].as_str().unwrap()).collect()
}

fn kettles(numbers: std::ops::RangeInclusive<usize>) -> Vec<String> {
    numbers.map(|n| format!("Copper kettle model {n}")).collect()
}

fn page(k: usize) -> String {
    if k == 1 { "/kettles".to_owned() } else { format!("/kettles?page={k}") }
}

#[test]
fn a_page() {
    let shop = Shop::open();
    let table = shop.run(&format!("copal extract $SHOP/kettles {OWN}"));
    assert_eq!((table.code, table.stderr.as_str()), (0, ""));
    assert!(table.stdout.contains("│ Copper kettle model 5 ┆ £5.99 ┆ Holds 6 litres"), "{}", table.stdout);
    let csv = shop.run(&format!("copal extract $SHOP/kettles {OWN} --format csv"));
    assert_eq!((csv.code, csv.stderr.as_str()), (0, ""));
    assert!(csv.stdout.starts_with("url,title,price,about\n$SHOP/kettle/1,Copper kettle model 1,£1.99,"));
    let run = shop.run(&format!("copal extract $SHOP/kettles {OWN} --format json"));
    let found = json(&run.stdout);
    assert_eq!(found["page"]["url"], "$SHOP/kettles");
    assert_eq!(found["page"]["next"], "$SHOP/kettles?page=2");
    assert_eq!(found["page"]["counter"], 23);
    assert_eq!(found["page"]["range"], json("[1, 5]"));
    assert_eq!(found["regions"][0]["records"][4]["fields"]["url"], "$SHOP/kettle/5");
    assert!(found.get("follow").is_none());
    // the second and third run had it in the cache
    assert_eq!(shop.asked(), ["/robots.txt", "/kettles"]);
}

#[test]
fn all_pages_of_a_list() {
    let shop = Shop::open();
    let run = shop.run(&format!("copal extract $SHOP/kettles {OWN} --follow all --format json"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stderr, "$SHOP/kettles: 23 records from 5 pages (complete: the site announces 23)\n");
    let found = json(&run.stdout);
    assert_eq!(titles(&found["regions"][0]), kettles(1..=23));
    let pages: Vec<String> = (1..=PAGES).map(|k| format!("$SHOP{}", page(k))).collect();
    assert_eq!(found["follow"]["pages"], Value::from(pages.clone()));
    assert_eq!((&found["follow"]["whole"], &found["follow"]["repeated"]), (&true.into(), &0.into()));
    let records = found["regions"][0]["records"].as_array().unwrap();
    assert!(records.iter().enumerate().all(|(at, record)| record["page"] == pages[at / 5].as_str()));
    let asked: Vec<String> = ["/robots.txt".to_owned()].into_iter().chain((1..=PAGES).map(page)).collect();
    assert_eq!(shop.asked(), asked, "each page once, nothing else");
}

#[test]
fn some_pages_of_a_list() {
    let shop = Shop::open();
    let runs = shop.golden(
        "web-follow",
        &[
            "copal extract $SHOP/kettles --allow-private --delay 0 --follow 2 --format csv",
            "copal extract $SHOP/kettles --allow-private --delay 0 --follow 2 --verbose -o list.jsonl",
            "copal extract $SHOP/kettles --allow-private --delay 0 --follow 2 --quiet -o list.csv",
            "copal extract $SHOP/data --allow-private --delay 0 --follow 2 --format csv",
            "copal extract $SHOP/gone --allow-private --delay 0 --follow all --format csv",
            "copal extract $SHOP/article --allow-private --delay 0 --follow all --format csv",
        ],
    );
    assert_eq!(runs.iter().map(|run| run.code).collect::<Vec<_>>(), [0, 0, 0, 0, 4, 1]);
    let (rows, head) = (runs[0].stdout.lines().count(), runs[0].stdout.lines().next().unwrap());
    assert_eq!(rows, 11);
    assert!(head.split(',').any(|name| name == "page"), "{head}");
    assert!(
        runs[1].stderr.contains("$SHOP/kettles?page=2: 2 pages, 10 of 23 records\n"),
        "{}",
        runs[1].stderr
    );
    assert!(runs[2].stderr.is_empty());
    assert_eq!(fs::read_to_string(shop.path().join("list.csv")).unwrap().lines().count(), 11);
    assert_eq!(fs::read_to_string(shop.path().join("list.jsonl")).unwrap().lines().count(), 10);
}

#[test]
fn pages_of_records() {
    let shop = Shop::open();
    for (details, read) in [("--details 2", 2), ("--details", 5)] {
        let run = shop.run(&format!("copal extract $SHOP/kettles {OWN} {details} --format json"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let found = json(&run.stdout);
        let records = found["regions"][0]["records"].as_array().unwrap();
        assert_eq!(records.len(), 5);
        let weights: Vec<_> =
            records.iter().filter_map(|record| record["fields"]["weight"].as_str()).collect();
        assert_eq!(weights, ["1.2 kg", "2.2 kg", "3.2 kg", "4.2 kg", "5.2 kg"][..read]);
        assert_eq!(records[0]["fields"]["colour"], "copper");
    }
    let asked = shop.asked();
    assert_eq!(asked.iter().filter(|path| path.starts_with("/kettle/")).count(), 5, "{asked:?}");
    let both = shop.run(&format!("copal extract $SHOP/kettles {OWN} --follow 2 --details 7 --format csv"));
    assert_eq!((both.code, both.stdout.lines().count()), (0, 11), "{}", both.stderr);
    assert!(both.stdout.contains("7.2 kg") && !both.stdout.contains("8.2 kg"), "{}", both.stdout);
}

#[test]
fn urls_in_a_file() {
    let shop = Shop::open();
    let addresses =
        format!("# shops\n{}\n\n  {}  \n", shop.server.url("/books"), shop.server.url("/kettles"));
    fs::write(shop.path().join("shops.txt"), &addresses).unwrap();
    let file = shop.run(&format!("copal extract --urls shops.txt {OWN} --format csv"));
    let stdin = shop.run_with(&format!("copal extract --urls - {OWN} --format csv"), addresses.as_bytes());
    assert_eq!((file.code, file.stderr.as_str()), (0, ""));
    assert_eq!(file.stdout, stdin.stdout);
    assert!(file.stdout.lines().nth(1).unwrap().starts_with("$SHOP/books,"), "{}", file.stdout);
    assert_eq!(file.stdout.lines().count(), 1 + 3 + 5);
    // arguments come before the URLs in the file
    let both = shop.run(&format!("copal extract $SHOP/kettles --urls shops.txt {OWN} --format pages"));
    let sources: Vec<Value> = both.stdout.lines().map(|line| json(line)["page"]["source"].clone()).collect();
    assert_eq!(sources, ["$SHOP/kettles", "$SHOP/books", "$SHOP/kettles"]);
}

#[test]
fn several_hosts_at_once_in_the_order_of_the_arguments() {
    let shop = Shop::open();
    fs::write(shop.path().join("lamps.html"), SHOP).unwrap();
    // the first host only answers once the third has been asked
    let line = format!("copal extract $LOCAL/slow lamps.html $SHOP/books $SHOP/kettles {OWN} --format pages");
    let run = shop.run(&line);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let answers: Vec<Value> = run.stdout.lines().map(json).collect();
    let source_and_count = |answer: &Value| {
        let records = answer["regions"][0]["records"].as_array().unwrap().len();
        (answer["page"]["source"].as_str().unwrap().to_owned(), records)
    };
    let wanted = [("$LOCAL/slow", 5), ("lamps.html", 4), ("$SHOP/books", 3), ("$SHOP/kettles", 5)];
    assert_eq!(
        answers.iter().map(source_and_count).collect::<Vec<_>>(),
        wanted.map(|(name, records)| (name.to_owned(), records))
    );
}

#[test]
fn robots_txt_is_obeyed_by_default() {
    let shop = Shop::open();
    let run = shop.run(&format!("copal extract $SHOP/closed {OWN}"));
    assert_eq!(run.code, 3);
    assert!(
        run.stderr.contains("robots.txt of 127.0.0.1 disallows /closed: use --ignore-robots"),
        "{}",
        run.stderr
    );
    assert_eq!(shop.asked(), ["/robots.txt"]);
    let run = shop.run(&format!("copal extract $SHOP/closed {OWN} --ignore-robots --format csv"));
    assert_eq!((run.code, run.stdout.lines().count()), (0, 6));
    assert_eq!(shop.asked(), ["/closed"]);
}

#[test]
fn pages_are_cached_in_the_given_folder() {
    let shop = Shop::open();
    let read = |more: &str| {
        let run = shop.run(&format!("copal extract $SHOP/kettles {OWN} --follow 2 --format csv {more}"));
        assert_eq!((run.code, run.stdout.lines().count()), (0, 11), "{more}: {}", run.stderr);
        shop.asked()
    };
    let all = ["/robots.txt", "/kettles", "/kettles?page=2"];
    assert_eq!(read("--no-cache"), all);
    assert!(names(shop.path()).is_empty(), "nothing is kept");
    assert_eq!(read("--cache-dir pages"), all);
    assert_eq!(read("--cache-dir pages"), [""; 0], "nothing is asked again");
    assert_eq!(names(shop.path()), ["pages"]);
    assert_eq!(read("--no-cache"), all, "what was kept is not looked at");
    // by default, in the user's cache folder
    assert_eq!(read(""), all);
    assert_eq!(read(""), [""; 0]);
    assert_eq!(names(&shop.path().join("kept")), ["copal"]);
    let home =
        "unset XDG_CACHE_HOME; HOME=$PWD/home copal extract $SHOP/kettles --allow-private --delay 0 --quiet";
    assert_eq!(shop.run(home).code, 0);
    assert_eq!(names(&shop.path().join("home/.cache")), ["copal"]);
}

#[test]
fn requests_have_a_user_agent() {
    let shop = Shop::open();
    let version = env!("CARGO_PKG_VERSION");
    for (more, name) in [
        ("", format!("copal/{version} (web page extractor; no contact given)")),
        ("--contact me@shop.example", format!("copal/{version} (+me@shop.example)")),
        ("--user-agent kettle-watch/2", "kettle-watch/2".to_owned()),
    ] {
        let before = shop.server.requests().len();
        shop.run(&format!("copal extract $SHOP/books {OWN} --no-cache {more}"));
        let requests = shop.server.requests().split_off(before);
        assert_eq!(requests.len(), 2);
        assert!(requests.iter().all(|request| request.header("user-agent") == name), "{requests:?}");
    }
}
