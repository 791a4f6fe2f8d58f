//! ISBN-10 and ISBN-13 with a valid check digit.
//!
//! In: a text. Out: thirteen digits (an ISBN-10 is converted). Thirteen digits that begin with 978 or 979
//! need no label; ten digits need "ISBN" before them, or the hyphens of an ISBN (`0-306-40615-2`). Article
//! numbers of other goods and of sheet music (9790) do not match. Looks at no more than 17 characters from
//! each digit that begins a run: O(length).

use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;

#[derive(Debug, Clone, Copy)]
pub(super) struct IsbnRecogniser;

/// Maximum number of characters of an ISBN: thirteen digits and four hyphens.
const MAX_ISBN_CHARS: usize = 17;
/// How many bytes before an ISBN are searched for its label.
const ISBN_LABEL_REACH: usize = 24;

impl Recogniser for IsbnRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Isbn
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.digit && scan.len >= 10
    }

    fn find(&self, text: &str, _: Notation, matches: &mut Vec<ValueMatch>) {
        let mut at = 0;
        let mut before = None;
        for (start, c) in text.char_indices() {
            let begins = start >= at
                && c.is_ascii_digit()
                && (before.is_none_or(may_precede)
                    || (matches!(before, Some('n' | 'N')) && is_labelled(&text[..start])));
            before = Some(c);
            if !begins {
                continue;
            }
            if let Some((end, isbn)) = isbn_13(text, start).or_else(|| isbn_10(text, start)) {
                matches.push(ValueMatch {
                    span: start..end,
                    value_type: ValueType::Isbn,
                    value: Value::Isbn(isbn),
                });
                at = end;
            }
        }
    }
}

/// True if an ISBN may follow this character. It does not follow another number, a price or a word.
fn may_precede(c: char) -> bool {
    !(c.is_ascii_alphanumeric() || is_hyphen(c) || matches!(c, '.' | ',' | '_' | '+' | '$' | '£' | '€'))
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}')
}

/// Digits with single separators between them: their values, the number of groups, and where they end.
struct DigitRun {
    digits: Vec<u8>,
    groups: usize,
    spaces: bool,
    end: usize,
}

/// Reads `count` digits. The last of ten may be an X.
fn digit_run(text: &str, start: usize, count: usize) -> Option<DigitRun> {
    let mut run = DigitRun { digits: Vec::with_capacity(count), groups: 1, spaces: false, end: start };
    let mut separated = true;
    for c in text[start..].chars().take(MAX_ISBN_CHARS) {
        run.end += c.len_utf8();
        match c {
            '0'..='9' => {
                run.digits.push(c as u8 - b'0');
                separated = false;
            }
            'x' | 'X' if count == 10 && run.digits.len() == 9 => run.digits.push(10),
            _ if !separated && (is_hyphen(c) || matches!(c, ' ' | '\u{a0}')) => {
                separated = true;
                run.groups += 1;
                run.spaces |= c.is_whitespace();
            }
            _ => return None,
        }
        if run.digits.len() == count {
            let mut after = text[run.end..].chars();
            let next = after.next();
            let longer = next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
                || (next.is_some_and(|c| is_hyphen(c) || c == '.')
                    && after.next().is_some_and(|c| c.is_ascii_digit()));
            return (!longer).then_some(run);
        }
    }
    None
}

/// An ISBN-13 here.
fn isbn_13(text: &str, start: usize) -> Option<(usize, String)> {
    if !text[start..].starts_with("97") {
        return None;
    }
    let run = digit_run(text, start, 13)?;
    let book = run.digits[2] == 8 || (run.digits[2] == 9 && run.digits[3] != 0);
    (book && check_digit(&run.digits[..12]) == run.digits[12]).then(|| (run.end, write(&run.digits)))
}

/// An ISBN-10 here, as thirteen digits.
fn isbn_10(text: &str, start: usize) -> Option<(usize, String)> {
    let run = digit_run(text, start, 10)?;
    let sum: u32 = run.digits.iter().zip((1..=10).rev()).map(|(&digit, weight)| digit as u32 * weight).sum();
    let hyphened =
        run.groups == 4 && !run.spaces && text[..run.end].chars().rev().nth(1).is_some_and(is_hyphen);
    let zero = run.digits.iter().all(|&digit| digit == 0);
    if !sum.is_multiple_of(11) || zero || !(hyphened || is_labelled(&text[..start])) {
        return None;
    }
    let mut digits = vec![9, 7, 8];
    digits.extend_from_slice(&run.digits[..9]);
    digits.push(check_digit(&digits));
    Some((run.end, write(&digits)))
}

/// The check digit of twelve digits.
fn check_digit(digits: &[u8]) -> u8 {
    let sum: u32 =
        digits.iter().zip([1, 3].iter().cycle()).map(|(&digit, weight)| digit as u32 * weight).sum();
    ((10 - sum % 10) % 10) as u8
}

