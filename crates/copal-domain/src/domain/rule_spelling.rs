//! Other spellings of a rule that are compiled to less.
//!
//! In: a regular expression. Out: one that matches the same texts, or the same texts of a [`TextAlphabet`].
//! O(rule).

use std::borrow::Cow;

/// True if a rule has letters beyond ASCII.
pub(super) fn has_other_letters(rule: &str) -> bool {
    rule.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
}

/// Makes `\b` a boundary of ASCII words in rules without letters beyond ASCII. The lazy automaton for the
/// Unicode boundary gives up on texts with a `£` or an `é`, and its replacement is many times slower.
pub(super) fn with_ascii_boundaries(rule: &str) -> String {
    if has_other_letters(rule) {
        return rule.to_owned();
    }
    let mut out = String::with_capacity(rule.len() + 16);
    let mut chars = rule.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('b') => out.push_str("(?-u:\\b)"),
            Some(escaped) => out.extend(['\\', escaped]),
            None => out.push('\\'),
        }
    }
    out
}

/// Which characters a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextAlphabet {
    /// Only those of ASCII.
    Ascii,
    /// Others too, but no digits and spaces beyond ASCII: the classes `\d` and `\s` are then those of ASCII.
    PlainUnicode,
    /// Any.
    Unicode,
}

impl TextAlphabet {
    pub(super) fn of(text: &str) -> TextAlphabet {
        let is_plain = |c: char| c.is_ascii() || !(c.is_numeric() || c.is_whitespace());
        if text.is_ascii() {
            TextAlphabet::Ascii
        } else if text.chars().all(is_plain) {
            TextAlphabet::PlainUnicode
        } else {
            TextAlphabet::Unicode
        }
    }
}

/// Replaces the characters beyond ASCII by a byte that no text has, since a class of bytes cannot name them. The rule
/// then matches the same texts in ASCII. `None` for rules with letters that equal one of ASCII when case is ignored.
pub(super) fn without_other_characters(rule: &str) -> Option<Cow<'_, str>> {
    if rule.is_ascii() {
        return Some(Cow::Borrowed(rule));
    }
    if rule.contains(['\u{212a}', '\u{17f}']) {
        return None;
    }
    let mut out = String::with_capacity(rule.len() + 16);
    for c in rule.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            out.push_str(r"\xFF");
        }
    }
    Some(Cow::Owned(out))
}

/// Spells out `\d` and `\s` for ASCII. `None` for rules with a mode in which white space is ignored, since comments can
/// then contain brackets.
pub(super) fn with_ascii_classes(rule: &str) -> Option<String> {
    let is_flag = |c: &char| c.is_ascii_alphabetic() || *c == '-';
    if rule.split("(?").skip(1).any(|group| group.chars().take_while(is_flag).any(|c| c == 'x')) {
        return None;
    }
    let mut out = String::with_capacity(rule.len() + rule.len() / 2);
    let mut chars = rule.chars().peekable();
    // How many classes in brackets are open.
    let mut depth = 0_usize;
    while let Some(c) = chars.next() {
        match c {
            '[' => {
                depth += 1;
                out.push(c);
                out.extend(chars.next_if_eq(&'^'));
                // as the first character, a closing bracket closes nothing
                out.extend(chars.next_if_eq(&']'));
            }
            ']' => {
                depth = depth.saturating_sub(1);
                out.push(c);
            }
            '\\' => match (chars.next(), depth) {
                (Some('d'), 0) => out.push_str("[0-9]"),
                (Some('d'), _) => out.push_str("0-9"),
                (Some('s'), 0) => out.push_str(r"[\t-\r\x20]"),
                (Some('s'), _) => out.push_str(r"\t-\r\x20"),
                (escaped, _) => {
                    out.push('\\');
                    out.extend(escaped);
                }
            },
            _ => out.push(c),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::TextAlphabet::{Ascii, PlainUnicode, Unicode};
    use super::*;

    #[test]
    fn boundaries_are_ascii_in_rules_of_ascii_letters() {
        assert_eq!(with_ascii_boundaries(r"\bbed\b \\b"), r"(?-u:\b)bed(?-u:\b) \\b");
        assert_eq!(with_ascii_boundaries(r"\bétage\b"), r"\bétage\b");
    }

    #[test]
    fn classes_are_spelt_out_inside_and_outside_brackets() {
        let spelt = |rule| with_ascii_classes(rule).unwrap();
        assert_eq!(spelt(r"\d+[\d,.]*\\d\s"), r"[0-9]+[0-9,.]*\\d[\t-\r\x20]");
        assert_eq!(spelt(r"[]\d]\d[^]\s]\d[a[\d]]\d"), r"[]0-9][0-9][^]\t-\r\x20][0-9][a[0-9]][0-9]");
        assert_eq!(spelt(r"[-]\d(?<x>\d)"), r"[-][0-9](?<x>[0-9])");
        assert_eq!(with_ascii_classes(r"(?x)\d # [ a comment"), None);
        assert_eq!(without_other_characters("[£$]€").as_deref(), Some(r"[\xFF$]\xFF"));
        let alphabets = ["$ 3", "10,99 € für 3", "10\u{a0}€", "٣"].map(TextAlphabet::of);
        assert_eq!(alphabets, [Ascii, PlainUnicode, Unicode, Unicode]);
    }
}
