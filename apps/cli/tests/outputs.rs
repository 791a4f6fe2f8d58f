//! The output of `copal extract`: every format, one page and several, terminals, files and pipes, unusual
//! inputs.
//!
//! Formats are compared with golden files (see `common`). Properties that must hold for every page are
//! asserted.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{ARTICLE, BOOKS, SHOP, folder, golden, long_page, names, root, run, run_with, shell};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;

fn shop() -> tempfile::TempDir {
    folder(&[("shop.html", SHOP.as_bytes())])
}

/// News with complete dates.
const NEWS: &str = r#"<!DOCTYPE html><html lang="en"><title>Harbour news</title><ul>
<li><h3><a href="/n/1">Ferry is late &amp; full</a></h3><time datetime="2024-03-18">18 March 2024</time><p>Ice near the pier</p></li>
<li><h3><a href="/n/2">Pier closed</a></h3><time datetime="2024-03-17">17 March 2024</time><p>Planks are renewed</p></li>
<li><h3><a href="/n/3">New crane</a></h3><time datetime="2024-03-15">15 March 2024</time><p>It lifts forty tonnes</p></li>
</ul></html>
"#;

/// Six threads with two replies each.
fn threads() -> String {
    let reply = |n: usize, r: usize| {
        format!(
            "<li><b class=who>Reader {n}{r}</b> <i class=mood>Mood {r}{n}</i> <p class=reply>Reply {r} to thread {n}, with words</p></li>"
        )
    };
    let thread = |n: usize| {
        format!(
            "<div class=thread><h2><a href='/t/{n}'>Thread number {n}</a></h2><p class=about>What thread {n} is about</p>\
             <ul class=replies>{}{}</ul></div>",
            reply(n, 1),
            reply(n, 2)
        )
    };
    let threads: String = (1..=6).map(thread).collect();
    format!("<!DOCTYPE html><title>Forum</title><main>{threads}</main>")
}

fn pages() -> tempfile::TempDir {
    folder(&[
        ("pages/shop.html", SHOP.as_bytes()),
        ("pages/more/books.htm", BOOKS.as_bytes()),
        ("pages/article.HTML", ARTICLE.as_bytes()),
        ("pages/notes.txt", b"not a page"),
    ])
}

#[test]
fn table() {
    golden("table", shop().path(), &["copal extract shop.html"]);
    let cases = ["thai-shop", "chinese-news", "search-results", "card-grid", "hn-rows", "deflist"];
    let lines = cases.map(|case| format!("copal extract testdata/pages/{case}/page.html"));
    let runs = golden("table-pages", &root(), &lines.each_ref().map(String::as_str));
    for run in &runs {
        straight(&run.stdout);
    }
}

#[test]
fn tables_of_all_our_pages_are_straight_and_fit() {
    let run = run(&root(), "copal extract testdata examples --all --quiet");
    straight(&run.stdout);
    assert!(!run.stdout.contains('…'), "cells are whole if there is no terminal");
    let narrow = common::run(&root(), "COLUMNS=100 copal extract testdata examples --all --quiet");
    straight(&narrow.stdout);
    let tables = narrow.stdout.lines().filter(|line| line.starts_with(['┌', '│', '╞', '└']));
    let widest = tables.map(cells).max();
    assert!(widest <= Some(100), "{widest:?} cells, but COLUMNS says 100");
}

#[test]
fn objects() {
    golden(
        "objects",
        &root(),
        &[
            "copal extract testdata/objects/books/1.html",
            "copal extract testdata/objects/books --format csv",
            "copal extract testdata/objects/books --domain books --format csv",
            "copal extract testdata/objects/books/2.html --format json",
            "copal extract testdata/objects/list.html testdata/objects/books --format csv",
            "copal extract testdata/objects/list.html testdata/objects/books/1.html testdata/objects/books/4.html --format json",
            "copal extract testdata/objects/list.html --kind detail --format csv",
            "copal extract testdata/objects/books/1.html --kind list",
        ],
    );
}

