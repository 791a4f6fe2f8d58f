//! Why a URL gives no document.

use std::panic::{AssertUnwindSafe, catch_unwind};

use copal_extract::ReadError;
use copal_fetch::FetchError;

/// Why a URL gives no document.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// The URL could not be fetched, or the fetcher could not be set up.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The content is neither a page nor a data document.
    #[error("{}", unreadable_message(.url, .reason))]
    Read {
        /// The URL of the document, after redirects.
        url: String,
        /// What the content is instead.
        reason: ReadError,
    },
    /// The page could not be shown in a browser.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Render(copal_render::RenderError),
    /// A bug in copal.
    #[error("internal error on {url}: please report it")]
    Internal {
        /// The URL of the page that triggers it.
        url: String,
    },
}

/// Runs work on one page and turns a panic into an error, so that a bug ends one page and not the whole run.
pub(crate) fn catch_panic<T>(url: &str, work: impl FnOnce() -> T) -> Result<T, SiteError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| SiteError::Internal { url: url.to_owned() })
}

/// Kinds of documents continue the sentence; other reasons are sentences of their own.
fn unreadable_message(url: &str, reason: &ReadError) -> String {
    match reason {
        ReadError::Kind(_) => format!("{url} is {reason}"),
        _ => format!("{url}: {reason}"),
    }
}

#[cfg(feature = "render")]
impl From<copal_render::RenderError> for SiteError {
    fn from(error: copal_render::RenderError) -> Self {
        match error {
            copal_render::RenderError::Fetch(error) => SiteError::Fetch(error),
            other => SiteError::Render(other),
        }
    }
}
