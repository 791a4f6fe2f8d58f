//! From a list candidate to a region: texts, places and aligned cells.
//!
//! In: a page and the node ranges of a candidate. Out: a [`Region`] with the lists nested in its records.
//! Linear in the nodes of the records.

use super::attribute_columns::{self, OtherColumns};
use super::cell_budget::CellBudget;
use super::nested_lists::{self, NestedList};
use super::{alignment::align, reread_dates};
use crate::lists::candidate::ListCandidate;
use crate::structure::data_sections::data_sections;
use crate::structure::layout;
use crate::structure::line_text::{LineIndex, record_text};
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page};
use copal_domain::Domain;
use copal_model::{Cell, CellSource, Method, Origin, Parts, Record, RecordPlace, Region, RegionPlace, Role};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of columns of a nested list. Every record has its own copy of them.
const MAX_NESTED_COLUMNS: usize = 40;

/// What the regions of one page share.
pub(crate) struct PageContext<'a> {
    pub(crate) page: &'a Page,
    pub(crate) base: BaseUrl,
    pub(crate) lines: LineIndex,
    pub(crate) cells: CellBudget,
    /// The domain of the records, if the user named one.
    pub(crate) domain: Option<Arc<Domain>>,
}

impl<'a> PageContext<'a> {
    pub(crate) fn new(page: &'a Page) -> PageContext<'a> {
        PageContext::with_base(page, BaseUrl::of(page))
    }

    pub(crate) fn with_base(page: &'a Page, base: BaseUrl) -> PageContext<'a> {
        let (lines, cells) = (LineIndex::new(page), CellBudget::default());
        PageContext { page, base, lines, cells, domain: None }
    }

    /// The same with the domain of the records.
    pub(crate) fn with_domain(self, domain: Option<Arc<Domain>>) -> PageContext<'a> {
        PageContext { domain, ..self }
    }
}

/// Builds a region with the lists nested in its records. XPaths are added later, for all regions of the page
/// together ([`super::region_xpaths::add_xpaths`]).
pub(crate) fn build_region(
    context: &PageContext<'_>,
    found: &ListCandidate,
    method: Method,
    role: Role,
) -> Region {
    // AMBER alone gives nothing but the attributes of its domain, which leaves no nested lists
    let lists = if found.attributes.is_empty() || method == Method::Combined {
        nested_lists::find_nested_lists(context.page, found)
    } else {
        Vec::new()
    };
    let none = FxHashSet::default();
    let mut children: Vec<(Region, Vec<usize>)> = lists
        .into_iter()
        .map(|NestedList { found, owners }| {
            (flat_region(context, &found, method, Role::Secondary, &none), owners)
        })
        .collect();
    children.retain(|(list, _)| list.columns.len() <= MAX_NESTED_COLUMNS);
    let items =
        children.iter().flat_map(|(list, _)| &list.records).map(|item| item.place.parts[0].start).collect();
    let mut region = flat_region(context, found, method, role, &items);
    for (list, owners) in children {
        add_children(context.page, list, &owners, &mut region.records);
    }
    region
}

/// Gives each record its part of a nested list. All parts have the same columns, because these were aligned
/// over the items of all records.
fn add_children(page: &Page, mut list: Region, owners: &[usize], records: &mut [Record]) {
    let items = std::mem::take(&mut list.records);
    let mut last = None;
    for (item, &owner) in items.into_iter().zip(owners) {
        let children = &mut records[owner].children;
        if last != Some(owner) {
            last = Some(owner);
            let holder = page.tree.parent(item.place.parts[0].start);
            children.push(Region { place: RegionPlace::element(holder), ..list.clone() });
        }
        if let Some(child) = children.last_mut() {
            child.records.push(item);
        }
    }
}

/// Builds a region without nested lists; `items` are the items of these lists.
fn flat_region(
    context: &PageContext<'_>,
    found: &ListCandidate,
    method: Method,
    role: Role,
    items: &FxHashSet<Node>,
) -> Region {
    let page = context.page;
    let arrangement = layout::layout(page, &found.records);
    let table = align(page, &context.lines, found, arrangement, items, &context.cells);
    let others = match method {
        Method::Combined => OtherColumns::Kept(context.domain.as_deref()),
        _ => OtherColumns::Dropped,
    };
    let mut table = attribute_columns::with_attribute_columns(table, found, others);
    if !found.attributes.is_empty() {
        reread_dates::reread_dates(Some(page), &mut table.columns, &mut table.rows);
    }
    for c in (0..table.columns.len()).filter(|&c| table.columns[c].source != CellSource::Text) {
        for text in table.rows.iter_mut().flat_map(|row| row[c].texts_mut()) {
            *text = context.base.resolve(text);
        }
    }
    let records = found.records.iter().zip(table.rows).map(|(parts, cells)| build_record(page, parts, cells));
    Region {
        role,
        layout: arrangement,
        method,
        origin: Origin::Page,
        score: found.score,
        confidence: None,
        place: RegionPlace::element(found.root),
        records: records.collect(),
        columns: table.columns,
        sections: if method == Method::Buw { data_sections(page, &found.records) } else { Vec::new() },
    }
}

/// Builds a record from its parts and cells.
pub(crate) fn build_record(page: &Page, parts: &Parts, cells: Vec<Cell>) -> Record {
    let tops = parts.iter().flat_map(|part| layout::tops(page, part)).collect();
    let place = RecordPlace { tops, ..RecordPlace::of(parts.clone()) };
    Record { cells, place, text: text_of(page, parts), ..Record::default() }
}

fn text_of(page: &Page, parts: &[Range<Node>]) -> String {
    let mut text = String::new();
    for part in parts {
        let piece = record_text(page, part.clone());
        if !text.is_empty() && !piece.is_empty() {
            text.push(' ');
        }
        text.push_str(&piece);
    }
    text
}
