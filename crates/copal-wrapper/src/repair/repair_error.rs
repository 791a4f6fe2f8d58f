//! Why a wrapper was not repaired.
//!
//! It is a type of its own, because a caller treats these cases differently: the first one is good news.

use crate::error::WrapperError;

/// Why there is no new revision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// Nothing is broken.
    #[error("nothing to repair: the wrapper reads these pages correctly")]
    Healthy,
    /// A repair that was verified on fewer pages cannot be trusted.
    #[error("{pages} of the pages can be used: expected at least {min_pages} to verify a repair on")]
    TooFewPages {
        /// How many pages there are.
        pages: usize,
        /// How many are needed.
        min_pages: usize,
    },
    /// The list of the wrapper is not on the pages, or has changed too much.
    #[error(
        "no list on these pages is similar to that of the wrapper: \
         check that they are the right pages, then learn the wrapper again with `copal learn`"
    )]
    NoSimilarList,
    /// The fields of the wrapper are not on the pages.
    #[error(
        "no object on these pages has the fields of the wrapper: \
         check that they are the right pages, then learn the wrapper again with `copal learn`"
    )]
    NoSimilarObject,
    /// No part of the wrapper's pattern finds a single element on every page.
    #[error(
        "no section on these pages is similar to that of the wrapper: \
         learn it again with `copal learn --method deuds --select`"
    )]
    NoSimilarSection,
    /// The records or fields were found, but no wrapper could be learned from them.
    #[error("the data was found again, but {0}")]
    NotLearned(#[source] WrapperError),
    /// The new locators do not read enough pages.
    #[error(
        "the new locators read {verified} of {pages} pages as they were extracted: \
         give more pages, or learn the wrapper again with `copal learn`"
    )]
    NotVerified {
        /// Pages that are read correctly.
        verified: usize,
        /// Pages that were tried.
        pages: usize,
    },
}
