//! Finds the rules whose needs a text meets.
//!
//! In: the [`RuleNeeds`] of many rules, once; then texts. Out: the rules that may match a text. The words of all rules
//! are searched for together: each is filed under three of its letters, and a text is read once. O(text + rules),
//! a few instructions per byte; nothing is compiled.

use super::built_in_tables::BuiltInClause;
use super::rule_needs::{CharMask, FOLDED_TO_ASCII, NeedClause, RuleNeeds, simplified};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Letters of a key: 26 letters, digits, and five groups of everything else.
const KEY_BITS: u32 = 5;
/// Keys of three letters, and after them those of two, for words of two letters.
const KEY_COUNT: usize = (1 << (3 * KEY_BITS)) + (1 << (2 * KEY_BITS));
const PAIR_KEYS: usize = 1 << (3 * KEY_BITS);
/// Words with the same key. A domain file with thousands of them would otherwise make each byte of a text expensive.
const MAX_CHAIN_LENGTH: usize = 64;
/// Marks the end of a chain of words.
const NO_WORD: u16 = u16::MAX;

/// A word of a clause.
#[derive(Debug, Clone)]
struct FiledWord {
    word: Cow<'static, str>,
    /// Where in the word the letters are that it is filed under.
    key_at: usize,
    clause: u16,
    /// The next word with the same key.
    next: u16,
}

/// The needs of many rules.
#[derive(Debug, Clone)]
pub(super) struct RuleFilter {
    /// Different clauses of all rules: many rules share one.
    clause_chars: Vec<CharMask>,
    /// Per rule, its clauses.
    rules: Vec<Vec<u16>>,
    /// The first word of each key.
    first: Vec<u16>,
    words: Vec<FiledWord>,
}

impl RuleFilter {
    pub(super) fn new(needs: impl Iterator<Item = RuleNeeds>) -> RuleFilter {
        let mut filter = RuleFilter::empty();
        let mut known: FxHashMap<NeedClause, Option<u16>> = FxHashMap::default();
        for needs in needs {
            let mut clauses = Vec::with_capacity(needs.clauses.len());
            for clause in needs.clauses {
                let id = match known.get(&clause) {
                    Some(&id) => id,
                    None => {
                        let words = clause.words.iter().map(|word| Cow::Owned(word.clone()));
                        let id = filter.file(clause.chars, words);
                        known.insert(clause, id);
                        id
                    }
                };
                clauses.extend(id);
            }
            filter.rules.push(clauses);
        }
        filter
    }

    /// The same for a built-in domain: rules name clauses by their index.
    pub(super) fn of_built_in(
        rules: impl Iterator<Item = &'static [u16]>,
        clauses: &'static [BuiltInClause],
    ) -> RuleFilter {
        let mut filter = RuleFilter::empty();
        // the same clauses with all rules or without some of them
        let ids: Vec<Option<u16>> = clauses
            .iter()
            .map(|clause| filter.file(clause.chars(), clause.words.iter().map(|&word| Cow::Borrowed(word))))
            .collect();
        let known = |&clause: &u16| ids.get(usize::from(clause)).copied().flatten();
        filter.rules.extend(rules.map(|clauses| clauses.iter().filter_map(known).collect()));
        filter
    }

    fn empty() -> RuleFilter {
        let first = vec![NO_WORD; KEY_COUNT];
        RuleFilter { clause_chars: Vec::new(), rules: Vec::new(), first, words: Vec::new() }
    }

    /// Files the words of a new clause. `None` if there are too many words, or too many with the same key: the clause is
    /// then left out, and its rules are tried on more texts.
    fn file(
        &mut self,
        chars: CharMask,
        words: impl ExactSizeIterator<Item = Cow<'static, str>>,
    ) -> Option<u16> {
        let most = usize::from(NO_WORD);
        if self.words.len() + words.len() >= most || self.clause_chars.len() + 1 >= most {
            return None;
        }
        let id = self.clause_chars.len() as u16;
        self.clause_chars.push(chars);
        for word in words {
            let bytes = word.as_bytes();
            let positions = 0..bytes.len().saturating_sub(2).max(1);
            // letters that no other word is filed under make short chains
            let mut keys = positions.map(|at| (at, key(&bytes[at..])));
            let first = (0, key(bytes));
            let (key_at, key) = keys.find(|&(_, key)| self.first[key] == NO_WORD).unwrap_or(first);
            if self.chain(key).count() >= MAX_CHAIN_LENGTH {
                return None;
            }
            let next = std::mem::replace(&mut self.first[key], self.words.len() as u16);
            self.words.push(FiledWord { word, key_at, clause: id, next });
        }
        Some(id)
    }

