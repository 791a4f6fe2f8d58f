//! Numbers as people write them in many countries, read as decimal texts.
//!
//! In: digits with separators. Out: a decimal text, or nothing if the grouping is not that of a number.
//! `1,234.56`, `1.234,56`, `1 234,56`, `1'234.50`, `12,34,567`, `٣٫٥` (digits of other scripts) are numbers;
//! `1,23,4` and `1.2.3` are not. O(length).

use crate::notation::DecimalSign;

/// True for characters that may be between the digits of one number.
pub fn is_separator(c: char) -> bool {
    matches!(
        c,
        ',' | '.'
            | '\''
            | '\u{2019}'
            | ' '
            | '\u{a0}'
            | '\u{202f}'
            | '\u{2009}'
            | '\u{66b}'
            | '\u{66c}'
            | '\u{b7}'
    )
}

/// The value of a decimal digit of any script whose ten digits have consecutive code points.
pub fn digit(c: char) -> Option<u32> {
    const ZEROS: &[char] = &[
        '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{e50}', '\u{ed0}', '\u{1040}', '\u{17e0}', '\u{ff10}',
    ];
    if c.is_ascii() {
        return c.to_digit(10);
    }
    ZEROS.iter().find_map(|&zero| (c as u32).checked_sub(zero as u32).filter(|&d| d < 10))
}

/// The length in bytes of the longest number at the start of the text, or 0. Separators count only between
/// digits, and white space only before groups of three.
pub fn scan(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some(&(at, c)) = chars.peek() {
        if digit(c).is_some() {
            end = at + c.len_utf8();
            chars.next();
        } else if end > 0 && is_separator(c) {
            let rest = &text[at + c.len_utf8()..];
            let digits = rest.chars().take_while(|&c| digit(c).is_some()).count();
            let fits =
                if c.is_whitespace() { digits == 3 && may_precede_group(&text[..at]) } else { digits > 0 };
            if !fits {
                break;
            }
            chars.next();
        } else {
            break;
        }
    }
    end
}

/// True if a group of three may follow a space: one to three digits precede it.
fn may_precede_group(before: &str) -> bool {
    (1..=3).contains(&before.chars().rev().take_while(|&c| digit(c).is_some()).count())
}

/// Reads a number with any separators as a decimal text without leading zeros.
///
/// ```
/// use copal_values::numbers::parse;
/// assert_eq!(parse("1.234,50").as_deref(), Some("1234.50"));
/// assert_eq!(parse("1,234").as_deref(), Some("1234"));
/// assert_eq!(parse("0,5").as_deref(), Some("0.5"));
/// assert_eq!(parse("1.2.3"), None);
/// ```
pub fn parse(text: &str) -> Option<String> {
    parse_with(text, None)
}

/// The same with the decimal sign that the column of the number uses, if it is known. A number that cannot be
/// written with this sign is read as its form suggests.
///
/// ```
/// use copal_values::notation::DecimalSign;
/// use copal_values::numbers::parse_with;
/// assert_eq!(parse_with("1.459", Some(DecimalSign::Point)).as_deref(), Some("1.459"));
/// assert_eq!(parse_with("1.459", Some(DecimalSign::Comma)).as_deref(), Some("1459"));
/// assert_eq!(parse_with("1.45", Some(DecimalSign::Comma)).as_deref(), Some("1.45"));
/// ```
pub fn parse_with(text: &str, decimal_sign: Option<DecimalSign>) -> Option<String> {
    parse_short_form(text, decimal_sign).or_else(|| parse_any_form(text, decimal_sign))
}

/// The value of ASCII digits with at most one point or comma between them. Nearly all numbers have this form, and
/// several recognisers read each of them.
fn parse_short_form(text: &str, decimal_sign: Option<DecimalSign>) -> Option<String> {
    let mut sign_at = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => {}
            b'.' | b',' if sign_at.is_none() => sign_at = Some(at),
            _ => return None,
        }
    }
    let Some(at) = sign_at else { return (!text.is_empty()).then(|| without_zeros(text).to_owned()) };
    let (whole, tail) = (&text[..at], &text[at + 1..]);
    if whole.is_empty() || tail.is_empty() {
        return None;
    }
    let is_known_sign = decimal_sign.is_some_and(|sign| text[at..].starts_with(sign.sign()));
    let groups_thousands = tail.len() == 3 && whole != "0" && whole.len() <= 3 && !is_known_sign;
    Some(match without_zeros(whole) {
        "0" if groups_thousands => without_zeros(tail).to_owned(),
        whole if groups_thousands => [whole, tail].concat(),
        whole => [whole, ".", tail].concat(),
    })
}

/// ASCII digits without leading zeros.
fn without_zeros(digits: &str) -> &str {
    match digits.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    }
}

