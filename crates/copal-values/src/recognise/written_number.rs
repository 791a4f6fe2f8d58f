//! Numbers and ranges in running text, and arithmetic on decimal texts.
//!
//! In: a text and a byte position. Out: the number at or after it, or the range that begins there. Each call
//! looks at the neighbourhood of one number, so a walk over a text is O(length).

use super::word_match::{ends_word, is_word_char, prefix, skip_space};
use crate::notation::Notation;
use crate::numbers::{digit, parse, parse_with, scan};
use crate::value::Decimal;
use std::ops::Range;

/// A number as it is written in a text.
#[derive(Debug, Clone)]
pub(crate) struct WrittenNumber {
    /// The bytes of the text.
    pub(crate) span: Range<usize>,
    /// Its value as a decimal text.
    pub(crate) value: Decimal,
}

/// The first number at or after a position that is not part of a word or of another number.
pub(crate) fn next_number(text: &str, from: usize, notation: Notation) -> Option<WrittenNumber> {
    next_number_where(text, from, notation, |_| false)
}

/// Like [`next_number`], but a number that directly follows a word also counts if `may_follow` accepts its
/// position.
pub(crate) fn next_number_where(
    text: &str,
    from: usize,
    notation: Notation,
    may_follow: impl Fn(usize) -> bool,
) -> Option<WrittenNumber> {
    let mut at = from;
    loop {
        let is_start = |c: char| {
            c.is_ascii_digit() || (!c.is_ascii() && (digit(c).is_some() || fraction_sign(c).is_some()))
        };
        let start = at + text[at..].find(is_start)?;
        let before = &text[..start];
        let mut back = before.chars().rev();
        let (last, second) = (back.next(), back.next());
        let after_figure = second.is_some_and(|c| digit(c).is_some());
        let adjacent = last.is_some_and(|c| match c {
            'x' | 'X' => !after_figure,
            '.' | ',' | '\'' | '\u{2019}' | ':' | '/' => after_figure,
            _ => is_word_char(c),
        });
        if !adjacent || (last.is_some_and(char::is_alphabetic) && may_follow(start)) {
            if let Some(mut figure) = number_at(text, start, notation) {
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
pub(crate) fn number_at(text: &str, start: usize, notation: Notation) -> Option<WrittenNumber> {
    let mut end = start + scan(&text[start..]);
    let written = &text[start..end];
    let mut value = if end > start { parse_with(written, notation.decimal_sign)? } else { "0".to_owned() };
    if !value.contains('.')
        && let Some((c, fraction)) = text[end..].chars().next().and_then(|c| Some((c, fraction_sign(c)?)))
    {
        value.push_str(fraction);
        end += c.len_utf8();
    }
    (end > start).then_some(WrittenNumber { span: start..end, value })
}

/// The decimals of a fraction character.
pub(crate) fn fraction_sign(c: char) -> Option<&'static str> {
    match c {
        '½' => Some(".5"),
        '¼' => Some(".25"),
        '¾' => Some(".75"),
        _ => None,
    }
}

/// Where the second number of a range starts, if a dash or a word for "to" is at this position.
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
    // most numbers are followed by a unit or a noun
    let first = rest.bytes().next()?.to_ascii_lowercase();
    if first.is_ascii() && !matches!(first, b't' | b'b' | b'a' | b'h' | b'd') {
        return None;
    }
    let len =
        WORDS.iter().find_map(|word| prefix(rest, word, true).filter(|&n| ends_word(word, &rest[n..])))?;
    (start > at || rest.starts_with(['至', '到'])).then(|| skip_space(text, start + len))
}

/// The upper end of the range that a number starts. Dates, telephone numbers and a year before another number
/// are not ranges.
pub(crate) fn range_end(text: &str, first: &WrittenNumber, notation: Notation) -> Option<WrittenNumber> {
    let second = number_at(text, range_sign(text, first.span.end)?, notation)?;
    let is_dash = |c: char| matches!(c, '-' | '\u{2013}' | '\u{2014}');
    let digit_follows = |rest: &str| rest.chars().nth(1).is_some_and(|c| digit(c).is_some());
    let after = &text[second.span.end..];
    let in_chain =
        (after.starts_with(is_dash) && digit_follows(after)) || text[..first.span.start].ends_with(is_dash);
    let written = &text[first.span.clone()];
    let year = written.len() == 4 && (written.starts_with("19") || written.starts_with("20"));
    let other = in_chain || (year && second.span.len() != 4);
    (!other && at_most(&first.value, &second.value)).then_some(second)
}

/// True if the first decimal is at most the second.
pub(crate) fn at_most(a: &str, b: &str) -> bool {
    let key = |text: &str| -> (usize, String, String) {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        (whole.len(), whole.to_owned(), fraction.trim_end_matches('0').to_owned())
    };
    key(a) <= key(b)
}

/// Reads a number whose only separator, if it has one, is the decimal sign: "1.374" means 1.374, not 1374.
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