    /// The words with a key.
    fn chain(&self, key: usize) -> impl Iterator<Item = &FiledWord> {
        let word = |at: u16| self.words.get(usize::from(at));
        std::iter::successors(word(self.first[key]), move |filed| word(filed.next))
    }

    /// The indices of the rules that may match a text, in ascending order. `None` if it may be any of them.
    pub(super) fn candidates(&self, text: &str) -> Option<Vec<usize>> {
        if !text.is_ascii() && text.contains(FOLDED_TO_ASCII) {
            return None;
        }
        let chars = CharMask::of_text(text);
        let mut is_met: Vec<bool> = self.clause_chars.iter().map(|&clause| clause.meets(chars)).collect();
        let bytes = &simplified(text)[..];
        for at in 0..bytes.len().saturating_sub(1) {
            let rest = &bytes[at..];
            if rest.len() > 2 {
                self.meet_words(bytes, at, key(rest), &mut is_met);
            }
            self.meet_words(bytes, at, key(&rest[..2]), &mut is_met);
        }
        let may_match = |rule: &Vec<u16>| rule.iter().all(|&clause| is_met[usize::from(clause)]);
        Some(
            self.rules
                .iter()
                .enumerate()
                .filter(|(_, rule)| may_match(rule))
                .map(|(index, _)| index)
                .collect(),
        )
    }

    /// Marks the clauses of the words with this key that are at this place of a text.
    #[inline]
    fn meet_words(&self, text: &[u8], at: usize, key: usize, is_met: &mut [bool]) {
        for filed in self.chain(key) {
            let begin = at.checked_sub(filed.key_at);
            let is_there = || begin.is_some_and(|begin| text[begin..].starts_with(filed.word.as_bytes()));
            let clause = &mut is_met[usize::from(filed.clause)];
            *clause = *clause || is_there();
        }
    }
}

/// The key of the first three bytes, or of two if there are no more.
#[inline]
fn key(bytes: &[u8]) -> usize {
    let code = |byte: u8| usize::from(LETTER_CODES[usize::from(byte)]);
    match *bytes {
        [a, b, c, ..] => code(a) << (2 * KEY_BITS) | code(b) << KEY_BITS | code(c),
        [a, b] => PAIR_KEYS + (code(a) << KEY_BITS | code(b)),
        [a] => PAIR_KEYS + (code(a) << KEY_BITS),
        [] => PAIR_KEYS,
    }
}

/// The code of a byte in a key.
const LETTER_CODES: [u8; 256] = {
    let mut codes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        codes[byte] = match byte as u8 {
            letter @ b'a'..=b'z' => letter - b'a',
            b'0'..=b'9' => 26,
            other => 27 + other % 5,
        };
        byte += 1;
    }
    codes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_of_words_with_one_key_do_not_make_texts_expensive() {
        // the signs have one code
        let signs = ['#', '-', '<', '_'];
        let word = |number: usize| (0..6).map(|at| signs[number >> (2 * at) & 3]).collect::<String>();
        let filter = RuleFilter::new((0..4096).map(|number| RuleNeeds::of(&word(number))));
        let longest = (0..KEY_COUNT).map(|key| filter.chain(key).count()).max();
        assert_eq!(longest, Some(MAX_CHAIN_LENGTH));
        for number in [0, 1, 2000, 4095] {
            let candidates = filter.candidates(&word(number));
            assert!(candidates.is_none_or(|rules| rules.contains(&number)), "{number}");
        }
    }
}
