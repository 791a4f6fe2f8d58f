//! Repair: a wrapper that reads its pages again after the site has changed.
//!
//! In: a [`Wrapper`] and pages as they are now. Out: a new revision of it with a list of the changes, or the
//! reason why there is none. [`promote`] is tried first, because it only reorders locators; [`renew`] learns
//! new ones for lists, [`renew_objects`] for detail pages and [`renew_section`] for sections.

mod changes;
mod column_match;
mod promote;
mod renew;
mod renew_objects;
mod renew_section;
mod repair_error;
mod resemblance;

pub use changes::{RepairChange, Repaired, with_mended_navigation};
pub use repair_error::RepairError;
pub use resemblance::{Resemblance, resemblance, shared_examples};

use crate::drift::check;
use crate::format::{PageKind, Wrapper};
use copal_dom::Page;
use promote::promote;
use renew::renew_list;
use renew_objects::renew_objects;
use renew_section::renew_section;

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
    renew_by_kind(wrapper, pages, min_pages)
}

/// Learns again what the wrapper reads: its list, its objects, its section, in the order of its rules.
fn renew_by_kind(wrapper: &Wrapper, pages: &[&Page], min_pages: usize) -> Result<Repaired, RepairError> {
    let mut kinds: Vec<PageKind> = Vec::new();
    for rule in &wrapper.pages {
        if !kinds.contains(&rule.kind) {
            kinds.push(rule.kind);
        }
    }
    let mut error = RepairError::NoSimilarList;
    for (number, kind) in kinds.into_iter().enumerate() {
        let renewed = match kind {
            PageKind::List => renew_list(wrapper, pages, min_pages),
            PageKind::Detail => renew_objects(wrapper, pages, min_pages),
            PageKind::Section => renew_section(wrapper, pages, min_pages),
        };
        match renewed {
            Ok(repaired) => return Ok(repaired),
            // The first rule is what the wrapper is mostly for.
            Err(one) if number == 0 => error = one,
            Err(_) => {}
        }
    }
    Err(error)
}
