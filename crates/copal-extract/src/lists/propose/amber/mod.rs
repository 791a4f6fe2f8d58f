//! AMBER on result pages (Wang, D.Phil. thesis 2015, chapter 4).
//!
//! In: a [`Page`] and a domain, whose pivot is an attribute that every record has once. Without a domain the
//! pivot is the link. Out: data areas with their records and attributes. [`areas`] implements section 4.3
//! (Definitions 5 and 6, Algorithm 1), `segment` 4.4 (Definitions 7 and 8, Algorithms 2 and 3), this file 4.5
//! (Definitions 9 to 12, which areas are valid and which one is primary), [`attribute_alignment`] and
//! `visual_attributes` 4.6. `docs/papers/amber.md` lists the deviations. Cost: O(areas * pivots * depth) plus
//! O(nodes) per area.

#[cfg(test)]
mod area_tests;
pub(crate) mod areas;
pub(crate) mod attribute_alignment;
mod attribute_sources;
mod segment;
mod visual_attributes;
mod visual_nodes;

use crate::lists::candidate::{AttributeColumn, ListCandidate, RankedLists};
use crate::signals::zones::words::SECONDARY_TITLES;
use areas::PivotArea;
use attribute_alignment::{Aligned, AlignmentOptions, RecordPaths};
use attribute_sources::AttributeSources;
use copal_dom::{NONE, Node, Page, Warning, attrs, tags};
use copal_domain::Domain;
use copal_domain::{AttributeAnnotation, AttributeType, annotate_beginning};
use copal_model::{CellText, Parts};
use copal_values::ValueType;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// How many parts of records are compared to measure the similarity of an area's records.
const MAX_COMPARED_PARTS: usize = 64;

/// A record with too few attribute types is kept if it shares at least this much of its class paths with a
/// valid record.
const MIN_STRUCTURE_OVERLAP: f64 = 0.6;

/// The domain and the thresholds of the thesis.
#[derive(Debug, Clone)]
pub struct AmberOptions {
    /// The domain of the records. Without it the pivot is the link.
    pub domain: Option<Arc<Domain>>,
    /// Index of the attribute to use as pivot instead of the domain's pivot.
    pub pivot: Option<usize>,
    /// Thresholds and weights of the attribute alignment.
    pub alignment: AlignmentOptions,
    /// Minimum number of different attributes per record, and of the domain's characteristic attributes per
    /// area (Definitions 9 and 11; the thesis calls them types).
    pub types: usize,
    /// Maximum number of areas to examine.
    pub areas: usize,
    /// Minimum number of records per area (Definition 10).
    pub fewest: usize,
    /// Minimum share of the page's text that a primary area has (Definition 12).
    pub fraction: f64,
    /// Minimum mean similarity of adjacent records: the share of their elements' paths (tags and classes)
    /// that both have. Definition 10 compares bounding boxes instead, which need a browser.
    pub likeness: f64,
    /// If the title of an area begins with one of these, the area is not the main list of the page.
    pub secondary_titles: Vec<String>,
}

impl Default for AmberOptions {
    fn default() -> Self {
        AmberOptions {
            domain: None,
            pivot: None,
            alignment: AlignmentOptions::default(),
            types: 3,
            areas: 48,
            fewest: 2,
            fraction: 0.1,
            likeness: 0.2,
            secondary_titles: SECONDARY_TITLES.iter().map(|&title| title.to_owned()).collect(),
        }
    }
}

/// Finds the areas and their records. If there is a primary area, it is the first one.
pub(crate) fn find(page: &Page, options: &AmberOptions) -> RankedLists {
    let (annotations, is_partial) =
        options.domain.as_ref().map(|domain| annotate_beginning(page, domain)).unwrap_or_default();
    let mut found = find_annotated(page, &annotations, options);
    found.warnings.extend(
        is_partial.then_some(Warning::LeftOut { what: "attributes in the rest of a very long page" }),
    );
    found
}

