//! Words at a position of a text: the string matching that the recognisers share.
//!
//! In: a text, a byte position and words to look for. Out: where the word begins or ends. O(length of the
//! words).

/// The length of `word` at the start of a text, or `None`. A space in `word` matches any white space.
pub(crate) fn prefix(text: &str, word: &str, any_case: bool) -> Option<usize> {
    let mut chars = text.char_indices();
    for want in word.chars() {
        let (_, c) = chars.next()?;
        let same = c == want || (want == ' ' && c.is_whitespace());
        // Most comparisons fail at the first letter, and the tables of Unicode are slow.
        let same_letter = || {
            if c.is_ascii() && want.is_ascii() {
                c.eq_ignore_ascii_case(&want)
            } else {
                c.to_lowercase().eq(want.to_lowercase())
            }
        };
        if !(same || (any_case && same_letter())) {
            return None;
        }
    }
    Some(text.len() - chars.as_str().len())
}

/// Where the longest of `words` (in lower case) starts with which the text ends as a whole word.
pub(crate) fn word_before(before: &str, words: &[&str]) -> Option<usize> {
    let last = before.chars().next_back()?;
    let lower = last.to_lowercase().next().unwrap_or(last);
    let start = |word: &&str| {
        let at = before.char_indices().rev().nth(word.chars().count().checked_sub(1)?)?.0;
        let whole = !(before[..at].ends_with(is_word_char) && word.starts_with(is_word_char));
        (whole && prefix(&before[at..], word, true).is_some()).then_some(at)
    };
    words.iter().filter(|word| word.ends_with(lower)).filter_map(start).min()
}

/// True for digits and for letters of scripts that put spaces between words.
pub(crate) fn is_word_char(c: char) -> bool {
    c == '_' || (c.is_alphanumeric() && c < '\u{e00}')
}

/// True if a word may end between `word` and `rest`. "km" before "/h" and "m" before "²" continue.
pub(crate) fn ends_word(word: &str, rest: &str) -> bool {
    let mut after = rest.chars();
    match (word.chars().next_back(), after.next()) {
        (Some(last), Some(next)) if is_word_char(last) => {
            let goes_on = is_word_char(next) || matches!(next, '²' | '³');
            !(goes_on || (next == '/' && after.next().is_some_and(char::is_alphabetic)))
        }
        _ => true,
    }
}

/// Where the white space, and the invisible characters, at this position end.
pub(crate) fn skip_space(text: &str, at: usize) -> usize {
    let is_space =
        |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{200e}' | '\u{200f}');
    text.len() - text[at..].trim_start_matches(is_space).len()
}
