//! What a page shows, to compare declared values with.
//!
//! In: a [`Sheet`]. Out: for a declared value the texts of it that a reader can see: all of it, its paragraphs if it is markup, the duration
//! as it is written on the page, the figure without its zeros, the parts of an enumeration. O(text) to build; each value is a search.

use super::sheet::Sheet;
use copal_dom::{Limits, Page, squash};
use copal_values::find;
use copal_values::{Value, ValueType};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest value that is looked for, in letters and digits; longest that is read as markup.
const LONGEST: usize = 3000;
const MARKUP: usize = 20_000;
/// Lines and bytes of a page in which values are looked for.
const LINES: usize = 5000;
const TEXT: usize = 500_000;
/// Longest line that is looked at for durations.
const SHORT: usize = 120;
/// Fewest letters of a text that may be cut short.
const CUT: usize = 60;
/// Most parts of an enumeration, and the longest.
const PARTS: usize = 40;
const PART: usize = 60;

/// What a page shows, by letters and digits only.
pub(super) struct Shown {
    all: String,
    lines: Vec<String>,
    /// By line: it is boilerplate, or of another thing.
    outside: Vec<bool>,
    /// Words of short lines.
    words: FxHashSet<String>,
    /// Durations in seconds, as they are first written.
    durations: FxHashMap<u64, String>,
}

impl Shown {
    /// `timed` says that there are durations to compare with: they are not free to find.
    pub(super) fn new(sheet: &Sheet<'_>, timed: bool) -> Shown {
        let lines: Vec<String> = sheet.lines.iter().take(LINES).map(|line| squash(&line.text)).collect();
        let mut all = lines.join("\n");
        all.truncate((0..=all.len().min(TEXT)).rev().find(|&at| all.is_char_boundary(at)).unwrap_or(0));
        let short = sheet.lines.iter().filter(|line| line.text.len() <= 60);
        let words = short.flat_map(|line| super::headline::words(&line.text)).collect();
        let durations = if timed { durations(sheet) } else { FxHashMap::default() };
        let outside = sheet.lines.iter().take(LINES).map(|line| line.outside).collect();
        Shown { all, lines, outside, words, durations }
    }

    /// The texts of a declared value that the page shows.
    pub(super) fn readings(&self, text: &str) -> Vec<String> {
        if let Some(seconds) = iso_duration(text) {
            return self.durations.get(&seconds).cloned().into_iter().collect();
        }
        if text.len() <= MARKUP && (text.contains("</") || text.contains("<br") || text.contains('&')) {
            return texts_of_markup(text).into_iter().filter(|text| self.has(text)).collect();
        }
        if self.has(text) {
            return vec![text.to_owned()];
        }
        let figure = without_zeros(text);
        if figure.len() < text.len() {
            return if self.has(figure) { vec![figure.to_owned()] } else { Vec::new() };
        }
        let parts: Vec<&str> =
            text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).collect();
        if !(2..=PARTS).contains(&parts.len()) || parts.iter().any(|part| part.len() > PART) {
            return Vec::new();
        }
        parts.into_iter().filter(|part| part.len() > 2 && self.has(part)).map(str::to_owned).collect()
    }

    pub(super) fn has(&self, text: &str) -> bool {
        let text = squash(text);
        match text.len() {
            0 => false,
            1 | 2 => self.words.contains(&text),
            // of a long text its beginning
            n if n > LONGEST => false,
            n => self
                .all
                .contains(&text[..(0..=n.min(60)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)]),
        }
    }

    /// The first line that is the text, or nearly; one outside of the object's area only if no other does.
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

    /// The line that a text is the beginning of: a description cut short.
    pub(super) fn goes_on(&self, text: &str) -> Option<usize> {
        let text = squash(text);
        let begins = |line: &String| line.len() > text.len() && line.starts_with(&text);
        (text.len() >= CUT).then(|| self.lines.iter().position(begins)).flatten()
    }
}

/// The durations that short lines say.
fn durations(sheet: &Sheet<'_>) -> FxHashMap<u64, String> {
    let mut found = FxHashMap::default();
    let mut hits = Vec::new();
    for line in sheet.lines.iter().take(LINES).filter(|line| line.text.len() <= SHORT) {
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

/// Seconds of "PT1H30M".
pub(super) fn iso_duration(text: &str) -> Option<u64> {
    let rest = text.trim().strip_prefix('P')?;
    if rest.len() > 30 || !rest.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut seconds: u64 = 0;
    let mut time = false;
    let mut digits = String::new();
    for c in rest.chars() {
        let unit = match (c, time) {
            ('T', false) if digits.is_empty() => {
                time = true;
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
            // months and years are no times of doing something
            ('Y' | 'M', false) if digits.parse() == Ok(0) => 0,
            _ => return None,
        };
        seconds += unit * digits.parse::<u64>().ok()?;
        digits.clear();
    }
    digits.is_empty().then_some(seconds)
}

/// "12.50" as "12.5", "12.00" as "12".
fn without_zeros(text: &str) -> &str {
    let text = text.trim();
    let number = text.split_once('.').filter(|(whole, part)| {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits(whole) && digits(part)
    });
    if number.is_some() { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// The texts of a value that is markup, one a paragraph.
fn texts_of_markup(text: &str) -> Vec<String> {
    let page = Page::from_text(text, &Limits::default());
    let sheets = super::sheet::sheets(&[&page]);
    sheets.into_iter().flat_map(|sheet| sheet.lines).map(|line| line.text).take(200).collect()
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
    fn figures_lose_their_zeros() {
        assert_eq!(without_zeros("12.50"), "12.5");
        assert_eq!(without_zeros("12.00"), "12");
        assert_eq!(without_zeros("1200"), "1200");
        assert_eq!(without_zeros("v1.0"), "v1.0");
    }
}
