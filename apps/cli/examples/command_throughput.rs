//! How many pages a second the whole command reads from loopback, without pauses, next to curl, which only
//! fetches.
//!
//! `cargo run --release -p copal-cli --example command_throughput COPAL [pages] [servers]`
//!
//! Each server counts as a host of its own: copal asks each for one page at a time, and reads what comes on
//! all cores. curl has as many connections as there are servers.

#![allow(clippy::unwrap_used)]

use copal_testserver::{Server, html};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let copal = fs::canonicalize(arguments.next().expect("the path of copal")).expect("the path of copal");
    let mut number = |default| arguments.next().map_or(default, |text| text.parse().expect("a number"));
    let (pages, servers): (usize, usize) = (number(2000), number(8));
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shop.html")).unwrap();
    let bytes = page.len();
    let servers: Vec<Server> = (0..servers)
        .map(|_| {
            let page = page.clone();
            Server::start(move |_| html(&page))
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let (mut addresses, mut config) = (String::new(), String::new());
    for page in 0..pages {
        let url = servers[page % servers.len()].url(&format!("/{page}"));
        writeln!(addresses, "{url}").unwrap();
        writeln!(config, "url = {url}\noutput = /dev/null").unwrap();
    }
    let (list, curl) = (folder.path().join("addresses"), folder.path().join("curl"));
    fs::write(&list, addresses).unwrap();
    fs::write(&curl, config).unwrap();
    let report = |name: &str, command: &mut Command| {
        let out = File::create(folder.path().join("out")).unwrap();
        let began = Instant::now();
        match command.stdout(out).status() {
            Ok(status) if status.success() => {
                let rate = pages as f64 / began.elapsed().as_secs_f64();
                println!("{name}: {rate:.0} pages/s of {bytes} bytes, {} hosts", servers.len());
            }
            other => println!("{name} did not run: {other:?}"),
        }
    };
    for _ in 0..3 {
        let options =
            ["--allow-private", "--delay", "0", "--ignore-robots", "--no-cache", "--format", "pages"];
        report(
            "copal extract --urls",
            Command::new(&copal).arg("extract").args(options).arg("--urls").arg(&list),
        );
        let parallel = ["-s", "--no-progress-meter", "--noproxy", "*", "--parallel", "--parallel-max"];
        let connections = servers.len().to_string();
        report("curl --parallel", Command::new("curl").args(parallel).arg(connections).arg("-K").arg(&curl));
    }
}