/// All lines of a table are equally wide on a terminal.
fn straight(text: &str) {
    let mut width = 0;
    for line in text.lines() {
        if line.starts_with('┌') {
            width = cells(line);
        } else if line.starts_with(['│', '╞', '└']) {
            assert_eq!(cells(line), width, "a crooked line\n{line}\nin\n{text}");
        }
    }
}

/// The width of a text on a terminal, for the scripts of our pages. The table uses a library; the test does
/// not, so that it can find its errors.
fn cells(line: &str) -> usize {
    let width = |c: char| match c {
        // combining accents; Thai vowels above and below, tone marks; zero-width space and joiners
        '\u{300}'..='\u{36f}'
        | '\u{e31}'
        | '\u{e34}'..='\u{e3a}'
        | '\u{e47}'..='\u{e4e}'
        | '\u{200b}'..='\u{200d}' => 0,
        // Hangul, Chinese and Japanese, their full-width forms, emoji
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1faff}' => 2,
        _ => 1,
    };
    line.chars().map(width).sum()
}

#[test]
fn json() {
    golden("json", shop().path(), &["copal extract shop.html --format json"]);
}

#[test]
fn reasons() {
    let page = "<ul><li><a href=/1>Tall house</a> £1,200 pcm <i>2 bedrooms</i> Witney\
                <li><a href=/2>Small flat</a> <del>£800 pcm</del> £750 pcm <i>1 bedroom</i> Didcot</ul>";
    let folder = folder(&[("homes.html", page.as_bytes())]);
    golden(
        "explain",
        folder.path(),
        &[
            "copal extract homes.html --domain real-estate --explain",
            "copal extract homes.html --domain real-estate --explain --format json",
            "copal extract homes.html --explain --format csv",
        ],
    );
}

/// The report of a small page, without its stylesheet and the data of its downloads, which this test ignores.
#[test]
fn html() {
    let line = "copal extract shop.html --format html | \
                sed -E -e '/^<style>/,/<.style>$/d' -e 's/(base64,|sha256-)[A-Za-z0-9+=/]*/\\1…/g'";
    golden("html", shop().path(), &[line]);
}

#[test]
fn a_report_of_several_pages_links_to_each() {
    let folder = pages();
    let line = "copal extract pages/shop.html pages/more/books.htm pages/article.HTML --format html --quiet";
    let report = run(folder.path(), line);
    assert_eq!(report.code, 1, "one of the pages has no list");
    for (number, title) in [(1, "Lamp shop"), (2, "Books"), (3, "One thing")] {
        assert!(report.stdout.contains(&format!("<a href=\"#p{number}\" dir=\"auto\">{title}</a>")));
        assert!(report.stdout.contains(&format!("<article class=\"page\" id=\"p{number}\"")));
    }
    assert!(report.stdout.contains("No list of records was found on this page."));
    assert_eq!(run(folder.path(), &format!("{line} --jobs 1")).stdout, report.stdout);
}

#[test]
fn embedded() {
    golden(
        "embedded",
        &root(),
        &[
            "copal extract testdata/embedded/item-list/page.html --embedded --url https://lamps.example/",
            "copal extract testdata/embedded/data-attributes/page.html --embedded --format csv",
            "copal extract testdata/embedded/client-rendered/page.html",
            "copal extract testdata/embedded/pushed-pieces/page.html --format json",
            "copal extract testdata/embedded/malformed/page.html --embedded --format csv",
            "copal extract testdata/embedded/article/page.html --embedded",
        ],
    );
}

#[test]
fn lines_of_records_and_of_pages() {
    let folder = shop();
    let lines = ["records", "records --all", "pages"]
        .map(|format| format!("copal extract shop.html --format {format}"));
    golden("jsonl", folder.path(), &lines.each_ref().map(String::as_str));
    // the old name of the option means records too
    let jsonl = run(folder.path(), "copal extract shop.html --format jsonl");
    assert_eq!(jsonl.stdout, run(folder.path(), "copal extract shop.html --format records").stdout);
    let first: Value = serde_json::from_str(jsonl.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&first["price"], &first["price_amount"]), (&"£12".into(), &12.0.into()));
    assert_eq!(first["tags"], serde_json::json!(["desk", "glass"]));
}

