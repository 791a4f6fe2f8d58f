//! What a label looks like as text, whatever its place on the page.
//!
//! In: a text. Out: whether it can be a label, where its colon is, whether a value says that there is none.
//! O(text).

/// Longest label, in bytes.
const MAX_LABEL_BYTES: usize = 60;
/// Longest label, in words.
const MAX_LABEL_WORDS: usize = 6;
/// Characters of a text that are searched for the colon after its label.
const COLON_SEARCH_CHARS: usize = MAX_LABEL_BYTES + 20;

/// Texts that stand for a missing value.
const NO_VALUE_TEXTS: [&str; 11] = [
    "n/a",
    "na",
    "none",
    "tbc",
    "tba",
    "unknown",
    "not specified",
    "not known",
    "not available",
    "null",
    "--",
];

/// True if a text can be a label: a few words, hardly any digits, not a sentence.
pub(super) fn is_label(text: &str) -> bool {
    let bare = bare(text);
    let words = bare.split_whitespace().count();
    let letters = bare.chars().filter(|c| c.is_alphabetic()).count();
    let digits = bare.chars().filter(|c| c.is_numeric()).count();
    (1..=MAX_LABEL_WORDS).contains(&words)
        && bare.len() <= MAX_LABEL_BYTES
        && letters >= 2
        && digits <= 3
        && letters > digits
        && !bare.ends_with(['.', '!', ',', ';'])
        && !bare.contains(['$', '£', '€', '@'])
        && !bare.contains("://")
        || bare.ends_with(')')
            && letters > 2 * digits
            && words <= MAX_LABEL_WORDS
            && bare.len() <= MAX_LABEL_BYTES
            && letters >= 2
}

/// A label without the colon or other separator after it.
pub(super) fn bare(text: &str) -> &str {
    text.trim().trim_end_matches([':', ' ', '\u{ff1a}', '\u{a0}', '-', '\u{2013}', '?', '=', '>']).trim()
}

pub(super) fn ends_with_colon(text: &str) -> bool {
    text.trim_end().ends_with([':', '\u{ff1a}'])
}

/// The colon between a label and its value: not the one of a time or of a URL.
pub(super) fn separating_colon(text: &str) -> Option<usize> {
    let (at, colon) =
        text.char_indices().take(COLON_SEARCH_CHARS).find(|(_, c)| matches!(c, ':' | '\u{ff1a}'))?;
    let (before, after) = (&text[..at], &text[at + colon.len_utf8()..]);
    let is_time =
        before.ends_with(|c: char| c.is_ascii_digit()) && after.starts_with(|c: char| c.is_ascii_digit());
    (!is_time && !after.starts_with("//") && at > 0 && is_label(before) && !after.trim().is_empty())
        .then_some(at)
}

/// True if a text says that there is no value.
pub(super) fn is_no_value(text: &str) -> bool {
    let text = text.trim();
    !text.contains(char::is_alphanumeric)
        || text.len() <= 14 && NO_VALUE_TEXTS.contains(&&*text.to_lowercase())
}
