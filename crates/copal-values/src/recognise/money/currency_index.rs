//! The ways to write currencies, by their first and last character; the compiler sorts them.
//!
//! In: a character. Out: the [`CurrencyWord`]s that begin or end with it. O(log words).

use super::currency_words::{WORDS_AFTER, WORDS_AFTER_LARGE, WORDS_BEFORE_LARGE, WORDS_ON_EITHER_SIDE};
use crate::word_table::{first_char, lower_case, next_word};

/// One way to write a currency.
#[derive(Debug, Clone, Copy)]
pub(super) struct CurrencyWord {
    /// As written.
    pub(super) text: &'static str,
    /// ISO 4217 code, or one or two letters for a sign that leaves the currency open.
    pub(super) code: &'static str,
    /// It may precede a number.
    pub(super) before: bool,
    /// It may follow a number.
    pub(super) after: bool,
    /// It counts only with large numbers or cents, because it means something else with small ones.
    pub(super) large: bool,
}

/// The tables, with whether their words may precede and follow a number, and count only with large ones.
const CURRENCY_TABLES: [(CurrencyRows, bool, bool, bool); 4] = [
    (WORDS_ON_EITHER_SIDE, true, true, false),
    (WORDS_AFTER, false, true, false),
    (WORDS_BEFORE_LARGE, true, false, true),
    (WORDS_AFTER_LARGE, false, true, true),
];

/// Codes and spellings, which spaces separate.
type CurrencyRows = &'static [(&'static str, &'static str)];

/// Words of the tables; `long` ones only, or all.
const fn count_words(long: bool) -> usize {
    let (mut count, mut table) = (0, 0);
    while table < CURRENCY_TABLES.len() {
        let (rows, mut row) = (CURRENCY_TABLES[table].0, 0);
        while row < rows.len() {
            let mut rest = rows[row].1;
            while let Some((text, after)) = next_word(rest) {
                count += if !long || lower_case_of_long(text).is_some() { 1 } else { 0 };
                rest = after;
            }
            row += 1;
        }
        table += 1;
    }
    count
}

const ALL_CURRENCY_WORDS: [CurrencyWord; count_words(false)] = {
    let mut words =
        [CurrencyWord { text: "", code: "", before: false, after: false, large: false }; count_words(false)];
    let (mut count, mut table) = (0, 0);
    while table < CURRENCY_TABLES.len() {
        let (rows, before, after, large) = CURRENCY_TABLES[table];
        let mut row = 0;
        while row < rows.len() {
            let (code, mut rest) = rows[row];
            while let Some((text, others)) = next_word(rest) {
                words[count] = CurrencyWord { text: with_space(text), code, before, after, large };
                count += 1;
                rest = others;
            }
            row += 1;
        }
        table += 1;
    }
    words
};

/// The spellings of the tables that have a space, with the space.
const SPELLINGS_WITH_SPACE: &[&str] = &[
    "US $",
    "CAD $",
    "CDN $",
    "AU $",
    "AUD $",
    "US dollars",
    "Canadian dollars",
    "Australian dollars",
    "pounds sterling",
    "francs suisses",
    "pesos mexicanos",
];

/// A spelling with its space.
const fn with_space(text: &'static str) -> &'static str {
    let mut at = 0;
    while at < SPELLINGS_WITH_SPACE.len() {
        let (spaced, written) = (SPELLINGS_WITH_SPACE[at].as_bytes(), text.as_bytes());
        let mut same = 0;
        while spaced.len() == written.len()
            && same < spaced.len()
            && (spaced[same] == written[same] || spaced[same] == b' ' && written[same] == b'~')
        {
            same += 1;
        }
        if same == spaced.len() {
            return SPELLINGS_WITH_SPACE[at];
        }
        at += 1;
    }
    text
}

/// The small letter of the first one, of a word of more than three characters that begins with a capital.
const fn lower_case_of_long(text: &str) -> Option<char> {
    let bytes = text.as_bytes();
    let (mut chars, mut at) = (0, 0);
    while at < bytes.len() {
        chars += if bytes[at] & 0xc0 == 0x80 { 0 } else { 1 };
        at += 1;
    }
    let first = first_char(text);
    let lower = lower_case(first);
    if chars > 3 && lower != first { Some(lower) } else { None }
}

const fn last_char(text: &'static str) -> char {
    let mut start = text.len() - 1;
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    first_char(text.split_at(start).1)
}

/// Currency words by their first or last character.
pub(super) struct CurrencyWordIndex {
    /// Sorted; one for each word.
    chars: &'static [char],
    words: &'static [CurrencyWord],
}

impl CurrencyWordIndex {
    /// The words of a character, in the order of the tables.
    pub(super) fn get(&self, c: char) -> &'static [CurrencyWord] {
        let from = self.chars.partition_point(|&known| known < c);
        let count = self.chars[from..].iter().take_while(|&&known| known == c).count();
        &self.words[from..from + count]
    }
}

