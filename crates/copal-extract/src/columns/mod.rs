//! Records side by side: a first, simple alignment by relative path.
//!
//! In: a region's records. Out: columns and one cell a record and column. A value is the text of an element that has
//! no elements inside but formatting (`b`, `em`, `br`, …), a text beside elements, a link's target or an image's
//! address. Values with the same path below the record (tags, stable classes, table cell position) are one column;
//! a path that repeats within records is several columns if it always repeats as often, else one column of lists.
//! O(nodes of the records).

pub(crate) mod attributes;
pub(crate) mod names;

use crate::model::{CellSource, Column, Found, Layout};
use copal_dom::{Node, Page, attrs, push_collapsed, tags};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;

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

/// One value of one record.
struct Value {
    key: (u64, CellSource),
    node: Node,
    text: String,
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
    let values: Vec<Vec<Value>> = found.records.iter().map(|parts| values(page, parts)).collect();
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
        says && !is_template(draft, records) && seen.insert(hasher.finish())
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

/// How often each path repeats in a record, if that is the same in all records that have it, and small.
fn repeats(values: &[Vec<Value>]) -> FxHashMap<(u64, CellSource), Option<u32>> {
    let mut repeats: FxHashMap<(u64, CellSource), Option<u32>> = FxHashMap::default();
    for record in values {
        let mut counts: FxHashMap<(u64, CellSource), u32> = FxHashMap::default();
        for value in record {
            *counts.entry(value.key).or_default() += 1;
        }
        for (key, count) in counts {
            let known = repeats.entry(key).or_insert(Some(count));
            if *known != Some(count) || count > PLACES {
                *known = None;
            }
        }
    }
    repeats
}

/// For every node of a part, a key of its path below the record: tags, stable classes, places of table cells.
pub(crate) fn path_keys(page: &Page, part: &Range<Node>, number: usize) -> Vec<u64> {
    keys(page, part, number, &|above, node| step(page, above, node))
}

/// The same with tags and the place among siblings of that tag instead.
pub(crate) fn place_keys(page: &Page, part: &Range<Node>, number: usize) -> Vec<u64> {
    let mut seen: FxHashMap<(Node, u16), u64> = FxHashMap::default();
    let places: Vec<u64> = part
        .clone()
        .map(|node| {
            let place = seen.entry((page.tree.parent(node), page.tree.tag(node))).or_default();
            *place += 1;
            *place
        })
        .collect();
    keys(page, part, number, &|above, node| {
        mix(above ^ mix(u64::from(page.tree.tag(node)) << 40 | places[(node - part.start) as usize]))
    })
}

fn keys(page: &Page, part: &Range<Node>, number: usize, step: &dyn Fn(u64, Node) -> u64) -> Vec<u64> {
    let mut keys: Vec<u64> = Vec::with_capacity(part.len());
    let mut tops = 0u64;
    for node in part.clone() {
        let parent = page.tree.parent(node);
        let key = if node == part.start || parent < part.start {
            tops += 1;
            mix((number as u64) << 32 | tops)
        } else {
            step(keys[(parent - part.start) as usize], node)
        };
        keys.push(key);
    }
    keys
}

/// The values of a record in document order.
fn values(page: &Page, parts: &[Range<Node>]) -> Vec<Value> {
    let tree = &page.tree;
    let mut out = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let keys = path_keys(page, part, number);
        // nodes before this one are inside a value that was read whole
        let mut read_to = part.start;
        for (node, key) in part.clone().zip(keys) {
            if !page.styles.is_shown(node) {
                continue;
            }
            let tag = tree.tag(node);
            let mut push = |source, text: String| out.push(Value { key: (key, source), node, text });
            if tag == tags::TEXT {
                let mut text = String::new();
                if node >= read_to && push_collapsed(&mut text, tree.raw_text(node)) {
                    push(CellSource::Text, text);
                }
                continue;
            }
            if tag == tags::A
                && let Some(href) =
                    tree.attr(node, attrs::HREF).map(str::trim).filter(|href| !href.is_empty())
            {
                push(CellSource::Href, href.to_owned());
            } else if tag == tags::IMG
                && let Some(src) = image_address(page, node)
            {
                push(CellSource::Src, src.to_owned());
            }
            if node >= read_to && is_value(page, node) {
                let text = page.text_of(node);
                if !text.is_empty() {
                    push(CellSource::Text, text);
                }
                read_to = tree.end(node);
            }
        }
    }
    out
}

/// Lazy pages keep the address aside and put a placeholder into `src`.
pub(crate) fn image_address(page: &Page, image: Node) -> Option<&str> {
    [attrs::DATA_SRC, attrs::SRC]
        .into_iter()
        .filter_map(|name| page.tree.attr(image, name))
        .map(str::trim)
        .find(|src| !src.is_empty() && !src.starts_with("data:"))
}

/// True if nothing but texts and formatting is inside.
fn is_value(page: &Page, node: Node) -> bool {
    let inside = node + 1..page.tree.end(node);
    inside.into_iter().all(|inner| {
        let tag = page.tree.tag(inner);
        tag == tags::TEXT || tag == tags::BR || tags::is_formatting(tag) || !page.styles.is_shown(inner)
    })
}

/// The key of a node below a record, from its parent's.
fn step(page: &Page, above: u64, node: Node) -> u64 {
    let tree = &page.tree;
    let tag = tree.tag(node);
    // cells of a row differ by their place only
    let place = if matches!(tag, tags::TD | tags::TH) { cell_place(page, node) } else { 0 };
    mix(above ^ mix(u64::from(tag) << 48 | u64::from(place) << 32 | u64::from(page.index.class(node))))
}

fn cell_place(page: &Page, cell: Node) -> u16 {
    let tree = &page.tree;
    let mut place = 1u16;
    let mut before = tree.prev_sibling(cell);
    while before != copal_dom::NONE && place < 1000 {
        if matches!(tree.tag(before), tags::TD | tags::TH) {
            let span = tree.attr(before, attrs::COLSPAN).and_then(|span| span.trim().parse::<u16>().ok());
            place = place.saturating_add(span.unwrap_or(1).clamp(1, 1000));
        }
        before = tree.prev_sibling(before);
    }
    place
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ (x >> 29)
}
