//! Figures, ranges and units: what the recognisers of measures share.
//!
//! In: a text and a place in it. Out: the number, range or unit that stands there. Each call looks at the neighbourhood of
//! one figure, so a walk over a text is O(length).

use crate::numbers::{digit, parse, scan};
use crate::value::Decimal;
use std::collections::HashMap;
use std::ops::Range;

/// A number as it stands in a text.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    /// Where.
    pub(crate) span: Range<usize>,
    /// What it says.
    pub(crate) value: Decimal,
}

/// A number, or a range, with a unit.
#[derive(Debug, Clone)]
pub(crate) struct Measure {
    /// From the number to the end of the unit.
    pub(crate) span: Range<usize>,
    /// The number; the lower one of a range.
    pub(crate) value: Decimal,
    /// The upper one.
    pub(crate) max: Option<Decimal>,
    /// The unit's short form.
    pub(crate) unit: &'static str,
}

/// Spellings of units by their first letter, longest first.
#[derive(Debug)]
pub(crate) struct Units(HashMap<char, Vec<(&'static str, &'static str)>>);

impl Units {
    /// From rows of a short form and its spellings, with `|` between; those of three letters or more match in any case.
    pub(crate) fn new(rows: &[(&'static str, &'static str)]) -> Units {
        let mut by_first: HashMap<char, Vec<_>> = HashMap::new();
        for &(unit, spellings) in rows {
            for spelling in spellings.split('|') {
                for first in spelling.chars().take(1).flat_map(|c| [c].into_iter().chain(c.to_lowercase())) {
                    by_first.entry(first).or_default().push((spelling, unit));
                }
            }
        }
        for list in by_first.values_mut() {
            list.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
            list.dedup();
        }
        Units(by_first)
    }

    /// The unit that starts here as a whole word: where it ends and its short form.
    pub(crate) fn at(&self, text: &str, at: usize) -> Option<(usize, &'static str)> {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let lower = first.to_lowercase().next().unwrap_or(first);
        let lists = [self.0.get(&first), self.0.get(&lower).filter(|_| lower != first)];
        let fitting = lists.into_iter().flatten().flatten().filter_map(|&(spelling, unit)| {
            let len = prefix(rest, spelling, spelling.chars().count() > 2)?;
            ends_word(&rest[..len], &rest[len..]).then_some((at + len, unit))
        });
        fitting.max_by_key(|&(end, _)| end)
    }

    /// The unit behind a number: "12 cm", "12cm", "12-inch".
    pub(crate) fn behind(&self, text: &str, at: usize) -> Option<(usize, &'static str)> {
        let start = skip_space(text, at);
        self.at(text, start).or_else(|| {
            let hyphen = text[at..].chars().next().filter(|c| matches!(c, '-' | '\u{2010}' | '\u{2011}'))?;
            self.at(text, at + hyphen.len_utf8()).filter(|&(end, _)| end - at > 3)
        })
    }
}

/// The length of the word at the start of a text; a space fits any white space.
pub(crate) fn prefix(text: &str, word: &str, any_case: bool) -> Option<usize> {
    let mut chars = text.char_indices();
    for want in word.chars() {
        let (_, c) = chars.next()?;
        let same = c == want || (want == ' ' && c.is_whitespace());
        if !(same || (any_case && c.to_lowercase().eq(want.to_lowercase()))) {
            return None;
        }
    }
    Some(text.len() - chars.as_str().len())
}

/// Where the longest of some words (in lower case) starts that a text ends with as a whole word.
pub(crate) fn word_before(before: &str, words: &[&str]) -> Option<usize> {
    let last = before.chars().next_back()?;
    let lower = last.to_lowercase().next().unwrap_or(last);
    let start = |word: &&str| {
        let at = before.char_indices().rev().nth(word.chars().count().checked_sub(1)?)?.0;
        let whole = !(before[..at].ends_with(is_word) && word.starts_with(is_word));
        (whole && prefix(&before[at..], word, true).is_some()).then_some(at)
    };
    words.iter().filter(|word| word.ends_with(lower)).filter_map(start).min()
}

/// True for letters of scripts that put spaces between words, and for digits.
pub(crate) fn is_word(c: char) -> bool {
    c == '_' || (c.is_alphanumeric() && c < '\u{e00}')
}

/// True if a word may end between these two; "km" before "/h" and "m" before "²" go on.
pub(crate) fn ends_word(word: &str, rest: &str) -> bool {
    let mut behind = rest.chars();
    match (word.chars().next_back(), behind.next()) {
        (Some(last), Some(next)) if is_word(last) => {
            let goes_on = is_word(next) || matches!(next, '²' | '³');
            !(goes_on || (next == '/' && behind.next().is_some_and(char::is_alphabetic)))
        }
        _ => true,
    }
}

