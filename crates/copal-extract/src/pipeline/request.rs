//! What the user asks for.

use crate::lists::ListOptions;
use copal_domain::Domain;
use std::sync::Arc;

/// What pages are to be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum KindRequest {
    /// Every page is read as what it is.
    #[default]
    Auto,
    /// Every page is read as a list, even where an object is more likely.
    List,
    /// Every page is read as one object.
    Object,
}

/// What to look for on a page, and how.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Request {
    /// What pages are to be read as.
    pub kind: KindRequest,
    /// All lists of records, not only the main one.
    pub all: bool,
    /// With `all`: menus and other lists that hold no records as well.
    pub navigation: bool,
    /// Read the data that the page carries for its scripts, and add its fields to the records that show it. Without
    /// this it is only looked at if the page shows no main list at all.
    pub embedded: bool,
    /// Fill [`Answer::outline`](copal_model::Answer::outline): the page as a tree with its lists marked.
    pub outline: bool,
    /// Which method finds the lists, and its constants.
    pub lists: ListOptions,
}

impl Request {
    /// The domain that the records belong to.
    pub fn domain(&self) -> Option<&Arc<Domain>> {
        self.lists.amber.domain.as_ref()
    }
}
