//! The words of a control or a form, prepared for comparison.
//!
//! In: identifiers (name, id, class, action) and texts (label, placeholder). Out: [`WordEvidence`], which answers
//! whether a [`Meaning`] is named. O(length), with a bound on the length that is read.

use crate::vocabulary::Meaning;

/// At most this many bytes of one text are read: longer ones are not names or labels.
const MAX_EVIDENCE_BYTES: usize = 400;

/// Words of identifiers and texts.
#[derive(Debug, Default)]
pub(crate) struct WordEvidence {
    /// Whole words, in lower case, each between spaces.
    words: String,
    /// The letters and digits without separators, one line per text, to find parts of compounds.
    joined: String,
}

impl WordEvidence {
    /// Adds an identifier or a text. Words end where letters change to upper case (`searchTerm`) and at everything
    /// that is not a letter or a digit.
    pub(crate) fn add(&mut self, text: &str) {
        if self.words.is_empty() {
            self.words.push(' ');
        }
        let mut was_lower = false;
        for c in bounded(text).chars() {
            if !c.is_alphanumeric() {
                self.end_word();
                was_lower = false;
                continue;
            }
            if c.is_uppercase() && was_lower {
                self.end_word();
            }
            was_lower = c.is_lowercase() || c.is_numeric();
            for lower in c.to_lowercase() {
                self.words.push(lower);
                self.joined.push(lower);
            }
        }
        self.end_word();
        self.joined.push('\n');
    }

    pub(crate) fn add_all<'a>(&mut self, texts: impl IntoIterator<Item = Option<&'a str>>) {
        for text in texts.into_iter().flatten() {
            self.add(text);
        }
    }

    /// True if any word of the meaning occurs.
    pub(crate) fn has(&self, meaning: &Meaning) -> bool {
        meaning.stems.iter().any(|stem| self.joined.contains(stem))
            || meaning.words.iter().any(|word| self.has_word(word))
    }

    /// True if the words (one or several, separated by a space) occur as a whole.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        let found = self.words.match_indices(word);
        found
            .into_iter()
            .any(|(at, _)| self.words[..at].ends_with(' ') && self.words[at + word.len()..].starts_with(' '))
    }

    fn end_word(&mut self) {
        if !self.words.ends_with(' ') {
            self.words.push(' ');
        }
    }
}

fn bounded(text: &str) -> &str {
    let mut end = text.len().min(MAX_EVIDENCE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_at_case_and_punctuation() {
        let mut evidence = WordEvidence::default();
        evidence.add("LoginViewModel.user_name[0]");
        evidence.add("E-Mail-Adresse");
        for word in ["login", "view", "user name", "e mail", "0"] {
            assert!(evidence.has_word(word), "{word}");
        }
        assert!(!evidence.has_word("log"));
        let meaning = Meaning { stems: &["username", "mailadresse"], words: &[] };
        assert!(evidence.has(&meaning));
    }

    #[test]
    fn stems_do_not_reach_over_texts() {
        let mut evidence = WordEvidence::default();
        evidence.add("user");
        evidence.add("name");
        assert!(!evidence.has(&Meaning { stems: &["username"], words: &[] }));
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let mut evidence = WordEvidence::default();
        evidence.add(&"ä".repeat(1000));
        assert!(evidence.joined.len() <= MAX_EVIDENCE_BYTES + 1);
    }
}