/// Where the white space (and what is not seen) that starts here ends.
pub(crate) fn skip_space(text: &str, at: usize) -> usize {
    let is_space =
        |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{200e}' | '\u{200f}');
    text.len() - text[at..].trim_start_matches(is_space).len()
}

/// The first number at or behind a place that is no part of a word or of another number.
pub(crate) fn next_figure(text: &str, from: usize) -> Option<Figure> {
    next_figure_behind(text, from, |_| false)
}

/// The same; a figure glued to a word counts too if `may_follow` says so of its place.
pub(crate) fn next_figure_behind(
    text: &str,
    from: usize,
    may_follow: impl Fn(usize) -> bool,
) -> Option<Figure> {
    let mut at = from;
    loop {
        let is_start =
            |c: char| c.is_ascii_digit() || (!c.is_ascii() && (digit(c).is_some() || part(c).is_some()));
        let start = at + text[at..].find(is_start)?;
        let before = &text[..start];
        let mut back = before.chars().rev();
        let (last, second) = (back.next(), back.next());
        let after_figure = second.is_some_and(|c| digit(c).is_some());
        let glued = last.is_some_and(|c| match c {
            'x' | 'X' => !after_figure,
            '.' | ',' | '\'' | '\u{2019}' | ':' | '/' => after_figure,
            _ => is_word(c),
        });
        if !glued || (last.is_some_and(char::is_alphabetic) && may_follow(start)) {
            if let Some(mut figure) = figure_at(text, start) {
                let leading = last == Some('.') && !second.is_some_and(char::is_alphanumeric);
                if leading && text[start..figure.span.end].chars().all(|c| c.is_ascii_digit()) {
                    figure.value = format!("0.{}", &text[figure.span.clone()]);
                    figure.span.start -= 1;
                }
                return Some(figure);
            }
            at = start + scan(&text[start..]).max(1);
        } else {
            at = text.len() - text[start..].trim_start_matches(is_start).len();
        }
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
}

/// The number that starts exactly here.
pub(crate) fn figure_at(text: &str, start: usize) -> Option<Figure> {
    let mut end = start + scan(&text[start..]);
    let mut value = if end > start { parse(&text[start..end])? } else { "0".to_owned() };
    if !value.contains('.')
        && let Some((c, fraction)) = text[end..].chars().next().and_then(|c| Some((c, part(c)?)))
    {
        value.push_str(fraction);
        end += c.len_utf8();
    }
    (end > start).then_some(Figure { span: start..end, value })
}

/// What a sign for a fraction adds.
fn part(c: char) -> Option<&'static str> {
    match c {
        '½' => Some(".5"),
        '¼' => Some(".25"),
        '¾' => Some(".75"),
        _ => None,
    }
}

/// Where the second number of a range starts, if a dash or a word for "to" stands here.
pub(crate) fn range_sign(text: &str, at: usize) -> Option<usize> {
    const DASHES: &[char] =
        &['-', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '~', '～', '〜'];
    const WORDS: &[&str] =
        &["to", "bis", "à", "a", "до", "hasta", "al", "tot", "til", "till", "do", "até", "至", "到"];
    let start = skip_space(text, at);
    let rest = &text[start..];
    if let Some(dash) = rest.chars().next().filter(|c| DASHES.contains(c)) {
        return Some(skip_space(text, start + dash.len_utf8()));
    }
    let len =
        WORDS.iter().find_map(|word| prefix(rest, word, true).filter(|&n| ends_word(word, &rest[n..])))?;
    (start > at || rest.starts_with(['至', '到'])).then(|| skip_space(text, start + len))
}

/// The upper end of the range that a number starts; dates, telephone numbers and a year before a figure start none.
pub(crate) fn range_end(text: &str, first: &Figure) -> Option<Figure> {
    let second = figure_at(text, range_sign(text, first.span.end)?)?;
    let is_dash = |c: char| matches!(c, '-' | '\u{2013}' | '\u{2014}');
    let digit_behind = |rest: &str| rest.chars().nth(1).is_some_and(|c| digit(c).is_some());
    let after = &text[second.span.end..];
    let in_chain =
        (after.starts_with(is_dash) && digit_behind(after)) || text[..first.span.start].ends_with(is_dash);
    let written = &text[first.span.clone()];
    let year = written.len() == 4 && (written.starts_with("19") || written.starts_with("20"));
    let other = in_chain || (year && second.span.len() != 4);
    (!other && at_most(&first.value, &second.value)).then_some(second)
}

/// True if the first decimal is no larger than the second.
pub(crate) fn at_most(a: &str, b: &str) -> bool {
    let key = |text: &str| -> (usize, String, String) {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        (whole.len(), whole.to_owned(), fraction.trim_end_matches('0').to_owned())
    };
    key(a) <= key(b)
}

