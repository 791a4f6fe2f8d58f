//! Character references (13.2.5.72 to 13.2.5.80 of the standard): `&amp;`, `&#39;`, `&#x20AC;`, `&copy`.
//!
//! In: the text and the position of an ampersand. Out: the characters that it stands for, and where it ends.
//! html5ever's table has the names. O(length of the longest name).

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// The longest name, with its semicolon.
const MAX_NAME_BYTES: usize = 32;
/// The longest name that is valid without a semicolon (`&frac12`). A test compares both with the table.
const MAX_BARE_NAME_BYTES: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CharacterReference {
    first: char,
    second: Option<char>,
    pub(super) end: usize,
}

impl CharacterReference {
    pub(super) fn chars(self) -> impl Iterator<Item = char> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// `None` if the ampersand at `at` is text.
pub(super) fn read(text: &str, at: usize, in_attribute: bool) -> Option<CharacterReference> {
    match text.as_bytes().get(at + 1)? {
        b'#' => numeric(text.as_bytes(), at + 2),
        byte if byte.is_ascii_alphanumeric() => named(text, at + 1, in_attribute),
        _ => None,
    }
}

fn named(text: &str, start: usize, in_attribute: bool) -> Option<CharacterReference> {
    let bytes = &text.as_bytes()[start..];
    let length = bytes.iter().take(MAX_NAME_BYTES).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let next = bytes.get(length);
    if next == Some(&b';')
        && let Some(reference) = known(text, start, length + 1)
    {
        return Some(reference);
    }
    if in_attribute {
        // a name without a semicolon must not be followed by a letter, a digit or an equals sign
        return if next == Some(&b'=') { None } else { known(text, start, length) };
    }
    (2..=length.min(MAX_BARE_NAME_BYTES)).rev().find_map(|length| known(text, start, length))
}

/// The name of `length` bytes at `start`, if there is one.
fn known(text: &str, start: usize, length: usize) -> Option<CharacterReference> {
    let end = start + length;
    let (first, second) = match &text[start..end] {
        // most of all references
        "amp;" => ('&', None),
        "nbsp;" => ('\u{a0}', None),
        "quot;" => ('"', None),
        "lt;" => ('<', None),
        "gt;" => ('>', None),
        name => {
            // the table also has the beginnings of names, with zeros
            let &(first, second) = NAMED_ENTITIES.get(name).filter(|(first, _)| *first != 0)?;
            (char::from_u32(first)?, char::from_u32(second).filter(|&second| second != '\0'))
        }
    };
    Some(CharacterReference { first, second, end })
}

fn numeric(bytes: &[u8], mut at: usize) -> Option<CharacterReference> {
    let radix = if matches!(bytes.get(at), Some(b'x' | b'X')) { 16 } else { 10 };
    at += usize::from(radix == 16);
    let digits_start = at;
    let mut number: u32 = 0;
    while let Some(digit) = bytes.get(at).and_then(|&byte| char::from(byte).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        at += 1;
    }
    if at == digits_start {
        return None;
    }
    let end = at + usize::from(bytes.get(at) == Some(&b';'));
    Some(CharacterReference { first: numbered(number), second: None, end })
}

fn numbered(number: u32) -> char {
    // windows-1252, which pages mean by these numbers
    if let Some(&Some(c)) = number.checked_sub(0x80).and_then(|at| C1_REPLACEMENTS.get(at as usize)) {
        return c;
    }
    char::from_u32(number).filter(|&c| c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::{CharacterReference, MAX_BARE_NAME_BYTES, MAX_NAME_BYTES, NAMED_ENTITIES, read};

    #[test]
    fn the_longest_names_are_as_long_as_the_code_says() {
        let names = || NAMED_ENTITIES.entries().filter(|(_, (first, _))| *first != 0).map(|(name, _)| *name);
        assert_eq!(names().map(str::len).max(), Some(MAX_NAME_BYTES));
        let bare = names().filter(|name| !name.ends_with(';'));
        assert_eq!(bare.clone().map(str::len).max(), Some(MAX_BARE_NAME_BYTES));
        assert!(bare.clone().all(|name| NAMED_ENTITIES.contains_key(&*format!("{name};"))));
        assert!(bare.count() > 100);
    }

    #[test]
    fn all_names_are_read() {
        for (name, &(first, second)) in NAMED_ENTITIES.entries().filter(|(_, (first, _))| *first != 0) {
            let expected = CharacterReference {
                first: char::from_u32(first).expect("a character"),
                second: char::from_u32(second).filter(|&c| c != '\0'),
                end: name.len() + 1,
            };
            assert_eq!(read(&format!("&{name}"), 0, false), Some(expected), "{name}");
            assert_eq!(read(&format!("&{name} x"), 0, true), Some(expected), "{name}");
            let in_attribute = name.ends_with(';').then_some(expected);
            assert_eq!(read(&format!("&{name}x"), 0, true), in_attribute, "{name}");
            assert_eq!(read(&format!("&{name}="), 0, true), in_attribute, "{name}");
        }
    }
}
