//! The second stage: what each page is. This is the only place that decides it.
//!
//! In: analysed pages. Out: one [`PageDecision`] per page. A page with a primary list is a list, which costs
//! nothing here: detail pages are among the examples that the probability of a main list was fitted on. The
//! exception is a page that declares one object: its list may be of similar objects. Such pages and all
//! other pages are read together as objects, and a page is an object if the evidence for the object outweighs
//! the evidence for the list.

use super::analysis::AnalysedPage;
use crate::lists::candidate::RankedLists;
use crate::objects::{self, ObjectOptions, ReadObject, TemplatePlaces};
use crate::request::{KindRequest, Request};
use copal_dom::{Page, Warning};
use copal_model::{Method, Object, PageKind, Role};
use std::sync::Arc;

/// What a page is.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct PageDecision {
    /// List, object or nothing.
    pub kind: PageKind,
    /// The object, if it is one.
    pub object: Option<Object>,
    /// What was left out of the object, because the page has too much of it.
    pub warnings: Vec<Warning>,
}

/// Decides what each of the pages is. Pages of one template should be given together.
pub fn decide(pages: &[&Page], analysed: &[AnalysedPage], request: &Request) -> Vec<PageDecision> {
    let by_lists = |analysed: &AnalysedPage| {
        let kind = if analysed.main_list().is_some() { PageKind::List } else { PageKind::Nothing };
        PageDecision { kind, ..PageDecision::default() }
    };
    let mut decisions: Vec<PageDecision> = analysed.iter().map(by_lists).collect();
    let may_be_object: Vec<usize> = (0..pages.len())
        .filter(|_| request.choice.is_none())
        .filter(|&at| match request.kind {
            KindRequest::Auto => analysed[at].declares_object || !has_certain_list(&analysed[at]),
            KindRequest::List => false,
            KindRequest::Object => true,
        })
        .collect();
    if may_be_object.is_empty() {
        return decisions;
    }
    let doubtful: Vec<&Page> = may_be_object.iter().map(|&at| pages[at]).collect();
    let own: Vec<&AnalysedPage> = may_be_object.iter().map(|&at| &analysed[at]).collect();
    let objects = read_objects(&doubtful, &own, Vec::new(), None, request);
    for (at, ReadObject { object, warnings }) in may_be_object.into_iter().zip(objects) {
        // an object of which nothing is known would only hide that nothing was found
        let is_object =
            object.kind == PageKind::Object && !object.fields.is_empty() && has_mandatory(&object, request);
        if request.kind == KindRequest::Object || is_object {
            decisions[at] = PageDecision { kind: PageKind::Object, object: Some(object), warnings };
        }
    }
    decisions
}

/// Reads pages as objects. `records` are, per page, names and texts of the record that links to it, and `places`
/// what is known of the lines of their template.
pub(super) fn read_objects(
    pages: &[&Page],
    analysed: &[&AnalysedPage],
    records: Vec<Vec<(String, String)>>,
    places: Option<Arc<TemplatePlaces>>,
    request: &Request,
) -> Vec<ReadObject> {
    let domain = request.domain().cloned();
    let options = ObjectOptions { domain, records, places, ..ObjectOptions::default() };
    // the evidence uses the candidates of the combined method, which are not computed for other methods
    let is_combined = request.lists.method == Method::Combined;
    let ranked: Vec<Option<&RankedLists>> =
        analysed.iter().map(|analysed| is_combined.then_some(&analysed.ranked)).collect();
    objects::read_ranked(pages, &ranked, &options)
}

/// True if the object has one of the domain's mandatory attributes, or there is no domain that has any.
fn has_mandatory(object: &Object, request: &Request) -> bool {
    let Some(domain) = request.domain().filter(|domain| !domain.mandatory.is_empty()) else { return true };
    let is_mandatory = |name: &str| domain.mandatory.iter().any(|&one| domain.attributes[one].name == name);
    object.fields.iter().any(|field| is_mandatory(&field.name))
}

fn has_certain_list(analysed: &AnalysedPage) -> bool {
    // lists found by a domain's attributes and lists of embedded data have no confidence
    analysed.main_list().is_some_and(|list| list.role == Role::Primary && list.confidence.is_some())
}
