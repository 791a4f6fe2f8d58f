//! White space as a browser shows it, and texts folded to compare them.
//!
//! In: raw text. Out: text with its white space collapsed, or its letters and digits in lower case. O(length
//! of the text).

/// Appends `text` with its white space trimmed and collapsed, after a space if `out` is not empty. Returns
/// false if the text is only white space. Zero-width spaces count as white space.
pub fn push_collapsed(out: &mut String, text: &str) -> bool {
    let mut any = false;
    for word in text.split(|c: char| c.is_whitespace() || c == '\u{200b}' || c == '\u{feff}') {
        if !word.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
            any = true;
        }
    }
    any
}

/// The letters and digits of a text in lower case. Two texts that differ only in case, punctuation and white
/// space give the same characters.
pub fn letters_and_digits(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// [`letters_and_digits`] as a string.
pub fn squash(text: &str) -> String {
    letters_and_digits(text).collect()
}

#[cfg(test)]
mod tests {
    use super::push_collapsed;

    #[test]
    fn white_space_is_collapsed_and_texts_are_separated() {
        let mut out = String::new();
        assert!(!push_collapsed(&mut out, " \n\u{200b}"));
        assert!(push_collapsed(&mut out, "  a\n b\u{feff}c "));
        assert!(push_collapsed(&mut out, "d"));
        assert_eq!(out, "a b c d");
    }
}
