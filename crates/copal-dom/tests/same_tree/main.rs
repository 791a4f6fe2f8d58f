//! The bounded parser must build the tree that plain html5ever builds.
//!
//! Both trees are compared by their HTML and by an outline that says more than the HTML does (depth,
//! namespace, adjacent texts). The pages are generated ones, those below `testdata`, the tests of html5lib
//! (`testdata/html5lib`), pages with mistakes in them, and those below the folders in the environment variable `COPAL_CORPUS` (separated
//! like those in `PATH`; with `COPAL_CORPUS_COUNT`, different pages are only counted).

#[path = "../common/mod.rs"]
mod common;
mod generate;
mod html5lib_trees;
mod mutate;
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
fn compare(text: &str) -> Result<(), String> {
    let (tree, hit) = parse::parse(text, &limits());
    if !hit.is_empty() {
        return Err(format!("limits were hit: {hit:?}"));
    }
    check_arena(&tree);
    let naive = Naive::parse(text);
    same_lines(&outline(&tree), &naive.outline())?;
    if serialise::html(&tree, 0) != naive.html() {
        return Err("equal outlines, but not equal HTML".into());
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
    fn generated_pages_give_the_same_tree(text in page()) {
        if let Err(error) = compare(&text) {
            return Err(TestCaseError::fail(format!("{error}\n{text:?}")));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000.max(ProptestConfig::default().cases), ..many_cases() })]

    #[test]
    fn pages_with_mistakes_give_the_same_tree(text in mutate::page_with_mistakes()) {
        if let Err(error) = compare(&text) {
            return Err(TestCaseError::fail(format!("{error}\n{text:?}")));
        }
    }
}

/// Every piece of markup, alone, between others, and cut off at every byte.
#[test]
fn cut_pieces_of_markup_give_the_same_tree() {
    let all: String = PIECES[..PIECES.len() - 1].iter().map(|piece| format!("{piece}<b>-</b>")).collect();
    let tags: String = ATTRIBUTES.iter().map(|attributes| format!("<p{attributes}>日")).collect();
    let marks =
        "\u{feff}<p>\u{feff}\u{feff}\u{feff}<script>\u{feff}</script>\u{feff}a&amp\u{feff};\r\r\n\n\r";
    let lines =
        "<pre>\r\n\r\n</pre><textarea>\r\r</textarea><p a='\r\n'>\r<!DOCTYPE\r\nhtml\r\nPUBLIC\r\n'x'>";
    let scripts = "<script><!-- <script>-</script>--></script><script><!--</script><script><!-- <SCRIPT/ \
                   </scrip </script/ -- > </script\n>x<script><!--<script --></script>";
    let foreign =
        "<svg><![CDATA[a]] ]]]>&amp;<title><b></title><style>&lt;</style><script>&lt;</script></svg>";
    for text in [&*all, &tags, marks, lines, scripts, foreign] {
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            if let Err(error) = compare(&text[..end]) {
                panic!("{error}\n{:?}", &text[..end]);
            }
        }
    }
}

/// The inputs of html5lib's tests of tree construction.
#[test]
fn html5lib_tests_give_the_same_tree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/html5lib/tree-construction");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of the tests") {
        let file = std::fs::read_to_string(entry.expect("an entry").path()).expect("a test file");
        for test in file.split("#data\n").skip(1) {
            let (text, _) = test.split_once("#errors\n").expect("the errors after the data");
            let text = text.strip_suffix('\n').unwrap_or(text);
            if let Err(error) = compare(text) {
                panic!("{error}\n{text:?}");
            }
            count += 1;
        }
    }
    assert!(count > 1300, "only {count} tests were found");
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
        if let Err(error) = compare(&text) {
            different.push(format!("{}: {error}", file.display()));
        }
    }
    if std::env::var_os("COPAL_CORPUS_COUNT").is_some() {
        different.fill(String::new());
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
