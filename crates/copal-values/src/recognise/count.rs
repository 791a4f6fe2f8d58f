//! How many of something: "1,374 reviews", "Reviews (86)", "1000+ items", "3.2k views", "156条评论".
//!
//! In: a text. Out: [`Value::Count`] matches with the noun in lower case as written. A number counts only
//! with one of the nouns below, after it (with up to two adjectives between) or before it ("Reviews: 86",
//! "Reviews (86)"). O(length): nouns are looked up in a hash table, not tried one by one.

pub(super) mod counted_nouns;

use self::counted_nouns::{ADJECTIVES, MORE_THAN_WORDS, UNSPACED_NOUNS, is_counted_noun};
use super::measurements::{UnitTable, unit_table};
use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use super::word_match::{skip_space, word_before};
use super::written_number::{WrittenNumber, decimal, next_number, shift};
use crate::notation::Notation;
use crate::numbers::is_currency_sign;
use crate::value::{Decimal, Value};
use crate::value_type::ValueType;
use std::ops::Range;

#[derive(Debug, Clone, Copy)]
pub(super) struct CountRecogniser;

impl Recogniser for CountRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Count
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.digit && scan.letter
    }

    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
        let mut at = 0;
        let mut floor = 0;
        while let Some(figure) = next_number(text, at, notation) {
            at = figure.span.end;
            let before = &text[..figure.span.start];
            // "Fe-47 ...", "08630 ...": model names and part numbers
            let model = before.strip_suffix('-').is_some_and(|before| before.ends_with(char::is_alphabetic));
            let zeros = figure.value.len() < figure.span.len() && text[figure.span.clone()].starts_with('0');
            if model || (zeros && figure.span.len() > 2) || before.trim_end().ends_with(is_currency_sign) {
                continue;
            }
            let (mut end, value) = scaled(text, &figure);
            let plus = text[end..].starts_with(['+', '＋']);
            end += text[end..].chars().next().filter(|_| plus).map_or(0, char::len_utf8);
            let at_least = plus || word_before(before.trim_end(), MORE_THAN_WORDS).is_some();
            let bracketed = before.ends_with(['(', '（']) && text[end..].starts_with([')', '）']);
            if let Some(noun) =
                noun_after(text, end, bracketed).filter(|noun| !is_star_rating(&text[noun.clone()], &value))
            {
                // 리뷰 86개: the noun precedes the number, and a classifier follows it
                let classifier = matches!(&text[noun.clone()], "개" | "건" | "件");
                let named =
                    noun_before(text, &figure, noun.end, false).filter(|it| classifier && it.start >= floor);
                let start = if bracketed { opening(before) } else { figure.span.start };
                let start = named.as_ref().map_or(start, |it| it.start);
                at = noun.end;
                floor = at;
                matches.push(count_match(start..noun.end, value, at_least, &text[named.unwrap_or(noun)]));
            } else if let Some(noun) =
                noun_before(text, &figure, end, bracketed).filter(|noun| noun.start >= floor)
            {
                end += if bracketed { text[end..].chars().next().map_or(0, char::len_utf8) } else { 0 };
                at = end;
                floor = at;
                matches.push(count_match(noun.start..end, value, at_least, &text[noun]));
            }
        }
    }
}

fn count_match(span: Range<usize>, value: Decimal, at_least: bool, noun: &str) -> ValueMatch {
    ValueMatch {
        span,
        value_type: ValueType::Count,
        value: Value::Count { value, at_least, of: noun.to_lowercase() },
    }
}

/// "4.5 stars" is a rating, "120 stars" a count.
fn is_star_rating(noun: &str, value: &str) -> bool {
    noun.to_lowercase().starts_with("star") && (value.contains('.') || value.len() == 1)
}

/// The number times the "k", "M" or word for a large number that follows it, and where that ends.
fn scaled(text: &str, figure: &WrittenNumber) -> (usize, Decimal) {
    static MULTIPLIERS: UnitTable = unit_table!(&[
        ("3", "k|K|тыс|тыс.|Tsd|Tsd.|mil|천"),
        ("4", "万|萬|만"),
        ("6", "M|m|Mio|Mio.|million|млн|млн.|B"),
    ]);
    let found = MULTIPLIERS.at(text, figure.span.end).or_else(|| {
        let start = skip_space(text, figure.span.end);
        MULTIPLIERS.at(text, start).filter(|&(end, _)| end - start > 1)
    });
    let places = found.and_then(|(end, places)| Some((end, places.parse().ok()?)));
    match places {
        Some((end, _)) if text[figure.span.end..end].ends_with('B') => (end, shift_written(text, figure, 9)),
        Some((end, places)) => (end, shift_written(text, figure, places)),
        None => (figure.span.end, figure.value.clone()),
    }
}

fn shift_written(text: &str, figure: &WrittenNumber, places: usize) -> Decimal {
    let value = decimal(&text[figure.span.clone()]).unwrap_or_else(|| figure.value.clone());
    shift(&value, places)
}

fn opening(before: &str) -> usize {
    before.char_indices().next_back().map_or(0, |(at, _)| at)
}

