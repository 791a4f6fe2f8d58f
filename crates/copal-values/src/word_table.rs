//! Tables of words that the compiler fills, so that no run has to.
//!
//! In: lists of words in the source. Out: a [`WordTable`] in the program, from words to values. Together these tables
//! have thousands of words; to make maps of them took a large part of the time of a short page. A look-up is O(length of the
//! word): it hashes the word and looks at one place or two.

/// Words and their values. `SLOTS` is a power of two, and at most three quarters of the places are taken.
#[derive(Debug)]
pub struct WordTable<V: 'static, const SLOTS: usize> {
    /// A free place has an empty word.
    slots: [(&'static str, V); SLOTS],
    words: usize,
    /// Bytes of the longest word.
    longest: usize,
}

impl<const SLOTS: usize> WordTable<(), SLOTS> {
    /// The words of a list, which white space separates.
    #[must_use]
    pub const fn of_words(list: &'static str) -> WordTable<(), SLOTS> {
        let mut table = WordTable::new(());
        table.set_all(list, ());
        table
    }
}

impl<V: Copy, const SLOTS: usize> WordTable<V, SLOTS> {
    /// No words yet. `nothing` is the value of a word before it is set.
    #[must_use]
    pub const fn new(nothing: V) -> WordTable<V, SLOTS> {
        assert!(SLOTS.is_power_of_two(), "the number of places must be a power of two");
        WordTable { slots: [("", nothing); SLOTS], words: 0, longest: 0 }
    }

    /// The value of a word, which is added if it is new.
    pub const fn entry(&mut self, word: &'static str) -> &mut V {
        let mut at = hash(word.as_bytes()) & (SLOTS - 1);
        while !self.slots[at].0.is_empty() && !are_equal(self.slots[at].0.as_bytes(), word.as_bytes()) {
            at = (at + 1) & (SLOTS - 1);
        }
        if self.slots[at].0.is_empty() {
            self.slots[at].0 = word;
            self.words += 1;
            assert!(4 * self.words <= 3 * SLOTS, "the table has too few places");
            if word.len() > self.longest {
                self.longest = word.len();
            }
        }
        &mut self.slots[at].1
    }

    /// Sets the value of each word of a list, also of words that have another one. White space separates the words.
    pub const fn set_all(&mut self, list: &'static str, value: V) {
        let mut rest = list;
        while let Some((word, after)) = next_word(rest) {
            *self.entry(word) = value;
            rest = after;
        }
    }

    /// The word as it is in the table, with its value.
    pub fn find(&self, word: &str) -> Option<(&'static str, V)> {
        if word.is_empty() || word.len() > self.longest {
            return None;
        }
        let mut at = hash(word.as_bytes()) & (SLOTS - 1);
        loop {
            let (known, value) = self.slots[at];
            if known.is_empty() {
                return None;
            }
            if known == word {
                return Some((known, value));
            }
            at = (at + 1) & (SLOTS - 1);
        }
    }

    /// The value of a word.
    pub fn get(&self, word: &str) -> Option<V> {
        self.find(word).map(|(_, value)| value)
    }

    /// True if the table has this word.
    pub fn contains(&self, word: &str) -> bool {
        self.find(word).is_some()
    }
}

/// The first word of a text and what follows it; `None` if there is none. White space separates words.
#[must_use]
pub const fn next_word(text: &'static str) -> Option<(&'static str, &'static str)> {
    let bytes = text.as_bytes();
    let mut start = 0;
    while start < bytes.len() && bytes[start].is_ascii_whitespace() {
        start += 1;
    }
    let mut end = start;
    while end < bytes.len() && !bytes[end].is_ascii_whitespace() {
        end += 1;
    }
    if start == end {
        return None;
    }
    let (word, rest) = text.split_at(end);
    Some((word.split_at(start).1, rest))
}

/// The first part of a text up to a separator, which is a character of ASCII, and what follows the separator; `None` if the
/// text is empty.
#[must_use]
pub const fn next_part(text: &'static str, separator: u8) -> Option<(&'static str, &'static str)> {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return None;
    }
    let mut end = 0;
    while end < bytes.len() && bytes[end] != separator {
        end += 1;
    }
    let (part, rest) = text.split_at(end);
    Some((part, if rest.is_empty() { rest } else { rest.split_at(1).1 }))
}

