//! Applying a wrapper: the same data from a site's other pages.
//!
//! In: a [`Wrapper`] and a page. Out: an [`Answer`] as of any method; without regions if nothing of the wrapper is there. First
//! locators are asked alone; where what they find does not look like the samples all are asked and vote. O(columns x elements
//! of the records with the tags that locators end in).

use crate::cells::{Reading, Records, cells};
use crate::css::{Arena, Css};
use crate::deuds;
use crate::file::{ColumnRule, From, PageKind, PageRule, RecordRule, Wrapper, kind_named};
use crate::groups;
use crate::looks::favour_whole;
use crate::profile::{likeness, look};
use crate::regions;
use copal_dom::{Limit, Node, Page, Warning};
use copal_extract::located::{self, GivenColumn, GivenList, is_of_kind};
use copal_extract::{Answer, CellSource, Parts};
use rustc_hash::FxHashMap;

/// Columns that at least this share of the samples' records had are expected.
const EXPECTED: f64 = 0.9;
/// Share of the expected columns that records must have, in the mean.
const LEAST: f64 = 0.5;
/// Share of them that is enough to trust first locators.
const ENOUGH: f64 = 0.8;
/// How much rarer than on the samples a column may be before other locators are asked.
const RARER: f64 = 0.3;
/// How well the records of first locators must fit to be taken without a vote.
const SURE: f64 = 0.6;
/// Share of the locators, by weight, whose word is enough.
const AGREED: f64 = 0.8;
/// What records count that no locator finds.
const NAMELESS: f64 = 0.4;
/// What a locator counts that has tags and places only.
const UNNAMED: f64 = 0.4;
/// How well these must fit …
const LIKE: f64 = 0.18;
/// … and how well where hardly a column is found in them.
const VERY_LIKE: f64 = 0.5;
/// Cells whose type is looked at.
const TYPED: usize = 3;

/// What a wrapper reads from a page.
pub fn apply(wrapper: &Wrapper, page: &Page) -> Answer {
    let arena = Arena::new(&page.tree);
    let mut answer = None;
    for rule in in_order(wrapper, page) {
        answer = match rule.kind {
            PageKind::List => list(page, &arena, rule).map(|list| located::extraction(page, list)),
            PageKind::Detail => object(page, &arena, rule),
            PageKind::Section => section(page, &arena, rule).map(|node| deuds::read(page, node)),
        };
        if answer.as_ref().is_some_and(|answer| !answer.regions.is_empty() || answer.object.is_some()) {
            break;
        }
    }
    let nothing = GivenList { root: 0, records: Vec::new(), columns: Vec::new(), rows: Vec::new() };
    let mut answer = answer.unwrap_or_else(|| located::extraction(page, nothing));
    if arena.is_spent() {
        answer.warnings.push(Warning::Limit(Limit::Work));
    }
    answer
}

/// The rules in their order; of several those first whose samples looked like the page (a site before and after a change).
fn in_order<'a>(wrapper: &'a Wrapper, page: &Page) -> Vec<&'a PageRule> {
    let mut rules: Vec<&PageRule> = wrapper.pages.iter().collect();
    if rules.len() > 1 {
        let look = look(page);
        let alike = |rule: &&PageRule| {
            let known = rule.profile.as_ref().and_then(|profile| profile.look.as_deref());
            known.and_then(|known| likeness(known, &look)).unwrap_or(0.0)
        };
        rules.sort_by(|a, b| alike(b).total_cmp(&alike(a)));
    }
    rules
}

/// The section that most patterns find, the first of them in doubt.
fn section(page: &Page, arena: &Arena<'_>, rule: &PageRule) -> Option<Node> {
    let found = rule.region.iter().filter_map(|css| Css::parse(css).ok());
    let nodes: Vec<Node> = found.filter_map(|css| css.select(arena).first().copied()).collect();
    let votes = |node: Node| nodes.iter().filter(|&&other| other == node).count();
    let most = nodes.iter().map(|&node| votes(node)).max()?;
    nodes.iter().copied().find(|&node| votes(node) == most && page.styles.is_shown(node))
}

/// The object of a page, if it has enough of the fields that the samples had.
fn object(page: &Page, arena: &Arena<'_>, rule: &PageRule) -> Option<Answer> {
    let node = section(page, arena, rule)?;
    let list = read(page, arena, rule, node, vec![Parts::from_elem(node..page.tree.end(node), 1)]);
    if presence(rule, &list.rows) < LEAST {
        return None;
    }
    let row = list.rows.into_iter().next()?;
    Some(located::object(page, list.columns.into_iter().zip(row).collect()))
}

