//! Labels: the text-level detector that every stage shares.
//!
//! In: the text of a line, a cell or an element. Out: whether it can be a label ("Date posted:"), the label
//! without its colon, and where a label ends in "Label: value". Where a label is on the page (a `dt`, the
//! first cell of a row, bold text before plain text) is for the caller to decide. O(length of the text).

/// The colon of Latin scripts and the full-width colon of Chinese and Japanese.
pub const COLONS: [char; 2] = [':', '\u{ff1a}'];

/// Longest label, in bytes and in words. Longer texts are sentences.
const MAX_LABEL_BYTES: usize = 60;
const MAX_LABEL_WORDS: usize = 6;
/// Longest label in front of a value in the cell of a list. Cells are short, and prose with a colon is common
/// in them.
const MAX_INLINE_LABEL_BYTES: usize = 32;
/// Longest text that can say that there is no value.
const MAX_NO_VALUE_BYTES: usize = 14;

/// A label without its colon and without other marks that only lead over to the value: "Price -",
/// "Furnished?".
pub fn bare(text: &str) -> &str {
    let marks = [':', ' ', '\u{ff1a}', '\u{a0}', '-', '\u{2013}', '?', '=', '>'];
    text.trim().trim_end_matches(marks).trim()
}

/// True if a text ends with a colon.
pub fn ends_with_colon(text: &str) -> bool {
    text.trim_end().ends_with(COLONS)
}

/// True if a text begins with a colon.
pub fn starts_with_colon(text: &str) -> bool {
    text.trim_start().starts_with(COLONS)
}

/// True if a text can be a label: a few words, hardly any digits, not a sentence, a price or a URL.
pub fn is_label(text: &str) -> bool {
    let bare = bare(text);
    if bare.len() > MAX_LABEL_BYTES {
        return false;
    }
    let words = bare.split_whitespace().take(MAX_LABEL_WORDS + 1).count();
    let letters = bare.chars().filter(|c| c.is_alphabetic()).count();
    let digits = bare.chars().filter(|c| c.is_numeric()).count();
    if !(1..=MAX_LABEL_WORDS).contains(&words) || letters < 2 {
        return false;
    }
    let is_plain = digits <= 3
        && letters > digits
        && (!bare.ends_with(['.', '!', ',', ';']) || is_abbreviated(bare))
        && !bare.contains(['$', '£', '€', '@'])
        && !bare.contains("://");
    // a unit or a currency in brackets belongs to the label: "Price ($)"
    is_plain || bare.ends_with(')') && letters > 2 * digits
}

/// True if a label ends with one of the abbreviations that name numbers and telephones: "Art.-Nr.", "Tél.".
fn is_abbreviated(bare: &str) -> bool {
    const ABBREVIATIONS: &[&str] =
        &["nr.", "no.", "num.", "tel.", "tél.", "tlf.", "ref.", "réf.", "cod.", "kat.", "тел."];
    let lower = bare.to_lowercase();
    let is_word = |before: &str| !before.ends_with(char::is_alphabetic) || before.len() > 4;
    ABBREVIATIONS.iter().any(|end| lower.strip_suffix(end).is_some_and(is_word))
}

/// The byte at which the colon of "Label: value" is. A colon in a time or a URL does not count, nor does one
/// with nothing after it.
pub fn separating_colon(text: &str) -> Option<usize> {
    let (at, colon) = text.char_indices().take(MAX_LABEL_BYTES + 20).find(|(_, c)| COLONS.contains(c))?;
    let (before, after) = (&text[..at], &text[at + colon.len_utf8()..]);
    let is_time =
        before.ends_with(|c: char| c.is_ascii_digit()) && after.starts_with(|c: char| c.is_ascii_digit());
    let separates = !is_time && !after.starts_with("//") && at > 0 && !after.trim().is_empty();
    (separates && is_label(before)).then_some(at)
}

/// The label in front of the value of a list cell: "Rating" of "Rating: 86%". Stricter than
/// [`separating_colon`]: a cell that is read without its label loses text, so a doubtful label stays part of
/// the value.
pub fn inline_label(text: &str) -> Option<&str> {
    let (label, _) = text.split_once(": ")?;
    let is_short = label.len() <= MAX_INLINE_LABEL_BYTES;
    (is_short && !label.contains(|c: char| c.is_ascii_digit())).then_some(label)
}

/// The value of a list cell without its [`inline_label`]; "18:05" stays as it is.
pub fn without_inline_label(text: &str) -> &str {
    inline_label(text).map_or(text, |label| text[label.len() + 1..].trim_start())
}

/// Words that are written in place of a missing value.
const NO_VALUES: &[&str] = &[
    "n/a",
    "na",
    "none",
    "tbc",
    "tba",
    "ask",
    "unknown",
    "not specified",
    "not known",
    "not available",
    "null",
    "x",
];

/// True for a text that says that there is no value: "-", "n/a".
pub fn is_no_value(text: &str) -> bool {
    let text = text.trim();
    !text.contains(char::is_alphanumeric)
        || text.len() <= MAX_NO_VALUE_BYTES && NO_VALUES.contains(&&*text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_are_labels() {
        for text in
            ["Price", "Date posted:", "Price ($)", "価格：", "Furnished?", "Room 12", "Tél.:", "Artikelnr."]
        {
            assert!(is_label(text), "{text}");
        }
        for text in ["", "12", "$12", "It was sold.", "a@b", "one two three four five six seven", "http://a"]
        {
            assert!(!is_label(text), "{text}");
        }
    }

    #[test]
    fn a_label_loses_its_colon() {
        assert_eq!(bare(" Price : "), "Price");
        assert_eq!(bare("価格："), "価格");
        assert_eq!(bare("Built -"), "Built");
    }

    #[test]
    fn colons_of_times_and_urls_separate_nothing() {
        assert_eq!(separating_colon("Colour: red"), Some(6));
        assert_eq!(separating_colon("at 18:05"), None);
        assert_eq!(separating_colon("see http://a.example"), None);
        assert_eq!(separating_colon("Colour:"), None);
    }

    #[test]
    fn values_of_cells_are_read_without_their_label() {
        assert_eq!(without_inline_label("Rating: 86%"), "86%");
        assert_eq!(without_inline_label("18:05"), "18:05");
        assert_eq!(without_inline_label("Chapter 1: 86"), "Chapter 1: 86");
    }

    #[test]
    fn missing_values_are_known() {
        for text in ["-", "N/A", " tbc ", "not available"] {
            assert!(is_no_value(text), "{text}");
        }
        assert!(!is_no_value("nave"));
    }
}
