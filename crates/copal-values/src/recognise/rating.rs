//! Ratings: "4.1 out of 5", "4.5/5", "★★★★☆", "3 stars", "Rated 4.0", and class words such as "a-star-4-5".
//!
//! In: a text, or one class word. Out: [`Value::Rating`] matches. A missing maximum is 5, or 10 for ratings
//! between 5 and 10. "1 of 5" may be a page number: such weak words need a decimal, a star or a word for
//! "rated" next to the number. In class words, "4-5" and "45" mean four and a half. O(length).

use super::count::counted_nouns::is_counted_noun;
use super::measurements::{UnitTable, unit_table};
use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use super::word_match::{ends_word, prefix, skip_space, word_before};
use super::written_number::{WrittenNumber, at_most, decimal, next_number, number_at};
use crate::notation::Notation;
use crate::value::{Decimal, Value};
use crate::value_type::ValueType;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

#[derive(Debug, Clone, Copy)]
pub(super) struct RatingRecogniser;

/// Words for stars after a number.
static STAR_WORDS: UnitTable = unit_table!(&[(
    "star",
    "star|stars|Stern|Sterne|Sternen|étoile|étoiles|estrella|estrellas|estrela|estrelas|stella|stelle|\
        ster|sterren|\
         stjärna|stjärnor|stjerner|stjerne|gwiazdka|gwiazdki|gwiazdek|звезда|звезды|звезд|звёзд|звёзды|\
         yıldız|hvězdiček|\
         つ星|星|颗星|顆星|ดาว|★|⭐|☆",
)]);

/// Words between a rating and its maximum that need no further evidence.
const STRONG_OUT_OF: &[&str] = &["/", "out of", "von max.", "van de", "sur un total de", "su un massimo di"];
/// Words between a rating and its maximum that need further evidence.
const WEAK_OUT_OF: &[&str] =
    &["of", "von", "sur", "de", "su", "av", "af", "van", "uit", "из", "na", "z", "em", "di"];

/// The maximum, in languages that write it first.
const MAXIMUM_FIRST: &[&str] = &["5つ星のうち", "5 yıldız üzerinden", "5点中", "5점 만점에", "5段階中"];

/// Words before a rating.
const RATED_WORDS: &[&str] = &[
    "rated",
    "rating",
    "average rating",
    "bewertung",
    "bewertet mit",
    "note",
    "noté",
    "nota",
    "puntuación",
    "calificación",
    "valoración",
    "valutazione",
    "avaliação",
    "score",
    "waardering",
    "beoordeling",
    "betyg",
    "ocena",
    "оценка",
    "рейтинг",
    "puan",
    "评分",
    "評分",
    "評価",
    "평점",
    "별점",
    "คะแนน",
    "★",
    "⭐",
];

impl Recogniser for RatingRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Rating
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        // two stars are six bytes
        scan.digit || scan.len >= 6
    }

    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
        if let Some((value, of)) = class_word(text) {
            matches.push(rating_match(0..text.len(), value, of));
            return;
        }
        let first = matches.len();
        let mut stars = StarRuns { text, at: 0 };
        let mut run = stars.next();
        let mut at = 0;
        while let Some(figure) = next_number(text, at, notation) {
            at = figure.span.end;
            let Some(found) = rating_at(text, &figure, notation) else { continue };
            // Runs of stars before this rating count, those inside it do not.
            while let Some((span, value, of)) = run.take_if(|(span, ..)| span.start < found.0.end) {
                if span.end <= found.0.start {
                    matches.push(rating_match(span, value, of));
                }
                run = stars.next();
            }
            at = at.max(found.0.end);
            if found.0.start >= matches[first..].last().map_or(0, |value_match| value_match.span.end) {
                matches.push(rating_match(found.0, found.1, found.2));
            }
        }
        matches.extend(run.into_iter().chain(stars).map(|(span, value, of)| rating_match(span, value, of)));
    }
}

fn rating_match(span: Range<usize>, value: Decimal, of: Decimal) -> ValueMatch {
    ValueMatch { span, value_type: ValueType::Rating, value: Value::Rating { value, of } }
}

/// A span, a rating and its maximum.
type FoundRating = (Range<usize>, Decimal, Decimal);

