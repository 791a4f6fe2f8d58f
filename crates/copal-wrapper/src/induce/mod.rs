//! Induction: learning a wrapper from sample pages.
//!
//! [`lists`] learns from list pages, [`objects`] from detail pages and [`section`] from a section that a
//! person points at. [`candidates`] proposes selectors for an element; [`records`], [`columns`] and
//! [`navigation`] keep those that find on the samples what is known to be there. [`column_groups`] says which
//! columns of several samples are the same.

mod candidates;
mod cell_elements;
mod column_groups;
mod column_sample;
mod columns;
mod line_blocks;
mod lists;
mod navigation;
mod next_selectors;
mod objects;
mod records;
mod sample;
mod scored_locator;
mod section;
mod text_search;

pub(crate) use candidates::{best_of_families, names, selector_candidates};
pub use lists::{Learned, learn, learn_records};
pub(crate) use lists::{renew_fingerprint, renew_records};
pub use navigation::element_selectors;
pub use next_selectors::common_next_selectors;
pub use objects::learn_objects;
pub(crate) use objects::{objects_as_list, one_line};
pub use section::{learn_fields, learn_section};
