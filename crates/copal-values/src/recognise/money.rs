//! Amounts of money: "£995 pcm", "from 12,50 €", "$10–20", "Rs 45 lakh", "1200円".
//!
//! In: a text. Out: [`Value::Money`] hits; the span covers the words for "from" and "per" too. A figure is money only with
//! a sign, code or word of a currency, or with the dash of "12,-". O(length): each figure looks at its neighbourhood.
//!
//! Signs that several countries use: a bare `$` is `USD` unless another code stands at the amount ("$5 CAD"); `kr` and `¥`
//! say no currency (`None`), but a text that writes SEK, NOK or DKK settles `kr`, and 円, 元, JPY or CNY at the amount
//! settle `¥`; `Rs` is `INR`. A minus is not read: "-£5" is an amount of 5.

mod words;

use super::number::figures::{
    Figure, Units, at_most, decimal, ends_word, figure_at, is_word, next_figure_behind, prefix, range_sign,
    shift, skip_space, word_before,
};
use super::{Hit, Marks, Recogniser};
use crate::value::{Decimal, Value};
use crate::value_type::ValueType;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Finds amounts of money.
#[derive(Debug, Clone, Copy)]
pub struct Money;

impl Recogniser for Money {
    fn kind(&self) -> ValueType {
        ValueType::Money
    }

    fn wants(&self, marks: Marks) -> bool {
        marks.digit && marks.len > 1
    }

    fn find(&self, text: &str, hits: &mut Vec<Hit>) {
        let first = hits.len();
        let mut at = 0;
        let mut floor = 0;
        // "CHF12", "Rp150.000"
        let named = |start: usize, floor: usize| {
            figure_at(text, start).is_some_and(|figure| mark_before(text, &figure, floor).is_some())
        };
        while let Some(figure) = next_figure_behind(text, at, |start| named(start, floor)) {
            at = figure.span.end;
            let Some(found) = sum(text, &figure, floor) else { continue };
            let amount = found.amount;
            let (per_end, per) =
                per(text, found.end).map_or((found.end, None), |(end, per)| (end, Some(per)));
            let plus = found.max.is_none() && text[found.end..].starts_with('+');
            let start = from(text, found.start, floor);
            at = per_end.max(found.end + usize::from(plus));
            floor = at;
            let ranged = found.max.is_some();
            hits.push(Hit {
                span: start.unwrap_or(found.start)..at,
                kind: ValueType::Money,
                value: Value::Money {
                    amount,
                    max: found.max,
                    currency: found.currency.filter(|code| code.len() == 3),
                    per,
                    // "ranges from £10 to £20" is no lower bound
                    from: (plus || start.is_some()) && !ranged,
                },
            });
        }
        settle_crowns(text, &mut hits[first..]);
    }
}

/// Where a text names its crowns elsewhere, an amount in "kr" is of those.
fn settle_crowns(text: &str, hits: &mut [Hit]) {
    let mut named = None;
    for hit in hits {
        let Value::Money { currency: currency @ None, .. } = &mut hit.value else { continue };
        if text[hit.span.clone()].to_lowercase().contains("kr") {
            *currency = *named
                .get_or_insert_with(|| ["SEK", "NOK", "DKK"].into_iter().find(|code| text.contains(code)));
        }
    }
}

/// What was read at a figure, without "from" and "per".
struct Sum {
    start: usize,
    end: usize,
    amount: Decimal,
    max: Option<Decimal>,
    currency: Option<&'static str>,
}

/// A figure with what belongs to it: a multiplier and signs of a currency on either side.
struct Part {
    start: usize,
    end: usize,
    value: Decimal,
    places: usize,
    currency: Option<&'static str>,
    dashed: bool,
}

/// The amount, or the range, that a figure starts.
fn sum(text: &str, figure: &Figure, floor: usize) -> Option<Sum> {
    let first = part(text, figure, floor);
    let second = range_sign(text, first.end).and_then(|at| second(text, &first, at));
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
        return Some(Sum { start: first.start, end: first.end, amount, max: None, currency });
    };
    let amount = shift(&first.value, lower_places(&first, &second));
    let max = Some(shift(&second.value, second.places));
    Some(Sum { start: first.start, end: second.end, amount, max, currency })
}

