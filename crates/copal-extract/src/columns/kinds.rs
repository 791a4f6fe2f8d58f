//! Types of columns, without a domain.
//!
//! In: the columns with their cells. Out: a type for each column most of whose cells are one recognised value, and the
//! normalised value of every such cell. Recognisers read a sample of short cells first and every cell of typed
//! columns only, so prose costs nothing.

use super::Draft;
use crate::model::CellSource;
use copal_annotate::{Hit, Kind, Value, annotate, numbers};

/// Cells that are read to choose a type.
const SAMPLE: usize = 12;
/// Longest text that is one value.
const LONGEST: usize = 80;
/// Longest label before a value.
const LABEL: usize = 32;

/// The type of a column.
pub(super) fn kind_of(draft: &Draft) -> Option<Kind> {
    match draft.source {
        CellSource::Text => {}
        CellSource::Href => return Some(Kind::Link),
        CellSource::Src => return Some(Kind::Image),
        CellSource::Embedded => return None,
    }
    let step = draft.cells.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<&str> = draft.cells.iter().step_by(step).map(|cell| cell.2.as_str()).collect();
    let short =
        |texts: &[&str]| 5 * texts.iter().filter(|text| text.len() <= LONGEST).count() >= 4 * texts.len();
    if !short(&sample) {
        return None;
    }
    let mut votes: Vec<(Kind, usize)> = Vec::new();
    for kind in sample.iter().filter_map(|text| whole(text)).map(|hit| hit.kind) {
        match votes.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, votes)) => *votes += 1,
            None => votes.push((kind, 1)),
        }
    }
    // of equal ones the first in the order of kinds, so that the choice does not depend on the records' order
    votes.sort_by_key(|&(kind, votes)| (std::cmp::Reverse(votes), kind));
    votes.first().filter(|(_, votes)| 5 * votes >= 4 * sample.len()).map(|&(kind, _)| kind)
}

/// What a cell of a typed column says.
pub(super) fn value_of(kind: Kind, text: &str) -> Option<Value> {
    if matches!(kind, Kind::Link | Kind::Image) {
        return None;
    }
    whole(text).filter(|hit| hit.kind == kind).map(|hit| hit.value)
}

/// The value that is (nearly) all of a text, a label before it left out.
fn whole(text: &str) -> Option<Hit> {
    if text.len() > LONGEST {
        return None;
    }
    let text = without_label(text);
    if let Some(number) = bare_number(text) {
        return Some(number);
    }
    let mut hits = Vec::new();
    annotate::find(text, &mut hits);
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let all = letters(text);
    hits.into_iter().find(|hit| 5 * letters(&text[hit.span.clone()]) >= 3 * all)
}

/// A text that is a number and nothing else; brackets and a hash before it do not count: `(14)`, `#3`.
fn bare_number(text: &str) -> Option<Hit> {
    let inner = text.trim_start_matches('#').trim_matches(['(', ')', ' ', '.']);
    if inner.is_empty() || numbers::scan(inner) != inner.len() {
        return None;
    }
    let value = Value::Number { value: numbers::parse(inner)?, max: None, unit: None };
    Some(Hit { span: 0..text.len(), kind: Kind::Number, value })
}

/// `Rating: 86%` is `86%`, `18:05` is itself.
fn without_label(text: &str) -> &str {
    label_of(text).map_or(text, |label| text[label.len() + 1..].trim_start())
}

/// The words before the colon that a value begins with.
pub(super) fn label_of(text: &str) -> Option<&str> {
    let (label, _) = text.split_once(": ")?;
    (label.len() <= LABEL && !label.contains(|c: char| c.is_ascii_digit())).then_some(label)
}

/// What a column of a type is called if nothing else names it.
pub(super) fn usual_name(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Money => Some("price"),
        Kind::Link | Kind::Image => None,
        Kind::YesNo => Some("yes_no"),
        other => Some(other.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str]) -> Draft {
        let cells = texts.iter().enumerate().map(|(record, text)| (record, 0, (*text).to_owned())).collect();
        Draft { source: CellSource::Text, sample: 0, tail: false, label: None, cells }
    }

    #[test]
    fn most_cells_decide() {
        assert_eq!(kind_of(&column(&["£1", "£2.50", "£3", "£4", "sold"])), Some(Kind::Money));
        assert_eq!(kind_of(&column(&["£1", "sold", "sold"])), None);
        assert_eq!(kind_of(&column(&["12 May 2020", "1 June 2021"])), Some(Kind::Date));
        assert_eq!(kind_of(&column(&["Blue lamp", "Red lamp"])), None);
    }

    #[test]
    fn plain_figures_are_numbers() {
        assert_eq!(kind_of(&column(&["4.7", "(1,204)", "#3"])), Some(Kind::Number));
        let value = Value::Number { value: "1204".into(), max: None, unit: None };
        assert_eq!(value_of(Kind::Number, "(1,204)"), Some(value));
        assert_eq!(kind_of(&column(&["21-10262", "A-24-22"])), None);
    }

    #[test]
    fn a_value_in_a_sentence_types_nothing() {
        assert_eq!(
            kind_of(&column(&["the price went up to £3 within one year", "the price was £4 again"])),
            None
        );
    }

    #[test]
    fn labels_are_no_part_of_the_value() {
        assert_eq!(kind_of(&column(&["Rating: 86%", "Rating: 90%"])), Some(Kind::Percent));
        assert_eq!(value_of(Kind::Percent, "Rating: 86%"), Some(Value::Percent("86".into())));
        assert_eq!(value_of(Kind::Money, "Rating: 86%"), None);
    }
}
