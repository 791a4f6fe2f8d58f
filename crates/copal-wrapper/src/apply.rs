//! Applying a wrapper: the same data from a site's other pages.
//!
//! In: a [`Wrapper`] and a page. Out: an [`Extraction`] as of any method; without regions if nothing of the wrapper is there. First
//! locators are asked alone; where what they find does not look like the samples all are asked and vote. O(columns x elements
//! of the records with the tags that locators end in).

use crate::cells::{Reading, Records, cells};
use crate::css::{Arena, Css};
use crate::deuds;
use crate::file::{ColumnRule, From, PageKind, PageRule, RecordRule, Wrapper, kind_named};
use crate::groups;
use crate::profile::{likeness, look};
use crate::regions;
use copal_dom::{Limit, Node, Page, Warning};
use copal_extract::given::{self, GivenColumn, GivenList, is_of_kind};
use copal_extract::{CellSource, Extraction, Parts};
use rustc_hash::FxHashMap;

/// Columns that at least this share of the samples' records had are expected.
const EXPECTED: f64 = 0.9;
/// Share of the expected columns that records must have, in the mean.
const LEAST: f64 = 0.5;
/// How much rarer than on the samples a column may be before other locators are asked.
const RARER: f64 = 0.3;
/// How well the records of first locators must fit to be taken without a vote.
const SURE: f64 = 0.6;
/// What records count that no locator finds.
const NAMELESS: f64 = 0.7;
/// How well these must fit where no column is found in them.
const LIKE: f64 = 0.5;
/// Cells whose type is looked at.
const TYPED: usize = 10;

/// What a wrapper reads from a page.
pub fn apply(wrapper: &Wrapper, page: &Page) -> Extraction {
    let arena = Arena::new(&page.tree);
    let mut answer = None;
    for rule in in_order(wrapper, page) {
        answer = match rule.kind {
            PageKind::List => list(page, &arena, rule).map(|list| given::extraction(page, list)),
            PageKind::Detail => object(page, &arena, rule),
            PageKind::Section => section(page, &arena, rule).map(|node| deuds::read(page, node)),
        };
        if answer.as_ref().is_some_and(|answer| !answer.regions.is_empty() || answer.detail.is_some()) {
            break;
        }
    }
    let nothing = GivenList { root: 0, records: Vec::new(), columns: Vec::new(), rows: Vec::new() };
    let mut answer = answer.unwrap_or_else(|| given::extraction(page, nothing));
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
fn object(page: &Page, arena: &Arena<'_>, rule: &PageRule) -> Option<Extraction> {
    let node = section(page, arena, rule)?;
    let list = read(page, arena, rule, node, vec![Parts::from_elem(node..page.tree.end(node), 1)]);
    if !fits(rule, &list.rows) {
        return None;
    }
    let row = list.rows.into_iter().next()?;
    Some(given::object(page, list.columns.into_iter().zip(row).collect()))
}

fn list(page: &Page, arena: &Arena<'_>, rule: &PageRule) -> Option<GivenList> {
    let record = rule.record.as_ref()?;
    if let Some((root, mut parts)) = records(page, arena, &rule.region[0], record, 0) {
        let sure = record.looks.as_ref().is_none_or(|looks| {
            looks.retain(page, &mut parts);
            looks.fit(page, &parts) >= SURE
        });
        if sure {
            let read = read(page, arena, rule, root, parts);
            if fits(rule, &read.rows) {
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

/// Records that some locators found.
struct Found {
    root: Node,
    parts: Vec<Parts>,
    /// How many locators found them, and how early they stand.
    weight: f64,
}

/// All locators of region and records, and what only looks like the records: those that fit best and that most locators find.
fn voted(page: &Page, arena: &Arena<'_>, rule: &PageRule, record: &RecordRule) -> Option<GivenList> {
    let mut found: Vec<Found> = Vec::new();
    let mut known: FxHashMap<Vec<Node>, usize> = FxHashMap::default();
    let mut add = |root: Node, parts: Vec<Parts>, weight: f64| {
        let starts: Vec<Node> = parts.iter().map(|parts| parts[0].start).collect();
        let at = *known.entry(starts).or_insert(found.len());
        if at == found.len() {
            found.push(Found { root, parts, weight: 0.0 });
        }
        found[at].weight += weight;
    };
    for (i, css) in rule.region.iter().enumerate() {
        for j in 0..record.find.len() {
            // where the region was not found only what has a name is a record: not the items of a menu
            if i > 0 && css == regions::ANYWHERE && !regions::is_named(&record.find[j]) {
                continue;
            }
            let Some((root, mut parts)) = records(page, arena, css, record, j) else { continue };
            if let Some(looks) = &record.looks {
                looks.retain(page, &mut parts);
            }
            if !parts.is_empty() {
                add(root, parts, 1.0 / (1.0 + i as f64 + j as f64));
            }
        }
    }
    if let Some(looks) = &record.looks {
        for (_, parts) in groups::best(page, record, looks) {
            add(given::root_of(page, &parts), parts, 0.0);
        }
    }
    let mut order: Vec<(f64, usize)> = Vec::new();
    for (at, found) in found.iter().enumerate() {
        let score = match &record.looks {
            Some(looks) => {
                looks.fit(page, &found.parts) * (NAMELESS + (1.0 - NAMELESS) * found.weight.min(1.0))
            }
            None => found.weight,
        };
        order.push((score, at));
    }
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().find_map(|(score, at)| {
        let Found { root, parts, weight } =
            std::mem::replace(&mut found[at], Found { root: 0, parts: Vec::new(), weight: 0.0 });
        let read = read(page, arena, rule, root, parts);
        (fits(rule, &read.rows) || (weight == 0.0 && score >= LIKE)).then_some(read)
    })
}

/// True if records have what the samples' had.
fn fits(rule: &PageRule, rows: &[Vec<Vec<String>>]) -> bool {
    let expected: Vec<usize> =
        (0..rule.columns.len()).filter(|&c| rule.columns[c].presence.unwrap_or(0.0) >= EXPECTED).collect();
    if expected.is_empty() {
        return !rows.is_empty();
    }
    let there: usize = rows.iter().map(|row| expected.iter().filter(|&&c| !row[c].is_empty()).count()).sum();
    there as f64 >= LEAST * (rows.len() * expected.len()) as f64 && there > 0
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
