//! Detail pages: one object a page (AMBER, thesis chapter 6).
//!
//! In: pages, as many as there are of a site. Out: one [`Object`] a page: the data area and the object's fields. Pages are grouped by
//! template and read together: what differs between them is data, what does not is the template's.
//! `templates → sheets → headline → area → pairs, declared → candidates → choose | open`, one file each. Near-linear in the pages
//! together.

mod area;
mod boilerplate;
mod candidates;
mod choose;
mod declared_fields;
mod derived;
mod field_names;
mod headline;
mod images;
pub mod join;
mod kind;
mod listed;
mod marked_fields;
mod open;
mod pairs;
mod sheet;
mod shown;
mod switches;

pub use copal_model::{Field, FieldSource, Object, PageKind};
pub use switches::Switches;

use crate::lists::candidate::RankedLists;
use crate::lists::{ListOptions, find_with_signals};
use crate::signals::Signals;
use crate::table::build_region::{PageContext, build_region};
use crate::table::region_xpaths;
use area::Area;
use candidates::{Candidate, Origin};
use copal_dom::xpath::XPaths;
use copal_dom::{Node, Page, squash};
use copal_domain::Domain;
use copal_domain::domain::AttributeType;
use copal_model::{Answer, Method, Region, Role};
use declared_fields::DeclaredField;
use pairs::Pair;
use sheet::Sheet;
use std::borrow::Cow;
use std::cell::LazyCell;
use std::sync::Arc;

/// Most fields of a page.
const FIELDS: usize = 80;

/// What to read, and how.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ObjectOptions {
    /// What the objects are; without it every labelled text is a field.
    pub domain: Option<Arc<Domain>>,
    /// Also read the lists of other things.
    pub lists: bool,
    /// Parts that are in use.
    pub switches: Switches,
    /// What the list's record says of each page: names and texts (RPR).
    pub records: Vec<Vec<(String, String)>>,
}

/// Reads the objects of pages, in the order given.
pub fn read(pages: &[&Page], options: &ObjectOptions) -> Vec<Object> {
    read_ranked(pages, &vec![None; pages.len()], options)
}

/// The same for pages whose lists were ranked already: `ranked` has them, where they are known.
pub(crate) fn read_ranked(
    pages: &[&Page],
    ranked: &[Option<&RankedLists>],
    options: &ObjectOptions,
) -> Vec<Object> {
    let mut details: Vec<Object> = vec![Object::default(); pages.len()];
    for (template, members) in sheet::templates(pages).into_iter().enumerate() {
        let group: Vec<&Page> = members.iter().map(|&at| pages[at]).collect();
        let known: Vec<Option<&RankedLists>> = members.iter().map(|&at| ranked[at]).collect();
        let read = read_template(&group, &known, &members, options);
        for (at, mut detail) in members.into_iter().zip(read) {
            detail.template = template;
            details[at] = detail;
        }
    }
    details
}

/// The same as answers for whole pages: the lists of other things are their regions.
pub fn extractions(pages: &[&Page], options: &ObjectOptions) -> Vec<Answer> {
    let options = ObjectOptions { lists: true, ..options.clone() };
    let details = read(pages, &options).into_iter().zip(pages);
    let extraction = |(mut detail, page): (Object, &&Page)| Answer {
        page: crate::paging::page_info(page, None),
        regions: std::mem::take(&mut detail.lists),
        warnings: page.warnings.clone(),
        kind: PageKind::Object,
        object: Some(detail),
        ..Answer::default()
    };
    details.map(extraction).collect()
}