/// The first character of a text that is not empty.
pub(crate) const fn first_char(text: &str) -> char {
    let bytes = text.as_bytes();
    let lead = bytes[0] as u32;
    let (mut code, length) = match lead {
        0..0x80 => (lead, 1),
        0x80..0xe0 => (lead & 0x1f, 2),
        0xe0..0xf0 => (lead & 0x0f, 3),
        _ => (lead & 0x07, 4),
    };
    let mut at = 1;
    while at < length {
        code = code << 6 | (bytes[at] & 0x3f) as u32;
        at += 1;
    }
    match char::from_u32(code) {
        Some(c) => c,
        None => panic!("a text is not UTF-8"),
    }
}

/// The small letter of a Latin (of ISO 8859-1), Greek or Cyrillic capital: those with which words of our tables begin.
pub(crate) const fn lower_case(c: char) -> char {
    let code = c as u32;
    let distance = match code {
        0x41..=0x5a | 0xc0..=0xd6 | 0xd8..=0xde | 0x391..=0x3a1 | 0x3a3..=0x3a9 | 0x410..=0x42f => 0x20,
        0x400..=0x40f => 0x50,
        _ => 0,
    };
    match char::from_u32(code + distance) {
        Some(lower) => lower,
        None => c,
    }
}

/// FNV-1a. Words of pages are looked up but never added, so that nobody can fill a place.
const fn hash(word: &[u8]) -> usize {
    let mut hash = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < word.len() {
        hash = (hash ^ word[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ (hash >> 15)) as usize
}

const fn are_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{WordTable, first_char, lower_case, next_part};

    #[test]
    fn words_have_the_last_value_that_was_set() {
        static TABLE: WordTable<u8, 8> = {
            let mut table = WordTable::new(0);
            table.set_all("  next\n\tweiter näste", 1);
            table.set_all("weiter back", 2);
            *table.entry("back") += 5;
            table
        };
        let values =
            ["next", "weiter", "näste", "back", "", "nex", "next ", "zurück"].map(|word| TABLE.get(word));
        assert_eq!(values, [Some(1), Some(2), Some(1), Some(7), None, None, None, None]);
        assert!(TABLE.contains("next") && !TABLE.contains("a word that is far longer than all of them"));
    }

    #[test]
    fn every_word_is_found_whatever_its_place() {
        static TABLE: WordTable<(), 16> = WordTable::of_words("a b c d e f g h i j k l");
        assert!("abcdefghijkl".chars().all(|c| TABLE.contains(c.encode_utf8(&mut [0; 4]))));
        assert!("mnopqrstuvwxyz".chars().all(|c| !TABLE.contains(c.encode_utf8(&mut [0; 4]))));
    }

    #[test]
    fn characters_are_decoded_and_made_small() {
        for c in (1..=0x10_ffff_u32).filter_map(char::from_u32) {
            assert_eq!(first_char(c.encode_utf8(&mut [0; 4])), c);
        }
        for c in (1..=0xff_u32).chain(0x391..=0x3a9).chain(0x400..=0x42f).filter_map(char::from_u32) {
            assert!(c.to_lowercase().eq([lower_case(c)]), "{c}");
        }
    }

    #[test]
    fn parts_may_have_spaces() {
        assert_eq!(next_part("per cent|%", b'|'), Some(("per cent", "%")));
        assert_eq!(next_part("%", b'|'), Some(("%", "")));
        assert_eq!(next_part("", b'|'), None);
    }
}
