//! The drift check: do a site's pages still match its wrapper?
//!
//! In: a [`Wrapper`] and, page by page, what it reads there. Out: a [`CheckReport`] with the differences of
//! each page and with alarms for differences that recur. One unusual page (an empty result, the last page of
//! a list) is not an alarm: for each kind of difference a sum grows with every page that has it and shrinks
//! with every page that does not (CUSUM). Columns are also counted over all records of all pages, because a
//! rare column says little on one. O(text of the cells + elements of the page).

use super::differences::{UNLIKELY, cells_before, has_many_samples, page_drifts, presence_message, rule_of};
use super::drift_level::{Drift, DriftLevel};
use super::evidence::{Evidence, WORN_RECORDS};
use super::report::{Alarm, CheckReport, PageCheck};
use crate::apply::apply;
use crate::format::{PageRule, Wrapper};
use crate::proportions::chance_of_so_few;
use copal_dom::Page;
use copal_extract::{Answer, Region};
use rustc_hash::{FxHashMap, FxHashSet};

/// What each page subtracts from a sum. A page with the difference adds 1 besides.
const CUSUM_SLACK: f64 = 0.34;
/// The sum that is an alarm: three pages in a row, or more with good ones between them.
const CUSUM_ALARM: f64 = 1.9;
/// Share of its presence that a column may keep and still be an alarm.
const MAX_SHARE_LEFT: f64 = 0.5;

/// The CUSUM of one kind of difference.
struct DriftSum {
    now: f64,
    highest: f64,
    pages: usize,
    /// The records of all these pages were read for sure.
    is_sure: bool,
    last: Drift,
}

/// The cells of one column on all pages.
struct ColumnCount {
    column: String,
    /// What the samples had: cells and records.
    before: (usize, usize),
    /// What the pages have: cells and records.
    now: (usize, usize),
    pages_without: usize,
}

/// Checks pages one after the other.
pub struct Checker<'a> {
    wrapper: &'a Wrapper,
    /// The wrapper with only its first locators.
    first: Wrapper,
    pages: Vec<PageCheck>,
    sums: FxHashMap<(DriftLevel, Option<String>), DriftSum>,
    /// Columns in the order in which they were first read.
    columns: Vec<ColumnCount>,
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
        Checker {
            wrapper,
            first: first_locators(wrapper),
            pages: Vec::new(),
            sums: FxHashMap::default(),
            columns: Vec::new(),
            worn: Vec::new(),
        }
    }

    /// Adds the cells of a list to the counts of its columns.
    fn count_cells(&mut self, rule: &PageRule, list: &Region) {
        for (at, column) in rule.columns.iter().enumerate() {
            let known = self.columns.iter().position(|count| count.column == column.name);
            let known = known.unwrap_or_else(|| {
                self.columns.push(ColumnCount {
                    column: column.name.clone(),
                    before: cells_before(rule, column),
                    now: (0, 0),
                    pages_without: 0,
                });
                self.columns.len() - 1
            });
            let there = list.records.iter().filter(|record| !record.cells[at].is_empty()).count();
            let count = &mut self.columns[known];
            count.now = (count.now.0 + there, count.now.1 + list.records.len());
            count.pages_without += usize::from(there == 0);
        }
    }

    /// Adds a page and what the wrapper reads on it.
    pub fn page(&mut self, page: &Page, read: &Answer) -> &PageCheck {
        let list = read.primary();
        let known = list.and_then(|list| Some((list, rule_of(self.wrapper, list)?)));
        let (mut worn, mut evidence) = (Vec::new(), None);
        if let Some((list, rule)) = known {
            worn = worn_locators(rule, list, apply(&self.first, page).primary());
            evidence = Some(Evidence::of(rule, page, list, &worn));
            self.count_cells(rule, list);
        }
        let drifts = page_drifts(self.wrapper, page, read, evidence.as_ref());
        let is_sure = evidence.is_some_and(|evidence| evidence.is_sure());
        for sum in self.sums.values_mut() {
            sum.now = (sum.now - CUSUM_SLACK).max(0.0);
        }
        let mut counted: FxHashSet<(DriftLevel, Option<&str>)> = FxHashSet::default();
        for one in &drifts {
            // Two differences of one kind on a page are one page with it.
            if !counted.insert((one.level, one.column.as_deref())) {
                continue;
            }
            let key = (one.level, one.column.clone());
            let sum = self.sums.entry(key).or_insert(DriftSum {
                now: 0.0,
                highest: 0.0,
                pages: 0,
                is_sure: true,
                last: one.clone(),
            });
            // The loop above has subtracted the slack from the sums that existed already.
            sum.now += if sum.pages == 0 { 1.0 - CUSUM_SLACK } else { 1.0 };
            sum.highest = sum.highest.max(sum.now);
            sum.pages += 1;
            sum.is_sure &= is_sure;
            sum.last = one.clone();
        }
        if drifts.is_empty() {
            for name in worn {
                if !self.worn.contains(&name) {
                    self.worn.push(name);
                }
            }
        }
        let records = list.map_or(usize::from(read.object.is_some()), |list| list.records.len());
        let at = self.pages.len();
        self.pages.push(PageCheck { records, drifts, evidence });
        &self.pages[at]
    }

    /// The result for all pages that were added.
    pub fn finish(self) -> CheckReport {
        let all = self.pages.len();
        let is_strict = self.wrapper.pages.iter().any(has_many_samples);
        // One page may lack a column that others have. It says something only if its records are in doubt
        // too, or if there were enough samples to know how much the pages of the site differ.
        let is_enough = |sum: &DriftSum| {
            sum.pages == all && (all > 1 || sum.last.level != DriftLevel::Value || !sum.is_sure || is_strict)
        };
        let mut alarms: Vec<Alarm> = self
            .sums
            .into_values()
            .filter(|sum| sum.highest >= CUSUM_ALARM || is_enough(sum))
            .map(|sum| Alarm { drift: sum.last, pages: sum.pages })
            .collect();
        for count in self.columns.iter().filter(|count| all > 1 && count.fell()) {
            if alarms.iter().all(|alarm| alarm.drift.column.as_ref() != Some(&count.column)) {
                alarms.push(count.alarm());
            }
        }
        alarms.sort_by(|a, b| (b.drift.level, &a.drift.column).cmp(&(a.drift.level, &b.drift.column)));
        CheckReport { pages: self.pages, alarms, worn: self.worn }
    }
}

impl ColumnCount {
    /// True if the column is rarer on all pages together than chance explains, and much rarer.
    fn fell(&self) -> bool {
        let share = |(cells, records): (usize, usize)| cells as f64 / records.max(1) as f64;
        share(self.now) < MAX_SHARE_LEFT * share(self.before)
            && chance_of_so_few(self.before.0, self.before.1, self.now.0, self.now.1) < UNLIKELY
    }

    fn alarm(&self) -> Alarm {
        let message = presence_message(self.now, self.before);
        let drift = Drift { level: DriftLevel::Value, column: Some(self.column.clone()), message };
        Alarm { drift, pages: self.pages_without }
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
    let Some(first) = first else { return vec![WORN_RECORDS.into()] };
    let positions =
        |list: &Region| list.records.iter().map(|record| record.place.parts.clone()).collect::<Vec<_>>();
    if positions(first) != positions(list) {
        return vec![WORN_RECORDS.into()];
    }
    let differs =
        |&column: &usize| list.records.iter().zip(&first.records).any(|(a, b)| !a.has_same_texts(b, column));
    (0..rule.columns.len()).filter(differs).map(|column| rule.columns[column].name.clone()).collect()
}
