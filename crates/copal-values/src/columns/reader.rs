//! The type of a column, and the values of its cells.
//!
//! In: the texts of a column. Out: the value type that most of them have, and one value per text. A text has a
//! type if one value makes up most of it. Words that the texts of a column share do not count ("Decided
//! 04/18/2024", "Save 25%"), nor do texts that say that there is no value. Numbers before the same few nouns are
//! counts, whatever the noun ("3 Gebote"). Texts are read once for the type; typed columns are read again with
//! their [`Notation`]. O(text), and prose costs almost nothing: its first texts show that it is prose.

use super::bare_numbers::{bare_number, is_code};
use super::clock_meaning::clock_meaning;
use super::price_pairs::current_price;
use super::rating_scale::rating_scale;
use super::shared_words::{counted_noun, has_few_remainders, remainder};
use crate::find::find_with;
use crate::labels::{is_no_value, without_inline_label};
use crate::notation::Notation;
use crate::recognise::recogniser::ValueMatch;
use crate::value::Value;
use crate::value_type::ValueType;
use rustc_hash::FxHashMap;

/// Longest text that can be one value, in bytes.
const MAX_VALUE_BYTES: usize = 80;
/// Texts that decide about a type if the words that they share are left out.
const MIN_SHARING_TEXTS: usize = 3;

/// Reads columns. Readings of sampled texts are kept: a column may be asked for its type several times.
#[derive(Default)]
pub struct ColumnReader {
    seen: FxHashMap<String, Option<(ValueType, Value)>>,
    /// Reused between texts to save allocations.
    matches: Vec<ValueMatch>,
}

impl ColumnReader {
    /// The type that at least four of five texts have; `None` if there is none. Texts that say that there is
    /// no value are left out, as long as they are not most.
    ///
    /// ```
    /// use copal_values::{ValueType, columns::reader::ColumnReader};
    /// let mut reader = ColumnReader::default();
    /// assert_eq!(reader.column_type(&["£1", "£2.50", "n/a"]), Some(ValueType::Money));
    /// assert_eq!(reader.column_type(&["Save 25%", "Save 5%", "Save 30%"]), Some(ValueType::Percent));
    /// assert_eq!(reader.column_type(&["Blue lamp", "Red lamp"]), None);
    /// ```
    pub fn column_type(&mut self, texts: &[&str]) -> Option<ValueType> {
        let mut texts: Vec<&str> = texts.to_vec();
        let all = texts.len();
        texts.retain(|text| !is_no_value(text));
        if texts.is_empty() || 2 * texts.len() < all {
            return None;
        }
        let most = |votes: usize| 5 * votes >= 4 * texts.len();
        if !most(texts.iter().filter(|text| text.len() <= MAX_VALUE_BYTES).count()) {
            return None;
        }
        let clock = clock_meaning(texts.iter().map(|text| clock_text(text)));
        let notation = Notation { clock, ..Notation::default() };
        let mut votes: Vec<(ValueType, usize)> = Vec::new();
        for (read, text) in texts.iter().enumerate() {
            // most columns are prose; their first cells show it
            let best = votes.iter().map(|(_, votes)| *votes).max().unwrap_or(0);
            if !most(best + texts.len() - read) {
                break;
            }
            let Some(value_type) = self.type_of_text(text, notation) else { continue };
            match votes.iter_mut().find(|(known, _)| *known == value_type) {
                Some((_, votes)) => *votes += 1,
                None => votes.push((value_type, 1)),
            }
        }
        let winner = votes.into_iter().find(|(_, votes)| most(*votes)).map(|(value_type, _)| value_type);
        match winner {
            Some(ValueType::Number) if texts.iter().any(|text| is_code(text)) => None,
            Some(value_type) => Some(value_type),
            None => self.type_beside_shared_words(&texts),
        }
    }

