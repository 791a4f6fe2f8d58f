//! How far a visit has come.

use copal_extract::{Answer, Counter};

/// Receives the records of each page of a list while the list is read.
pub(crate) type PageSink<'a> = &'a (dyn Fn(Answer) + Sync);

/// How far a visit has come, reported after each page.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct VisitProgress {
    /// The page of the list that was read last. While detail pages are read, the first page.
    pub url: String,
    /// Pages of the list so far.
    pub pages: usize,
    /// Records so far.
    pub records: usize,
    /// Number of records that the first page announces.
    pub announced: Option<Counter>,
    /// Set while detail pages are read.
    pub details: Option<DetailProgress>,
}

/// How many detail pages were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DetailProgress {
    /// Object pages so far.
    pub read: usize,
    /// Object pages in total.
    pub total: usize,
}
