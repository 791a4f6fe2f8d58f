//! Amounts of money: "£995 pcm", "from 12,50 €", "$10–20", "Rs 45 lakh", "1200円".
//!
//! In: a text. Out: [`Value::Money`] matches. The span includes the words for "from" and "per". A number is
//! money only with the sign, code or name of a currency, or with the dash of "12,-". O(length): each number
//! looks at its neighbourhood.
//!
//! Signs that several countries use: the notation knows the money of the country. Without it, a bare `$` is
//! `USD` unless another code is next to the amount ("$5 CAD"). `kr` and `¥` leave the currency open (`None`), but SEK, NOK or DKK anywhere in the text
//! decides `kr`, and 円, 元, JPY or CNY next to the amount decides `¥`. `Rs` is `INR`. A minus sign is ignored:
//! "-£5" is an amount of 5.

mod currency_index;
mod currency_words;

use super::measurements::{UnitTable, unit_table};
use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use super::word_match::{ends_word, is_word_char, prefix, skip_space, word_before};
use super::written_number::{
    WrittenNumber, at_most, decimal, next_number_where, number_at, range_sign, shift,
};
use crate::notation::Notation;
use crate::value::{Decimal, Value};
use crate::value_type::ValueType;

/// Currencies that are written with `$` in their own country.
const DOLLAR_SIGN_CURRENCIES: &[&str] =
    &["USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "ARS", "CLP", "COP", "UYU"];

#[derive(Debug, Clone, Copy)]
pub(super) struct MoneyRecogniser;

impl Recogniser for MoneyRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Money
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.digit && scan.len > 1
    }

    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
        let first = matches.len();
        let mut at = 0;
        let mut floor = 0;
        // "CHF12", "Rp150.000"
        let named = |start: usize, floor: usize| {
            number_at(text, start, notation)
                .is_some_and(|figure| currency_before(text, &figure, floor).is_some())
        };
        while let Some(figure) = next_number_where(text, at, notation, |start| named(start, floor)) {
            at = figure.span.end;
            let Some(found) = amount_at(text, &figure, floor, notation) else { continue };
            let amount = found.amount;
            let (per_end, per) =
                per_unit(text, found.end).map_or((found.end, None), |(end, per)| (end, Some(per)));
            let plus = found.max.is_none() && text[found.end..].starts_with('+');
            let start = from_before(text, found.start, floor);
            at = per_end.max(found.end + usize::from(plus));
            floor = at;
            let ranged = found.max.is_some();
            matches.push(ValueMatch {
                span: start.unwrap_or(found.start)..at,
                value_type: ValueType::Money,
                value: Value::Money {
                    amount,
                    max: found.max,
                    currency: local_currency(&text[found.start..found.end], found.currency, notation),
                    per,
                    // "ranges from £10 to £20" is not a lower bound
                    from: (plus || start.is_some()) && !ranged,
                },
            });
        }
        resolve_kr_currency(text, &mut matches[first..]);
    }
}

