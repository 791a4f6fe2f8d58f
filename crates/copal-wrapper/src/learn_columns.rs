//! Locators for columns.
//!
//! In: samples whose cells are known. Out: for each column up to five ways to its cells, of different families, that give back the
//! cells of (nearly) all records; columns that none gives back are left out and told. Where no one selector does, several
//! that each find right cells only are joined. O(candidates x elements of the records).

use crate::candidates::{self, Family, choose};
use crate::cells::{Reading, Records, cells, cut as cut_of, label_before, value};
use crate::file::{ColumnRule, Cut, From, Locator};
use crate::learn::{LOCATORS, Sample};
use copal_dom::{Node, Page};
use copal_extract::located::Addresses;
use copal_extract::{CellSource, Column};
use rustc_hash::FxHashSet;

/// Records whose cells give candidates.
const SAMPLE: usize = 6;
/// Elements of one record that are looked at.
const MOST_NODES: usize = 20_000;
/// Places of one record that say what the cell says.
const MOST_PLACES: usize = 4;
/// Candidates of one column.
const MOST: usize = 150;
/// Least share of cells that a column's locator gives back.
const LEAST: f64 = 0.8;
/// How good it is that a value is the first of its type: asked behind all names and places, since reading types takes long.
const BY_TYPE: f64 = 0.4;
/// The same of the pages of single objects, which are few, and of which each is read for itself.
const LEAST_OF_OBJECTS: f64 = 0.6;
/// How much a cell counts against a locator that only the locator finds, on the page of an object.
const MISSED: f64 = 0.25;
/// Selectors that are joined at most.
const PARTS: usize = 4;
/// Longest words around a cell in one text with it, in bytes.
const AROUND: usize = 60;
/// What parts several values of one text.
const SEPARATORS: [&str; 4] = [" \u{2022} ", " \u{b7} ", " \u{2014} ", ", "];

/// The cells of one column on one sample.
struct Known<'a> {
    sample: &'a Sample<'a>,
    records: Records,
    /// By record.
    cells: Vec<Vec<String>>,
    base: Addresses,
}

struct Tried {
    family: Family,
    score: f64,
    locator: Locator,
    /// By sample, by record.
    cells: Vec<Vec<Vec<String>>>,
    share: f64,
}

