//! The records of a page without their columns, for readers that align the columns themselves.
//!
//! In: a wrapper of [`learn_records`](crate::learn_records) and a page. Out: the records, if the first locators find them
//! and they look like those of the samples. The other locators are not tried: if the first ones fail, the page has
//! to be read in another way. O(elements).

use super::record_votes::records_by_locators;
use crate::format::Wrapper;
use crate::locate::ElementIndex;
use crate::locate::fingerprint::Fingerprint;
use copal_dom::Page;
use copal_extract::Parts;

/// How well records must fit the fingerprint of the samples.
const MIN_LOCATED_FIT: f64 = 0.35;

/// Why a page has no records where a wrapper looks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocationFailure {
    /// The first locators find nothing.
    NotFound,
    /// What they find does not look like the records of the samples.
    Unlike,
}

/// The records of the main list, if the page has some that look like those of the samples.
pub fn locate_records(wrapper: &Wrapper, page: &Page) -> Result<Vec<Parts>, LocationFailure> {
    let index = ElementIndex::new(&page.tree);
    let (fingerprint, mut parts) = located(wrapper, page, &index).ok_or(LocationFailure::NotFound)?;
    fingerprint.retain(page, &mut parts);
    let fits = parts.len() > 1
        && fingerprint.is_alike(page, &parts)
        && !fingerprint.holds_several(page, &parts)
        && fingerprint.fit(page, &parts) >= MIN_LOCATED_FIT;
    if fits && !index.is_spent() { Ok(parts) } else { Err(LocationFailure::Unlike) }
}

/// What the first locators find, and what it should look like.
fn located<'w>(
    wrapper: &'w Wrapper,
    page: &Page,
    index: &ElementIndex<'_>,
) -> Option<(&'w Fingerprint, Vec<Parts>)> {
    let rule = wrapper.pages.first()?;
    let record = rule.record.as_ref()?;
    let (_, parts) = records_by_locators(page, index, rule.region.first()?, record, 0)?;
    Some((record.fingerprint.as_ref()?, parts))
}
