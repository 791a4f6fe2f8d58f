//! What the tests of the lab share: command lines run in a folder, temporary folders, two small pages.

// each test file is a crate of its own and uses only some of this
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Four lamps with prices.
pub(crate) const SHOP: &str = r#"<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Lamp shop</title></head><body>
<h1>Lamps</h1><div class="lamps">
<div class="lamp"><h2><a href="/lamp/1">Blue lamp</a></h2><p>Small, round and blue</p>
<span class="price">£12</span></div>
<div class="lamp"><h2><a href="/lamp/2">Red lamp</a></h2><p>Tall and red</p>
<span class="price">£14</span></div>
<div class="lamp"><h2><a href="/lamp/3">Green lamp</a></h2><p>At home and at work</p>
<span class="price">£9</span></div>
<div class="lamp"><h2><a href="/lamp/4">Plain lamp</a></h2><p>With one bulb</p>
<span class="price">£7</span></div>
</div></body></html>
"#;

/// A page without a list.
pub(crate) const ARTICLE: &str = "<!DOCTYPE html><html lang=\"en\"><title>On lamps</title>
<article><h1>On lamps</h1>
<p>A lamp gives light. People have made lamps for a very long time,
of clay first and of glass much later.</p>
<p>Oil was burnt in them, then gas. Today most of them are electric, and few people
know how to trim a wick.</p></article>";

/// How a command ended, and what it wrote.
#[derive(Debug)]
pub(crate) struct FinishedRun {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a `copal-lab` command line in a folder. Arguments are separated by white space.
pub(crate) fn run(folder: &Path, line: &str) -> FinishedRun {
    let arguments = line.strip_prefix("copal-lab").expect("a command line of copal-lab").split_whitespace();
    let output = Command::new(env!("CARGO_BIN_EXE_copal-lab"))
        .args(arguments)
        .current_dir(folder)
        .env("COLUMNS", "120")
        .output()
        .expect("copal-lab runs");
    FinishedRun {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A temporary folder with files; folders on the way are created.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is created");
        fs::write(path, bytes).expect("the file is written");
    }
    folder
}