/// Formats for documents and feed readers.
#[test]
fn markdown_and_feeds() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("news.html", NEWS.as_bytes())]);
    golden(
        "markdown-and-feeds",
        folder.path(),
        &[
            "copal extract shop.html --format markdown",
            "copal extract shop.html -o list.md && copal extract shop.html -o list.xml && head -8 list.xml",
            "copal extract news.html --url https://news.example/ --format rss",
            "copal extract news.html --url https://news.example/ --format atom",
        ],
    );
    let markdown = fs::read_to_string(folder.path().join("list.md")).unwrap();
    assert_eq!(markdown, run(folder.path(), "copal extract shop.html --format md").stdout);
}

/// A list of records that have lists inside them.
#[test]
fn nested_lists_are_a_second_file() {
    let folder = folder(&[("threads.html", threads().as_bytes())]);
    let written = run(folder.path(), "copal extract threads.html -o list.csv");
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert!(written.stderr.contains("list.children.csv: 12 nested records\n"), "{}", written.stderr);
    let table = |name: &str| -> (Vec<String>, Vec<Vec<String>>) {
        let mut reader = csv::Reader::from_path(folder.path().join(name)).unwrap();
        let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let row = |row: csv::Result<csv::StringRecord>| row.unwrap().iter().map(str::to_owned).collect();
        (header, reader.records().map(row).collect())
    };
    let ((header, records), (inner_header, inner)) = (table("list.csv"), table("list.children.csv"));
    assert_eq!((header[0].as_str(), records.len()), ("key", 6));
    assert_eq!((inner_header[..3].join(" ").as_str(), inner.len()), ("key parent list", 12));
    // two replies for each thread, in their order
    let parents: Vec<&str> = inner.iter().map(|row| row[1].as_str()).collect();
    let wanted: Vec<&str> = records.iter().flat_map(|row| [row[0].as_str(); 2]).collect();
    assert_eq!(parents, wanted);
    assert_eq!(inner[0][0], format!("{}/1.1", records[0][0]));
    let lines =
        run(folder.path(), "copal extract threads.html -o list.jsonl && cat list.children.jsonl | wc -l");
    assert_eq!(lines.stdout.trim(), "12");
    let printed = run(folder.path(), "copal extract threads.html --format csv");
    assert_eq!(printed.stderr, "12 nested records left out (-o FILE writes them to a second file)\n");
    assert!(!printed.stdout.starts_with("key,"), "{}", printed.stdout);
}

/// Databases have a second table, whose rows name the key of their record.
#[test]
#[cfg(feature = "sqlite")]
fn nested_lists_are_a_second_table() {
    let folder = folder(&[("threads.html", threads().as_bytes())]);
    let line = "copal extract threads.html --url https://forum.example/ -o forum.sqlite";
    for (run_number, new) in [(1, 6), (2, 0)] {
        let stored = run(folder.path(), line);
        assert_eq!(stored.code, 0, "{}", stored.stderr);
        let summary = format!("run {run_number}: 6 records on 1 page, {new} new, 0 changed");
        assert!(stored.stderr.contains(&summary), "{}", stored.stderr);
    }
    let database = rusqlite::Connection::open(folder.path().join("forum.sqlite")).unwrap();
    let count = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM records_children"), 12);
    assert_eq!(count("SELECT count(*) FROM records_children JOIN records ON parent = records.key"), 12);
    assert_eq!(count("SELECT count(*) FROM records_children WHERE list = 1 AND run = 2"), 12);
    let reply = "SELECT count(*) FROM records_children WHERE parent LIKE '%/t/3' AND key LIKE '%/t/3/1.2'";
    assert_eq!(count(reply), 1);
    let unchanged = run(folder.path(), "copal diff forum.sqlite --quiet");
    assert_eq!(unchanged.code, 0, "{}", unchanged.stdout);
    // a name that has no room for the ending
    let long = "n".repeat(60);
    let stored = run(folder.path(), &format!("copal extract threads.html -o long.sqlite --table {long}"));
    assert_eq!(stored.code, 0, "{}", stored.stderr);
}

