//! The records of a page without their columns, for readers that align the columns themselves.
//!
//! In: a wrapper of [`learn_records`](crate::learn_records) and a page. Out: the records, if the first locators find them
//! and they look like those of the samples. The other locators are not tried: if the first ones fail, the page has
//! to be read in another way. O(elements).

use super::record_votes::records_by_locators;
use crate::format::Wrapper;
use crate::locate::ElementIndex;
use copal_dom::Page;
use copal_extract::Parts;

/// How well records must fit the fingerprint of the samples.
const MIN_LOCATED_FIT: f64 = 0.35;

/// The records of the main list; `None` if the page has none that look like those of the samples.
pub fn locate_records(wrapper: &Wrapper, page: &Page) -> Option<Vec<Parts>> {
    let rule = wrapper.pages.first()?;
    let record = rule.record.as_ref()?;
    let index = ElementIndex::new(&page.tree);
    let (_, mut parts) = records_by_locators(page, &index, rule.region.first()?, record, 0)?;
    let fingerprint = record.fingerprint.as_ref()?;
    fingerprint.retain(page, &mut parts);
    let fits = parts.len() > 1
        && fingerprint.is_alike(page, &parts)
        && !fingerprint.holds_several(page, &parts)
        && fingerprint.fit(page, &parts) >= MIN_LOCATED_FIT;
    (fits && !index.is_spent()).then_some(parts)
}
