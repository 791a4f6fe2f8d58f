//! A second look at a page on which nothing sure was found: lists that are hidden until a script shows them.
//!
//! In: a page. Out: a list whose records inline styles or the attribute `hidden` hide, as in tabs, accordions
//! and tables that a script shows when they are complete. Pages hide other things too (menus, dialogs, lists
//! of languages), so the list must clearly be the main one if everything is shown. Costs as much as the first
//! look, and nothing if the page hides little text.

use crate::lists::find_with_signals;
use crate::request::Request;
use crate::signals::Signals;
use crate::table::build_region::{PageContext, build_region};
use crate::table::{confidence, section_column};
use copal_dom::Page;
use copal_model::{Method, Object, Origin, Parts, Region, Role};

/// Minimum number of hidden characters that are worth a second look.
const MIN_HIDDEN_CHARS: u32 = 200;
/// Larger pages are not looked at twice: the second look needs a copy of the tree.
const MAX_REVEALED_NODES: usize = 300_000;

/// Most probable object that a hidden list can still replace.
const MAX_OBJECT_PROBABILITY: f64 = 0.7;

/// The main list of a page if that is hidden, and more probable than the object that the page shows.
pub(super) fn hidden_main_list(page: &Page, object: Option<&Object>, request: &Request) -> Option<Region> {
    let object_probability = object.map_or(0.0, |object| object.kind_confidence);
    if object_probability >= MAX_OBJECT_PROBABILITY {
        return None;
    }
    // a single method only reads what the page shows, as in its paper
    let is_combined = request.lists.method == Method::Combined && request.choice.is_none();
    if !is_combined || page.tree.len() > MAX_REVEALED_NODES {
        return None;
    }
    let revealed = page.with_hidden_content(MIN_HIDDEN_CHARS)?;
    let signals = Signals::new(&revealed);
    let ranked = find_with_signals(&signals, &request.lists);
    let rank = (0..ranked.regions.len()).find(|&rank| ranked.role(rank) == Role::Primary)?;
    if ranked.main_probability.is_some_and(|probability| probability <= object_probability) {
        return None;
    }
    let found = &ranked.regions[rank];
    let is_hidden = |parts: &&Parts| parts.iter().all(|part| page.index.leaves(part) == 0);
    let hidden = found.records.iter().filter(is_hidden).count();
    if 2 * hidden <= found.records.len() || signals.zones().is_navigation(found.root) {
        return None;
    }
    let context = PageContext::new(&revealed);
    let mut region = build_region(&context, found, request.lists.method, Role::Primary);
    region.confidence = ranked.confidence(rank);
    confidence::set_confidences(&revealed, &mut region);
    section_column::add_section_column(&revealed, &mut region);
    region.origin = Origin::Hidden;
    Some(region)
}
