//! Records side by side: a first, simple alignment by relative path.
//!
//! In: a region's records. Out: columns and one cell a record and column. A value is the text of an element that has
//! no elements inside but formatting (`b`, `em`, `br`, …), a text beside elements, a link's target or an image's
//! address. Values with the same path below the record (tags, stable classes, table cell position) are one column;
//! a path that repeats within records is several columns if it always repeats as often, else one column of lists.
//! O(nodes of the records).

pub(crate) mod attributes;
mod keys;
mod names;
mod values;

pub(crate) use keys::{path_keys, place_keys};
pub(crate) use values::image_address;

use crate::model::{CellSource, Column, Found, Layout};
use copal_dom::{Node, Page};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use values::Value;

/// A path may repeat this often and still be a column for each place.
const PLACES: u32 = 4;
/// Most columns of a region, and most cells.
const COLUMNS: usize = 400;
const CELLS: usize = 2_000_000;

pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    /// By record, by column: the values.
    pub(crate) rows: Vec<Vec<Vec<String>>>,
}

/// A column in the making.
struct Draft {
    source: CellSource,
    /// Elements of its values, in the first records that have one.
    sample: Node,
    /// (record, position in the record, text)
    cells: Vec<(usize, usize, String)>,
}

pub(crate) fn align(page: &Page, found: &Found, layout: Layout) -> Table {
    let values: Vec<Vec<Value>> = found.records.iter().map(|parts| values::values(page, parts)).collect();
    let repeats = repeats(&values);
    let mut drafts: Vec<Draft> = Vec::new();
    let mut place: FxHashMap<((u64, CellSource), u32), usize> = FxHashMap::default();
    for (record, values) in values.into_iter().enumerate() {
        let mut seen: FxHashMap<(u64, CellSource), u32> = FxHashMap::default();
        for (position, value) in values.into_iter().enumerate() {
            let ordinal = seen.entry(value.key).or_default();
            let slot = if repeats[&value.key].is_some() { *ordinal } else { 0 };
            *ordinal += 1;
            let at = *place.entry((value.key, slot)).or_insert_with(|| {
                drafts.push(Draft { source: value.key.1, sample: value.node, cells: Vec::new() });
                drafts.len() - 1
            });
            drafts[at].cells.push((record, position, value.text));
        }
    }
    drafts.sort_by(|a, b| mean_position(a).total_cmp(&mean_position(b)));
    let drafts = bounded(merged(page, informative(drafts, found.records.len())), found.records.len());
    let names = names::name_columns(page, found, layout, &drafts);
    let mut rows = vec![vec![Vec::new(); drafts.len()]; found.records.len()];
    let mut columns = Vec::with_capacity(drafts.len());
    for (c, (draft, (name, named_by))) in drafts.into_iter().zip(names).enumerate() {
        for (record, _, text) in draft.cells {
            rows[record][c].push(text);
        }
        let support = rows.iter().filter(|row| !row[c].is_empty()).count() as f64 / rows.len() as f64;
        columns.push(Column { name, named_by, source: draft.source, kind: None, support, confidence: None });
    }
    Table { columns, rows }
}

/// Cells from which one text for all is the template's, not the records'.
const CONSTANT: usize = 4;

/// Without columns that say nothing (separators only, the same words in every record) or nothing new (the cells of a column
/// before them).
fn informative(mut drafts: Vec<Draft>, records: usize) -> Vec<Draft> {
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    drafts.retain(|draft| {
        let mut hasher = FxHasher::default();
        for (record, _, text) in &draft.cells {
            (record, text).hash(&mut hasher);
        }
        draft.source.hash(&mut hasher);
        let says = draft.cells.iter().any(|cell| cell.2.chars().any(char::is_alphanumeric));
        says && (std::env::var("X1").is_ok() || !is_template(draft, records)) && seen.insert(hasher.finish())
    });
    drafts
}

/// "Add to basket" in (nearly) every record. A figure that all have is a value all the same.
fn is_template(draft: &Draft, records: usize) -> bool {
    let first = &draft.cells[0].2;
    draft.source == CellSource::Text
        && draft.cells.len() >= CONSTANT
        && 2 * draft.cells.len() > records
        && !first.contains(|c: char| c.is_ascii_digit())
        && draft.cells.iter().all(|cell| cell.2 == *first)
}

/// Columns that no record has both of, in the same place and on the same tag, are one: a class tells sold from for sale.
fn merged(page: &Page, drafts: Vec<Draft>) -> Vec<Draft> {
    let mut out: Vec<(Draft, FxHashSet<usize>)> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let records: FxHashSet<usize> = draft.cells.iter().map(|cell| cell.0).collect();
        let tag = page.tree.tag(draft.sample);
        let place = mean_position(&draft);
        let near = out.iter().rposition(|(other, has)| {
            other.source == draft.source
                && page.tree.tag(other.sample) == tag
                && (mean_position(other) - place).abs() <= NEAR
                && has.is_disjoint(&records)
        });
        match near {
            Some(at) => {
                out[at].0.cells.extend(draft.cells);
                out[at].1.extend(records);
            }
            None => out.push((draft, records)),
        }
    }
    out.into_iter().map(|(draft, _)| draft).collect()
}

/// How far apart in their records the values of one column may stand.
const NEAR: f64 = 1.5;

/// At most [`COLUMNS`] columns and [`CELLS`] cells, those with most values: a page may have a class for each record.
fn bounded(mut drafts: Vec<Draft>, records: usize) -> Vec<Draft> {
    let most = COLUMNS.min(CELLS / records.max(1)).max(1);
    if drafts.len() > most {
        let mut sizes: Vec<usize> = drafts.iter().map(|draft| draft.cells.len()).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let least = sizes[most - 1];
        let mut left = most - sizes.iter().filter(|&&size| size > least).count();
        drafts.retain(|draft| {
            let tie = draft.cells.len() == least && left > 0;
            left -= usize::from(tie);
            draft.cells.len() > least || tie
        });
    }
    drafts
}

fn mean_position(draft: &Draft) -> f64 {
    draft.cells.iter().map(|cell| cell.1 as f64).sum::<f64>() / draft.cells.len() as f64
}

/// How often each path repeats in a record at most, if that is small.
fn repeats(values: &[Vec<Value>]) -> FxHashMap<(u64, CellSource), Option<u32>> {
    let most: u32 = std::env::var("X2").ok().and_then(|x| x.parse().ok()).unwrap_or(PLACES);
    let mut repeats: FxHashMap<(u64, CellSource), Option<u32>> = FxHashMap::default();
    for record in values {
        let mut counts: FxHashMap<(u64, CellSource), u32> = FxHashMap::default();
        for value in record {
            *counts.entry(value.key).or_default() += 1;
        }
        for (key, count) in counts {
            let known = repeats.entry(key).or_insert(Some(count));
            *known = known.map(|known| known.max(count)).filter(|&count| count <= most);
        }
    }
    repeats
}

