//! The demo in a real browser: from a static file server on loopback, and from a disk.
//!
//! `make demo-test` (part of `make test`) builds the page into `target/demo`, installs playwright-core and runs this
//! file.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use copal_testserver::{Server, not_found, response};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The program of the browser, by its path.
fn chromium() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
    let files =
        names.iter().flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file()).expect("a Chromium or Chrome is needed")
}

/// Runs the script with the address of the page.
fn run(address: &str) {
    let packages =
        std::env::var_os("COPAL_STUDIO").map_or_else(|| root().join(".venv-studio"), PathBuf::from);
    let folder = tempfile::tempdir().unwrap();
    // scripts find packages in the folders above them
    let script = folder.path().join("demo.mjs");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/demo.mjs"), &script).unwrap();
    let payloads = root().join("apps/cli/tests/studio/payloads.mjs");
    std::fs::copy(payloads, folder.path().join("payloads.mjs")).unwrap();
    symlink(packages.join("node_modules"), folder.path().join("node_modules")).unwrap();
    let run = Command::new("node").arg(script).arg(address).arg(chromium()).arg(root()).output().unwrap();
    let (out, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && out.contains("ok "), "{out}\n{errors}");
    print!("{out}");
}

#[test]
#[ignore = "needs the demo, Chromium and playwright-core: make demo-test"]
fn the_page_works_from_a_static_file_server() {
    let server = Server::start(|request| {
        let path = request.path.split('?').next().unwrap_or_default();
        let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
        let kind = match name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css",
            _ => "text/javascript",
        };
        std::fs::read_to_string(root().join("target/demo").join(name)).map_or_else(
            |_| not_found(),
            |text| response("200 OK", &format!("Content-Type: {kind}\r\n"), &text),
        )
    });
    run(&server.url("/"));
    let served = ["/", "/demo.css", "/demo.js", "/program.js"];
    let mut asked = server.paths();
    assert!(served.iter().all(|path| asked.iter().any(|asked| asked == path)), "{asked:?}");
    asked.retain(|path| !served.contains(&path.as_str()));
    assert!(asked.is_empty(), "the page asked for {asked:?}");
}

#[test]
#[ignore = "needs the demo, Chromium and playwright-core: make demo-test"]
fn the_page_works_from_a_disk() {
    run(&format!("file://{}", root().join("target/demo/index.html").display()));
}
