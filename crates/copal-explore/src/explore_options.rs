//! How a site is explored, and how far a run is. Data only.

use crate::crawl_traps::TrapBounds;
use crate::planner::SiteState;
use copal_domain::Domain;
use std::sync::Arc;
use std::time::Duration;

/// How a site is explored.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExploreOptions {
    /// What the records are.
    pub domain: Option<Arc<Domain>>,
    /// Bounds of the crawl.
    pub bounds: TrapBounds,
    /// Pages that are asked for in one run.
    pub max_pages: usize,
    /// Time of one run.
    pub max_time: Duration,
    /// Pages that are visited to explore.
    pub explore_pages: usize,
    /// Detail pages that are read in any case.
    pub max_details: usize,
    /// Fill in search forms.
    pub uses_forms: bool,
    /// If no number is announced, read the records a second way.
    pub reads_twice: bool,
    /// A frontier that was begun with another label is emptied.
    pub run_label: String,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        ExploreOptions {
            domain: None,
            bounds: TrapBounds::default(),
            max_pages: 2_000,
            max_time: Duration::from_hours(1),
            explore_pages: 40,
            max_details: 0,
            uses_forms: true,
            reads_twice: true,
            run_label: String::new(),
        }
    }
}

/// How far a run is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SiteProgress {
    /// What is being done.
    pub state: SiteState,
    /// Pages so far.
    pub pages: usize,
    /// Records so far.
    pub records: u64,
    /// Pages in the queue.
    pub queued: u64,
    /// Pages that could not be read.
    pub errors: usize,
    /// Seconds so far.
    pub seconds: f64,
    /// The page that was read last.
    pub url: String,
}