/// The currency of an amount. A sign that several countries use means the one of the notation, if that is one
/// of them.
fn local_currency(written: &str, code: Option<&'static str>, notation: Notation) -> Option<&'static str> {
    let shared: &[&str] = match code? {
        // "US$" and "dollars" say more than "$"
        "USD" if !written.contains("US") && !written.contains(char::is_lowercase) => DOLLAR_SIGN_CURRENCIES,
        "Y" => &["JPY", "CNY"],
        "KR" => &["SEK", "NOK", "DKK", "ISK"],
        "PS" => &["MXN", "ARS", "CLP", "COP", "UYU", "PHP"],
        "INR" if !written.contains(['I', '₹']) => &["INR", "PKR", "LKR", "NPR"],
        _ => &[],
    };
    let local = notation.currency.filter(|local| shared.contains(local));
    local.or(code.filter(|code| code.len() == 3))
}

/// Amounts in "kr" get the currency that the text names elsewhere.
fn resolve_kr_currency(text: &str, matches: &mut [ValueMatch]) {
    let mut named = None;
    for value_match in matches {
        let Value::Money { currency: currency @ None, .. } = &mut value_match.value else { continue };
        if text[value_match.span.clone()].to_lowercase().contains("kr") {
            *currency = *named
                .get_or_insert_with(|| ["SEK", "NOK", "DKK"].into_iter().find(|code| text.contains(code)));
        }
    }
}

/// An amount or a range, without "from" and "per".
struct MoneyAmount {
    start: usize,
    end: usize,
    amount: Decimal,
    max: Option<Decimal>,
    currency: Option<&'static str>,
}

/// A number with its multiplier and the currency signs on either side.
struct PricedNumber {
    start: usize,
    end: usize,
    value: Decimal,
    places: usize,
    currency: Option<&'static str>,
    dashed: bool,
}

/// The amount, or the range, that a number starts.
fn amount_at(text: &str, figure: &WrittenNumber, floor: usize, notation: Notation) -> Option<MoneyAmount> {
    let first = priced_number(text, figure, floor);
    let second = range_sign(text, first.end).and_then(|at| range_second(text, &first, at, notation));
    let currency = match &second {
        Some(second) => {
            first.currency.filter(|code| code.len() == 3 || second.currency.is_none()).or(second.currency)
        }
        None => first.currency,
    };
    if currency.is_none() && !first.dashed {
        return None;
    }
    let Some(second) = second else {
        let amount = shift(&first.value, first.places);
        return Some(MoneyAmount { start: first.start, end: first.end, amount, max: None, currency });
    };
    let amount = shift(&first.value, lower_places(&first, &second));
    let max = Some(shift(&second.value, second.places));
    Some(MoneyAmount { start: first.start, end: second.end, amount, max, currency })
}

/// The multiplier of the lower end: both ends of "$10-20k" are thousands.
fn lower_places(first: &PricedNumber, second: &PricedNumber) -> usize {
    if first.places == 0 && second.currency.is_none_or(|_| first.currency.is_none()) {
        second.places
    } else {
        first.places
    }
}

/// The upper end of a range, if there is one at this position.
fn range_second(text: &str, first: &PricedNumber, at: usize, notation: Notation) -> Option<PricedNumber> {
    let (_, start) = currency_at(text, at).map_or(("", at), |(end, code)| (code, skip_space(text, end)));
    let second = priced_number(text, &number_at(text, start, notation)?, at);
    let after = &text[second.end..];
    // "2017-01-26", and a telephone number
    let in_chain =
        after.starts_with(['-', '/', '.', ':']) && after[1..].starts_with(|c: char| c.is_ascii_digit());
    if in_chain || (first.currency.is_none() && second.currency.is_none()) || first.dashed != second.dashed {
        return None;
    }
    // "£450 - 2 bed flat"
    let word = after.trim_start().starts_with(char::is_alphabetic);
    if second.currency.is_none() && word && per_unit(text, second.end).is_none() {
        return None;
    }
    // "2015 - £4,000", "5 - £10"
    let sign_before = start > at;
    if first.currency.is_none() && (sign_before || is_year(text, first)) {
        return None;
    }
    let known = |part: &PricedNumber| part.currency.filter(|code| code.len() == 3);
    let same = known(first).is_none() || known(&second).is_none() || first.currency == second.currency;
    let lower = shift(&first.value, lower_places(first, &second));
    (same && at_most(&lower, &shift(&second.value, second.places))).then_some(second)
}

/// True if the first number looks like a year: "2015 - 4000 €".
fn is_year(text: &str, part: &PricedNumber) -> bool {
    let written = &text[part.start..part.end];
    written.len() == 4 && (written.starts_with("19") || written.starts_with("20"))
}

/// Reads a number and what belongs to it. A sign before it starts at `floor` or later.
fn priced_number(text: &str, figure: &WrittenNumber, floor: usize) -> PricedNumber {
    let written = &text[figure.span.clone()];
    let (scaled, places) = currency_words::multiplier(text, figure.span.end).unwrap_or((figure.span.end, 0));
    let value = if places > 0 { decimal(written) } else { None }.unwrap_or_else(|| figure.value.clone());
    let mut part =
        PricedNumber { start: figure.span.start, end: scaled, value, places, currency: None, dashed: false };
    if let Some(end) = dash(text, scaled).filter(|_| places == 0) {
        part.end = end;
        part.dashed = true;
    }
    if let Some((start, code)) = currency_before(text, figure, floor) {
        part.start = start;
        part.currency = Some(code);
    }
    if let Some(end) = spaced_cents(text, figure, &part) {
        part.value = format!("{}.{}", part.value, &text[end - 2..end]);
        part.end = end;
    }
    if let Some((end, code)) = currency_after(text, figure, &part) {
        // "5€99"
        if let Some(cents) = cents(text, figure, &part, end) {
            part.value = format!("{}.{}", part.value, &text[end..cents]);
            part.end = cents;
        } else {
            part.end = end;
        }
        part.currency = Some(if code.len() < 3 && part.currency.is_some_and(|code| code.len() == 3) {
            part.currency.unwrap_or(code)
        } else {
            code
        });
    } else if places > 0 && part.currency.is_none() {
        part.end = scaled;
    }
    if part.currency == Some("USD") && text[..part.end].ends_with('¢') {
        part.value = currency_words::hundredth(&part.value);
    }
    part
}

/// The end of a dash for "no cents": "12,-", "12.–", "499:-".
fn dash(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].strip_prefix(['.', ',', ':'])?;
    let following = rest.trim_start_matches(['-', '\u{2013}', '\u{2014}', '\u{2212}']);
    let ends = !following.starts_with(|c: char| c.is_alphanumeric());
    (following.len() < rest.len() && ends).then(|| text.len() - following.len())
}