/// A written number whose only separator, if it has one, is the decimal sign: "1.374" is less than two.
pub(crate) fn decimal(written: &str) -> Option<Decimal> {
    match written.split_once(['.', ',', '\u{66b}', '·']) {
        Some((whole, tail)) if tail.chars().all(|c| digit(c).is_some()) => {
            let tail: String = tail.chars().filter_map(|c| char::from_digit(digit(c)?, 10)).collect();
            Some(if tail.is_empty() { parse(whole)? } else { format!("{}.{tail}", parse(whole)?) })
        }
        _ => parse(written),
    }
}

/// A decimal times a power of ten.
pub(crate) fn shift(value: &str, places: usize) -> Decimal {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let moved: String = fraction.chars().chain(std::iter::repeat('0')).take(places).collect();
    let whole = format!("{whole}{moved}");
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    match fraction.get(places..).filter(|rest| !rest.is_empty()) {
        Some(rest) => format!("{whole}.{rest}"),
        None => whole.to_owned(),
    }
}

/// True for signs of currencies.
pub(crate) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20cf}' | '\u{e3f}' | '\u{ffe5}' | '\u{fdfc}')
}

/// Calls back for every number or range before a unit; with `sides`, "30 x 40 cm" are two numbers with that unit.
pub(crate) fn measures(text: &str, units: &Units, sides: bool, mut emit: impl FnMut(Measure)) {
    let mut at = 0;
    let mut waiting: Vec<Figure> = Vec::new();
    while let Some(first) = next_figure(text, at) {
        let first = mixed(text, first);
        at = first.span.end;
        if text[..first.span.start].trim_end().ends_with(is_currency) {
            waiting.clear();
            continue;
        }
        let second = range_end(text, &first);
        let end = second.as_ref().map_or(at, |figure| figure.span.end);
        if let Some((end, unit)) = units.behind(text, end) {
            for Figure { span, value } in waiting.drain(..) {
                emit(Measure { span, value, max: None, unit });
            }
            let max = second.map(|figure| figure.value);
            emit(Measure { span: first.span.start..end, value: first.value, max, unit });
            at = end;
        } else if sides && is_times(text, at) {
            waiting.push(first);
        } else {
            waiting.clear();
        }
    }
}

/// A whole number with the fraction behind it: "17 3/4", "5-1/2", "8 ¾"; or a number that is the upper half of one: "3/4".
fn mixed(text: &str, figure: Figure) -> Figure {
    let rest = &text[figure.span.end..];
    let written = &text[figure.span.clone()];
    if rest.starts_with('/') {
        return fraction(&text[figure.span.start..]).map_or(figure.clone(), |(value, len)| {
            let start = figure.span.start;
            Figure { span: start..start + len, value: value.to_string() }
        });
    }
    let behind = rest.strip_prefix('-').unwrap_or(rest.trim_start());
    let end = text.len() - behind.len();
    if end == figure.span.end || written.len() > 4 || !written.bytes().all(|b| b.is_ascii_digit()) {
        return figure;
    }
    let sign = behind.chars().next().and_then(|c| Some((part(c)?.parse::<f64>().ok()?, c.len_utf8())));
    match sign.or_else(|| fraction(behind)) {
        Some((value, len)) => {
            let value = figure.value.parse().unwrap_or(0.0) + value;
            Figure { span: figure.span.start..end + len, value: value.to_string() }
        }
        None => figure,
    }
}

/// A proper fraction of inches at the start of a text, and its length: halves down to the 64th are exact.
fn fraction(text: &str) -> Option<(f64, usize)> {
    let digits = |text: &str| text.bytes().take(3).take_while(u8::is_ascii_digit).count();
    let upper = digits(text);
    let rest = text[upper..].strip_prefix('/')?;
    let lower = digits(rest);
    let (n, d): (u32, u32) = (text[..upper].parse().ok()?, rest[..lower].parse().ok()?);
    let ends = !rest[lower..].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '/' | '.' | ','));
    (n > 0 && n < d && matches!(d, 2 | 4 | 8 | 16 | 32 | 64) && ends)
        .then(|| (f64::from(n) / f64::from(d), upper + 1 + lower))
}

/// True if a sign for "by" and a number follow.
fn is_times(text: &str, at: usize) -> bool {
    let rest = text[at..].trim_start();
    let sign = ["x", "X", "×", "*", "by "].iter().find_map(|sign| rest.strip_prefix(sign));
    sign.is_some_and(|rest| rest.trim_start().starts_with(|c| digit(c).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_move_and_compare() {
        assert_eq!(
            [shift("3.2", 3), shift("0.05", 1), shift("1.25", 1), shift("7", 0)],
            ["3200", "0.5", "12.5", "7"]
        );
        assert!(
            at_most("9", "10") && at_most("1.5", "1.50") && !at_most("2.1", "2.05") && !at_most("10", "9.5")
        );
        assert_eq!(decimal("1.374").as_deref(), Some("1.374"));
    }
}