/// The rating at a number, if it is one.
fn rating_at(text: &str, figure: &WrittenNumber, notation: Notation) -> Option<FoundRating> {
    let written = &text[figure.span.clone()];
    let value = decimal(written).filter(|value| value.len() <= 5)?;
    if MAXIMUM_FIRST.iter().any(|lead| text[figure.span.start..].starts_with(lead)) {
        return None;
    }
    let rated = rated_before(&text[..figure.span.start]);
    let start = rated.unwrap_or(figure.span.start);
    if let Some((of, end)) = maximum_after(text, figure, &value, rated.is_some()) {
        return Some((start..end, value, of));
    }
    if let Some(of) = maximum_before(&text[..figure.span.start]) {
        return at_most(&value, "5").then(|| (of..figure.span.end, value, "5".to_owned()));
    }
    let default = default_scale(&value, notation);
    if let Some((end, _)) = STAR_WORDS.after(text, figure.span.end) {
        // A run of stars after a number is a rating of its own.
        let more = text[end..].starts_with(is_star);
        let most = notation.rating_scale.map_or("5".to_owned(), |scale| scale.to_string());
        let whole = value.len() <= 3 && at_most(&value, &most) && value != "0";
        return (whole && !more && written.len() == value.len()).then_some((start..end, value, default));
    }
    let start = rated?;
    let after = &text[figure.span.end..];
    let clear = if value.contains('.') {
        !after.starts_with(['%', '/', '+'])
    } else {
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '%' | '/' | '+' | '-' | '.');
        !after.trim_start().starts_with(goes_on)
    };
    (clear && at_most(&value, "10")).then_some((start..figure.span.end, value, default))
}

/// The maximum of a rating that the text does not name: that of the column, or the smaller usual one.
fn default_scale(value: &str, notation: Notation) -> Decimal {
    let column = notation.rating_scale.map(|scale| scale.to_string());
    let usual = || if at_most(value, "5") { "5" } else { "10" }.to_owned();
    column.filter(|scale| at_most(value, scale)).unwrap_or_else(usual)
}

/// The maximum after a rating, and where it ends.
fn maximum_after(text: &str, figure: &WrittenNumber, value: &str, rated: bool) -> Option<(Decimal, usize)> {
    // "4 stars out of 5"
    let after_stars = STAR_WORDS.after(text, figure.span.end).map(|(end, _)| end);
    let start = skip_space(text, after_stars.unwrap_or(figure.span.end));
    let rest = &text[start..];
    let word = |list: &[&str]| {
        list.iter().find_map(|word| {
            prefix(rest, word, true).filter(|&len| ends_word(word, after_slash(word, &rest[len..])))
        })
    };
    let (len, strong) =
        word(STRONG_OUT_OF).map(|len| (len, true)).or_else(|| word(WEAK_OUT_OF).map(|len| (len, false)))?;
    let of = first_group(text, number_at(text, skip_space(text, start + len), Notation::default())?);
    let end = STAR_WORDS.after(text, of.span.end).map_or(of.span.end, |(end, _)| end);
    let slash = rest.starts_with('/');
    let bests: &[&str] = if slash { &["5", "10", "100"] } else { &["4", "5", "6", "10", "20", "100"] };
    let number = of.value.trim_end_matches('0').trim_end_matches('.');
    let of_value = if of.value.contains('.') { number.to_owned() } else { of.value.clone() };
    if !bests.contains(&of_value.as_str()) || !at_most(value, &of_value) {
        return None;
    }
    let after = &text[end..];
    // 1/5/2017, 4/5-inch, 3/10%
    let goes_on = after.starts_with(['/', '%', ':', '-', '\u{2011}'])
        || after.starts_with(|c: char| c.is_alphanumeric() && c < '\u{e00}');
    let next: String = after.trim_start().chars().take_while(|c| c.is_alphabetic()).take(20).collect();
    let counted = end == of.span.end
        && (is_counted_noun(&next.to_lowercase())
            || ["people", "found", "photos", "sec", "second", "seconds", "s"].contains(&&*next));
    let helped = strong || rated || value.contains('.') || end > of.span.end || after_stars.is_some();
    (!goes_on && !counted && helped).then_some((of_value, end))
}

/// "4.6 out of 5 212 reviews": a maximum has no thousands.
fn first_group(text: &str, mut of: WrittenNumber) -> WrittenNumber {
    if let Some(end) = text[of.span.clone()].find(char::is_whitespace) {
        of.span.end = of.span.start + end;
        text[of.span.clone()].clone_into(&mut of.value);
    }
    of
}

/// The rest after a word. "/" needs no space after it.
fn after_slash<'t>(word: &str, rest: &'t str) -> &'t str {
    if word == "/" { "" } else { rest }
}

/// Where the word for "rated" before a number starts.
fn rated_before(before: &str) -> Option<usize> {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | '='));
    word_before(before, RATED_WORDS).filter(|&at| !before[..at].ends_with(is_star))
}

/// Where the maximum starts, if it is written first: "5つ星のうち4.5".
fn maximum_before(before: &str) -> Option<usize> {
    let before = before.trim_end();
    MAXIMUM_FIRST.iter().find_map(|lead| Some(before.strip_suffix(lead)?.len()))
}

