//! A busy machine must not change what is read: the time limit counts the time that the parse itself takes.
#![cfg(any(target_os = "linux", target_os = "macos"))]
#![allow(clippy::unwrap_used, reason = "a test")]

use copal_dom::{Limits, Page, PageSource};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Threads per core that keep the machine busy. The wall clock runs about this many times faster than the
/// parse.
const BUSY_THREADS_PER_CORE: usize = 40;

fn read(html: &str, time: Duration) -> Page {
    let mut limits = Limits::default();
    limits.time = time;
    Page::from_bytes(html.as_bytes(), PageSource::default(), &limits).unwrap()
}

#[test]
fn a_busy_machine_reads_the_same_page() {
    let html = format!("<ul>{}</ul>", "<li><a href='/x'>One</a> <b>two</b> three".repeat(20_000));
    let start = Instant::now();
    let idle = read(&html, Duration::from_hours(1));
    // far more than the parse needs, far less than it waits below
    let limit = 10 * start.elapsed();
    assert!(idle.warnings.is_empty(), "{:?}", idle.warnings);

    let done = AtomicBool::new(false);
    let cores = thread::available_parallelism().map_or(2, usize::from);
    let busy = thread::scope(|scope| {
        for _ in 0..BUSY_THREADS_PER_CORE * cores {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let page = read(&html, limit);
        done.store(true, Ordering::Relaxed);
        page
    });
    assert!(busy.warnings.is_empty(), "{:?}", busy.warnings);
    assert_eq!(busy.tree.len(), idle.tree.len());
}
