//! From a list candidate to a region: texts, places and aligned cells.
//!
//! In: a page and a candidate's node ranges. Out: a [`Region`] with the lists nested in its records. Linear in the
//! nodes of the records.

use super::nested::{self, Nested};
use super::{align, attributes};
use crate::lists::candidate::ListCandidate;
use crate::structure::layout;
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page, xpath::XPaths};
use copal_model::{CellSource, Method, Origin, Record, Region, Role};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Most columns of a list inside of records: each record has them.
const CHILD_COLUMNS: usize = 40;

/// A region with the lists inside of its records.
pub(crate) fn region(
    page: &Page,
    places: (&XPaths<'_>, &BaseUrl),
    found: &ListCandidate,
    method: Method,
    role: Role,
) -> Region {
    // the records of a domain are its objects
    let lists = if found.attributes.is_empty() { nested::lists(page, found) } else { Vec::new() };
    let none = FxHashSet::default();
    let mut children: Vec<(Region, Vec<usize>)> = lists
        .into_iter()
        .map(|Nested { found, owners }| {
            (flat_region(page, places, &found, method, Role::Secondary, &none), owners)
        })
        .collect();
    children.retain(|(list, _)| list.columns.len() <= CHILD_COLUMNS);
    let items = children.iter().flat_map(|(list, _)| &list.records).map(|item| item.parts[0].start).collect();
    let mut region = flat_region(page, places, found, method, role, &items);
    for (list, owners) in children {
        add_children(page, places.0, list, &owners, &mut region.records);
    }
    region
}

/// Gives each record its part of a list. The parts have the same columns, as these are made of all items.
fn add_children(
    page: &Page,
    xpaths: &XPaths<'_>,
    mut list: Region,
    owners: &[usize],
    records: &mut [Record],
) {
    let items = std::mem::take(&mut list.records);
    let mut last = None;
    for (item, &owner) in items.into_iter().zip(owners) {
        let children = &mut records[owner].children;
        if last != Some(owner) {
            last = Some(owner);
            let holder = page.tree.parent(item.parts[0].start);
            children.push(Region { xpath: xpaths.of(holder), ..list.clone() });
        }
        if let Some(child) = children.last_mut() {
            child.records.push(item);
        }
    }
}

/// A region without the lists inside of its records, whose items are given.
fn flat_region(
    page: &Page,
    (xpaths, base): (&XPaths<'_>, &BaseUrl),
    found: &ListCandidate,
    method: Method,
    role: Role,
    items: &FxHashSet<Node>,
) -> Region {
    let arrangement = layout::layout(page, &found.records);
    let table = align(page, found, arrangement, items);
    let mut table = attributes::with_attributes(table, found);
    for c in (0..table.columns.len()).filter(|&c| table.columns[c].source != CellSource::Text) {
        for text in table.rows.iter_mut().flat_map(|row| &mut row[c]) {
            *text = base.resolve(text);
        }
    }
    let records = found
        .records
        .iter()
        .zip(table.rows)
        .zip(table.values.into_iter().zip(table.inferred))
        .map(|((parts, cells), (values, inferred))| Record {
            xpaths: parts
                .iter()
                .flat_map(|part| layout::tops(page, part))
                .map(|node| xpaths.of(node))
                .collect(),
            text: text_of(page, parts),
            parts: parts.clone(),
            cells,
            values,
            inferred,
            confidence: None,
            sure: Vec::new(),
            children: Vec::new(),
            page: None,
            joined: None,
        })
        .collect();
    Region {
        role,
        layout: arrangement,
        method,
        origin: Origin::Page,
        score: found.score,
        confidence: None,
        xpath: xpaths.of(found.root),
        columns: table.columns,
        records,
    }
}

pub(crate) fn text_of(page: &Page, parts: &[Range<Node>]) -> String {
    let mut text = String::new();
    for part in parts {
        let piece = page.visible_text(part.clone());
        if !text.is_empty() && !piece.is_empty() {
            text.push(' ');
        }
        text.push_str(&piece);
    }
    text
}