    /// The type of texts that each have one value among words that they share.
    fn type_beside_shared_words(&mut self, texts: &[&str]) -> Option<ValueType> {
        let has_digit =
            |text: &&&str| text.len() <= MAX_VALUE_BYTES && text.contains(|c: char| c.is_numeric());
        let with_digit: Vec<&str> = texts.iter().filter(has_digit).copied().collect();
        let enough = |count: usize| 5 * count >= 4 * texts.len();
        if texts.len() < MIN_SHARING_TEXTS || !enough(with_digit.len()) {
            return None;
        }
        let mut found: Vec<(ValueType, String)> = Vec::new();
        let mut nouns: Vec<String> = Vec::new();
        for text in &with_digit {
            let text = without_inline_label(text);
            self.matches.clear();
            find_with(text, Notation::default(), &mut self.matches);
            let is_count = self.matches.iter().all(|found| found.value_type == ValueType::Count);
            nouns.extend(counted_noun(text).filter(|_| is_count).map(str::to_owned));
            if current_price(text, &self.matches).is_some() {
                found.push((ValueType::Money, String::new()));
            } else if let [only] = &self.matches[..]
                && may_stand_among_words(only.value_type)
                && let Some(rest) = remainder(text, &only.span)
            {
                found.push((only.value_type, rest));
            }
        }
        if enough(nouns.len()) && has_few_remainders(nouns) {
            return Some(ValueType::Count);
        }
        let value_type = found.first()?.0;
        found.retain(|(found, _)| *found == value_type);
        let shared = enough(found.len()) && has_few_remainders(found.into_iter().map(|(_, rest)| rest));
        shared.then_some(value_type)
    }

    /// The values of the texts of a column of this type, read with its notation.
    pub fn values<'t>(
        &mut self,
        value_type: ValueType,
        texts: impl IntoIterator<Item = &'t str> + Clone,
        notation: Notation,
    ) -> Vec<Option<Value>> {
        let read = |reader: &mut ColumnReader, notation: Notation| -> Vec<Option<Value>> {
            texts.clone().into_iter().map(|text| reader.value(value_type, text, notation)).collect()
        };
        let mut values = read(self, notation);
        match value_type {
            ValueType::Rating => {
                if let Some(scale) = rating_scale(values.iter().flatten()) {
                    values = read(self, Notation { rating_scale: Some(scale), ..notation });
                }
            }
            ValueType::Money => complete_amounts(&mut values, texts, notation),
            _ => {}
        }
        values
    }

    /// True if a value of this type makes up most of a text.
    pub fn is_value(&mut self, value_type: ValueType, text: &str) -> bool {
        whole_value(text, Notation::default(), &mut self.matches)
            .is_some_and(|(found, _)| found == value_type)
    }

    /// The value of a cell in a column of this type.
    pub fn value(&mut self, value_type: ValueType, text: &str, notation: Notation) -> Option<Value> {
        if matches!(value_type, ValueType::Link | ValueType::Image) || text.len() > MAX_VALUE_BYTES {
            return None;
        }
        let known = if notation == Notation::default() { self.seen.get(text).cloned() } else { None };
        let whole = known.unwrap_or_else(|| whole_value(text, notation, &mut self.matches));
        match whole {
            Some((known, value)) if known == value_type => Some(value),
            _ => self.value_among_words(value_type, text, notation),
        }
    }

    /// The only value of this type in a text that has other words too: "$10.00 / 2 pack".
    fn value_among_words(&mut self, value_type: ValueType, text: &str, notation: Notation) -> Option<Value> {
        if !may_stand_among_words(value_type) {
            return None;
        }
        let text = without_inline_label(text);
        self.matches.clear();
        find_with(text, notation, &mut self.matches);
        if let Some(now) = current_price(text, &self.matches).filter(|_| value_type == ValueType::Money) {
            return Some(self.matches[now].value.clone());
        }
        let mut own = self.matches.iter().filter(|found| found.value_type == value_type);
        if let (Some(only), None) = (own.next(), own.next()) {
            return Some(only.value.clone());
        }
        let number =
            |noun: &&str| bare_number(text.split(*noun).next()?.trim().trim_end_matches('+'), notation);
        let noun =
            counted_noun(text).filter(|_| value_type == ValueType::Count && self.matches.is_empty())?;
        match number(&noun)? {
            Value::Number { value, max: None, .. } => {
                let at_least = text.contains('+');
                Some(Value::Count { value, at_least, of: noun.to_lowercase() })
            }
            _ => None,
        }
    }

    fn type_of_text(&mut self, text: &str, notation: Notation) -> Option<ValueType> {
        if notation != Notation::default() {
            return whole_value(text, notation, &mut self.matches).map(|(value_type, _)| value_type);
        }
        if let Some(known) = self.seen.get(text) {
            return known.as_ref().map(|(value_type, _)| *value_type);
        }
        let read = whole_value(text, notation, &mut self.matches);
        let value_type = read.as_ref().map(|(value_type, _)| *value_type);
        self.seen.insert(text.to_owned(), read);
        value_type
    }
}

