//! A text as date tokens, with what every form of a date asks about them.
//!
//! In: a text. Out: [`DateParser`]: the tokens, typed access to them, and whether a date may begin or end at
//! one. The forms of dates and times are further methods, in the other files of this folder. O(length) to
//! build, O(1) per question.

use super::date_tokens::{DateToken, TokenContent, tokenize};
use super::date_words::DateWord;
use crate::notation::Notation;

pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2212}')
}

/// A text and its tokens.
pub(super) struct DateParser<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<DateToken>,
    pub(super) notation: Notation,
}

impl<'t> DateParser<'t> {
    pub(super) fn new(text: &'t str, notation: Notation) -> DateParser<'t> {
        DateParser { text, tokens: tokenize(text), notation }
    }

    pub(super) fn number(&self, at: usize) -> Option<(u32, usize)> {
        match self.tokens.get(at)?.content {
            TokenContent::Number { value, digits } => Some((value, digits)),
            _ => None,
        }
    }

    /// A number of one or two digits.
    pub(super) fn small_number(&self, at: usize) -> Option<u32> {
        self.number(at).filter(|&(_, digits)| digits <= 2).map(|(value, _)| value)
    }

    pub(super) fn word(&self, at: usize) -> Option<DateWord> {
        match self.tokens.get(at)?.content {
            TokenContent::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn has_word(&self, at: usize, test: impl Fn(DateWord) -> bool) -> bool {
        self.word(at).is_some_and(test)
    }

    pub(super) fn sign(&self, at: usize) -> Option<char> {
        match self.tokens.get(at)?.content {
            TokenContent::Sign(c) => Some(c),
            _ => None,
        }
    }

    pub(super) fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.start..token.end])
    }

    /// True if no white space separates the token from the one before it.
    pub(super) fn is_tight(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| !token.spaced)
    }

    pub(super) fn end(&self, next: usize) -> usize {
        self.tokens[next - 1].end
    }

    /// The first token at or after `from` that begins at this byte or later.
    pub(super) fn token_at(&self, from: usize, byte: usize) -> usize {
        (from..self.tokens.len()).find(|&at| self.tokens[at].start >= byte).unwrap_or(self.tokens.len())
    }

    /// True if a date may begin at this token: not in the middle of a longer number, code or price.
    pub(super) fn may_begin_at(&self, at: usize) -> bool {
        if at == 0 || !self.is_tight(at) {
            return !(at > 0 && matches!(self.sign(at - 1), Some('$' | '€' | '£' | '¥' | '#' | '№')));
        }
        match self.tokens[at - 1].content {
            TokenContent::Number { .. } => false,
            TokenContent::Word(word) => word.unspaced,
            TokenContent::Sign(c) => match c {
                '$' | '€' | '£' | '¥' | '₹' | '₽' | '#' | '№' | '_' | '+' | '=' | '&' => false,
                '-' | '.' | '/' | ':' | '\'' | '’' | ',' if at > 1 && self.is_tight(at - 1) => {
                    // "26-28 January": the end of a range of days
                    let range = is_dash(c)
                        && self.small_number(at - 2).is_some()
                        && !self.is_joined_to_previous(at - 2)
                        && self.sign(at + 1).is_none();
                    range || self.number(at - 2).is_none()
                }
                _ => true,
            },
        }
    }

    /// True if a sign or a word directly precedes the token.
    pub(super) fn is_joined_to_previous(&self, at: usize) -> bool {
        at > 0 && self.is_tight(at) && !matches!(self.sign(at - 1), Some('('))
    }

    /// True if a date may end before this token.
    pub(super) fn may_end_before(&self, next: usize) -> bool {
        if !self.is_tight(next) {
            return true;
        }
        match self.tokens[next].content {
            TokenContent::Word(word) => word.unspaced || word.year_tail,
            TokenContent::Number { .. } | TokenContent::Sign('%' | '_' | '@' | '€' | '$' | '£') => false,
            TokenContent::Sign(c) if is_dash(c) => {
                !self.is_tight(next + 1)
                    || self.number(next + 1).is_none()
                    || !self.sign(next.wrapping_sub(2)).is_some_and(is_dash)
            }
            TokenContent::Sign('.' | '/' | ':') => {
                !self.is_tight(next + 1) || self.number(next + 1).is_none()
            }
            TokenContent::Sign(_) => true,
        }
    }
}
