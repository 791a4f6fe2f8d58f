//! Why a page could not be shown.

use std::time::Duration;

use copal_fetch::FetchError;

/// Why a page could not be shown in the browser.
#[allow(missing_docs)]
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// No browser is installed.
    #[error(
        "--render needs a Chromium or Chrome, and none was found: see copal doctor, or name one with --browser"
    )]
    NoBrowser,
    /// The browser that was asked for is not there.
    #[error("{path} is not a program that can be started: {reason}")]
    NotStarted { path: String, reason: String },
    /// The browser ended before it was ready.
    #[error("the browser did not start: {reason}")]
    Start { reason: String },
    /// The browser refuses to run as root with its sandbox.
    #[error(
        "the browser does not run with its sandbox here: run as another user, or use --no-browser-sandbox"
    )]
    Sandbox,
    /// The browser ended or crashed while it showed the page.
    #[error("the browser crashed while it showed the page")]
    Crashed,
    /// The browser did not answer.
    #[error("the browser did not answer within {} seconds ({what})", .after.as_secs_f32())]
    Timeout { what: &'static str, after: Duration },
    /// The browser answered with an error.
    #[error("the browser could not show the page: {reason}")]
    Browser { reason: String },
    /// The page's snapshot is larger than the browser's messages may be.
    #[error("the page is too large for the browser's answer (more than {limit} bytes)")]
    TooLarge { limit: usize },
    /// The run was interrupted.
    #[error("interrupted")]
    Stopped,
    /// The page itself could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
}

impl RenderError {
    /// True if another browser could show the page.
    pub(crate) fn may_be_repeated(&self) -> bool {
        matches!(self, Self::Crashed)
    }
}
