//! Distances from now: "3 days ago", "yesterday", `3天前`.
//!
//! In: a token of a text. Out: the distance that begins there, and the byte where it ends (a unit in a script without
//! spaces may end inside a token). A time behind a near day is in the span only. The tables are of fixed size, and a
//! bounded number of tokens is looked at: O(their length).

use super::Parser;
use super::tokens::DateToken as Part;
use super::words::{GLUED_AGO, GLUED_UNITS, PHRASES, Phrase, starts_with};
use crate::value::Value;

impl Parser<'_> {
    /// A distance from now: the byte where it ends and the value.
    pub(super) fn relative(&self, at: usize) -> Option<(usize, Value)> {
        if let Some(found) = self.phrase(at) {
            return Some(found);
        }
        if let Some(word) = self.word(at) {
            if let Some(day) = word.day {
                return self.near(at, self.tokens[at].end, day, word.weak_day);
            }
            if word.unit.is_some() && self.is(at + 1, |next| next.ago_alone) {
                return Some((self.tokens[at + 1].end, distance(-1, word.unit?)));
            }
            if word.lead != 0 {
                // "in a month" is mostly no date
                let found = self.amount(at + 1, word.lead < 0)?;
                return self.led(found, word.lead as i64);
            }
        }
        let (next, amount, unit) = self.amount(at, true)?;
        if unit.is_empty() {
            return self.glued(next, amount);
        }
        // 1 hour, 5 minutes ago
        let pair = next + usize::from(self.sign(next) == Some(','));
        let pair = pair + usize::from(matches!(self.text(pair), "and" | "und" | "et" | "y"));
        let next = self.amount(pair, false).filter(|found| !found.2.is_empty()).map_or(next, |found| found.0);
        if self.text(next).eq_ignore_ascii_case("from") && self.text(next + 1).eq_ignore_ascii_case("now") {
            return Some((self.tokens[next + 1].end, distance(amount, unit)));
        }
        let next = next
            + usize::from(matches!(self.text(next), "yang" | "тому"  if self.is(next + 1, |word| word.ago)));
        (self.is(next, |word| word.ago) && self.closes(next + 1))
            .then(|| (self.tokens[next].end, distance(-amount, unit)))
    }

    /// A number and a unit: the next token, the number, and the unit (none if the script sets no space behind it).
    fn amount(&self, at: usize, words: bool) -> Option<(usize, i64, &'static str)> {
        let amount = match self.tokens.get(at)?.kind {
            Part::Number { value, digits } if digits <= 4 => value as i64,
            Part::Word(word) if words && word.number > 0 => word.number as i64,
            _ => return None,
        };
        let unit = self.word(at + 1)?;
        if unit.glued {
            return Some((at + 1, amount, ""));
        }
        let dot = usize::from(self.sign(at + 2) == Some('.') && self.is(at + 3, |word| word.ago));
        Some((at + 2 + dot, amount, unit.unit?))
    }

    /// An amount behind "vor" or "in".
    fn led(&self, (next, amount, unit): (usize, i64, &'static str), lead: i64) -> Option<(usize, Value)> {
        let whole = !unit.is_empty() && self.text(next - 1).chars().count() > 1;
        (whole && self.closes(next)).then(|| (self.end(next), distance(lead * amount, unit)))
    }

    /// `3天前`, `2시간 전`: from the unit on.
    fn glued(&self, at: usize, amount: i64) -> Option<(usize, Value)> {
        let start = self.tokens[at].start;
        let rest = &self.text[start..];
        for &(unit, name) in GLUED_UNITS.iter().filter(|(unit, _)| rest.starts_with(unit)) {
            let behind = &rest[unit.len()..];
            let gap = behind.chars().next().filter(|c| c.is_whitespace()).map_or(0, char::len_utf8);
            if let Some((ago, sign)) = GLUED_AGO.iter().find(|(ago, _)| behind[gap..].starts_with(ago)) {
                return Some((start + unit.len() + gap + ago.len(), distance(sign * amount, name)));
            }
        }
        None
    }

    /// A phrase of the table at the token.
    fn phrase(&self, at: usize) -> Option<(usize, Value)> {
        if !self.is(at, |word| word.phrase) {
            return None;
        }
        let start = self.tokens[at].start;
        let (len, meaning) = PHRASES
            .iter()
            .find_map(|&(phrase, meaning)| Some((starts_with(&self.text[start..], phrase)?, meaning)))?;
        let end = start + len;
        let next = self.token_at(at, end);
        let glued = self.is(at, |word| word.glued);
        if !glued && (self.end(next) != end) {
            return None;
        }
        match meaning {
            Phrase::Now => Some((end, distance(0, "minute"))),
            Phrase::Day(day) => self.near(next - 1, end, day, false),
            Phrase::Since => self.led(self.amount(next, true)?, -1),
            Phrase::Until => self.led(self.amount(next, true)?, 1),
        }
    }

    /// A day near today whose word ends with token `last`, with a time behind it if one follows.
    fn near(&self, last: usize, end: usize, day: i8, weak: bool) -> Option<(usize, Value)> {
        let value = distance(day as i64, "day");
        let glued = self.is(last, |word| word.glued);
        if let Some((next, _)) = self.time_after(last + 1).filter(|_| self.tokens[last].end == end) {
            return Some((self.end(next), value));
        }
        let alone = self.tokens.len() == 1;
        let possessive = matches!(self.sign(last + 1), Some('\'' | '’')) && self.tight(last + 1);
        let free = glued || (self.closes(last + 1) && !possessive);
        (free && (!weak || alone)).then_some((end, value))
    }
}

/// So many units from now; seconds are whole minutes.
fn distance(amount: i64, unit: &'static str) -> Value {
    if unit == "second" {
        Value::Relative { amount: amount / 60, unit: "minute" }
    } else {
        Value::Relative { amount, unit }
    }
}