/// Like `find`, but with annotations from the caller, sorted by node in document order. `copal-lab noise`
/// passes annotations that it has disturbed.
#[cfg_attr(not(feature = "research"), allow(unreachable_pub, reason = "public only with `research`"))]
pub fn find_annotated(
    page: &Page,
    annotations: &[AttributeAnnotation],
    options: &AmberOptions,
) -> RankedLists {
    let pivots = match &options.domain {
        Some(domain) => {
            let pivot = options.pivot.unwrap_or(domain.pivot);
            let is_pivot = |found: &&AttributeAnnotation| found.attribute == pivot && !found.label;
            annotations.iter().filter(is_pivot).map(|found| found.node).collect()
        }
        None => links(page),
    };
    let mut regions: Vec<ListCandidate> = Vec::new();
    let mut rejected: Vec<(Node, String)> = Vec::new();
    // Algorithm 1 clusters pivots of depths d and d + 1. We also cluster pivots of a single depth, because a
    // stray pivot one level off may merge two areas. Without a domain only the latter is done: links are
    // everywhere, and those one level higher or lower mostly do not belong to the list
    let mut found_areas = areas::find(page, &pivots, options.areas, false);
    if options.domain.is_some() {
        found_areas.extend(areas::find(page, &pivots, options.areas, true));
    }
    for area in found_areas {
        match validate(page, &area, annotations, options) {
            Ok(found) => {
                let is_better = |other: &ListCandidate| {
                    segment::overlap(&other.records, &found.records) && other.score >= found.score
                };
                if !regions.iter().any(is_better) {
                    regions.push(found);
                }
            }
            Err(why) => rejected.push((area.root, format!("{} pivots, rejected: {why}", area.pivots.len()))),
        }
    }
    regions.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<ListCandidate> = Vec::new();
    for region in regions {
        if !kept.iter().any(|other| segment::overlap(&other.records, &region.records)) {
            kept.push(region);
        }
    }
    if let Some(domain) = &options.domain {
        let sources = AttributeSources::new(page);
        for region in &mut kept {
            region.attributes = attributes_of(&sources, page, domain, annotations, &region.records, options);
        }
    }
    let no_primary = !kept.first().is_some_and(|first| is_primary(page, first, options));
    RankedLists { regions: kept, no_primary, rejected, ..RankedLists::default() }
}

/// The attributes of a region: visual attributes first, then the pivot, the characteristic attributes and the
/// others in the order of the domain file.
fn attributes_of(
    sources: &AttributeSources<'_>,
    page: &Page,
    domain: &Domain,
    annotations: &[AttributeAnnotation],
    records: &[Parts],
    options: &AmberOptions,
) -> Vec<AttributeColumn> {
    let paths = RecordPaths::all(page, records);
    let aligned =
        attribute_alignment::align(page, domain, annotations, records, (&paths, sources), &options.alignment);
    let mut named: Vec<_> = domain.attributes.iter().zip(aligned).enumerate().collect();
    named.sort_by_key(|(i, _)| (*i != domain.pivot, !domain.characteristic.contains(i), *i));
    let mut columns: Vec<AttributeColumn> = named
        .into_iter()
        .map(|(_, (attribute, cells))| (attribute.name.clone(), attribute.attribute_type.name(), cells))
        .collect();
    // attributes that annotations found are more reliable than those found by their appearance
    let has = |columns: &[AttributeColumn], name: &str| {
        columns.iter().any(|column| column.0 == name && column.2.iter().any(Option::is_some))
    };
    let mut at = 0;
    // a price is not a title, but a name may be both the pivot and the title
    let pivot_attribute = &domain.attributes[domain.pivot];
    let is_name = matches!(
        pivot_attribute.attribute_type,
        AttributeType::Text | AttributeType::Place | AttributeType::Generic(ValueType::Link | ValueType::Url)
    );
    let non_title_pivot = Some(domain.pivot).filter(|_| !is_name);
    for visual in visual_attributes::find(page, records, (&paths, sources), annotations, non_title_pivot) {
        if visual.cells.iter().all(Option::is_none) || has(&columns, visual.name) {
            continue;
        }
        columns.retain(|column| column.0 != visual.name);
        let cell = |cell: visual_attributes::VisualCell| {
            cell.map(|(CellText { text, source }, inferred)| Aligned {
                text,
                inferred,
                source,
                ..Aligned::default()
            })
        };
        let cells = visual.cells.into_iter().map(cell).collect();
        columns.insert(at, (visual.name.to_owned(), visual.kind, cells));
        at += 1;
    }
    columns
}

/// Visible links with a text: the pivots of pages without a domain.
fn links(page: &Page) -> Vec<Node> {
    let tree = &page.tree;
    let is_link = |&node: &Node| {
        tree.tag(node) == tags::A
            && page.styles.is_shown(node)
            && tree.attr(node, attrs::HREF).is_some()
            && page.index.leaves(&(node..tree.end(node))) > 0
    };
    tree.nodes().filter(is_link).collect()
}

