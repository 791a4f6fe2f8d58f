//! `copal extract --isolate`: pages are read in worker processes, and the answers are those of the command itself.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::shop::Shop;
use common::{ARTICLE, BOOKS, Run, SHOP, root, run, run_with};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Checks that a command line prints and ends the same with and without `--isolate`.
fn same(folder: &Path, options: &str) -> Run {
    let plain = run(folder, &format!("copal extract {options}"));
    let isolated = run(folder, &format!("copal extract --isolate {options}"));
    assert_eq!(isolated.stdout, plain.stdout, "{options}");
    assert_eq!(isolated.stderr, plain.stderr, "{options}");
    assert_eq!(isolated.code, plain.code, "{options}");
    isolated
}

#[test]
fn files_and_folders_have_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shop.html"), SHOP).unwrap();
    fs::write(folder.path().join("books.html"), BOOKS).unwrap();
    fs::write(folder.path().join("article.html"), ARTICLE).unwrap();
    fs::write(folder.path().join("data.json"), r#"[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}, {"a": 3}]"#)
        .unwrap();
    let found = same(folder.path(), "shop.html books.html --format csv");
    assert!(found.stdout.contains("Blue lamp") && found.stdout.contains("Ada Moor"), "{}", found.stdout);
    same(folder.path(), ". --format json --all --explain --sources --url https://shop.example/");
    same(folder.path(), "shop.html --format html --select .lamps");
    same(folder.path(), "shop.html --select .lamps --field id=a@href --fields title,id --format csv");
    same(folder.path(), "shop.html --near 'Paper lamp' --method mdr");
    same(folder.path(), "article.html data.json --format jsonl");
    let missing = same(folder.path(), "shop.html missing.html --format csv");
    assert_eq!(missing.code, 3);
}

#[test]
fn domains_and_joined_pages_have_the_same_answers() {
    let root = root();
    let folder = tempfile::tempdir().unwrap();
    let objects = root.join("testdata/objects");
    let found = same(folder.path(), &format!("{} --domain books --format json", objects.display()));
    assert_eq!(found.code, 0, "{}", found.stderr);
    same(folder.path(), &format!("{} -q --format csv", root.join("testdata/pages").display()));
}

#[test]
fn standard_input_is_isolated() {
    let folder = tempfile::tempdir().unwrap();
    let plain = run_with(folder.path(), "copal extract - --format csv", SHOP.as_bytes());
    let isolated = run_with(folder.path(), "copal extract --isolate - --format csv", SHOP.as_bytes());
    assert_eq!((isolated.code, isolated.stdout), (0, plain.stdout));
}

#[test]
fn pages_of_archives_have_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    let record = |url: &str, body: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-31T12:00:00Z\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let items: String = (0..120_000).fold(String::new(), |mut items, number| {
        write!(items, "<li><a href='/{number}'>Item {number}</a> <b>£{number}</b></li>").unwrap();
        items
    });
    let (shop, books) = (record("https://a.example/", SHOP), record("https://b.example/", BOOKS));
    fs::write(folder.path().join("crawl.warc"), format!("{shop}{books}")).unwrap();
    let found = same(folder.path(), "crawl.warc --format csv");
    assert!(
        found.stdout.contains("https://a.example/") && found.stdout.contains("Ada Moor"),
        "{}",
        found.stdout
    );
    same(folder.path(), "crawl.warc --format jsonl --url-match '*b.example*'");
    let large = record("https://large.example/", &format!("<ul>{items}</ul>"));
    fs::write(folder.path().join("large.warc"), format!("{shop}{large}{books}")).unwrap();
    let line = "copal extract --isolate --page-memory 25 large.warc --format csv";
    if cfg!(target_os = "linux") {
        let run = run(folder.path(), line);
        assert_eq!(run.code, 4, "{}", run.stderr);
        assert!(
            run.stderr.contains("large.example/: the page could not be read within 25 MB"),
            "{}",
            run.stderr
        );
        assert!(run.stdout.contains("Blue lamp") && run.stdout.contains("Ada Moor"), "{}", run.stdout);
    }
}

#[test]
fn the_command_fetches_and_the_worker_reads() {
    let shop = Shop::open();
    let own = "--allow-private --delay 0";
    let plain = shop.run(&format!("copal extract $SHOP/kettles {own} --format json"));
    let isolated = shop.run(&format!("copal extract --isolate $SHOP/kettles {own} --no-cache --format json"));
    assert_eq!((isolated.code, isolated.stderr.as_str()), (0, ""));
    assert_eq!(isolated.stdout, plain.stdout);
    // the worker has no part in fetching
    assert_eq!(shop.asked(), ["/robots.txt", "/kettles", "/robots.txt", "/kettles"]);
    let several =
        shop.run(&format!("copal extract --isolate $SHOP/kettles $SHOP/missing {own} --format csv"));
    assert_eq!(several.code, 3, "{}", several.stderr);
    assert!(several.stdout.contains("Copper kettle model 5"));
}

#[test]
fn pages_beyond_the_limits_cost_only_themselves() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.html"), SHOP).unwrap();
    let mut large = String::from("<title>Large</title><ul>");
    for number in 0..700_000 {
        write!(large, "<li><a href='/{number}'>Item {number}</a> <b>£{number}</b></li>").unwrap();
    }
    fs::write(folder.path().join("b.html"), &large).unwrap();
    fs::write(folder.path().join("c.html"), BOOKS).unwrap();
    let memory = "copal extract --isolate --page-memory 25 a.html b.html c.html --format csv";
    // far longer than the small pages need on a slow machine, far shorter than all of the large one needs
    let time = "copal extract --isolate --page-time 3 --page-memory 8000 --limit-bytes 90000000 \
                --limit-nodes 9000000 a.html b.html c.html --format csv";
    for (line, reason) in [(memory, "within 25 MB of memory"), (time, "longer than 3 s")] {
        // only Linux limits memory
        if line == memory && !cfg!(target_os = "linux") {
            continue;
        }
        let run = run(folder.path(), line);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(run.stderr.contains("b.html: the page") && run.stderr.contains(reason), "{}", run.stderr);
        assert!(!run.stderr.contains("a.html") && !run.stderr.contains("c.html"), "{}", run.stderr);
        assert!(run.stdout.contains("Blue lamp") && run.stdout.contains("Ada Moor"), "{}", run.stdout);
        assert!(!run.stdout.contains("Item 5"));
    }
}

#[test]
fn what_cannot_be_isolated_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for options in
        ["https://shop.example/ --follow all", "https://shop.example/ --details", "x.html --render auto"]
    {
        let refused = run(folder.path(), &format!("copal extract --isolate {options}"));
        assert_eq!(refused.code, 2, "{options}: {}", refused.stderr);
        assert!(refused.stderr.contains("--isolate cannot be used"), "{}", refused.stderr);
    }
}
