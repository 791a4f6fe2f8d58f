//! Texts that may be values of a domain's attributes (thesis section 6.6, Algorithm 8, line 5).
//!
//! In: the findings of a page and a domain. Out: [`FieldCandidate`]s, by origin: values with a label of the
//! attribute, values that the domain's recognisers find, texts in elements whose class names it, parts of the
//! title, declared properties that a label of the attribute names, the headline. One file per origin.
//! O(what was found).

mod attribute_labels;
mod class_candidates;
mod declared_candidates;
mod field_candidate;
mod labelled_candidates;
mod recognised_candidates;
mod text_blocks;
mod title_candidates;
mod unlabelled_lists;
mod value_fit;

pub(super) use attribute_labels::{attributes_of_label, attributes_of_section};
pub(super) use field_candidate::{CandidateOrigin, FieldCandidate};
pub(super) use value_fit::ValueFitter;

use super::page_findings::PageFindings;
use copal_domain::Domain;

/// Candidates of one page.
const MAX_CANDIDATE_COUNT: usize = 5000;

/// Finds the candidates of a page for all attributes of a domain.
pub(super) fn find_field_candidates(findings: &PageFindings<'_>, domain: &Domain) -> Vec<FieldCandidate> {
    let mut candidates = Vec::new();
    let mut fitter = ValueFitter::new(domain);
    for value in &findings.labelled {
        labelled_candidates::add_labelled(&findings.page, value, &mut fitter, &mut candidates);
    }
    let area = findings.area.as_ref().map(|area| area.node);
    recognised_candidates::add_recognised(&findings.page, area, domain, &mut candidates);
    class_candidates::add_named_by_class(&findings.page, findings.headline, &mut fitter, &mut candidates);
    title_candidates::add_title_parts(&findings.page, domain, &mut candidates);
    for property in &findings.declared {
        declared_candidates::add_declared(&findings.page, property, &mut fitter, &mut candidates);
    }
    if let (Some(line), Some(name)) = (findings.headline, &findings.name) {
        title_candidates::add_headline(&findings.page, line, name, domain, &mut candidates);
    }
    candidates.truncate(MAX_CANDIDATE_COUNT);
    candidates
}