fn parse_any_form(text: &str, decimal_sign: Option<DecimalSign>) -> Option<String> {
    let mut groups: Vec<String> = vec![String::new()];
    let mut separators: Vec<char> = Vec::new();
    for c in text.chars() {
        if let Some(d) = digit(c) {
            groups.last_mut()?.push(char::from_digit(d, 10)?);
        } else if is_separator(c) {
            separators.push(normal_separator(c));
            groups.push(String::new());
        } else {
            return None;
        }
    }
    if groups.iter().any(String::is_empty) {
        return None;
    }
    let known = decimal_sign.map(DecimalSign::sign);
    let (whole, fraction) = split_at_decimal_sign(&groups, &separators, known)?;
    let whole = without_zeros(&whole);
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

/// One character for separators that mean the same.
fn normal_separator(c: char) -> char {
    match c {
        '\u{2019}' => '\'',
        '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        '\u{66b}' | '\u{b7}' => '.',
        '\u{66c}' => ',',
        other => other,
    }
}

/// The digits before the decimal sign, and those after it.
fn split_at_decimal_sign(
    groups: &[String],
    separators: &[char],
    known: Option<char>,
) -> Option<(String, String)> {
    let Some((&last, before)) = separators.split_last() else {
        return Some((groups[0].clone(), String::new()));
    };
    let tail = groups.last()?;
    let decimal_sign = last == '.' || last == ',';
    // A second kind of separator makes the last one a decimal sign. A single separator before exactly three
    // digits groups thousands (`1,234`), unless the number begins with a zero or has more than three digits
    // before it.
    let is_decimal = decimal_sign
        && !before.contains(&last)
        && (!before.is_empty()
            || tail.len() != 3
            || groups[0] == "0"
            || groups[0].len() > 3
            || known == Some(last));
    let (whole, marks, fraction) = if is_decimal {
        (&groups[..groups.len() - 1], before, tail.clone())
    } else {
        (groups, separators, String::new())
    };
    let same = marks.iter().all(|&mark| mark == marks[0]);
    let thousands = whole[1..].iter().all(|group| group.len() == 3) && whole[0].len() <= 3;
    // 12,34,567: the last group has three digits, the others two
    let lakhs = whole.len() > 2
        && marks.first() == Some(&',')
        && whole[whole.len() - 1].len() == 3
        && whole[1..whole.len() - 1].iter().all(|group| group.len() == 2)
        && whole[0].len() <= 2;
    (whole.len() == 1 || (same && (thousands || lakhs))).then(|| (whole.concat(), fraction))
}

/// True for currency signs.
pub fn is_currency_sign(c: char) -> bool {
    matches!(c, '$' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20cf}' | '\u{e3f}' | '\u{ffe5}' | '\u{fdfc}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn short_forms_are_read_like_any_other(text in "[0-9]{0,5}[.,]?[0-9]{0,4}[., ]?0{0,3}[0-9]{0,3}") {
            for sign in [None, Some(DecimalSign::Point), Some(DecimalSign::Comma)] {
                prop_assert_eq!(parse_with(&text, sign), parse_any_form(&text, sign));
            }
        }

        #[test]
        fn digits_have_the_values_of_their_script(c: char) {
            let expected = ['0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{e50}', '\u{ed0}', '\u{1040}', '\u{17e0}', '\u{ff10}']
                .iter()
                .find_map(|&zero| (c as u32).checked_sub(zero as u32).filter(|&d| d < 10));
            prop_assert_eq!(digit(c), expected);
        }
    }

    #[test]
    fn numbers_of_many_countries() {
        let cases = [
            ("7", "7"),
            ("007", "7"),
            ("0", "0"),
            ("0.50", "0.50"),
            ("0,5", "0.5"),
            ("1,234", "1234"),
            ("1.234", "1234"),
            ("1,234.56", "1234.56"),
            ("1.234,56", "1234.56"),
            ("1 234,56", "1234.56"),
            ("1\u{a0}234", "1234"),
            ("1\u{202f}234\u{202f}567", "1234567"),
            ("1'234.50", "1234.50"),
            ("1\u{2019}234", "1234"),
            ("12,34,567", "1234567"),
            ("12,34,567.80", "1234567.80"),
            ("1.234.567", "1234567"),
            ("12.5", "12.5"),
            ("12,50", "12.50"),
            ("3.1415", "3.1415"),
            ("1234.567", "1234.567"),
            ("0.125", "0.125"),
            ("1234,5", "1234.5"),
            ("\u{663}\u{66b}\u{665}", "3.5"),
            ("๑๒๓", "123"),
            ("१२,३४५", "12345"),
            ("９９", "99"),
            ("1·5", "1.5"),
        ];
        for (text, want) in cases {
            assert_eq!(parse(text).as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn other_groupings_are_not_numbers() {
        for text in [
            "",
            "1.2.3",
            "1,23,4",
            "1..2",
            "1,",
            ",1",
            "1.23.456",
            "1,2345,678",
            "12a",
            "1.234,567,8",
            "1,234.567,8",
            "1 23",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_scan_ends_where_the_number_does() {
        for (text, want) in [
            ("1,234 items", "1,234"),
            ("12. May", "12"),
            ("3,5,", "3,5"),
            ("1 234 567 x", "1 234 567"),
            ("10 20", "10"),
            ("2017 123", "2017"),
            ("x", ""),
            ("99% ", "99"),
        ] {
            assert_eq!(&text[..scan(text)], want, "{text}");
        }
    }
}
