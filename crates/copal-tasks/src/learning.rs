//! Learning wrappers from several pages: a rule for each kind of page, and the columns that were asked for.

use crate::choice::describe_missing;
use crate::column_choice::{ColumnSelection, unknown_column};
use crate::error::TaskError;
use copal::objects::Object;
use copal::wrapper::{PageKind, Wrapper, learn, learn_objects};
use copal::{Answer, NamedAnswer, Page, Request, SetPage, answer_set};
use std::collections::{BTreeMap, BTreeSet};

/// What was learned from pages.
#[derive(Debug)]
pub struct LearnedPages {
    /// The wrapper, with all columns.
    pub wrapper: Wrapper,
    /// What could not be learned.
    pub notes: Vec<String>,
    /// The answers that it was learned from.
    pub answers: Vec<NamedAnswer>,
}

/// Learns a wrapper with a rule for each kind of page: lists, and pages of single objects.
pub fn learn_pages(set: Vec<SetPage>, request: &Request) -> Result<LearnedPages, TaskError> {
    let answers = answer_set(set, request);
    let lists: Vec<(&Page, &Answer)> = answers
        .iter()
        .filter(|(_, named)| named.answer.object.is_none())
        .map(|(page, named)| (page, &named.answer))
        .collect();
    if let Some(choice) =
        request.choice.as_ref().filter(|_| lists.iter().all(|(_, answer)| answer.regions.is_empty()))
    {
        return Err(TaskError::nothing_found(describe_missing(choice))
            .with_hint("copal extract --all shows the lists of a page"));
    }
    let mut objects: BTreeMap<usize, Vec<(&Page, &Object)>> = BTreeMap::new();
    for (page, named) in &answers {
        if let Some(object) = &named.answer.object {
            objects.entry(object.template).or_default().push((page, object));
        }
    }
    // a kind of page that cannot be learned does not keep the others from being learned
    let tried = (!lists.is_empty()).then(|| learn(&lists)).into_iter();
    let tried = tried.chain(objects.values().map(|pages| learn_objects(pages)));
    let (learned, failed): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
    let failed: Vec<String> =
        failed.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect();
    let mut learned = learned.into_iter().flatten();
    let Some(mut all) = learned.next() else { return Err(TaskError::nothing_found(failed.join("; "))) };
    all.notes.extend(failed);
    for more in learned {
        all.wrapper.pages.extend(more.wrapper.pages);
        all.notes.extend(more.notes);
    }
    let answers = answers.into_iter().map(|(_, named)| named).collect();
    Ok(LearnedPages { wrapper: all.wrapper, notes: all.notes, answers })
}

/// The wrapper with the columns that were asked for, and their names.
pub fn with_columns(mut wrapper: Wrapper, selection: &ColumnSelection) -> Result<Wrapper, TaskError> {
    let names = wrapper.pages.iter().flat_map(|rule| &rule.columns).map(|column| column.name.as_str());
    let known: BTreeSet<&str> = names.collect();
    if let Some(unknown) = selection.old_names().find(|name| !known.contains(name.as_str())) {
        return Err(unknown_column(unknown, known.iter().copied()));
    }
    for rule in &mut wrapper.pages {
        if !selection.fields.is_empty() {
            let of_rule = |name: &String| rule.columns.iter().find(|column| column.name == *name);
            rule.columns = selection.fields.iter().filter_map(of_rule).cloned().collect();
        }
        for column in &mut rule.columns {
            if let Some(new) = selection.new_name(&column.name) {
                new.clone_into(&mut column.name);
            }
        }
    }
    wrapper.pages.retain(|rule| rule.kind == PageKind::Section || !rule.columns.is_empty());
    // a file with two columns of one name could not be read again
    Wrapper::parse(&wrapper.to_string()).map_err(TaskError::nothing_found)
}
