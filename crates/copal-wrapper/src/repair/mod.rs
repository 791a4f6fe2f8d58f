//! Repair: a wrapper that reads its pages again after the site has changed.
//!
//! In: a [`Wrapper`] and pages as they are now. Out: a new revision of it with a list of the changes, or the
//! reason why there is none. [`promote`] is tried first, because it only reorders locators; [`renew`] learns
//! new ones.

mod changes;
mod column_match;
mod promote;
mod renew;
mod repair_error;

pub use changes::{RepairChange, Repaired};
pub use repair_error::RepairError;

use crate::drift::check;
use crate::format::Wrapper;
use copal_dom::Page;
use promote::promote;
use renew::renew;

/// How many pages a repair is verified on, unless the user says otherwise.
pub const DEFAULT_TEST_PAGES: usize = 3;

/// Repairs a wrapper with pages as they are now. The new revision must read at least `min_pages` of them
/// correctly.
pub fn repair(wrapper: &Wrapper, pages: &[&Page], min_pages: usize) -> Result<Repaired, RepairError> {
    let min_pages = min_pages.max(1);
    let state = check(wrapper, pages);
    if !state.drifted() && state.worn.is_empty() {
        return Err(RepairError::Healthy);
    }
    if pages.len() < min_pages {
        return Err(RepairError::TooFewPages { pages: pages.len(), min_pages });
    }
    if !state.drifted()
        && let Some(repaired) = promote(wrapper, pages, min_pages)
    {
        return Ok(repaired);
    }
    renew(wrapper, pages, min_pages)
}
