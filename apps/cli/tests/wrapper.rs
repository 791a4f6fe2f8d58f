//! `copal learn` and `copal apply`: the same data as `copal extract`, and messages where there is none.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{ARTICLE, SHOP, folder, golden, root, run};
use std::fs;

#[test]
fn what_is_learned_is_read_again() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let learned = run(folder.path(), "copal learn shop.html -o shop.copal.yaml");
    assert_eq!((learned.code, learned.stdout.as_str()), (0, ""), "{}", learned.stderr);
    for format in ["csv", "table"] {
        let known = run(folder.path(), &format!("copal extract shop.html --format {format}"));
        let again = run(folder.path(), &format!("copal apply shop.copal.yaml shop.html --format {format}"));
        assert_eq!((again.code, again.stdout), (0, known.stdout), "{}", again.stderr);
    }
    for format in ["json", "jsonl", "html"] {
        let again = run(folder.path(), &format!("copal apply shop.copal.yaml shop.html --format {format}"));
        assert_eq!(again.code, 0, "{}", again.stderr);
        assert!(again.stdout.contains("wrapper"), "{format}");
    }
}

#[test]
fn columns_are_chosen_and_renamed() {
    let page = root().join("examples/shop.html").display().to_string();
    let folder = folder(&[]);
    let line = format!("copal learn {page} --fields price,title --rename title=name -o w.yaml");
    assert_eq!(run(folder.path(), &line).code, 0);
    let csv = run(folder.path(), &format!("copal apply w.yaml {page} --format csv")).stdout;
    assert!(csv.starts_with("price,name\n"), "{csv}");
}

#[test]
fn a_section_has_a_pattern() {
    let html = "<h1>Fares</h1><table class=fares><tr><th>From<th>Fare<tr><td>Graz<td>12</table>";
    let folder = folder(&[("fares.html", html.as_bytes())]);
    golden(
        "wrapper-deuds",
        folder.path(),
        &[
            "copal learn --method deuds --select table fares.html",
            "copal learn --method deuds --select //table[1] fares.html -o fares.yaml",
            "copal apply fares.yaml fares.html --format csv",
        ],
    );
}

#[test]
fn what_cannot_be_learned_or_read_is_told() {
    let folder = folder(&[
        ("article.html", ARTICLE.as_bytes()),
        ("shop.html", SHOP.as_bytes()),
        ("wrong.yaml", b"copal: 1\npages:\n  - kind: list\n    regions: [ul]\n"),
        ("none.yaml", b"copal: 1\npages:\n  - {kind: section, region: [table.none]}\n"),
    ]);
    golden(
        "wrapper-errors",
        folder.path(),
        &[
            "copal learn article.html",
            "copal learn shop.html --fields prize",
            "copal learn --method deuds --select p.none shop.html",
            "copal learn missing.html",
            "copal apply missing.yaml shop.html",
            "copal apply wrong.yaml shop.html",
            "copal apply none.yaml shop.html",
            "copal apply none.yaml shop.html -o out.xyz",
        ],
    );
    assert!(fs::metadata(folder.path().join("out.xyz")).is_err());
}
