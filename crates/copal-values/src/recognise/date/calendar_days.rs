//! Calendar days, in digits and in words.
//!
//! In: a token of a text. Out: the day that begins there, as exact as written, and the token after it;
//! nothing if the calendar has no such day. Every form looks at a bounded number of tokens: O(their length).

use super::date_parser::{DateParser, is_dash};
use super::date_phrases::THAI_MONTHS;
use super::date_tokens::TokenContent;
use super::date_words::DateWord;
use std::fmt::Write;

/// A day, or the parts of it that the text gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CalendarDay {
    pub(super) year: Option<u32>,
    pub(super) month: u32,
    pub(super) day: Option<u32>,
}

impl CalendarDay {
    /// `None` if the calendar has no such day.
    pub(super) fn new(year: Option<u32>, month: u32, day: Option<u32>) -> Option<CalendarDay> {
        let leap = year.is_none_or(|y| (y % 4 == 0 && y % 100 != 0) || y % 400 == 0);
        let last = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        day.is_none_or(|d| (1..=last).contains(&d)).then_some(CalendarDay { year, month, day })
    }

    pub(super) fn write(self) -> String {
        let mut out = self.year.map_or("-".to_owned(), |year| format!("{year:04}"));
        let _ = write!(out, "-{:02}", self.month);
        if let Some(day) = self.day {
            let _ = write!(out, "-{day:02}");
        }
        out
    }
}

/// A year of two or four digits.
pub(super) fn year(value: u32, digits: usize) -> Option<u32> {
    match (digits, value) {
        (2, 0..=69) => Some(2000 + value),
        (2, _) => Some(1900 + value),
        (4, 1000..=2199) => Some(value),
        (4, 2400..=2700) => Some(value - 543),
        _ => None,
    }
}

