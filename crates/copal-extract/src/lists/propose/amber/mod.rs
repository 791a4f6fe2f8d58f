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
mod secondary_title;
mod segment;
mod visual_attributes;
mod visual_nodes;

use crate::lists::candidate::{AttributeColumn, ListCandidate, RankedLists};
use crate::signals::zones::words::SECONDARY_TITLES;
use areas::PivotArea;
use attribute_alignment::{Aligned, AlignmentOptions, RecordPaths};
use attribute_sources::AttributeSources;
use copal_dom::{Node, Page, Warning, attrs, tags};
use copal_domain::Domain;
use copal_domain::{AttributeAnnotation, AttributeType, annotate_beginning};
use copal_model::{CellText, Parts};
use copal_values::ValueType;
use rustc_hash::FxHashSet;
use secondary_title::has_secondary_title;
use std::borrow::Cow;
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
    /// The domain of the records. Without it the pivot is the link, or the image.
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
    /// Largest distance of a primary area from the middle of the page, as a share of the page's text
    /// (Definition 12). 0 means that the middle is inside the area.
    pub centre: f64,
    /// Without a domain: use images as pivots if no list is found by links.
    pub image_pivots: bool,
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
            centre: 0.0,
            image_pivots: true,
            likeness: 0.2,
            secondary_titles: SECONDARY_TITLES.iter().map(|&title| title.to_owned()).collect(),
        }
    }
}

/// The warning about a page that was only annotated at its beginning.
pub(crate) const PARTLY_ANNOTATED: Warning =
    Warning::LeftOut { what: Cow::Borrowed("attributes in the rest of a very long page") };

/// Finds the areas and their records. If there is a primary area, it is the first one.
pub(crate) fn find(page: &Page, options: &AmberOptions) -> RankedLists {
    let (annotations, is_partial) =
        options.domain.as_ref().map(|domain| annotate_beginning(page, domain)).unwrap_or_default();
    let mut found = find_annotated(page, &annotations, options);
    found.warnings.extend(is_partial.then_some(PARTLY_ANNOTATED));
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
    // a gallery may have no links; its images are then the pivots
    let is_main = |area: &PivotArea| {
        validate(page, area, annotations, options).is_ok_and(|found| is_primary(page, &found, options))
    };
    if options.domain.is_none() && options.image_pivots && !found_areas.iter().any(is_main) {
        found_areas.extend(areas::find(page, &images(page), options.areas, false));
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
    for region in &mut kept {
        region.attributes = attributes_of_records(page, annotations, &region.records, options);
    }
    // at most one area is primary, and it comes first
    let primary = kept.iter().position(|region| is_primary(page, region, options));
    if let Some(primary) = primary {
        kept[..=primary].rotate_right(1);
    }
    let no_primary = primary.is_none();
    RankedLists { regions: kept, no_primary, rejected, ..RankedLists::default() }
}

/// The attributes of a list's records, if there is a domain.
pub(crate) fn attributes_of_records(
    page: &Page,
    annotations: &[AttributeAnnotation],
    records: &[Parts],
    options: &AmberOptions,
) -> Vec<AttributeColumn> {
    let Some(domain) = &options.domain else { return Vec::new() };
    attributes_of(&AttributeSources::new(page), page, domain, annotations, records, options)
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

/// Visible images: the pivots of pages without a domain on which no list is found by links.
fn images(page: &Page) -> Vec<Node> {
    let tree = &page.tree;
    let is_image = |&node: &Node| {
        tree.tag(node) == tags::IMG && page.styles.is_shown(node) && tree.attr(node, attrs::SRC).is_some()
    };
    tree.nodes().filter(is_image).collect()
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
            let is_record = count >= enough || count > 1 && has_structure_of_sample(parts);
            is_record && (has_mandatory(annotations, parts, domain) || has_structure_of_sample(parts))
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
    let secondary = has_secondary_title(page, area.root, &records, secondary_titles(options));
    let score = f64::from(text) * regular * if secondary { 0.1 } else { 1.0 };
    Ok(ListCandidate { root: area.root, records, score, attributes: Vec::new() })
}

fn secondary_titles(options: &AmberOptions) -> &[String] {
    options.domain.as_ref().map_or(&options.secondary_titles, |domain| &domain.secondary_titles)
}

/// Definition 12: true for an area at the centre of the page, with a large share of the page's text and
/// without a secondary title.
pub(crate) fn is_primary(page: &Page, region: &ListCandidate, options: &AmberOptions) -> bool {
    let text: u32 = region.records.iter().flatten().map(|part| page.index.chars(part)).sum();
    let all = page.index.chars(&(0..page.tree.len() as Node)).max(1);
    f64::from(text) >= options.fraction * f64::from(all)
        && is_central(page, &region.records, options.centre)
        && !has_secondary_title(page, region.root, &region.records, secondary_titles(options))
}

/// True if the middle of the page's text is among the records or close to them, which stands for the centre of
/// the page. The lists of other objects on a detail page come after its own text.
fn is_central(page: &Page, records: &[Parts], tolerance: f64) -> bool {
    let (Some(first), Some(last)) = (records.first(), records.last()) else { return false };
    let all = f64::from(page.index.chars(&(0..page.tree.len() as Node)).max(1));
    let share = |end: Node| f64::from(page.index.chars(&(0..end))) / all;
    let end = last.iter().map(|part| part.end).max().unwrap_or(0);
    share(first[0].start) <= 0.5 + tolerance && share(end) >= 0.5 - tolerance
}

/// True if a record has one of the domain's mandatory attributes. One may be missing, because no gazetteer knows
/// all places and some prices are "on application".
fn has_mandatory(annotations: &[AttributeAnnotation], parts: &[Range<Node>], domain: &Domain) -> bool {
    let mut recognised = domain.mandatory.iter().filter(|&&one| domain.attributes[one].is_recognised());
    let types = types_in(annotations, parts);
    recognised.clone().next().is_none() || recognised.any(|attribute| types.contains(attribute))
}

/// True for a record with a pivot and enough other attributes of the domain (Definition 9).
pub(crate) fn is_object(
    annotations: &[AttributeAnnotation],
    parts: &[Range<Node>],
    options: &AmberOptions,
) -> bool {
    let Some(domain) = &options.domain else { return false };
    let types = types_in(annotations, parts);
    let recognised = types.iter().filter(|&&found| domain.attributes[found].is_recognised()).count();
    types.contains(&options.pivot.unwrap_or(domain.pivot)) && recognised >= options.types
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
