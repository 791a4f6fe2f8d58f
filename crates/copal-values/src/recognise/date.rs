//! Dates and times, absolute and relative, in some thirty languages.
//!
//! In: a text. Out: dates as exact as written (`2017-01-26`, `2017-01`, `--01-26`, `T14:05`, `2017-01-26T14:05:00Z`), and
//! distances from now (-3 days). A date and its time are one hit; the time of a relative day ("Today 09:14") is in the
//! span only. Where day and month could be swapped the day comes first (`3/4/2017` is the third of April), unless the
//! second number is above 12. Years of two digits are 1970 to 2069, years 2400 to 2700 Buddhist. A bare year is no date.
//! The text is cut into tokens once, and every form looks at a bounded number of them: O(length).

mod absolute;
mod relative;
#[cfg(test)]
mod tests;
mod time;
mod tokens;
mod words;

use self::absolute::year;
use self::tokens::{DateToken as Part, Token, scan};
use self::words::Word;
use super::{Hit, Marks, Recogniser};
use crate::value::Value;
use crate::value_type::ValueType;

/// Finds dates and times.
#[derive(Debug, Clone, Copy)]
pub struct Date;

impl Recogniser for Date {
    fn kind(&self) -> ValueType {
        ValueType::Date
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
            hits.push(Hit { span: parser.tokens[at].start..end, kind: ValueType::Date, value });
            at = parser.token_at(at, end).max(at + 1);
        }
    }
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2212}')
}

/// A text and its tokens; the forms of dates are methods of it, in the files of this folder.
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
}