/// Types that are recognised by signs of their own. A postcode or a language among words may be anything.
fn may_stand_among_words(value_type: ValueType) -> bool {
    matches!(
        value_type,
        ValueType::Money
            | ValueType::Number
            | ValueType::Percent
            | ValueType::Date
            | ValueType::Rating
            | ValueType::Count
            | ValueType::Area
            | ValueType::Distance
            | ValueType::Duration
    )
}

/// A text without the signs that players put before a time: "► 30:22".
pub fn clock_text(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end()
}

/// The value that makes up most of a text, apart from a label before it.
fn whole_value(text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) -> Option<(ValueType, Value)> {
    if text.len() > MAX_VALUE_BYTES {
        return None;
    }
    let text = without_inline_label(text);
    if let Some(number) = bare_number(text, notation) {
        return Some((ValueType::Number, number));
    }
    let text = if notation.clock.is_some() { clock_text(text) } else { text };
    matches.clear();
    find_with(text, notation, matches);
    if matches.is_empty() {
        return None;
    }
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let all = letters(text);
    let share = |found: &ValueMatch| letters(&text[found.span.clone()]);
    // "250 kW (340 PK)" is one value in two units, but "$30 $20" are two prices
    let alike = matches.iter().all(|found| found.value_type == matches[0].value_type);
    let one = alike && matches[0].value_type != ValueType::Money;
    if one && 2 * matches.iter().map(share).sum::<usize>() > all {
        return matches.drain(..).next().map(|found| (found.value_type, found.value));
    }
    let found = matches.drain(..).find(|found| 2 * letters(&text[found.span.clone()]) > all)?;
    Some((found.value_type, found.value))
}

