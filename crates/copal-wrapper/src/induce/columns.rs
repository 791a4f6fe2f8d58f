//! Locators of columns.
//!
//! In: samples whose cells are known. Out: for each column up to five locators of different families that
//! find the cells of (nearly) all records. Columns that no locator finds are left out and reported. If no
//! single selector finds enough, several that each find only right cells are joined. O(candidates x elements
//! of the records).

use super::candidates::{LocatorFamily, best_of_families, selector_candidates};
use super::cell_elements::{cell_elements, cut_elements, find_cut};
use super::column_groups::ColumnGroup;
use super::column_sample::{CellElement, ColumnSample, column_sample, own_text_node};
use super::line_blocks::{line_locators, line_similarity};
use super::sample::{MAX_SAMPLED_RECORDS, Sample};
use super::scored_locator::{LABEL_SCORE, ScoredLocator, ordinal};
use crate::apply::cells::{CellReading, cells_at, label_before};
use crate::format::{ColumnRule, Locator, MAX_LOCATORS, ReadFrom, TextCut};
use crate::value_types::wrapper_type;
use copal_extract::CellSource;
use copal_extract::located::GivenText;
use copal_values::columns::date_order::{DateOrderDecision, DateOrderFinding, date_order};
use rustc_hash::FxHashSet;

/// Maximum number of locator candidates of one column.
const MAX_LOCATOR_CANDIDATES: usize = 150;
/// Minimum share of the cells that a column's best locator must find in lists …
const MIN_LIST_AGREEMENT: f64 = 0.8;
/// … and on detail pages. These are few, and each is read independently of the others, with its own mistakes.
const MIN_OBJECT_AGREEMENT: f64 = 0.6;
/// Locators are kept if they find nearly as many cells as the best, by this factor.
const NEARLY_BEST: f64 = 0.97;
/// Score of a locator by value type. It is lower than that of all names and positions, because recognising
/// types is slow.
const VALUE_TYPE_SCORE: f64 = 0.4;
/// How much a cell that only the locator finds counts against it on a detail page.
const EXTRA_OBJECT_CELL_WEIGHT: f64 = 0.25;
/// Longest text of a field that may be read line by line although the samples have one line each.
const MAX_SINGLE_LINE_CHARS: usize = 60;
/// Maximum number of selectors that are joined.
const MAX_JOINED_SELECTORS: usize = 4;

/// A locator candidate with what it finds.
struct CellTrial {
    family: LocatorFamily,
    score: f64,
    locator: Locator,
    /// The cells it finds, per sample and record.
    cells: Vec<Vec<Vec<String>>>,
    /// Agreement with the known cells, from 0 to 1.
    share: f64,
}

