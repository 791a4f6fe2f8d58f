//! From a page to its answer: run a method, choose the primary region, read out texts, places and cells.
//!
//! In: a [`Page`] and [`Options`]. Out: an [`Extraction`]. The cost beyond the method's is linear in the regions
//! that are returned.

use crate::candidates::{amber, buw, mdr, rdr};
use crate::columns::nested::{self, Nested};
use crate::columns::{self, attributes};
use crate::combined::{self, CombinedOptions};
use crate::confidence;
use crate::embedded;
use crate::explain;
use crate::model::{CellSource, Extraction, Findings, Found, Method, Origin, Record, Region, Role};
use crate::outline;
use crate::paging;
use crate::places;
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page, xpath::XPaths};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Most columns of a list inside of records: each record has them.
const CHILD_COLUMNS: usize = 40;

/// What to look for, and how.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The method.
    pub method: Method,
    /// All regions, not the primary one alone.
    pub all: bool,
    /// With `all`: menus and other lists that are no records, too.
    pub navigation: bool,
    /// Read the data that the page carries for its scripts, and add its fields to the records that show it. Without this
    /// it is looked at only if the page shows no main list at all.
    pub embedded: bool,
    /// Say why: fills [`Extraction::explanation`].
    pub explain: bool,
    /// Show where on the page it is: fills [`Extraction::outline`].
    pub outline: bool,
    /// MDR's constants.
    pub mdr: mdr::MdrOptions,
    /// BUW's constants.
    pub buw: buw::BuwOptions,
    /// RDR's constants and words.
    pub rdr: rdr::RdrOptions,
    /// AMBER's thresholds.
    pub amber: amber::AmberOptions,
    /// How candidates are combined.
    pub combined: CombinedOptions,
}

/// The regions of a page as the method finds them, best first.
pub fn find(page: &Page, options: &Options) -> Findings {
    match options.method {
        Method::Mdr => mdr::find(page, &options.mdr),
        Method::Buw => buw::find(page, &options.buw),
        Method::Rdr => rdr::find(page, &options.rdr),
        Method::Amber => amber::find(page, &options.amber),
        Method::Combined => combined::find(page, options),
        // it is not found but read
        Method::Wrapper => Findings::default(),
    }
}

/// Finds and reads out the lists of a page.
pub fn extract(page: &Page, options: &Options) -> Extraction {
    let findings = find(page, options);
    let wanted = |role: Role| match role {
        Role::Primary => true,
        Role::Secondary => options.all,
        Role::Navigation => options.all && options.navigation,
    };
    let xpaths = XPaths::new(&page.tree);
    let base = BaseUrl::of(page);
    let regions = findings.regions.iter().enumerate();
    let regions: Vec<Region> = regions
        .map(|(rank, found)| (findings.role(rank), findings.confidence(rank), found))
        .filter(|(role, _, _)| wanted(*role))
        .map(|(role, confidence, found)| {
            let mut region = region(page, (&xpaths, &base), found, options.method, role);
            region.confidence = confidence;
            confidence::add(page, &mut region);
            region
        })
        .collect();
    let explanation = options.explain.then(|| explain::explain(page, options, &findings));
    let mut warnings = page.warnings.clone();
    warnings.extend(findings.warnings.iter().cloned());
    let mut extraction = Extraction { regions, warnings, explanation, ..Extraction::default() };
    // a paper's system alone is asked for what the page shows
    let shows_none = findings.no_primary && options.method == Method::Combined;
    if options.embedded || shows_none {
        embedded::add(page, options, (&xpaths, &base), &mut extraction);
    }
    let list = extraction.regions.iter().find(|region| region.role == Role::Primary);
    extraction.page = paging::page_info(page, list);
    // a page's object is read with what combined finds
    extraction.findings = (options.method == Method::Combined).then_some(findings);
    if options.outline {
        extraction.outline =
            Some(outline::outline(page, &extraction.regions, extraction.explanation.as_ref()));
    }
    extraction
}

/// A region with the lists inside of its records.
pub(crate) fn region(
    page: &Page,
    places: (&XPaths<'_>, &BaseUrl),
    found: &Found,
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
    found: &Found,
    method: Method,
    role: Role,
    items: &FxHashSet<Node>,
) -> Region {
    let layout = places::layout(page, &found.records);
    let table = columns::align(page, found, layout, items);
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
                .flat_map(|part| places::tops(page, part))
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
        layout,
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
