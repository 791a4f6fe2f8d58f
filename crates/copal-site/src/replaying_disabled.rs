//! Replaces `replaying` in a build without the feature `render`: no page is shown in a browser.

use copal_dom::Page;
use copal_extract::Region;
use copal_extract::multipage::MultiPageList;

use crate::page_opener::PageOpener;
use crate::rendering::OpenTab;
use crate::stop_reason::StopReason;

#[allow(dead_code)]
pub(crate) enum ReplayStep {
    Added { url: String, repeated: usize },
    Ended(StopReason),
    NotReplayed,
}

#[derive(Default)]
pub(crate) struct Replaying {
    pub(crate) pages: usize,
}

impl Replaying {
    #[allow(clippy::unused_self)]
    pub(crate) fn note_page(&mut self, _: &Page, _: Option<&Region>, tab: &OpenTab) {
        match *tab {}
    }

    #[allow(clippy::unused_self)]
    pub(crate) fn take_known_pages(&mut self) -> usize {
        0
    }

    #[allow(clippy::unused_async, clippy::unused_self)]
    pub(crate) async fn add_next(&mut self, _: &PageOpener, _: &mut MultiPageList) -> ReplayStep {
        ReplayStep::NotReplayed
    }
}