/// "$10-20k" are thousands both.
fn lower_places(first: &Part, second: &Part) -> usize {
    if first.places == 0 && second.currency.is_none_or(|_| first.currency.is_none()) {
        second.places
    } else {
        first.places
    }
}

/// The upper end of a range, if what stands here is one.
fn second(text: &str, first: &Part, at: usize) -> Option<Part> {
    let (_, start) = mark_at(text, at).map_or(("", at), |(end, code)| (code, skip_space(text, end)));
    let second = part(text, &figure_at(text, start)?, at);
    let after = &text[second.end..];
    // "2017-01-26", and a telephone number
    let in_chain =
        after.starts_with(['-', '/', '.', ':']) && after[1..].starts_with(|c: char| c.is_ascii_digit());
    if in_chain || (first.currency.is_none() && second.currency.is_none()) || first.dashed != second.dashed {
        return None;
    }
    // "£450 - 2 bed flat"
    let word = after.trim_start().starts_with(char::is_alphabetic);
    if second.currency.is_none() && word && per(text, second.end).is_none() {
        return None;
    }
    // "2015 - £4,000", "5 - £10"
    let sign_before = start > at;
    if first.currency.is_none() && (sign_before || after_year(text, first)) {
        return None;
    }
    let known = |part: &Part| part.currency.filter(|code| code.len() == 3);
    let same = known(first).is_none() || known(&second).is_none() || first.currency == second.currency;
    let lower = shift(&first.value, lower_places(first, &second));
    (same && at_most(&lower, &shift(&second.value, second.places))).then_some(second)
}

/// True if the first figure looks like a year: "2015 - 4000 €".
fn after_year(text: &str, part: &Part) -> bool {
    let written = &text[part.start..part.end];
    written.len() == 4 && (written.starts_with("19") || written.starts_with("20"))
}

/// Reads what belongs to a figure; a sign before it starts no earlier than `floor`.
fn part(text: &str, figure: &Figure, floor: usize) -> Part {
    let written = &text[figure.span.clone()];
    let (scaled, places) = words::scale(text, figure.span.end).unwrap_or((figure.span.end, 0));
    let value = if places > 0 { decimal(written) } else { None }.unwrap_or_else(|| figure.value.clone());
    let mut part =
        Part { start: figure.span.start, end: scaled, value, places, currency: None, dashed: false };
    if let Some(end) = dash(text, scaled).filter(|_| places == 0) {
        part.end = end;
        part.dashed = true;
    }
    if let Some((start, code)) = mark_before(text, figure, floor) {
        part.start = start;
        part.currency = Some(code);
    }
    if let Some((end, code)) = mark_behind(text, figure, &part) {
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
        part.value = words::hundredth(&part.value);
    }
    part
}

/// The end of a dash for "no cents": "12,-", "12.–", "499:-".
fn dash(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].strip_prefix(['.', ',', ':'])?;
    let behind = rest.trim_start_matches(['-', '\u{2013}', '\u{2014}', '\u{2212}']);
    let ends = !behind.starts_with(|c: char| c.is_alphanumeric());
    (behind.len() < rest.len() && ends).then(|| text.len() - behind.len())
}

/// The end of two digits glued behind a sign that is glued to a whole number.
fn cents(text: &str, figure: &Figure, part: &Part, end: usize) -> Option<usize> {
    let glued = part.end == figure.span.end && part.start == figure.span.start && !part.value.contains('.');
    let sign = text[figure.span.end..end].chars().next()?;
    let digits = text[end..].bytes().take_while(u8::is_ascii_digit).count();
    let ends = !text[end + digits..].starts_with(|c: char| is_word(c) || matches!(c, ',' | '.'));
    (glued && digits == 2 && ends && matches!(sign, '€' | '£' | '$')).then_some(end + 2)
}

