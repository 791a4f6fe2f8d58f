//! Dates and times, absolute and relative, in some thirty languages.
//!
//! In: a text. Out: dates as exact as written (`2017-01-26`, `2017-01`, `--01-26`, `T14:05`, `2017-01-26T14:05:00Z`), and
//! distances from now (-3 days). A date and its time are one hit; the time of a relative day ("Today 09:14") is in the
//! span only. Where day and month could be swapped the day comes first (`3/4/2017` is the third of April), unless the
//! second number is above 12. Years of two digits are 1970 to 2069, years 2400 to 2700 Buddhist. A bare year is no date.
//! The text is cut into tokens once, and every form looks at a bounded number of them: O(length).

use super::date_words::{
    GLUED_AGO, GLUED_UNITS, Kind as Part, PHRASES, Phrase, THAI_MONTHS, Token, Word, scan, starts_with,
};
use super::{Hit, Marks, Recogniser};
use crate::kind::Kind;
use crate::value::Value;
use std::fmt::Write;

/// Finds dates and times.
#[derive(Debug, Clone, Copy)]
pub struct Date;

impl Recogniser for Date {
    fn kind(&self) -> Kind {
        Kind::Date
    }

    fn wants(&self, marks: Marks) -> bool {
        // the shortest are two characters, and words alone may be dates ("yesterday")
        marks.len > 1 && (marks.digit || marks.letter)
    }

    fn find(&self, text: &str, hits: &mut Vec<Hit>) {
        let parser = Parser { text, tokens: scan(text) };
        let mut at = 0;
        while at < parser.tokens.len() {
            let Some((end, value)) = parser.hit(at) else {
                at += 1;
                continue;
            };
            hits.push(Hit { span: parser.tokens[at].start..end, kind: Kind::Date, value });
            at = parser.token_at(at, end).max(at + 1);
        }
    }
}

/// A day, or what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Day {
    year: Option<u32>,
    month: u32,
    day: Option<u32>,
}

impl Day {
    /// None if the calendar has no such day.
    fn new(year: Option<u32>, month: u32, day: Option<u32>) -> Option<Day> {
        let leap = year.is_none_or(|y| (y % 4 == 0 && y % 100 != 0) || y % 400 == 0);
        let last = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        day.is_none_or(|d| (1..=last).contains(&d)).then_some(Day { year, month, day })
    }

    fn write(self) -> String {
        let mut out = self.year.map_or("-".to_owned(), |year| format!("{year:04}"));
        let _ = write!(out, "-{:02}", self.month);
        if let Some(day) = self.day {
            let _ = write!(out, "-{day:02}");
        }
        out
    }
}

/// A time of day as ISO 8601 writes it, with the `T`.
type Time = String;

/// A year of two or four digits.
fn year(value: u32, digits: usize) -> Option<u32> {
    match (digits, value) {
        (2, 0..=69) => Some(2000 + value),
        (2, _) => Some(1900 + value),
        (4, 1000..=2199) => Some(value),
        (4, 2400..=2700) => Some(value - 543),
        _ => None,
    }
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2212}')
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

