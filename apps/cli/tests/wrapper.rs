//! `copal learn` and `copal apply`: they return the same data as `copal extract`, or a message.

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
    assert!(learned.stderr.starts_with("shop.copal.yaml: reads lists with "), "{}", learned.stderr);
    assert!(learned.stderr.ends_with("copal apply shop.copal.yaml PAGE\n"), "{}", learned.stderr);
    for format in ["csv", "table"] {
        let known = run(folder.path(), &format!("copal extract shop.html --list 1 --format {format}"));
        let again = run(folder.path(), &format!("copal apply shop.copal.yaml shop.html --format {format}"));
        assert_eq!((again.code, again.stdout), (0, known.stdout), "{}", again.stderr);
    }
    for format in ["json", "pages", "html"] {
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
fn what_cannot_be_learned_or_read_is_reported() {
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

#[test]
fn lists_and_objects_are_read_with_one_wrapper() {
    let objects = root().join("testdata/objects");
    let w = folder(&[]);
    let wrapper = w.path().join("shop.copal.yaml").display().to_string();
    let learned =
        run(&objects, &format!("copal learn list.html books/1.html books/2.html books/3.html -o {wrapper}"));
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    let text = fs::read_to_string(&wrapper).unwrap();
    assert!(text.contains("- kind: list\n") && text.contains("- kind: detail\n"), "{text}");
    // the fourth page was not among the samples
    let fields = |line: &str| {
        let run = run(&objects, line);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let page: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        page["fields"].clone()
    };
    let known = fields("copal extract books/4.html books/1.html --format pages | head -1");
    let again = fields(&format!("copal apply {wrapper} books/4.html --format pages"));
    for name in ["title", "price", "isbn_13", "publisher", "publication_date", "pages", "format"] {
        assert_eq!(again[name], known[name], "{name}");
    }
    let list = run(&objects, &format!("copal apply {wrapper} list.html --format csv"));
    assert_eq!(list.stdout.lines().count(), 5, "{}", list.stdout);
    let check = run(&objects, &format!("copal check {wrapper} list.html books/4.html"));
    assert_eq!((check.code, check.stdout.as_str()), (0, "unchanged: 5 records on 2 pages\n"));
    // a sample that cannot be learned from does not prevent learning from the others; a page that cannot be
    // read counts as changed
    let nothing = w.path().join("nothing.html");
    fs::write(&nothing, ARTICLE).unwrap();
    let mixed = format!("copal learn {} books/1.html books/2.html --fields title", nothing.display());
    let mixed = run(&objects, &mixed);
    assert!(mixed.code == 0 && mixed.stdout.contains("kind: detail") && !mixed.stdout.contains("kind: list"));
    let absent = run(w.path(), "copal check shop.copal.yaml absent.html");
    assert_eq!((absent.code, absent.stdout.as_str()), (3, ""));
    let other = run(w.path(), "echo '<p>Nothing' | copal check shop.copal.yaml -");
    assert_eq!(other.code, 5, "{}", other.stdout);
}
