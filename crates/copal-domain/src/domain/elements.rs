//! Values that are elements or stand in attributes that are not texts.
//!
//! In: a page and a domain. Out: [`AttributeAnnotation`] values for images and links (those that say so, or all for the main image and
//! link of a record), grades in classes and ids, and places in `data-lat` and `data-lng`. O(elements).

use super::annotate::{AttributeAnnotation, By, coordinates};
use super::{AttributeType, Domain};
use crate::annotations::Place;
use copal_dom::{Page, attrs, tags};
use copal_values::Value;
use copal_values::ValueType;
use copal_values::recognise::rating;

pub(super) fn find(page: &Page, domain: &Domain, found: &mut Vec<AttributeAnnotation>) {
    elements(page, domain, found);
    in_names(page, domain, found);
}

/// Values in attributes that are not texts: grades in classes and ids, places in `data-lat` and `data-lng`.
fn in_names(page: &Page, domain: &Domain, found: &mut Vec<AttributeAnnotation>) {
    let of_kind = |kind: AttributeType| domain.attributes.iter().position(|known| known.kind == kind);
    let rating = of_kind(AttributeType::Generic(ValueType::Rating));
    let map = of_kind(AttributeType::Coordinates);
    let mut push = |attribute, node, place, text: String, value| {
        found.push(AttributeAnnotation {
            attribute,
            label: false,
            node,
            place,
            text,
            value,
            old: false,
            by: By::Type,
            claim: 0,
        });
    };
    let elements = page.tree.nodes().filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node));
    for node in elements.filter(|_| rating.is_some() || map.is_some()) {
        for name in [attrs::CLASS, attrs::ID] {
            if let Some(rating) = rating
                && let Some(text) = page.tree.attr(node, name)
                && let Some(value) = rating::of_class(text)
            {
                push(rating, node, Place::Attribute(name, 0..text.len()), text.to_owned(), value);
            }
        }
        let named = |names: &[&str]| names.iter().find_map(|name| page.tree.attr_named(node, name));
        if let Some(map) = map
            && let Some(lat) = named(&["data-lat", "data-latitude"])
            && let Some(lon) = named(&["data-lng", "data-lon", "data-long", "data-longitude"])
            && let Some(value) = coordinates(&format!("{lat} {lon}"))
        {
            push(map, node, Place::Element, format!("{lat}, {lon}"), value);
        }
    }
}

/// Attributes that are elements: images and links.
fn elements(page: &Page, domain: &Domain, found: &mut Vec<AttributeAnnotation>) {
    for (attribute, known) in domain.attributes.iter().enumerate() {
        let (tag, name) = match known.kind {
            AttributeType::Generic(ValueType::Image) => (tags::IMG, attrs::SRC),
            AttributeType::Generic(ValueType::Link) => (tags::A, attrs::HREF),
            _ => continue,
        };
        for node in page.tree.nodes().filter(|&node| page.tree.tag(node) == tag && page.styles.is_shown(node))
        {
            // one with labels ("floor plan") is an image or link that says so
            let says = || {
                let text = page.text_of(node) + " " + page.tree.attr(node, attrs::ALT).unwrap_or_default();
                domain.labels.find(&text).iter().any(|term| term.tags.contains(&(attribute as u16)))
            };
            let main = matches!(known.name.as_str(), "url" | "image");
            if !main && !says() {
                continue;
            }
            if let Some(text) = page.tree.attr(node, name).map(str::trim).filter(|text| !text.is_empty()) {
                let value = Value::Text(text.to_owned());
                let text = text.to_owned();
                found.push(AttributeAnnotation {
                    attribute,
                    label: false,
                    node,
                    place: Place::Element,
                    text,
                    value,
                    old: false,
                    by: By::Element,
                    claim: 0,
                });
            }
        }
    }
}
