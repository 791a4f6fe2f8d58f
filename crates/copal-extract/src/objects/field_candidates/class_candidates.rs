//! Candidates from classes and ids: texts whose element is named like an attribute.
//!
//! In: the lines of the data area. Out: a candidate for every short line in an element that shows nothing
//! else and whose class or id ends with a label of an attribute ("product-price"). Such names are written for
//! stylesheets, so they count less than a label that readers see, and the value must fit the type of the
//! attribute. O(lines).

use super::super::detail_page::DetailPage;
use super::super::labelled_values::LabelLayout;
use super::attribute_labels::is_long_attribute;
use super::field_candidate::{CandidateOrigin, FieldCandidate};
use super::value_fit::ValueFitter;
use crate::signals::declared::schema::name_words;
use copal_dom::hash::mix;
use copal_dom::{NONE, Node, attrs, stable_classes, tags};
use copal_domain::Domain;
use copal_values::labels::{ends_with_colon, separating_colon};

/// Elements around a text whose class or id may name it.
const MAX_NAMING_LEVELS: usize = 3;
/// Longest text that is named so, in bytes.
const MAX_NAMED_BYTES: usize = 120;
/// Words before the label in a class.
const MAX_LEADING_WORDS: usize = 2;
/// Shortest label in a class, in bytes. Shorter ones are abbreviations of layout ("ht", "no").
const MIN_CLASS_LABEL_BYTES: usize = 4;
/// Words at the end of a class that say that it holds a value.
const VALUE_WORDS: &[&str] = &["value", "text", "info", "data", "field", "content"];
/// Classes of microformats (hCard) that differ from the words that pages show.
const MICROFORMAT_LABELS: &[(&str, &str)] = &[
    ("tel", "phone"),
    ("adr", "address"),
    ("locality", "city"),
    ("region", "state"),
    ("postal code", "postcode"),
    ("street address", "address"),
    ("url", "website"),
    ("org", "company"),
];
/// Distinguishes the key of such a candidate from that of another value at the same path.
const CLASS_KEY: u64 = 11;

/// Adds the candidates of all lines. `headline` is the line that names the object.
pub(super) fn add_named_by_class(
    page: &DetailPage<'_>,
    headline: Option<usize>,
    fitter: &mut ValueFitter<'_>,
    candidates: &mut Vec<FieldCandidate>,
) {
    let domain = fitter.domain;
    for (at, line) in page.lines.iter().enumerate() {
        if line.outside
            || line.is_head
            || line.text.len() > MAX_NAMED_BYTES
            || page.is_static(at)
            || ends_with_colon(&line.text)
            || separating_colon(&line.text).is_some()
        {
            continue;
        }
        let Some(attribute) = attribute_of_element(page, at, domain) else { continue };
        let names_object = headline.is_some() && domain.headline.contains(&attribute);
        if names_object || is_long_attribute(&domain.attributes[attribute].name) {
            continue;
        }
        let texts = [varying_text(page, at).to_owned()];
        let Some((texts, value)) = fitter.fit(attribute, &texts, LabelLayout::Inline) else { continue };
        candidates.push(FieldCandidate {
            attribute,
            texts,
            value,
            line: Some(at),
            node: line.first(),
            key: mix(line.path ^ CLASS_KEY),
            origin: CandidateOrigin::Class,
            is_labelled: false,
            has_weak_label: false,
            line_share: 1.0,
            is_static: false,
            is_outside: false,
            label_rank: 0,
        });
    }
}

/// What differs between the pages in a line, or the whole line of a single page.
fn varying_text<'s>(page: &'s DetailPage<'_>, at: usize) -> &'s str {
    let line = &page.lines[at];
    let mut varying = line.leaves.iter().filter(|leaf| !page.leaf_is_static(leaf));
    match (varying.next(), varying.next_back()) {
        (Some(first), last) => &line.text[first.span.start..last.unwrap_or(first).span.end],
        (None, _) => &line.text,
    }
}

/// The attribute that the classes or the id of an element around a line name, the nearest first.
fn attribute_of_element(page: &DetailPage<'_>, at: usize, domain: &Domain) -> Option<usize> {
    let tree = &page.dom.tree;
    let mut node: Node = page.lines[at].node;
    for _ in 0..MAX_NAMING_LEVELS {
        if node == NONE || tree.tag(node) == tags::BODY || page.lines_of(node) != (at..at + 1) {
            return None;
        }
        let names = [attrs::ID, attrs::CLASS].into_iter().filter_map(|name| tree.attr(node, name));
        let mut words = names.flat_map(stable_classes).filter_map(|name| attribute_of_name(domain, name));
        if let Some(attribute) = words.next() {
            return Some(attribute);
        }
        node = tree.parent(node);
    }
    None
}

/// The attribute whose label a class is, or ends with.
fn attribute_of_name(domain: &Domain, class: &str) -> Option<usize> {
    let name = name_words(class);
    let microformat = MICROFORMAT_LABELS.iter().find(|(class, _)| *class == name);
    if let Some(&[attribute]) = microformat.map(|(_, label)| domain.labelled(label)) {
        return Some(usize::from(attribute));
    }
    let mut words: Vec<&str> = name.split(' ').collect();
    while words.len() > 1 && words.last().is_some_and(|word| VALUE_WORDS.contains(word)) {
        words.pop();
    }
    (0..words.len().min(MAX_LEADING_WORDS + 1)).find_map(|from| {
        let label = words[from..].join(" ");
        let found = domain.labelled(&label);
        // a label of several attributes says too little without a reader's context
        (label.len() >= MIN_CLASS_LABEL_BYTES && found.len() == 1).then(|| usize::from(found[0]))
    })
}