/// Parquet and Arrow have a second file; on standard output the lists stay in a column.
#[test]
#[cfg(feature = "parquet")]
fn nested_lists_of_typed_files() {
    let folder = folder(&[("threads.html", threads().as_bytes()), ("shop.html", SHOP.as_bytes())]);
    for ending in ["parquet", "arrow"] {
        let written = run(folder.path(), &format!("copal extract threads.html -o list.{ending}"));
        assert_eq!(written.code, 0, "{}", written.stderr);
        let message = format!("list.children.{ending}: 12 nested records\n");
        assert!(written.stderr.contains(&message), "{}", written.stderr);
        assert!(folder.path().join(format!("list.children.{ending}")).exists());
        let bytes = fs::read(folder.path().join(format!("list.{ending}"))).unwrap();
        let has = |bytes: &[u8], name: &str| bytes.windows(name.len()).any(|part| part == name.as_bytes());
        assert!(!has(&bytes, "children_json"), "{ending}");
        let printed = run(folder.path(), &format!("copal extract threads.html --format {ending} > printed"));
        assert_eq!((printed.code, printed.stderr.as_str()), (0, ""));
        assert!(has(&fs::read(folder.path().join("printed")).unwrap(), "children_json"), "{ending}");
        // no nested lists, no second file
        assert_eq!(run(folder.path(), &format!("copal extract shop.html -o shop.{ending}")).code, 0);
        assert!(!folder.path().join(format!("shop.children.{ending}")).exists());
    }
}

#[test]
fn csv_has_typed_columns_if_asked_for() {
    let folder = shop();
    golden(
        "csv-values",
        folder.path(),
        &[
            "copal extract shop.html --format csv --values",
            "copal extract shop.html --format records --values",
            "copal extract shop.html --values",
        ],
    );
}

#[test]
fn csv() {
    golden(
        "csv",
        shop().path(),
        &["copal extract shop.html --format csv", "copal extract shop.html --format csv --csv-safe"],
    );
}

#[test]
fn all_lists_of_a_page() {
    let folder = shop();
    let formats = ["table", "csv"].map(|format| format!("copal extract shop.html --all --format {format}"));
    golden("all", folder.path(), &formats.each_ref().map(String::as_str));
    let run = run(folder.path(), "copal extract shop.html --all --format json");
    let page: Value = serde_json::from_str(&run.stdout).unwrap();
    let roles: Vec<&str> =
        page["regions"].as_array().unwrap().iter().map(|r| r["role"].as_str().unwrap()).collect();
    assert!(roles.len() > 1, "{roles:?}");
    assert_eq!(roles.iter().filter(|&&role| role == "primary").count(), 1);
    assert_eq!(roles[0], "primary");
}

#[test]
fn several_pages() {
    let folder = pages();
    let lines = ["table", "csv", "csv --all"]
        .map(|format| format!("copal extract pages/more/books.htm pages/shop.html --format {format}"));
    golden("several-pages", folder.path(), &lines.each_ref().map(String::as_str));
    let json = run(folder.path(), "copal extract pages/shop.html pages/more/books.htm --format json");
    let array: Vec<Value> = serde_json::from_str(&json.stdout).unwrap();
    let jsonl = run(folder.path(), "copal extract pages/shop.html pages/more/books.htm --format pages");
    let lines: Vec<Value> = jsonl.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(array, lines);
    let sources: Vec<&str> = array.iter().map(|page| page["page"]["source"].as_str().unwrap()).collect();
    assert_eq!(sources, ["pages/shop.html", "pages/more/books.htm"]);
}

