//! The decimal sign of a column of numbers.
//!
//! In: the texts of a column. Out: a [`DecimalSignFinding`]. `1.234,5`, `0.5`, `12.50` and `1,234,567` show the
//! sign; `1.234` does not, because the point may also group thousands. Such numbers follow those of their
//! column that do. If a column has none, whole numbers of four digits and more without a separator show that
//! the column does not group thousands. O(text).

use crate::notation::DecimalSign;
use crate::numbers::{digit, scan};

/// What the numbers of a column say about their decimal sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalSignFinding {
    /// No number of the column depends on it.
    Irrelevant,
    /// All numbers that show a sign show this one.
    Certain(DecimalSign),
    /// Some numbers have one sign, some the other: each is read by itself.
    Mixed,
    /// All numbers are like `1.234`, with this separator.
    Open {
        /// The separator, as if it were the decimal sign.
        separator: DecimalSign,
        /// All of them have one digit before the separator, as `1.459`.
        one_digit: bool,
        /// How many there are.
        count: usize,
    },
}

/// Decides about the numbers of a column.
///
/// ```
/// use copal_values::columns::decimal_sign::{DecimalSignFinding, decimal_sign};
/// use copal_values::notation::DecimalSign;
/// assert_eq!(decimal_sign(["1.250 kg", "0.5 kg"]), DecimalSignFinding::Certain(DecimalSign::Point));
/// assert_eq!(decimal_sign(["1.250 kg", "12"]), DecimalSignFinding::Open {
///     separator: DecimalSign::Point, one_digit: true, count: 1,
/// });
/// ```
pub fn decimal_sign<'t>(texts: impl IntoIterator<Item = &'t str>) -> DecimalSignFinding {
    let mut seen = SeenNumbers::default();
    for text in texts {
        seen.read(text);
    }
    let SeenNumbers { point, comma, ambiguous_point, ambiguous_comma, ungrouped, one_digit, large } = seen;
    match (point > 0, comma > 0) {
        _ if ambiguous_point + ambiguous_comma == 0 => DecimalSignFinding::Irrelevant,
        (true, true) => DecimalSignFinding::Mixed,
        (true, false) => DecimalSignFinding::Certain(DecimalSign::Point),
        (false, true) => DecimalSignFinding::Certain(DecimalSign::Comma),
        (false, false) => {
            if ambiguous_point > 0 && ambiguous_comma > 0 {
                return DecimalSignFinding::Mixed;
            }
            let separator = if ambiguous_point > 0 { DecimalSign::Point } else { DecimalSign::Comma };
            // 1.459 beside 12345: thousands are not grouped here
            if ungrouped > 0 && !large {
                return DecimalSignFinding::Certain(separator);
            }
            let count = ambiguous_point + ambiguous_comma;
            DecimalSignFinding::Open { separator, one_digit: one_digit == count, count }
        }
    }
}

/// Counts of the numbers of a column by what they show.
#[derive(Default)]
struct SeenNumbers {
    point: usize,
    comma: usize,
    ambiguous_point: usize,
    ambiguous_comma: usize,
    /// Whole numbers of five digits and more without a separator.
    ungrouped: usize,
    /// Ambiguous numbers with one digit before the separator.
    one_digit: usize,
    /// Some ambiguous number has two or three digits before the separator.
    large: bool,
}

