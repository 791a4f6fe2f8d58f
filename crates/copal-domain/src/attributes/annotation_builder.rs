//! Collects the attribute annotations of one page.
//!
//! In: spans of text in which a rule, a gazetteer, a recogniser or a label found an attribute. Out:
//! [`AttributeAnnotation`]s with typed values, on the lowest element that contains them. O(1) per annotation,
//! plus the time of the recognisers for its text.

use super::attribute_annotation::{AttributeAnnotation, FoundBy};
use super::composition;
use crate::crossed_out::is_crossed_out;
use crate::domain::attribute::AttributeType;
use crate::domain::model::Domain;
use crate::text_runs::TextRuns;
use crate::value_annotations::AnnotationPlace;
use copal_dom::{AttrName, Node, Page};
use copal_values::find::SpanSet;
use copal_values::numbers;
use copal_values::{Value, ValueMatch, ValueType, find};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A text to read, and where it is.
pub(super) enum TextSource<'a> {
    /// A text run, as a range of the page's text.
    Run(&'a Range<usize>),
    /// The value of an HTML attribute.
    HtmlAttribute(Node, AttrName, &'a str),
}

/// The annotations found so far.
pub(super) struct AnnotationBuilder<'a> {
    pub(super) page: &'a Page,
    pub(super) domain: &'a Domain,
    pub(super) text_runs: &'a TextRuns,
    pub(super) found: Vec<AttributeAnnotation>,
    /// Reused between texts.
    pub(super) matches: Vec<ValueMatch>,
    /// The page is a detail page: attributes that lists do not show are wanted too.
    pub(super) is_detail_page: bool,
}

