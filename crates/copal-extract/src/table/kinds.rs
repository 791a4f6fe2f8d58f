//! Types of columns, without a domain.
//!
//! In: the columns with their cells. Out: a type for each column most of whose cells are one recognised value, and the
//! normalised value of every such cell. Recognisers read a sample of short cells first and every cell of typed
//! columns only, so prose costs nothing.

use super::{Draft, DraftCell};
use copal_model::CellSource;
use copal_values::labels::without_inline_label;
use copal_values::{Value, ValueMatch, ValueType, numbers};
use rustc_hash::FxHashMap;

/// Cells that are read to choose a type.
const SAMPLE: usize = 12;
/// Longest text that is one value.
const LONGEST: usize = 80;

/// Reads texts, those of samples once only: a column is asked for its type when columns are merged, when all are there, and
/// then for what its cells say.
#[derive(Default)]
pub(crate) struct Reader {
    seen: FxHashMap<String, Option<(ValueType, Value)>>,
    /// Kept between texts for its memory.
    hits: Vec<ValueMatch>,
}

impl Reader {
    /// The type of a column.
    pub(super) fn kind_of(&mut self, draft: &Draft) -> Option<ValueType> {
        match draft.source {
            CellSource::Text => {}
            CellSource::Href => return Some(ValueType::Link),
            CellSource::Src => return Some(ValueType::Image),
            CellSource::Embedded | CellSource::Detail => return None,
        }
        let step = draft.cells.len().div_ceil(SAMPLE).max(1);
        let texts: Vec<&str> = draft.cells.iter().step_by(step).map(DraftCell::text).collect();
        self.kind_of_texts(&texts)
    }

    /// The type that most texts have.
    pub(crate) fn kind_of_texts(&mut self, texts: &[&str]) -> Option<ValueType> {
        let sample = || texts.iter().copied();
        let all = sample().count();
        let most = |votes: usize| 5 * votes >= 4 * all;
        if !most(sample().filter(|text| text.len() <= LONGEST).count()) {
            return None;
        }
        let mut votes: Vec<(ValueType, usize)> = Vec::new();
        for (read, text) in sample().enumerate() {
            // most columns are prose, which their first cells show
            let best = votes.iter().map(|(_, votes)| *votes).max().unwrap_or(0);
            if !most(best + all - read) {
                return None;
            }
            let Some(kind) = self.sampled(text) else { continue };
            match votes.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, votes)) => *votes += 1,
                None => votes.push((kind, 1)),
            }
        }
        votes.into_iter().find(|(_, votes)| most(*votes)).map(|(kind, _)| kind)
    }

    /// What a cell of a typed column says.
    pub(crate) fn value_of(&mut self, kind: ValueType, text: &str) -> Option<Value> {
        if matches!(kind, ValueType::Link | ValueType::Image) {
            return None;
        }
        let known = match self.seen.get(text) {
            Some(known) => known.clone(),
            None => whole(text, &mut self.hits),
        };
        known.filter(|(known, _)| *known == kind).map(|(_, value)| value)
    }

    fn sampled(&mut self, text: &str) -> Option<ValueType> {
        if let Some(known) = self.seen.get(text) {
            return known.as_ref().map(|(kind, _)| *kind);
        }
        let read = whole(text, &mut self.hits);
        let kind = read.as_ref().map(|(kind, _)| *kind);
        self.seen.insert(text.to_owned(), read);
        kind
    }
}

/// The value that is (nearly) all of a text, a label before it left out.
fn whole(text: &str, hits: &mut Vec<ValueMatch>) -> Option<(ValueType, Value)> {
    if text.len() > LONGEST {
        return None;
    }
    let text = without_inline_label(text);
    if let Some(number) = bare_number(text) {
        return Some((ValueType::Number, number));
    }
    hits.clear();
    copal_values::find(text, hits);
    if hits.is_empty() {
        return None;
    }
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let all = letters(text);
    let hit = hits.drain(..).find(|hit| 5 * letters(&text[hit.span.clone()]) >= 3 * all)?;
    Some((hit.value_type, hit.value))
}

/// A text that is a number and nothing else; brackets and a hash before it do not count: `(14)`, `#3`.
fn bare_number(text: &str) -> Option<Value> {
    let inner = text.trim_start_matches('#').trim_matches(['(', ')', ' ', '.']);
    if inner.is_empty() || numbers::scan(inner) != inner.len() {
        return None;
    }
    Some(Value::Number { value: numbers::parse(inner)?, max: None, unit: None })
}

/// What a column of a type is called if nothing else names it.
pub(super) fn usual_name(kind: ValueType) -> Option<&'static str> {
    match kind {
        ValueType::Money => Some("price"),
        ValueType::Link | ValueType::Image => None,
        ValueType::YesNo => Some("yes_no"),
        other => Some(other.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_model::CellText;

    fn column(texts: &[&str]) -> Draft {
        let text = |text: &str| CellText::from(text.to_owned());
        let cell = |(record, words): (usize, &&str)| DraftCell { record, position: 0, text: text(words) };
        let cells = texts.iter().enumerate().map(cell).collect();
        Draft { source: CellSource::Text, sample: 0, last: 0, tail: false, label: None, cells }
    }

    fn kind_of(draft: &Draft) -> Option<ValueType> {
        Reader::default().kind_of(draft)
    }

    fn value_of(kind: ValueType, text: &str) -> Option<Value> {
        Reader::default().value_of(kind, text)
    }

    #[test]
    fn most_cells_decide() {
        assert_eq!(kind_of(&column(&["£1", "£2.50", "£3", "£4", "sold"])), Some(ValueType::Money));
        assert_eq!(kind_of(&column(&["£1", "sold", "sold"])), None);
        assert_eq!(kind_of(&column(&["12 May 2020", "1 June 2021"])), Some(ValueType::Date));
        assert_eq!(kind_of(&column(&["Blue lamp", "Red lamp"])), None);
    }

    #[test]
    fn plain_figures_are_numbers() {
        assert_eq!(kind_of(&column(&["4.7", "(1,204)", "#3"])), Some(ValueType::Number));
        let value = Value::Number { value: "1204".into(), max: None, unit: None };
        assert_eq!(value_of(ValueType::Number, "(1,204)"), Some(value));
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
        assert_eq!(kind_of(&column(&["Rating: 86%", "Rating: 90%"])), Some(ValueType::Percent));
        assert_eq!(value_of(ValueType::Percent, "Rating: 86%"), Some(Value::Percent("86".into())));
        assert_eq!(value_of(ValueType::Money, "Rating: 86%"), None);
    }
}
