//! Dates and times, absolute and relative, in some thirty languages.
//!
//! In: a text. Out: dates as exact as written (`2017-01-26`, `2017-01`, `--01-26`, `T14:05`,
//! `2017-01-26T14:05:00Z`), and offsets from now (-3 days). A date and its time are one match; the time of a
//! relative day ("Today 09:14") is part of the span but not of the value. If day and month are ambiguous, the
//! notation decides; if it is open, the day comes first (`3/4/2017` is the third of April). A time that is the
//! whole text may be a duration (`2:24`): the notation decides that too. Two-digit years are 1970 to 2069;
//! years 2400 to 2700 are Buddhist. A bare year is not a date. The text is split into tokens once, and every form looks at a
//! bounded number of them: O(length).

mod calendar_days;
mod date_parser;
mod date_phrases;
mod date_tokens;
mod date_words;
mod numeric_dates;
mod relative_dates;
#[cfg(test)]
mod tests;
mod times_of_day;

use self::calendar_days::year;
use self::date_parser::DateParser;
use self::date_tokens::TokenContent;
pub(crate) use self::numeric_dates::{WrittenDate, written_dates};
pub(crate) use self::times_of_day::is_time_of_day;
use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;

#[derive(Debug, Clone, Copy)]
pub(super) struct DateRecogniser;

impl Recogniser for DateRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Date
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        // The shortest dates have two characters, and words alone can be dates ("yesterday").
        scan.len > 1 && (scan.digit || scan.letter)
    }

    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
        let parser = DateParser::new(text, notation);
        let mut at = 0;
        while at < parser.tokens.len() {
            let Some((end, value)) = parser.value_at(at) else {
                at += 1;
                continue;
            };
            matches.push(ValueMatch {
                span: parser.tokens[at].start..end,
                value_type: ValueType::Date,
                value,
            });
            at = parser.token_at(at, end).max(at + 1);
        }
    }
}

impl DateParser<'_> {
    /// The date that begins at a token, and the byte where it ends.
    fn value_at(&self, at: usize) -> Option<(usize, Value)> {
        let starts = match self.tokens[at].content {
            TokenContent::Number { digits, .. } => digits <= 4,
            TokenContent::Word(word) => {
                word.month > 0
                    || word.weekday
                    || word.phrase
                    || word.lead != 0
                    || word.number > 0
                    || word.day.is_some()
                    || (word.unit.is_some() && self.has_word(at + 1, |next| next.ago_alone))
                    || word.link
            }
            TokenContent::Sign(_) => false,
        };
        if !starts || !self.may_begin_at(at) {
            return None;
        }
        if let Some((next, date)) = self.moment(at) {
            return Some((self.end(next), Value::Date(date)));
        }
        self.relative(at)
    }

    /// A date, a time, or both: the next token and the text of the value.
    fn moment(&self, at: usize) -> Option<(usize, String)> {
        let from = self.after_weekday(at);
        if let Some((next, mut day)) = from.and_then(|from| self.day(from)).or_else(|| self.day(at)) {
            let Some((mut end, time)) = self.time_after(next) else {
                return self.may_end_before(next).then(|| (next, day.write()));
            };
            // Thu Jan 26 14:05:00 2017
            if let (None, Some(year)) =
                (day.year, self.number(end).and_then(|(v, d)| year(v, d).filter(|_| d == 4)))
            {
                day.year = Some(year);
                end += 1;
            }
            return Some((end, day.write() + &time));
        }
        let (next, time) = self.time(at, false)?;
        let mut date = next;
        while date < next + 3
            && (self.has_word(date, |word| word.link || word.weekday)
                || matches!(self.sign(date), Some(',' | '·' | '|' | '-' | '–')))
        {
            date += 1;
        }
        if let Some((end, day)) =
            self.day(date).filter(|&(end, day)| day.day.is_some() && self.may_end_before(end))
        {
            return Some((end, day.write() + &time));
        }
        Some((next, time))
    }
}
