//! Measures how many pages per second are fetched from loopback without politeness, compared with curl on the
//! same server.
//!
//! `cargo run --release -p copal-fetch --example throughput [pages] [bytes per page]`

#![allow(clippy::unwrap_used)]

use std::process::{Command, Stdio};
use std::time::Instant;

use copal_fetch::{FetchOptions, Fetcher, Politeness, ProxySource};
use copal_testserver::{Server, html};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<usize>().expect("a number"));
    let (pages, bytes) = (numbers.next().unwrap_or(5000), numbers.next().unwrap_or(50_000));
    let body = "x".repeat(bytes);
    let server = Server::start(move |_| html(&body));
    let mut options = FetchOptions::default();
    options.allow_private = true;
    options.proxies = ProxySource::None;
    options.politeness = Politeness::Off;
    options.obey_robots = false;
    let fetcher = Fetcher::new(options).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let report = |name: &str, began: Instant| {
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "{name}: {:.0} pages/s, {:.0} MB/s",
            pages as f64 / seconds,
            (pages * bytes) as f64 / seconds / 1e6
        );
    };
    for _ in 0..3 {
        let began = Instant::now();
        runtime.block_on(async {
            for page in 0..pages {
                let page = fetcher.get(&server.url(&format!("/{page}"))).await.unwrap();
                assert_eq!(page.body.len(), bytes);
            }
        });
        report("copal-fetch, one connection", began);
        let began = Instant::now();
        let url = server.url(&format!("/[1-{pages}]"));
        let curl = Command::new("curl").args(["-s", "--noproxy", "*", &url]).stdout(Stdio::null()).status();
        match curl {
            Ok(status) if status.success() => report("curl, one connection", began),
            other => println!("curl did not run: {other:?}"),
        }
    }
}