fn write(digits: &[u8]) -> String {
    digits.iter().map(|&digit| char::from(b'0' + digit)).collect()
}

/// True if "ISBN" shortly precedes, with only "10", "13", "no." and signs between.
fn is_labelled(before: &str) -> bool {
    let mut from = before.len().saturating_sub(ISBN_LABEL_REACH);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let tail = before[from..].to_ascii_lowercase();
    tail.rfind("isbn").is_some_and(|at| {
        let between = tail[at + 4..].replace("10", "").replace("13", "").replace("no", "");
        !between.chars().any(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<ValueMatch> {
        let mut matches = Vec::new();
        IsbnRecogniser.find(text, Notation::default(), &mut matches);
        matches
    }

    const CASES: &[(&str, &str, &str)] = &[
        ("9780306406157", "9780306406157", "9780306406157"),
        ("978-0-306-40615-7", "978-0-306-40615-7", "9780306406157"),
        ("978 0 306 40615 7", "978 0 306 40615 7", "9780306406157"),
        ("978\u{a0}0306406157", "978\u{a0}0306406157", "9780306406157"),
        (
            "978\u{2013}0\u{2013}306\u{2013}40615\u{2013}7",
            "978\u{2013}0\u{2013}306\u{2013}40615\u{2013}7",
            "9780306406157",
        ),
        ("ISBN 978-0-306-40615-7", "978-0-306-40615-7", "9780306406157"),
        ("ISBN: 9780306406157", "9780306406157", "9780306406157"),
        ("ISBN-13: 978-0306406157", "978-0306406157", "9780306406157"),
        ("ISBN-13 : 978-3-16-148410-0 Verlag", "978-3-16-148410-0", "9783161484100"),
        ("ISBN9780306406157", "9780306406157", "9780306406157"),
        ("(9780306406157)", "9780306406157", "9780306406157"),
        ("EAN 9780306406157.", "9780306406157", "9780306406157"),
        ("979-10-90636-07-1", "979-10-90636-07-1", "9791090636071"),
        ("書籍9780306406157です", "9780306406157", "9780306406157"),
        ("0-306-40615-2", "0-306-40615-2", "9780306406157"),
        ("ISBN 0-306-40615-2", "0-306-40615-2", "9780306406157"),
        ("ISBN 0306406152", "0306406152", "9780306406157"),
        ("ISBN-10: 0306406152", "0306406152", "9780306406157"),
        ("ISBN10 0306406152", "0306406152", "9780306406157"),
        ("isbn: 0 306 40615 2", "0 306 40615 2", "9780306406157"),
        ("ISBN 080442957X", "080442957X", "9780804429573"),
        ("ISBN: 080442957x, 320 pages", "080442957x", "9780804429573"),
        ("0-8044-2957-X", "0-8044-2957-X", "9780804429573"),
        ("3-16-148410-X", "3-16-148410-X", "9783161484100"),
        ("ISBN no. 0306406152", "0306406152", "9780306406157"),
        ("ISBN0306406152", "0306406152", "9780306406157"),
        ("Paperback, 2017, 978-1-4028-9462-6", "978-1-4028-9462-6", "9781402894626"),
    ];

    #[test]
    fn book_numbers() {
        for (text, span, want) in CASES {
            let matches: Vec<(&str, Value)> = found(text)
                .into_iter()
                .map(|value_match| (&text[value_match.span], value_match.value))
                .collect();
            assert_eq!(matches, [(*span, Value::Isbn((*want).to_owned()))], "{text}");
        }
        assert_eq!(found("9780306406157 / 9783161484100").len(), 2);
    }

    #[test]
    fn other_numbers_are_none() {
        for text in [
            "9780306406158",
            "978-0-306-40615-8",
            "0306406152",
            "ISBN 0306406153",
            "0-306-40615-3",
            "555-123-4567",
            "01865 123456",
            "9790060115615",
            "4006381333931",
            "97803064061571",
            "19780306406157",
            "978030640615",
            "978--0-306-40615-7",
            "ISBN",
            "ISBN 123",
            "0 306 40615 2",
            "$9780306406157",
            "A9780306406157",
            "9780306406157a",
            "0000000000",
            "ISBN 0000000000",
            "1234567890123",
            "978",
            "",
            "2017-01-26",
            "9780306406157-12",
            "ISBN of the other book is 0306406152",
            "978.0.306.40615.7",
            "030640615X",
            "12-345-678-90",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "\\PC*|(ISBN|978|[0-9Xé \\-]){0,30}") {
            let mut last = 0;
            for value_match in found(&text) {
                prop_assert!(value_match.span.start >= last && value_match.span.start < value_match.span.end);
                prop_assert!(text.get(value_match.span.clone()).is_some());
                last = value_match.span.end;
            }
        }
    }
}
