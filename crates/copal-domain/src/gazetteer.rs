//! Gazetteers: lists of terms, found in text by hashed token n-grams.
//!
//! In: terms, each with a tag (the list it is from). Out: the longest terms in a text, as spans of bytes.
//! Words are compared in lower case; hyphens, apostrophes and dots between words count as spaces, so
//! `Stoke-on-Trent` is `Stoke on Trent`. Terms are stored as hashes: 500,000 of them take about 12 MB, and a
//! text costs O(tokens * longest term).

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

/// Maximum number of words of a term.
const MAX_TERM_WORDS: usize = 8;

/// A set of terms.
#[derive(Debug, Clone, Default)]
pub struct Gazetteer {
    /// The tags of a term, by the hash of its words.
    terms: FxHashMap<u64, TermTags>,
    /// The number of words of the longest term that begins with a word, by the hash of the word.
    first: FxHashMap<u64, u8>,
    len: usize,
}

/// Nearly all terms are in one list or two: as large as a `Vec`, but without memory of its own.
type TermTags = SmallVec<[u16; 8]>;

/// A term that was found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTerm {
    /// The bytes of the text.
    pub span: Range<usize>,
    /// The tags of the lists it is in.
    pub tags: Vec<u16>,
}

impl Gazetteer {
    /// Adds a term. Empty terms and terms of more than eight words are ignored.
    pub fn add(&mut self, term: &str, tag: u16) {
        let (mut count, mut first, mut hash) = (0, 0, 0);
        for token in tokens(term) {
            if count == MAX_TERM_WORDS {
                return;
            }
            if count == 0 {
                first = token.hash;
            }
            (count, hash) = (count + 1, join(hash, token.hash));
        }
        if count == 0 {
            return;
        }
        let longest = self.first.entry(first).or_default();
        *longest = (*longest).max(count as u8);
        let tags = self.terms.entry(hash).or_default();
        if !tags.contains(&tag) {
            tags.push(tag);
            self.len += 1;
        }
    }

    /// Adds every line of a text; lines that begin with `#` are comments.
    pub fn add_lines(&mut self, text: &str, tag: u16) {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            self.add(line, tag);
        }
    }

    /// Removes a list: every term loses its tag.
    pub fn remove_list(&mut self, tag: u16) {
        let mut gone = 0;
        self.terms.retain(|_, tags| {
            let before = tags.len();
            tags.retain(|other| *other != tag);
            gone += before - tags.len();
            !tags.is_empty()
        });
        self.len -= gone;
    }

    /// True if a list has terms.
    pub fn has_list(&self, tag: u16) -> bool {
        self.terms.values().any(|tags| tags.contains(&tag))
    }

    /// The number of terms. A term in two lists counts twice.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if no term was added.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The terms in a text, from left to right. Per list, the longest term wins and the search continues
    /// after it. A term of one list may be inside a term of another (a make in a model).
    pub fn find(&self, text: &str) -> Vec<FoundTerm> {
        let tokens: Vec<GazetteerToken> = tokens(text).collect();
        let mut found: Vec<FoundTerm> = Vec::new();
        // Per list: the token after its last term.
        let mut next_token: FxHashMap<u16, usize> = FxHashMap::default();
        for at in 0..tokens.len() {
            let most = self.first.get(&tokens[at].hash).copied().unwrap_or(0) as usize;
            let window = &tokens[at..tokens.len().min(at + most)];
            let mut matches: Vec<(usize, &TermTags)> = Vec::new();
            let mut hash = 0;
            for (i, token) in window.iter().enumerate() {
                if i > 0 && token.separated {
                    break;
                }
                hash = join(hash, token.hash);
                matches.extend(self.terms.get(&hash).map(|tags| (i, tags)));
            }
            for (last, tags) in matches.into_iter().rev() {
                let free: Vec<u16> =
                    tags.iter().copied().filter(|tag| next_token.get(tag).is_none_or(|&b| b <= at)).collect();
                if free.is_empty() {
                    continue;
                }
                for &tag in &free {
                    next_token.insert(tag, at + last + 1);
                }
                found.push(FoundTerm { span: tokens[at].span.start..window[last].span.end, tags: free });
            }
        }
        found
    }

    /// The tags of a text that is a term as a whole.
    pub fn get(&self, text: &str) -> &[u16] {
        let hash = tokens(text).map(|token| token.hash).fold(0, join);
        self.terms.get(&hash).map_or(&[], SmallVec::as_slice)
    }
}

