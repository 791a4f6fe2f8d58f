//! What happens when something else goes wrong: standard error that is full, several processes that append to
//! one file, runs that were killed, pages that only seem to belong together, texts that hide something.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{BOOKS, SHOP, folder, many_pages, names, run, shell, style};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longer than anything takes on a slow machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// The reader of standard error has gone before the first message.
const CLOSED_PIPE: &str = "{ (sleep 0.2; copal extract shop.html article.html --explain -v -o list.csv; \
    echo $? >code) 2>&1 >/dev/null | true; }; exit $(cat code)";

#[test]
fn a_standard_error_that_cannot_be_written_does_not_end_the_run() {
    let article = common::ARTICLE.as_bytes();
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("article.html", article)]);
    let want = run(folder.path(), "copal extract shop.html article.html --explain --format csv").stdout;
    assert!(want.contains("Blue lamp"));
    // a disk that is full, and a pipe that nobody reads
    for (line, code) in [
        ("copal extract shop.html article.html --explain -v -o list.csv 2>/dev/full", 1),
        ("copal extract shop.html missing.html article.html --explain -v -o list.csv 2>/dev/full", 3),
        (CLOSED_PIPE, 1),
    ] {
        let _ = fs::remove_file(folder.path().join("list.csv"));
        let ended = run(folder.path(), line);
        assert_eq!(ended.code, code, "{line}: {}", ended.stderr);
        assert_eq!(fs::read_to_string(folder.path().join("list.csv")).unwrap(), want, "{line}");
    }
    // an error that cannot be reported is still one
    assert_eq!(run(folder.path(), "copal extract missing.html 2>/dev/full").code, 3);
    assert_eq!(run(folder.path(), "copal diff shop.html 2>/dev/full").code, 2);
}

#[test]
fn processes_that_append_to_one_file_lose_nothing() {
    const PROCESSES: usize = 6;
    const RECORDS: usize = 40;
    let folder = many_pages(PROCESSES, RECORDS);
    let line = |n: usize| format!("copal extract pages/{n:03}.html -o list.csv --append --quiet -j 1");
    // the file does not exist when the first ones begin, and does when they begin again
    for round in 1..=2 {
        let start = |n: usize| shell(folder.path(), &line(n)).spawn().unwrap();
        let mut started: Vec<Child> = (1..=PROCESSES).map(start).collect();
        for child in &mut started {
            assert!(child.wait().unwrap().success());
        }
        let mut reader = csv::Reader::from_path(folder.path().join("list.csv")).unwrap();
        assert_eq!(reader.records().map(Result::unwrap).count(), round * PROCESSES * RECORDS);
    }
    assert_eq!(names(folder.path()), ["list.csv", "pages"]);
}

/// Waits until a folder has a temporary file.
fn await_temporary_file(folder: &Path) {
    let began = Instant::now();
    while !names(folder).iter().any(|name| name.starts_with(".copal-")) {
        assert!(began.elapsed() < PATIENCE, "no temporary file");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_a_killed_run_leaves_is_removed_by_the_next_one() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    // so many bytes tell that it is no archive
    let beginning = [b' '; 1024];
    let start =
        |line: &str| shell(folder.path(), line).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // it waits for the rest of its input, with its output open
    let mut killed = start("exec copal extract - -o list.csv");
    killed.stdin.as_mut().unwrap().write_all(&beginning).unwrap();
    await_temporary_file(folder.path());
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(names(folder.path()).len(), 2);
    // another one runs, and keeps its file
    let mut running = start("exec copal extract - -o other.csv");
    running.stdin.as_mut().unwrap().write_all(&beginning).unwrap();
    let began = Instant::now();
    while names(folder.path()).len() != 2 || run(folder.path(), "ls -A | grep -c copal-").stdout != "1\n" {
        assert!(began.elapsed() < PATIENCE);
        sleep(Duration::from_millis(5));
    }
    assert_eq!(run(folder.path(), "copal extract shop.html -o list.csv").code, 0);
    running.stdin.take().unwrap().write_all(SHOP.as_bytes()).unwrap();
    assert!(running.wait().unwrap().success());
    assert_eq!(names(folder.path()), ["list.csv", "other.csv", "shop.html"]);
}

#[test]
fn an_unknown_key_is_refused_with_the_names_that_exist() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("books.html", BOOKS.as_bytes())]);
    let refused = run(folder.path(), "copal extract books.html -o data.sqlite --key sku");
    style(&refused);
    assert_eq!(refused.code, 2);
    let want = "error: no column \"sku\" for --key: expected one of url, title, author, ";
    assert!(refused.stderr.starts_with(want), "{}", refused.stderr);
    let line = "copal extract books.html shop.html -o data.sqlite --key title";
    let done = run(folder.path(), line);
    assert_eq!(done.code, 0, "{}", done.stderr);
    // one page has it: a page without it has other records
    let done =
        run(folder.path(), "copal extract books.html shop.html -o more.sqlite --key author --key title");
    assert_eq!(done.code, 0, "{}", done.stderr);
}

