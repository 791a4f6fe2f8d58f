//! Any robots.txt, any path: an answer, in time.

#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;
use robots::RobotsRules;

// it needs nothing but the standard library: no reason to build all of fetching with a sanitizer
#[path = "../../crates/copal-fetch/src/robots.rs"]
mod robots;

fuzz_target!(|data: &[u8]| {
    let (path, file) = data.split_at(data.len().min(64));
    let path = format!("/{}", String::from_utf8_lossy(path));
    let robots = RobotsRules::parse(file, "copal");
    let _ = (robots.allows(&path), robots.crawl_delay());
});