/// Gives amounts without a sign the currency of all others.
fn complete_amounts<'t>(
    values: &mut [Option<Value>],
    texts: impl IntoIterator<Item = &'t str>,
    notation: Notation,
) {
    let mut currencies = values.iter().flatten().filter_map(|value| match value {
        Value::Money { currency, .. } => Some(*currency),
        _ => None,
    });
    let Some(first) = currencies.next().filter(|first| currencies.all(|other| other == *first)) else {
        return;
    };
    for (value, text) in values.iter_mut().zip(texts).filter(|(value, _)| value.is_none()) {
        if let Some(Value::Number { value: amount, max, .. }) = bare_number(text, notation)
            && !amount.starts_with('-')
        {
            *value = Some(Value::Money { amount, max, currency: first, per: None, from: false });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{ClockMeaning, DateOrder};
    use proptest::prelude::*;

    fn column_type(texts: &[&str]) -> Option<ValueType> {
        ColumnReader::default().column_type(texts)
    }

    fn value(value_type: ValueType, text: &str) -> Option<Value> {
        ColumnReader::default().value(value_type, text, Notation::default())
    }

    #[test]
    fn most_texts_decide() {
        assert_eq!(column_type(&["£1", "£2.50", "£3", "£4", "sold"]), Some(ValueType::Money));
        assert_eq!(column_type(&["£1", "sold", "sold"]), None);
        assert_eq!(column_type(&["12 May 2020", "1 June 2021"]), Some(ValueType::Date));
        assert_eq!(column_type(&["Blue lamp", "Red lamp"]), None);
        assert_eq!(column_type(&["500", "N/A", "720", "-"]), Some(ValueType::Number));
        assert_eq!(column_type(&["N/A", "-", "720"]), None);
        assert_eq!(column_type(&["21-10262", "A-24-22"]), None);
        assert_eq!(column_type(&["0423134", "1084132"]), None);
        assert_eq!(column_type(&[]), None);
    }

    #[test]
    fn clocks_are_times_or_durations() {
        assert_eq!(column_type(&["2:24", "3:07", "12:41"]), Some(ValueType::Duration));
        assert_eq!(column_type(&["► 30:22", "► 21:38"]), Some(ValueType::Duration));
        assert_eq!(column_type(&["9:30", "14:00", "19:45"]), Some(ValueType::Date));
        let notation = Notation { clock: Some(ClockMeaning::Duration), ..Notation::default() };
        let value = ColumnReader::default().value(ValueType::Duration, "► 30:22", notation);
        assert_eq!(value, Some(Value::Duration(1822)));
    }

    #[test]
    fn shared_words_do_not_count() {
        assert_eq!(
            column_type(&["Decided 04/18/2024", "Decided 05/02/2024", "Decided 06/28/2024"]),
            Some(ValueType::Date)
        );
        assert_eq!(
            column_type(&["Was $30.50", "Was $20", "Originally $12", "Was $8"]),
            Some(ValueType::Money)
        );
        assert_eq!(column_type(&["3 Gebote", "1 Gebot", "0 Gebote", "7 Gebote"]), Some(ValueType::Count));
        assert_eq!(column_type(&["iPhone 13, 256 GB", "iPad mini, 64 GB", "Galaxy tablet, 256 GB"]), None);
        assert_eq!(column_type(&["Rule 23", "Rule 7", "Rule 19"]), None);
        let count = Value::Count { value: "3".into(), at_least: false, of: "gebote".into() };
        assert_eq!(value(ValueType::Count, "3 Gebote"), Some(count));
    }

    #[test]
    fn a_value_in_a_sentence_types_nothing() {
        let texts = ["the price went up to £3 within one year", "the lamp for £4 was sold again", "no £5"];
        assert_eq!(column_type(&texts), None);
    }

    #[test]
    fn labels_are_not_part_of_the_value() {
        assert_eq!(column_type(&["Rating: 86%", "Rating: 90%"]), Some(ValueType::Percent));
        assert_eq!(value(ValueType::Percent, "Rating: 86%"), Some(Value::Percent("86".into())));
        assert_eq!(value(ValueType::Money, "Rating: 86%"), None);
    }

    #[test]
    fn typed_columns_are_read_more_freely() {
        let money = |amount: &str| Value::Money {
            amount: amount.into(),
            max: None,
            currency: Some("USD"),
            per: None,
            from: false,
        };
        let mut reader = ColumnReader::default();
        let texts = ["$24.50", "$10.00 / 2 pack of boxes", "24.56", "ask us"];
        let values = reader.values(ValueType::Money, texts, Notation::default());
        assert_eq!(values, [Some(money("24.50")), Some(money("10.00")), Some(money("24.56")), None]);
        let texts = ["Was $20.00 Now $15.00", "Was $9.50 Now $8.00", "$5.00 $4.00", "$7.00"];
        assert_eq!(reader.column_type(&texts[..2]), None, "two texts show no pattern");
        let values = reader.values(ValueType::Money, texts, Notation::default());
        assert_eq!(values, [Some(money("15.00")), Some(money("8.00")), None, Some(money("7.00"))]);
    }

    #[test]
    fn ratings_of_a_column_have_one_scale() {
        let mut reader = ColumnReader::default();
        let values =
            reader.values(ValueType::Rating, ["Rating: 4.5", "Rated 8.5", "Rated 4.5"], Notation::default());
        let scales: Vec<&str> = values
            .iter()
            .flatten()
            .map(|value| match value {
                Value::Rating { of, .. } => of.as_str(),
                _ => "",
            })
            .collect();
        assert_eq!(scales, ["10", "10"], "{values:?}");
    }

    #[test]
    fn the_notation_is_used() {
        let notation = Notation { date_order: Some(DateOrder::MonthFirst), ..Notation::default() };
        let value = ColumnReader::default().value(ValueType::Date, "10/12/2023", notation);
        assert_eq!(value, Some(Value::Date("2023-10-12".into())));
    }

    proptest! {
        #[test]
        fn any_column_is_safe(texts in prop::collection::vec("[0-9:/.,$% a-c]{0,12}|.*", 0..6)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let mut reader = ColumnReader::default();
            if let Some(value_type) = reader.column_type(&texts) {
                let values = reader.values(value_type, texts.iter().copied(), Notation::default());
                prop_assert_eq!(values.len(), texts.len());
            }
        }
    }
}
