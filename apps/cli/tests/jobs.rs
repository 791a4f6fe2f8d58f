//! The same folder of generated pages gives the same bytes, whatever the number of jobs.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;
// this test does not use everything in the module
#[allow(dead_code)]
#[path = "../../../crates/copal/tests/generated/mod.rs"]
mod generated;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

#[test]
fn jobs_change_nothing() {
    let mut runner = TestRunner::deterministic();
    let mut page = || generated::page().new_tree(&mut runner).unwrap().current().html;
    let pages: Vec<(String, String)> = (0..150).map(|i| (format!("pages/{i}.html"), page())).collect();
    let files: Vec<(&str, &[u8])> =
        pages.iter().map(|(name, html)| (name.as_str(), html.as_bytes())).collect();
    let folder = common::folder(&files);
    for format in ["pages", "csv", "records"] {
        let line = format!("copal extract pages --all --navigation --embedded --quiet --format {format}");
        let [one, four] = ["-j 1", "-j 4"].map(|jobs| common::run(folder.path(), &format!("{line} {jobs}")));
        assert!(one.stdout.lines().count() >= pages.len(), "{format}: {}", one.stderr);
        assert_eq!((one.code, &one.stderr), (four.code, &four.stderr));
        assert!(one.stdout == four.stdout, "{format} differs with four jobs");
    }
}

/// A page of one book.
fn book(n: usize) -> String {
    format!(
        "<title>The tale of the {n} foxes - Book house</title><nav><a href=/>Home</a></nav>\
         <main><h1>The tale of the {n} foxes</h1><dl><dt>Pages</dt><dd>{}</dd><dt>Publisher</dt><dd>Fox & Den {n}</dd>\
         <dt>ISBN</dt><dd>978014143954{}</dd></dl><p>Once {n} foxes lived under the old oak in the great snow.</p></main>",
        100 + 17 * n,
        n % 10
    )
}

#[test]
fn a_list_is_joined_with_pages_that_were_read_long_before_and_after_it() {
    const BOOKS: usize = 180;
    let item = |n: usize| {
        format!("<li><h3><a href='{n:03}.html'>The tale of the {n} foxes</a></h3><i>£{n}.00</i></li>")
    };
    let list = format!("<title>Books</title><ul>{}</ul>", (0..BOOKS).map(item).collect::<String>());
    let mut pages: Vec<(String, String)> =
        (0..BOOKS).map(|n| (format!("books/{n:03}.html"), book(n))).collect();
    // in the middle of the names
    pages.push(("books/089-list.html".to_owned(), list));
    pages.push(("books/010-data.json".to_owned(), r#"[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]"#.to_owned()));
    pages.push(("books/150-empty.html".to_owned(), String::new()));
    let files: Vec<(&str, &[u8])> =
        pages.iter().map(|(name, html)| (name.as_str(), html.as_bytes())).collect();
    let folder = common::folder(&files);
    let said = format!("{BOOKS} of 183 pages were joined to the records that link to them");
    for options in ["-j 1", "-j 4", "-j 2 --isolate"] {
        let run =
            common::run(folder.path(), &format!("copal extract books/* --kind auto --format csv {options}"));
        assert!(run.stderr.contains(&said), "{options}: {}", run.stderr);
        let isbns = run.stdout.lines().filter(|line| line.contains("978014143954")).count();
        assert_eq!(isbns, BOOKS, "{options}: {}", run.stdout);
        let every = common::run(folder.path(), &format!("copal extract books/* --format pages {options}"));
        // pages that were joined are there as well, in the order of the files; the empty one is an error
        let names: Vec<&str> = every
            .stdout
            .lines()
            .filter_map(|line| line.split('"').find(|text| text.contains("books/")))
            .collect();
        assert_eq!(names.len(), BOOKS + 2, "{options}");
        assert!(names.is_sorted(), "{options}: {names:?}");
    }
}
