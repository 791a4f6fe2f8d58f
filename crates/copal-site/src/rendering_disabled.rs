//! Replaces `rendering` in a build without the feature `render`: there is no browser.

use copal_dom::{Limits, Page};
use copal_extract::Region;
use copal_extract::multipage::MultiPageList;
use copal_fetch::Fetcher;

use crate::error::SiteError;
use crate::render_mode::{RenderMode, SavedPage};
use crate::stopper::Stopper;
use crate::suggested_search::{SuggestedSearch, SuggestionQuery};

/// Cannot be made: this build has no support for browsers.
#[derive(Debug, Clone)]
pub enum Rendering {}

impl Rendering {
    pub(crate) fn mode(&self) -> RenderMode {
        match *self {}
    }

    pub(crate) fn open(
        &self,
        _: &str,
        _: Option<&SavedPage>,
        _: &Fetcher,
        _: &Stopper,
        _: &Limits,
    ) -> Result<(Box<Page>, OpenTab), SiteError> {
        match *self {}
    }

    pub(crate) fn suggested_searches(
        &self,
        _: &str,
        _: SuggestionQuery<'_>,
        _: &Fetcher,
        _: &Stopper,
        _: &Limits,
    ) -> Result<Option<Vec<SuggestedSearch>>, SiteError> {
        match *self {}
    }
}

/// Cannot be made.
#[derive(Debug)]
pub(crate) enum OpenTab {}

impl OpenTab {
    pub(crate) fn note_list(&mut self, _: &Page, _: Option<&Region>) {
        match *self {}
    }

    pub(crate) fn note_known_pages(&mut self, _: usize) {
        match *self {}
    }

    pub(crate) fn advance(&mut self, _: &mut MultiPageList) -> Result<Option<Page>, SiteError> {
        match *self {}
    }
}
