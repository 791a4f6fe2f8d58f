//! The answer for a page of which it is known what it shows: the template of its site was learned from other pages.
//!
//! In: a page, and either the records of its main list or the fact that it is about one object. Out: an [`Answer`] whose
//! columns, names and values are those of [`extract`](super::extract), because the same stages make them. Only the search
//! for lists and the decision between lists and objects are left out, which is most of the work. Lists beside the main
//! one are not known, so that the answer has no summaries of them.

use super::analysis::analyse_lists;
use super::kind::{PageDecision, read_objects};
use crate::lists::candidate::{ListCandidate, RankedLists};
use crate::objects::{ReadObject, TemplatePlaces};
use crate::request::Request;
use crate::signals::Signals;
use crate::structure::layout::common_root;
use copal_dom::Page;
use copal_model::{Answer, Method, PageKind, Parts, Role};
use std::sync::Arc;

/// What a page is known to show.
#[derive(Debug, Clone)]
pub enum KnownContent {
    /// A main list with these records, in document order.
    List {
        /// The records.
        records: Vec<Parts>,
        /// The confidence of the list.
        confidence: f64,
        /// The page's embedded data may name its columns.
        names_by_data: bool,
    },
    /// One object.
    Object {
        /// What is known of the lines of its template.
        places: Arc<TemplatePlaces>,
    },
}

/// The answer for a page with known content. It is empty if there are no records or the object has no fields.
pub fn extract_known(page: &Page, known: KnownContent, request: &Request) -> Answer {
    let mut ranked = RankedLists::default();
    let mut known_places = None;
    let mut names_by_data = false;
    match known {
        KnownContent::Object { places } => known_places = Some(places),
        KnownContent::List { records, .. } if records.is_empty() => {}
        KnownContent::List { records, confidence, names_by_data: has_names } => {
            names_by_data = has_names;
            let root = common_root(&page.tree, &records);
            ranked.regions.push(ListCandidate { root, records, score: 0.0, attributes: Vec::new() });
            ranked.judged.push((Role::Primary, confidence));
            ranked.main_probability = Some(confidence);
        }
    }
    let has_list = ranked.has_main_list();
    let mut analysed = analyse_lists(page, &Signals::new(page), ranked, names_by_data, request);
    analysed.is_known = true;
    let mut decision = PageDecision::default();
    if has_list {
        decision.kind = PageKind::List;
    } else if known_places.is_some()
        && let Some(ReadObject { object, warnings }) =
            read_objects(&[page], &[&analysed], Vec::new(), known_places, request).pop()
    {
        (decision.kind, decision.object, decision.warnings) = (PageKind::Object, Some(object), warnings);
    }
    let mut answer = analysed.assemble(page, decision, request);
    for list in &mut answer.regions {
        list.method = Method::Wrapper;
    }
    answer
}
