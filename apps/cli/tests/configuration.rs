//! Configuration files, logs and help.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::shop::Shop;
use common::{Run, SHOP, folder, golden, run, style};
use serde_json::Value;
use std::fs;

#[test]
fn files_set_defaults_and_options_win() {
    let folder = folder(&[
        ("shop.html", SHOP.as_bytes()),
        (
            "config/copal/config.toml",
            b"columns = [\"title\", \"url\"]\ndelay = 2\nproxy = \"http://u:s3cret@p.example:1\"\n",
        ),
    ]);
    let csv = |line: &str| run(folder.path(), &format!("copal extract shop.html --format csv {line}")).stdout;
    assert!(csv("").starts_with("title,url\nBlue lamp,/lamp/1\n"), "{}", csv(""));
    assert!(csv("--fields price").starts_with("price\n"));
    assert!(csv("--no-config").starts_with("url,title,about,"));
    // the folder's file has precedence
    fs::write(folder.path().join("copal.toml"), "columns = [\"price\"]\nformat = \"records\"\ndelay = 5\n")
        .unwrap();
    let records = run(folder.path(), "copal extract shop.html").stdout;
    assert!(records.starts_with("{\"price\":\"£12\""), "{records}");
    assert_eq!(run(folder.path(), "copal extract shop.html -o list.csv --quiet").code, 0);
    assert!(fs::read_to_string(folder.path().join("list.csv")).unwrap().starts_with("price\n"));
    let shown = run(folder.path(), "copal config");
    let home = folder.path().join("config/copal/config.toml").display().to_string();
    let text = shown.stdout.replace(&home, "~/.config/copal/config.toml");
    common::compare("config", &text);
    assert!(!shown.stdout.contains("s3cret"));
    assert!(run(folder.path(), "copal config --no-config").stdout.contains("ignored (--no-config)"));
}

#[test]
fn folders_cannot_touch_the_network_and_mistakes_are_named() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let mut runs: Vec<Run> = Vec::new();
    for text in [
        "proxy = \"http://p.example\"",
        "header = \"X: y\"",
        "cookies = \"cookies.txt\"",
        "allow-private = true",
        "ignore-robots = true",
        "cache-dir = \"/tmp\"",
        "delay = 0",
        "dealy = 2",
        "delay = \"2\"",
        "columns = \"title\"",
        "wide = 1",
        "delay = [",
        "format = \"xml\"",
    ] {
        fs::write(folder.path().join("copal.toml"), text).unwrap();
        let mut run = run(folder.path(), "copal extract shop.html");
        run.line = format!("echo '{text}' > copal.toml; copal extract shop.html");
        assert_eq!(run.code, 2, "{text}: {}", run.stderr);
        runs.push(run);
    }
    runs.iter().for_each(style);
    common::compare("errors-config", &common::transcript(&runs));
    assert_eq!(run(folder.path(), "copal extract shop.html --no-config").code, 0);
    // other commands do not read the file
    assert_eq!(run(folder.path(), "copal domain list").code, 0);
}

#[test]
fn logs_are_lines_or_json() {
    let shop = Shop::open();
    let line = "copal extract $SHOP/kettles --allow-private --delay 0 -o list.csv";
    let text = shop.run(&format!("{line} -vv"));
    assert!(text.stderr.contains("debug: response url=$SHOP/kettles status=200 bytes="), "{}", text.stderr);
    let again = shop.run(&format!("{line} -vv"));
    assert!(again.stderr.contains("debug: from the cache url=$SHOP/kettles\n"), "{}", again.stderr);
    assert!(!shop.run(&format!("{line} -v")).stderr.contains("debug"));
    let json = shop.run(&format!("{line} --no-cache -vv --log-format json"));
    let events: Vec<Value> = json.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let response = events.iter().find(|event| event["url"] == "$SHOP/kettles").unwrap();
    assert_eq!((&response["level"], &response["status"]), (&"debug".into(), &200.into()));
    assert_eq!(events.last().unwrap()["message"], "list.csv: 5 records, 4 columns");
    let failed = shop.run("copal extract missing.html --log-format json");
    let event: Value = serde_json::from_str(failed.stderr.trim()).unwrap();
    assert_eq!((&event["level"], failed.code), (&"error".into(), 3));
}

/// The short help is for users, on one screen of 40 lines; the long help has everything.
#[test]
fn short_help_fits_one_screen() {
    let folder = folder(&[]);
    let runs = golden("help", folder.path(), &["copal extract -h"]);
    assert!(runs[0].stdout.lines().count() <= 40, "{} lines", runs[0].stdout.lines().count());
    for command in ["extract", "learn", "apply", "check", "repair", "export", "diff", "domain", "config"] {
        let short = run(folder.path(), &format!("COLUMNS=100 copal {command} -h"));
        assert_eq!(short.code, 0);
        assert!(short.stdout.lines().count() <= 40, "{command}: {} lines", short.stdout.lines().count());
        assert!(!short.stdout.contains("--limit-") && !short.stdout.contains("--set "), "{}", short.stdout);
    }
    let long = run(folder.path(), "copal extract --help").stdout;
    for section in ["Methods (for measurements):", "Limits (a page that hits one", "Network:"] {
        assert!(long.contains(section), "{section}");
    }
    let at = |text: &str| long.find(text).unwrap();
    assert!(at("--set <NAME=VALUE>") > at("Methods (for measurements):"));
    assert!(!run(folder.path(), "copal --help").stdout.contains("eval"));
}
