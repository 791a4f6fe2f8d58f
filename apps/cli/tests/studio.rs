//! The studio in a real browser: `copal serve` and a site with pages on loopback, playwright-core with Chromium.
//!
//! `make studio` (part of `make test`) installs playwright-core, axe-core and TypeScript into a folder of their own and
//! runs this file. `COPAL_STUDIO_PICTURES=folder` keeps pictures, also of tests that failed.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::root;
use copal_testserver::{Response, Server, html, not_found, response};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The folder in which the packages are installed.
fn packages() -> PathBuf {
    std::env::var_os("COPAL_STUDIO").map_or_else(|| root().join(".venv-studio"), PathBuf::from)
}

/// The program of the browser, by its path.
fn chromium() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
    let files = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file()).expect("a Chromium or Chrome is needed")
}

/// The pages of the tests, and those of the examples.
fn page(path: &str) -> Response {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/studio/pages");
    let file = match path.trim_start_matches('/') {
        "style.css" => {
            let css = ".grid { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1em } .card { padding: 1em }";
            return response("200 OK", "Content-Type: text/css\r\n", css);
        }
        "pixel.gif" => {
            let pixel = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\0;";
            return response("200 OK", "Content-Type: image/gif\r\n", pixel);
        }
        "drawing.svg" => {
            let drawing = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
            return response("200 OK", "Content-Type: image/png\r\n", drawing);
        }
        "shop.html" => root().join("examples/shop.html"),
        "jobs.html" => root().join("examples/jobs.html"),
        "thai.html" => root().join("examples/thai-news.html"),
        "places.html" => root().join("testdata/learn/1-cards.html"),
        "books/list.html" => root().join("testdata/objects/list.html"),
        own if own.starts_with("books/") => root().join("testdata/objects").join(own),
        own => scripts.join(own),
    };
    fs::read_to_string(file).map_or_else(|_| not_found(), |text| html(&text))
}

/// A service that is killed when it is dropped.
struct Studio {
    process: Child,
    url: String,
    folder: TempDir,
}

impl Studio {
    fn start(options: &[&str]) -> Studio {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_copal"))
            .args(["serve", "--port", "0", "--delay", "0", "--no-browser-sandbox", "--dir"])
            .arg(folder.path().join("workspace"))
            .args(options)
            .env_remove("COPAL_TOKEN")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
        let url = format!("http://{address}");
        // the pipe must not fill up
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        Studio { process, url, folder }
    }

    /// Runs a script with the studio and a site.
    fn run(&self, script: &str, site: &Server) {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/studio");
        // scripts find packages in the folders above them
        for entry in fs::read_dir(tests).unwrap().map(Result::unwrap) {
            if entry.path().extension().is_some_and(|ending| ending == "mjs") {
                fs::copy(entry.path(), self.folder.path().join(entry.file_name())).unwrap();
            }
        }
        // what an earlier studio saved
        fs::copy(root().join("testdata/older/draft.json"), self.folder.path().join("older-draft.json"))
            .unwrap();
        let link = self.folder.path().join("node_modules");
        if !link.exists() {
            symlink(packages().join("node_modules"), link).unwrap();
        }
        let pictures = std::env::var("COPAL_STUDIO_PICTURES").unwrap_or_default();
        let run = Command::new("node")
            .arg(self.folder.path().join(script))
            .args([&self.url, site.url("/").trim_end_matches('/')])
            .arg(chromium())
            .arg(pictures)
            .output()
            .unwrap();
        let (out, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success() && out.contains("ok "), "{out}\n{errors}");
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A list of reasons in the studio has words for every feature that may be one.
#[test]
fn the_studio_has_words_for_every_reason() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let features = read("crates/copal-extract/src/lists/features/vector.rs");
    let (_, features) = features.split_once("\nfeatures! {").unwrap();
    let (features, _) = features.split_once('}').unwrap();
    let names: Vec<String> =
        features.split('"').skip(1).step_by(2).map(|name| name.replace('_', " ")).collect();
    assert!(names.len() > 50, "{names:?}");
    let words = read("apps/service/studio/reasons.js");
    let missing: Vec<&String> =
        names.iter().filter(|name| !words.contains(&format!("\"{name}\": \""))).collect();
    assert_eq!(missing, Vec::<&String>::new());
}

#[test]
#[ignore = "needs TypeScript: make studio"]
fn the_scripts_have_the_types_that_they_state() {
    let config = root().join("apps/service/studio/jsconfig.json");
    let run = Command::new(packages().join("node_modules/.bin/tsc")).arg("-p").arg(config).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
#[ignore = "needs a browser: make studio"]
fn a_person_gets_from_a_page_to_data_by_clicks() {
    let site = Server::start(|request| page(&request.path));
    Studio::start(&["--allow-private"]).run("flows.mjs", &site);
}

#[test]
#[ignore = "needs a browser: make studio"]
fn pages_of_several_kinds_become_tables() {
    let site = Server::start(|request| page(&request.path));
    Studio::start(&["--allow-private"]).run("pages.mjs", &site);
}

#[test]
#[ignore = "needs a browser: make studio"]
fn keys_and_screen_readers_reach_everything() {
    let site = Server::start(|request| page(&request.path));
    Studio::start(&["--allow-private"]).run("access.mjs", &site);
}

#[test]
#[ignore = "needs a browser: make studio"]
fn answers_that_come_late_take_nothing_away() {
    let site = Server::start(|request| page(&request.path));
    Studio::start(&["--allow-private"]).run("late.mjs", &site);
}

#[test]
#[ignore = "needs a browser: make studio"]
fn hostile_pages_run_nothing_and_ask_for_nothing() {
    let site = Server::start(|request| page(&request.path));
    Studio::start(&["--allow-private"]).run("hostile.mjs", &site);
    assert_eq!(site.paths(), Vec::<String>::new());
}

#[test]
#[ignore = "needs a browser: make studio"]
fn forbidden_urls_are_not_connected_to() {
    let site = Server::start(|request| page(&request.path));
    Studio::start(&[]).run("forbidden.mjs", &site);
    assert_eq!(site.connections(), 0);
}