/// The end of cents that are set apart from a whole number by their style: "$21 03", and "11 99 €" if it is
/// the whole text.
fn spaced_cents(text: &str, figure: &WrittenNumber, part: &PricedNumber) -> Option<usize> {
    let is_whole = part.end == figure.span.end && !part.value.contains('.');
    let rest = text[part.end..].strip_prefix([' ', '\u{a0}']).filter(|_| is_whole)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (end, after) = (text.len() - rest.len() + digits, rest[digits..].trim_start());
    let ends = if part.currency.is_some() {
        after.is_empty() || after.starts_with('/')
    } else {
        text[..part.start].trim().is_empty() && is_currency(after)
    };
    (digits == 2 && ends).then_some(end)
}

/// The end of two digits directly after a sign that directly follows a whole number.
fn cents(text: &str, figure: &WrittenNumber, part: &PricedNumber, end: usize) -> Option<usize> {
    let adjacent =
        part.end == figure.span.end && part.start == figure.span.start && !part.value.contains('.');
    let sign = text[figure.span.end..end].chars().next()?;
    let digits = text[end..].bytes().take_while(u8::is_ascii_digit).count();
    let ends = !text[end + digits..].starts_with(|c: char| is_word_char(c) || matches!(c, ',' | '.'));
    (adjacent && digits == 2 && ends && matches!(sign, '€' | '£' | '$')).then_some(end + 2)
}

/// The sign, code or name of a currency directly before a number: where it starts, and the currency.
fn currency_before(text: &str, figure: &WrittenNumber, floor: usize) -> Option<(usize, &'static str)> {
    let before = text.get(floor..figure.span.start)?.trim_end();
    let last = before.chars().next_back()?;
    let spaced = before.len() < figure.span.start - floor;
    let fits = |mark: &&currency_index::CurrencyWord| {
        let Some(start) = before.len().checked_sub(mark.text.len()).filter(|&at| before.is_char_boundary(at))
        else {
            return false;
        };
        let first = mark.text.chars().next().unwrap_or(' ');
        let adjacent = text[..floor + start].chars().next_back().is_some_and(|c| is_word_char(c) || c == '$');
        mark.before && before[start..] == *mark.text && !(adjacent && (is_word_char(first) || first == '$'))
    };
    let mark = currency_index::WORDS_BY_LAST_CHAR
        .get(last)
        .iter()
        .filter(fits)
        .max_by_key(|mark| mark.text.len())?;
    let digits = figure.value.find('.').unwrap_or(figure.value.len());
    let cents = figure.value.len() - digits == 3;
    let large = digits > 2 || cents || (spaced && digits > 1);
    // "R2-D2", "R350 BLUETEC"
    let following = &text[figure.span.end..];
    let adjacent = following.starts_with(|c: char| c == '-' || (c.is_alphabetic() && is_word_char(c)));
    let named = !spaced && following.trim_start().starts_with(char::is_alphabetic);
    let model = (adjacent || named) && per_unit(text, figure.span.end).is_none();
    let fits = !mark.large || (large && !model);
    fits.then(|| (floor + before.len() - mark.text.len(), mark.code))
}

