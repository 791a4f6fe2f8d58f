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
