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
use crate::find::{find_with, is_found};
use crate::labels::{is_no_value, without_inline_label};
use crate::notation::Notation;
use crate::recognise::recogniser::ValueMatch;
use crate::value::Value;
use crate::value_type::ValueType;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Longest text that can be one value, in bytes.
const MAX_VALUE_BYTES: usize = 80;
/// Texts that decide about a type if the words that they share are left out.
const MIN_SHARING_TEXTS: usize = 3;

/// Reads columns. Types, and readings of sampled texts, are kept for the next time.
#[derive(Default)]
pub struct ColumnReader {
    seen: FxHashMap<String, Option<(ValueType, Value)>>,
    /// The types of columns, by the hash of their texts: a column is asked for its type several times.
    types: FxHashMap<u64, Option<ValueType>>,
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
        let mut hasher = FxHasher::default();
        texts.hash(&mut hasher);
        let key = hasher.finish();
        if let Some(known) = self.types.get(&key) {
            return *known;
        }
        let value_type = self.type_of_texts(texts);
        self.types.insert(key, value_type);
        value_type
    }

    fn type_of_texts(&mut self, texts: &[&str]) -> Option<ValueType> {
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
        let notation = Notation::default();
        if text.len() > MAX_VALUE_BYTES {
            return false;
        }
        let plain = without_inline_label(text);
        if bare_number(plain, notation).is_some() {
            return value_type == ValueType::Number;
        }
        // most texts are refused by the recogniser of the type alone
        is_found(value_type, plain, notation, &mut self.matches)
            && whole_value(text, notation, &mut self.matches).is_some_and(|(found, _)| found == value_type)
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
mod tests;
