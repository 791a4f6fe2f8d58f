//! Grades: "4.1 out of 5", "4.5/5", "★★★★☆", "3 stars", "Rated 4.0", and class words such as "a-star-4-5".
//!
//! In: a text, or one class word. Out: [`Value::Rating`] hits. A best grade that is not written is 5, or 10 for grades
//! between 5 and 10. "1 of 5" may be a page of several: words that weak need a decimal, a star or a word for "rated" at
//! the figures. Of the class words, "4-5" and "45" are four and a half. O(length).

use super::number::figures::{
    Figure, Units, at_most, decimal, ends_word, figure_at, next_figure, prefix, skip_space, word_before,
};
use super::{Hit, Marks, Recogniser, count};
use crate::value::{Decimal, Value};
use crate::value_type::ValueType;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Finds grades.
#[derive(Debug, Clone, Copy)]
pub struct Rating;

/// Words for stars behind a number.
static STARS: LazyLock<Units> = LazyLock::new(|| {
    Units::new(&[(
        "star",
        "star|stars|Stern|Sterne|Sternen|étoile|étoiles|estrella|estrellas|estrela|estrelas|stella|stelle|ster|sterren|\
         stjärna|stjärnor|stjerner|stjerne|gwiazdka|gwiazdki|gwiazdek|звезда|звезды|звезд|звёзд|звёзды|yıldız|hvězdiček|\
         つ星|星|颗星|顆星|ดาว|★|⭐|☆",
    )])
});

/// Between a grade and the best one: those that say so alone, and those that need help.
const STRONG: &[&str] = &["/", "out of", "von max.", "van de", "sur un total de", "su un massimo di"];
const WEAK: &[&str] =
    &["of", "von", "sur", "de", "su", "av", "af", "van", "uit", "из", "na", "z", "em", "di"];

/// Languages that write the best grade first.
const BEST_BEFORE: &[&str] = &["5つ星のうち", "5 yıldız üzerinden", "5点中", "5점 만점에", "5段階中"];

/// Words before a grade.
const RATED: &[&str] = &[
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

impl Recogniser for Rating {
    fn kind(&self) -> ValueType {
        ValueType::Rating
    }

    fn wants(&self, marks: Marks) -> bool {
        // two stars are six bytes
        marks.digit || marks.len >= 6
    }

    fn find(&self, text: &str, hits: &mut Vec<Hit>) {
        if let Some((value, of)) = class_word(text) {
            hits.push(hit(0..text.len(), value, of));
            return;
        }
        let first = hits.len();
        let mut stars = StarRuns { text, at: 0 };
        let mut run = stars.next();
        let mut at = 0;
        while let Some(figure) = next_figure(text, at) {
            at = figure.span.end;
            let Some(found) = grade(text, &figure) else { continue };
            // runs of stars before this grade, and none inside it
            while let Some((span, value, of)) = run.take_if(|(span, ..)| span.start < found.0.end) {
                if span.end <= found.0.start {
                    hits.push(hit(span, value, of));
                }
                run = stars.next();
            }
            at = at.max(found.0.end);
            if found.0.start >= hits[first..].last().map_or(0, |hit| hit.span.end) {
                hits.push(hit(found.0, found.1, found.2));
            }
        }
        hits.extend(run.into_iter().chain(stars).map(|(span, value, of)| hit(span, value, of)));
    }
}

fn hit(span: Range<usize>, value: Decimal, of: Decimal) -> Hit {
    Hit { span, kind: ValueType::Rating, value: Value::Rating { value, of } }
}

type Grade = (Range<usize>, Decimal, Decimal);

/// The grade that a figure gives.
fn grade(text: &str, figure: &Figure) -> Option<Grade> {
    let written = &text[figure.span.clone()];
    let value = decimal(written).filter(|value| value.len() <= 5)?;
    if BEST_BEFORE.iter().any(|lead| text[figure.span.start..].starts_with(lead)) {
        return None;
    }
    let rated = rated_before(&text[..figure.span.start]);
    let start = rated.unwrap_or(figure.span.start);
    if let Some((of, end)) = best(text, figure, &value, rated.is_some()) {
        return Some((start..end, value, of));
    }
    if let Some(of) = best_before(&text[..figure.span.start]) {
        return at_most(&value, "5").then(|| (of..figure.span.end, value, "5".to_owned()));
    }
    let default = if at_most(&value, "5") { "5" } else { "10" };
    if let Some((end, _)) = STARS.behind(text, figure.span.end) {
        // a run of stars behind a figure is its own grade, and "3 star reviews" are a filter
        let more = text[end..].starts_with(is_star);
        let whole = value.len() <= 3 && at_most(&value, "5") && value != "0";
        return (whole && !more && written.len() == value.len()).then(|| (start..end, value, "5".to_owned()));
    }
    let start = rated?;
    let behind = &text[figure.span.end..];
    let clear = if value.contains('.') {
        !behind.starts_with(['%', '/', '+'])
    } else {
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '%' | '/' | '+' | '-' | '.');
        !behind.trim_start().starts_with(goes_on)
    };
    (clear && at_most(&value, "10")).then(|| (start..figure.span.end, value, default.to_owned()))
}