/// The rules of the groups of columns. A note is added for each group that has none.
pub(super) fn column_rules(
    samples: &[Sample<'_>],
    groups: &[ColumnGroup],
    notes: &mut Vec<String>,
) -> Vec<ColumnRule> {
    let mut rules = Vec::new();
    for group in groups {
        match group_rule(samples, group) {
            Some(rule) => rules.push(rule),
            None => {
                notes.push(format!("column {:?} was left out: no locator finds its cells", group.name));
            }
        }
    }
    rules
}

/// The rule of a group. If no locator finds its cells on all samples, the pages differ in their markup:
/// then each sample gives the locators for its own kind of page.
fn group_rule(samples: &[Sample<'_>], group: &ColumnGroup) -> Option<ColumnRule> {
    let known: Vec<(&Sample<'_>, usize)> =
        samples.iter().zip(&group.columns).filter_map(|(sample, at)| Some((sample, (*at)?))).collect();
    if let Some(rule) = column_rule(&known, &group.name) {
        return Some(rule);
    }
    if known.len() < 2 {
        return None;
    }
    let cells = |&(sample, at): &(&Sample<'_>, usize)| {
        sample.list.records.iter().filter(|record| !record.cells[at].is_empty()).count()
    };
    let mut by_cells: Vec<(&Sample<'_>, usize)> = known.clone();
    by_cells.sort_by_key(|sample| std::cmp::Reverse(cells(sample)));
    let mut alone = by_cells.iter().filter_map(|&sample| column_rule(&[sample], &group.name));
    let mut rule = alone.next()?;
    // One locator per further sample: their first is the one that its page confirms best.
    for other in alone.filter(|other| other.cut == rule.cut && other.many == rule.many) {
        let locator = &other.find[0];
        if !rule.find.contains(locator) {
            rule.find.truncate(MAX_LOCATORS - 1);
            rule.find.push(locator.clone());
        }
    }
    Some(rule)
}

/// The rule of a column that is known on some samples.
fn column_rule(samples: &[(&Sample<'_>, usize)], name: &str) -> Option<ColumnRule> {
    let columns = || samples.iter().map(|(sample, at)| &sample.list.columns[*at]);
    let read_from = match columns().next()?.source {
        CellSource::Text => ReadFrom::Text,
        CellSource::Href => ReadFrom::Href,
        CellSource::Src => ReadFrom::Src,
        // a heading is outside the record, where locators of a wrapper do not reach
        CellSource::Embedded | CellSource::Detail | CellSource::Heading => return None,
    };
    let value_type = columns().find_map(|column| wrapper_type(column.value_type?));
    let known: Vec<ColumnSample<'_>> =
        samples.iter().map(|&(sample, at)| column_sample(sample, at)).collect();
    let whole = ColumnTask { name, known: &known, read_from, value_type };
    let rule = whole.rule().or_else(|| whole.rule_of_lines()).or_else(|| whole.rule_of_first_text())?;
    Some(ColumnRule { date_order: learned_date_order(samples), ..rule })
}

/// The order of a column's dates on all samples together. What one page leaves open, another may show.
fn learned_date_order(samples: &[(&Sample<'_>, usize)]) -> Option<String> {
    let decisions = || samples.iter().filter_map(|(sample, at)| sample.list.columns[*at].date_order);
    decisions().next()?;
    let records = samples.iter().flat_map(|(sample, at)| sample.list.records.iter().map(move |it| (it, *at)));
    let order = match date_order(records.filter_map(|(record, at)| record.cells[at].first())) {
        DateOrderFinding::Certain(order) => Some(order),
        _ => decisions().find_map(|decision| match decision {
            DateOrderDecision::Decided(order) => Some(order),
            DateOrderDecision::Mixed | DateOrderDecision::Ambiguous => None,
        }),
    };
    order.map(|order| order.name().to_owned())
}

/// A column whose locators are looked for.
struct ColumnTask<'a> {
    name: &'a str,
    known: &'a [ColumnSample<'a>],
    read_from: ReadFrom,
    value_type: Option<&'static str>,
}

impl ColumnTask<'_> {
    /// The rule with which each cell is read as it is known.
    fn rule(&self) -> Option<ColumnRule> {
        let many = self.known.iter().any(|known| known.cells.iter().any(|cell| cell.len() > 1));
        let (cut, mut candidates) = locator_candidates(self.known, self.read_from)?;
        // Independent of all names: the cell is often the first text of its type, or the second.
        if let Some(value_type) = self.value_type.filter(|_| self.read_from == ReadFrom::Text) {
            for nth in [None, Some(2)] {
                let locator = Locator { value_type: Some(value_type.to_owned()), nth, ..Locator::default() };
                candidates.push((LocatorFamily::ValueType, VALUE_TYPE_SCORE, locator));
            }
        }
        let reading = CellReading { read_from: self.read_from, many, lines: false, cut: cut.as_ref() };
        let mut tried = self.trials(candidates, reading);
        let best = tried.iter().map(|one| one.share).fold(0.0, f64::max);
        if best < 1.0
            && let Some(both) = joined_trial(&tried, self.known, best)
        {
            tried.push(both);
        }
        let lines = !many && cut.is_none() && self.are_lines(&tried);
        self.best_rule(tried, ColumnRule { many, lines, cut: cut.clone(), ..ColumnRule::default() })
    }

    /// The rule of a field of an object whose texts are the lines of one element.
    fn rule_of_lines(&self) -> Option<ColumnRule> {
        if !are_objects(self.known) || self.read_from != ReadFrom::Text {
            return None;
        }
        let reading = CellReading { read_from: self.read_from, many: false, lines: true, cut: None };
        let tried = self.trials(line_locators(self.known), reading);
        self.best_rule(tried, ColumnRule { lines: true, ..ColumnRule::default() })
    }

    /// The rule that gives the first text of a field of an object. The further texts of such a field are at
    /// other places, often repetitions, and no single locator finds them too.
    fn rule_of_first_text(&self) -> Option<ColumnRule> {
        let has_several = |known: &ColumnSample<'_>| known.cells.iter().any(|cell| cell.len() > 1);
        if !are_objects(self.known) || !self.known.iter().any(has_several) {
            return None;
        }
        let first: Vec<ColumnSample<'_>> = self.known.iter().map(ColumnSample::with_first_texts).collect();
        ColumnTask { known: &first, ..*self }.rule()
    }

    fn trials(&self, candidates: Vec<ScoredLocator>, reading: CellReading<'_>) -> Vec<CellTrial> {
        let trial = |(family, score, locator): ScoredLocator| {
            let cells: Vec<Vec<Vec<String>>> =
                self.known.iter().map(|known| cell_texts(known, reading, &locator)).collect();
            let share = cell_agreement(self.known, &cells, reading.lines);
            CellTrial { family, score, locator, cells, share }
        };
        candidates.into_iter().map(trial).collect()
    }

    /// True if a short field of objects may be read line by line: on the samples its elements have one
    /// line, and where an element has several, the extraction takes them for several values.
    fn are_lines(&self, tried: &[CellTrial]) -> bool {
        let is_short = |known: &ColumnSample<'_>| {
            known.cells.iter().flatten().all(|text| text.chars().count() <= MAX_SINGLE_LINE_CHARS)
        };
        if !are_objects(self.known) || self.read_from != ReadFrom::Text || !self.known.iter().all(is_short) {
            return false;
        }
        let Some(best) = tried.iter().max_by(|a, b| a.share.total_cmp(&b.share)) else { return false };
        let kept = tried.iter().filter(|one| one.share >= NEARLY_BEST * best.share);
        let reading = CellReading { read_from: self.read_from, many: false, lines: true, cut: None };
        kept.clone().all(|one| one.locator.value_type.is_none() && one.locator.text.is_none())
            && kept.take(MAX_LOCATORS).all(|one| {
                let cells = self.known.iter().map(|known| cell_texts(known, reading, &one.locator));
                cells.eq(one.cells.iter().cloned())
            })
    }

    /// The rule with the best locators; none if they find too few cells. `rule` says how cells are read.
    fn best_rule(&self, tried: Vec<CellTrial>, rule: ColumnRule) -> Option<ColumnRule> {
        let best = tried.iter().map(|one| one.share).fold(0.0, f64::max);
        if best < if are_objects(self.known) { MIN_OBJECT_AGREEMENT } else { MIN_LIST_AGREEMENT } {
            return None;
        }
        let good = tried.into_iter().filter(|one| one.share >= NEARLY_BEST * best);
        let good = good.map(|one| (one.family, one.score * one.share.powi(8), one.locator)).collect();
        let all: usize = self.known.iter().map(|known| known.cells.len()).sum();
        let there = self.known.iter().flat_map(|known| &known.cells).filter(|cell| !cell.is_empty()).count();
        Some(ColumnRule {
            name: self.name.to_owned(),
            read_from: self.read_from,
            value_type: self.value_type.map(str::to_owned),
            find: best_of_families(good, MAX_LOCATORS),
            presence: Some(there as f64 / all.max(1) as f64),
            ..rule
        })
    }
}

/// The texts that a locator finds on a sample, per record, with absolute URLs.
fn cell_texts(known: &ColumnSample<'_>, reading: CellReading<'_>, locator: &Locator) -> Vec<Vec<String>> {
    let text = |text: GivenText| match reading.read_from {
        ReadFrom::Text => text.into_string(),
        ReadFrom::Href | ReadFrom::Src => known.base.resolve(text.as_str()),
    };
    cells_at(known.sample.page, &known.sample.index, &known.records, reading, locator)
        .into_iter()
        .map(|cell| cell.into_iter().map(text).collect())
        .collect()
}

/// Of the records that have a cell, known or found, the share whose cells are equal. On detail pages a
/// locator often finds a field that the extraction missed on one of the pages, so such a cell counts less
/// against it. Blocks of lines may have a few lines more or less.
fn cell_agreement(known: &[ColumnSample<'_>], cells: &[Vec<Vec<String>>], lines: bool) -> f64 {
    let extra = if are_objects(known) { EXTRA_OBJECT_CELL_WEIGHT } else { 1.0 };
    let (mut right, mut all) = (0.0, 0.0);
    for (known, cells) in known.iter().zip(cells) {
        for (expected, found) in known.cells.iter().zip(cells) {
            match (expected.is_empty(), found.is_empty()) {
                (true, true) => {}
                (true, false) => all += extra,
                (false, _) => {
                    all += 1.0;
                    right += if lines {
                        line_similarity(expected, found)
                    } else {
                        f64::from(u8::from(*expected == found.as_slice()))
                    };
                }
            }
        }
    }
    if all > 0.0 { right / all } else { 0.0 }
}

/// True if each sample is a detail page.
fn are_objects(known: &[ColumnSample<'_>]) -> bool {
    known.iter().all(|known| known.cells.len() == 1)
}

/// Locators that find some of the cells, and the cut that turns a text into a cell, if one is needed.
fn locator_candidates(
    known: &[ColumnSample<'_>],
    read_from: ReadFrom,
) -> Option<(Option<TextCut>, Vec<ScoredLocator>)> {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut out: Vec<ScoredLocator> = Vec::new();
    let mut cut: Option<TextCut> = None;
    let objects = are_objects(known);
    for known in known.iter().take(MAX_SAMPLED_RECORDS) {
        let with: Vec<usize> = (0..known.cells.len()).filter(|&at| !known.cells[at].is_empty()).collect();
        let step = with.len().div_ceil(MAX_SAMPLED_RECORDS).max(1);
        let some: Vec<usize> = with.into_iter().step_by(step).collect();
        if cut.is_none() && read_from == ReadFrom::Text {
            cut = find_cut(known, &some, objects);
        }
        for &record in &some {
            let mut found = cell_elements(known, record, read_from);
            if let Some(cut) = cut.as_ref().filter(|_| found.is_empty()) {
                found = cut_elements(known, record, cut);
            }
            for CellElement { part, node, own_text } in found {
                let page = known.sample.page;
                let scope = known.records.heads[record][part];
                let element = (part > 0).then_some(part + 1);
                for candidate in selector_candidates(&page.tree, scope, node) {
                    let css = Some(candidate.css);
                    let locator = Locator { css, text: own_text, element, ..Locator::default() };
                    let nth = ordinal(known, record, read_from, &locator, node);
                    let (family, score) = if nth > 1 {
                        (LocatorFamily::Position, candidate.score * 0.6 * 0.97f64.powf(nth as f64))
                    } else {
                        (candidate.family, candidate.score)
                    };
                    let locator = Locator { nth: (nth > 1).then_some(nth), ..locator };
                    if out.len() < MAX_LOCATOR_CANDIDATES && seen.insert(format!("{locator:?}")) {
                        out.push((family, score, locator));
                    }
                }
                // What follows a label may be a text node instead of an element.
                let labelled = own_text.map_or(Some(node), |number| own_text_node(page, node, number));
                let label = labelled.and_then(|labelled| label_before(page, labelled, scope));
                let label = label.filter(|_| read_from == ReadFrom::Text);
                if let Some(label) = label {
                    let locator = Locator { label: Some(label), ..Locator::default() };
                    if out.len() < MAX_LOCATOR_CANDIDATES && seen.insert(format!("{locator:?}")) {
                        out.push((LocatorFamily::Label, LABEL_SCORE, locator));
                    }
                }
            }
        }
    }
    (!out.is_empty()).then_some((cut, out))
}

/// Joins selectors that find only right cells, greedily, until no other adds any. None if the result is not
/// better than the best single locator.
fn joined_trial(tried: &[CellTrial], known: &[ColumnSample<'_>], best: f64) -> Option<CellTrial> {
    let plain = |one: &&CellTrial| one.locator.css.is_some() && one.locator.nth.is_none();
    let pure = |one: &&CellTrial| {
        one.cells.iter().zip(known).all(|(cells, known)| {
            cells
                .iter()
                .zip(&known.cells)
                .all(|(found, expected)| found.is_empty() || found.as_slice() == *expected)
        })
    };
    let pure: Vec<&CellTrial> =
        tried.iter().filter(plain).filter(pure).filter(|one| one.share > 0.0).collect();
    let first = pure.iter().max_by(|a, b| (a.share * a.score).total_cmp(&(b.share * b.score)))?;
    let mut cells = first.cells.clone();
    let mut parts = vec![first.locator.css.clone()?];
    let same = |one: &CellTrial| {
        (one.locator.text, one.locator.element) == (first.locator.text, first.locator.element)
    };
    while parts.len() < MAX_JOINED_SELECTORS {
        let gain = |one: &CellTrial| -> usize {
            let pairs = one.cells.iter().zip(&cells);
            pairs
                .map(|(own, have)| {
                    own.iter().zip(have).filter(|(own, have)| have.is_empty() && !own.is_empty()).count()
                })
                .sum()
        };
        let next = pure
            .iter()
            .filter(|one| same(one))
            .max_by(|a, b| (gain(a) as f64 * a.score).total_cmp(&(gain(b) as f64 * b.score)))?;
        if gain(next) == 0 {
            break;
        }
        for (have, own) in cells.iter_mut().flatten().zip(next.cells.iter().flatten()) {
            if have.is_empty() {
                have.clone_from(own);
            }
        }
        parts.push(next.locator.css.clone()?);
    }
    let share = cell_agreement(known, &cells, false);
    (share > best).then(|| CellTrial {
        family: first.family,
        score: first.score,
        locator: Locator { css: Some(parts.join(", ")), ..first.locator.clone() },
        cells,
        share,
    })
}
