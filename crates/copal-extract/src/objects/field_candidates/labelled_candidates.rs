//! Candidates from labels: values whose label, or whose heading, names an attribute.
//!
//! In: a labelled value. Out: a candidate for every attribute that the label names and that the value fits.
//! O(value).

use super::super::detail_page::{DetailPage, PageLine};
use super::super::labelled_values::{LabelLayout, LabelledValue};
use super::super::tag_paths::hash_beginning;
use super::super::text_forms::letter_count;
use super::attribute_labels::{
    attribute_of_label_end, attributes_of_label, attributes_of_section, is_long_attribute,
};
use super::field_candidate::{CandidateOrigin, FieldCandidate};
use super::text_blocks::{MIN_LONG_VALUE_LETTERS, join_blocks};
use super::value_fit::ValueFitter;
use copal_dom::hash::mix;
use copal_dom::tags;
use copal_domain::Domain;
use copal_values::labels::{bare, ends_with_colon};
use std::ops::Range;

/// Lines of the parts of a long value.
const MAX_PART_LINES: usize = 80;

/// Adds the candidates of a labelled value.
pub(super) fn add_labelled(
    page: &DetailPage<'_>,
    labelled: &LabelledValue,
    fitter: &mut ValueFitter<'_>,
    candidates: &mut Vec<FieldCandidate>,
) {
    let domain = fitter.domain;
    let mut attributes = attributes_of_label(domain, &labelled.label);
    if attributes.is_empty() && labelled.layout == LabelLayout::Heading {
        attributes = attributes_of_section(domain, &labelled.label);
    }
    let mut has_weak_label = false;
    if attributes.is_empty() && labelled.layout != LabelLayout::Heading {
        attributes.extend(attribute_of_label_end(domain, &labelled.label));
        has_weak_label = !attributes.is_empty();
    }
    if is_next_label(page, labelled, domain) {
        return;
    }
    let is_long = |attribute: usize| is_long_attribute(&domain.attributes[attribute].name);
    let any_is_long = attributes.iter().any(|&attribute| is_long(usize::from(attribute)));
    let value_is_long = labelled.texts.len() > 1 || letter_count(&labelled.texts) >= MIN_LONG_VALUE_LETTERS;
    for attribute in attributes.into_iter().map(usize::from) {
        let is_long = is_long(attribute);
        // "Method" names the steps of a recipe, or one word that says how it is cooked: the length decides.
        if any_is_long && !is_long && value_is_long {
            continue;
        }
        let blocks = (is_long && !labelled.lines.is_empty())
            .then(|| join_blocks(page, lines_of_long_value(page, labelled, domain)));
        let texts = blocks.as_ref().unwrap_or(&labelled.texts);
        if is_long && letter_count(texts) < MIN_LONG_VALUE_LETTERS {
            continue;
        }
        let Some((texts, value)) = fitter.fit(attribute, texts, labelled.layout) else { continue };
        let line = &page.lines[labelled.line];
        let label_hash = hash_beginning(&labelled.label.to_lowercase());
        let labels = &domain.attributes[attribute].labels;
        let label_rank = labels.iter().position(|label| label.eq_ignore_ascii_case(&labelled.label));
        candidates.push(FieldCandidate {
            attribute,
            texts,
            value,
            line: Some(labelled.line),
            node: labelled.node,
            key: mix(line.path ^ label_hash ^ labelled.layout as u64),
            origin: CandidateOrigin::Labelled(labelled.layout),
            is_labelled: true,
            has_weak_label,
            line_share: 1.0,
            is_static: labelled.is_static,
            is_outside: line.outside,
            label_rank: label_rank.unwrap_or(labels.len()),
        });
    }
}

/// True if what follows the label is the label of the next field, whose own value is missing or elsewhere.
fn is_next_label(page: &DetailPage<'_>, labelled: &LabelledValue, domain: &Domain) -> bool {
    let [text] = labelled.texts.as_slice() else { return false };
    let is_certain = labelled.is_static
        || ends_with_colon(text)
        || page.page_count < 2 && labelled.layout == LabelLayout::AfterLabelLine;
    is_certain && !attributes_of_label(domain, text).is_empty()
}

/// The lines of a long value. If its first lines are short ("For the sauce"), they are the heading of the
/// first of several parts. The value then continues to the next label, or to the next heading of the label's
/// own level.
fn lines_of_long_value(page: &DetailPage<'_>, labelled: &LabelledValue, domain: &Domain) -> Range<usize> {
    let first_part = labelled.lines.clone();
    let letters = letter_count(page.lines[first_part.clone()].iter().map(|line| &line.text));
    if letters >= MIN_LONG_VALUE_LETTERS {
        return first_part;
    }
    let tree = &page.dom.tree;
    let heading_tag = |line: &PageLine| {
        let near = std::iter::once(line.first()).chain(tree.ancestors(line.first())).take(4);
        near.map(|above| tree.tag(above)).find(|&tag| tags::is_heading(tag))
    };
    let label_line = page.lines.get(first_part.start.wrapping_sub(1));
    let label_tag = label_line.and_then(heading_tag).unwrap_or(tags::H2);
    let ends = |line: &&PageLine| {
        line.outside
            || heading_tag(line).is_some_and(|tag| tag <= label_tag)
            || !attributes_of_label(domain, bare(&line.text)).is_empty()
    };
    let following = page.lines[first_part.end..].iter().take(MAX_PART_LINES);
    first_part.start..first_part.end + following.take_while(|line| !ends(line)).count()
}
