//! The last stage: the answer that follows from what was found and decided. Roles become final here.
//!
//! In: an [`AnalysedPage`] and its [`PageDecision`]. Out: an [`Answer`]. Linear in the regions.

use super::analysis::AnalysedPage;
use super::kind::PageDecision;
use crate::data::embedded::EmbeddedFindings;
use crate::explain::outline;
use crate::paging;
use crate::request::Request;
use crate::requested_fields;
use crate::structure::line_text::LineIndex;
use crate::table::region_xpaths;
use copal_dom::Page;
use copal_model::{Answer, Object, Record, Region, Role};
use rustc_hash::FxHashSet;

/// Share of a list's records that must repeat fields of the object for the list to be its table of fields.
const REPEATED_FIELDS_SHARE: f64 = 0.8;

impl AnalysedPage {
    /// The answer for the page.
    pub fn assemble(self, page: &Page, mut decision: PageDecision, request: &Request) -> Answer {
        let AnalysedPage { mut regions, embedded, mut explanation, mut warnings, alternatives, .. } = self;
        if let Some(EmbeddedFindings { main_list, decisions, warnings: own, .. }) = embedded {
            warnings.extend(own);
            if let Some(explanation) = &mut explanation {
                explanation.reasons.splice(0..0, decisions);
            }
            if let Some(main_list) = main_list {
                regions =
                    if request.all { regions.into_iter().map(as_secondary).collect() } else { Vec::new() };
                regions.insert(0, main_list);
            }
        }
        region_xpaths::add_xpaths(page, &mut regions);
        let main_list = regions.iter().find(|region| region.role == Role::Primary);
        let info = paging::page_info(page, main_list);
        if let Some(object) = &mut decision.object {
            requested_fields::add_fields(page, object, &request.fields);
            regions = beside_object(regions, object);
        }
        let outline = request.outline.then(|| outline::outline(page, &LineIndex::new(page), &regions));
        Answer {
            page: info,
            kind: decision.kind,
            regions,
            warnings,
            explanation,
            outline,
            object: decision.object,
            followed: None,
            alternatives,
        }
    }
}

fn as_secondary(mut region: Region) -> Region {
    if region.role == Role::Primary {
        region.role = Role::Secondary;
    }
    region
}

/// The lists of a page that is about one object. They are about other things, so none of them is the main
/// list. All are kept except a list that only repeats the labels and values of the object.
fn beside_object(regions: Vec<Region>, object: &Object) -> Vec<Region> {
    let texts: FxHashSet<&str> =
        object.fields.iter().flat_map(|field| &field.texts).map(String::as_str).collect();
    let is_field = |record: &&Record| {
        let last = record.cells.iter().rev().find_map(|cell| cell.first());
        last.is_some_and(|text| texts.contains(text))
    };
    let repeats_fields = |list: &Region| {
        let repeated = list.records.iter().filter(is_field).count() as f64;
        list.role == Role::Primary && repeated >= REPEATED_FIELDS_SHARE * list.records.len() as f64
    };
    regions.into_iter().filter(|list| !repeats_fields(list)).map(as_secondary).collect()
}
