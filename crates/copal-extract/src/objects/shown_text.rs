//! What a page shows, to compare declared values with.
//!
//! In: a [`DetailPage`]. Out: for a declared value the texts of it that a reader can see: the whole text, its
//! paragraphs if it is markup, a duration as the page writes it, a number without trailing zeros, the parts
//! of an enumeration. O(text) to build; each value is one search in the text.

use super::detail_page::{DetailPage, split_into_lines};
use super::text_forms::lower_words;
use copal_dom::{Limits, Page, squash};
use copal_values::{Value, ValueType, find};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest value that is searched, in bytes of its letters and digits.
const MAX_SEARCHED_BYTES: usize = 3000;
/// Bytes of a value that are compared.
const MAX_COMPARED_BYTES: usize = 60;
/// Longest value that is read as markup, in bytes.
const MAX_MARKUP_BYTES: usize = 20_000;
/// Texts that are read from markup.
const MAX_MARKUP_TEXTS: usize = 200;
/// Lines of a page that are searched.
const MAX_SEARCHED_LINES: usize = 5000;
/// Bytes of a page that are searched.
const MAX_SHOWN_TEXT_BYTES: usize = 500_000;
/// Longest line that is searched for durations, in bytes.
const MAX_DURATION_LINE_BYTES: usize = 120;
/// Longest line in which a value of one or two characters is searched, in bytes.
const MAX_SHORT_LINE_BYTES: usize = 60;
/// Shortest text that may be the beginning of a longer one, in bytes of its letters and digits.
const MIN_TRUNCATED_BYTES: usize = 60;
/// Parts of an enumeration.
const MAX_PART_COUNT: usize = 40;
/// Longest part of an enumeration, in bytes.
const MAX_PART_BYTES: usize = 60;

/// The text of a page, reduced to letters and digits.
pub(super) struct ShownText {
    all: String,
    lines: Vec<String>,
    /// By line: it is outside the data area, or belongs to another object.
    outside: Vec<bool>,
    /// The words of short lines.
    words: FxHashSet<String>,
    /// Durations by seconds, each as the page first writes it.
    durations: FxHashMap<u64, String>,
}

impl ShownText {
    /// `with_durations` says that there are durations to compare with; finding those of the page is
    /// expensive.
    pub(super) fn new(page: &DetailPage<'_>, with_durations: bool) -> ShownText {
        let searched = || page.lines.iter().take(MAX_SEARCHED_LINES);
        let lines: Vec<String> = searched().map(|line| squash(&line.text)).collect();
        let mut all = lines.join("\n");
        all.truncate(beginning(&all, MAX_SHOWN_TEXT_BYTES).len());
        let short = page.lines.iter().filter(|line| line.text.len() <= MAX_SHORT_LINE_BYTES);
        let words = short.flat_map(|line| lower_words(&line.text)).collect();
        let durations = if with_durations { durations(page) } else { FxHashMap::default() };
        let outside = searched().map(|line| line.outside).collect();
        ShownText { all, lines, outside, words, durations }
    }