impl DateParser<'_> {
    /// The token after "Thursday, the", or nothing if there is no weekday at this token.
    pub(super) fn after_weekday(&self, at: usize) -> Option<usize> {
        if !self.has_word(at, |word| word.weekday) {
            return None;
        }
        let mut next = at + 1;
        if self.sign(next).is_some_and(is_dash) && self.has_word(next + 1, |word| word.weekday) {
            next += 2; // segunda-feira
        }
        while next < at + 6
            && (matches!(self.sign(next), Some('.' | ',')) || self.has_word(next, |word| word.link))
        {
            next += 1;
        }
        Some(next)
    }

    /// A day in any form: the next token and the day.
    pub(super) fn day(&self, at: usize) -> Option<(usize, CalendarDay)> {
        if self.number(at).is_some() {
            return self
                .numeric(at)
                .or_else(|| self.ideographic(at))
                .or_else(|| self.year_first(at))
                .or_else(|| self.day_first(at));
        }
        if self.has_word(at, |word| word.unspaced) {
            return self.era(at);
        }
        if self.has_word(at, |word| word.link && word.month == 0) && self.text(at).eq_ignore_ascii_case("the")
        {
            return self.day_first(at + 1).filter(|&(_, day)| day.day.is_some());
        }
        self.month_first(at)
    }

    /// `2017年1月26日`, `2017년 1월`, `1月26日`.
    fn ideographic(&self, at: usize) -> Option<(usize, CalendarDay)> {
        let (value, digits) = self.number(at)?;
        match self.text(at + 1) {
            "年" | "년" => self.month_sign(at + 2, Some(year(value, digits)?)),
            "月" | "월" => self.month_sign(at, None).filter(|(_, day)| day.day.is_some()),
            _ => None,
        }
    }

    /// `1月26日` of a year.
    fn month_sign(&self, at: usize, year: Option<u32>) -> Option<(usize, CalendarDay)> {
        let month = self.small_number(at).filter(|_| matches!(self.text(at + 1), "月" | "월"))?;
        let day =
            self.small_number(at + 2).filter(|_| matches!(self.text(at + 3), "日" | "号" | "號" | "일"));
        Some((if day.is_some() { at + 4 } else { at + 2 }, CalendarDay::new(year, month, day)?))
    }

    /// `平成29年1月26日`.
    fn era(&self, at: usize) -> Option<(usize, CalendarDay)> {
        let base = match (self.text(at), self.text(at + 1)) {
            ("令", "和") => 2018,
            ("平", "成") => 1988,
            ("昭", "和") => 1925,
            _ => return self.month_first(at),
        };
        let years = self.small_number(at + 2).filter(|_| self.text(at + 3) == "年")?;
        self.month_sign(at + 4, Some(base + years))
    }

    /// The name of a month: the next token, the month and its word.
    fn month(&self, at: usize) -> Option<(usize, u32, DateWord)> {
        let word = self.word(at)?;
        if word.month > 0 {
            let dot =
                self.sign(at + 1) == Some('.') && self.is_tight(at + 1) && self.text(at).chars().count() <= 5;
            return Some((at + 1 + usize::from(dot), word.month as u32, word));
        }
        if word.unspaced {
            let rest = &self.text[self.tokens[at].start..];
            let (short, month) = THAI_MONTHS.iter().zip(1..).find(|(short, _)| rest.starts_with(**short))?;
            return Some((self.token_at(at, self.tokens[at].start + short.len()), month, word));
        }
        // Vietnamese counts the months
        let counted = matches!(self.text(at).to_lowercase().as_str(), "tháng" | "thg");
        let dot = usize::from(self.sign(at + 1) == Some('.'));
        let month = self.small_number(at + 1 + dot).filter(|m| counted && (1..=12).contains(m))?;
        Some((at + 2 + dot, month, word))
    }

    /// Skips a sign and the words that link the parts of a date.
    fn links(&self, at: usize, signs: &[char]) -> usize {
        let mut next = at;
        while next < at + 3 {
            let sign = self.sign(next).is_some_and(|c| signs.contains(&c));
            let era = self.text(next) == "พ"
                || self.text(next) == "ศ"
                || (next > at && self.sign(next) == Some('.'));
            if !sign && !era && !self.has_word(next, |word| word.link) {
                break;
            }
            next += 1;
        }
        // พ.ศ.
        if self.text(at) == "พ" && self.sign(next) == Some('.') { next + 1 } else { next }
    }

    /// A year after a month or a day: the next token and the year.
    fn year_at(&self, at: usize, short: bool) -> Option<(usize, u32)> {
        let quoted = matches!(self.sign(at), Some('\'' | '’' | '‘'));
        let at = at + usize::from(quoted);
        let (value, digits) = self.number(at)?;
        let ends = match self.tokens.get(at + 1).map(|token| token.content) {
            None | Some(TokenContent::Sign(',' | ')' | ';' | '|' | ']')) => true,
            Some(TokenContent::Number { .. }) => self.sign(at + 2) == Some(':'),
            _ => false,
        };
        // "Jan 26:30" is a time and "Jan 20%" a percentage, not a year.
        let other = self.is_tight(at + 1) && matches!(self.sign(at + 1), Some(':' | '%'));
        if other || !(digits == 4 || (digits == 2 && (quoted || (short && ends)))) {
            return None;
        }
        let year = year(value, digits)?;
        let mut next = at + 1;
        if self.has_word(next, |word| word.year_tail) && self.is_year_tail(next) {
            next += 1;
            if self.sign(next) == Some('.') && self.is_tight(next) {
                next += 1;
            }
        }
        Some((next, year))
    }

    /// One ASCII letter such as "r." ends a year only with its dot.
    fn is_year_tail(&self, at: usize) -> bool {
        self.text(at).chars().count() > 1 || !self.text(at).is_ascii() || self.sign(at + 1) == Some('.')
    }

    /// `26 Jan 2017`, `26th of January`, `26. Januar 2017`, `26-Jan-17`, `26 de enero de 2017`.
    fn day_first(&self, at: usize) -> Option<(usize, CalendarDay)> {
        let day = self.small_number(at).filter(|d| (1..=31).contains(d))?;
        let mut next = at + 1;
        if self.has_word(next, |word| word.ordinal) && self.is_tight(next) {
            next += 1;
        }
        let linked = self.links(next, &['.', '-', '/', '\'', '’', ',']);
        let (next, month, word) = self.month(linked)?;
        let dashed = self.sign(next).is_some_and(|c| is_dash(c) || c == '/');
        let to_year = self.links(next, &[',', '-', '/', '.']);
        if let Some((end, year)) = self.year_at(to_year, true) {
            return Some((end, CalendarDay::new(Some(year), month, Some(day))?));
        }
        if dashed && self.is_tight(next) && self.number(next + 1).is_some_and(|(_, digits)| digits == 2) {
            let (value, digits) = self.number(next + 1)?;
            return Some((next + 2, CalendarDay::new(Some(year(value, digits)?), month, Some(day))?));
        }
        let of = linked > at + 1 && self.has_word(linked - 1, |word| word.link);
        let plain = of || !(word.needs_year || (word.needs_capital && !word.capital));
        (plain && self.may_end_before(next))
            .then(|| CalendarDay::new(None, month, Some(day)))
            .flatten()
            .map(|day| (next, day))
    }

    /// `Jan 26, 2017`, `January 26th`, `January 2017`, `enero de 2017`, `Jan '17`.
    fn month_first(&self, at: usize) -> Option<(usize, CalendarDay)> {
        let (next, month, word) = self.month(at)?;
        let linked = self.links(next, &[',', '-', '/', '.']);
        if let Some((end, year)) = self.year_at(linked, false).filter(|&(_, year)| year >= 1500) {
            // With a day in front, the day-first form would have matched: this number does not belong to the
            // month.
            let named =
                (word.capital || !word.needs_capital) && (at == 0 || self.small_number(at - 1).is_none());
            // "come out of 2020", "set of 2017"
            let prose =
                word.needs_year && (self.text(next) == "of" || (at > 0 && self.word(at - 1).is_some()));
            let named = named && !prose;
            return named.then(|| CalendarDay::new(Some(year), month, None)).flatten().map(|day| (end, day));
        }
        let day_at = next + usize::from(self.sign(next).is_some_and(|c| is_dash(c) || c == '/'));
        let day = self.small_number(day_at).filter(|d| (1..=31).contains(d))?;
        let mut next = day_at + 1;
        if self.has_word(next, |word| word.ordinal) && self.is_tight(next) {
            next += 1;
        }
        let linked = self.links(next, &[',', '-', '/', '.']);
        if let Some((end, year)) = self.year_at(linked, false) {
            return Some((end, CalendarDay::new(Some(year), month, Some(day))?));
        }
        // March 19 - 20, 2016
        if self.sign(next).is_some_and(|c| is_dash(c) || c == '–') && self.small_number(next + 1).is_some()
        {
            let comma = usize::from(self.sign(next + 2) == Some(','));
            if let Some((end, year)) = self.year_at(next + 2 + comma, false) {
                return Some((end, CalendarDay::new(Some(year), month, Some(day))?));
            }
        }
        let plain =
            word.capital && !word.needs_year && word.month > 0 && !matches!(self.sign(next), Some(':' | '%'));
        (plain && self.may_end_before(next))
            .then(|| CalendarDay::new(None, month, Some(day)))
            .flatten()
            .map(|day| (next, day))
    }

    /// `2017 January 26`, `2017. január 26.`, `2017-Jan-26`.
    fn year_first(&self, at: usize) -> Option<(usize, CalendarDay)> {
        let (value, digits) = self.number(at).filter(|&(_, digits)| digits == 4)?;
        let mut next = at + 1;
        while next < at + 3
            && (self.has_word(next, |word| word.year_tail)
                || self.sign(next).is_some_and(|c| is_dash(c) || matches!(c, '.' | ',' | '/')))
        {
            next += 1;
        }
        let (next, month, _) = self.month(next)?;
        let day_at = next + usize::from(self.sign(next).is_some_and(is_dash));
        let day = self.small_number(day_at)?;
        let clock = matches!(self.sign(day_at + 1), Some(':'));
        let dot = usize::from(
            self.sign(day_at + 1) == Some('.')
                && self.is_tight(day_at + 1)
                && self.number(day_at + 2).is_none(),
        );
        (!clock)
            .then(|| CalendarDay::new(Some(year(value, digits)?), month, Some(day)))
            .flatten()
            .map(|day| (day_at + 1 + dot, day))
    }
}
