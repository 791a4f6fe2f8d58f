//! Applying a wrapper to a page.
//!
//! [`page`] chooses the rule and the records, [`regions`] and [`cells`] ask one locator, [`record_votes`] and
//! [`rows`] ask all of them where the first is not enough, and [`groups`] proposes records where no locator
//! finds them. [`located_records`] gives records without columns.

pub(crate) mod cells;
pub(crate) mod groups;
mod located_records;
mod next_page;
mod page;
pub(crate) mod record_votes;
pub(crate) mod regions;
mod rows;
mod section;

pub use located_records::{LocationFailure, locate_records};
pub use next_page::next_page;
pub use page::apply;