/// Definitions 9 to 11: the records of an area that have text and, with a domain, enough of its attributes.
/// The error says why the area was rejected.
fn validate(
    page: &Page,
    area: &PivotArea,
    annotations: &[AttributeAnnotation],
    options: &AmberOptions,
) -> Result<ListCandidate, String> {
    let chars = |parts: &Parts| parts.iter().map(|part| page.index.chars(part)).sum::<u32>();
    let mut records: Vec<Parts> =
        segment::segment(page, area).into_iter().filter(|parts| chars(parts) > 0).collect();
    let segmented = records.len();
    if let Some(domain) = &options.domain {
        let area_types = types_in(annotations, &[area.root..page.tree.end(area.root)]);
        let characteristic =
            domain.characteristic.iter().filter(|attribute| area_types.contains(attribute)).count();
        if characteristic < options.types.min(domain.characteristic.len()) {
            return Err(format!(
                "only {characteristic} characteristic attributes of the domain (Definition 11)"
            ));
        }
        // images and links do not count: every advert has them
        let recognised = |types: &FxHashSet<usize>| {
            types.iter().filter(|&&attribute| domain.attributes[attribute].is_recognised()).count()
        };
        let enough = options.types.min(recognised(&area_types));
        let counts: Vec<usize> =
            records.iter().map(|parts| recognised(&types_in(annotations, parts))).collect();
        // a record with fewer types that has the structure of a valid one probably has values that no
        // gazetteer knows
        let sample = counts.iter().position(|&count| count >= enough).map(|i| records[i].clone());
        let has_structure_of_sample = |parts: &Parts| {
            sample
                .as_ref()
                .is_some_and(|sample| segment::similarity(page, sample, parts) >= MIN_STRUCTURE_OVERLAP)
        };
        let mut counts = counts.into_iter();
        records.retain(|parts| {
            let count = counts.next().unwrap_or(0);
            count >= enough || count > 1 && has_structure_of_sample(parts)
        });
    }
    if records.len() < options.fewest {
        return Err(format!("{} records left of {segmented} (Definitions 9 and 10)", records.len()));
    }
    let text: u32 = records.iter().map(chars).sum();
    let likeness = segment::likeness(page, records.iter().flatten().take(MAX_COMPARED_PARTS).cloned());
    if likeness < options.likeness {
        return Err(format!("records share {likeness:.2} of their structure (Definition 10)"));
    }
    let links: u32 = records.iter().flatten().map(|part| page.index.link_chars(part)).sum();
    // without boxes a menu is recognised by its text, which consists of links
    let regular =
        likeness * (1.0 + records.len() as f64).ln() * (1.1 - f64::from(links) / f64::from(text.max(1)));
    // at most one area is primary: a regular one with much text and without a secondary title
    let secondary = has_secondary_title(page, area.root, secondary_titles(options));
    let score = f64::from(text) * regular * if secondary { 0.1 } else { 1.0 };
    Ok(ListCandidate { root: area.root, records, score, attributes: Vec::new() })
}

fn secondary_titles(options: &AmberOptions) -> &[String] {
    options.domain.as_ref().map_or(&options.secondary_titles, |domain| &domain.secondary_titles)
}

/// Definition 12: true for an area with a large share of the page's text and without a secondary title.
fn is_primary(page: &Page, region: &ListCandidate, options: &AmberOptions) -> bool {
    let text: u32 = region.records.iter().flatten().map(|part| page.index.chars(part)).sum();
    let all = page.index.chars(&(0..page.tree.len() as Node)).max(1);
    f64::from(text) >= options.fraction * f64::from(all)
        && !has_secondary_title(page, region.root, secondary_titles(options))
}

/// The attributes that have a value somewhere in these parts.
fn types_in(annotations: &[AttributeAnnotation], parts: &[Range<Node>]) -> FxHashSet<usize> {
    let mut types = FxHashSet::default();
    for part in parts {
        let from = annotations.partition_point(|found| found.node < part.start);
        let within = annotations[from..].iter().take_while(|found| found.node < part.end);
        types.extend(within.filter(|found| !found.label).map(|found| found.attribute));
    }
    types
}

/// True if a heading before the area, or before its parent, is one of the secondary titles.
fn has_secondary_title(page: &Page, root: Node, titles: &[String]) -> bool {
    let tree = &page.tree;
    let is_secondary = |node: Node| {
        let text = page.text_of(node).to_lowercase();
        text.len() < 60 && titles.iter().any(|title| text.starts_with(title.as_str()))
    };
    let mut at = root;
    for _ in 0..2 {
        let before = tree.prev_sibling(at);
        if before != NONE {
            let heading = (before..tree.end(before)).find(|&node| tags::is_heading(tree.tag(node)));
            if heading.is_some_and(is_secondary) {
                return true;
            }
        }
        at = tree.parent(at);
        if at == NONE {
            break;
        }
    }
    false
}