/// True if a text is the sign, code or name of a currency. Letters that are mostly something else do not count.
///
/// ```
/// use copal_values::recognise::is_currency;
/// assert!(is_currency("$") && is_currency("EUR") && is_currency("zł"));
/// assert!(!is_currency("R") && !is_currency("reviews"));
/// ```
pub fn is_currency(text: &str) -> bool {
    let first = text.chars().next();
    let words = first.map_or(&[][..], |first| currency_index::WORDS_BY_FIRST_CHAR.get(first));
    words.iter().any(|word| word.text == text && !word.large)
}

/// The currency sign that starts at this position: where it ends, and the currency.
fn currency_at(text: &str, at: usize) -> Option<(usize, &'static str)> {
    let rest = &text[at..];
    let list = currency_index::WORDS_BY_FIRST_CHAR.get(rest.chars().next()?);
    let fits = |mark: &&currency_index::CurrencyWord| rest.starts_with(mark.text);
    list.iter().filter(fits).max_by_key(|mark| mark.text.len()).map(|mark| (at + mark.text.len(), mark.code))
}

/// The sign, code or name of a currency after a number: where it ends, and the currency.
fn currency_after(text: &str, figure: &WrittenNumber, part: &PricedNumber) -> Option<(usize, &'static str)> {
    let start = skip_space(text, part.end);
    let rest = &text[start..];
    let first = rest.chars().next()?;
    let lower = first.to_lowercase().next().unwrap_or(first);
    let fits = |mark: &&currency_index::CurrencyWord| {
        let any_case = mark.text.chars().count() > 3;
        mark.after
            && prefix(rest, mark.text, any_case)
                .is_some_and(|len| ends_word(mark.text, without_slash(&rest[len..])))
            && !(mark.large && figure.value.find('.').unwrap_or(figure.value.len()) < 3)
    };
    let lists =
        [currency_index::WORDS_BY_FIRST_CHAR.get(first), currency_index::WORDS_BY_FIRST_CHAR.get(lower)];
    let mark = lists.into_iter().flatten().filter(fits).max_by_key(|mark| mark.text.len())?;
    let end = start + prefix(rest, mark.text, true)?;
    let following = &text[end..];
    let next_is_figure = following.starts_with(|c: char| c.is_ascii_digit());
    if part.currency.is_some() {
        // "€ 10 € 20": the second sign belongs to the second number. "$5 CAD": the code is more precise.
        let says_more = mark.text.chars().all(char::is_alphabetic);
        return (says_more && !following.trim_start().starts_with(|c: char| c.is_ascii_digit()))
            .then_some((end, mark.code));
    }
    (start == part.end || !next_is_figure).then_some((end, mark.code))
}

/// The rest after a currency. The slash of "EUR/kg" does not continue the word.
fn without_slash(rest: &str) -> &str {
    if rest.starts_with('/') { "" } else { rest }
}

/// Where the words for "from" before an amount start.
fn from_before(text: &str, start: usize, floor: usize) -> Option<usize> {
    let before = text.get(floor..start)?.trim_end().trim_end_matches(':');
    word_before(before, currency_words::FROM_WORDS).map(|at| floor + at)
}

/// The unit that an amount is for ("per month"): where it ends, and the unit.
fn per_unit(text: &str, at: usize) -> Option<(usize, &'static str)> {
    static ALONE_UNITS: UnitTable = unit_table!(currency_words::PER_ALONE);
    static NOUN_UNITS: UnitTable = unit_table!(currency_words::PER_NOUNS);
    let mut start = skip_space(text, at);
    let open = text[start..].starts_with('(');
    start = skip_space(text, start + usize::from(open));
    let found = ALONE_UNITS.at(text, start).or_else(|| {
        let rest = &text[start..];
        let len = currency_words::PER_LEADS.iter().find_map(|lead| prefix(rest, lead, true))?;
        NOUN_UNITS.at(text, skip_space(text, start + len))
    });
    let (end, per) = found?;
    Some((end + usize::from(open && text[end..].starts_with(')')), per))
}

#[cfg(test)]
mod tests;
