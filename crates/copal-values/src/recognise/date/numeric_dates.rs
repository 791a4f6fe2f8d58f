//! Calendar days in digits, and the order of their numbers.
//!
//! In: a token of a text. Out: the day that begins there, read in the order of the notation, and the token
//! after it; or, for the decision about a whole column, its three numbers ([`WrittenDate`]). O(1) per token.

use super::calendar_days::{CalendarDay, year};
use super::date_parser::{DateParser, is_dash};
use super::date_tokens::TokenContent;
use crate::notation::{DateOrder, Notation};

/// A date in digits that does not begin with a year of four digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenDate {
    /// The three numbers as they are written.
    pub(crate) numbers: [u32; 3],
    /// How many digits the last number has. With two, the year may also be the first number.
    pub(crate) year_digits: usize,
}

impl WrittenDate {
    /// The day in one order; `None` if the calendar does not have it.
    pub(super) fn day(self, order: DateOrder) -> Option<CalendarDay> {
        let [a, b, c] = self.numbers;
        let (day, month, last, digits) = match order {
            DateOrder::DayFirst => (a, b, c, self.year_digits),
            DateOrder::MonthFirst => (b, a, c, self.year_digits),
            DateOrder::YearFirst if self.year_digits == 2 => (c, b, a, 2),
            DateOrder::YearFirst => return None,
        };
        CalendarDay::new(Some(year(last, digits)?), month, Some(day))
    }

    /// Year, month and day in one order; `None` if the calendar does not have them.
    pub(crate) fn ymd(self, order: DateOrder) -> Option<[u32; 3]> {
        let CalendarDay { year, month, day } = self.day(order)?;
        Some([year?, month, day?])
    }
}

/// The dates in digits in a text, without those whose year of four digits comes first.
pub(crate) fn written_dates(text: &str) -> Vec<WrittenDate> {
    let parser = DateParser::new(text, Notation::default());
    let mut dates = Vec::new();
    let mut at = 0;
    while at < parser.tokens.len() {
        let is_number = matches!(parser.tokens[at].content, TokenContent::Number { digits: 1..=2, .. });
        let date = if is_number && parser.may_begin_at(at) { parser.written_date(at) } else { None };
        match date.filter(|_| parser.may_end_before(at + 5)) {
            Some(date) => {
                dates.push(date);
                at += 5;
            }
            None => at += 1,
        }
    }
    dates
}

impl DateParser<'_> {
    /// `2017-01-26`, `26/01/2017`, `26.1.17`, `26. 1. 2017`, `01/2017`.
    pub(super) fn numeric(&self, at: usize) -> Option<(usize, CalendarDay)> {
        let separator = self.sign(at + 1).filter(|&c| is_dash(c) || matches!(c, '/' | '.'))?;
        self.number(at + 2)?;
        if at > 0 && self.has_word(at - 1, |word| word.precedes_codes) {
            return None;
        }
        if self.number(at + 4).is_none() || self.sign(at + 3) != Some(separator) {
            return self.month_and_year(at);
        }
        let [a, b, c] = [at, at + 2, at + 4].map(|at| self.number(at).map_or(0, |(value, _)| value));
        let next = at + 5;
        if self.is_year_first(at) {
            return Some((next, CalendarDay::new(Some(year(a, 4)?), b, Some(c))?));
        }
        let date = self.written_date(at)?;
        // "10.31.2023" alone is rather a version than a date
        let usual = if separator == '.' { 1 } else { 2 };
        let usual = &[DateOrder::DayFirst, DateOrder::MonthFirst][..usual];
        let mut orders = self.notation.date_order.into_iter().chain(usual.iter().copied());
        orders.find_map(|order| date.day(order)).map(|day| (next, day))
    }

    /// True for three numbers with one separator that begin with a year of four digits.
    fn is_year_first(&self, at: usize) -> bool {
        let digits = |at: usize| self.number(at).map_or(0, |(_, digits)| digits);
        let small = |at: usize| (1..=2).contains(&digits(at));
        digits(at) == 4 && small(at + 2) && small(at + 4) && self.is_spaced_as_date(at)
    }

    /// Three numbers with one separator whose year is not the first number, or has two digits.
    pub(super) fn written_date(&self, at: usize) -> Option<WrittenDate> {
        let ((a, a_digits), (b, b_digits), (c, c_digits)) =
            (self.number(at)?, self.number(at + 2)?, self.number(at + 4)?);
        let separator = self.sign(at + 1).filter(|&c| is_dash(c) || matches!(c, '/' | '.'))?;
        // Dots and dashes between small numbers also occur in versions and codes.
        let padded = match separator {
            '.' => a_digits + b_digits > 2,
            '/' => true,
            _ => a_digits == 2 && b_digits == 2,
        };
        let fits = self.sign(at + 3) == Some(separator)
            && self.is_spaced_as_date(at)
            && a_digits <= 2
            && b_digits <= 2
            && (c_digits == 4 || (c_digits == 2 && padded));
        fits.then_some(WrittenDate { numbers: [a, b, c], year_digits: c_digits })
    }

    /// True if there are no spaces between the three numbers of a date, or those that dates may have:
    /// `26. 1. 2017`, `26 / 1 / 2017`.
    fn is_spaced_as_date(&self, at: usize) -> bool {
        let tight = (at + 1..at + 5).all(|at| self.is_tight(at));
        let spaces = match self.sign(at + 1) {
            Some('.') => self.is_tight(at + 1) && self.is_tight(at + 3),
            Some('/') => !tight && (at + 1..at + 5).all(|at| !self.is_tight(at)),
            _ => false,
        };
        let digits = |at: usize| self.number(at).map_or(0, |(_, digits)| digits);
        tight || (spaces && digits(at).max(digits(at + 4)) == 4)
    }

    /// `01/2017`, and `2017-01` if it is the whole text.
    fn month_and_year(&self, at: usize) -> Option<(usize, CalendarDay)> {
        let ((a, a_digits), (b, b_digits)) = (self.number(at)?, self.number(at + 2)?);
        if !self.is_tight(at + 1) || !self.is_tight(at + 2) {
            return None;
        }
        let slash =
            self.sign(at + 1) == Some('/') && (a_digits, b_digits) == (2, 4) && (1900..=2099).contains(&b);
        let alone = self.tokens.len() == 3
            && self.sign(at + 1) == Some('-')
            && (a_digits, b_digits) == (4, 2)
            && (1900..=2099).contains(&a);
        let (year, month) = if slash { (b, a) } else { (a, b) };
        (slash || alone).then(|| CalendarDay::new(Some(year), month, None)).flatten().map(|day| (at + 3, day))
    }
}
