//! Why following a list ended.

use std::fmt;

/// Why a list was not followed further.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// As many records were found as the first page announces.
    CounterReached,
    /// The last page has no next link.
    NoNextLink,
    /// The last page says that it is the last one, as in "page 5 of 5".
    LastPage,
    /// The last page has no next link, but says that it is page `page` of `pages`.
    MissingPages {
        /// The number of the page.
        page: u64,
        /// How many pages there are.
        pages: u64,
    },
    /// The next page has only records that are already known.
    NoNewRecords,
    /// The page at this URL has no list like the one that is followed.
    OtherPage(String),
    /// The data that the page's script loads has no more records.
    DataEnded,
    /// The next page was already read.
    Loop,
    /// The maximum number of pages was read.
    PageLimit,
    /// The next page could not be read, with the error message.
    Failed(String),
    /// The visit was stopped.
    Interrupted,
}

impl StopReason {
    /// True if the list is complete as far as its pages show.
    pub fn is_complete(&self) -> bool {
        matches!(
            self,
            StopReason::CounterReached
                | StopReason::NoNextLink
                | StopReason::LastPage
                | StopReason::NoNewRecords
                | StopReason::OtherPage(_)
                | StopReason::DataEnded
                | StopReason::Loop
        )
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::CounterReached => f.write_str("all announced records were found"),
            StopReason::NoNextLink => f.write_str("no link to a next page"),
            StopReason::LastPage => f.write_str("the last page says that none follows"),
            StopReason::MissingPages { page, pages } => {
                write!(f, "page {page} of {pages} has no link to a next page")
            }
            StopReason::NoNewRecords => f.write_str("the next page has no new records"),
            StopReason::OtherPage(url) => write!(f, "{url} has no similar list"),
            StopReason::DataEnded => f.write_str("the page's data has no more records"),
            StopReason::Loop => f.write_str("the next page was already read"),
            StopReason::PageLimit => f.write_str("the page limit was reached"),
            StopReason::Failed(message) => write!(f, "the next page could not be read: {message}"),
            StopReason::Interrupted => f.write_str("interrupted"),
        }
    }
}