/// The sign, code or word of a currency right before a figure: where it starts, and the currency.
fn mark_before(text: &str, figure: &Figure, floor: usize) -> Option<(usize, &'static str)> {
    let before = text.get(floor..figure.span.start)?.trim_end();
    let last = before.chars().next_back()?;
    let spaced = before.len() < figure.span.start - floor;
    let fits = |mark: &&words::Mark| {
        let Some(start) = before.len().checked_sub(mark.text.len()).filter(|&at| before.is_char_boundary(at))
        else {
            return false;
        };
        let first = mark.text.chars().next().unwrap_or(' ');
        let glued = text[..floor + start].chars().next_back().is_some_and(|c| is_word(c) || c == '$');
        mark.before && before[start..] == *mark.text && !(glued && (is_word(first) || first == '$'))
    };
    let mark = words::ENDING.get(&last)?.iter().filter(fits).max_by_key(|mark| mark.text.len())?;
    let digits = figure.value.find('.').unwrap_or(figure.value.len());
    let cents = figure.value.len() - digits == 3;
    let large = digits > 2 || cents || (spaced && digits > 1);
    // "R2-D2", "R350 BLUETEC"
    let behind = &text[figure.span.end..];
    let glued = behind.starts_with(|c: char| c == '-' || (c.is_alphabetic() && is_word(c)));
    let named = !spaced && behind.trim_start().starts_with(char::is_alphabetic);
    let model = (glued || named) && per(text, figure.span.end).is_none();
    let fits = !mark.large || (large && !model);
    fits.then(|| (floor + before.len() - mark.text.len(), mark.code))
}

/// The sign that starts exactly here.
fn mark_at(text: &str, at: usize) -> Option<(usize, &'static str)> {
    let rest = &text[at..];
    let list = words::STARTING.get(&rest.chars().next()?)?;
    let fits = |mark: &&words::Mark| rest.starts_with(mark.text);
    list.iter().filter(fits).max_by_key(|mark| mark.text.len()).map(|mark| (at + mark.text.len(), mark.code))
}

/// The sign, code or word of a currency behind a figure: where it ends, and the currency.
fn mark_behind(text: &str, figure: &Figure, part: &Part) -> Option<(usize, &'static str)> {
    let start = skip_space(text, part.end);
    let rest = &text[start..];
    let first = rest.chars().next()?;
    let lower = first.to_lowercase().next().unwrap_or(first);
    let fits = |mark: &&words::Mark| {
        let any_case = mark.text.chars().count() > 3;
        mark.behind
            && prefix(rest, mark.text, any_case)
                .is_some_and(|len| ends_word(mark.text, unslashed(&rest[len..])))
            && !(mark.large && figure.value.find('.').unwrap_or(figure.value.len()) < 3)
    };
    let lists = [words::STARTING.get(&first), words::STARTING.get(&lower)];
    let mark = lists.into_iter().flatten().flatten().filter(fits).max_by_key(|mark| mark.text.len())?;
    let end = start + prefix(rest, mark.text, true)?;
    let behind = &text[end..];
    let next_is_figure = behind.starts_with(|c: char| c.is_ascii_digit());
    if part.currency.is_some() {
        // "€ 10 € 20": the second sign belongs to the second figure, "$5 CAD" says more
        let says_more = mark.text.chars().all(char::is_alphabetic);
        return (says_more && !behind.trim_start().starts_with(|c: char| c.is_ascii_digit()))
            .then_some((end, mark.code));
    }
    (start == part.end || !next_is_figure).then_some((end, mark.code))
}

/// What is behind a mark, without the slash of "EUR/kg" that continues no word here.
fn unslashed(rest: &str) -> &str {
    if rest.starts_with('/') { "" } else { rest }
}

/// Where words for "from" start that stand before an amount.
fn from(text: &str, start: usize, floor: usize) -> Option<usize> {
    let before = text.get(floor..start)?.trim_end().trim_end_matches(':');
    word_before(before, words::FROM).map(|at| floor + at)
}

/// What an amount is for: where that ends, and its unit.
fn per(text: &str, at: usize) -> Option<(usize, &'static str)> {
    static ALONE: LazyLock<Units> = LazyLock::new(|| Units::new(words::PER_ALONE));
    static NOUNS: LazyLock<Units> = LazyLock::new(|| Units::new(words::PER_NOUNS));
    let mut start = skip_space(text, at);
    let open = text[start..].starts_with('(');
    start = skip_space(text, start + usize::from(open));
    let found = ALONE.at(text, start).or_else(|| {
        let rest = &text[start..];
        let len = words::PER_LEADS.iter().find_map(|lead| prefix(rest, lead, true))?;
        NOUNS.at(text, skip_space(text, start + len))
    });
    let (end, per) = found?;
    Some((end + usize::from(open && text[end..].starts_with(')')), per))
}

/// Marks by a letter.
type Marked = HashMap<char, Vec<words::Mark>>;

#[cfg(test)]
mod tests;
