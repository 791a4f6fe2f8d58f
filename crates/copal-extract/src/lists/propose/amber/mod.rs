//! AMBER's result pages (Wang, D.Phil. thesis 2015, chapter 4), first part: areas, records, primary or secondary.
//!
//! In: a [`Page`] and the type of the pivot. Out: data areas with their records. Section 4.3 (Definitions 5 and 6,
//! Algorithm 1) is [`areas`], 4.4 (Definitions 7 and 8, Algorithms 2 and 3) is `segment`, 4.5 (Definitions 9 to 12) is
//! here. Without a domain the pivot is the link. Deviations are in `docs/papers/amber.md`.

pub mod areas;
pub mod attributes;
mod segment;
mod visual;

use crate::lists::candidate::{AttributeColumn, ListCandidate, RankedLists};
use crate::signals::zones::words::SECONDARY_TITLES;
use areas::Area;
use attributes::{Aligned, AlignmentOptions, Ways};
use copal_dom::{NONE, Node, Page, attrs, tags};
use copal_domain::Domain;
use copal_domain::{AttributeAnnotation as Annotated, AttributeType, annotate};
use copal_model::Parts;
use copal_values::ValueType;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// Records looked at to tell how alike an area's records are.
const LIKENESS: usize = 64;

/// Share of class paths with a valid record from which one with too few types is kept.
const BUILT_ALIKE: f64 = 0.6;

