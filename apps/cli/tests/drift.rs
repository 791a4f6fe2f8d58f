//! `copal check` and `copal repair`: what they report when a site changes, and how its wrapper is updated.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{ARTICLE, folder, golden, run};
use std::fs;
use std::ops::Range;
use tempfile::TempDir;

fn shop(items: Range<usize>) -> String {
    let item = |i: usize| {
        format!(
            "<li class=item><a class=name href=/p/{i}>Lamp {i} of oak</a><p class=info>Bright, {i}00 lumen</p>\
             <span class=price>£{i}.50</span></li>"
        )
    };
    let items: String = items.map(item).collect();
    format!("<title>Lamps</title><h1>Lamps</h1><ul class=results>{items}</ul><p>All rights reserved</p>")
}

fn new_shop(items: Range<usize>) -> String {
    let item = |i: usize| {
        format!(
            "<article><div class=cost><b>£{i}.50</b></div><h3><a href=/p/{i}>Lamp {i} of oak</a></h3>\
             <section>Bright, {i}00 lumen</section></article>"
        )
    };
    let items: String = items.map(item).collect();
    format!("<title>Lamps</title><main><h2>Our lamps</h2><div class=grid>{items}</div></main>")
}

/// A wrapper, three pages before a redesign and three after it.
fn site() -> TempDir {
    let mut files: Vec<(String, String)> = Vec::new();
    for (at, items) in [10..30, 30..50, 50..70].into_iter().enumerate() {
        files.push((format!("old{at}.html"), shop(items.clone())));
        files.push((format!("new{at}.html"), new_shop(items)));
    }
    files.push(("article.html".into(), ARTICLE.into()));
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let folder = folder(&files);
    assert_eq!(run(folder.path(), "copal learn old0.html -o shop.copal.yaml").code, 0);
    folder
}

#[test]
fn a_change_is_reported_and_repaired() {
    let folder = site();
    golden(
        "drift",
        folder.path(),
        &[
            "copal check shop.copal.yaml old1.html old2.html",
            "copal check shop.copal.yaml old1.html article.html old2.html",
            "copal check shop.copal.yaml new0.html new1.html new2.html",
            "copal check shop.copal.yaml new0.html --format json",
            "copal repair shop.copal.yaml old0.html old1.html old2.html",
            "copal repair shop.copal.yaml new0.html",
            "copal repair shop.copal.yaml article.html article.html article.html",
            "copal repair shop.copal.yaml new0.html new1.html new2.html --dry-run",
            "ls *.yaml",
            "copal repair shop.copal.yaml new0.html new1.html new2.html",
            "ls *.yaml",
            "copal check shop.copal.yaml new0.html new1.html new2.html",
            "copal apply shop.copal.yaml old1.html new1.html --format csv | grep 31",
        ],
    );
}

#[test]
fn no_version_is_ever_lost() {
    let folder = site();
    let old = fs::read(folder.path().join("shop.copal.yaml")).unwrap();
    let line = "copal repair shop.copal.yaml new0.html new1.html new2.html";
    fs::write(folder.path().join("shop.copal.v1.yaml"), "of somebody else").unwrap();
    assert_eq!(run(folder.path(), line).code, 0);
    assert_eq!(fs::read(folder.path().join("shop.copal.v1.yaml")).unwrap(), b"of somebody else");
    assert_eq!(fs::read(folder.path().join("shop.copal.v1-1.yaml")).unwrap(), old);
    let new = fs::read_to_string(folder.path().join("shop.copal.yaml")).unwrap();
    assert!(new.contains("version: 2\n") && new.contains("changes:\n"), "{new}");
    // with another output file, the original wrapper does not change
    fs::write(folder.path().join("shop.copal.yaml"), &old).unwrap();
    assert_eq!(run(folder.path(), &format!("{line} -o next.yaml -q")).stderr, "");
    assert_eq!(fs::read(folder.path().join("shop.copal.yaml")).unwrap(), old);
    assert_eq!(fs::read_to_string(folder.path().join("next.yaml")).unwrap(), new);
}