/// Reads pages of one template.
fn read_template<'a>(
    pages: &[&Page],
    ranked: &[Option<&'a RankedLists>],
    numbers: &[usize],
    options: &ObjectOptions,
) -> Vec<Object> {
    let domain = options.domain.as_deref();
    let mut sheets = sheet::sheets(pages);
    let headlines = headline::find(&sheets);
    let signals: Vec<Signals<'_>> = pages.iter().map(|page| Signals::new(page)).collect();
    let find_lists = |(signals, known): (&Signals<'_>, Option<&'a RankedLists>)| match known {
        Some(ranked) => Cow::Borrowed(ranked),
        None => Cow::Owned(find_with_signals(signals, &ListOptions::default())),
    };
    let findings: Vec<Cow<'a, RankedLists>> =
        signals.iter().zip(ranked.iter().copied()).map(find_lists).collect();
    let areas: Vec<Option<Area>> = sheets
        .iter_mut()
        .zip(&headlines)
        .zip(&findings)
        .map(|((sheet, headline), findings)| {
            area::find_area(sheet, *headline, findings, domain, &options.switches)
        })
        .collect();
    let known = |text: &str| domain.is_some_and(|domain| !candidates::attributes_of(domain, text).is_empty());
    let sections =
        |text: &str| domain.is_some_and(|domain| !candidates::sections_of(domain, text).is_empty());
    let pairs: Vec<Vec<Pair>> = sheets.iter().map(|sheet| pairs::find(sheet, &known, &sections)).collect();
    let declared: Vec<Vec<DeclaredField>> = sheets
        .iter()
        .zip(&signals)
        .zip(&headlines)
        .map(|((sheet, signals), headline)| {
            if options.switches.declared {
                declared_fields::find(sheet, signals.declared(), *headline)
            } else {
                Vec::new()
            }
        })
        .collect();
    let images: Vec<Option<(String, Node)>> = sheets
        .iter()
        .zip(&headlines)
        .zip(&areas)
        .zip(&signals)
        .map(|(((sheet, headline), area), signals)| {
            images::find(sheet, *headline, area.as_ref().map(|area| area.node), signals.declared())
        })
        .collect();
    let fields = match domain {
        Some(domain) => {
            let mut fields =
                with_domain(&sheets, &headlines, (&pairs, &declared, &areas), numbers, domain, options);
            if let Some(known) = domain.attribute("image") {
                add_images(&mut fields, images, &domain.attributes[known].name);
            }
            fields
        }
        None => open::read(&sheets, &headlines, &pairs, &declared, images),
    };
    let mut details = Vec::new();
    for (at, fields) in fields.into_iter().enumerate() {
        let sheet = &sheets[at];
        let xpaths = XPaths::new(&sheet.page.tree);
        let chosen: Vec<Node> =
            fields.iter().filter(|_| domain.is_some()).filter_map(|(_, node)| *node).collect();
        let node = areas[at].as_ref().map(|area| area.node);
        let node = node.map(|wide| area::told(sheet, headlines[at], &pairs[at], wide, &chosen));
        let mut fields: Vec<Field> = fields
            .into_iter()
            .map(|(field, node)| Field { xpath: node.and_then(|node| xpaths.bounded(node)), ..field })
            .collect();
        fields.truncate(FIELDS);
        let evidence =
            kind::evidence(sheet, &findings[at], headlines[at], &pairs[at], signals[at].declared());
        let (kind, kind_confidence) = kind::kind(evidence);
        let lists = areas[at].iter().flat_map(|area| &area.lists).filter(|_| options.lists);
        let context = LazyCell::new(|| PageContext::new(sheet.page));
        let mut lists: Vec<Region> = lists
            .map(|&rank| {
                build_region(&context, &findings[at].regions[rank], Method::Combined, Role::Secondary)
            })
            .collect();
        if !lists.is_empty() {
            region_xpaths::add_xpaths(sheet.page, &mut lists);
        }
        details.push(Object {
            area: node.and_then(|node| xpaths.bounded(node)),
            area_node: node,
            fields,
            lists,
            kind,
            kind_confidence,
            template: 0,
        });
    }
    details
}

/// A field before its place is written.
type Placed = (Field, Option<Node>);

/// By page: its labels with values, its declared properties, its area.
type ReadOff<'a> = (&'a [Vec<Pair>], &'a [Vec<DeclaredField>], &'a [Option<Area>]);

/// The attributes of a domain.
fn with_domain(
    sheets: &[Sheet<'_>],
    headlines: &[Option<usize>],
    (pairs, declared, areas): ReadOff<'_>,
    numbers: &[usize],
    domain: &Domain,
    options: &ObjectOptions,
) -> Vec<Vec<Placed>> {
    let all: Vec<Vec<Candidate>> = sheets
        .iter()
        .zip(headlines)
        .zip(pairs)
        .zip(declared)
        .zip(areas)
        .map(|((((sheet, headline), pairs), declared), area)| {
            candidates::find_all(
                sheet,
                domain,
                pairs,
                declared,
                *headline,
                area.as_ref().map(|area| area.node),
            )
        })
        .collect();
    let mut fields: Vec<Vec<Placed>> = vec![Vec::new(); sheets.len()];
    for (attribute, known) in domain.attributes.iter().enumerate() {
        let own: Vec<(usize, &Candidate)> = all
            .iter()
            .enumerate()
            .flat_map(|(page, list)| list.iter().map(move |candidate| (page, candidate)))
            .filter(|(_, candidate)| candidate.attribute == attribute)
            .collect();
        let records: Vec<Vec<String>> = numbers
            .iter()
            .map(|&number| {
                let record = options.records.get(number).map_or(&[][..], Vec::as_slice);
                let same = record.iter().filter(|(name, _)| *name == known.name);
                same.map(|(_, text)| squash(text)).collect()
            })
            .collect();
        let is_place = known.kind == AttributeType::Place;
        for chosen in choose::choose(&own, sheets, headlines, &records, &options.switches, is_place) {
            let candidate = chosen.candidate;
            let source = match candidate.origin {
                Origin::Pair(_) => FieldSource::Label,
                Origin::Recognised(_) | Origin::Title => FieldSource::Text,
                Origin::Declared => FieldSource::Declared,
                Origin::Headline => FieldSource::Headline,
            };
            let field = Field {
                name: known.name.clone(),
                texts: candidate.texts,
                value: candidate.value,
                source,
                confidence: chosen.score / (chosen.score + 2.0),
                xpath: None,
            };
            fields[chosen.page].push((field, Some(candidate.node).filter(|&node| node > 0)));
        }
    }
    for (list, sheet) in fields.iter_mut().zip(sheets) {
        derived::add(list, sheet, domain);
    }
    for list in &mut fields {
        list.sort_by_key(|(_, node)| node.unwrap_or(u32::MAX));
    }
    fields
}

/// The picture of each page.
fn add_images(fields: &mut [Vec<Placed>], images: Vec<Option<(String, Node)>>, name: &str) {
    for (list, image) in fields.iter_mut().zip(images) {
        if let Some((address, node)) = image {
            let field = Field {
                name: name.to_owned(),
                texts: vec![address],
                value: None,
                source: FieldSource::Role,
                confidence: 0.6,
                xpath: None,
            };
            list.push((field, Some(node)));
        }
    }
}