fn list(page: &Page, arena: &Arena<'_>, rule: &PageRule) -> Option<GivenList> {
    let record = rule.record.as_ref()?;
    if let Some((root, mut parts)) = records(page, arena, &rule.region[0], record, 0) {
        let looks = record.looks.as_ref();
        if let Some(looks) = looks {
            looks.retain(page, &mut parts);
        }
        let fits_sizes = looks.map_or(1.0, |looks| looks.fit_sizes(page, &parts));
        if fits_sizes >= SURE && looks.is_none_or(|looks| looks.is_alike(page, &parts)) {
            let there = |read: &GivenList| presence(rule, &read.rows);
            let texts = |read: &GivenList| looks.map_or(1.0, |looks| looks.fit_texts(page, &read.records));
            let read = read(page, arena, rule, root, parts);
            // texts are read only where columns do not say enough
            if there(&read) >= ENOUGH || (there(&read) >= LEAST && fits_sizes * texts(&read) >= SURE) {
                return Some(read);
            }
        }
    }
    voted(page, arena, rule, record)
}

/// The records by one locator of the region and one of the records; of several regions those of the one with most.
fn records(
    page: &Page,
    arena: &Arena<'_>,
    region: &str,
    record: &RecordRule,
    number: usize,
) -> Option<(Node, Vec<Parts>)> {
    let mut best: Option<(Node, Vec<Parts>)> = None;
    for root in Css::parse(region).ok()?.select(arena).into_iter().take(regions::MOST_REGIONS) {
        let parts = regions::records(page, arena, root, record, number);
        if parts.len() > best.as_ref().map_or(0, |(_, parts)| parts.len()) {
            best = Some((root, parts));
        }
    }
    best
}

/// Records that were found, and the weight of the locators that found just these.
struct Found {
    root: Node,
    parts: Vec<Parts>,
    weight: f64,
}

impl Found {
    /// How much of two is the same: records of both to records of either.
    fn overlap(&self, other: &Found) -> f64 {
        let start = |parts: &Parts| parts[0].start;
        let same = |parts: &&Parts| other.parts.binary_search_by_key(&start(parts), start).is_ok();
        let both = self.parts.iter().filter(same).count();
        both as f64 / (self.parts.len() + other.parts.len() - both).max(1) as f64
    }
}

