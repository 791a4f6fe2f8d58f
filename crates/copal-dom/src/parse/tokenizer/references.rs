//! Character references (13.2.5.72 to 13.2.5.80 of the standard): `&amp;`, `&#39;`, `&#x20AC;`, `&copy`.
//!
//! In: the text and the position of an ampersand. Out: the characters that it stands for, and where it ends.
//! O(length of the longest name).

/// The table of the standard (section 13.5), sorted: each line has a name and the code points that it stands for. Text
/// instead of an array needs no relocation when the program starts.
const NAMED_REFERENCES: &str = include_str!("named_references.txt");

/// The names in the table that are valid without a semicolon, as numbers in the same order: any `&` in a page is looked up
/// here, with up to five lengths.
static BARE_NAMES: [u64; 106] = bare_names();

/// What pages mean by the numbers 128 to 159: the characters of windows-1252.
static C1_REPLACEMENTS: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
    '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}',
    '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}',
    '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

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
    let is_bare = |&length: &usize| BARE_NAMES.binary_search(&bare_key(&bytes[..length])).is_ok();
    let longest = length.min(MAX_BARE_NAME_BYTES);
    if in_attribute {
        // a name without a semicolon must not be followed by a letter, a digit or an equals sign
        let ends = next != Some(&b'=') && length == longest && is_bare(&length);
        return if ends { known(text, start, length) } else { None };
    }
    (2..=longest).rev().find(is_bare).and_then(|length| known(text, start, length))
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
        name => in_table(name)?,
    };
    Some(CharacterReference { first, second, end })
}

/// Up to eight bytes as a number; names and their numbers have the same order.
const fn bare_key(name: &[u8]) -> u64 {
    let (mut key, mut at) = (0, 0);
    while at < 8 {
        key = key << 8 | if at < name.len() { name[at] as u64 } else { 0 };
        at += 1;
    }
    key
}

const fn bare_names<const N: usize>() -> [u64; N] {
    let table = NAMED_REFERENCES.as_bytes();
    let (mut names, mut count) = ([0; N], 0);
    let mut rest = table;
    while !rest.is_empty() {
        let mut name_end = 0;
        while rest[name_end] != b' ' {
            name_end += 1;
        }
        let (name, after) = rest.split_at(name_end);
        if name[name_end - 1] != b';' {
            names[count] = bare_key(name);
            count += 1;
        }
        let mut line_end = 0;
        while after[line_end] != b'\n' {
            line_end += 1;
        }
        rest = after.split_at(line_end + 1).1;
    }
    assert!(count == N, "the number of names");
    names
}

/// Looks a name up by halving the part of the table that may have it.
fn in_table(name: &str) -> Option<(char, Option<char>)> {
    let mut rest = NAMED_REFERENCES;
    while !rest.is_empty() {
        let middle = rest.floor_char_boundary(rest.len() / 2);
        let start = rest[..middle].rfind('\n').map_or(0, |end| end + 1);
        let (line, after) = rest[start..].split_once('\n')?;
        let (known, code_points) = line.split_once(' ')?;
        rest = match name.cmp(known) {
            std::cmp::Ordering::Less => &rest[..start],
            std::cmp::Ordering::Greater => after,
            std::cmp::Ordering::Equal => {
                let mut chars = code_points.split(' ').map(code_point);
                return Some((chars.next()??, chars.next().flatten()));
            }
        };
    }
    None
}

fn code_point(text: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(text, 16).ok()?)
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
    if let Some(&c) = number.checked_sub(0x80).and_then(|at| C1_REPLACEMENTS.get(at as usize)) {
        return c;
    }
    char::from_u32(number).filter(|&c| c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::{
        BARE_NAMES, C1_REPLACEMENTS, CharacterReference, MAX_BARE_NAME_BYTES, MAX_NAME_BYTES,
        NAMED_REFERENCES, bare_key, read,
    };
    use html5ever::data;
    use std::collections::BTreeSet;

    fn names() -> impl Iterator<Item = &'static str> + Clone {
        NAMED_REFERENCES.lines().map(|line| line.split_once(' ').expect("code points after the name").0)
    }

    #[test]
    fn the_longest_names_are_as_long_as_the_code_says() {
        assert_eq!(names().map(str::len).max(), Some(MAX_NAME_BYTES));
        let bare = names().filter(|name| !name.ends_with(';'));
        assert_eq!(bare.clone().map(str::len).max(), Some(MAX_BARE_NAME_BYTES));
        let all: BTreeSet<&str> = names().collect();
        assert!(bare.clone().all(|name| all.contains(&*format!("{name};"))));
        assert_eq!(bare.clone().count(), BARE_NAMES.len());
        assert!(bare.zip(BARE_NAMES).all(|(name, key)| bare_key(name.as_bytes()) == key));
        assert!(BARE_NAMES.is_sorted());
        assert!(names().is_sorted());
    }

    #[test]
    fn the_tables_are_those_of_html5ever() {
        // its table also has the beginnings of names, with zeros
        let theirs = data::NAMED_ENTITIES.entries().filter(|(_, (first, _))| *first != 0);
        assert_eq!(theirs.clone().map(|(name, _)| *name).collect::<BTreeSet<_>>(), names().collect());
        for (at, theirs) in data::C1_REPLACEMENTS.iter().enumerate() {
            let own = char::from_u32(0x80 + at as u32).expect("a character");
            assert_eq!(theirs.unwrap_or(own), C1_REPLACEMENTS[at]);
        }
        for (name, &(first, second)) in theirs {
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
