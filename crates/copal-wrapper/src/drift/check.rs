//! The drift check: do a site's pages still match its wrapper?
//!
//! In: a [`Wrapper`] and, page by page, what it reads there. Out: a [`CheckReport`] with the differences of
//! each page and with alarms for differences that recur. One unusual page (an empty result, the last page of
//! a list) is not an alarm: for each kind of difference a sum grows with every page that has it and shrinks
//! with every page that does not (CUSUM). O(text of the cells + elements of the page).

use super::differences::{page_drifts, rule_of};
use super::report::{Alarm, CheckReport, Drift, DriftLevel, PageCheck};
use crate::apply::apply;
use crate::format::{PageRule, Wrapper};
use copal_dom::Page;
use copal_extract::{Answer, Region};
use rustc_hash::FxHashMap;

/// What each page subtracts from a sum. A page with the difference adds 1 besides.
const CUSUM_SLACK: f64 = 0.34;
/// The sum that is an alarm: three pages in a row, or more with good ones between them.
const CUSUM_ALARM: f64 = 1.9;

/// The CUSUM of one kind of difference.
struct DriftSum {
    now: f64,
    highest: f64,
    pages: usize,
    last: Drift,
}

/// Checks pages one after the other.
pub struct Checker<'a> {
    wrapper: &'a Wrapper,
    /// The wrapper with only its first locators.
    first: Wrapper,
    pages: Vec<PageCheck>,
    sums: FxHashMap<(DriftLevel, Option<String>), DriftSum>,
    worn: Vec<String>,
}

/// Checks all pages.
pub fn check(wrapper: &Wrapper, pages: &[&Page]) -> CheckReport {
    let mut checker = Checker::new(wrapper);
    for page in pages {
        checker.page(page, &apply(wrapper, page));
    }
    checker.finish()
}

impl<'a> Checker<'a> {
    /// A checker that has not seen a page.
    pub fn new(wrapper: &'a Wrapper) -> Checker<'a> {
        let (pages, sums, worn) = (Vec::new(), FxHashMap::default(), Vec::new());
        Checker { wrapper, first: first_locators(wrapper), pages, sums, worn }
    }

    /// Adds a page and what the wrapper reads on it.
    pub fn page(&mut self, page: &Page, read: &Answer) -> &PageCheck {
        let list = read.primary();
        let drifts = page_drifts(self.wrapper, page, read);
        for sum in self.sums.values_mut() {
            sum.now = (sum.now - CUSUM_SLACK).max(0.0);
        }
        for one in &drifts {
            let key = (one.level, one.column.clone());
            let sum = self.sums.entry(key).or_insert(DriftSum {
                now: 0.0,
                highest: 0.0,
                pages: 0,
                last: one.clone(),
            });
            // The loop above has subtracted the slack from the sums that existed already.
            sum.now += if sum.pages == 0 { 1.0 - CUSUM_SLACK } else { 1.0 };
            sum.highest = sum.highest.max(sum.now);
            sum.pages += 1;
            sum.last = one.clone();
        }
        if drifts.is_empty()
            && let Some(list) = list
            && let Some(rule) = rule_of(self.wrapper, list)
        {
            for name in worn_locators(rule, list, apply(&self.first, page).primary()) {
                if !self.worn.contains(&name) {
                    self.worn.push(name);
                }
            }
        }
        let records = list.map_or(usize::from(read.object.is_some()), |list| list.records.len());
        let at = self.pages.len();
        self.pages.push(PageCheck { records, drifts });
        &self.pages[at]
    }

    /// The result for all pages that were added.
    pub fn finish(self) -> CheckReport {
        let all = self.pages.len();
        let alarming = |sum: &DriftSum| sum.highest >= CUSUM_ALARM || sum.pages == all;
        let mut alarms: Vec<Alarm> = self
            .sums
            .into_values()
            .filter(alarming)
            .map(|sum| Alarm { drift: sum.last, pages: sum.pages })
            .collect();
        alarms.sort_by(|a, b| (b.drift.level, &a.drift.column).cmp(&(a.drift.level, &b.drift.column)));
        CheckReport { pages: self.pages, alarms, worn: self.worn }
    }
}

/// The wrapper with only its first locators.
fn first_locators(wrapper: &Wrapper) -> Wrapper {
    let mut first = wrapper.clone();
    for rule in &mut first.pages {
        rule.region.truncate(1);
        if let Some(record) = &mut rule.record {
            record.find.truncate(1);
        }
        for column in &mut rule.columns {
            column.find.truncate(1);
        }
    }
    first
}

/// What the first locators alone read differently.
fn worn_locators(rule: &PageRule, list: &Region, first: Option<&Region>) -> Vec<String> {
    let Some(first) = first else { return vec!["records".into()] };
    let positions =
        |list: &Region| list.records.iter().map(|record| record.place.parts.clone()).collect::<Vec<_>>();
    if positions(first) != positions(list) {
        return vec!["records".into()];
    }
    let differs =
        |&column: &usize| list.records.iter().zip(&first.records).any(|(a, b)| !a.has_same_texts(b, column));
    (0..rule.columns.len()).filter(differs).map(|column| rule.columns[column].name.clone()).collect()
}
