//! Finds the attributes of a domain in the texts of a page, one text after the other.
//!
//! In: texts in document order. Out: annotations in an [`AnnotationBuilder`]. Values come from rules,
//! gazetteers and the recognisers of value types; and from labels: the rest of `Label: value`, or the text
//! right after a label (Figure 4.2: an icon with `alt="Bedrooms"`, then a bare 7). O(length) per text.

use super::annotation_builder::{AnnotationBuilder, TextSource, number};
use super::attribute_annotation::FoundBy;
use super::label_places::{self, Headers};
use crate::domain::attribute::AttributeType;
use crate::value_annotations::readable;
use copal_dom::{Node, attrs};
use copal_values::labels::{COLONS, bare, is_no_value, starts_with_colon};
use copal_values::{Value, find, numbers};
use std::ops::Range;

/// Longest text after a label that is its value whatever it says, and longest text that is a label.
const MAX_LABELLED_TEXT_BYTES: usize = 60;
/// Longest text after a label that is searched for a value of the attribute's type.
const MAX_SEARCHED_TEXT_BYTES: usize = 200;

/// Reads texts in document order and remembers labels whose value comes next.
pub(super) struct AttributeFinder<'a> {
    pub(super) builder: AnnotationBuilder<'a>,
    pub(super) headers: &'a Headers,
    /// The attributes whose label was the whole previous text, and where it was.
    pending_label: Option<(Vec<u16>, Node)>,
    /// The previous text run, if no label preceded it: an icon after it may be its label.
    unlabelled_run: Option<Range<usize>>,
}

