//! Bodies that never end: the page is cut at its limits, and the command needs less than 500 MB, whatever it
//! writes.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, shell};
use copal_testserver::{Response, Server};
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

const MAX_MEMORY_KB: usize = 500_000;

/// What is repeated: many short records, some of whose values have types, and nothing but text.
const REPEATED: [&str; 3] = ["<li>$1", "<li>Item <b>one</b>", "text "];

/// Runs a command line and returns its exit code and the peak of its memory, which the kernel keeps while the
/// process exists.
fn peak_memory(folder: &std::path::Path, line: &str, url: &str) -> (i32, usize) {
    // exec: the process is copal itself
    let mut command = shell(folder, &format!("exec {line}"));
    command.env("URL", url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let field = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = field.and_then(|field| field.split_whitespace().next()?.parse().ok());
        peak = peak.max(now.unwrap_or_default());
        if let Some(ended) = child.try_wait().unwrap() {
            return (ended.code().unwrap_or(-1), peak);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn endless_bodies_need_bounded_memory() {
    let server = Server::start(|request| {
        let number = request.path.strip_prefix('/').and_then(|number| number.parse::<usize>().ok());
        let Some(number) = number else { return copal_testserver::not_found() };
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html><ul>".to_vec();
        Response::Endless(head, REPEATED[number].repeat(1000).into_bytes())
    });
    for (number, repeated) in REPEATED.iter().enumerate() {
        for output in ["--format json --sources --all --explain -o out.json", "-o out.sqlite"] {
            let folder = folder(&[]);
            let line = format!("copal extract $URL --allow-private --delay 0 --no-cache {output}");
            let (code, peak) = peak_memory(folder.path(), &line, &server.url(&format!("/{number}")));
            println!("{repeated:?} {output}: {peak} KB");
            assert_eq!(code, 4, "{repeated} {output}");
            assert!(peak > 10_000, "{repeated} {output}: {peak} KB was not measured");
            assert!(peak < MAX_MEMORY_KB, "{repeated} {output}: {peak} KB");
        }
    }
}
