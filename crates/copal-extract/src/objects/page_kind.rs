//! What a page looks like: a list, one object, or neither.
//!
//! In: the [`ObjectSide`] of a page and its ranked lists. Out: a [`PageKind`] with its probability; the
//! pipeline decides with it. Both decisions are fitted: `object_or_nothing` says whether the page may be about an
//! object, and if it also has a list, `list_or_object` which of the two it is for. O(records * labels).

use super::list_or_object::list_over_object_probability;
use super::object_or_nothing::object_probability;
use super::object_side::ObjectSide;
use crate::lists::candidate::RankedLists;
use copal_dom::Page;
use copal_model::PageKind;

/// Probability from which a page may be about an object. Less than one half, because an object on a page about
/// nothing in particular costs less than a detail page that gives nothing.
const MIN_OBJECT: f64 = 0.3;

/// Probability of a list, from which a page that may also be an object is a list. Less than one half, because
/// whoever asks for a list can ignore a possible one, but gets nothing from a page that is taken for an object.
const MIN_LIST_OVER_OBJECT: f64 = 0.3;

/// The most probable kind of a page, with its probability.
pub(super) fn most_likely_kind(page: &Page, side: &ObjectSide<'_>, ranked: &RankedLists) -> (PageKind, f64) {
    let object = object_probability(side);
    match (ranked.has_main_list(), object >= MIN_OBJECT) {
        (true, true) => {
            let list = list_over_object_probability(page, side, ranked);
            if list > MIN_LIST_OVER_OBJECT { (PageKind::List, list) } else { (PageKind::Object, 1.0 - list) }
        }
        (true, false) => (PageKind::List, ranked.main_probability.unwrap_or(1.0 - object)),
        (false, true) => (PageKind::Object, object),
        (false, false) => (PageKind::Nothing, 1.0 - object),
    }
}
