//! Any snapshot of a browser: a page or nothing, in time, and within the limits.

use crate::browser_snapshot::page_from_snapshot;
use copal_dom::Limits;

pub(crate) fn check(data: &[u8]) {
    let mut limits = Limits::default();
    (limits.nodes, limits.depth) = (5_000, 100);
    if let Some(page) = page_from_snapshot(data, &limits) {
        assert!(page.tree.len() <= 5_000);
        let _ = page.text_of(0);
    }
}