impl AnnotationBuilder<'_> {
    /// Adds a value that a rule or a term found. It is typed if its text, or the text of the whole match, has
    /// the attribute's type.
    pub(super) fn push(
        &mut self,
        source: &TextSource<'_>,
        text: &str,
        attribute: usize,
        span: Range<usize>,
        whole: &str,
        found_by: FoundBy,
    ) {
        let words = &text[span.clone()];
        let value = match self.domain.attributes[attribute].attribute_type {
            AttributeType::Integer => numbers::parse(words.trim()).map(|value| number(&value)),
            AttributeType::Coordinates => coordinates(words),
            AttributeType::Generic(value_type) => {
                self.value_of(value_type, words).or_else(|| self.value_of(value_type, whole))
            }
            _ => None,
        };
        let value = value.unwrap_or_else(|| Value::Text(words.to_owned()));
        self.push_value(source, text, attribute, span, value, (found_by, whole.len()));
    }

    pub(super) fn push_value(
        &mut self,
        source: &TextSource<'_>,
        text: &str,
        attribute: usize,
        span: Range<usize>,
        value: Value,
        (found_by, claim): (FoundBy, usize),
    ) {
        if !self.wants(attribute) {
            return;
        }
        let range = self.domain.attributes[attribute].range;
        if let (Some((least, most)), Some(number)) = (range, numeric(&value))
            && !(least..=most).contains(&number)
        {
            return;
        }
        let (node, place, crossed_out) = self.locate(source, &span);
        let text = text[span].to_owned();
        self.found.push(AttributeAnnotation {
            attribute,
            label: false,
            node,
            place,
            text,
            value,
            crossed_out,
            found_by,
            claim,
        });
    }

    pub(super) fn push_label(
        &mut self,
        source: &TextSource<'_>,
        attribute: usize,
        span: Range<usize>,
        text: String,
    ) {
        if !self.wants(attribute) {
            return;
        }
        let (node, place, crossed_out) = self.locate(source, &span);
        let value = Value::Text(text.clone());
        self.found.push(AttributeAnnotation {
            attribute,
            label: true,
            node,
            place,
            text,
            value,
            crossed_out,
            found_by: FoundBy::Label,
            claim: 0,
        });
    }

    /// True if the page may show this attribute. Attributes that only detail pages show are not searched for
    /// in lists.
    pub(super) fn wants(&self, attribute: usize) -> bool {
        self.is_detail_page || !self.domain.attributes[attribute].detail_only
    }

    fn locate(&self, source: &TextSource<'_>, span: &Range<usize>) -> (Node, AnnotationPlace, bool) {
        match source {
            TextSource::Run(run) => {
                let span = run.start + span.start..run.start + span.end;
                let crossed_out = is_crossed_out(self.page, self.text_runs, &span);
                (self.text_runs.element(self.page, &span), AnnotationPlace::Text(span), crossed_out)
            }
            TextSource::HtmlAttribute(node, name, _) => {
                (*node, AnnotationPlace::Attribute(*name, span.clone()), false)
            }
        }
    }

    /// The value of this type that makes up at least half of the text, or is at least 12 bytes long.
    fn value_of(&mut self, value_type: ValueType, text: &str) -> Option<Value> {
        self.value_in(value_type, text).map(|(value, _)| value)
    }

    /// The same, with its span.
    pub(super) fn value_in(&mut self, value_type: ValueType, text: &str) -> Option<(Value, Range<usize>)> {
        let mut matches = std::mem::take(&mut self.matches);
        find(text, &mut matches);
        let found = matches
            .iter()
            .find(|value_match| {
                value_match.value_type == value_type && 2 * value_match.span.len() >= text.len().min(24)
            })
            .map(|value_match| (value_match.value.clone(), value_match.span.clone()));
        matches.clear();
        self.matches = matches;
        let bare = || {
            numbers::parse(text.trim())
                .filter(|_| matches!(value_type, ValueType::Distance | ValueType::Number))
                .map(|value| (number(&value), 0..text.len()))
        };
        found.or_else(bare)
    }

    /// Makes the annotations of one text consistent; they begin at the index `before`. Of overlapping values
    /// of the same attribute only one is kept: a labelled one if there is one, otherwise the longest. Then
    /// `composition` resolves contradictions and joins parts.
    pub(super) fn resolve_added(&mut self, before: usize) {
        let mut added: Vec<AttributeAnnotation> = self.found.split_off(before);
        added.sort_by_key(|found| std::cmp::Reverse((found.labelled(), found.text.len())));
        let mut taken: FxHashMap<(usize, bool), SpanSet> = FxHashMap::default();
        added.retain(|found| {
            let span = match &found.place {
                AnnotationPlace::Text(span) => span.clone(),
                // in an HTML attribute: one value per domain attribute
                _ => 0..usize::MAX,
            };
            taken.entry((found.attribute, found.label)).or_default().insert(&span)
        });
        composition::reconcile(self.domain, &mut added);
        if let Some(AnnotationPlace::Text(_)) = added.first().map(|found| &found.place) {
            composition::compose(self.page, self.text_runs, self.domain, &mut added);
        }
        self.found.extend(added);
    }
}

/// A number without a unit.
pub(super) fn number(value: &str) -> Value {
    Value::Number { value: value.to_owned(), max: None, unit: None }
}

/// The first two numbers of a text, if they can be a latitude and a longitude.
pub(super) fn coordinates(text: &str) -> Option<Value> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.');
    let mut numbers = text.split(|c| !is_part(c)).filter(|part| part.contains('.'));
    let (lat, lon) = (numbers.next()?, numbers.next()?);
    let within = |text: &str, most: f64| text.parse::<f64>().is_ok_and(|number| number.abs() <= most);
    (within(lat, 90.0) && within(lon, 180.0))
        .then(|| Value::Coordinates { lat: lat.to_owned(), lon: lon.to_owned() })
}

/// The number that an attribute's range is compared with.
pub(super) fn numeric(value: &Value) -> Option<f64> {
    match value {
        Value::Number { value, .. } | Value::Money { amount: value, .. } | Value::Percent(value) => {
            value.parse().ok()
        }
        Value::Area { value, .. } | Value::Distance { value, .. } => value.parse().ok(),
        _ => None,
    }
}
