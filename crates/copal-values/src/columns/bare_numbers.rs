//! Cells that are only a number: `1,204`, `(14)`, `#3`, `-15.20`, `12.5k`, `350-480`.
//!
//! In: the whole text of a cell. Out: a [`Value::Number`] without a unit. Brackets, a hash and a plus sign are
//! not part of the value. O(length).

use crate::notation::Notation;
use crate::numbers::{parse_with, scan};
use crate::recognise::{at_most, decimal, shift};
use crate::value::{Decimal, Value};

/// A range of whole numbers with a hyphen is at most this much wider than its lower end: "13-14377" is the
/// number of a case.
const MAX_RANGE_FACTOR: u64 = 10;

/// The value of a text that is only a number.
pub(super) fn bare_number(text: &str, notation: Notation) -> Option<Value> {
    let inner = text.trim_start_matches('#').trim_matches(['(', ')', ' ', '.']);
    let (sign, digits) = match inner.chars().next()? {
        '+' => ("", &inner[1..]),
        '-' => ("-", &inner[1..]),
        '\u{2212}' => ("-", &inner['\u{2212}'.len_utf8()..]),
        _ => ("", inner),
    };
    let len = scan(digits);
    if len == 0 {
        return None;
    }
    let rest = &digits[len..];
    if let Some(places) = multiplier(rest) {
        let value = shift(&decimal(&digits[..len])?, places);
        return Some(Value::Number { value: format!("{sign}{value}"), max: None, unit: None });
    }
    let value = parse_with(&digits[..len], notation.decimal_sign)?;
    if rest.is_empty() {
        return Some(Value::Number { value: format!("{sign}{value}"), max: None, unit: None });
    }
    let max = range_end(digits, len, &value, notation).filter(|_| sign.is_empty())?;
    Some(Value::Number { value, max: Some(max), unit: None })
}

/// The power of ten of a letter that is all that follows a number. "5m" are mostly metres or minutes.
fn multiplier(rest: &str) -> Option<usize> {
    match rest.trim() {
        "k" | "K" | "тыс." | "тыс" | "Tsd." | "천" => Some(3),
        "万" | "萬" | "만" => Some(4),
        "M" | "Mio." | "млн" | "млн." => Some(6),
        "B" => Some(9),
        _ => None,
    }
}

/// The upper end of a range that ends the text.
fn range_end(text: &str, len: usize, value: &str, notation: Notation) -> Option<Decimal> {
    let rest = text[len..].trim_start();
    let dash = rest.chars().next().filter(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}'))?;
    let upper = rest[dash.len_utf8()..].trim_start();
    if upper.is_empty() || upper.starts_with('0') || text.starts_with('0') || scan(upper) != upper.len() {
        return None;
    }
    let max = parse_with(upper, notation.decimal_sign)?;
    // hyphens are also in codes
    let is_round = |number: &str| number.parse::<u64>().is_ok_and(|number| number.is_multiple_of(5));
    let near = match (value.parse::<u64>(), max.parse::<u64>()) {
        (Ok(low), Ok(high)) => high <= low.saturating_mul(MAX_RANGE_FACTOR),
        _ => true,
    };
    let alike = value.len() == max.len() || is_round(value) && is_round(&max);
    (at_most(value, &max) && value != max && near && (dash != '-' || alike)).then_some(max)
}

/// True for digits that are a code rather than a number, because it begins with a zero: "0423134".
pub(super) fn is_code(text: &str) -> bool {
    text.len() > 2
        && text.starts_with('0')
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte != b'0')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::DecimalSign;
    use proptest::prelude::*;

    fn show(text: &str) -> String {
        match bare_number(text, Notation::default()) {
            Some(Value::Number { value, max: None, .. }) => value,
            Some(Value::Number { value, max: Some(max), .. }) => format!("{value} to {max}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn numbers_alone() {
        for (text, want) in [
            ("4.7", "4.7"),
            ("(1,204)", "1204"),
            ("#3", "3"),
            ("12.", "12"),
            ("+2.11", "2.11"),
            ("-15.20", "-15.20"),
            ("\u{2212}7", "-7"),
            ("12.5k", "12500"),
            ("29K", "29000"),
            ("1.234K", "1234"),
            ("3 万", "30000"),
            ("350-480", "350 to 480"),
            ("900–1100", "900 to 1100"),
            ("1.5 - 2.5", "1.5 to 2.5"),
        ] {
            assert_eq!(show(text), want, "{text}");
        }
        for text in [
            "",
            "-",
            "#",
            "13-14377",
            "19-00206",
            "2012-06823",
            "555-1234",
            "5m",
            "12 kg",
            "1.2.3",
            "9-5",
            "+",
        ] {
            assert_eq!(bare_number(text, Notation::default()), None, "{text}");
        }
    }

    #[test]
    fn the_decimal_sign_of_the_column_counts() {
        let notation = Notation { decimal_sign: Some(DecimalSign::Point), ..Notation::default() };
        let value = Value::Number { value: "1.459".into(), max: None, unit: None };
        assert_eq!(bare_number("1.459", notation), Some(value));
    }

    #[test]
    fn codes_begin_with_a_zero() {
        assert!(is_code("0423134") && is_code("006"));
        assert!(!is_code("07") && !is_code("0") && !is_code("000") && !is_code("0.5") && !is_code("120"));
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "[-+#(0-9.,kKM)]{0,10}|.*") {
            bare_number(&text, Notation::default());
            is_code(&text);
        }
    }
}
