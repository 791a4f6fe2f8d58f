//! Numbers and ranges with a unit: what the recognisers of areas, distances and quantities share.
//!
//! In: a text and a [`UnitTable`]. Out: a [`Measurement`] per number that is followed by one of the units.
//! Each step looks at the neighbourhood of one number, so a walk over a text is O(length).

use super::word_match::{ends_word, prefix, skip_space};
use super::written_number::{WrittenNumber, fraction_sign, next_number, range_end};
use crate::notation::Notation;
use crate::numbers::digit;
use crate::numbers::is_currency_sign;
use crate::value::Decimal;
use crate::word_table::{first_char, lower_case, next_part};
use std::ops::Range;

/// A number, or a range, with a unit.
#[derive(Debug, Clone)]
pub(crate) struct Measurement {
    /// From the number to the end of the unit.
    pub(crate) span: Range<usize>,
    /// The number, or the lower end of a range.
    pub(crate) value: Decimal,
    /// The upper end of a range.
    pub(crate) max: Option<Decimal>,
    /// The unit's short form.
    pub(crate) unit: &'static str,
}

/// Spellings of units, sorted by their first letter, the longest first; made by [`unit_table!`].
#[derive(Debug)]
pub(crate) struct UnitTable(&'static [UnitSpelling]);

/// First letter, spelling, short form.
pub(crate) type UnitSpelling = (char, &'static str, &'static str);

/// The [`UnitTable`] of rows that are constant; the compiler sorts it. Each row is a short form and its spellings, separated by
/// `|`. Spellings of three letters or more match in any case; shorter ones mean different things in upper and lower case ("m" and
/// "M").
macro_rules! unit_table {
    ($rows:expr) => {{
        use $crate::recognise::measurements::{UnitSpelling, UnitTable, count_spellings, sorted_spellings};
        const ROWS: &[(&str, &str)] = $rows;
        const SPELLINGS: [UnitSpelling; count_spellings(ROWS)] = sorted_spellings(ROWS);
        UnitTable::of_sorted(&SPELLINGS)
    }};
}
pub(crate) use unit_table;

/// How many entries the table of these rows has.
pub(crate) const fn count_spellings(rows: &[(&'static str, &'static str)]) -> usize {
    let (mut count, mut row) = (0, 0);
    while row < rows.len() {
        let mut rest = rows[row].1;
        while let Some((spelling, after)) = next_part(rest, b'|') {
            let first = first_char(spelling);
            count += if lower_case(first) == first { 1 } else { 2 };
            rest = after;
        }
        row += 1;
    }
    count
}

/// The entries of a table. A spelling that begins with a capital is also found by the small letter.
pub(crate) const fn sorted_spellings<const COUNT: usize>(
    rows: &[(&'static str, &'static str)],
) -> [UnitSpelling; COUNT] {
    let mut entries = [(' ', "", ""); COUNT];
    let (mut count, mut row) = (0, 0);
    while row < rows.len() {
        let (unit, mut rest) = rows[row];
        while let Some((spelling, after)) = next_part(rest, b'|') {
            let first = first_char(spelling);
            insert(&mut entries, count, (first, spelling, unit));
            count += 1;
            let lower = lower_case(first);
            if lower != first {
                insert(&mut entries, count, (lower, spelling, unit));
                count += 1;
            }
            rest = after;
        }
        row += 1;
    }
    entries
}

/// Inserts an entry after those that are not greater.
const fn insert<const COUNT: usize>(entries: &mut [UnitSpelling; COUNT], count: usize, entry: UnitSpelling) {
    let mut at = count;
    while at > 0 {
        let (first, spelling, _) = entries[at - 1];
        if first < entry.0 || first == entry.0 && spelling.len() >= entry.1.len() {
            break;
        }
        entries[at] = entries[at - 1];
        at -= 1;
    }
    entries[at] = entry;
}

impl UnitTable {
    /// The table of [`sorted_spellings`].
    pub(crate) const fn of_sorted(spellings: &'static [UnitSpelling]) -> UnitTable {
        UnitTable(spellings)
    }

    /// The spellings that begin with a letter.
    fn beginning_with(&self, first: char) -> &'static [UnitSpelling] {
        let from = self.0.partition_point(|entry| entry.0 < first);
        let count = self.0[from..].iter().take_while(|entry| entry.0 == first).count();
        &self.0[from..from + count]
    }

    /// The unit that starts at this position as a whole word: where it ends, and its short form.
    pub(crate) fn at(&self, text: &str, at: usize) -> Option<(usize, &'static str)> {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let lower = first.to_lowercase().next().unwrap_or(first);
        let further = if lower == first { &[] } else { self.beginning_with(lower) };
        let entries = self.beginning_with(first).iter().chain(further);
        let fitting = entries.filter_map(|&(_, spelling, unit)| {
            let len = prefix(rest, spelling, spelling.chars().count() > 2)?;
            ends_word(&rest[..len], &rest[len..]).then_some((at + len, unit))
        });
        fitting.max_by_key(|&(end, _)| end)
    }

    /// The unit after a number that ends at this position: "12 cm", "12cm", "12-inch".
    pub(crate) fn after(&self, text: &str, at: usize) -> Option<(usize, &'static str)> {
        let start = skip_space(text, at);
        self.at(text, start).or_else(|| {
            let hyphen = text[at..].chars().next().filter(|c| matches!(c, '-' | '\u{2010}' | '\u{2011}'))?;
            self.at(text, at + hyphen.len_utf8()).filter(|&(end, _)| end - at > 3)
        })
    }
}