/// The noun after a number, with up to two adjectives between.
fn noun_after(text: &str, end: usize, bracketed: bool) -> Option<Range<usize>> {
    let mut at = end + if bracketed { text[end..].chars().next().map_or(0, char::len_utf8) } else { 0 };
    if !bracketed && text[at..].starts_with('-') {
        at += 1;
    }
    let mut found = None;
    for _ in 0..3 {
        let start = skip_space(text, at);
        if let Some((end, _)) = UNSPACED_NOUNS.at(text, start) {
            return Some(start..end);
        }
        let Some(word) = word_at(text, start) else { break };
        let lower = text[word.clone()].to_lowercase();
        if is_counted_noun(&lower) {
            found = Some(word.clone());
        }
        // "customer" is also a noun, but the "reviews" after it matter more.
        if !ADJECTIVES.contains(&lower) {
            break;
        }
        at = word.end;
    }
    found
}

/// The word that starts at this position. Words of more than 24 letters do not count.
fn word_at(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..];
    let len = rest
        .char_indices()
        .take(25)
        .find(|(_, c)| !c.is_alphabetic())
        .map_or(rest.len().min(100), |(at, _)| at);
    (len > 0 && rest.is_char_boundary(len)).then_some(start..start + len)
}

/// The noun before a number: "Reviews: 86" or "Reviews (86)", if the text ends or another word starts after
/// it.
fn noun_before(text: &str, figure: &WrittenNumber, end: usize, bracketed: bool) -> Option<Range<usize>> {
    let before =
        text[..figure.span.start].strip_suffix(['(', '（']).unwrap_or(&text[..figure.span.start]).trim_end();
    // 리뷰 86, 评价 2240: no colon in scripts whose nouns need no spaces
    let needs_no_colon =
        |c: char| ('\u{ac00}'..='\u{d7a3}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c);
    let before = match before.strip_suffix([':', '：']) {
        Some(before) if !bracketed => before.trim_end(),
        None if bracketed || before.ends_with(needs_no_colon) => before,
        _ => return None,
    };
    if !bracketed && text[end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '/' | '%')) {
        return None;
    }
    let letters =
        before.chars().rev().take(25).take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum::<usize>();
    let start = before.len() - letters;
    let word = &before[start..];
    let unspaced = || UNSPACED_NOUNS.at(before, start).is_some_and(|(end, _)| end == before.len());
    (letters > 0 && (is_counted_noun(&word.to_lowercase()) || unspaced())).then_some(start..before.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognise::test_support::{check_spans_of_any_text, check_table, matched_texts};

    fn show(value: &Value) -> String {
        match value {
            Value::Count { value, at_least, of } => {
                format!("{value}{} {of}", if *at_least { "+" } else { "" })
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn counts() {
        let cases = "
            1,374 reviews => 1374 reviews
            1,374 customer reviews => 1374 reviews
            1,374 global ratings => 1374 ratings
            (86) reviews => 86 reviews
            (86 reviews) => 86 reviews
            Reviews (86) => 86 reviews
            Reviews: 86 => 86 reviews
            24 results => 24 results
            1-24 of 1,374 results => 1374 results
            1000+ items => 1000+ items
            Over 500 products => 500+ products
            12 comentarios => 12 comentarios
            156 Bewertungen => 156 bewertungen
            156 Kundenrezensionen => 156 kundenrezensionen
            1.374 avis => 1374 avis
            3.2k views => 3200 views
            1.5M followers => 1500000 followers
            1,2 Mio. Aufrufe => 1200000 aufrufe
            2 mil visitas => 2000 visitas
            5 тыс. просмотров => 5000 просмотров
            1 comment => 1 comment
            4.5 stars 20 ratings => 20 ratings
            120 stars => 120 stars
            3 bedrooms => 3 bedrooms
            3-bedroom house => 3 bedroom
            2 double bedrooms, 1 bath => 2 bedrooms; 1 bath
            5 doors => 5 doors
            4 Zimmer => 4 zimmer
            3 pièces => 3 pièces
            2 habitaciones 1 baño => 2 habitaciones; 1 baño
            12 recensioni => 12 recensioni
            33 avaliações => 33 avaliações
            9 beoordelingen => 9 beoordelingen
            7 omdömen => 7 omdömen
            15 opinii => 15 opinii
            21 отзыв => 21 отзыв
            48 yorum => 48 yorum
            156条评论 => 156 条评论
            1.2万条评价 => 12000 条评价
            86件のレビュー => 86 件のレビュー
            리뷰 86개 => 86 리뷰
            리뷰 (1,024) => 1024 리뷰
            评价 2240 => 2240 评价
            86 รีวิว => 86 รีวิว
            more than 1,000 customers => 1000+ customers
            10 new offers => 10 offers
            3 sold => 3 sold
            Kommentare: 12 => 12 kommentare";
        let misses = "
            (86)
            86
            12 minutes
            4.5 stars
            £5 items
            2017
            Room 12
            5 reviewable
            A4 pages
            12 km
            top 10
            24/7
            9 lives
            Results for 2017
            Page: 3/5
            k views
            Stylus 7040 Point & Shoot
            2012-08630-AD
            FE-47 photos";
        check_table(&CountRecogniser, show, cases, misses);
    }

    #[test]
    fn a_span_is_number_and_noun() {
        assert_eq!(
            matched_texts(&CountRecogniser, "4.1 (86) customer reviews, Photos (7)!"),
            ["(86) customer reviews", "Photos (7)"]
        );
    }

    #[test]
    fn any_text_is_safe() {
        check_spans_of_any_text(
            &CountRecogniser,
            "reviews ( ) (12) k M + 万 条评论 리뷰 개 new offers: over Rooms: İ",
        );
    }
}