/// The rules of the first sample's columns.
pub(crate) fn columns(samples: &[Sample<'_>], notes: &mut Vec<String>) -> Vec<ColumnRule> {
    let mut rules = Vec::new();
    for column in &samples[0].list.columns {
        match rule(samples, column) {
            Some(rule) => rules.push(rule),
            None => {
                notes.push(format!("column {:?} was left out: no locator gives its cells back", column.name));
            }
        }
    }
    rules
}

fn rule(samples: &[Sample<'_>], column: &Column) -> Option<ColumnRule> {
    let from = match column.source {
        CellSource::Text => From::Text,
        CellSource::Href => From::Href,
        CellSource::Src => From::Src,
        CellSource::Embedded | CellSource::Detail => return None,
    };
    let known: Vec<Known<'_>> = samples.iter().filter_map(|sample| known(sample, column)).collect();
    let many = known.iter().any(|known| known.cells.iter().any(|cell| cell.len() > 1));
    let (cut, mut candidates) = locators(&known, from)?;
    // whatever its element is called, it is the first of its type, or the second
    if let Some(kind) = column.kind.filter(|_| from == From::Text) {
        for nth in [None, Some(2)] {
            let locator = Locator { kind: Some(kind.to_owned()), nth, ..Locator::default() };
            candidates.push((Family::Content, BY_TYPE, locator));
        }
    }
    let reading = Reading { from, many, cut: cut.as_ref() };
    let mut tried: Vec<Tried> = Vec::new();
    for (family, score, locator) in candidates {
        let mut cells: Vec<Vec<Vec<String>>> = known
            .iter()
            .map(|known| cells(known.sample.page, &known.sample.arena, &known.records, reading, &locator))
            .collect();
        for (known, cells) in known.iter().zip(&mut cells).filter(|_| from != From::Text) {
            for text in cells.iter_mut().flatten() {
                *text = known.base.resolve(text);
            }
        }
        let share = agreement(&known, &cells);
        tried.push(Tried { family, score, locator, cells, share });
    }
    let best = tried.iter().map(|one| one.share).fold(0.0, f64::max);
    if best < 1.0
        && let Some(both) = joined(&tried, &known, best)
    {
        tried.push(both);
    }
    let best = tried.iter().map(|one| one.share).fold(0.0, f64::max);
    if best < if are_objects(&known) { LEAST_OF_OBJECTS } else { LEAST } {
        return None;
    }
    let good = tried.into_iter().filter(|one| one.share >= 0.97 * best);
    let good = good.map(|one| (one.family, one.score * one.share.powi(8), one.locator)).collect();
    let all: usize = known.iter().map(|known| known.cells.len()).sum();
    let there = known.iter().flat_map(|known| &known.cells).filter(|cell| !cell.is_empty()).count();
    Some(ColumnRule {
        name: column.name.clone(),
        from,
        kind: column.kind.map(str::to_owned),
        find: choose(good, LOCATORS),
        many,
        cut,
        presence: Some(there as f64 / all.max(1) as f64),
        profile: None,
    })
}

/// The cells of the column of this name on a sample.
fn known<'a>(sample: &'a Sample<'a>, column: &Column) -> Option<Known<'a>> {
    let same = |other: &Column| other.name == column.name && other.source == column.source;
    let at = sample.list.columns.iter().position(same)?;
    let records = &sample.list.records;
    Some(Known {
        sample,
        records: Records::new(sample.page, records.iter().map(|record| record.place.parts.clone()).collect()),
        cells: records.iter().map(|record| record.cells[at].texts().map(str::to_owned).collect()).collect(),
        base: Addresses::of(sample.page),
    })
}

/// Share of the records with a cell, known or found, whose cells are equal. Of single objects more is found than was known: a
/// field that one page's reading missed speaks less against a locator.
fn agreement(known: &[Known<'_>], cells: &[Vec<Vec<String>>]) -> f64 {
    let beyond = if are_objects(known) { MISSED } else { 1.0 };
    let (mut right, mut all) = (0.0, 0.0);
    for (known, cells) in known.iter().zip(cells) {
        for (expected, found) in known.cells.iter().zip(cells) {
            match (expected.is_empty(), found.is_empty()) {
                (true, true) => {}
                (true, false) => all += beyond,
                (false, _) => {
                    all += 1.0;
                    right += f64::from(u8::from(expected == found));
                }
            }
        }
    }
    if all > 0.0 { right / all } else { 0.0 }
}

/// True if each sample is the page of one object.
fn are_objects(known: &[Known<'_>]) -> bool {
    known.iter().all(|known| known.cells.len() == 1)
}

type Scored = (Family, f64, Locator);

/// Locators that find some of the cells, and how texts are cut.
fn locators(known: &[Known<'_>], from: From) -> Option<(Option<Cut>, Vec<Scored>)> {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut out: Vec<Scored> = Vec::new();
    let mut cut: Option<Cut> = None;
    let objects = are_objects(known);
    for known in known.iter().take(SAMPLE) {
        let with: Vec<usize> = (0..known.cells.len()).filter(|&at| !known.cells[at].is_empty()).collect();
        let step = with.len().div_ceil(SAMPLE).max(1);
        for &record in with.iter().step_by(step) {
            let mut places = places(known, record, from, None);
            if places.is_empty() && from == From::Text {
                if cut.is_none() {
                    let at = || SEPARATORS.iter().find_map(|separator| cut_at(known, record, separator));
                    // objects have labels before their values, records several values in a line
                    cut = if objects { cut_around(known, record).or_else(at) } else { at() };
                }
                places =
                    cut.as_ref().map(|cut| self::places(known, record, from, Some(cut))).unwrap_or_default();
            }
            for (element, node, own) in places {
                let page = known.sample.page;
                let scope = known.records.heads[record][element];
                let element = (element > 0).then_some(element + 1);
                for candidate in candidates::of(&page.tree, scope, node) {
                    let css = Some(candidate.css);
                    let locator = Locator { css, text: own, element, ..Locator::default() };
                    let nth = ordinal(known, record, from, &locator, node);
                    let (family, score) = if nth > 1 {
                        (Family::Position, candidate.score * 0.6 * 0.97f64.powf(nth as f64))
                    } else {
                        (candidate.family, candidate.score)
                    };
                    let locator = Locator { nth: (nth > 1).then_some(nth), ..locator };
                    if out.len() < MOST && seen.insert(format!("{locator:?}")) {
                        out.push((family, score, locator));
                    }
                }
                // behind a label may be a text of its parent's own
                let place = own.map_or(Some(node), |own| own_node(page, node, own));
                let label = place.and_then(|place| label_before(page, place, scope));
                let label = label.filter(|_| from == From::Text);
                if let Some(label) = label {
                    let locator = Locator { label: Some(label), ..Locator::default() };
                    if out.len() < MOST && seen.insert(format!("{locator:?}")) {
                        out.push((Family::Label, 0.85, locator));
                    }
                }
            }
        }
    }
    (!out.is_empty()).then_some((cut, out))
}

/// Where a record says what its cell says: element of the record, node, and which of its own texts.
fn places(
    known: &Known<'_>,
    record: usize,
    from: From,
    cut: Option<&Cut>,
) -> Vec<(usize, Node, Option<usize>)> {
    let page = known.sample.page;
    let Some(wanted) = known.cells[record].first() else { return Vec::new() };
    let says = |text: &str| match cut {
        Some(cut) => cut_of(text.to_owned(), Some(cut)).as_ref() == Some(wanted),
        None => text == wanted,
    };
    let mut found = Vec::new();
    for (element, &head) in known.records.heads[record].iter().enumerate() {
        let nodes = head..page.tree.end(head);
        let elements = nodes.filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node));
        for node in elements.take(MOST_NODES) {
            match from {
                From::Text => {
                    // texts that are much longer are not even read
                    let long = page.index.chars(&(node..page.tree.end(node))) as usize;
                    let room = if cut.is_some() { 400 } else { 20 };
                    if long <= wanted.len() + room
                        && value(page, node, from, None).is_some_and(|text| says(&text))
                    {
                        found.push((element, node, None));
                    }
                    found.extend(own_text(page, node, &says).map(|own| (element, node, Some(own))));
                }
                From::Href | From::Src => {
                    if value(page, node, from, None).is_some_and(|text| known.base.resolve(&text) == *wanted)
                    {
                        found.push((element, node, None));
                    }
                }
            }
        }
    }
    found.truncate(MOST_PLACES);
    found
}

/// Which of the element's own texts says it, where it has other things besides.
fn own_text(page: &Page, node: Node, says: &dyn Fn(&str) -> bool) -> Option<usize> {
    page.tree.elements(node).next()?;
    (1..=8)
        .take_while(|&own| value(page, node, From::Text, Some(own)).is_some())
        .find(|&own| value(page, node, From::Text, Some(own)).is_some_and(|text| says(&text)))
}

/// The words before or behind the cell in a text of the record that says little more: a label, a unit.
fn cut_around(known: &Known<'_>, record: usize) -> Option<Cut> {
    let page = known.sample.page;
    let wanted = known.cells[record].first()?;
    for &head in &known.records.heads[record] {
        let nodes = (head..page.tree.end(head))
            .filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node));
        for node in nodes.take(MOST_NODES) {
            let long = page.index.chars(&(node..page.tree.end(node))) as usize;
            let whole = value(page, node, From::Text, None).filter(|_| long <= wanted.len() + AROUND);
            let own = (1..=4).map_while(|own| value(page, node, From::Text, Some(own)));
            for text in whole.into_iter().chain(own) {
                let words = |part: &str| {
                    let part = part.trim();
                    (part.len() <= AROUND && part.contains(char::is_alphabetic)).then(|| part.to_owned())
                };
                let after = text.strip_suffix(wanted.as_str()).and_then(words);
                let before = text.strip_prefix(wanted.as_str()).and_then(words);
                if after.is_some() != before.is_some() {
                    return Some(Cut { after, before, ..Cut::default() });
                }
            }
        }
    }
    None
}

/// The text node that is an element's own text of a number.
fn own_node(page: &Page, node: Node, own: usize) -> Option<Node> {
    let texts = page.tree.children(node).filter(|&child| page.tree.is_text(child));
    texts.filter(|&text| copal_extract::located::cell_text(page, text..text + 1).is_some()).nth(own - 1)
}

/// How a text of the record is cut to give the cell.
fn cut_at(known: &Known<'_>, record: usize, separator: &str) -> Option<Cut> {
    (1..=6).find_map(|piece| {
        let cut = Cut { split: Some(separator.to_owned()), piece: Some(piece), ..Cut::default() };
        (!places(known, record, From::Text, Some(&cut)).is_empty()).then_some(cut)
    })
}

/// Which of the elements that a locator finds in a record is this one.
fn ordinal(known: &Known<'_>, record: usize, from: From, locator: &Locator, node: Node) -> usize {
    let page = known.sample.page;
    let css = locator.css.as_deref().map(crate::css::Css::parse);
    let (Some(Ok(css)), Some(&scope)) =
        (css, known.records.heads[record].get(locator.element.unwrap_or(1) - 1))
    else {
        return 1;
    };
    let mut before = 0;
    css.each(&known.sample.arena, std::iter::once((scope, scope..node)), |_, other| {
        if page.styles.is_shown(other) && value(page, other, from, locator.text).is_some() {
            before += 1;
        }
    });
    before + 1
}

/// Selectors that find right cells only, joined until (nearly) all are found.
fn joined(tried: &[Tried], known: &[Known<'_>], best: f64) -> Option<Tried> {
    let plain = |one: &&Tried| one.locator.css.is_some() && one.locator.nth.is_none();
    let pure = |one: &&Tried| {
        one.cells.iter().zip(known).all(|(cells, known)| {
            cells
                .iter()
                .zip(&known.cells)
                .all(|(found, expected)| found.is_empty() || found.as_slice() == *expected)
        })
    };
    let pure: Vec<&Tried> = tried.iter().filter(plain).filter(pure).filter(|one| one.share > 0.0).collect();
    let first = pure.iter().max_by(|a, b| (a.share * a.score).total_cmp(&(b.share * b.score)))?;
    let mut cells = first.cells.clone();
    let mut parts = vec![first.locator.css.clone()?];
    let same =
        |one: &Tried| (one.locator.text, one.locator.element) == (first.locator.text, first.locator.element);
    while parts.len() < PARTS {
        let gain = |one: &Tried| -> usize {
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
    let share = agreement(known, &cells);
    (share > best).then(|| Tried {
        family: first.family,
        score: first.score,
        locator: Locator { css: Some(parts.join(", ")), ..first.locator.clone() },
        cells,
        share,
    })
}