    /// The texts of a declared value that the page shows.
    pub(super) fn shown_texts(&self, text: &str) -> Vec<String> {
        if let Some(seconds) = iso_duration(text) {
            return self.durations.get(&seconds).cloned().into_iter().collect();
        }
        let is_markup = text.contains("</") || text.contains("<br") || text.contains('&');
        if text.len() <= MAX_MARKUP_BYTES && is_markup {
            return texts_of_markup(text).into_iter().filter(|text| self.contains(text)).collect();
        }
        if self.contains(text) {
            return vec![text.to_owned()];
        }
        let number = without_trailing_zeros(text);
        if number.len() < text.len() {
            return if self.contains(number) { vec![number.to_owned()] } else { Vec::new() };
        }
        let parts: Vec<&str> =
            text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).collect();
        if !(2..=MAX_PART_COUNT).contains(&parts.len())
            || parts.iter().any(|part| part.len() > MAX_PART_BYTES)
        {
            return Vec::new();
        }
        parts.into_iter().filter(|part| part.len() > 2 && self.contains(part)).map(str::to_owned).collect()
    }

    /// True if the page shows a text, or at least the beginning of a long one.
    fn contains(&self, text: &str) -> bool {
        let text = squash(text);
        match text.len() {
            0 => false,
            1 | 2 => self.words.contains(&text),
            length if length > MAX_SEARCHED_BYTES => false,
            _ => self.all.contains(beginning(&text, MAX_COMPARED_BYTES)),
        }
    }

    /// The first line that is the text, or contains little else. A line outside the data area counts only if
    /// no other line matches.
    pub(super) fn line(&self, text: &str) -> Option<usize> {
        let text = squash(text);
        if text.len() < 3 {
            return None;
        }
        let mut best: Option<(u8, usize)> = None;
        for (at, (line, outside)) in self.lines.iter().zip(&self.outside).enumerate() {
            let rank = match (line.len() == text.len(), outside) {
                (true, false) if *line == text => return Some(at),
                (true, true) if *line == text => 1,
                (false, _) if line.len() <= 2 * text.len() && line.contains(&text) => 2 * u8::from(*outside),
                _ => continue,
            };
            if best.is_none_or(|(known, _)| rank < known) {
                best = Some((rank, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// The line that continues a text, which is then a description that was cut.
    pub(super) fn line_that_continues(&self, text: &str) -> Option<usize> {
        let text = squash(text);
        let continues = |line: &String| line.len() > text.len() && line.starts_with(&text);
        (text.len() >= MIN_TRUNCATED_BYTES).then(|| self.lines.iter().position(continues)).flatten()
    }
}

/// The first bytes of a text, cut where a character begins.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    &text[..end.unwrap_or(0)]
}

/// The durations in short lines.
fn durations(page: &DetailPage<'_>) -> FxHashMap<u64, String> {
    let mut found = FxHashMap::default();
    let mut hits = Vec::new();
    let lines = page.lines.iter().take(MAX_SEARCHED_LINES);
    for line in lines.filter(|line| line.text.len() <= MAX_DURATION_LINE_BYTES) {
        if !line.text.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        hits.clear();
        find(&line.text, &mut hits);
        for hit in hits.iter().filter(|hit| hit.value_type == ValueType::Duration) {
            if let Value::Duration(seconds) = hit.value {
                found.entry(seconds).or_insert_with(|| line.text[hit.span.clone()].to_owned());
            }
        }
    }
    found
}

/// The seconds of an ISO 8601 duration such as "PT1H30M".
pub(super) fn iso_duration(text: &str) -> Option<u64> {
    let rest = text.trim().strip_prefix('P')?;
    if rest.len() > 30 || !rest.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut seconds: u64 = 0;
    let mut is_time = false;
    let mut digits = String::new();
    for c in rest.chars() {
        let unit = match (c, is_time) {
            ('T', false) if digits.is_empty() => {
                is_time = true;
                continue;
            }
            ('0'..='9', _) if digits.len() < 7 => {
                digits.push(c);
                continue;
            }
            ('D', false) => 86_400,
            ('H', true) => 3600,
            ('M', true) => 60,
            ('S', true) => 1,
            // Pages state how long something takes, which is never months or years.
            ('Y' | 'M', false) if digits.parse() == Ok(0) => 0,
            _ => return None,
        };
        seconds += unit * digits.parse::<u64>().ok()?;
        digits.clear();
    }
    digits.is_empty().then_some(seconds)
}

/// "12.50" as "12.5", "12.00" as "12".
fn without_trailing_zeros(text: &str) -> &str {
    let text = text.trim();
    let number = text.split_once('.').filter(|(whole, fraction)| {
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        is_digits(whole) && is_digits(fraction)
    });
    if number.is_some() { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// The texts of a value that is markup, one per paragraph.
fn texts_of_markup(markup: &str) -> Vec<String> {
    let page = Page::from_text(markup, &Limits::default());
    let pages = split_into_lines(&[&page]);
    pages.into_iter().flat_map(|page| page.lines).map(|line| line.text).take(MAX_MARKUP_TEXTS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        assert_eq!(iso_duration("PT1H30M"), Some(5400));
        assert_eq!(iso_duration("P0DT0H15M"), Some(900));
        assert_eq!(iso_duration("P0Y0M0DT0H20M0S"), Some(1200));
        assert_eq!(iso_duration("PT"), None);
        assert_eq!(iso_duration("P3M"), None);
        assert_eq!(iso_duration("Plum"), None);
        assert_eq!(iso_duration("PT99999999999999999999M"), None);
    }

    #[test]
    fn numbers_lose_their_trailing_zeros() {
        assert_eq!(without_trailing_zeros("12.50"), "12.5");
        assert_eq!(without_trailing_zeros("12.00"), "12");
        assert_eq!(without_trailing_zeros("1200"), "1200");
        assert_eq!(without_trailing_zeros("v1.0"), "v1.0");
    }
}
