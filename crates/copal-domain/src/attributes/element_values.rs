//! Values that are elements, or are in HTML attributes that are not texts.
//!
//! In: a page and a domain. Out: [`AttributeAnnotation`]s for images and links (those with a label of the
//! attribute, or all for the main image and link of a record), ratings in classes and ids, and coordinates in
//! `data-lat` and `data-lng`. O(elements).

use super::annotation_builder::coordinates;
use super::attribute_annotation::{AttributeAnnotation, FoundBy};
use crate::domain::attribute::AttributeType;
use crate::domain::model::Domain;
use crate::value_annotations::AnnotationPlace;
use copal_dom::{Page, attrs, tags};
use copal_values::recognise::rating_in_class;
use copal_values::{Value, ValueType};

/// Appends the values of all elements.
pub(super) fn find(page: &Page, domain: &Domain, found: &mut Vec<AttributeAnnotation>) {
    images_and_links(page, domain, found);
    ratings_and_coordinates(page, domain, found);
}

/// Ratings in classes and ids, coordinates in `data-lat` and `data-lng`.
fn ratings_and_coordinates(page: &Page, domain: &Domain, found: &mut Vec<AttributeAnnotation>) {
    let of_type =
        |wanted: AttributeType| domain.attributes.iter().position(|known| known.attribute_type == wanted);
    let rating = of_type(AttributeType::Generic(ValueType::Rating));
    let map = of_type(AttributeType::Coordinates);
    let mut push = |attribute, node, place, text: String, value| {
        found.push(AttributeAnnotation {
            attribute,
            label: false,
            node,
            place,
            text,
            value,
            crossed_out: false,
            found_by: FoundBy::Type,
            claim: 0,
        });
    };
    let elements = page.tree.nodes().filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node));
    for node in elements.filter(|_| rating.is_some() || map.is_some()) {
        for name in [attrs::CLASS, attrs::ID] {
            if let Some(rating) = rating
                && let Some(text) = page.tree.attr(node, name)
                && let Some(value) = rating_in_class(text)
            {
                push(rating, node, AnnotationPlace::Attribute(name, 0..text.len()), text.to_owned(), value);
            }
        }
        let named = |names: &[&str]| names.iter().find_map(|name| page.tree.attr_named(node, name));
        if let Some(map) = map
            && let Some(lat) = named(&["data-lat", "data-latitude"])
            && let Some(lon) = named(&["data-lng", "data-lon", "data-long", "data-longitude"])
            && let Some(value) = coordinates(&format!("{lat} {lon}"))
        {
            push(map, node, AnnotationPlace::Element, format!("{lat}, {lon}"), value);
        }
    }
}

/// Attributes whose values are images or links.
fn images_and_links(page: &Page, domain: &Domain, found: &mut Vec<AttributeAnnotation>) {
    for (attribute, known) in domain.attributes.iter().enumerate() {
        let (tag, name) = match known.attribute_type {
            AttributeType::Generic(ValueType::Image) => (tags::IMG, attrs::SRC),
            AttributeType::Generic(ValueType::Link) => (tags::A, attrs::HREF),
            _ => continue,
        };
        for node in page.tree.nodes().filter(|&node| page.tree.tag(node) == tag && page.styles.is_shown(node))
        {
            // An attribute such as "floor plan" is an image or link with one of its labels.
            let has_label = || {
                let text = page.text_of(node) + " " + page.tree.attr(node, attrs::ALT).unwrap_or_default();
                domain.labels.find(&text).iter().any(|term| term.tags.contains(&(attribute as u16)))
            };
            let main = matches!(known.name.as_str(), "url" | "image");
            if !main && !has_label() {
                continue;
            }
            if let Some(text) = page.tree.attr(node, name).map(str::trim).filter(|text| !text.is_empty()) {
                let value = Value::Text(text.to_owned());
                let text = text.to_owned();
                found.push(AttributeAnnotation {
                    attribute,
                    label: false,
                    node,
                    place: AnnotationPlace::Element,
                    text,
                    value,
                    crossed_out: false,
                    found_by: FoundBy::Element,
                    claim: 0,
                });
            }
        }
    }
}
