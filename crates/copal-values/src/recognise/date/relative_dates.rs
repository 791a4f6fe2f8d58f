//! Offsets from now: "3 days ago", "yesterday", `3天前`.
//!
//! In: a token of a text. Out: the offset that begins there, and the byte where it ends (a unit in a script
//! without spaces may end inside a token). The time after a relative day is part of the span but not of the
//! value. The tables have a fixed size, and a bounded number of tokens is looked at: O(their length).

use super::date_parser::DateParser;
use super::date_phrases::{DatePhrase, PHRASES, UNSPACED_AGO, UNSPACED_UNITS, phrase_length};
use super::date_tokens::TokenContent;
use crate::value::Value;

impl DateParser<'_> {
    /// An offset from now: the byte where it ends and the value.
    pub(super) fn relative(&self, at: usize) -> Option<(usize, Value)> {
        if let Some(found) = self.phrase(at) {
            return Some(found);
        }
        if let Some(word) = self.word(at) {
            if let Some(day) = word.day {
                return self.near_day(at, self.tokens[at].end, day, word.weak_day);
            }
            if word.unit.is_some() && self.has_word(at + 1, |next| next.ago_alone) {
                return Some((self.tokens[at + 1].end, offset(-1, word.unit?)));
            }
            if word.lead != 0 {
                // "in a month" is rarely a date.
                let found = self.amount(at + 1, word.lead < 0)?;
                return self.after_lead(found, word.lead as i64);
            }
        }
        let (next, amount, unit) = self.amount(at, true)?;
        if unit.is_empty() {
            return self.unspaced_offset(next, amount);
        }
        // 1 hour, 5 minutes ago
        let pair = next + usize::from(self.sign(next) == Some(','));
        let pair = pair + usize::from(matches!(self.text(pair), "and" | "und" | "et" | "y"));
        let next = self.amount(pair, false).filter(|found| !found.2.is_empty()).map_or(next, |found| found.0);
        if self.text(next).eq_ignore_ascii_case("from") && self.text(next + 1).eq_ignore_ascii_case("now") {
            return Some((self.tokens[next + 1].end, offset(amount, unit)));
        }
        let next = next
            + usize::from(
                matches!(self.text(next), "yang" | "тому"  if self.has_word(next + 1, |word| word.ago)),
            );
        (self.has_word(next, |word| word.ago) && self.may_end_before(next + 1))
            .then(|| (self.tokens[next].end, offset(-amount, unit)))
    }

    /// A number and a unit: the next token, the number, and the unit (empty if the script puts no space after
    /// it).
    fn amount(&self, at: usize, words: bool) -> Option<(usize, i64, &'static str)> {
        let amount = match self.tokens.get(at)?.content {
            TokenContent::Number { value, digits } if digits <= 4 => value as i64,
            TokenContent::Word(word) if words && word.number > 0 => word.number as i64,
            _ => return None,
        };
        let unit = self.word(at + 1)?;
        if unit.unspaced {
            return Some((at + 1, amount, ""));
        }
        let dot = usize::from(self.sign(at + 2) == Some('.') && self.has_word(at + 3, |word| word.ago));
        Some((at + 2 + dot, amount, unit.unit?))
    }

    /// An amount after a word such as "vor" or "in".
    fn after_lead(
        &self,
        (next, amount, unit): (usize, i64, &'static str),
        lead: i64,
    ) -> Option<(usize, Value)> {
        let whole = !unit.is_empty() && self.text(next - 1).chars().count() > 1;
        (whole && self.may_end_before(next)).then(|| (self.end(next), offset(lead * amount, unit)))
    }

    /// `3天前`, `2시간 전`, read from the unit on.
    fn unspaced_offset(&self, at: usize, amount: i64) -> Option<(usize, Value)> {
        let start = self.tokens[at].start;
        let rest = &self.text[start..];
        for &(unit, name) in UNSPACED_UNITS.iter().filter(|(unit, _)| rest.starts_with(unit)) {
            let after = &rest[unit.len()..];
            let gap = after.chars().next().filter(|c| c.is_whitespace()).map_or(0, char::len_utf8);
            if let Some((ago, sign)) = UNSPACED_AGO.iter().find(|(ago, _)| after[gap..].starts_with(ago)) {
                return Some((start + unit.len() + gap + ago.len(), offset(sign * amount, name)));
            }
        }
        None
    }

    /// A phrase of the table that begins at the token.
    fn phrase(&self, at: usize) -> Option<(usize, Value)> {
        if !self.has_word(at, |word| word.phrase) {
            return None;
        }
        let start = self.tokens[at].start;
        let (len, meaning) = PHRASES
            .iter()
            .find_map(|&(phrase, meaning)| Some((phrase_length(&self.text[start..], phrase)?, meaning)))?;
        let end = start + len;
        let next = self.token_at(at, end);
        let unspaced = self.has_word(at, |word| word.unspaced);
        if !unspaced && (self.end(next) != end) {
            return None;
        }
        match meaning {
            DatePhrase::Now => Some((end, offset(0, "minute"))),
            DatePhrase::Day(day) => self.near_day(next - 1, end, day, false),
            DatePhrase::Since => self.after_lead(self.amount(next, true)?, -1),
            DatePhrase::Until => self.after_lead(self.amount(next, true)?, 1),
        }
    }

    /// A day near today whose word ends with token `last`. A time that follows becomes part of the span.
    fn near_day(&self, last: usize, end: usize, day: i8, weak: bool) -> Option<(usize, Value)> {
        let value = offset(day as i64, "day");
        let unspaced = self.has_word(last, |word| word.unspaced);
        if let Some((next, _)) = self.time_after(last + 1).filter(|_| self.tokens[last].end == end) {
            return Some((self.end(next), value));
        }
        let alone = self.tokens.len() == 1;
        let possessive = matches!(self.sign(last + 1), Some('\'' | '’')) && self.is_tight(last + 1);
        let free = unspaced || (self.may_end_before(last + 1) && !possessive);
        (free && (!weak || alone)).then_some((end, value))
    }
}

/// An offset of this many units from now. Seconds are converted to whole minutes.
fn offset(amount: i64, unit: &'static str) -> Value {
    if unit == "second" {
        Value::Relative { amount: amount / 60, unit: "minute" }
    } else {
        Value::Relative { amount, unit }
    }
}
