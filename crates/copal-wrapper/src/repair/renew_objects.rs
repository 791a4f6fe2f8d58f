//! Repair of detail pages by learning again from the objects that the extractor finds on them now.
//!
//! In: a wrapper and pages whose fields it does not find any more. Out: a new revision whose fields are
//! those of the wrapper, matched by name, type and style ([`super::column_match`]). It is returned only if
//! it reads enough pages as they were extracted. Costs one extraction of all pages together.

use super::changes::{Repaired, changes_between, next_revision};
use super::column_match::match_columns;
use super::renew::{insert_rule, merge_columns};
use super::repair_error::RepairError;
use crate::apply::apply;
use crate::format::{PageKind, PageRule, Wrapper};
use crate::induce::{learn_objects, objects_as_list, one_line};
use copal_dom::Page;
use copal_extract::objects::{Object, ObjectOptions, read};

/// Minimum share of the known fields that the new rule must read on a page.
const MIN_FIELDS_READ: f64 = 0.7;
/// Minimum share of the expected fields that must be found again.
const MIN_FIELDS_FOUND: f64 = 0.5;

/// The wrapper with a rule for objects that was learned again.
pub(super) fn renew_objects(
    wrapper: &Wrapper,
    pages: &[&Page],
    min_pages: usize,
) -> Result<Repaired, RepairError> {
    let at = wrapper.pages.iter().position(|rule| rule.kind == PageKind::Detail);
    let at = at.ok_or(RepairError::NoSimilarObject)?;
    let old = &wrapper.pages[at];
    let mut objects = read(pages, &ObjectOptions::default());
    let all: Vec<(&Page, &Object)> = pages.iter().copied().zip(&objects).collect();
    let (list, columns) = objects_as_list(&all).ok_or(RepairError::NoSimilarObject)?;
    let found = match_columns(old, &list).columns;
    let expected = |rule: usize| old.columns[rule].is_expected();
    let wanted = (0..old.columns.len()).filter(|&rule| expected(rule)).count();
    let again = (0..old.columns.len()).filter(|&rule| expected(rule) && found[rule].is_some()).count();
    if found.iter().all(Option::is_none) || (again as f64) < MIN_FIELDS_FOUND * wanted as f64 {
        return Err(RepairError::NoSimilarObject);
    }
    for object in &mut objects {
        object.fields.retain_mut(|field| {
            let known = (0..old.columns.len())
                .find(|&rule| found[rule].is_some_and(|column| columns[column] == field.name));
            known.is_some_and(|rule| {
                field.name.clone_from(&old.columns[rule].name);
                true
            })
        });
    }
    let samples: Vec<(&Page, &Object)> =
        pages.iter().copied().zip(&objects).filter(|(_, object)| !object.fields.is_empty()).collect();
    if samples.len() < min_pages {
        return Err(RepairError::TooFewPages { pages: samples.len(), min_pages });
    }
    let learned = learn_objects(&samples).map_err(RepairError::NotLearned)?;
    let (mut fresh, mut notes) = (learned.wrapper, learned.notes);
    merge_columns(old, &mut fresh.pages[0], &mut notes);
    let verified =
        samples.iter().filter(|(page, known)| agrees(&fresh.pages[0], &fresh, page, known)).count();
    if verified < min_pages {
        return Err(RepairError::NotVerified { verified, pages: samples.len() });
    }
    let rule = fresh.pages.swap_remove(0);
    let now = objects_as_list(&samples).map(|(list, _)| list);
    let changes = changes_between(old, &rule, now.as_ref());
    let new = insert_rule(wrapper, rule);
    Ok(Repaired { wrapper: next_revision(new, &changes), changes, notes, pages: verified })
}

/// True if the wrapper reads most of the known fields of a page that its rule has.
fn agrees(rule: &PageRule, wrapper: &Wrapper, page: &Page, known: &Object) -> bool {
    let Some(read) = apply(wrapper, page).object else { return false };
    let fields: Vec<_> = known
        .fields
        .iter()
        .filter(|field| rule.columns.iter().any(|column| column.name == field.name))
        .collect();
    let first = |texts: &[String]| texts.first().map(|text| one_line(text));
    let same = fields.iter().filter(|field| {
        read.fields.iter().any(|other| other.name == field.name && first(&other.texts) == first(&field.texts))
    });
    same.count() as f64 >= MIN_FIELDS_READ * fields.len() as f64
}
