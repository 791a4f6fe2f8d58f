//! Times of day and their time zones.
//!
//! In: a token of a text, and whether a date precedes it. Out: the time that begins there in ISO 8601 form,
//! and the token after it. Every form looks at a bounded number of tokens: O(their length).

use super::date_parser::DateParser;
use crate::notation::{ClockMeaning, Notation};
use std::fmt::Write;

/// A time of day in ISO 8601 form, with the `T`.
pub(super) type IsoTime = String;

/// True if `9:05` alone is a time of day. If its column does not say so, it is one with two digits on both
/// sides, or with a round number of minutes: durations have any number of seconds.
pub(crate) fn is_time_of_day(
    notation: Notation,
    (hour, digits): (u32, usize),
    minute: u32,
    second: Option<u32>,
) -> bool {
    match notation.clock {
        Some(meaning) => meaning == ClockMeaning::TimeOfDay,
        None => second.is_none() && hour < 24 && (digits == 2 || (hour > 0 && minute.is_multiple_of(5))),
    }
}

impl DateParser<'_> {
    /// A time after a date: `T14:05`, `, 14:05`, ` at 2 pm`, ` (Thu) 14:05`.
    pub(super) fn time_after(&self, at: usize) -> Option<(usize, IsoTime)> {
        let mut next = at;
        if matches!(self.sign(next), Some('(' | '（')) && matches!(self.sign(next + 2), Some(')' | '）')) {
            next += 3;
        }
        for _ in 0..4 {
            if let Some(found) = self.time(next, true) {
                return Some(found);
            }
            let sign = matches!(
                self.sign(next),
                Some(',' | '-' | '–' | '—' | '|' | '·' | '•' | '@' | '.' | '/' | ':')
            );
            if !sign && !self.has_word(next, |word| word.joint || word.weekday) {
                return None;
            }
            next += 1;
        }
        None
    }

    /// A time of day: the next token and the value. After a date, weaker forms are accepted.
    pub(super) fn time(&self, at: usize, dated: bool) -> Option<(usize, IsoTime)> {
        let (at, early) = self.half_before(at);
        let (hour, digits) = self.number(at).filter(|&(_, digits)| digits <= 2)?;
        let two = |at: usize| {
            self.number(at).filter(|&(v, digits)| digits == 2 && v < 60 && self.is_tight(at)).map(|(v, _)| v)
        };
        let mark = self.text(at + 1);
        let (mut next, minute, mut second, mut sure) = match mark {
            ":" | "：" if self.is_tight(at + 1) => {
                (at + 3, two(at + 2)?, None, dated || !(digits == 1 && hour == 0))
            }
            // "7 Feb 2017 | 22 : 26 GMT"
            ":" if dated && !self.is_tight(at + 2) => {
                let minute = self.number(at + 2).filter(|&(minute, digits)| digits == 2 && minute < 60);
                (at + 3, minute?.0, None, true)
            }
            "." if self.is_tight(at + 1) => {
                let kl = at > 0 && matches!(self.text(at - 1), "kl" | "Kl" | "klo")
                    || at > 1 && self.text(at - 2) == "kl";
                (at + 3, two(at + 2)?, None, kl)
            }
            "h" | "H" if two(at + 2).is_some() => (at + 3, two(at + 2)?, None, dated || digits == 2),
            "時" | "时" | "點" | "点" | "시" if !matches!(self.text(at + 2), "間" | "间" | "간") => {
                let minute =
                    self.small_number(at + 2).filter(|&m| m < 60 && matches!(self.text(at + 3), "分" | "분"));
                (
                    at + if minute.is_some() { 4 } else { 2 },
                    minute.unwrap_or(0),
                    None,
                    dated || minute.is_some() || early.is_some(),
                )
            }
            _ => (at + 1, 0, None, false),
        };
        if matches!(self.text(next), ":" | "：") && next == at + 3 && mark != "." {
            second = Some(two(next + 1)?);
            next += 2;
            if matches!(self.sign(next), Some('.' | ','))
                && self.is_tight(next)
                && self.is_tight(next + 1)
                && self.number(next + 1).is_some()
            {
                next += 2;
            }
        }
        let bare = mark == ":" && !dated && self.tokens.len() == next - at && at == 0;
        // with seconds, the recogniser of durations has the first say
        let open = second.is_some() && self.notation.clock.is_none();
        if bare && !open && !is_time_of_day(self.notation, (hour, digits), minute, second) {
            return None;
        }
        let mut hour = hour;
        let minute_given = next > at + 1;
        if let Some((end, afternoon)) =
            self.half_after(next, next == at + 1 || mark == ".").or(early.map(|half| (next, half)))
        {
            // "21:11 PM" is redundant but common.
            if !((1..=12).contains(&hour) || (hour <= 23 && (early.is_some() || (afternoon && minute_given))))
            {
                return None;
            }
            hour = if hour > 12 { hour } else { hour % 12 + if afternoon { 12 } else { 0 } };
            (next, sure) = (end, true);
        } else if self.has_word(next, |word| word.clock) {
            next += 1;
            if self.sign(next) == Some('.') && self.text(next - 1) == "น" {
                next += 1;
            }
            sure = true;
        } else if next == at + 3 && mark == ":" && matches!(self.text(next), "h" | "hs") {
            next += 1;
        }
        let scale = !dated
            && (self.has_word(next, |word| word.precedes_codes)
                || (at > 0 && self.has_word(at - 1, |word| word.precedes_codes)));
        if !sure || scale || hour > 24 || (hour == 24 && minute > 0) {
            return None;
        }
        let mut time = format!("T{hour:02}:{minute:02}");
        if let Some(second) = second {
            let _ = write!(time, ":{second:02}");
        }
        next = self.zone(next, &mut time);
        // The number of a court case: 5:12-cv-00018.
        if self.is_tight(next)
            && self.sign(next) == Some('-')
            && self.is_tight(next + 1)
            && self.has_word(next + 1, |word| !word.unspaced)
        {
            return None;
        }
        self.may_end_before(next).then_some((next, time))
    }

    /// Appends a time zone if ISO 8601 has a form for it, and returns the token after it.
    fn zone(&self, at: usize, time: &mut String) -> usize {
        if matches!(self.sign(at), Some('+' | '-' | '\u{2212}')) && self.is_tight(at) && self.is_tight(at + 1)
        {
            let sign = if self.sign(at) == Some('+') { '+' } else { '-' };
            let (hours, minutes, next) = match (self.number(at + 1), self.number(at + 3)) {
                (Some((v, 4)), _) => (v / 100, v % 100, at + 2),
                (Some((h, 2)), Some((m, 2))) if self.sign(at + 2) == Some(':') && self.is_tight(at + 2) => {
                    (h, m, at + 4)
                }
                _ => return at,
            };
            if hours <= 14 && minutes < 60 {
                let _ = write!(time, "{sign}{hours:02}:{minutes:02}");
                return next;
            }
        }
        if !self.has_word(at, |word| word.zone && word.capital) {
            return at;
        }
        if matches!(self.text(at), "Z" | "UTC" | "GMT") {
            time.push('Z');
        }
        at + 1
    }

    /// A word such as 午後 before a time: the next token, and true for the afternoon.
    fn half_before(&self, at: usize) -> (usize, Option<bool>) {
        match (self.text(at), self.text(at + 1)) {
            ("午", "前") | ("上", "午") | ("오", "전") => (at + 2, Some(false)),
            ("午", "後") | ("下", "午") | ("오", "후") => (at + 2, Some(true)),
            _ => (at, None),
        }
    }

    /// "am", "p.m.": the next token, and true for the afternoon. After a bare hour, "am" may be a word of
    /// another language.
    fn half_after(&self, at: usize, bare: bool) -> Option<(usize, bool)> {
        let text = self.text(at);
        let afternoon = text.starts_with(['p', 'P']);
        if text.eq_ignore_ascii_case("am") || text.eq_ignore_ascii_case("pm") {
            let free = afternoon
                || !bare
                || self.is_tight(at)
                || text == "AM"
                || !self.has_word(at + 1, |word| !word.zone && word.capital);
            return free.then_some((at + 1, afternoon));
        }
        let dotted = (text.eq_ignore_ascii_case("a") || text.eq_ignore_ascii_case("p"))
            && self.sign(at + 1) == Some('.')
            && self.text(at + 2).eq_ignore_ascii_case("m");
        dotted.then(|| (at + 3 + usize::from(self.sign(at + 3) == Some('.')), afternoon))
    }
}