/// Calls `emit` for every number or range that a unit follows. With `sides`, both numbers of "30 x 40 cm"
/// have the unit.
pub(crate) fn find_measurements(
    text: &str,
    units: &UnitTable,
    sides: bool,
    notation: Notation,
    mut emit: impl FnMut(Measurement),
) {
    let mut at = 0;
    let mut waiting: Vec<WrittenNumber> = Vec::new();
    while let Some(first) = next_number(text, at, notation) {
        let first = mixed(text, first);
        at = first.span.end;
        if text[..first.span.start].trim_end().ends_with(is_currency_sign) {
            waiting.clear();
            continue;
        }
        let second = range_end(text, &first, notation);
        let end = second.as_ref().map_or(at, |figure| figure.span.end);
        if let Some((end, unit)) = units.after(text, end) {
            for WrittenNumber { span, value } in waiting.drain(..) {
                emit(Measurement { span, value, max: None, unit });
            }
            let max = second.map(|figure| figure.value);
            emit(Measurement { span: first.span.start..end, value: first.value, max, unit });
            at = end;
        } else if sides && is_times(text, at) {
            waiting.push(first);
        } else {
            waiting.clear();
        }
    }
}

/// A whole number with the fraction that follows it: "17 3/4", "5-1/2", "8 ¾"; or a number that is the
/// numerator of one: "3/4".
fn mixed(text: &str, figure: WrittenNumber) -> WrittenNumber {
    let rest = &text[figure.span.end..];
    let written = &text[figure.span.clone()];
    if rest.starts_with('/') {
        return fraction(&text[figure.span.start..]).map_or(figure.clone(), |(value, len)| {
            let start = figure.span.start;
            WrittenNumber { span: start..start + len, value: value.to_string() }
        });
    }
    let after = rest.strip_prefix('-').unwrap_or(rest.trim_start());
    let end = text.len() - after.len();
    if end == figure.span.end || written.len() > 4 || !written.bytes().all(|b| b.is_ascii_digit()) {
        return figure;
    }
    let sign =
        after.chars().next().and_then(|c| Some((fraction_sign(c)?.parse::<f64>().ok()?, c.len_utf8())));
    match sign.or_else(|| fraction(after)) {
        Some((value, len)) => {
            let value = figure.value.parse().unwrap_or(0.0) + value;
            WrittenNumber { span: figure.span.start..end + len, value: value.to_string() }
        }
        None => figure,
    }
}

/// A proper fraction of inches at the start of a text, and its length. Halves down to 64ths are exact in
/// floating point.
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

/// True if a multiplication sign or "by", and then a number, follow.
fn is_times(text: &str, at: usize) -> bool {
    let rest = text[at..].trim_start();
    let sign = ["x", "X", "×", "*", "by "].iter().find_map(|sign| rest.strip_prefix(sign));
    sign.is_some_and(|rest| rest.trim_start().starts_with(|c| digit(c).is_some()))
}

#[cfg(test)]
mod tests {
    use super::UnitTable;

    #[test]
    fn the_longest_spelling_is_found_by_a_capital_and_by_a_small_letter() {
        static UNITS: UnitTable =
            unit_table!(&[("s", "Sekunde|Sek|s"), ("min", "Минута|m"), ("h", "Stunde|小时")]);
        let found = ["sekunde", "Sekunde", "SEK.", "s", "S", "минута", "m", "M", "小时", "stunde", "x", ""]
            .map(|text| UNITS.at(text, 0));
        let (sekunde, minuta) = (Some((7, "s")), Some((12, "min")));
        let expected = [
            sekunde,
            sekunde,
            Some((3, "s")),
            Some((1, "s")),
            None,
            minuta,
            Some((1, "min")),
            None,
            Some((6, "h")),
            Some((6, "h")),
            None,
            None,
        ];
        assert_eq!(found, expected);
    }
}