#[test]
fn folders_globs_and_standard_input() {
    let folder = pages();
    golden(
        "inputs",
        folder.path(),
        &[
            "copal extract pages --format csv",
            "copal extract 'pages/*.html' --format csv",
            "copal extract 'pages/**/*.h*' --format csv --quiet",
            "copal extract - --format csv < pages/more/books.htm",
            "cat pages/more/books.htm | copal extract pages/more/books.htm - --format csv",
        ],
    );
    let run = run_with(folder.path(), "copal extract - --format pages", SHOP.as_bytes());
    let page: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(page["page"]["source"], "-");
}

#[test]
fn the_order_of_pages_does_not_depend_on_jobs() {
    let outputs: Vec<String> = ["--jobs 1", "--jobs 2", "--jobs 7", ""]
        .iter()
        .map(|jobs| run(&root(), &format!("copal extract testdata --format pages --quiet {jobs}")).stdout)
        .collect();
    assert!(outputs.iter().all(|output| *output == outputs[0]));
    let source = |line: &str| {
        let page: Value = serde_json::from_str(line).unwrap();
        page["page"]["source"].as_str().unwrap().to_owned()
    };
    let sources: Vec<String> = outputs[0].lines().map(source).collect();
    assert!(sources.len() > 40, "{}", sources.len());
    let parts = |name: &String| name.split('/').map(str::to_owned).collect::<Vec<_>>();
    assert!(sources.is_sorted_by_key(parts), "{sources:#?}");
}

#[test]
fn methods_and_query() {
    let page = "testdata/pages/rdr-fig02/page.html";
    let lines = ["mdr", "buw", "rdr", "rdr --query lamp"]
        .map(|method| format!("copal extract {page} --method {method}"));
    golden("methods", &root(), &lines.each_ref().map(String::as_str));
    for method in ["mdr", "buw", "rdr"] {
        let run = run(&root(), &format!("copal extract {page} --method {method} --format json"));
        let page: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(page["regions"][0]["methods"], serde_json::json!([method]));
    }
}

/// Two lists have the same shape. The query decides which one is the main list.
#[test]
fn the_query_chooses_the_list() {
    let block = |word: &str, class: &str| {
        let item = |n: usize| {
            format!("<div><a href='/{word}/{n}'>A {word} of kind {n}</a><p>Text {n} about a {word}</p></div>")
        };
        format!("<div class='{class}'>{}</div>", (1..=5).map(item).collect::<String>())
    };
    let page = format!(
        "<!DOCTYPE html><title>Results</title><body><div>{}</div><div>{}</div></body>",
        block("kettle", "a"),
        block("saddle", "b")
    );
    let folder = folder(&[("page.html", page.as_bytes())]);
    for word in ["kettle", "saddle"] {
        let line = format!("copal extract page.html --method rdr --query {word} --format csv");
        let run = run(folder.path(), &line);
        let other = if word == "kettle" { "saddle" } else { "kettle" };
        assert!(run.stdout.contains(word) && !run.stdout.contains(other), "{line}\n{}", run.stdout);
    }
}

#[test]
fn saved_pages() {
    let quoted = SHOP.replace('=', "=3D").replace('£', "=C2=A3").replace('\n', "\r\n");
    let mhtml = format!(
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://lamps.example/all\r\nSubject: Lamp shop\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"--B\"\r\n\r\n\
         ----B\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\
         Content-Location: https://lamps.example/all\r\n\r\n{quoted}\r\n----B--\r\n"
    );
    let folder = folder(&[("shop.mhtml", mhtml.as_bytes()), ("shop.html", SHOP.as_bytes())]);
    let saved = run(folder.path(), "copal extract shop.mhtml --format csv");
    // a saved page has its URL, so its links are absolute
    let with_url = run(folder.path(), "copal extract shop.html --format csv --url https://lamps.example/all");
    assert!(with_url.stdout.contains("https://lamps.example/lamp/1,Blue lamp"), "{}", with_url.stdout);
    assert_eq!(saved.stdout, with_url.stdout);
    assert_eq!((saved.code, saved.stderr.as_str()), (0, ""));
    let run = run(folder.path(), "copal extract shop.mhtml --format json");
    let page: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(page["page"]["url"], "https://lamps.example/all");
    assert_eq!(page["page"]["title"], "Lamp shop");
}

