//! Any snapshot of a browser: a page or nothing, in time, and within the limits.

#![no_main]
#![allow(dead_code, unreachable_pub)]

use copal_dom::Limits;
use libfuzzer_sys::fuzz_target;
use snapshot::page_from_snapshot;

// it needs neither the browser nor fetching: no reason to build them with a sanitizer
#[path = "../../crates/copal-render/src/captured.rs"]
mod captured;
#[path = "../../crates/copal-render/src/snapshot.rs"]
mod snapshot;

fuzz_target!(|data: &[u8]| {
    let mut limits = Limits::default();
    (limits.nodes, limits.depth) = (5_000, 100);
    if let Some(page) = page_from_snapshot(data, &limits) {
        assert!(page.tree.len() <= 5_000);
        let _ = page.text_of(0);
    }
});
