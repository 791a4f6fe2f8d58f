//! Candidates from the domain's recognisers: rules, terms of gazetteers, value types, labels in front of
//! values.
//!
//! In: a page whose data area is known. Out: what the recognisers find in it, as candidates. Boilerplate and
//! running text are skipped: nothing in them would be chosen, and annotation is the most expensive step.
//! O(text).

use super::super::detail_page::DetailPage;
use super::super::text_forms::letter_count;
use super::attribute_labels::{attributes_of_label, is_long_attribute};
use super::field_candidate::{CandidateOrigin, FieldCandidate};
use super::text_blocks::MIN_LONG_VALUE_LETTERS;
use super::unlabelled_lists::find_unlabelled_lists;
use copal_dom::Node;
use copal_dom::hash::mix;
use copal_domain::AnnotationPlace;
use copal_domain::AttributeType;
use copal_domain::Domain;
use copal_domain::{AttributeAnnotation, FoundBy, annotate_parts};
use copal_values::labels::{ends_with_colon, separating_colon};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Longest line in which values are searched, in bytes. Longer ones are running text.
const MAX_ANNOTATED_LINE_BYTES: usize = 500;
/// Longest value that is joined from what rules find piece by piece, in bytes.
const MAX_JOINED_BYTES: usize = 60;
/// Words of a line that is a value as a whole although only a part of it is recognised.
const MAX_WHOLE_WORDS: usize = 8;
/// Longest line that is an address as a whole, in bytes.
const MAX_ADDRESS_BYTES: usize = 120;
/// Longest part of an address before the place in it, in bytes.
const MAX_ADDRESS_HEAD_BYTES: usize = 60;
/// Distinguishes the key of a labelled value from that of another value at the same path.
const LABELLED_KEY: u64 = 7;

/// An annotation with its line and its bytes in the line.
struct LocatedAnnotation<'f> {
    line: usize,
    span: Range<usize>,
    found: &'f AttributeAnnotation,
}

/// Adds what the recognisers of the domain find in the data area.
pub(super) fn add_recognised(
    page: &DetailPage<'_>,
    area: Option<Node>,
    domain: &Domain,
    candidates: &mut Vec<FieldCandidate>,
) {
    let annotations = annotate_area(page, area, domain);
    let located = locate(page, domain, &annotations);
    let is_long = |attribute: usize| is_long_attribute(&domain.attributes[attribute].name);
    // What rules find piece by piece is one value: "5.3L 315 hp V8".
    let mut joined: FxHashMap<(usize, usize), Range<usize>> = FxHashMap::default();
    // Lines that a rule of a long attribute fits, by attribute.
    let mut items: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for LocatedAnnotation { line, span, found } in
        located.iter().filter(|located| located.found.found_by == FoundBy::Rule)
    {
        let all = joined.entry((*line, found.attribute)).or_insert_with(|| span.clone());
        *all = all.start.min(span.start)..all.end.max(span.end);
        if is_long(found.attribute) {
            items.entry(found.attribute).or_default().push(*line);
        }
    }
    let mut attributes_in_line: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
    for LocatedAnnotation { line, found, .. } in &located {
        attributes_in_line.entry(*line).or_default().insert(found.attribute);
    }
    for LocatedAnnotation { line: at, span, found } in located {
        let line = &page.lines[at];
        // The head of a column and the label of the next field follow a label, but are no values.
        if line.is_head || page.is_static(at) && !attributes_of_label(domain, &line.text).is_empty() {
            continue;
        }
        let is_control = || page.is_in_button(found.node) || follows_control(page, at, span.start);
        if items.contains_key(&found.attribute) || found.labelled() && is_control() {
            continue;
        }
        let kind = domain.attributes[found.attribute].attribute_type;
        let is_words = matches!(kind, AttributeType::Text | AttributeType::Place);
        let whole = joined
            .get(&(at, found.attribute))
            .filter(|whole| is_words && found.found_by == FoundBy::Rule && whole.len() <= MAX_JOINED_BYTES);
        let span = whole.cloned().unwrap_or(span);
        let line_share = span.len() as f64 / line.text.len().max(1) as f64;
        // "4 Mill Lane, Witney": what precedes a place, up to a comma, belongs to its address.
        let head = line.text[..span.start].trim_end();
        let begins_line = head.is_empty() || head.ends_with(',') && head.len() <= MAX_ADDRESS_HEAD_BYTES;
        let is_address = kind == AttributeType::Place && begins_line && line.text.len() <= MAX_ADDRESS_BYTES;
        // What a rule finds in a short line that is about nothing else is only the part that it knows:
        // "5.0L" of "5.0L V-8 engine".
        let is_part = found.found_by == FoundBy::Rule
            && line.leaves.len() == 1
            && line.text.len() <= MAX_JOINED_BYTES
            && line.text.split_whitespace().count() <= MAX_WHOLE_WORDS
            && separating_colon(&line.text).is_none()
            && attributes_in_line.get(&at).is_some_and(|attributes| attributes.len() == 1);
        let takes_line = is_words && (line_share >= 0.6 || is_address || is_part) && !found.labelled();
        let text = if takes_line { &line.text } else { &line.text[span] };
        if is_long(found.attribute) && letter_count([text]) < MIN_LONG_VALUE_LETTERS {
            continue;
        }
        let label_key = if found.labelled() { LABELLED_KEY } else { 0 };
        candidates.push(FieldCandidate {
            attribute: found.attribute,
            texts: vec![text.to_owned()],
            value: Some(found.value.clone()),
            line: Some(at),
            node: found.node,
            key: mix(page.paths[found.node as usize] ^ label_key),
            origin: CandidateOrigin::Recognised(found.found_by),
            is_labelled: found.labelled(),
            has_weak_label: false,
            line_share,
            is_static: page.is_static(at),
            is_outside: line.outside,
            label_rank: 0,
        });
    }
    for (attribute, lines) in items {
        add_unlabelled_lists(page, attribute, &lines, candidates);
    }
}