/// Encodes the letters of one script in an old encoding that has them in the order of Unicode.
fn encode(text: &str, first: char, at: u8) -> Vec<u8> {
    let byte = |c: char| {
        if c.is_ascii() { c as u8 } else { u8::try_from(c as u32 - first as u32).unwrap() + at }
    };
    text.chars().map(byte).collect()
}

#[test]
fn other_encodings() {
    let list =
        |words: [&str; 4]| words.map(|word| format!("<li><a href='/x'>{word}</a> <i>12</i></li>")).join("\n");
    let thai = list(["ผ้าพันคอฝ้าย", "ตะกร้าหวาย", "หมอนสามเหลี่ยม", "กระเป๋าผ้า"]);
    let thai = format!("<meta charset=tis-620><title>ร้านค้า</title><ul>{thai}</ul>");
    let russian = list([
        "Новая книга о море и людях",
        "Старый город зимой",
        "Письма из деревни домой",
        "Как читать карту звезд",
    ]);
    let wrong = list(["Café crème", "Naïve thé", "Pâté à l’ail", "Été brûlant"]);
    let wrong = format!("<meta charset=iso-8859-1><title>À la carte</title><ul>{wrong}</ul>");
    let folder = folder(&[
        ("declared.html", &encode(&thai, '\u{e00}', 0xa0)),
        ("undeclared.html", &encode(&format!("<ul>{russian}</ul>"), 'А', 0xc0)),
        ("wrongly-declared.html", wrong.as_bytes()),
    ]);
    golden(
        "encodings",
        folder.path(),
        &[
            "copal extract declared.html",
            "copal extract undeclared.html",
            "copal extract wrongly-declared.html",
            "copal extract wrongly-declared.html --quiet --format csv",
        ],
    );
}

/// Neither a page nor the name of a file can change the colours, the content, the title or the text direction
/// of the terminal.
#[test]
fn no_escape_sequence_reaches_the_terminal() {
    let odd = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{61c}\u{8}\u{7f}";
    let item =
        |n: usize| format!("<li><a href='/{n}{odd}'>It{odd}em {n}</a> <b class='a{odd}'>{odd}x{n}</b></li>");
    let items: String = (1..=4).map(item).collect();
    let page = format!("<meta charset=utf-8><title>{odd}</title><ul>{items}</ul>");
    let bad = "\u{1b}[31mbad.html";
    let folder = folder(&[
        ("page.html", page.as_bytes()),
        ("named/\u{1b}[31mred.html", page.as_bytes()),
        (&format!("named/{bad}"), b""),
        ("named/article\u{1b}[0m.html", ARTICLE.as_bytes()),
    ]);
    let lines = ["copal extract page.html", "copal extract named --verbose"];
    for run in golden("control-characters", folder.path(), &lines) {
        let odd = |c: &char| c.is_control() && *c != '\n' || matches!(c, '\u{202e}' | '\u{61c}');
        let found: Vec<char> = format!("{}{}", run.stdout, run.stderr).chars().filter(odd).collect();
        assert!(found.is_empty(), "{}: {found:?}", run.line);
    }
    // JSON keeps the characters, escaped
    let run = run(folder.path(), "copal extract page.html --format pages");
    assert!(!run.stdout.contains('\u{1b}'));
    let page: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(page["regions"][0]["records"][0]["fields"]["title"], format!("It{odd}em 1"));
}

