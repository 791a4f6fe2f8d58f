//! Repair by promotion: a locator that still works takes the place of one that does not.
//!
//! In: a wrapper that reads its pages correctly, but not by its first locators. Out: the same wrapper with
//! its locators in another order. Costs one application of the wrapper per locator and page.

use super::changes::{Repaired, changes_between, next_revision};
use crate::apply::apply;
use crate::drift::rule_of;
use crate::format::{Locator, Wrapper};
use copal_dom::Page;
use copal_extract::Answer;

/// The wrapper with those locators first that read what all locators together read. None if that is not
/// enough.
pub(super) fn promote(wrapper: &Wrapper, pages: &[&Page], min_pages: usize) -> Option<Repaired> {
    let voted: Vec<Answer> = pages.iter().map(|page| apply(wrapper, page)).collect();
    let at = voted.iter().find_map(|read| {
        let rule = rule_of(wrapper, read.primary()?)?;
        wrapper.pages.iter().position(|other| std::ptr::eq(other, rule))
    })?;
    let mut new = wrapper.clone();
    let record = wrapper.pages[at].record.as_ref()?;
    let alone = |region: usize, find: usize| {
        let mut one = wrapper.clone();
        one.pages[at].region = vec![wrapper.pages[at].region[region].clone()];
        if let Some(rule) = &mut one.pages[at].record {
            rule.find = vec![record.find[find].clone()];
        }
        one
    };
    let pairs = (0..wrapper.pages[at].region.len())
        .flat_map(|region| (0..record.find.len()).map(move |find| (region, find)));
    let (region, find) = pairs.min_by_key(|&(region, find)| {
        let one = alone(region, find);
        let right = pages.iter().zip(&voted).filter(|(page, voted)| same_records(&apply(&one, page), voted));
        (pages.len() - right.count(), region + find)
    })?;
    move_to_front(&mut new.pages[at].region, region);
    if let Some(rule) = &mut new.pages[at].record {
        move_to_front(&mut rule.find, find);
    }
    for column in 0..wrapper.pages[at].columns.len() {
        let find = &wrapper.pages[at].columns[column].find;
        let wrong = |locator: &Locator| -> usize {
            let mut one = new.clone();
            one.pages[at].columns[column].find = vec![locator.clone()];
            let reads = pages.iter().map(|page| apply(&one, page));
            reads.zip(&voted).map(|(read, voted)| differing_cells(&read, voted, column)).sum()
        };
        if find.len() > 1
            && let Some(best) = (0..find.len()).min_by_key(|&at| (wrong(&find[at]), at))
        {
            move_to_front(&mut new.pages[at].columns[column].find, best);
        }
    }
    let right = pages.iter().zip(&voted).filter(|(page, voted)| same_records(&apply(&new, page), voted));
    let tested = right.count();
    let changes = changes_between(&wrapper.pages[at], &new.pages[at], voted.iter().find_map(Answer::primary));
    (tested >= min_pages && !changes.is_empty()).then(|| Repaired {
        wrapper: next_revision(new, &changes),
        changes,
        notes: Vec::new(),
        pages: tested,
    })
}

/// Moves the entry with this number to the front; the others keep their order.
fn move_to_front<T>(entries: &mut [T], at: usize) {
    entries[..=at].rotate_right(1);
}

fn same_records(a: &Answer, b: &Answer) -> bool {
    let positions = |read: &Answer| {
        read.primary()
            .map(|list| list.records.iter().map(|record| record.place.parts.clone()).collect::<Vec<_>>())
    };
    positions(a) == positions(b)
}

/// Number of records whose cells in a column differ.
fn differing_cells(a: &Answer, b: &Answer, column: usize) -> usize {
    let (Some(a), Some(b)) = (a.primary(), b.primary()) else { return 1 };
    let pairs = a.records.iter().zip(&b.records);
    pairs.filter(|(a, b)| !a.has_same_texts(b, column)).count() + a.records.len().abs_diff(b.records.len())
}
