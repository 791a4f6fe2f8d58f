//! A point of a crawl: after how much of which source a later run goes on.

use serde::{Deserialize, Serialize};

/// The last entry that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::commands::extract) struct CrawlPoint {
    /// The number of the source, from 0.
    pub(in crate::commands::extract) source: usize,
    /// Where its record begins.
    pub(in crate::commands::extract) position: u64,
    /// How many entries that begin there are done: archives that are compressed as a whole have all of them at 0.
    pub(in crate::commands::extract) entries: u64,
}

impl CrawlPoint {
    /// Moves to the next entry.
    pub(in crate::commands::extract) fn add(&mut self, position: u64) {
        if self.position == position {
            self.entries += 1;
        } else {
            (self.position, self.entries) = (position, 1);
        }
    }
}
