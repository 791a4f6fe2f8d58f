//! From a page to its answer: run a method, choose the primary region, read out texts, places and cells.
//!
//! In: a [`Page`] and [`Options`]. Out: an [`Answer`]. The cost beyond the method's is linear in the regions
//! that are returned.

use crate::data::embedded;
use crate::explain;
use crate::explain::outline;
use crate::lists::candidate::RankedLists;
use crate::lists::{ListOptions, find_with_signals};
use crate::paging;
use crate::signals::Signals;
use crate::table::confidence;
use crate::table::region::region;
use copal_dom::url::BaseUrl;
use copal_dom::{Page, xpath::XPaths};
use copal_model::{Answer, Method, Region, Role};

/// What to look for, and how.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// All regions, not the primary one alone.
    pub all: bool,
    /// With `all`: menus and other lists that are no records, too.
    pub navigation: bool,
    /// Read the data that the page carries for its scripts, and add its fields to the records that show it. Without this
    /// it is looked at only if the page shows no main list at all.
    pub embedded: bool,
    /// Show where on the page it is: fills [`Answer::outline`].
    pub outline: bool,
    /// Which method finds the lists, and its constants.
    pub lists: ListOptions,
}

/// Finds and reads out the lists of a page.
pub fn extract(page: &Page, options: &Options) -> Answer {
    extract_lists(page, options).0
}

/// The same, with the candidates that `combined` found, so that they need not be found again for the page's object.
pub fn extract_lists(page: &Page, options: &Options) -> (Answer, Option<RankedLists>) {
    let signals = Signals::new(page);
    let findings = find_with_signals(&signals, &options.lists);
    let wanted = |role: Role| match role {
        Role::Primary => true,
        Role::Secondary => options.all,
        Role::Navigation => options.all && options.navigation,
    };
    let xpaths = XPaths::new(&page.tree);
    let base = BaseUrl::of(page);
    let regions = findings.regions.iter().enumerate();
    let regions: Vec<Region> = regions
        .map(|(rank, found)| (findings.role(rank), findings.confidence(rank), found))
        .filter(|(role, _, _)| wanted(*role))
        .map(|(role, confidence, found)| {
            let mut region = region(page, (&xpaths, &base), found, options.lists.method, role);
            region.confidence = confidence;
            confidence::add(page, &mut region);
            region
        })
        .collect();
    let explanation = options.lists.explain.then(|| explain::explain(page, &options.lists, &findings));
    let mut warnings = page.warnings.clone();
    warnings.extend(findings.warnings.iter().cloned());
    let mut extraction = Answer { regions, warnings, explanation, ..Answer::default() };
    // a paper's system alone is asked for what the page shows
    let shows_none = findings.no_primary && options.lists.method == Method::Combined;
    if options.embedded || shows_none {
        embedded::add(&signals, options, (&xpaths, &base), &mut extraction);
    }
    let list = extraction.regions.iter().find(|region| region.role == Role::Primary);
    extraction.page = paging::page_info(page, list);
    if options.outline {
        extraction.outline =
            Some(outline::outline(page, &extraction.regions, extraction.explanation.as_ref()));
    }
    (extraction, (options.lists.method == Method::Combined).then_some(findings))
}