#[test]
fn the_ending_of_the_output_says_its_format() {
    for (file, format) in [
        ("a.csv", "csv"),
        ("a.json", "json"),
        ("a.jsonl", "records"),
        ("a.ndjson", "records"),
        ("a.md", "markdown"),
        ("a.xml", "rss"),
        ("a.rss", "rss"),
        ("a.txt", "table"),
        ("a.html", "html"),
        ("a.htm", "html"),
    ] {
        let folder = shop();
        let to_file = run(folder.path(), &format!("copal extract shop.html -o {file}"));
        let summary = format!("{file}: 4 records, 6 columns\n");
        assert_eq!((to_file.code, to_file.stdout.as_str(), to_file.stderr), (0, "", summary), "{file}");
        let printed = run(folder.path(), &format!("copal extract shop.html --format {format}"));
        assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), printed.stdout, "{file}");
        let forced = run(folder.path(), "copal extract shop.html --format csv -o forced.json");
        assert_eq!(forced.code, 0);
        let csv = fs::read_to_string(folder.path().join("forced.json")).unwrap();
        assert!(csv.contains("/lamp/1,Blue lamp,") && !csv.starts_with('{'), "{csv}");
    }
}

#[test]
fn files_are_replaced_atomically() {
    let folder = shop();
    let path = folder.path().join("list.csv");
    fs::write(&path, "old\n").unwrap();
    let (old, mut reader) = (fs::metadata(&path).unwrap().ino(), fs::File::open(&path).unwrap());
    assert_eq!(run(folder.path(), "copal extract shop.html -o list.csv").code, 0);
    assert_ne!(fs::metadata(&path).unwrap().ino(), old, "written in place");
    let mut kept = String::new();
    reader.read_to_string(&mut kept).unwrap();
    assert_eq!(kept, "old\n", "who has the old file open still reads it");
    assert!(fs::read_to_string(&path).unwrap().contains("Blue lamp"));
    assert_eq!(names(folder.path()), ["list.csv", "shop.html"]);
}

#[test]
fn the_old_file_stays_when_a_run_fails() {
    let folder = folder(&[("long.html", long_page(2000).as_bytes()), ("list.csv", b"old\n")]);
    // the limit on file size is 0 bytes, which fails like a full disk
    let line = "trap '' XFSZ; ulimit -f 0; copal extract long.html -o list.csv";
    let full = run(folder.path(), line);
    assert_eq!(full.code, 3, "{full:?}");
    assert!(full.stderr.starts_with("error: cannot write list.csv: "), "{}", full.stderr);
    // nothing to write
    let missing = run(folder.path(), "copal extract missing.html -o list.csv");
    assert_eq!(missing.code, 3);
    assert_eq!(fs::read_to_string(folder.path().join("list.csv")).unwrap(), "old\n");
    assert_eq!(names(folder.path()), ["list.csv", "long.html"]);
}

#[test]
fn files_have_the_permissions_of_other_new_files() {
    let folder = shop();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    for (mask, wanted) in [("022", 0o644), ("002", 0o664), ("077", 0o600)] {
        let line = format!("umask {mask}; copal extract shop.html -o mask-{mask}.csv");
        assert_eq!(run(folder.path(), &line).code, 0);
        assert_eq!(mode(&format!("mask-{mask}.csv")), wanted, "umask {mask}");
    }
    // an existing file keeps its permissions
    run(folder.path(), "umask 022; copal extract shop.html -o mask-077.csv");
    assert_eq!(mode("mask-077.csv"), 0o600);
}

#[test]
fn links_and_pipes_are_written_through() {
    let folder = shop();
    fs::create_dir(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("data/today.csv"), "old\n").unwrap();
    symlink("data/today.csv", folder.path().join("latest.csv")).unwrap();
    assert_eq!(run(folder.path(), "copal extract shop.html -o latest.csv").code, 0);
    assert!(folder.path().join("latest.csv").is_symlink());
    assert!(fs::read_to_string(folder.path().join("data/today.csv")).unwrap().contains("Blue lamp"));
    let piped = run(folder.path(), "copal extract shop.html --format csv -o /dev/stdout | cat");
    assert!(piped.stdout.contains("Blue lamp"), "{piped:?}");
}

