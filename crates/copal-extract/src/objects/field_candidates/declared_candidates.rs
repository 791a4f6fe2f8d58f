//! Candidates from what the page declares: properties whose names are labels of attributes.
//!
//! In: a declared property that the page also shows. Out: a candidate for every attribute that its name, the
//! last words of it, or these without "name" or "value" are a label of. O(words of the name).

use super::super::declared_fields::DeclaredField;
use super::super::detail_page::{DetailPage, PageLine};
use super::super::labelled_values::LabelLayout;
use super::super::tag_paths::hash_beginning;
use super::super::text_forms::lower_words;
use super::field_candidate::{CandidateOrigin, FieldCandidate};
use super::value_fit::ValueFitter;
use copal_dom::hash::mix;
use copal_dom::squash;
use copal_domain::AttributeType;
use copal_domain::Domain;
use copal_values::ValueType;

/// Words at the beginning of a name that may be left out.
const MAX_LEFT_OUT_WORDS: usize = 4;
/// Digits of a count.
const MAX_COUNT_DIGITS: usize = 6;
/// Longest line that shows a count with its unit, in bytes.
const MAX_COUNT_LINE_BYTES: usize = 40;

/// Adds the candidates of a declared property.
pub(super) fn add_declared(
    page: &DetailPage<'_>,
    property: &DeclaredField,
    fitter: &mut ValueFitter<'_>,
    candidates: &mut Vec<FieldCandidate>,
) {
    let domain = fitter.domain;
    for attribute in attributes_of_property(domain, &property.name) {
        let Some((texts, value)) = fitter.fit(attribute, &property.texts, LabelLayout::Inline) else {
            continue;
        };
        let line = property.line.map(|line| &page.lines[line]);
        let texts = match texts.as_slice() {
            [text] => vec![as_shown(page, line, domain, attribute, text)],
            _ => texts,
        };
        candidates.push(FieldCandidate {
            attribute,
            texts,
            value,
            line: property.line,
            node: line.map_or(0, PageLine::first),
            key: mix(hash_beginning(&property.name)),
            origin: CandidateOrigin::Declared,
            is_labelled: true,
            has_weak_label: false,
            line_share: 1.0,
            is_static: false,
            is_outside: false,
            label_rank: 0,
        });
    }
}

/// The attributes that the name of a property is a label of.
fn attributes_of_property(domain: &Domain, name: &str) -> Vec<usize> {
    let words: Vec<&str> = name.split(' ').collect();
    let mut attributes = Vec::new();
    for from in 0..words.len().min(MAX_LEFT_OUT_WORDS) {
        let tail = words[from..].join(" ");
        let cut = ["name", "value", "text"].iter().find_map(|end| tail.strip_suffix(end)).map(str::trim_end);
        for name in std::iter::once(tail.as_str()).chain(cut).filter(|name| !name.is_empty()) {
            attributes.extend(domain.labelled(name).iter().copied().map(usize::from));
        }
        if !attributes.is_empty() {
            break;
        }
    }
    attributes
}

/// A declared text as the page shows it.
fn as_shown(
    page: &DetailPage<'_>,
    line: Option<&PageLine>,
    domain: &Domain,
    attribute: usize,
    text: &str,
) -> String {
    let word_count = |text: &str| text.split_whitespace().count();
    let known = &domain.attributes[attribute];
    let shown = match line {
        // A tag of joined words ("SanFrancisco") is not how the value is spelt.
        Some(line) if squash(&line.text) == squash(text) && word_count(&line.text) >= word_count(text) => {
            Some(line.text.as_str())
        }
        None if known.attribute_type == AttributeType::Generic(ValueType::Count) => {
            line_with_count(page, text, &known.labels)
        }
        _ => None,
    };
    shown.unwrap_or(text).to_owned()
}

/// The line that shows a declared count with a word of the attribute: "10 servings" for 10.
fn line_with_count<'s>(page: &'s DetailPage<'_>, count: &str, labels: &[String]) -> Option<&'s str> {
    if count.len() > MAX_COUNT_DIGITS || !count.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let shows_count = |line: &&PageLine| {
        let words: Vec<String> = lower_words(&line.text).take(4).collect();
        let is_label = |word: &String| labels.iter().any(|label| label.eq_ignore_ascii_case(word));
        line.text.len() <= MAX_COUNT_LINE_BYTES
            && words.len() <= 3
            && words.iter().any(|word| word == count)
            && words.iter().any(is_label)
    };
    page.lines.iter().filter(|line| !line.outside).find(shows_count).map(|line| line.text.as_str())
}
