//! Locators of columns.
//!
//! In: samples whose cells are known. Out: for each column up to five locators of different families that
//! find the cells of (nearly) all records. Columns that no locator finds are left out and reported. If no
//! single selector finds enough, several that each find only right cells are joined. O(candidates x elements
//! of the records).

use super::candidates::{LocatorFamily, best_of_families, selector_candidates};
use super::cell_elements::{cell_elements, cut_elements, find_cut};
use super::column_sample::{CellElement, ColumnSample, column_sample, own_text_node};
use super::sample::{MAX_LOCATORS, MAX_SAMPLED_RECORDS, Sample};
use crate::apply::cells::{CellReading, cells_at, element_value, label_before};
use crate::format::{ColumnRule, Locator, ReadFrom, TextCut};
use crate::locate::css::Css;
use copal_dom::Node;
use copal_extract::located::GivenText;
use copal_extract::{CellSource, Column};
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
/// Score of a locator by label.
const LABEL_SCORE: f64 = 0.85;
/// How much a cell that only the locator finds counts against it on a detail page.
const EXTRA_OBJECT_CELL_WEIGHT: f64 = 0.25;
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

/// The rules of the first sample's columns. A note is added for each column that has none.
pub(super) fn column_rules(samples: &[Sample<'_>], notes: &mut Vec<String>) -> Vec<ColumnRule> {
    let mut rules = Vec::new();
    for column in &samples[0].list.columns {
        match column_rule(samples, column) {
            Some(rule) => rules.push(rule),
            None => {
                notes.push(format!("column {:?} was left out: no locator finds its cells", column.name));
            }
        }
    }
    rules
}

fn column_rule(samples: &[Sample<'_>], column: &Column) -> Option<ColumnRule> {
    let read_from = match column.source {
        CellSource::Text => ReadFrom::Text,
        CellSource::Href => ReadFrom::Href,
        CellSource::Src => ReadFrom::Src,
        CellSource::Embedded | CellSource::Detail => return None,
    };
    let known: Vec<ColumnSample<'_>> =
        samples.iter().filter_map(|sample| column_sample(sample, column)).collect();
    let many = known.iter().any(|known| known.cells.iter().any(|cell| cell.len() > 1));
    let (cut, mut candidates) = locator_candidates(&known, read_from)?;
    // Independent of all names: the cell is often the first text of its type, or the second.
    if let Some(value_type) = column.value_type.filter(|_| read_from == ReadFrom::Text) {
        for nth in [None, Some(2)] {
            let locator = Locator { value_type: Some(value_type.to_owned()), nth, ..Locator::default() };
            candidates.push((LocatorFamily::ValueType, VALUE_TYPE_SCORE, locator));
        }
    }
    let reading = CellReading { read_from, many, cut: cut.as_ref() };
    let mut tried: Vec<CellTrial> = Vec::new();
    for (family, score, locator) in candidates {
        let cells: Vec<Vec<Vec<String>>> =
            known.iter().map(|known| cell_texts(known, reading, &locator)).collect();
        let share = cell_agreement(&known, &cells);
        tried.push(CellTrial { family, score, locator, cells, share });
    }
    let best = tried.iter().map(|one| one.share).fold(0.0, f64::max);
    if best < 1.0
        && let Some(both) = joined_trial(&tried, &known, best)
    {
        tried.push(both);
    }
    let best = tried.iter().map(|one| one.share).fold(0.0, f64::max);
    if best < if are_objects(&known) { MIN_OBJECT_AGREEMENT } else { MIN_LIST_AGREEMENT } {
        return None;
    }
    let good = tried.into_iter().filter(|one| one.share >= NEARLY_BEST * best);
    let good = good.map(|one| (one.family, one.score * one.share.powi(8), one.locator)).collect();
    let all: usize = known.iter().map(|known| known.cells.len()).sum();
    let there = known.iter().flat_map(|known| &known.cells).filter(|cell| !cell.is_empty()).count();
    Some(ColumnRule {
        name: column.name.clone(),
        read_from,
        value_type: column.value_type.map(str::to_owned),
        find: best_of_families(good, MAX_LOCATORS),
        many,
        cut,
        presence: Some(there as f64 / all.max(1) as f64),
        profile: None,
    })
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
/// against it.
fn cell_agreement(known: &[ColumnSample<'_>], cells: &[Vec<Vec<String>>]) -> f64 {
    let extra = if are_objects(known) { EXTRA_OBJECT_CELL_WEIGHT } else { 1.0 };
    let (mut right, mut all) = (0.0, 0.0);
    for (known, cells) in known.iter().zip(cells) {
        for (expected, found) in known.cells.iter().zip(cells) {
            match (expected.is_empty(), found.is_empty()) {
                (true, true) => {}
                (true, false) => all += extra,
                (false, _) => {
                    all += 1.0;
                    right += f64::from(u8::from(*expected == found.as_slice()));
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

type ScoredLocator = (LocatorFamily, f64, Locator);

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

/// Which of the elements that a locator finds in a record is this one, from 1.
fn ordinal(
    known: &ColumnSample<'_>,
    record: usize,
    read_from: ReadFrom,
    locator: &Locator,
    node: Node,
) -> usize {
    let page = known.sample.page;
    let css = locator.css.as_deref().map(Css::parse);
    let (Some(Ok(css)), Some(&scope)) =
        (css, known.records.heads[record].get(locator.element.unwrap_or(1) - 1))
    else {
        return 1;
    };
    let mut before = 0;
    css.each(&known.sample.index, std::iter::once((scope, scope..node)), |_, other| {
        if page.styles.is_shown(other) && element_value(page, other, read_from, locator.text).is_some() {
            before += 1;
        }
    });
    before + 1
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
    let share = cell_agreement(known, &cells);
    (share > best).then(|| CellTrial {
        family: first.family,
        score: first.score,
        locator: Locator { css: Some(parts.join(", ")), ..first.locator.clone() },
        cells,
        share,
    })
}