/// `copal … | head -1`.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = folder(&[("long.html", long_page(5000).as_bytes())]);
    for format in ["table", "json", "pages", "records", "csv", "markdown"] {
        for lines in [0, 1] {
            let mut child = shell(folder.path(), &format!("exec copal extract long.html --format {format}"))
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut out = BufReader::with_capacity(64, child.stdout.take().unwrap());
            for _ in 0..lines {
                out.by_ref().take(1000).read_until(b'\n', &mut Vec::new()).unwrap();
            }
            drop(out);
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(
                (output.status.code(), stderr.as_str()),
                (Some(0), ""),
                "{format} after {lines} lines"
            );
        }
    }
}

/// Runs a command line on a terminal with `columns` columns, which `script` provides. `None` if `script` is
/// missing.
fn on_terminal(folder: &Path, columns: usize, line: &str) -> Option<String> {
    let file = folder.join("line.sh");
    let mut script = fs::File::create(file).unwrap();
    writeln!(script, "stty cols {columns} rows 30\n{line}").unwrap();
    let output = shell(folder, "script -qec 'sh line.sh' /dev/null")
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    // other systems have a different `script`, or none
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n"))
}

#[test]
fn only_terminals_without_no_color_get_colours() {
    let folder = shop();
    let Some(text) = on_terminal(folder.path(), 80, "copal extract missing.html; true") else { return };
    assert_eq!(text, "\u{1b}[31merror\u{1b}[0m: missing.html: no such file or folder\n");
    for value in ["1", "0", "true"] {
        let line = format!("NO_COLOR={value} copal extract missing.html; true");
        let text = on_terminal(folder.path(), 80, &line).unwrap();
        assert_eq!(text, "error: missing.html: no such file or folder\n");
    }
    // https://no-color.org: set and not empty
    let text = on_terminal(folder.path(), 80, "NO_COLOR= copal extract missing.html; true").unwrap();
    assert!(text.contains('\u{1b}'), "{text:?}");
    let text = on_terminal(folder.path(), 80, "NO_COLOR=1 copal extract --format xml x; true").unwrap();
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn a_terminal_shows_the_first_rows_and_says_so() {
    let folder = folder(&[("long.html", long_page(200).as_bytes())]);
    let Some(text) = on_terminal(folder.path(), 80, "copal extract long.html") else { return };
    assert_eq!(text.lines().filter(|line| line.starts_with('│')).count(), 51, "a header and 50 records");
    assert!(text.contains("first 50 of 200 records"), "{text}");
    assert!(text.contains("-o list.csv writes all"), "{text}");
    let piped = run(folder.path(), "copal extract long.html");
    assert_eq!(piped.stdout.lines().filter(|line| line.starts_with('│')).count(), 201);
}

#[test]
fn urls_and_images_are_shown_if_asked_for() {
    let folder = shop();
    let table = run(folder.path(), "copal extract shop.html").stdout;
    assert!(
        table.starts_with('┌') && table.lines().nth(1).unwrap().starts_with("│ title       ┆ price "),
        "{table}"
    );
    assert!(!table.contains("/lamp/1") && table.contains("--wide shows URLs and images"), "{table}");
    let wide = run(folder.path(), "copal extract shop.html --wide").stdout;
    assert!(wide.contains("/lamp/1") && !wide.contains("--wide"), "{wide}");
}

#[test]
fn a_table_fits_its_terminal() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("books.html", BOOKS.as_bytes())]);
    let thai = fs::read(root().join("testdata/pages/thai-shop/page.html")).unwrap();
    fs::write(folder.path().join("thai.html"), thai).unwrap();
    for columns in [20, 40, 60, 80, 120, 200] {
        let Some(text) = on_terminal(folder.path(), columns, "copal extract . --all --quiet") else { return };
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with(['┌', '│', '╞', '└'])).collect();
        assert!(lines.len() > 10, "{text}");
        let widest = lines.iter().map(|line| cells(line)).max().unwrap();
        assert!(widest <= columns, "{widest} cells on {columns}\n{text}");
        straight(&text);
    }
}