/// The thesis' thresholds.
#[derive(Debug, Clone)]
pub struct AmberOptions {
    /// What is known of the records; without it the pivot is the link.
    pub domain: Option<Arc<Domain>>,
    /// Another attribute as pivot than the domain's.
    pub pivot: Option<usize>,
    /// Thresholds and scores of attributes.
    pub alignment: AlignmentOptions,
    /// Fewest types of attributes in a record, and of characteristic ones in an area (Definitions 9 and 11).
    pub types: usize,
    /// Most areas looked at.
    pub areas: usize,
    /// Fewest records of an area (Definition 10).
    pub fewest: usize,
    /// Least share of the page's text in a primary area (Definition 12).
    pub fraction: f64,
    /// Least mean share of class paths that neighbouring records have in common (Definition 10 without boxes).
    pub likeness: f64,
    /// Titles of areas that are not the page's own list.
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

/// Finds the areas and their records; the first is primary if any is.
pub fn find(page: &Page, options: &AmberOptions) -> RankedLists {
    let annotations = options.domain.as_ref().map(|domain| annotate(page, domain)).unwrap_or_default();
    find_annotated(page, &annotations, options)
}

/// The same with annotations that are given, by node in document order: the robustness bench changes them.
pub fn find_annotated(page: &Page, annotations: &[Annotated], options: &AmberOptions) -> RankedLists {
    let pivots = match &options.domain {
        Some(domain) => {
            let pivot = options.pivot.unwrap_or(domain.pivot);
            let is_pivot = |found: &&Annotated| found.attribute == pivot && !found.label;
            annotations.iter().filter(is_pivot).map(|found| found.node).collect()
        }
        None => links(page),
    };
    let mut regions: Vec<ListCandidate> = Vec::new();
    let mut rejected: Vec<(Node, String)> = Vec::new();
    // depths d and d + 1 as in Algorithm 1, and one depth: a stray pivot one level off may pull two areas into one.
    // Links stand everywhere: those one level higher or lower are mostly not of the list
    let mut found_areas = areas::find(page, &pivots, options.areas, false);
    if options.domain.is_some() {
        found_areas.extend(areas::find(page, &pivots, options.areas, true));
    }
    for area in found_areas {
        match validated(page, &area, annotations, options) {
            Ok(found) => {
                let better = |other: &ListCandidate| {
                    segment::overlap(&other.records, &found.records) && other.score >= found.score
                };
                if !regions.iter().any(better) {
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
        for region in &mut kept {
            region.attributes = attributes_of(page, domain, annotations, &region.records, options);
        }
    }
    let no_primary = !kept.first().is_some_and(|first| is_primary(page, first, options));
    RankedLists { regions: kept, no_primary, rejected, ..RankedLists::default() }
}

/// A region's attributes: the visual ones, the pivot, what characterises the domain, then the rest as the domain file
/// has it.
fn attributes_of(
    page: &Page,
    domain: &Domain,
    annotations: &[Annotated],
    records: &[Parts],
    options: &AmberOptions,
) -> Vec<AttributeColumn> {
    let ways = Ways::all(page, records);
    let aligned = attributes::align(page, domain, annotations, records, &ways, &options.alignment);
    let mut named: Vec<_> = domain.attributes.iter().zip(aligned).enumerate().collect();
    named.sort_by_key(|(i, _)| (*i != domain.pivot, !domain.characteristic.contains(i), *i));
    let mut columns: Vec<AttributeColumn> = named
        .into_iter()
        .map(|(_, (known, cells))| (known.name.clone(), known.attribute_type.name(), cells))
        .collect();
    // what the page itself labels is surer than its looks
    let has = |columns: &[AttributeColumn], name: &str| {
        columns.iter().any(|column| column.0 == name && column.2.iter().any(Option::is_some))
    };
    let mut at = 0;
    // a price is no title, but a name may be pivot and title
    let named_by = &domain.attributes[domain.pivot];
    let is_name = matches!(
        named_by.attribute_type,
        AttributeType::Text | AttributeType::Place | AttributeType::Generic(ValueType::Link | ValueType::Url)
    );
    let priced = Some(domain.pivot).filter(|_| !is_name);
    for visual in visual::find(page, records, &ways, annotations, priced) {
        if visual.cells.iter().all(Option::is_none) || has(&columns, visual.name) {
            continue;
        }
        columns.retain(|column| column.0 != visual.name);
        let cell = |seen: visual::Seen| {
            seen.map(|(text, inferred)| Aligned { text, inferred, ..Aligned::default() })
        };
        let cells = visual.cells.into_iter().map(cell).collect();
        columns.insert(at, (visual.name.to_owned(), visual.kind, cells));
        at += 1;
    }
    columns
}

/// Links with a text: the pivots of pages without a domain.
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

/// Definitions 9 to 11: records that show something and, with a domain, have enough of its attributes.
fn validated(
    page: &Page,
    area: &Area,
    annotations: &[Annotated],
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
            return Err(format!("{characteristic} types that characterise the domain (Definition 11)"));
        }
        // every advert has images and links: they say nothing of a record
        let told = |types: &FxHashSet<usize>| {
            types.iter().filter(|&&attribute| domain.attributes[attribute].is_recognised()).count()
        };
        let enough = options.types.min(told(&area_types));
        let counts: Vec<usize> = records.iter().map(|parts| told(&types_in(annotations, parts))).collect();
        // one that says less than the others but is built like them has values no list knows
        let sample = counts.iter().position(|&count| count >= enough).map(|i| records[i].clone());
        let built_alike = |parts: &Parts| {
            sample.as_ref().is_some_and(|sample| segment::alike(page, sample, parts) >= BUILT_ALIKE)
        };
        let mut counts = counts.into_iter();
        records.retain(|parts| {
            let count = counts.next().unwrap_or(0);
            count >= enough || count > 1 && built_alike(parts)
        });
    }
    if records.len() < options.fewest {
        return Err(format!("{} records left of {segmented} (Definitions 9 and 10)", records.len()));
    }
    let text: u32 = records.iter().map(chars).sum();
    let likeness = segment::likeness(page, records.iter().flatten().take(LIKENESS).cloned());
    if likeness < options.likeness {
        return Err(format!("records share {likeness:.2} of their structure (Definition 10)"));
    }
    let links: u32 = records.iter().flatten().map(|part| page.index.link_chars(part)).sum();
    // without boxes a menu is told by its text, which is all links
    let regular =
        likeness * (1.0 + records.len() as f64).ln() * (1.1 - f64::from(links) / f64::from(text.max(1)));
    // at most one area is primary: the one with most text that is regular and does not say that it is something else
    let secondary = has_secondary_title(page, area.root, secondary_titles(options));
    let score = f64::from(text) * regular * if secondary { 0.1 } else { 1.0 };
    Ok(ListCandidate { root: area.root, records, score, attributes: Vec::new() })
}

fn secondary_titles(options: &AmberOptions) -> &[String] {
    options.domain.as_ref().map_or(&options.secondary_titles, |domain| &domain.secondary_titles)
}

/// Definition 12: a large part of the page's text, and no title that says that it is something else.
fn is_primary(page: &Page, region: &ListCandidate, options: &AmberOptions) -> bool {
    let text: u32 = region.records.iter().flatten().map(|part| page.index.chars(part)).sum();
    let all = page.index.chars(&(0..page.tree.len() as Node)).max(1);
    f64::from(text) >= options.fraction * f64::from(all)
        && !has_secondary_title(page, region.root, secondary_titles(options))
}

/// Attributes with a value in a record.
fn types_in(annotations: &[Annotated], parts: &[Range<Node>]) -> FxHashSet<usize> {
    let mut types = FxHashSet::default();
    for part in parts {
        let from = annotations.partition_point(|found| found.node < part.start);
        let within = annotations[from..].iter().take_while(|found| found.node < part.end);
        types.extend(within.filter(|found| !found.label).map(|found| found.attribute));
    }
    types
}

/// A heading before the area, or inside it before its records, that names something else than the page's list.
fn has_secondary_title(page: &Page, root: Node, titles: &[String]) -> bool {
    let tree = &page.tree;
    let says = |node: Node| {
        let text = page.text_of(node).to_lowercase();
        text.len() < 60 && titles.iter().any(|title| text.starts_with(title.as_str()))
    };
    let mut at = root;
    for _ in 0..2 {
        let before = tree.prev_sibling(at);
        if before != NONE {
            let heading = (before..tree.end(before)).find(|&node| tags::is_heading(tree.tag(node)));
            if heading.is_some_and(says) {
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
