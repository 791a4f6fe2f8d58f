//! What a domain says about the lists of a page, for the combined extractor.
//!
//! In: a page and AMBER's options with a domain. Out: [`DomainEvidence`]: AMBER's areas as further candidates,
//! which candidates are lists of the domain's objects, and the attributes of a list. The domain never changes
//! the records of a candidate: it proposes lists, and puts those of its objects before other lists. O(text +
//! annotations per candidate).

use super::candidate::{AttributeColumn, ListCandidate};
use super::propose::amber::{self, AmberOptions};
use copal_dom::{Page, Warning};
use copal_domain::{AttributeAnnotation, annotate_beginning};
use copal_model::Parts;

/// Share of a list's records that must be objects of the domain.
const MIN_OBJECT_SHARE: f64 = 0.66;

/// The annotations of a page, and what follows from them.
pub(super) struct DomainEvidence<'a> {
    page: &'a Page,
    options: &'a AmberOptions,
    annotations: Vec<AttributeAnnotation>,
    is_partial: bool,
}

impl<'a> DomainEvidence<'a> {
    /// Annotates the page, if there is a domain.
    pub(super) fn of(page: &'a Page, options: &'a AmberOptions) -> Option<DomainEvidence<'a>> {
        let domain = options.domain.as_ref()?;
        let (annotations, is_partial) = annotate_beginning(page, domain);
        Some(DomainEvidence { page, options, annotations, is_partial })
    }

    /// AMBER's areas, the primary one first.
    pub(super) fn areas(&self) -> Vec<ListCandidate> {
        let mut found = amber::find_annotated(self.page, &self.annotations, self.options).regions;
        // the attributes are those of the list that is chosen
        found.iter_mut().for_each(|area| area.attributes.clear());
        found
    }

    /// True if the records are objects of the domain and the list may be the main one of its page (Definitions
    /// 9 to 12).
    pub(super) fn is_primary(&self, found: &ListCandidate) -> bool {
        self.has_objects(&found.records) && amber::is_primary(self.page, found, self.options)
    }

    /// True if most of the records have a pivot and enough other attributes of the domain.
    fn has_objects(&self, records: &[Parts]) -> bool {
        let valid = records.iter().filter(|parts| amber::is_object(&self.annotations, parts, self.options));
        records.len() >= 2 && valid.count() as f64 >= MIN_OBJECT_SHARE * records.len() as f64
    }

    /// The attributes of a list, as columns; none if the list has nothing of the domain.
    pub(super) fn attributes(&self, records: &[Parts]) -> Vec<AttributeColumn> {
        amber::attributes_of_records(self.page, &self.annotations, records, self.options)
    }

    /// The warning that only the beginning of a very long page was annotated.
    pub(super) fn warning(&self) -> Option<Warning> {
        self.is_partial.then_some(amber::PARTLY_ANNOTATED)
    }
}