impl<'a> AttributeFinder<'a> {
    pub(super) fn new(builder: AnnotationBuilder<'a>, headers: &'a Headers) -> AttributeFinder<'a> {
        AttributeFinder { builder, headers, pending_label: None, unlabelled_run: None }
    }

    /// Reads one text. `found` is what annotators outside copal found in it: attributes and their spans.
    pub(super) fn read(&mut self, source: &TextSource<'_>, found: &[(usize, Range<usize>)]) {
        let text = match source {
            TextSource::Run(run) => readable(self.builder.text_runs.text(run)),
            TextSource::HtmlAttribute(_, _, text) => text,
        };
        let is_url = matches!(source, TextSource::HtmlAttribute(_, attrs::HREF | attrs::SRC, _));
        let before = self.builder.found.len();
        let domain = self.builder.domain;
        let rules = if is_url { &domain.url_rules } else { &domain.rules };
        for (attribute, found) in rules.find(text) {
            // Only the group `value` is the value; the words around it ("3 bedrooms") are its label.
            // `(?<value>\d*) beds` may match without a value, and nothing is not a value.
            if !found.value.is_empty() {
                let whole = &text[found.whole];
                self.builder.push(source, text, attribute, found.value, whole, FoundBy::Rule);
            }
        }
        if is_url {
            return;
        }
        for term in self.builder.domain.instances.find(text) {
            for &attribute in &term.tags {
                let value = &text[term.span.clone()];
                self.builder.push(source, text, attribute as usize, term.span.clone(), value, FoundBy::Term);
            }
        }
        for (attribute, span) in found {
            let value = &text[span.clone()];
            self.builder.push(source, text, *attribute, span.clone(), value, FoundBy::Annotator);
        }
        self.values_by_type(source, text);
        self.inline_labels(source, text);
        self.beside_labels(source, text, before);
        self.builder.resolve_added(before);
    }

    /// Labels in texts of their own: before the value, in the header of its column, or on an icon after it.
    fn beside_labels(&mut self, source: &TextSource<'_>, text: &str, before: usize) {
        let node = self.node_of(source);
        if let TextSource::Run(run) = source {
            self.unlabelled_run = Some((*run).clone());
            if let Some((attributes, label)) = self.pending_label.take()
                && label_places::are_neighbours(self.builder.page, label, node)
            {
                self.after_label(source, text, &attributes, 0..text.len());
                self.unlabelled_run = None;
            } else {
                let headers = self.headers;
                self.after_label(source, text, headers.of(self.builder.page, node), 0..text.len());
            }
        }
        // If the whole text is a label, the next text is its value.
        let whole = bare(text);
        let tags = self.builder.domain.labels.get(whole);
        if tags.is_empty() || whole.len() > MAX_LABELLED_TEXT_BYTES {
            return;
        }
        // "Furnished" is both a value and a label. What was found as a value here is not a label.
        let is_value = |tag: &u16| {
            self.builder.found[before..].iter().any(|found| {
                !found.label && found.attribute == usize::from(*tag) && found.text.len() >= whole.len()
            })
        };
        let wanted = |tag: &u16| self.builder.wants(usize::from(*tag)) && !is_value(tag);
        let tags: Vec<u16> = tags.iter().copied().filter(wanted).collect();
        if tags.is_empty() {
            return;
        }
        if let TextSource::HtmlAttribute(icon, ..) = source
            && let Some(run) = self.unlabelled_run.take()
            && self
                .builder
                .text_runs
                .leaves(&run)
                .last()
                .is_some_and(|leaf| label_places::icon_follows_text(self.builder.page, leaf, *icon))
        {
            let text = readable(self.builder.text_runs.text(&run)).to_owned();
            self.after_label(&TextSource::Run(&run), &text, &tags, 0..text.len());
            self.pending_label = None;
            return;
        }
        self.pending_label = Some((tags, node));
    }

    /// The element or text node in which a source begins.
    fn node_of(&self, source: &TextSource<'_>) -> Node {
        match source {
            TextSource::Run(run) => self.builder.text_runs.leaves(run).next().unwrap_or(0),
            TextSource::HtmlAttribute(node, ..) => *node,
        }
    }

    /// Values of a value type belong to the attributes of that type that have no recognisers of their own.
    fn values_by_type(&mut self, source: &TextSource<'_>, text: &str) {
        let mut matches = std::mem::take(&mut self.builder.matches);
        find(text, &mut matches);
        for value_match in matches.drain(..) {
            for attribute in 0..self.builder.domain.attributes.len() {
                let known = &self.builder.domain.attributes[attribute];
                if !known.has_own_recognisers
                    && known.attribute_type == AttributeType::Generic(value_match.value_type)
                {
                    self.builder.push_value(
                        source,
                        text,
                        attribute,
                        value_match.span.clone(),
                        value_match.value.clone(),
                        (FoundBy::Type, value_match.span.len()),
                    );
                }
            }
        }
        self.builder.matches = matches;
    }

    /// Labels, and the values in `Label: value`.
    fn inline_labels(&mut self, source: &TextSource<'_>, text: &str) {
        let terms = self.builder.domain.labels.find(text);
        for (i, term) in terms.iter().enumerate() {
            let rest = text[term.span.end..].trim_start();
            let is_label_form = rest.is_empty() || rest.starts_with(COLONS);
            if !is_label_form
                || term.span.start > 0
                    && !text[..term.span.start].trim_end().ends_with([',', ';', '|', '\u{b7}'])
            {
                continue;
            }
            for &attribute in &term.tags {
                let label = text[term.span.clone()].to_owned();
                self.builder.push_label(source, attribute as usize, term.span.clone(), label);
            }
            let value = rest.trim_start_matches(COLONS).trim_start();
            let start = text.len() - value.len();
            // The value ends at a separator, or at the next label.
            let value = value.split(label_places::VALUE_SEPARATORS).next().unwrap_or_default();
            let next = terms[i + 1..]
                .iter()
                .find(|next| next.span.start > start && starts_with_colon(&text[next.span.end..]));
            let end = next.map_or(value.len(), |next| value.len().min(next.span.start - start));
            let value = &value[..end];
            let value = value.trim_end().trim_end_matches(',');
            if !value.is_empty() {
                self.after_label(source, text, &term.tags, start..start + value.len());
            }
        }
    }

    /// The text after a label is its value if its type fits.
    fn after_label(&mut self, source: &TextSource<'_>, text: &str, attributes: &[u16], span: Range<usize>) {
        let piece = &text[span.clone()];
        if piece.len() > MAX_SEARCHED_TEXT_BYTES || is_no_value(piece) {
            return;
        }
        for &attribute in attributes {
            let attribute = attribute as usize;
            let value = match self.builder.domain.attributes[attribute].attribute_type {
                AttributeType::Integer => numbers::parse(piece.trim()).map(|value| number(&value)),
                AttributeType::Text | AttributeType::Place
                    if piece.len() <= MAX_LABELLED_TEXT_BYTES
                        && self.builder.domain.labels.get(piece).is_empty() =>
                {
                    Some(Value::Text(piece.to_owned()))
                }
                AttributeType::Generic(value_type) => {
                    if let Some((value, part)) = self.builder.value_in(value_type, piece) {
                        let part = span.start + part.start..span.start + part.end;
                        let claim = (FoundBy::Label, span.len());
                        self.builder.push_value(source, text, attribute, part, value, claim);
                    }
                    continue;
                }
                _ => None,
            };
            if let Some(value) = value {
                self.builder.push_value(
                    source,
                    text,
                    attribute,
                    span.clone(),
                    value,
                    (FoundBy::Label, span.len()),
                );
            }
        }
    }
}
