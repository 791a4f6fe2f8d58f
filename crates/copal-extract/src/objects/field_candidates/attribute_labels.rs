//! Which attributes of a domain a label or a heading names.
//!
//! In: a label, a heading. Out: indexes of attributes. O(labels of the domain).

use super::super::text_forms::lower_words;
use copal_domain::AttributeType;
use copal_domain::Domain;

/// Bytes of a label that may end a longer one.
const MIN_LABEL_END_BYTES: usize = 4;
/// Words of a heading that names a section.
const MAX_SECTION_WORDS: usize = 9;
/// Bytes of a label of one word that names a section among other words. Shorter words are too common.
const MIN_SECTION_LABEL_BYTES: usize = 9;

/// The attributes that a label names, either as a whole or without what follows in brackets.
pub(in crate::objects) fn attributes_of_label(domain: &Domain, label: &str) -> Vec<u16> {
    let whole = domain.labelled(label);
    if !whole.is_empty() {
        return whole.to_vec();
    }
    let plain = label.split(['(', '[', '/']).next().unwrap_or(label).trim();
    let plain = plain.trim_start_matches(|c: char| !c.is_alphanumeric()).replace('\u{2019}', "'");
    domain.labelled(&plain).to_vec()
}

/// The attribute whose label is at the end of a longer one: "Starting MSRP", "Home phone". Only a value of a
/// type can confirm this, so attributes of free text are left out.
pub(super) fn attribute_of_label_end(domain: &Domain, label: &str) -> Option<u16> {
    let words: Vec<String> = lower_words(label).take(MAX_SECTION_WORDS).collect();
    let found = (1..words.len()).find_map(|from| {
        let end = words[from..].join(" ");
        domain.labelled(&end).first().copied().filter(|_| end.len() >= MIN_LABEL_END_BYTES)
    });
    found.filter(|&attribute| {
        let known = &domain.attributes[usize::from(attribute)];
        matches!(known.attribute_type, AttributeType::Generic(_)) && !known.crossed_out
    })
}

/// The long attribute that a heading names among other words: "Les ingrédients de la recette", "How to make
/// the soup".
pub(in crate::objects) fn attributes_of_section(domain: &Domain, heading: &str) -> Vec<u16> {
    let lower = heading.to_lowercase();
    let words: Vec<String> = lower_words(heading).take(MAX_SECTION_WORDS + 1).collect();
    if words.len() > MAX_SECTION_WORDS {
        return Vec::new();
    }
    let is_named = |label: &String| {
        let first = label.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if !lower.contains(first) {
            return false;
        }
        let label_words: Vec<String> = lower_words(label).collect();
        match label_words.as_slice() {
            [] => false,
            [word] => word.len() >= MIN_SECTION_LABEL_BYTES && words.contains(word),
            several => words.starts_with(several),
        }
    };
    let long = domain.attributes.iter().enumerate().filter(|(_, known)| is_long_attribute(&known.name));
    let found = long.filter(|(_, known)| known.labels.iter().any(is_named));
    found.filter_map(|(attribute, _)| u16::try_from(attribute).ok()).take(1).collect()
}

/// True for attributes whose values are lists or paragraphs.
pub(super) fn is_long_attribute(name: &str) -> bool {
    matches!(name, "description" | "ingredients" | "instructions" | "equipment")
}
