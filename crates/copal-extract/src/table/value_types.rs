//! Value types of columns, without a domain.
//!
//! In: column drafts. Out: a type for each column in which most cells are one recognised value, and the
//! normalised value of every such cell. The recognisers read a sample of short cells first, and all cells of
//! typed columns only. Prose therefore costs almost nothing.

use super::column_draft::{ColumnDraft, DraftCell};
use copal_model::CellSource;
use copal_values::labels::without_inline_label;
use copal_values::{Value, ValueMatch, ValueType, numbers};
use rustc_hash::FxHashMap;

/// Cells that are read to choose a type.
const MAX_SAMPLED_CELLS: usize = 12;
/// Longest text that can be one value, in bytes.
const MAX_VALUE_BYTES: usize = 80;

/// Finds the types of columns and the values of cells. Results for sampled texts are kept: a column is asked
/// for its type when columns are merged, again when all are finished, and then for its values.
#[derive(Default)]
pub(crate) struct ColumnTyper {
    seen: FxHashMap<String, Option<(ValueType, Value)>>,
    /// Reused between texts to save allocations.
    hits: Vec<ValueMatch>,
}

impl ColumnTyper {
    /// The type of a column; `None` if most of its cells have no common type.
    pub(super) fn type_of_column(&mut self, draft: &ColumnDraft) -> Option<ValueType> {
        match draft.source {
            CellSource::Text => {}
            CellSource::Href => return Some(ValueType::Link),
            CellSource::Src => return Some(ValueType::Image),
            CellSource::Embedded | CellSource::Detail => return None,
        }
        let step = draft.cells.len().div_ceil(MAX_SAMPLED_CELLS).max(1);
        let texts: Vec<&str> = draft.cells.iter().step_by(step).map(DraftCell::text).collect();
        self.type_of_texts(&texts)
    }

    /// The type that at least four of five texts have.
    pub(crate) fn type_of_texts(&mut self, texts: &[&str]) -> Option<ValueType> {
        let sample = || texts.iter().copied();
        let all = sample().count();
        let most = |votes: usize| 5 * votes >= 4 * all;
        if !most(sample().filter(|text| text.len() <= MAX_VALUE_BYTES).count()) {
            return None;
        }
        let mut votes: Vec<(ValueType, usize)> = Vec::new();
        for (read, text) in sample().enumerate() {
            // most columns are prose; their first cells show it
            let best = votes.iter().map(|(_, votes)| *votes).max().unwrap_or(0);
            if !most(best + all - read) {
                return None;
            }
            let Some(value_type) = self.type_of_text(text) else { continue };
            match votes.iter_mut().find(|(known, _)| *known == value_type) {
                Some((_, votes)) => *votes += 1,
                None => votes.push((value_type, 1)),
            }
        }
        votes.into_iter().find(|(_, votes)| most(*votes)).map(|(value_type, _)| value_type)
    }

    /// The value of a cell in a column of this type.
    pub(crate) fn value_of(&mut self, value_type: ValueType, text: &str) -> Option<Value> {
        if matches!(value_type, ValueType::Link | ValueType::Image) {
            return None;
        }
        let known = match self.seen.get(text) {
            Some(known) => known.clone(),
            None => value_of_whole_text(text, &mut self.hits),
        };
        known.filter(|(known, _)| *known == value_type).map(|(_, value)| value)
    }

    /// The type of a text that is one value.
    pub(super) fn type_of_text(&mut self, text: &str) -> Option<ValueType> {
        if let Some(known) = self.seen.get(text) {
            return known.as_ref().map(|(value_type, _)| *value_type);
        }
        let read = value_of_whole_text(text, &mut self.hits);
        let value_type = read.as_ref().map(|(value_type, _)| *value_type);
        self.seen.insert(text.to_owned(), read);
        value_type
    }
}

/// The value that makes up (nearly) all of a text, apart from a label before it.
fn value_of_whole_text(text: &str, hits: &mut Vec<ValueMatch>) -> Option<(ValueType, Value)> {
    if text.len() > MAX_VALUE_BYTES {
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

/// The value of a text that is only a number. Brackets and a hash do not count: `(14)`, `#3`.
fn bare_number(text: &str) -> Option<Value> {
    let inner = text.trim_start_matches('#').trim_matches(['(', ')', ' ', '.']);
    if inner.is_empty() || numbers::scan(inner) != inner.len() {
        return None;
    }
    Some(Value::Number { value: numbers::parse(inner)?, max: None, unit: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_model::CellText;

    fn column(texts: &[&str]) -> ColumnDraft {
        let text = |text: &str| CellText::from(text.to_owned());
        let cell = |(record, words): (usize, &&str)| DraftCell { record, position: 0, text: text(words) };
        let cells = texts.iter().enumerate().map(cell).collect();
        ColumnDraft { source: CellSource::Text, sample: 0, last: 0, tail: false, label: None, cells }
    }

    fn type_of_column(draft: &ColumnDraft) -> Option<ValueType> {
        ColumnTyper::default().type_of_column(draft)
    }

    fn value_of(value_type: ValueType, text: &str) -> Option<Value> {
        ColumnTyper::default().value_of(value_type, text)
    }

    #[test]
    fn most_cells_decide() {
        assert_eq!(type_of_column(&column(&["£1", "£2.50", "£3", "£4", "sold"])), Some(ValueType::Money));
        assert_eq!(type_of_column(&column(&["£1", "sold", "sold"])), None);
        assert_eq!(type_of_column(&column(&["12 May 2020", "1 June 2021"])), Some(ValueType::Date));
        assert_eq!(type_of_column(&column(&["Blue lamp", "Red lamp"])), None);
    }

    #[test]
    fn plain_figures_are_numbers() {
        assert_eq!(type_of_column(&column(&["4.7", "(1,204)", "#3"])), Some(ValueType::Number));
        let value = Value::Number { value: "1204".into(), max: None, unit: None };
        assert_eq!(value_of(ValueType::Number, "(1,204)"), Some(value));
        assert_eq!(type_of_column(&column(&["21-10262", "A-24-22"])), None);
    }

    #[test]
    fn a_value_in_a_sentence_types_nothing() {
        assert_eq!(
            type_of_column(&column(&["the price went up to £3 within one year", "the price was £4 again"])),
            None
        );
    }

    #[test]
    fn labels_are_not_part_of_the_value() {
        assert_eq!(type_of_column(&column(&["Rating: 86%", "Rating: 90%"])), Some(ValueType::Percent));
        assert_eq!(value_of(ValueType::Percent, "Rating: 86%"), Some(Value::Percent("86".into())));
        assert_eq!(value_of(ValueType::Money, "Rating: 86%"), None);
    }
}
