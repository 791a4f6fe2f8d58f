//! Repair by learning again from what the extractor finds on the pages now.
//!
//! In: a wrapper and pages that it does not read any more. Out: a new revision whose first rule was learned
//! from the list that has the wrapper's columns ([`super::column_match`]). It is returned only if it reads
//! enough pages as they were extracted. The old rule stays after the new one, because a site often serves
//! both designs for a while. Costs one extraction per page.

use super::changes::{Repaired, changes_between, next_revision};
use super::column_match::{ColumnMatch, match_columns};
use super::repair_error::RepairError;
use crate::apply::apply;
use crate::apply::groups::best_groups;
use crate::drift::{is_sure_reading, rule_of};
use crate::format::{ColumnRule, MAX_LOCATORS, PageKind, PageRule, Wrapper};
use crate::induce::learn;
use copal_dom::{Node, Page};
use copal_extract::located::aligned;
use copal_extract::{Answer, KindRequest, Origin, Parts, Region, Request, Role, extract};
use rustc_hash::FxHashSet;

/// Minimum share of the expected columns that must be found again.
const MIN_COLUMNS_FOUND: f64 = 0.7;
/// Minimum agreement (F1) between the records that the new rule reads and those that were extracted.
const MIN_REPAIR_AGREEMENT: f64 = 0.95;
/// A list that is less similar to the wrapper's list than this is a different list.
const MIN_LIST_SIMILARITY: f64 = 0.45;
/// Weight of a list whose records do not fit the fingerprint at all, where one whose records fit has 1.
const UNLIKE_RECORDS_WEIGHT: f64 = 0.3;
/// How many of the groups of elements that fit the fingerprint are tried.
const MAX_GROUPS_TRIED: usize = 5;
/// Another list replaces the one that won the vote of the locators only if its score is higher by this factor.
const VOTE_WEIGHT: f64 = 1.1;
/// The penalty for a list with half as many records as the samples. It is small, because a last page has
/// fewer.
const COUNT_PENALTY: f64 = 0.11;

/// The wrapper with a rule that was learned again.
pub(super) fn renew_list(
    wrapper: &Wrapper,
    pages: &[&Page],
    min_pages: usize,
) -> Result<Repaired, RepairError> {
    let Some(at) = wrapper.pages.iter().position(|rule| rule.kind == PageKind::List) else {
        return Err(RepairError::NoSimilarList);
    };
    let old = &wrapper.pages[at];
    let mut samples: Vec<(&Page, Answer)> = Vec::new();
    for page in pages {
        let Some((list, found)) = best_list(wrapper, old, page) else { continue };
        let mut known = Answer::default();
        known.regions.push(with_old_names(old, list, &found));
        samples.push((page, known));
    }
    if samples.is_empty() {
        return Err(RepairError::NoSimilarList);
    }
    if samples.len() < min_pages {
        return Err(RepairError::TooFewPages { pages: samples.len(), min_pages });
    }
    let pairs: Vec<(&Page, &Answer)> = samples.iter().map(|(page, known)| (*page, known)).collect();
    let learned = learn(&pairs).map_err(RepairError::NotLearned)?;
    let mut fresh = learned.wrapper;
    let mut notes: Vec<String> = learned.notes;
    merge_columns(old, &mut fresh.pages[0], &mut notes);
    let tested = samples.iter().filter(|(page, known)| agrees(&apply(&fresh, page), known)).count();
    if tested < min_pages {
        return Err(RepairError::NotVerified { verified: tested, pages: samples.len() });
    }
    let rule = fresh.pages.swap_remove(0);
    let first = samples.first().and_then(|(_, known)| known.primary());
    let changes = changes_between(old, &rule, first);
    let mut new = wrapper.clone();
    if let (Some(kept), Some(now)) = (&mut new.navigation, fresh.navigation) {
        // the samples may have no next link, or no counter: then the old selectors stay
        if !now.next.is_empty() {
            kept.next = now.next;
        }
        if !now.counter.is_empty() {
            kept.counter = now.counter;
        }
    }
    let new = insert_rule(&new, rule);
    Ok(Repaired { wrapper: next_revision(new, &changes), changes, notes, pages: tested })
}

/// The wrapper with a new rule before the one that it replaces. One old rule is enough: the rule from
/// before the last repair is removed.
pub(super) fn insert_rule(wrapper: &Wrapper, rule: PageRule) -> Wrapper {
    let mut new = wrapper.clone();
    let names = |rule: &PageRule| rule.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let same = names(&rule);
    let mut old_rules = 0;
    new.pages.retain(|other| {
        old_rules += usize::from(names(other) == same);
        names(other) != same || old_rules == 1
    });
    let at = new.pages.iter().position(|other| names(other) == same).unwrap_or(0);
    new.pages.insert(at, rule);
    new
}

/// True if a page has a list that a repair would take for the wrapper's.
pub(super) fn has_similar_list(wrapper: &Wrapper, page: &Page) -> bool {
    let rule = wrapper.pages.iter().find(|rule| rule.kind == PageKind::List);
    rule.is_some_and(|rule| best_list(wrapper, rule, page).is_some())
}