impl SeenNumbers {
    fn read(&mut self, text: &str) {
        let mut at = 0;
        while let Some(start) = text[at..].find(|c| digit(c).is_some()).map(|start| at + start) {
            let len = scan(&text[start..]).max(1);
            let number = text.get(start..start + len).unwrap_or_default();
            // codes and dates: `A1.234`, `1.234/5`
            let joined = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | ':' | '_');
            let is_own = !text[..start].ends_with(|c: char| joined(c) && !matches!(c, '-' | ':'))
                && !text[start + number.len()..].starts_with(['/', ':', '_']);
            if is_own {
                self.add(number);
            }
            at = start + number.len().max(1);
            while !text.is_char_boundary(at) {
                at += 1;
            }
        }
    }

    fn add(&mut self, number: &str) {
        let signs: Vec<char> = number.chars().filter(|c| matches!(c, '.' | ',')).collect();
        let others = number.chars().any(|c| digit(c).is_none() && !matches!(c, '.' | ','));
        let Some(&last) = signs.last() else {
            self.ungrouped += usize::from(!others && number.len() > 4);
            return;
        };
        let (whole, tail) = number.rsplit_once(last).unwrap_or((number, ""));
        let (whole_digits, tail_digits) = (whole.chars().count(), tail.chars().count());
        let sign = match signs[..] {
            // 1.234,5: the last one; 1.234.567: the other one
            [.., _, _] if signs.iter().any(|&sign| sign != last) => last,
            [_, _, ..] if tail_digits == 3 => {
                if last == '.' {
                    ','
                } else {
                    '.'
                }
            }
            [_, _, ..] => return,
            // 1 234,56 and 1'234.5 show it too
            _ if others => last,
            // 57.8751 may be 57.875 with the number of a footnote
            _ if tail_digits > 3 && whole != "0" => return,
            _ if tail_digits < 3 || whole == "0" || whole_digits > 3 => last,
            _ => {
                if last == '.' {
                    self.ambiguous_point += 1;
                } else {
                    self.ambiguous_comma += 1;
                }
                self.one_digit += usize::from(whole_digits == 1);
                self.large |= whole_digits > 1;
                return;
            }
        };
        if sign == '.' {
            self.point += 1;
        } else {
            self.comma += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::parse_with;
    use proptest::prelude::*;

    #[test]
    fn other_numbers_of_the_column_decide() {
        use DecimalSign::{Comma, Point};
        use DecimalSignFinding::{Certain, Irrelevant, Mixed, Open};
        for (texts, want) in [
            (&["1,234", "12.50"][..], Certain(Point)),
            (&["1.234", "12,50"], Certain(Comma)),
            (&["1.234", "1.234.567"], Certain(Comma)),
            (&["1.234", "0.500"], Certain(Point)),
            (&["1.234", "12,5", "12.5"], Mixed),
            (&["1.234", "12345"], Certain(Point)),
            (&["€ 1.234", "€ 12.345"], Open { separator: Point, one_digit: false, count: 2 }),
            (&["1.459", "1.509"], Open { separator: Point, one_digit: true, count: 2 }),
            (&["12", "12.5", "99"], Irrelevant),
            (&["1 234,50", "1.234"], Certain(Comma)),
            (&["3/1.234", "v1.2.3"], Irrelevant),
            (&["57.8751", "47.950"], Open { separator: Point, one_digit: false, count: 1 }),
            (&[], Irrelevant),
        ] {
            assert_eq!(decimal_sign(texts.iter().copied()), want, "{texts:?}");
        }
    }

    proptest! {
        /// Numbers that are written with decimals have the value that was written.
        #[test]
        fn numbers_are_read_as_they_were_written(
            numbers in prop::collection::vec((0u32..100_000, 0u32..1000), 2..10),
            comma in any::<bool>(),
        ) {
            let sign = if comma { DecimalSign::Comma } else { DecimalSign::Point };
            let write = |(whole, thousandths): &(u32, u32)| format!("{whole}{}{thousandths:03}", sign.sign());
            let texts: Vec<String> = numbers.iter().map(write).collect();
            if let DecimalSignFinding::Certain(found) = decimal_sign(texts.iter().map(String::as_str)) {
                prop_assert_eq!(found, sign);
                for (text, (whole, thousandths)) in texts.iter().zip(numbers) {
                    prop_assert_eq!(parse_with(text, Some(found)), Some(format!("{whole}.{thousandths:03}")));
                }
            }
        }

        #[test]
        fn any_text_is_safe(texts in prop::collection::vec("[0-9.,' /]{0,12}|.*", 0..5)) {
            decimal_sign(texts.iter().map(String::as_str));
        }
    }
}
