//! How pages are shown.

use std::path::PathBuf;
use std::time::Duration;

/// How pages are shown.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RenderOptions {
    /// The browser's program; `None` finds one.
    pub browser: Option<PathBuf>,
    /// Use the browser's sandbox. Without it, a page that takes over the browser takes over the account.
    pub sandbox: bool,
    /// Load images, fonts and media: only pictures of the page need them.
    pub images: bool,
    /// Pages that are shown at the same time.
    pub max_tabs: usize,
    /// The longest wait for a page to become quiet.
    pub page_time: Duration,
    /// The pause between two actions on a page, such as scrolling.
    pub action_pause: Duration,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            browser: None,
            sandbox: true,
            images: false,
            max_tabs: 4,
            page_time: Duration::from_secs(20),
            action_pause: Duration::from_secs(1),
        }
    }
}
