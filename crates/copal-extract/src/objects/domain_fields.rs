//! Fields with a domain: one per attribute and page.
//!
//! In: the findings of the pages of a template, and a domain. Out: per page the fields of the domain's
//! attributes. The candidates of all pages are found first, then each attribute is chosen over all pages at
//! once. O(candidates log candidates).

use super::derived_fields::add_derived_fields;
use super::field_candidates::{CandidateOrigin, FieldCandidate, ValueFitter, find_field_candidates};
#[cfg(feature = "research")]
use super::field_choice::{DescribedCandidate, describe_candidates};
use super::field_choice::{PageCandidate, choose_fields};
use super::majority_place::{PagePlaces, agree_on_place};
use super::options::ObjectOptions;
use super::page_findings::PageFindings;
use super::placed_field::{PlacedField, sort_by_node};
use copal_dom::squash;
use copal_domain::AttributeType;
use copal_domain::Domain;
use copal_model::{Field, FieldSource};

/// Confidence of the image, which is chosen without candidates.
const IMAGE_CONFIDENCE: f64 = 0.6;

/// Reads the attributes of a domain. `page_numbers` are the positions of the pages in the records of the
/// options.
pub(super) fn read_domain_fields(
    pages: &[PageFindings<'_>],
    page_numbers: &[usize],
    domain: &Domain,
    options: &ObjectOptions,
) -> Vec<Vec<PlacedField>> {
    let candidates: Vec<Vec<FieldCandidate>> =
        pages.iter().map(|findings| find_field_candidates(findings, domain)).collect();
    let places: Vec<PagePlaces> = if pages.len() > 1 {
        pages.iter().map(|findings| PagePlaces::new(&findings.page)).collect()
    } else {
        Vec::new()
    };
    let mut fitter = ValueFitter::new(domain);
    let mut fields: Vec<Vec<PlacedField>> = vec![Vec::new(); pages.len()];
    for (attribute, known) in domain.attributes.iter().enumerate() {
        let own = candidates_of_attribute(&candidates, attribute);
        let record_values = record_values(page_numbers, &known.name, options);
        let is_place = known.attribute_type == AttributeType::Place;
        let mut chosen = choose_fields(&own, pages, &record_values, &options.switches, is_place);
        agree_on_place(&mut chosen, pages, &places, attribute, &mut fitter);
        for chosen in chosen {
            let candidate = chosen.candidate;
            let field = Field {
                name: known.name.clone(),
                texts: candidate.texts,
                value: candidate.value,
                source: source_of(candidate.origin),
                confidence: chosen.score / (chosen.score + 2.0),
                xpath: None,
            };
            let node = Some(candidate.node).filter(|&node| node > 0);
            fields[chosen.page].push(PlacedField { field, node });
        }
    }
    for (fields, findings) in fields.iter_mut().zip(pages) {
        add_derived_fields(fields, &findings.page, domain);
        sort_by_node(fields);
    }
    if let Some(image) = domain.attribute("image") {
        add_images(&mut fields, pages, &domain.attributes[image].name);
    }
    fields
}

/// Per page: the values that the record linking to it has for an attribute.
fn record_values(page_numbers: &[usize], attribute: &str, options: &ObjectOptions) -> Vec<Vec<String>> {
    let values = |&number: &usize| {
        let record = options.records.get(number).map_or(&[][..], Vec::as_slice);
        let own = record.iter().filter(|(name, _)| name == attribute);
        own.map(|(_, text)| squash(text)).collect()
    };
    page_numbers.iter().map(values).collect()
}

fn source_of(origin: CandidateOrigin) -> FieldSource {
    match origin {
        CandidateOrigin::Labelled(_) => FieldSource::Label,
        CandidateOrigin::Recognised(_) | CandidateOrigin::Title | CandidateOrigin::Class => FieldSource::Text,
        CandidateOrigin::Place => FieldSource::Place,
        CandidateOrigin::Declared => FieldSource::Declared,
        CandidateOrigin::Headline => FieldSource::Headline,
    }
}

fn add_images(fields: &mut [Vec<PlacedField>], pages: &[PageFindings<'_>], name: &str) {
    for (fields, findings) in fields.iter_mut().zip(pages) {
        if let Some(image) = &findings.image {
            let field = Field {
                name: name.to_owned(),
                texts: vec![image.url.clone()],
                value: None,
                source: FieldSource::Role,
                confidence: IMAGE_CONFIDENCE,
                xpath: None,
            };
            fields.push(PlacedField { field, node: Some(image.node) });
        }
    }
}

/// The candidates of all pages for one attribute.
fn candidates_of_attribute(candidates: &[Vec<FieldCandidate>], attribute: usize) -> Vec<PageCandidate<'_>> {
    let pages = candidates.iter().enumerate();
    pages
        .flat_map(|(page, list)| list.iter().map(move |candidate| PageCandidate { page, candidate }))
        .filter(|own| own.candidate.attribute == attribute)
        .collect()
}

/// The candidates of all attributes with their features, for fitting, each with the name of its attribute.
#[cfg(feature = "research")]
pub(super) fn describe_domain_fields(
    pages: &[PageFindings<'_>],
    domain: &Domain,
    options: &ObjectOptions,
) -> Vec<(String, DescribedCandidate)> {
    let candidates: Vec<Vec<FieldCandidate>> =
        pages.iter().map(|findings| find_field_candidates(findings, domain)).collect();
    let mut described = Vec::new();
    for (attribute, known) in domain.attributes.iter().enumerate() {
        let own = candidates_of_attribute(&candidates, attribute);
        let of_attribute = describe_candidates(&own, pages, &options.switches).into_iter();
        described.extend(of_attribute.map(|own| (known.name.clone(), own)));
    }
    described
}
