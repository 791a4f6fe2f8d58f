//! White space as a browser shows it, and texts folded to compare them.
//!
//! In: raw text. Out: text with its white space collapsed, or its letters and digits in lower case. O(length
//! of the text).

use std::char::ToLowercase;

/// Appends `text` with its white space trimmed and collapsed, after a space if `out` is not empty. Returns
/// false if the text is only white space. Zero-width spaces count as white space.
pub fn push_collapsed(out: &mut String, text: &str) -> bool {
    let words = text.trim_ascii();
    if has_single_spaces(words) {
        if !words.is_empty() {
            out.reserve(words.len() + 1);
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(words);
        }
        return !words.is_empty();
    }
    let mut any = false;
    let mut push = |word: &str| {
        if !word.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
            any = true;
        }
    };
    if text.is_ascii() {
        let bytes = text.as_bytes();
        // a vertical tab is white space too, but not to `is_ascii_whitespace`
        let is_space = |b: u8| b.is_ascii_whitespace() || b == 0x0b;
        let mut start = 0;
        for (at, &b) in bytes.iter().enumerate() {
            if is_space(b) {
                // words with single spaces between them are copied together
                if b == b' ' && at > start && bytes.get(at + 1).is_some_and(|&next| !is_space(next)) {
                    continue;
                }
                push(&text[start..at]);
                start = at + 1;
            }
        }
        push(&text[start..]);
    } else {
        text.split(|c: char| c.is_whitespace() || c == '\u{200b}' || c == '\u{feff}').for_each(push);
    }
    any
}

/// True if a text is ASCII and has no white space or control character but single spaces between words. The compiler compares many
/// bytes at once.
fn has_single_spaces(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(first) = bytes.first() else { return true };
    // numbers, because a comparison of bits that may be left out cannot be done for many bytes
    let odd = bytes.iter().zip(&bytes[1..]).fold(0, |odd, (before, byte)| {
        let is_double = u8::from(*before == b' ') & u8::from(*byte == b' ');
        odd | u8::from(*byte < b' ') | u8::from(*byte >= 0x80) | is_double
    });
    *first > b' ' && *first < 0x80 && odd == 0
}

/// The letters and digits of a text in lower case. Two texts that differ only in case, punctuation and white
/// space give the same characters.
pub fn letters_and_digits(text: &str) -> impl Iterator<Item = char> {
    let mut chars = text.chars();
    let mut lower: Option<ToLowercase> = None;
    std::iter::from_fn(move || {
        loop {
            if let Some(c) = lower.as_mut().and_then(Iterator::next) {
                return Some(c);
            }
            let c = chars.next()?;
            if c.is_ascii_alphanumeric() {
                return Some(c.to_ascii_lowercase());
            }
            lower = (!c.is_ascii() && c.is_alphanumeric()).then(|| c.to_lowercase());
        }
    })
}

/// [`letters_and_digits`] as a string.
pub fn squash(text: &str) -> String {
    if text.is_ascii() {
        let mut squashed = vec![0; text.len()];
        let mut len = 0;
        for byte in text.bytes() {
            // written in any case, so that there is no branch
            squashed[len] = byte.to_ascii_lowercase();
            len += usize::from(byte.is_ascii_alphanumeric());
        }
        squashed.truncate(len);
        // bytes of ASCII are UTF-8
        return String::from_utf8(squashed).unwrap_or_default();
    }
    let mut squashed = String::with_capacity(text.len());
    squashed.extend(letters_and_digits(text));
    squashed
}

/// The first `most` of [`letters_and_digits`] as a string.
pub fn squash_start(text: &str, most: usize) -> String {
    if !text.is_ascii() {
        return letters_and_digits(text).take(most).collect();
    }
    let mut squashed = Vec::with_capacity(text.len().min(most));
    for byte in text.bytes().filter(u8::is_ascii_alphanumeric) {
        if squashed.len() == most {
            break;
        }
        squashed.push(byte.to_ascii_lowercase());
    }
    // bytes of ASCII are UTF-8
    String::from_utf8(squashed).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{letters_and_digits, push_collapsed, squash, squash_start};
    use proptest::prelude::*;

    #[test]
    fn white_space_is_collapsed_and_texts_are_separated() {
        let mut out = String::new();
        assert!(!push_collapsed(&mut out, " \n\u{200b}"));
        assert!(push_collapsed(&mut out, "  a\n b\u{feff}c "));
        assert!(push_collapsed(&mut out, "d"));
        assert_eq!(out, "a b c d");
    }

    proptest! {
        /// The short ways for ASCII give what the definitions say.
        #[test]
        fn texts_in_ascii_are_no_exception(text in "[ \\t\\x0b\\x1cA-Ca-c0-2.]{0,12}|[ \\u{a0}\\u{200b}aÄİß٣.]{0,12}|.*") {
            let mut out = String::from("x");
            let any = push_collapsed(&mut out, &text);
            let is_space = |c: char| c.is_whitespace() || c == '\u{200b}' || c == '\u{feff}';
            let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(any, !words.is_empty());
            prop_assert_eq!(out, [&["x"], &words[..]].concat().join(" "));
            let letters = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
            let letters: String = letters.collect();
            prop_assert_eq!(letters_and_digits(&text).collect::<String>(), letters.as_str());
            prop_assert_eq!(squash(&text), letters.as_str());
            prop_assert_eq!(squash_start(&text, 3), letters.chars().take(3).collect::<String>());
        }
    }
}