/// Annotates the lines of the data area that may contain values.
fn annotate_area(page: &DetailPage<'_>, area: Option<Node>, domain: &Domain) -> Vec<AttributeAnnotation> {
    let tree = &page.dom.tree;
    let mut skipped = vec![false; tree.len()];
    let is_skipped = |text: &str, outside: bool| outside || text.len() > MAX_ANNOTATED_LINE_BYTES;
    for line in page.lines.iter().filter(|line| is_skipped(&line.text, line.outside)) {
        skipped[line.first() as usize] = true;
    }
    let area = area.map_or(0..tree.len() as Node, |area| area..tree.end(area));
    let is_wanted = |node: Node| (tree.is_text(node) || area.contains(&node)) && !skipped[node as usize];
    annotate_parts(page.dom, domain, &is_wanted)
}

/// The annotations of values in lines. Labels are left out, and so are struck-through values of attributes
/// that are not about old values.
fn locate<'f>(
    page: &DetailPage<'_>,
    domain: &Domain,
    annotations: &'f [AttributeAnnotation],
) -> Vec<LocatedAnnotation<'f>> {
    annotations
        .iter()
        .filter(|found| {
            !found.label && (!found.crossed_out || domain.attributes[found.attribute].crossed_out)
        })
        .filter_map(|found| {
            let AnnotationPlace::Text(span) = &found.place else { return None };
            let line = page.line_at(span.start)?;
            let start = page.lines[line].start;
            let span = span.start - start..span.end - start;
            page.lines[line].text.get(span.clone()).map(|_| LocatedAnnotation { line, span, found })
        })
        .collect()
}

/// True if the text before a byte of a line is a link or a button without a colon: a tab, not a label.
fn follows_control(page: &DetailPage<'_>, at: usize, byte: usize) -> bool {
    let own = &page.lines[at];
    let before = own.leaves.iter().rev().find(|leaf| leaf.span.end <= byte).map(|leaf| (own, leaf));
    let above = || {
        let line = &page.lines[at.checked_sub(1)?];
        line.leaves.last().map(|leaf| (line, leaf))
    };
    before.or_else(above).is_some_and(|(line, leaf)| {
        !ends_with_colon(&line.text[leaf.span.clone()]) && page.is_in_link_or_button(leaf.node)
    })
}

/// Adds lists without a label. Their items show what they are, which counts as much as a label.
fn add_unlabelled_lists(
    page: &DetailPage<'_>,
    attribute: usize,
    matching_lines: &[usize],
    candidates: &mut Vec<FieldCandidate>,
) {
    for list in find_unlabelled_lists(page, matching_lines) {
        let line = &page.lines[list.line];
        candidates.push(FieldCandidate {
            attribute,
            texts: list.texts,
            value: None,
            line: Some(list.line),
            node: line.first(),
            key: mix(page.paths[list.holder as usize]),
            origin: CandidateOrigin::Recognised(FoundBy::Label),
            is_labelled: true,
            has_weak_label: false,
            line_share: 1.0,
            is_static: false,
            is_outside: line.outside,
            label_rank: 0,
        });
    }
}