/// All locators of region and records, and what only looks like the records: those that fit best and that most locators find.
fn voted(page: &Page, arena: &Arena<'_>, rule: &PageRule, record: &RecordRule) -> Option<GivenList> {
    let (mut found, all) = by_locators(page, arena, rule, record);
    if let Some(looks) = &record.looks {
        // nearly all locators agree: this page's records are of other sizes than the samples'
        if let Some(most) = found.iter().find(|one| one.weight >= AGREED * all)
            && looks.is_alike(page, &most.parts)
        {
            let read = read(page, arena, rule, most.root, most.parts.clone());
            if presence(rule, &read.rows) >= LEAST {
                return Some(read);
            }
        }
        for (_, parts) in groups::best(page, record, looks) {
            found.push(Found { root: located::root_of(page, &parts), parts, weight: 0.0 });
        }
    }
    let mut sets: Vec<(f64, &[Parts])> = Vec::new();
    let mut how_well: Vec<f64> = Vec::new();
    for one in &found {
        let votes = found.iter().filter(|other| other.weight > 0.0);
        let votes: f64 = votes.map(|other| other.weight * one.overlap(other).powi(2)).sum();
        let fit = record.looks.as_ref().map_or(1.0, |looks| looks.fit(page, &one.parts));
        how_well.push(fit);
        sets.push((fit * (NAMELESS + (1.0 - NAMELESS) * votes / all), &one.parts));
    }
    favour_whole(page, &mut sets);
    let mut order: Vec<(f64, usize)> = sets.iter().enumerate().map(|(at, (score, _))| (*score, at)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().find_map(|(_, at)| {
        let (named, fit) = (found[at].weight > 0.0, how_well[at]);
        if !named && fit < LIKE {
            return None;
        }
        let parts = std::mem::take(&mut found[at].parts);
        let read = read(page, arena, rule, found[at].root, parts);
        (presence(rule, &read.rows) >= LEAST || (record.looks.is_some() && fit >= VERY_LIKE)).then_some(read)
    })
}

/// What the locators of the file find, each set once, and the weight of all locators.
fn by_locators(page: &Page, arena: &Arena<'_>, rule: &PageRule, record: &RecordRule) -> (Vec<Found>, f64) {
    let mut found: Vec<Found> = Vec::new();
    let mut known: FxHashMap<Vec<Node>, usize> = FxHashMap::default();
    let mut all = 0.0;
    for (i, css) in rule.region.iter().enumerate() {
        for (j, find) in record.find.iter().enumerate() {
            // where the region was not found only what has a name is a record: not the items of a menu
            if i > 0 && css == regions::ANYWHERE && !regions::is_named(find) {
                continue;
            }
            let named = |css: &str| if regions::is_named(css) { 1.0 } else { UNNAMED };
            let weight = named(css) * named(find) / (1.0 + i as f64 + j as f64);
            all += weight;
            let Some((root, mut parts)) = records(page, arena, css, record, j) else { continue };
            if let Some(looks) = &record.looks {
                looks.retain(page, &mut parts);
            }
            if parts.is_empty() {
                continue;
            }
            let starts: Vec<Node> = parts.iter().map(|parts| parts[0].start).collect();
            let at = *known.entry(starts).or_insert(found.len());
            if at == found.len() {
                found.push(Found { root, parts, weight: 0.0 });
            }
            found[at].weight += weight;
        }
    }
    (found, all)
}

/// Share of the cells of expected columns that records have; 1 if no column is.
fn presence(rule: &PageRule, rows: &[Vec<Vec<String>>]) -> f64 {
    let expected: Vec<usize> =
        (0..rule.columns.len()).filter(|&c| rule.columns[c].presence.unwrap_or(0.0) >= EXPECTED).collect();
    if expected.is_empty() || rows.is_empty() {
        return f64::from(u8::from(!rows.is_empty()));
    }
    let there: usize = rows.iter().map(|row| expected.iter().filter(|&&c| !row[c].is_empty()).count()).sum();
    there as f64 / (rows.len() * expected.len()) as f64
}

fn read(page: &Page, arena: &Arena<'_>, rule: &PageRule, root: Node, parts: Vec<Parts>) -> GivenList {
    let records = Records::new(page, parts);
    let mut rows: Vec<Vec<Vec<String>>> = vec![Vec::with_capacity(rule.columns.len()); records.len()];
    for column in &rule.columns {
        for (row, cell) in rows.iter_mut().zip(column_cells(page, arena, &records, column)) {
            row.push(cell);
        }
    }
    let columns = rule.columns.iter().map(|column| GivenColumn {
        name: column.name.clone(),
        source: match column.from {
            From::Text => CellSource::Text,
            From::Href => CellSource::Href,
            From::Src => CellSource::Src,
        },
        kind: column.kind.as_deref().and_then(kind_named),
    });
    GivenList { root, columns: columns.collect(), records: records.parts, rows }
}

fn column_cells(page: &Page, arena: &Arena<'_>, records: &Records, column: &ColumnRule) -> Vec<Vec<String>> {
    let reading = Reading::of(column);
    let first = cells(page, arena, records, reading, &column.find[0]);
    if column.find.len() == 1 || is_as_expected(column, &first) {
        return first;
    }
    let mut all = vec![first];
    all.extend(column.find[1..].iter().map(|locator| cells(page, arena, records, reading, locator)));
    (0..records.len())
        .map(|record| {
            let values: Vec<&Vec<String>> = all.iter().map(|cells| &cells[record]).collect();
            vote(column, &values).clone()
        })
        .collect()
}

/// The value that most locators give; of equals the one of the column's type, then the first that is there.
fn vote<'a>(column: &ColumnRule, values: &[&'a Vec<String>]) -> &'a Vec<String> {
    let typed = |value: &Vec<String>| value.first().is_some_and(|text| is_typed(column, text));
    let votes = |value: &Vec<String>| values.iter().filter(|other| **other == value).count();
    let rank = |value: &Vec<String>| (!value.is_empty(), typed(value), votes(value));
    // the first of the best: max_by_key gives the last
    values.iter().rev().copied().max_by_key(|value| rank(value)).unwrap_or(values[0])
}

fn is_typed(column: &ColumnRule, text: &str) -> bool {
    let kind = column.kind.as_deref().and_then(kind_named).filter(|_| column.from == From::Text);
    kind.is_none_or(|kind| is_of_kind(kind, text))
}

/// True if a column is not much rarer than on the samples, and its cells are of its type.
fn is_as_expected(column: &ColumnRule, cells: &[Vec<String>]) -> bool {
    let there = cells.iter().filter(|cell| !cell.is_empty()).count() as f64;
    if there < (column.presence.unwrap_or(0.0) - RARER) * cells.len() as f64 {
        return false;
    }
    let some: Vec<&String> = cells.iter().filter_map(|cell| cell.first()).take(TYPED).collect();
    let typed = some.iter().filter(|text| is_typed(column, text)).count();
    2 * typed >= some.len()
}