/// The best grade behind a grade, and where that ends.
fn best(text: &str, figure: &Figure, value: &str, rated: bool) -> Option<(Decimal, usize)> {
    // "4 stars out of 5"
    let after_stars = STARS.behind(text, figure.span.end).map(|(end, _)| end);
    let start = skip_space(text, after_stars.unwrap_or(figure.span.end));
    let rest = &text[start..];
    let word = |list: &[&str]| {
        list.iter().find_map(|word| {
            prefix(rest, word, true).filter(|&len| ends_word(word, unglued(word, &rest[len..])))
        })
    };
    let (len, strong) = word(STRONG).map(|len| (len, true)).or_else(|| word(WEAK).map(|len| (len, false)))?;
    let of = first_group(text, figure_at(text, skip_space(text, start + len))?);
    let end = STARS.behind(text, of.span.end).map_or(of.span.end, |(end, _)| end);
    let slash = rest.starts_with('/');
    let bests: &[&str] = if slash { &["5", "10", "100"] } else { &["4", "5", "6", "10", "20", "100"] };
    let number = of.value.trim_end_matches('0').trim_end_matches('.');
    let of_value = if of.value.contains('.') { number.to_owned() } else { of.value.clone() };
    if !bests.contains(&of_value.as_str()) || !at_most(value, &of_value) {
        return None;
    }
    let behind = &text[end..];
    // 1/5/2017, 4/5-inch, 3/10%
    let goes_on = behind.starts_with(['/', '%', ':', '-', '\u{2011}'])
        || behind.starts_with(|c: char| c.is_alphanumeric() && c < '\u{e00}');
    let next: String = behind.trim_start().chars().take_while(|c| c.is_alphabetic()).take(20).collect();
    let counted = end == of.span.end
        && (count::is_noun(&next.to_lowercase())
            || ["people", "found", "photos", "sec", "second", "seconds", "s"].contains(&&*next));
    let helped = strong || rated || value.contains('.') || end > of.span.end || after_stars.is_some();
    (!goes_on && !counted && helped).then_some((of_value, end))
}

/// "4.6 out of 5 212 reviews": no best grade has thousands.
fn first_group(text: &str, mut of: Figure) -> Figure {
    if let Some(end) = text[of.span.clone()].find(char::is_whitespace) {
        of.span.end = of.span.start + end;
        text[of.span.clone()].clone_into(&mut of.value);
    }
    of
}

/// "/" needs no space behind it.
fn unglued<'t>(word: &str, rest: &'t str) -> &'t str {
    if word == "/" { "" } else { rest }
}

/// Where a word for "rated" that stands before starts.
fn rated_before(before: &str) -> Option<usize> {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | '='));
    word_before(before, RATED).filter(|&at| !before[..at].ends_with(is_star))
}

/// Where the best grade starts if it stands before: "5つ星のうち4.5".
fn best_before(before: &str) -> Option<usize> {
    let before = before.trim_end();
    BEST_BEFORE.iter().find_map(|lead| Some(before.strip_suffix(lead)?.len()))
}

fn is_star(c: char) -> bool {
    matches!(c, '★' | '☆' | '⭐' | '✩' | '✭' | '✮' | '⯪' | '⯨' | '🟊' | '✪' | '✰')
}

/// Runs of two and more stars, filled and empty.
struct StarRuns<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for StarRuns<'_> {
    type Item = Grade;

    fn next(&mut self) -> Option<Grade> {
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

/// The grade in a `class` or `id`: of its words, or of all of it.
pub fn of_class(class: &str) -> Option<Value> {
    // most classes have neither word
    let class = Some(class).filter(|class| {
        class.len() <= 200 && (class.contains("tar") || class.contains("ating") || class.contains("ated"))
    })?;
    let (value, of) = class_word(class).or_else(|| class.split_ascii_whitespace().find_map(class_word))?;
    Some(Value::Rating { value, of })
}

/// The grade of a class word: "stars4Active", "rating-4-5", "star-rating-45", "a-star-4-5", "star-rating Three".
fn class_word(text: &str) -> Option<(Decimal, Decimal)> {
    static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
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
    if text.contains(char::is_whitespace) {
        return None;
    }
    let found = WORD.as_ref()?.captures(text)?;
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
