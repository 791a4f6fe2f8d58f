//! Every stored input of fuzzing passes its check: the small corpus, and what once made a reader fail.

#![allow(clippy::unwrap_used)]

use copal_fuzz_checks::{FUZZ_CHECKS, try_all_variants};
use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

fn inputs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/inputs")
}

fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_stored_input_passes() {
    try_all_variants();
    let (mut count, mut failed) = (0, Vec::new());
    for (name, check) in FUZZ_CHECKS {
        let folder = inputs().join(name);
        for file in names_in(&folder) {
            let bytes = fs::read(folder.join(&file)).unwrap();
            count += 1;
            if catch_unwind(|| check(&bytes)).is_err() {
                failed.push(format!("{name}/{file}"));
            }
        }
    }
    assert!(count >= 5 * FUZZ_CHECKS.len(), "only {count} inputs");
    assert!(failed.is_empty(), "{} of {count} fail: {failed:?}", failed.len());
}

#[test]
fn every_check_has_inputs_and_every_folder_a_check() {
    let checks: BTreeSet<String> = FUZZ_CHECKS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let folders: BTreeSet<String> =
        names_in(&inputs()).into_iter().filter(|name| name != "README.md").collect();
    assert_eq!(checks, folders);
}
