//! Why a page gives nothing with a domain: which step failed, and what plain extraction finds.
//!
//! In: a saved page that gave no answer, and the domain. Out: sentences for the user. Reads the page again, so that
//! pages with an answer cost nothing.

use crate::answering::file_sets;
use crate::inputs::Input;
use crate::page_pipeline::file_document;
use crate::reporting;
use copal::{Answer, Document, Domain, Request};
use copal_domain::annotate_object;
use std::path::Path;
use std::sync::Arc;

/// Columns of plain extraction that are named.
const MAX_NAMED_COLUMNS: usize = 6;

/// Explains why a page has no list of a domain's objects.
pub(crate) fn explain_nothing(page: &str, domain: &Arc<Domain>, request: &Request) -> Vec<String> {
    if !Path::new(page).is_file() {
        return vec![format!(
            "copal domain test {} {page} shows which attributes are found; without --domain, plain extraction may find \
             a list",
            domain.name
        )];
    }
    let input = Input::File(page.into());
    let mut plain = request.clone();
    plain.set_domain(None);
    plain.lists.method = Request::default().lists.method;
    let mut reasons = Vec::new();
    if let Ok(Document::Page(page)) = file_document(&input, &plain) {
        let found = annotate_object(&page, domain);
        let count =
            |attribute: usize| found.iter().filter(|one| one.attribute == attribute && !one.label).count();
        let pivot = &domain.attributes[domain.pivot].name;
        let others =
            (0..domain.attributes.len()).filter(|&one| one != domain.pivot && count(one) > 0).count();
        reasons.push(match count(domain.pivot) {
            0 => format!(
                "domain {}: no text on the page is a {pivot}, its pivot ({} of {} other attributes found)",
                domain.name,
                others,
                domain.attributes.len() - 1
            ),
            values => format!(
                "domain {}: {} of {pivot}, its pivot, found, but no list whose records have it",
                domain.name,
                reporting::count(values, "value")
            ),
        });
    }
    reasons.push(match file_sets::answer_file(&input, &plain) {
        Ok(answer) => plain_summary(&answer),
        Err(error) => format!("without --domain: {error}"),
    });
    reasons
}

fn plain_summary(answer: &Answer) -> String {
    let named = |names: Vec<&str>| names.into_iter().take(MAX_NAMED_COLUMNS).collect::<Vec<_>>().join(", ");
    if let Some(list) = answer.primary() {
        let columns = named(list.columns.iter().map(|column| column.name.as_str()).collect());
        return format!(
            "without --domain: a list of {} ({columns})",
            reporting::count(list.records.len(), "record")
        );
    }
    match answer.object.as_ref().filter(|object| !object.fields.is_empty()) {
        Some(object) => {
            let fields = named(object.fields.iter().map(|field| field.name.as_str()).collect());
            format!("without --domain: one object ({fields})")
        }
        None => "without --domain: nothing either".to_owned(),
    }
}