struct GazetteerToken {
    span: Range<usize>,
    hash: u64,
    /// A comma, a bracket or the like precedes it. Terms do not span these.
    separated: bool,
}

/// A text in the form in which terms are compared: its words in lower case with one space between them.
pub fn folded(text: &str) -> String {
    let words: Vec<String> = tokens(text).map(|token| text[token.span].to_lowercase()).collect();
    words.join(" ")
}

/// Words of letters, digits and marks, hashed in lower case.
fn tokens(text: &str) -> impl Iterator<Item = GazetteerToken> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let mut separated = false;
        while let Some(&(_, c)) = chars.peek() {
            if is_word(c) {
                break;
            }
            separated |= !joins_words(c);
            chars.next();
        }
        let start = chars.peek()?.0;
        let (mut end, mut hash) = (start, 0xcbf2_9ce4_8422_2325_u64);
        while let Some(&(at, c)) = chars.peek() {
            if !is_word(c) {
                break;
            }
            let mut add =
                |lower: char| hash = (hash ^ u64::from(lower as u32)).wrapping_mul(0x0100_0000_01b3);
            if c.is_ascii() {
                add(c.to_ascii_lowercase());
            } else {
                c.to_lowercase().for_each(add);
            }
            end = at + c.len_utf8();
            chars.next();
        }
        Some(GazetteerToken { span: start..end, hash, separated })
    })
}

fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric()
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}')
}

/// True for characters that may be between the words of one term.
fn joins_words(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\'' | '\u{2019}' | '.' | '&' | '/')
}

fn join(hash: u64, word: u64) -> u64 {
    let x = hash.wrapping_add(word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 27)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(terms: &[(&str, u16)], text: &str) -> Vec<(String, Vec<u16>)> {
        let mut gazetteer = Gazetteer::default();
        for (term, tag) in terms {
            gazetteer.add(term, *tag);
        }
        gazetteer.find(text).into_iter().map(|term| (text[term.span].to_owned(), term.tags)).collect()
    }

    #[test]
    fn the_longest_term_is_found_in_any_case_and_punctuation() {
        let terms = [("York", 0), ("New York", 1), ("Stoke on Trent", 0), ("flat", 2), ("Flat", 3)];
        assert_eq!(
            found(&terms, "in new york,"),
            [("new york".to_owned(), vec![1]), ("york".to_owned(), vec![0])]
        );
        assert_eq!(found(&terms, "STOKE-ON-TRENT"), [("STOKE-ON-TRENT".to_owned(), vec![0])]);
        assert_eq!(found(&terms, "New, York"), [("York".to_owned(), vec![0])]);
        assert_eq!(found(&terms, "a Flat."), [("Flat".to_owned(), vec![2, 3])]);
        assert_eq!(found(&terms, "Yorkshire flats"), []);
        let makes = [("Land Rover", 0), ("Land Rover Discovery", 1), ("Rover", 0)];
        let want = [("Land Rover Discovery".to_owned(), vec![1]), ("Land Rover".to_owned(), vec![0])];
        assert_eq!(found(&makes, "a Land Rover Discovery"), want);
    }

    #[test]
    fn terms_of_other_scripts_and_empty_terms() {
        assert_eq!(
            found(&[("เชียงใหม่", 0), ("", 1), ("...", 1)], "บ้าน เชียงใหม่"),
            [("เชียงใหม่".to_owned(), vec![0])]
        );
        assert_eq!(found(&[("São Paulo", 0)], "são paulo"), [("são paulo".to_owned(), vec![0])]);
    }

    #[test]
    fn a_list_can_be_removed() {
        let mut gazetteer = Gazetteer::default();
        for (term, list) in [("Leeds", 0), ("Leeds", 1), ("New York", 0)] {
            gazetteer.add(term, list);
        }
        gazetteer.remove_list(0);
        assert_eq!((gazetteer.len(), gazetteer.has_list(0), gazetteer.has_list(1)), (1, false, true));
        assert_eq!((gazetteer.get("leeds"), gazetteer.get("New York")), (&[1][..], &[][..]));
        assert_eq!(folded(" Stoke-on-TRENT, "), "stoke on trent");
    }

    #[test]
    fn comments_and_blank_lines_are_not_terms() {
        let mut gazetteer = Gazetteer::default();
        gazetteer.add_lines("# towns\nLeeds\n\nHull\nLeeds\n", 0);
        assert_eq!(gazetteer.len(), 2);
        assert_eq!(gazetteer.get("HULL"), [0]);
    }
}
