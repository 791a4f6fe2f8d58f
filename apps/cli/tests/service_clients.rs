//! The service with clients that others wrote: `copal mcp` with the official Python client, `copal serve` with
//! schemathesis, which generates requests from the `OpenAPI` document.
//!
//! `make service` (part of `make test`) installs both into a folder of their own and runs this file.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::root;
use copal_testserver::{Server, html};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Examples that schemathesis generates per endpoint.
const EXAMPLES: &str = "8";

/// The folder in which the clients are installed.
fn clients() -> PathBuf {
    std::env::var_os("COPAL_SERVICE").map_or_else(|| root().join(".venv-service"), PathBuf::from)
}

fn lamps() -> String {
    let lamp = |number: usize| {
        format!("<li><h2><a href=\"/lamp/{number}\">Lamp number {number}</a></h2><b>£{number}.50</b></li>")
    };
    let lamps: String = (1..=40).map(lamp).collect();
    format!("<!DOCTYPE html><title>Lamps</title><h1>Lamps</h1><ul class=\"lamps\">{lamps}</ul>")
}

#[test]
#[ignore = "needs the Python client: make service"]
fn agents_use_the_tools() {
    let site = Server::start(|_| html(&lamps()));
    let folder = tempfile::tempdir().unwrap();
    let (pages, workspace) = (folder.path().join("pages"), folder.path().join("workspace"));
    fs::create_dir(&pages).unwrap();
    fs::write(pages.join("list.html"), lamps()).unwrap();
    fs::copy(root().join("testdata/objects/books/1.html"), pages.join("object.html")).unwrap();
    fs::write(folder.path().join("secret.html"), lamps()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/service/mcp_client.py");
    let run = Command::new(clients().join("bin/python"))
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_copal"))
        .arg(site.url("/lamps"))
        .arg(&pages)
        .arg(&workspace)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && run.stdout.ends_with(b"ok\n"), "{errors}");
}

#[test]
#[ignore = "needs schemathesis: make service"]
fn generated_requests_get_answers_that_the_document_describes() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = Command::new(env!("CARGO_BIN_EXE_copal"))
        .args(["serve", "--port", "0", "--max-jobs", "1000", "--dir"])
        .arg(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(service.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
    let run = Command::new(clients().join("bin/schemathesis"))
        .current_dir(folder.path())
        .args(["run", &format!("http://{address}/openapi.json"), "--max-examples", EXAMPLES])
        .args(["--phases", "examples,coverage,fuzzing", "--seed", "1", "--generation-database", "none"])
        // what contradicts itself is refused, which a schema cannot say
        .args(["--exclude-checks", "positive_data_acceptance", "--request-timeout", "120"])
        .output();
    let _ = service.kill();
    let _ = service.wait();
    let run = run.unwrap();
    let report = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{report}\n{}", String::from_utf8_lossy(&run.stderr));
    assert!(report.contains("Tested: 36"), "{report}");
}