#[test]
fn a_rule_that_matches_nothing_is_refused_and_an_empty_value_is_none() {
    let domain = |rule: &str| {
        format!(
            "domain: lamps\nobject: lamp\npivot: price\nattributes:\n  price: {{type: money}}\n  \
             size: {{type: integer, rules: ['{rule}']}}\n"
        )
    };
    let (all, some) = (domain(r"\d*"), domain(r"(?<value>\d*) *lamp"));
    let folder = folder(&[
        ("shop.html", SHOP.as_bytes()),
        ("all.yaml", all.as_bytes()),
        ("some.yaml", some.as_bytes()),
    ]);
    let refused = run(folder.path(), "copal extract shop.html --domain all.yaml --format json");
    style(&refused);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(
        refused.stderr.contains(r#"attributes.size.rules: "\\d*" matches an empty text"#),
        "{}",
        refused.stderr
    );
    let read = run(folder.path(), "copal extract shop.html --domain some.yaml --format json");
    style(&read);
    assert_eq!(read.code, 0, "{}", read.stderr);
    assert!(!read.stderr.contains("internal error"), "{}", read.stderr);
}

fn book(n: usize, title: &str) -> String {
    format!(
        "<title>{title} - Book house</title><nav><a href=/>Home</a></nav><main><h1>{title}</h1>\
         <dl><dt>Pages</dt><dd>{}</dd><dt>Publisher</dt><dd>Fox & Den {n}</dd><dt>ISBN</dt><dd>978014143954{n}</dd></dl>\
         <p>Once {n} foxes lived under the old oak, and this is what became of them in the great snow.</p></main>",
        100 + 17 * n
    )
}

#[test]
fn pages_join_records_that_they_agree_with_and_none_vanishes() {
    let item = |n: usize| {
        format!("<li><h3><a href='{n}.html'>The tale of the {n} foxes</a></h3><i>£{n}.00</i></li>")
    };
    let list = format!("<title>Books</title><ul>{}</ul>", (1..=4).map(item).collect::<String>());
    let own = [1, 2].map(|n| book(n, &format!("The tale of the {n} foxes")));
    // another site's page, which happens to have the name that the third record links to
    let foreign = book(7, "A hundred ways to boil an egg");
    let folder = folder(&[
        ("list.html", list.as_bytes()),
        ("1.html", own[0].as_bytes()),
        ("2.html", own[1].as_bytes()),
        ("3.html", foreign.as_bytes()),
    ]);
    let line = "copal extract list.html 1.html 2.html 3.html --format";
    let json = run(folder.path(), &format!("{line} json"));
    assert_eq!(json.stderr, "2 of 4 pages were joined to the records that link to them\n");
    let pages: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(pages.as_array().unwrap().len(), 4);
    let records = pages[0]["regions"][0]["records"].as_array().unwrap();
    let joined: Vec<&str> = records.iter().filter_map(|record| record["detail"]["page"].as_str()).collect();
    assert_eq!(joined, ["1.html", "2.html"]);
    assert_eq!(run(folder.path(), &format!("{line} pages --quiet")).stdout.lines().count(), 4);
    // a table has each record once: those that were joined are rows of the list
    let csv = run(folder.path(), &format!("{line} csv"));
    assert_eq!(csv.stdout.lines().count(), 1 + 4 + 1, "{}", csv.stdout);
    assert!(csv.stdout.contains("boil an egg") && csv.stdout.contains("9780141439542"), "{}", csv.stdout);
}

#[test]
fn hidden_characters_are_not_shown_and_data_keeps_them() {
    let item = |n: usize| {
        format!(
            "<li><h3><a href='/{n}'>pay\u{2060}pal \u{202e}lamp{n}\u{202c}\u{feff}</a></h3> <i class=price>£{n}.50</i></li>"
        )
    };
    let page =
        format!("<meta charset=utf-8><title>Lamps</title><ul>{}</ul>", (1..=4).map(item).collect::<String>());
    let folder = folder(&[("page.html", page.as_bytes())]);
    let hidden = ['\u{2060}', '\u{202e}', '\u{202c}', '\u{feff}'];
    let line = "copal extract page.html --explain -o report.html && cat report.html && copal extract page.html --explain";
    let shown = run(folder.path(), line);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let table = shown.stdout.rsplit_once("</html>").unwrap().1;
    assert!(table.contains("paypal \u{fffd}lamp1\u{fffd}"), "{table}");
    assert!(!table.contains(hidden) && !shown.stderr.contains(hidden));
    // the downloads of the report are data
    let report = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(report.contains("paypal \u{fffd}lamp1\u{fffd}"));
    for format in ["csv", "json"] {
        let data = run(folder.path(), &format!("copal extract page.html --format {format}")).stdout;
        assert!(data.contains("pay\u{2060}pal \u{202e}lamp1\u{202c}"), "{data}");
    }
}

#[test]
fn the_text_of_a_record_does_not_split_words() {
    let item = |n: usize| {
        format!(
            "<li><h3><a href='/{n}'>The libr<b>ary</b> of town {n}</a></h3><p>Open <i>dai</i>ly</p><p><b>Free</b></p></li>"
        )
    };
    let page = format!("<title>Libraries</title><ul>{}</ul>", (1..=4).map(item).collect::<String>());
    let folder = folder(&[("page.html", page.as_bytes())]);
    let found: Value =
        serde_json::from_str(&run(folder.path(), "copal extract page.html --format json").stdout).unwrap();
    assert_eq!(found["regions"][0]["records"][0]["text"], "The library of town 1 Open daily Free");
}