/// Words that are sorted by a character, those of one character in the order in which they were added.
#[derive(Clone, Copy)]
struct SortedWords<const COUNT: usize> {
    chars: [char; COUNT],
    words: [CurrencyWord; COUNT],
    count: usize,
}

impl<const COUNT: usize> SortedWords<COUNT> {
    const fn new() -> SortedWords<COUNT> {
        SortedWords { chars: [' '; COUNT], words: [ALL_CURRENCY_WORDS[0]; COUNT], count: 0 }
    }

    const fn add(&mut self, c: char, word: CurrencyWord) {
        let mut at = self.count;
        while at > 0 && self.chars[at - 1] > c {
            self.chars[at] = self.chars[at - 1];
            self.words[at] = self.words[at - 1];
            at -= 1;
        }
        self.chars[at] = c;
        self.words[at] = word;
        self.count += 1;
    }
}

const BY_FIRST_CHAR: SortedWords<{ count_words(false) + count_words(true) }> = {
    let mut sorted = SortedWords::new();
    let mut at = 0;
    while at < ALL_CURRENCY_WORDS.len() {
        sorted.add(first_char(ALL_CURRENCY_WORDS[at].text), ALL_CURRENCY_WORDS[at]);
        at += 1;
    }
    at = 0;
    while at < ALL_CURRENCY_WORDS.len() {
        if let Some(lower) = lower_case_of_long(ALL_CURRENCY_WORDS[at].text) {
            sorted.add(lower, ALL_CURRENCY_WORDS[at]);
        }
        at += 1;
    }
    sorted
};

const BY_LAST_CHAR: SortedWords<{ count_words(false) }> = {
    let mut sorted = SortedWords::new();
    let mut at = 0;
    while at < ALL_CURRENCY_WORDS.len() {
        sorted.add(last_char(ALL_CURRENCY_WORDS[at].text), ALL_CURRENCY_WORDS[at]);
        at += 1;
    }
    sorted
};

/// Currency words by their first character; longer words also by its lower-case form.
pub(super) static WORDS_BY_FIRST_CHAR: CurrencyWordIndex =
    CurrencyWordIndex { chars: &BY_FIRST_CHAR.chars, words: &BY_FIRST_CHAR.words };

/// Currency words by their last character.
pub(super) static WORDS_BY_LAST_CHAR: CurrencyWordIndex =
    CurrencyWordIndex { chars: &BY_LAST_CHAR.chars, words: &BY_LAST_CHAR.words };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_by_both_ends() {
        for word in &ALL_CURRENCY_WORDS {
            let (first, last) = (word.text.chars().next().unwrap(), word.text.chars().next_back().unwrap());
            let is_known = |words: &[CurrencyWord]| {
                words.iter().any(|known| {
                    known.text == word.text && known.code == word.code && known.large == word.large
                })
            };
            assert!(
                is_known(WORDS_BY_FIRST_CHAR.get(first)) && is_known(WORDS_BY_LAST_CHAR.get(last)),
                "{}",
                word.text
            );
            if word.text.chars().count() > 3 {
                let lower = first.to_lowercase().next().unwrap();
                assert!(is_known(WORDS_BY_FIRST_CHAR.get(lower)), "{}", word.text);
            }
            assert!(!word.text.contains('~') && !word.text.is_empty());
        }
        assert!(
            WORDS_BY_FIRST_CHAR.get('\u{0}').is_empty() && WORDS_BY_LAST_CHAR.get('\u{10ffff}').is_empty()
        );
    }
}