fn is_star(c: char) -> bool {
    matches!(c, '★' | '☆' | '⭐' | '✩' | '✭' | '✮' | '⯪' | '⯨' | '🟊' | '✪' | '✰')
}

/// Runs of two or more stars, filled and empty.
struct StarRuns<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for StarRuns<'_> {
    type Item = FoundRating;

    fn next(&mut self) -> Option<FoundRating> {
        loop {
            let start = self.at + self.text[self.at..].find(|c: char| !c.is_ascii() && is_star(c))?;
            let (mut full, mut half, mut all, mut end) = (0, false, 0, start);
            for (at, c) in self.text[start..].char_indices() {
                match c {
                    '★' | '⭐' | '✭' | '✮' | '🟊' | '✪' => full += 1,
                    '⯪' | '⯨' | '½' => half = true,
                    '☆' | '✩' | '✰' => {}
                    '\u{fe0f}' | ' ' => continue,
                    _ => break,
                }
                all += usize::from(c != '½');
                end = start + at + c.len_utf8();
            }
            self.at = end;
            if (2..=10).contains(&all) && (full > 0 || half) && full <= 10 {
                let value = if half { format!("{full}.5") } else { full.to_string() };
                return Some((start..end, value, if all > 5 { "10" } else { "5" }.to_owned()));
            }
        }
    }
}

/// The rating in the value of a `class` or `id`: in one of its words, or in the whole value.
///
/// ```
/// use copal_values::recognise::rating_in_class;
/// assert!(rating_in_class("icon stars-4-5").is_some());
/// assert!(rating_in_class("started").is_none());
/// ```
pub fn rating_in_class(class: &str) -> Option<Value> {
    // A cheap test first: most classes contain none of these.
    let class = Some(class).filter(|class| {
        class.len() <= 200 && (class.contains("tar") || class.contains("ating") || class.contains("ated"))
    })?;
    let (value, of) = class_word(class).or_else(|| class.split_ascii_whitespace().find_map(class_word))?;
    Some(Value::Rating { value, of })
}

/// True for words with a digit and a part of "stars" or "rated" in one of the spellings that are matched. The
/// expression is only compiled if there is such a word.
fn may_name_rating(word: &str) -> bool {
    const PARTS: [&[u8]; 5] = [b"tar", b"TAR", b"ating", b"ATING", b"ated"];
    let has = |part: &[u8]| word.as_bytes().windows(part.len()).any(|window| window == part);
    word.bytes().any(|byte| byte.is_ascii_digit()) && PARTS.into_iter().any(has)
}

/// The rating in a class word: "stars4Active", "rating-4-5", "star-rating-45", "a-star-4-5",
/// "star-rating Three".
fn class_word(text: &str) -> Option<(Decimal, Decimal)> {
    static RATING_CLASS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let star = "(?:[Ss]tars?|[Rr]ating|[Rr]ated|STARS?|RATING)";
        let size = "(?:[Ss]mall|[Mm]edium|[Ll]arge|[Mm]ini|[Bb]ig|[Vv]alue|[Ss]core|xs|s|m|l)";
        let pattern = format!(
            "^(?:[A-Za-z]+[-_]+)*(?:{star}|[a-z]+(?:Stars?|Rating))(?:[-_]*(?:{star}|{size}))*[-_]*\
             ([0-9]{{1,3}})(?:[-_.]([0-9]))?(?:[-_]*[A-Za-z]+)*$"
        );
        Regex::new(&pattern).ok()
    });
    let text = text.trim();
    let ends = text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
    if !ends || text.len() > 60 || text.len() < 5 {
        return None;
    }
    if let Some(word) = text.strip_prefix("star-rating ") {
        let at = ["One", "Two", "Three", "Four", "Five"].iter().position(|name| *name == word)?;
        return Some(((at + 1).to_string(), "5".to_owned()));
    }
    if text.contains(char::is_whitespace) || !may_name_rating(text) {
        return None;
    }
    let found = RATING_CLASS.as_ref()?.captures(text)?;
    let whole: u32 = found.get(1)?.as_str().parse().ok()?;
    let pair = |value: String, of: &str| Some((value, of.to_owned()));
    match (whole, found.get(2)) {
        (0..=4, Some(tenth)) => pair(format!("{whole}.{}", tenth.as_str()), "5"),
        (5, Some(tenth)) if tenth.as_str() == "0" => pair("5.0".to_owned(), "5"),
        (5..=9, Some(tenth)) => pair(format!("{whole}.{}", tenth.as_str()), "10"),
        (0..=5, None) => pair(whole.to_string(), "5"),
        (6..=9, None) => pair(whole.to_string(), "10"),
        (10..=50, None) => pair(format!("{}.{}", whole / 10, whole % 10), "5"),
        (51..=100, None) => pair(whole.to_string(), "100"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
