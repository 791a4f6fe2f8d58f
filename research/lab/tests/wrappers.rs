//! The commands that measure wrappers run on our own corpus and write what their scripts expect.

#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, root, run};
use serde_json::Value;
use std::fs;

#[test]
fn survive_writes_a_line_per_reader_and_number_of_changes() {
    let run = run(&root(), "copal-lab survive testdata/corpus --pages 1");
    assert_eq!(run.code, 0, "{run:?}");
    let lines: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // the extraction before the changes, then eight readers after each of seven numbers of changes
    assert_eq!(lines.len(), 1 + 7 * 8);
    assert_eq!(lines[0]["way"], "extract");
    assert_eq!(lines[1]["texts"], lines[0]["texts"], "a wrapper reads its own page");
    let last = &lines[lines.len() - 1];
    assert_eq!((&last["mutations"], last["operators"].as_array().unwrap().len()), (&10.into(), 10));
}

#[test]
fn candidates_and_confidence_are_described() {
    let folder = folder(&[]);
    for (command, key) in [("candidates", "candidates"), ("confidence", "regions")] {
        let path = folder.path().join(command);
        let line =
            format!("copal-lab {command} testdata/corpus --only lists/own/en-jobs -o {}", path.display());
        let run = run(&root(), &line);
        assert_eq!(run.code, 0, "{run:?}");
        let text = fs::read_to_string(&path).unwrap();
        let page: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert!(!page[key].as_array().unwrap().is_empty(), "{command}");
        assert!(!page["names"].is_null() && page["error"].is_null(), "{command}");
    }
}

#[test]
fn across_and_tables_run() {
    let out = folder(&[]);
    let across = run(&root(), &format!("copal-lab across testdata/corpus {}", out.path().display()));
    assert_eq!(across.code, 0, "{across:?}");
    assert!(out.path().join("wrapper.jsonl").exists());
    assert_eq!(run(&root(), "copal-lab across-objects testdata/corpus").code, 0);
    assert_eq!(run(&root(), "copal-lab deuds-table testdata/corpus").code, 0);
}
