//! A list that continues over several pages, read as one.
//!
//! In: the first page with its list, then the other pages. Out: one [`Region`](copal_model::Region) with the
//! records of all pages. Every record is there once and knows its page. `record_template` finds the list on
//! a further page, even if only one record of it is there. There are two ways to combine the pages:
//!
//! - `joined_page` puts the records of all pages after those of the first one and aligns them together.
//!   Columns, types and names are then those of an uncut list.
//! - `append_region` combines finished tables by the names of their columns. This is for columns that
//!   alignment alone does not produce: attributes of a domain, and fields of embedded data.
//!
//! `shared_columns` gives one set of columns to pages that are given together and stay separate answers.
//!
//! Memory: the records, in batches of bounded size. Near-linear in the pages.

mod append_region;
mod joined_page;
mod kept_names;
mod multi_page_list;
mod record_template;
mod shared_columns;
#[cfg(test)]
mod tests;

pub use multi_page_list::{AddedRecords, MultiPageList};
pub use shared_columns::answer_set;