impl Parser<'_> {
    fn number(&self, at: usize) -> Option<(u32, usize)> {
        match self.tokens.get(at)?.kind {
            Part::Number { value, digits } => Some((value, digits)),
            _ => None,
        }
    }

    /// A number of one or two digits.
    fn small(&self, at: usize) -> Option<u32> {
        self.number(at).filter(|&(_, digits)| digits <= 2).map(|(value, _)| value)
    }

    fn word(&self, at: usize) -> Option<Word> {
        match self.tokens.get(at)?.kind {
            Part::Word(word) => Some(word),
            _ => None,
        }
    }

    fn is(&self, at: usize, test: impl Fn(Word) -> bool) -> bool {
        self.word(at).is_some_and(test)
    }

    fn sign(&self, at: usize) -> Option<char> {
        match self.tokens.get(at)?.kind {
            Part::Sign(c) => Some(c),
            _ => None,
        }
    }

    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.start..token.end])
    }

    /// True if the token follows the one before without white space.
    fn tight(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| !token.spaced)
    }

    fn end(&self, next: usize) -> usize {
        self.tokens[next - 1].end
    }

    /// The first token from `from` on that begins at the byte or later.
    fn token_at(&self, from: usize, byte: usize) -> usize {
        (from..self.tokens.len()).find(|&at| self.tokens[at].start >= byte).unwrap_or(self.tokens.len())
    }

    /// What begins at a token, and the byte where it ends.
    fn hit(&self, at: usize) -> Option<(usize, Value)> {
        let starts = match self.tokens[at].kind {
            Part::Number { digits, .. } => digits <= 4,
            Part::Word(word) => {
                word.month > 0
                    || word.weekday
                    || word.phrase
                    || word.lead != 0
                    || word.number > 0
                    || word.day.is_some()
                    || (word.unit.is_some() && self.is(at + 1, |next| next.ago_alone))
                    || word.link
            }
            Part::Sign(_) => false,
        };
        if !starts || !self.opens(at) {
            return None;
        }
        if let Some((next, date)) = self.moment(at) {
            return Some((self.end(next), Value::Date(date)));
        }
        self.relative(at)
    }

    /// True if a date may begin here: not in the middle of a longer number, code or price.
    fn opens(&self, at: usize) -> bool {
        if at == 0 || !self.tight(at) {
            return !(at > 0 && matches!(self.sign(at - 1), Some('$' | '€' | '£' | '¥' | '#' | '№')));
        }
        match self.tokens[at - 1].kind {
            Part::Number { .. } => false,
            Part::Word(word) => word.glued,
            Part::Sign(c) => match c {
                '$' | '€' | '£' | '¥' | '₹' | '₽' | '#' | '№' | '_' | '+' | '=' | '&' => false,
                '-' | '.' | '/' | ':' | '\'' | '’' | ',' if at > 1 && self.tight(at - 1) => {
                    // "26-28 January": the end of a span of days
                    let range = is_dash(c)
                        && self.small(at - 2).is_some()
                        && !self.is_tied(at - 2)
                        && self.sign(at + 1).is_none();
                    range || self.number(at - 2).is_none()
                }
                _ => true,
            },
        }
    }

    /// True if a sign or a word is tied to the token from the left.
    fn is_tied(&self, at: usize) -> bool {
        at > 0 && self.tight(at) && !matches!(self.sign(at - 1), Some('('))
    }

    /// True if a date may end before this token.
    fn closes(&self, next: usize) -> bool {
        if !self.tight(next) {
            return true;
        }
        match self.tokens[next].kind {
            Part::Word(word) => word.glued || word.year_tail,
            Part::Number { .. } | Part::Sign('%' | '_' | '@' | '€' | '$' | '£') => false,
            Part::Sign(c) if is_dash(c) => {
                !self.tight(next + 1)
                    || self.number(next + 1).is_none()
                    || !self.sign(next.wrapping_sub(2)).is_some_and(is_dash)
            }
            Part::Sign('.' | '/' | ':') => !self.tight(next + 1) || self.number(next + 1).is_none(),
            Part::Sign(_) => true,
        }
    }

    /// A date, a time, or both: the next token and the text of the value.
    fn moment(&self, at: usize) -> Option<(usize, String)> {
        let from = self.after_weekday(at);
        if let Some((next, mut day)) = from.and_then(|from| self.day(from)).or_else(|| self.day(at)) {
            let Some((mut end, time)) = self.time_after(next) else {
                return self.closes(next).then(|| (next, day.write()));
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
            && (self.is(date, |word| word.link || word.weekday)
                || matches!(self.sign(date), Some(',' | '·' | '|' | '-' | '–')))
        {
            date += 1;
        }
        if let Some((end, day)) = self.day(date).filter(|&(end, day)| day.day.is_some() && self.closes(end)) {
            return Some((end, day.write() + &time));
        }
        Some((next, time))
    }

    /// Behind "Thursday, the", or nothing if no weekday stands here.
    fn after_weekday(&self, at: usize) -> Option<usize> {
        if !self.is(at, |word| word.weekday) {
            return None;
        }
        let mut next = at + 1;
        if self.sign(next).is_some_and(is_dash) && self.is(next + 1, |word| word.weekday) {
            next += 2; // segunda-feira
        }
        while next < at + 6 && (matches!(self.sign(next), Some('.' | ',')) || self.is(next, |word| word.link))
        {
            next += 1;
        }
        Some(next)
    }

    /// A day in any form: the next token and the day.
    fn day(&self, at: usize) -> Option<(usize, Day)> {
        if self.number(at).is_some() {
            return self
                .numeric(at)
                .or_else(|| self.ideographic(at))
                .or_else(|| self.year_first(at))
                .or_else(|| self.day_first(at));
        }
        if self.is(at, |word| word.glued) {
            return self.era(at);
        }
        if self.is(at, |word| word.link && word.month == 0) && self.text(at).eq_ignore_ascii_case("the") {
            return self.day_first(at + 1).filter(|&(_, day)| day.day.is_some());
        }
        self.month_first(at)
    }

    /// `2017-01-26`, `26/01/2017`, `26.1.17`, `26. 1. 2017`, `01/2017`.
    fn numeric(&self, at: usize) -> Option<(usize, Day)> {
        let (a, a_digits) = self.number(at)?;
        let separator = self.sign(at + 1).filter(|&c| is_dash(c) || matches!(c, '/' | '.'))?;
        let (b, b_digits) = self.number(at + 2)?;
        if at > 0 && self.is(at - 1, |word| word.foe) {
            return None;
        }
        let tight = (at + 1..at + 5).all(|at| self.tight(at));
        let Some((c, c_digits)) = self.number(at + 4).filter(|_| self.sign(at + 3) == Some(separator)) else {
            return self.month_and_year(at);
        };
        let spaces = match separator {
            '.' => self.tight(at + 1) && self.tight(at + 3),
            '/' => !tight && (at + 1..at + 5).all(|at| !self.tight(at)),
            _ => false,
        };
        if !(tight || (spaces && a_digits.max(c_digits) == 4)) || b_digits > 2 {
            return None;
        }
        let next = at + 5;
        if a_digits == 4 && c_digits <= 2 {
            return Some((next, Day::new(Some(year(a, a_digits)?), b, Some(c))?));
        }
        // dots and dashes between small numbers are versions and codes, too
        let padded = match separator {
            '.' => a_digits + b_digits > 2,
            '/' => true,
            _ => a_digits == 2 && b_digits == 2,
        };
        if a_digits > 2 || !(c_digits == 4 || (c_digits == 2 && padded)) {
            return None;
        }
        let (day, month) = if b > 12 && separator != '.' { (b, a) } else { (a, b) };
        Some((next, Day::new(Some(year(c, c_digits)?), month, Some(day))?))
    }

    /// `01/2017`, and `2017-01` if the text says nothing else.
    fn month_and_year(&self, at: usize) -> Option<(usize, Day)> {
        let ((a, a_digits), (b, b_digits)) = (self.number(at)?, self.number(at + 2)?);
        if !self.tight(at + 1) || !self.tight(at + 2) {
            return None;
        }
        let slash =
            self.sign(at + 1) == Some('/') && (a_digits, b_digits) == (2, 4) && (1900..=2099).contains(&b);
        let alone = self.tokens.len() == 3
            && self.sign(at + 1) == Some('-')
            && (a_digits, b_digits) == (4, 2)
            && (1900..=2099).contains(&a);
        let (year, month) = if slash { (b, a) } else { (a, b) };
        (slash || alone).then(|| Day::new(Some(year), month, None)).flatten().map(|day| (at + 3, day))
    }

    /// `2017年1月26日`, `2017년 1월`, `1月26日`.
    fn ideographic(&self, at: usize) -> Option<(usize, Day)> {
        let (value, digits) = self.number(at)?;
        match self.text(at + 1) {
            "年" | "년" => self.month_sign(at + 2, Some(year(value, digits)?)),
            "月" | "월" => self.month_sign(at, None).filter(|(_, day)| day.day.is_some()),
            _ => None,
        }
    }

    /// `1月26日` of a year.
    fn month_sign(&self, at: usize, year: Option<u32>) -> Option<(usize, Day)> {
        let month = self.small(at).filter(|_| matches!(self.text(at + 1), "月" | "월"))?;
        let day = self.small(at + 2).filter(|_| matches!(self.text(at + 3), "日" | "号" | "號" | "일"));
        Some((if day.is_some() { at + 4 } else { at + 2 }, Day::new(year, month, day)?))
    }

    /// `平成29年1月26日`.
    fn era(&self, at: usize) -> Option<(usize, Day)> {
        let base = match (self.text(at), self.text(at + 1)) {
            ("令", "和") => 2018,
            ("平", "成") => 1988,
            ("昭", "和") => 1925,
            _ => return self.month_first(at),
        };
        let years = self.small(at + 2).filter(|_| self.text(at + 3) == "年")?;
        self.month_sign(at + 4, Some(base + years))
    }

    /// A month's name: the next token, the month and its word.
    fn month(&self, at: usize) -> Option<(usize, u32, Word)> {
        let word = self.word(at)?;
        if word.month > 0 {
            let dot =
                self.sign(at + 1) == Some('.') && self.tight(at + 1) && self.text(at).chars().count() <= 5;
            return Some((at + 1 + usize::from(dot), word.month as u32, word));
        }
        if word.glued {
            let rest = &self.text[self.tokens[at].start..];
            let (short, month) = THAI_MONTHS.iter().zip(1..).find(|(short, _)| rest.starts_with(**short))?;
            return Some((self.token_at(at, self.tokens[at].start + short.len()), month, word));
        }
        // Vietnamese counts the months
        let counted = matches!(self.text(at).to_lowercase().as_str(), "tháng" | "thg");
        let dot = usize::from(self.sign(at + 1) == Some('.'));
        let month = self.small(at + 1 + dot).filter(|m| counted && (1..=12).contains(m))?;
        Some((at + 2 + dot, month, word))
    }

    /// Skips one sign and the words that link the parts of a date.
    fn links(&self, at: usize, signs: &[char]) -> usize {
        let mut next = at;
        while next < at + 3 {
            let sign = self.sign(next).is_some_and(|c| signs.contains(&c));
            let era = self.text(next) == "พ"
                || self.text(next) == "ศ"
                || (next > at && self.sign(next) == Some('.'));
            if !sign && !era && !self.is(next, |word| word.link) {
                break;
            }
            next += 1;
        }
        // พ.ศ.
        if self.text(at) == "พ" && self.sign(next) == Some('.') { next + 1 } else { next }
    }

    /// A year behind a month or a day: the next token and the year.
    fn year_at(&self, at: usize, short: bool) -> Option<(usize, u32)> {
        let quoted = matches!(self.sign(at), Some('\'' | '’' | '‘'));
        let at = at + usize::from(quoted);
        let (value, digits) = self.number(at)?;
        let ends = match self.tokens.get(at + 1).map(|token| token.kind) {
            None | Some(Part::Sign(',' | ')' | ';' | '|' | ']')) => true,
            Some(Part::Number { .. }) => self.sign(at + 2) == Some(':'),
            _ => false,
        };
        // not "Jan 26, 2017" itself read as a time or a price
        let other = self.tight(at + 1) && matches!(self.sign(at + 1), Some(':' | '%'));
        if other || !(digits == 4 || (digits == 2 && (quoted || (short && ends)))) {
            return None;
        }
        let year = year(value, digits)?;
        let mut next = at + 1;
        if self.is(next, |word| word.year_tail) && self.is_year_tail(next) {
            next += 1;
            if self.sign(next) == Some('.') && self.tight(next) {
                next += 1;
            }
        }
        Some((next, year))
    }

    /// "r." is a year's end only with its dot.
    fn is_year_tail(&self, at: usize) -> bool {
        self.text(at).chars().count() > 1 || !self.text(at).is_ascii() || self.sign(at + 1) == Some('.')
    }

    /// `26 Jan 2017`, `26th of January`, `26. Januar 2017`, `26-Jan-17`, `26 de enero de 2017`.
    fn day_first(&self, at: usize) -> Option<(usize, Day)> {
        let day = self.small(at).filter(|d| (1..=31).contains(d))?;
        let mut next = at + 1;
        if self.is(next, |word| word.ordinal) && self.tight(next) {
            next += 1;
        }
        let linked = self.links(next, &['.', '-', '/', '\'', '’', ',']);
        let (next, month, word) = self.month(linked)?;
        let dashed = self.sign(next).is_some_and(|c| is_dash(c) || c == '/');
        let to_year = self.links(next, &[',', '-', '/', '.']);
        if let Some((end, year)) = self.year_at(to_year, true) {
            return Some((end, Day::new(Some(year), month, Some(day))?));
        }
        if dashed && self.tight(next) && self.number(next + 1).is_some_and(|(_, digits)| digits == 2) {
            let (value, digits) = self.number(next + 1)?;
            return Some((next + 2, Day::new(Some(year(value, digits)?), month, Some(day))?));
        }
        let of = linked > at + 1 && self.is(linked - 1, |word| word.link);
        let plain = of || !(word.needs_year || (word.needs_capital && !word.capital));
        (plain && self.closes(next))
            .then(|| Day::new(None, month, Some(day)))
            .flatten()
            .map(|day| (next, day))
    }

    /// `Jan 26, 2017`, `January 26th`, `January 2017`, `enero de 2017`, `Jan '17`.
    fn month_first(&self, at: usize) -> Option<(usize, Day)> {
        let (next, month, word) = self.month(at)?;
        let linked = self.links(next, &[',', '-', '/', '.']);
        if let Some((end, year)) = self.year_at(linked, false).filter(|&(_, year)| year >= 1500) {
            // a day before it would have been read: this one is none of the month
            let named = (word.capital || !word.needs_capital) && (at == 0 || self.small(at - 1).is_none());
            // "come out of 2020", "set of 2017"
            let prose =
                word.needs_year && (self.text(next) == "of" || (at > 0 && self.word(at - 1).is_some()));
            let named = named && !prose;
            return named.then(|| Day::new(Some(year), month, None)).flatten().map(|day| (end, day));
        }
        let day_at = next + usize::from(self.sign(next).is_some_and(|c| is_dash(c) || c == '/'));
        let day = self.small(day_at).filter(|d| (1..=31).contains(d))?;
        let mut next = day_at + 1;
        if self.is(next, |word| word.ordinal) && self.tight(next) {
            next += 1;
        }
        let linked = self.links(next, &[',', '-', '/', '.']);
        if let Some((end, year)) = self.year_at(linked, false) {
            return Some((end, Day::new(Some(year), month, Some(day))?));
        }
        // March 19 - 20, 2016
        if self.sign(next).is_some_and(|c| is_dash(c) || c == '–') && self.small(next + 1).is_some() {
            let comma = usize::from(self.sign(next + 2) == Some(','));
            if let Some((end, year)) = self.year_at(next + 2 + comma, false) {
                return Some((end, Day::new(Some(year), month, Some(day))?));
            }
        }
        let plain =
            word.capital && !word.needs_year && word.month > 0 && !matches!(self.sign(next), Some(':' | '%'));
        (plain && self.closes(next))
            .then(|| Day::new(None, month, Some(day)))
            .flatten()
            .map(|day| (next, day))
    }

    /// `2017 January 26`, `2017. január 26.`, `2017-Jan-26`.
    fn year_first(&self, at: usize) -> Option<(usize, Day)> {
        let (value, digits) = self.number(at).filter(|&(_, digits)| digits == 4)?;
        let mut next = at + 1;
        while next < at + 3
            && (self.is(next, |word| word.year_tail)
                || self.sign(next).is_some_and(|c| is_dash(c) || matches!(c, '.' | ',' | '/')))
        {
            next += 1;
        }
        let (next, month, _) = self.month(next)?;
        let day_at = next + usize::from(self.sign(next).is_some_and(is_dash));
        let day = self.small(day_at)?;
        let clock = matches!(self.sign(day_at + 1), Some(':'));
        let dot = usize::from(
            self.sign(day_at + 1) == Some('.') && self.tight(day_at + 1) && self.number(day_at + 2).is_none(),
        );
        (!clock)
            .then(|| Day::new(Some(year(value, digits)?), month, Some(day)))
            .flatten()
            .map(|day| (day_at + 1 + dot, day))
    }

    /// A time behind a date: `T14:05`, `, 14:05`, ` at 2 pm`, ` (Thu) 14:05`.
    fn time_after(&self, at: usize) -> Option<(usize, Time)> {
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
            if !sign && !self.is(next, |word| word.joint || word.weekday) {
                return None;
            }
            next += 1;
        }
        None
    }

    /// A time of day: the next token and the value. Behind a date less is enough to tell.
    fn time(&self, at: usize, dated: bool) -> Option<(usize, Time)> {
        let (at, early) = self.half_before(at);
        let (hour, digits) = self.number(at).filter(|&(_, digits)| digits <= 2)?;
        let two = |at: usize| {
            self.number(at).filter(|&(v, digits)| digits == 2 && v < 60 && self.tight(at)).map(|(v, _)| v)
        };
        let mark = self.text(at + 1);
        let (mut next, minute, mut second, mut sure) = match mark {
            ":" | "：" if self.tight(at + 1) => {
                (at + 3, two(at + 2)?, None, dated || !(digits == 1 && hour == 0))
            }
            "." if self.tight(at + 1) => {
                let kl = at > 0 && matches!(self.text(at - 1), "kl" | "Kl" | "klo")
                    || at > 1 && self.text(at - 2) == "kl";
                (at + 3, two(at + 2)?, None, kl)
            }
            "h" | "H" if two(at + 2).is_some() => (at + 3, two(at + 2)?, None, dated || digits == 2),
            "時" | "时" | "點" | "点" | "시" if !matches!(self.text(at + 2), "間" | "间" | "간") => {
                let minute =
                    self.small(at + 2).filter(|&m| m < 60 && matches!(self.text(at + 3), "分" | "분"));
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
                && self.tight(next)
                && self.tight(next + 1)
                && self.number(next + 1).is_some()
            {
                next += 2;
            }
        }
        let mut hour = hour;
        let minute_given = next > at + 1;
        if let Some((end, afternoon)) =
            self.half_after(next, next == at + 1 || mark == ".").or(early.map(|half| (next, half)))
        {
            // "21:11 PM" says it twice
            if !((1..=12).contains(&hour) || (hour <= 23 && (early.is_some() || (afternoon && minute_given))))
            {
                return None;
            }
            hour = if hour > 12 { hour } else { hour % 12 + if afternoon { 12 } else { 0 } };
            (next, sure) = (end, true);
        } else if self.is(next, |word| word.clock) {
            next += 1;
            if self.sign(next) == Some('.') && self.text(next - 1) == "น" {
                next += 1;
            }
            sure = true;
        } else if next == at + 3 && mark == ":" && matches!(self.text(next), "h" | "hs") {
            next += 1;
        }
        let scale =
            !dated && (self.is(next, |word| word.foe) || (at > 0 && self.is(at - 1, |word| word.foe)));
        if !sure || scale || hour > 24 || (hour == 24 && minute > 0) {
            return None;
        }
        let mut time = format!("T{hour:02}:{minute:02}");
        if let Some(second) = second {
            let _ = write!(time, ":{second:02}");
        }
        next = self.zone(next, &mut time);
        // the number of a case: 5:12-cv-00018
        if self.tight(next)
            && self.sign(next) == Some('-')
            && self.tight(next + 1)
            && self.is(next + 1, |word| !word.glued)
        {
            return None;
        }
        self.closes(next).then_some((next, time))
    }

    /// A time zone: written as ISO 8601 does if it is one of its forms.
    fn zone(&self, at: usize, time: &mut String) -> usize {
        if matches!(self.sign(at), Some('+' | '-' | '\u{2212}')) && self.tight(at) && self.tight(at + 1) {
            let sign = if self.sign(at) == Some('+') { '+' } else { '-' };
            let (hours, minutes, next) = match (self.number(at + 1), self.number(at + 3)) {
                (Some((v, 4)), _) => (v / 100, v % 100, at + 2),
                (Some((h, 2)), Some((m, 2))) if self.sign(at + 2) == Some(':') && self.tight(at + 2) => {
                    (h, m, at + 4)
                }
                _ => return at,
            };
            if hours <= 14 && minutes < 60 {
                let _ = write!(time, "{sign}{hours:02}:{minutes:02}");
                return next;
            }
        }
        if !self.is(at, |word| word.zone && word.capital) {
            return at;
        }
        if matches!(self.text(at), "Z" | "UTC" | "GMT") {
            time.push('Z');
        }
        at + 1
    }

    /// 午後 and the like: the next token, and true for the afternoon.
    fn half_before(&self, at: usize) -> (usize, Option<bool>) {
        match (self.text(at), self.text(at + 1)) {
            ("午", "前") | ("上", "午") | ("오", "전") => (at + 2, Some(false)),
            ("午", "後") | ("下", "午") | ("오", "후") => (at + 2, Some(true)),
            _ => (at, None),
        }
    }

    /// am, p.m.: the next token, and true for the afternoon. Behind a bare hour "am" may be another language's word.
    fn half_after(&self, at: usize, bare: bool) -> Option<(usize, bool)> {
        let text = self.text(at);
        let afternoon = text.starts_with(['p', 'P']);
        if text.eq_ignore_ascii_case("am") || text.eq_ignore_ascii_case("pm") {
            let free = afternoon
                || !bare
                || self.tight(at)
                || text == "AM"
                || !self.is(at + 1, |word| !word.zone && word.capital);
            return free.then_some((at + 1, afternoon));
        }
        let dotted = (text.eq_ignore_ascii_case("a") || text.eq_ignore_ascii_case("p"))
            && self.sign(at + 1) == Some('.')
            && self.text(at + 2).eq_ignore_ascii_case("m");
        dotted.then(|| (at + 3 + usize::from(self.sign(at + 3) == Some('.')), afternoon))
    }

    /// A distance from now: the byte where it ends and the value.
    fn relative(&self, at: usize) -> Option<(usize, Value)> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        Date.find(text, &mut hits);
        hits
    }

    /// The hits of a text as `span=value`.
    fn shown(text: &str) -> Vec<String> {
        let hits = found(text);
        hits.iter()
            .map(|hit| match &hit.value {
                Value::Date(date) => format!("{}={date}", &text[hit.span.clone()]),
                Value::Relative { amount, unit } => format!("{}={amount} {unit}", &text[hit.span.clone()]),
                other => format!("{other:?}"),
            })
            .collect()
    }

    /// A text that is a hit from end to end, and its value.
    const WHOLE: &str = "
2017-01-26 | 2017-01-26
2017/1/26 | 2017-01-26
26/01/2017 | 2017-01-26
1/26/2017 | 2017-01-26
3/4/2017 | 2017-04-03
26.01.2017 | 2017-01-26
26.1.17 | 2017-01-26
26-01-2017 | 2017-01-26
26/1/98 | 1998-01-26
26. 1. 2017 | 2017-01-26
2017. 1. 26 | 2017-01-26
26 / 01 / 2017 | 2017-01-26
01/2017 | 2017-01
2017-01 | 2017-01
26 Jan 2017 | 2017-01-26
Jan 26, 2017 | 2017-01-26
Jan. 26, 2017 | 2017-01-26
26th of January 2017 | 2017-01-26
26th January, 2017 | 2017-01-26
January 26th, 2017 | 2017-01-26
Thursday, 26 January 2017 | 2017-01-26
Thu, Jan 26, 2017 | 2017-01-26
Tuesday the 26th of January 2017 | 2017-01-26
January 2017 | 2017-01
Jan '17 | 2017-01
26-Jan-2017 | 2017-01-26
26-Jan-17 | 2017-01-26
26 Jan 17 | 2017-01-26
29 February 2016 | 2016-02-29
4 July 1776 | 1776-07-04
26 de enero de 2017 | 2017-01-26
26 de enero del 2017 | 2017-01-26
jueves, 26 de enero de 2017 | 2017-01-26
enero de 2017 | 2017-01
26 janvier 2017 | 2017-01-26
1er août 2017 | 2017-08-01
26. Januar 2017 | 2017-01-26
Donnerstag, den 26. Januar 2017 | 2017-01-26
Do., 26. Jan. 2017 | 2017-01-26
26 gennaio 2017 | 2017-01-26
26 januari 2017 | 2017-01-26
26 de março de 2017 | 2017-03-26
26 stycznia 2017 | 2017-01-26
26 stycznia 2017 r. | 2017-01-26
26 января 2017 г. | 2017-01-26
26 січня 2017 року | 2017-01-26
26. ledna 2017 | 2017-01-26
2017. január 26. | 2017-01-26
26 Ocak 2017 | 2017-01-26
26. tammikuuta 2017 | 2017-01-26
26 Ιανουαρίου 2017 | 2017-01-26
26 d'abril de 2017 | 2017-04-26
26 يناير 2017 | 2017-01-26
2017年1月26日 | 2017-01-26
2017年1月 | 2017-01
1月26日 | --01-26
平成29年1月26日 | 2017-01-26
２０１７年１月２６日 | 2017-01-26
2017년 1월 26일 | 2017-01-26
26 ม.ค. 2560 | 2017-01-26
26 มกราคม 2560 | 2017-01-26
26 มกราคม พ.ศ. 2560 | 2017-01-26
26/01/2560 | 2017-01-26
26 tháng 1 năm 2017 | 2017-01-26
26 thg 1, 2017 | 2017-01-26
Jan 26 | --01-26
26 January | --01-26
26 de mayo | --05-26
26 May | --05-26
5 mars | --03-05
5 Sep | --09-05
14:05 | T14:05
14:05:33 | T14:05:33
2:05 pm | T14:05
2:05PM | T14:05
12:30 a.m. | T00:30
2pm | T14:00
21:11:50 PM | T21:11:50
11 a.m. | T11:00
14h30 | T14:30
14.05 Uhr | T14:05
14 Uhr | T14:00
14.05 น. | T14:05
14:05 UTC | T14:05Z
午後2時5分 | T14:05
오후 2:05 | T14:05
2017-01-26T14:05:00Z | 2017-01-26T14:05:00Z
2017-01-26T14:05:00.123+01:00 | 2017-01-26T14:05:00+01:00
2017-01-26 14:05 | 2017-01-26T14:05
26 Jan 2017, 14:05 | 2017-01-26T14:05
26 January 2017 at 2.05 pm | 2017-01-26T14:05
Jan 26, 2017 2 PM | 2017-01-26T14:00
26.01.2017, 14:05 Uhr | 2017-01-26T14:05
26.01.2017 um 14:05 | 2017-01-26T14:05
26 janvier 2017 à 9h30 | 2017-01-26T09:30
26 января 2017 в 14:05 | 2017-01-26T14:05
2017年1月26日 14:05 | 2017-01-26T14:05
2017年1月26日(木) 14時05分 | 2017-01-26T14:05
Thu Jan 26 14:05:00 2017 | 2017-01-26T14:05:00
Thu, 26 Jan 2017 14:05:00 GMT | 2017-01-26T14:05:00Z
14:05, 26 Jan 2017 | 2017-01-26T14:05
Today 09:14 | 0 day
Yesterday at 5:30 pm | -1 day
Сегодня в 09:14 | 0 day
今日 09:14 | 0 day
3 days ago | -3 day
an hour ago | -1 hour
a month ago | -1 month
two weeks ago | -2 week
1 hour, 5 minutes ago | -1 hour
30 seconds ago | 0 minute
5m ago | -5 minute
2 hrs. ago | -2 hour
3 weeks from now | 3 week
yesterday | -1 day
Today | 0 day
tomorrow | 1 day
just now | 0 minute
in 2 weeks | 2 week
vor 3 Tagen | -3 day
vor einem Monat | -1 month
in 3 Tagen | 3 day
heute | 0 day
hier | -1 day
il y a 2 heures | -2 hour
Il y a une heure | -1 hour
aujourd'hui | 0 day
hace 5 minutos | -5 minute
há 3 dias | -3 day
2 giorni fa | -2 day
3 dagen geleden | -3 day
2 дня назад | -2 day
час назад | -1 hour
вчера | -1 day
3 dni temu | -3 day
3 gün önce | -3 day
3 dagar sedan | -3 day
3 hari yang lalu | -3 day
3 ngày trước | -3 day
3天前 | -3 day
5分钟前 | -5 minute
2時間前 | -2 hour
3日後 | 3 day
3일 전 | -3 day
2시간 전 | -2 hour
3 วันที่แล้ว | -3 day
昨天 | -1 day
어제 | -1 day
";

    #[test]
    fn whole_texts_are_dates() {
        let mut wrong = Vec::new();
        for line in WHOLE.lines().filter(|line| line.contains(" | ")) {
            let (text, want) = line.split_once(" | ").unwrap();
            if shown(text) != [format!("{text}={want}")] {
                wrong.push((text, shown(text)));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn dates_inside_texts() {
        let cases: &[(&str, &[&str])] = &[
            ("Posted on 26 Jan 2017 by Ann", &["26 Jan 2017=2017-01-26"]),
            ("(26/01/2017)", &["26/01/2017=2017-01-26"]),
            ("26/01/2017 - 28/01/2017", &["26/01/2017=2017-01-26", "28/01/2017=2017-01-28"]),
            ("26-28 January 2017", &["28 January 2017=2017-01-28"]),
            ("Open 9:30 - 17:00", &["9:30=T09:30", "17:00=T17:00"]),
            ("発売日2017年1月26日発売", &["2017年1月26日=2017-01-26"]),
            ("about 3 hours ago, by Bob", &["3 hours ago=-3 hour"]),
            ("updated yesterday.", &["yesterday=-1 day"]),
            ("Available from 1 March 2017!", &["1 March 2017=2017-03-01"]),
            ("Copyright 2017. Updated: 2017-01-26.", &["2017-01-26=2017-01-26"]),
            ("3 days ago (26 Jan 2017)", &["3 days ago=-3 day", "26 Jan 2017=2017-01-26"]),
            ("Veröffentlicht am 26.01.2017 von Max", &["26.01.2017=2017-01-26"]),
            ("26 January 2017 10:00 - 12:00", &["26 January 2017 10:00=2017-01-26T10:00", "12:00=T12:00"]),
            ("March 19 - 20, 2016", &["March 19 - 20, 2016=2016-03-19"]),
            ("ngày 26 tháng 1 năm 2017", &["26 tháng 1 năm 2017=2017-01-26"]),
        ];
        for (text, want) in cases {
            assert_eq!(shown(text), *want, "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        let texts = [
            "2017",
            "1-2-3",
            "12/34",
            "3-1",
            "16:9",
            "1.2.3",
            "v1.10.12",
            "version 10.4.11",
            "192.168.1.1",
            "£12.05",
            "$1,234.56",
            "06 12 34 56 78",
            "010-1234-5678",
            "555-123-4567",
            "01.02.03.04.05",
            "31/02/2017",
            "29 February 2017",
            "32 January 2017",
            "13/13/2017",
            "2017-13-01",
            "25:00",
            "14:75",
            "0:45",
            "1:18 scale",
            "5 may apply",
            "you may 5",
            "3 Set",
            "2 out of 5",
            "3 sets",
            "Klicken Sie hier für mehr",
            "Guten Morgen allerseits",
            "Today's deals",
            "in stock",
            "3 days",
            "2 hours",
            "2017-18",
            "1/2",
            "978-0-306-40615-7",
            "A26/01/2017",
            "12.5%",
            "in a day",
            "Sun",
            "March",
            "Mon",
            "May",
            "5d",
            "10 km",
            "20170126",
            "3:2:1:0",
            "page 3 of 10",
            "26 Mark",
            "1.234.567",
            "1000 m2",
            "4/5",
            "2h30",
            "decades ago",
            "",
            " ",
            "vor",
            "前",
            "2時間",
            "in 2017",
            "10 am Montag",
            "Zimmer 10 am See",
            "Platz 12.50 am Markt",
            "29 days in February",
            "scale 1:24",
            "#26/01/2017",
            "21 PM",
            "all that has come out of 2020",
            "5:12-cv-00018-MTT",
            "set of 2017",
            "10,000",
            "Order 12-345-67",
        ];
        let mut wrong = Vec::new();
        for text in texts {
            if !found(text).is_empty() {
                wrong.push((text, shown(text)));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "\\PC*|[0-9:./ \\-'adegjnoprstuvy年月日前午後Tม.คพศ]{0,40}") {
            let mut last = 0;
            for hit in found(&text) {
                prop_assert!(hit.span.start >= last && hit.span.start < hit.span.end);
                prop_assert!(text.get(hit.span.clone()).is_some());
                last = hit.span.end;
            }
        }
    }
}