/// The list of a page that is most similar to the wrapper's, with its columns. None if none is similar
/// enough.
fn best_list(wrapper: &Wrapper, old: &PageRule, page: &Page) -> Option<(Region, ColumnMatch)> {
    let expected = |column: &&ColumnRule| column.is_expected();
    let mandatory = old.columns.iter().filter(expected).count();
    let mut best: Option<(f64, Region, ColumnMatch)> = None;
    let voted = apply(wrapper, page);
    let vote_doubt = match voted.primary() {
        Some(list) if rule_of(wrapper, list).is_some_and(|rule| is_sure_reading(rule, page, list)) => None,
        Some(_) => Some(VOTE_WEIGHT),
        None => Some(1.0),
    };
    for (number, records) in possible_records(voted, old, page).into_iter().enumerate() {
        let fingerprint = old.record.as_ref().and_then(|record| record.fingerprint.as_ref());
        let weight = fingerprint.map_or(1.0, |fingerprint| {
            UNLIKE_RECORDS_WEIGHT + (1.0 - UNLIKE_RECORDS_WEIGHT) * fingerprint.fit(page, &records)
        });
        let list = aligned(page, records);
        let found = match_columns(old, &list);
        let again = old.columns.iter().zip(&found.columns).filter(|(rule, _)| expected(rule));
        let again = again.filter(|(_, found)| found.is_some()).count();
        let score = found.score * count_fit(old, list.records.len());
        // The vote's list comes first. Without a reason to doubt it, it stays; otherwise another must be
        // better.
        if again as f64 >= MIN_COLUMNS_FOUND * mandatory as f64 && score >= MIN_LIST_SIMILARITY && number == 0
        {
            if let Some(doubt) = vote_doubt {
                best = Some((score * weight * doubt, list, found));
                continue;
            }
            return Some((list, found));
        }
        if again as f64 >= MIN_COLUMNS_FOUND * mandatory as f64
            && score >= MIN_LIST_SIMILARITY
            && best.as_ref().is_none_or(|(highest, ..)| score * weight > *highest)
        {
            best = Some((score * weight, list, found));
        }
    }
    best.map(|(_, list, found)| (list, found))
}

/// Sets of possible records: those that the wrapper still finds, those of every list on the page, and groups
/// of elements that fit the fingerprint. Elements that do not fit it are removed from the first two.
fn possible_records(voted: Answer, old: &PageRule, page: &Page) -> Vec<Vec<Parts>> {
    let mut options = Request::default();
    options.kind = KindRequest::List;
    options.all = true;
    let lists = voted.regions.into_iter().chain(extract(page, &options).regions);
    let mut sets: Vec<Vec<Parts>> = lists
        .filter(|list| list.origin == Origin::Page)
        .map(|list| list.records.into_iter().map(|record| record.place.parts).collect())
        .collect();
    if let Some(record) = &old.record
        && let Some(fingerprint) = &record.fingerprint
    {
        for records in &mut sets {
            fingerprint.retain(page, records);
        }
        let groups = best_groups(page, record, fingerprint).into_iter().take(MAX_GROUPS_TRIED);
        sets.extend(groups.map(|(_, records)| records));
    }
    let mut seen: FxHashSet<Vec<Node>> = FxHashSet::default();
    sets.retain(|records| {
        let starts = records.iter().filter_map(|parts| Some(parts.first()?.start)).collect();
        !records.is_empty() && seen.insert(starts)
    });
    sets
}

/// 1 if there are as many records as on the samples; less the more their number differs.
fn count_fit(old: &PageRule, found: usize) -> f64 {
    let Some(profile) = &old.profile else { return 1.0 };
    let (fewest, most) = (profile.records.0.max(1) as f64, profile.records.1.max(1) as f64);
    let found = found.max(1) as f64;
    let off = if found < fewest { fewest / found } else { (found / most).max(1.0) };
    1.0 / (1.0 + COUNT_PENALTY * (off - 1.0))
}

/// The list with the column names of the wrapper, without columns that the wrapper does not have.
fn with_old_names(old: &PageRule, mut list: Region, found: &ColumnMatch) -> Region {
    let kept: Vec<(usize, usize)> =
        found.columns.iter().enumerate().filter_map(|(rule, column)| Some((rule, (*column)?))).collect();
    let columns = kept.iter().map(|&(rule, column)| {
        let mut one = list.columns[column].clone();
        one.name.clone_from(&old.columns[rule].name);
        one
    });
    list.columns = columns.collect();
    for record in &mut list.records {
        record.cells = kept.iter().map(|&(_, column)| std::mem::take(&mut record.cells[column])).collect();
        record.cells.iter_mut().for_each(|cell| cell.value = None);
        record.children.clear();
    }
    list.role = Role::Primary;
    list
}

/// Puts the learned columns into the old order and keeps their old types, and their old first locators as the
/// last ones.
pub(super) fn merge_columns(old: &PageRule, fresh: &mut PageRule, notes: &mut Vec<String>) {
    let mut columns = Vec::with_capacity(old.columns.len());
    for column in &old.columns {
        let Some(new) = fresh.columns.iter().find(|new| new.name == column.name) else {
            notes.push(format!("column {:?} was not found again: its locators are unchanged", column.name));
            columns.push(column.clone());
            continue;
        };
        let mut merged = new.clone();
        merged.value_type.clone_from(&column.value_type);
        merged.date_order = merged.date_order.or_else(|| column.date_order.clone());
        if merged.find.len() < MAX_LOCATORS
            && merged.cut == column.cut
            && merged.many == column.many
            && merged.lines == column.lines
            && !merged.find.contains(&column.find[0])
        {
            merged.find.push(column.find[0].clone());
        }
        columns.push(merged);
    }
    fresh.columns = columns;
}

/// True if the wrapper reads nearly the same records as the extraction.
fn agrees(read: &Answer, known: &Answer) -> bool {
    let (Some(read), Some(known)) = (read.primary(), known.primary()) else { return false };
    let positions: FxHashSet<&Parts> = known.records.iter().map(|record| &record.place.parts).collect();
    let same = read.records.iter().filter(|record| positions.contains(&record.place.parts)).count();
    2.0 * same as f64 >= MIN_REPAIR_AGREEMENT * (read.records.len() + known.records.len()) as f64
}
