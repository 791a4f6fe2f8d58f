//! Why a site could not be explored.

use copal_site::SiteError;
use std::path::PathBuf;

/// Why records cannot be stored, as the one who stores them says.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// Why a site could not be explored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// The start URL is not an absolute HTTP URL.
    #[error("expected a URL that begins with http:// or https://, found {url}")]
    InvalidUrl {
        /// What was given.
        url: String,
    },
    /// The file of the frontier cannot be used.
    #[error("cannot use {}: {reason}", path.display())]
    Frontier {
        /// The file.
        path: PathBuf,
        /// What the database reports.
        reason: String,
    },
    /// The file of the frontier belongs to another version of copal.
    #[error("{} was written by another version of copal (layout {found}, expected {expected}): delete it to \
             start again", path.display())]
    FrontierVersion {
        /// The file.
        path: PathBuf,
        /// The version of its layout.
        found: i64,
        /// The version that this program writes.
        expected: i64,
    },
    /// Pages cannot be fetched at all.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// The records could not be stored.
    #[error("cannot store records: {0}")]
    Sink(#[source] SinkError),
    /// The start URL leads to a feed or another data document.
    #[error("expected a web page, found a data document: {url}")]
    DataDocument {
        /// The start URL.
        url: String,
    },
    /// The run was stopped before the start page arrived.
    #[error("the run was stopped")]
    Stopped,
}
