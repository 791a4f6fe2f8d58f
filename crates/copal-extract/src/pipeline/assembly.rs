//! The last stage: the answer that follows from what was found and decided. Roles become final here.
//!
//! In: an [`AnalysedPage`] and its [`PageDecision`]. Out: an [`Answer`]. Linear in the regions.

use super::analysis::AnalysedPage;
use super::hidden_content::hidden_main_list;
use super::impression::impression;
use super::kind::PageDecision;
use crate::data::embedded::EmbeddedFindings;
use crate::explain::field_reasons::field_reasons;
use crate::explain::{outline, picture_marks};
use crate::list_choice;
use crate::lists::candidate::RankedLists;
use crate::paging;
use crate::request::{KindRequest, Request};
use crate::requested_fields;
use crate::structure::line_text::LineIndex;
use crate::table::reread_dates::reread_object_dates;
use crate::table::{confidence, region_xpaths};
use copal_dom::{Page, Warning};
use copal_model::{Answer, Decision, Object, PageKind, Record, Region, Role};
use rustc_hash::FxHashSet;

/// Share of a list's records that must repeat fields of the object for the list to be its table of fields.
const REPEATED_FIELDS_SHARE: f64 = 0.8;

impl AnalysedPage {
    /// The answer for the page.
    pub fn assemble(self, page: &Page, mut decision: PageDecision, request: &Request) -> Answer {
        let AnalysedPage {
            ranked,
            mut regions,
            embedded,
            mut explanation,
            mut warnings,
            mut alternatives,
            is_known,
            ..
        } = self;
        let has_embedded_list = embedded.as_ref().is_some_and(|data| data.main_list.is_some());
        if request.choice.is_none() && !request.all {
            alternatives = list_choice::summaries(page, &ranked, usize::from(has_embedded_list));
        }
        if decision.object.is_some() || has_embedded_list {
            regions = without_possible_list(page, regions, &ranked, request);
        }
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
        let object = decision.object.as_ref();
        let may_be_list = object.is_none() || request.kind == KindRequest::Auto;
        let is_unsure = may_be_list && !is_known && !regions.iter().any(|list| list.role == Role::Primary);
        if let Some(list) = is_unsure.then(|| hidden_main_list(page, object, request)).flatten() {
            regions = without_possible_list(page, regions, &ranked, request);
            regions.insert(0, list);
            (decision.kind, decision.object) = (PageKind::List, None);
            warnings.push(Warning::HiddenList);
        }
        region_xpaths::add_xpaths(page, &mut regions);
        let main_list = regions.iter().find(|region| region.role.is_main());
        let info = paging::page_info(page, main_list);
        warnings.append(&mut decision.warnings);
        if let (Some(explanation), Some(list)) = (&mut explanation, main_list) {
            explanation.reasons.extend(column_name_reasons(list));
        }
        if let Some(object) = &mut decision.object {
            reread_object_dates(page, object);
            requested_fields::add_fields(page, object, &request.fields);
            regions = beside_object(regions, object);
            if let Some(explanation) = &mut explanation {
                explanation.reasons.extend(field_reasons(object));
            }
        }
        if let Some(list) = regions.iter().find(|list| list.role == Role::Possible) {
            warnings.push(possible_list_warning(list, &ranked));
        }
        let has_object = decision.object.as_ref().is_some_and(|object| !object.fields.is_empty());
        let impression = (regions.is_empty() && !has_object).then(|| impression(page)).flatten();
        let outline = request.outline.then(|| outline::outline(page, &LineIndex::new(page), &regions));
        let picture = if request.outline { picture_marks::picture(page, &regions) } else { None };
        Answer {
            page: info,
            kind: decision.kind,
            regions,
            warnings,
            explanation,
            outline,
            picture,
            object: decision.object,
            followed: None,
            alternatives,
            impression,
        }
    }
}

/// Why the columns of a list are called what they are called, one decision each.
fn column_name_reasons(list: &Region) -> impl Iterator<Item = Decision> {
    let named = list.columns.iter().filter_map(|column| Some((&column.name, column.name_reason.as_ref()?)));
    named.map(|(name, reason)| Decision::stated(list.xpath(), format!("column {name}: {reason}")))
}

/// The warning that the list that is given may not be the main one.
fn possible_list_warning(list: &Region, ranked: &RankedLists) -> Warning {
    let others = (0..ranked.regions.len()).filter(|&rank| ranked.role(rank) == Role::Secondary);
    let percent = (100.0 * list.confidence.unwrap_or(0.0)).round() as u8;
    Warning::PossibleList { percent, others: others.count() }
}

/// The lists of a page that has something better than a list that is only possible. Such a list is one of the
/// others, with the role that it would have had.
fn without_possible_list(
    page: &Page,
    regions: Vec<Region>,
    ranked: &RankedLists,
    request: &Request,
) -> Vec<Region> {
    let replaced = |mut list: Region| match (list.role, ranked.replaced) {
        (Role::Possible, Some((role, confidence))) => request.wants(role).then(|| {
            (list.role, list.confidence) = (role, Some(confidence));
            confidence::set_confidences(page, &mut list);
            list
        }),
        _ => Some(list),
    };
    let mut regions: Vec<Region> = regions.into_iter().filter_map(replaced).collect();
    regions.sort_by_key(|list| list.role);
    regions
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
