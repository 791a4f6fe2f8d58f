//! The bounded parser must build the tree that plain html5ever builds, whatever the page and the chunk size.
//!
//! Both trees are compared by their HTML and by an outline that says more than the HTML does (depth,
//! namespace, adjacent texts). The pages are generated ones, those below `testdata`, and those below the
//! folders in the environment variable `COPAL_CORPUS` (separated like those in `PATH`).

#[path = "../common/mod.rs"]
mod common;
mod generate;
mod reference;

use common::check_arena;
use copal_dom::{Limits, Tree, decode, parse, serialise};
use generate::{ATTRIBUTES, PIECES, page};
use proptest::prelude::*;
use reference::Naive;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn outline(tree: &Tree) -> Vec<String> {
    let line = |node| {
        let depth = tree.depth(node);
        if tree.is_text(node) {
            return format!("{depth} {:?}", tree.raw_text(node));
        }
        let attrs: Vec<(&str, &str)> = tree.attributes(node).collect();
        format!("{depth} {} {} {attrs:?}", tree.tag_name(node), tree.is_foreign(node))
    };
    tree.nodes().map(line).collect()
}

/// The default limits without a real time limit: a busy machine must not change a result.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.time = Duration::from_hours(1);
    limits
}

/// Describes the first difference between the reference and our tree.
fn compare(text: &str, chunks: impl IntoIterator<Item = usize>) -> Result<(), String> {
    let (tree, hit) = parse::parse(text, &limits());
    if !hit.is_empty() {
        return Err(format!("limits were hit: {hit:?}"));
    }
    check_arena(&tree);
    let naive = Naive::parse(text);
    let ours = outline(&tree);
    same_lines(&ours, &naive.outline())?;
    if serialise::html(&tree, 0) != naive.html() {
        return Err("equal outlines, but not equal HTML".into());
    }
    for chunk in chunks {
        let (tree, hit) = parse::parse_chunked(text, &limits(), chunk);
        if !hit.is_empty() {
            return Err(format!("limits were hit in chunks of {chunk}: {hit:?}"));
        }
        check_arena(&tree);
        same_lines(&outline(&tree), &ours).map_err(|error| format!("in chunks of {chunk}, {error}"))?;
    }
    Ok(())
}

fn same_lines(got: &[String], want: &[String]) -> Result<(), String> {
    if got == want {
        return Ok(());
    }
    let at = got.iter().zip(want).take_while(|(a, b)| a == b).count();
    let show = |lines: &[String]| {
        let line = lines.get(at).map_or("nothing", String::as_str);
        line.chars().take(300).collect::<String>()
    };
    Err(format!("node {at}: got {}, expected {}", show(got), show(want)))
}

/// More than the default, because a case takes a tenth of a millisecond. `PROPTEST_CASES` may ask for even
/// more.
fn many_cases() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(10_000), failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(many_cases())]

    #[test]
    fn generated_pages_give_the_same_tree(text in page(), chunk in 4..70_usize) {
        if let Err(error) = compare(&text, [chunk]) {
            return Err(TestCaseError::fail(format!("{error}\n{text:?}")));
        }
    }
}

/// Every piece of markup crosses the end of a chunk in every possible way.
#[test]
fn every_chunk_size_gives_the_same_tree() {
    let all: String = PIECES[..PIECES.len() - 1].iter().map(|piece| format!("{piece}<b>-</b>")).collect();
    let tags: String = ATTRIBUTES.iter().map(|attributes| format!("<p{attributes}>日")).collect();
    let marks =
        "\u{feff}<p>\u{feff}\u{feff}\u{feff}<script>\u{feff}</script>\u{feff}a&amp\u{feff};\r\r\n\n\r";
    let lines =
        "<pre>\r\n\r\n</pre><textarea>\r\r</textarea><p a='\r\n'>\r<!DOCTYPE\r\nhtml\r\nPUBLIC\r\n'x'>";
    for text in [&*all, &tags, marks, lines, &marks.repeat(20), &lines.repeat(20)] {
        if let Err(error) = compare(text, 4..=70) {
            panic!("{error}\n{text:?}");
        }
    }
}

/// All `.html` files below a folder, in order of their names.
fn html_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("html")) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Compares all pages below a folder and returns their number.
fn compare_files(folder: &Path) -> usize {
    let files = html_files(folder);
    let mut different = Vec::new();
    for file in &files {
        let bytes = std::fs::read(file).expect("a file that was listed");
        let text = match decode::decode(&bytes, None, Limits::default().bytes) {
            Ok(decoded) => decoded.text,
            Err(error) => {
                println!("{}: not read: {error}", file.display());
                continue;
            }
        };
        // one chunk size per page is enough: there are many pages
        if let Err(error) = compare(&text, [4 + text.len() % 67]) {
            different.push(format!("{}: {error}", file.display()));
        }
    }
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), files.len(), different.join("\n"));
    files.len()
}

#[test]
fn pages_of_the_test_data_give_the_same_tree() {
    compare_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata"));
}

#[test]
fn pages_of_the_corpora_give_the_same_tree() {
    let Some(folders) = std::env::var_os("COPAL_CORPUS") else { return };
    for folder in std::env::split_paths(&folders) {
        println!("{} pages below {}", compare_files(&folder), folder.display());
    }
}
