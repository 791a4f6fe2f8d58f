//! Whether texts can be the value of an attribute, by its type.
//!
//! In: the texts after a label, and the attribute that the label names. Out: the texts that fit, and what the
//! first of them means. A label alone is weak evidence: a number is needed where the attribute is one, and a
//! text that only states that there is no value does not count. O(text).

use super::super::labelled_values::LabelLayout;
use super::super::text_forms::lower_words;
use super::attribute_labels::is_long_attribute;
use copal_domain::AttributeType;
use copal_domain::Domain;
use copal_values::labels::{is_no_value, separating_colon};
use copal_values::{Value, ValueMatch, ValueType, find};

/// Longest text of an attribute whose values are words, in bytes.
const MAX_WORDS_BYTES: usize = 240;
/// Texts of one value.
const MAX_TEXT_COUNT: usize = 30;
/// Texts below a heading that are one value.
const MAX_SECTION_TEXT_COUNT: usize = 12;
/// Texts after a label in which a typed value is searched. Further down, it would belong to something else.
const TYPED_TEXT_COUNT: usize = 3;
/// Longest text that is shown as a whole around a typed value, in bytes.
const MAX_SHOWN_BYTES: usize = 60;
/// Longest text with a number that no recogniser reads, in bytes.
const MAX_UNREAD_BYTES: usize = 40;

/// Texts of a value, with the meaning of the first.
pub(in crate::objects) type FittingValue = (Vec<String>, Option<Value>);

/// Checks texts against the attributes of a domain.
pub(in crate::objects) struct ValueFitter<'a> {
    pub(in crate::objects) domain: &'a Domain,
    /// A buffer for the recognisers.
    hits: Vec<ValueMatch>,
}

impl<'a> ValueFitter<'a> {
    pub(in crate::objects) fn new(domain: &'a Domain) -> ValueFitter<'a> {
        ValueFitter { domain, hits: Vec::new() }
    }

    /// The texts that fit an attribute, and what the first of them means.
    pub(in crate::objects) fn fit(
        &mut self,
        attribute: usize,
        texts: &[String],
        layout: LabelLayout,
    ) -> Option<FittingValue> {
        let known = &self.domain.attributes[attribute];
        let is_long = is_long_attribute(&known.name);
        let real: Vec<&String> = texts.iter().filter(|text| !is_no_value(text)).collect();
        let first = *real.first()?;
        // A section may consist of labels with values of their own.
        if layout == LabelLayout::Heading && !is_long && separating_colon(first).is_some() {
            return None;
        }
        match known.attribute_type {
            AttributeType::Generic(ValueType::Image | ValueType::Link) => None,
            AttributeType::Generic(kind) => real.iter().take(TYPED_TEXT_COUNT).find_map(|text| {
                let (value, shown) = self.typed(kind, text)?;
                Some((vec![shown], value))
            }),
            AttributeType::Integer => {
                let is_count = first.len() <= MAX_SHOWN_BYTES && states_number(first);
                let value = self.typed(ValueType::Number, first).and_then(|(value, _)| value);
                is_count.then(|| (vec![first.clone()], value.or_else(|| leading_number(first))))
            }
            AttributeType::Text | AttributeType::Place => {
                if is_long {
                    return Some((real.into_iter().cloned().collect(), None));
                }
                if let [one] = real.as_slice()
                    && known.attribute_type == AttributeType::Text
                    && !self.domain.headline.contains(&attribute)
                    && let Some(parts) = enumeration(one, if known.name == "keywords" { 2 } else { 3 })
                {
                    return Some((parts, None));
                }
                if layout == LabelLayout::Heading && real.len() > MAX_SECTION_TEXT_COUNT
                    || first.len() > MAX_WORDS_BYTES
                {
                    return None;
                }
                let short = real.into_iter().filter(|text| text.len() <= MAX_WORDS_BYTES);
                Some((short.take(MAX_TEXT_COUNT).cloned().collect(), None))
            }
            _ => None,
        }
    }

    /// The value of a type in a text, and the text to show for it. The value is missing if the text only
    /// looks like one.
    fn typed(&mut self, kind: ValueType, text: &str) -> Option<(Option<Value>, String)> {
        self.hits.clear();
        find(text, &mut self.hits);
        let hit =
            self.hits.iter().find(|hit| hit.value_type == kind || hit.value_type.general() == Some(kind));
        if let Some(hit) = hit {
            // A price or a date is shown without the words around it, a measure with them.
            let is_exact = matches!(
                kind,
                ValueType::Date
                    | ValueType::Phone
                    | ValueType::Money
                    | ValueType::Email
                    | ValueType::Url
                    | ValueType::Isbn
                    | ValueType::Postcode
            );
            let shows_all =
                text.len() <= MAX_SHOWN_BYTES && (!is_exact || 10 * hit.span.len() >= 7 * text.len());
            let shown = if shows_all { text } else { &text[hit.span.clone()] };
            return Some((Some(hit.value.clone()), shown.to_owned()));
        }
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let looks_typed = match kind {
            ValueType::Number
            | ValueType::Distance
            | ValueType::Date
            | ValueType::Area
            | ValueType::Duration
            | ValueType::Count
            | ValueType::Rating => digits > 0 && text.len() <= MAX_UNREAD_BYTES,
            ValueType::Phone => digits >= 7 && text.len() <= MAX_UNREAD_BYTES,
            ValueType::Money => digits > 0 && text.len() <= 24 && 2 * digits >= text.len(),
            ValueType::Url => text.contains('.') && !text.contains(' '),
            _ => false,
        };
        looks_typed.then(|| (None, text.to_owned()))
    }
}

/// The parts of an enumeration: at least `min_parts` short ones between commas. Parts with numbers describe
/// one thing together: "V6, VTEC, 3.5 Liter".
fn enumeration(text: &str, min_parts: usize) -> Option<Vec<String>> {
    let parts: Vec<&str> = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let all_short = parts.iter().all(|part| part.split_whitespace().count() <= 4 && part.len() <= 40);
    let all_short = all_short && !text.contains(|c: char| c.is_ascii_digit());
    (parts.len() >= min_parts && all_short).then(|| parts.into_iter().map(str::to_owned).collect())
}

/// True if a text has a number in digits or as a word.
fn states_number(text: &str) -> bool {
    const NUMBER_WORDS: &[&str] = &[
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "studio", "half",
    ];
    text.contains(|c: char| c.is_ascii_digit())
        || lower_words(text).take(6).any(|word| NUMBER_WORDS.contains(&word.as_str()))
}

/// The number that a text begins with: "3 + maid".
fn leading_number(text: &str) -> Option<Value> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let is_number = (1..=6).contains(&end) && !text[end..].starts_with(['.', ',', '/', '-']);
    is_number.then(|| Value::Number { value: text[..end].to_owned(), max: None, unit: None })
}
