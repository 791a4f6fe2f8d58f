//! Extracts whole lists from real applications that are filled with known records.
//!
//! `make apps` (part of `make test`) installs the applications into a folder of their own and runs this file.
//! The scripts in `applications/` create the data, serve it on a free port of loopback, and print the
//! expected records.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, root, run};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long to wait for an application. Even a slow machine needs less to fill one with data.
const START: Duration = Duration::from_mins(3);

/// The Python interpreter that has the applications installed.
fn python() -> PathBuf {
    std::env::var_os("COPAL_APPS").map_or_else(|| root().join(".venv-apps"), PathBuf::from).join("bin/python")
}

/// A running application. It is stopped when this value is dropped.
struct Application {
    child: Child,
    /// The URL of its list, and the expected records.
    truth: Value,
}

impl Application {
    fn start(script: &str, data: &Path) -> Application {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/applications");
        let mut child = Command::new(python())
            .arg(scripts.join(script))
            .arg(data)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error} (make apps installs it)", python().display()));
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            let _ = said.read_line(&mut line);
            let _ = sender.send(line);
        });
        let line = receiver.recv_timeout(START).unwrap_or_default();
        let truth = serde_json::from_str(&line).unwrap_or(Value::Null);
        let started = Application { child, truth };
        assert!(started.truth.is_object(), "{script} did not start: {line:?}");
        started
    }

    fn text(&self, name: &str) -> &str {
        self.truth[name].as_str().unwrap()
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Extracts the whole list of an application. Every record must occur once and in order, and the counter and
/// the number of pages must be right.
fn listed_whole(script: &str) {
    let folder = folder(&[]);
    let application = Application::start(script, folder.path());
    let url = application.text("url");
    let line = format!("copal extract '{url}' --allow-private --follow all --delay 0 --format json");
    let run = run(folder.path(), &line);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let truth = &application.truth;
    let list = &found["regions"][0];
    let records: Vec<&str> = list["records"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["fields"]["url"].as_str().unwrap())
        .collect();
    let wanted: Vec<&str> =
        truth["records"].as_array().unwrap().iter().map(|url| url.as_str().unwrap()).collect();
    assert_eq!(records, wanted, "{script}");
    assert_eq!(found["page"]["counter"], truth["counter"], "{script}");
    let pages = found["follow"]["pages"].as_array().unwrap().len();
    assert_eq!(Some(pages as u64), truth["pages"].as_u64(), "{script}");
    assert_eq!(found["follow"]["whole"], true);
    let all = wanted.len();
    assert!(run.stderr.contains(&format!("{all} records from {pages} pages (complete")), "{}", run.stderr);
}

#[test]
#[ignore = "needs Datasette: make apps"]
fn datasette() {
    listed_whole("datasette_app.py");
}

#[test]
#[ignore = "needs Roundup: make apps"]
fn roundup() {
    listed_whole("roundup_app.py");
}
