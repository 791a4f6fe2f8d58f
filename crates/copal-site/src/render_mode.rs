//! What a visit may do with a browser.

use std::sync::{Arc, Mutex, PoisonError};

/// Which pages are shown in a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderMode {
    /// Those that need it: empty without scripts, unsure, or with records missing.
    Auto,
    /// All.
    Always,
}

/// A page that is not fetched: it is shown in a browser as the page at its URL.
#[derive(Debug, Clone)]
pub struct SavedPage {
    /// Its `Content-Type`, with the charset if it is known.
    pub content_type: String,
    /// Its bytes.
    pub body: Vec<u8>,
}

/// Receives a picture of the first page that is shown in a browser. Clones are the same picture.
#[derive(Debug, Clone, Default)]
pub struct PagePicture {
    png: Arc<Mutex<Option<Vec<u8>>>>,
}

impl PagePicture {
    /// The picture as PNG; `None` if no page was shown.
    pub fn png(&self) -> Option<Vec<u8>> {
        self.png.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stores the picture that `take` takes, unless there is one already.
    #[cfg_attr(not(feature = "render"), allow(dead_code))]
    pub(crate) fn set_once<E>(&self, take: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<(), E> {
        let mut png = self.png.lock().unwrap_or_else(PoisonError::into_inner);
        if png.is_none() {
            *png = Some(take()?);
        }
        Ok(())
    }
}
