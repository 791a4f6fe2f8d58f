//! Splits a text into the tokens that dates are made of.
//!
//! In: a text. Out: numbers, signs, and words with everything each word may mean. Every word is looked up
//! once; O(length).

use super::date_words::{DateWord, is_letter, is_one_token, is_unspaced, look_up};
use crate::numbers::digit;

/// What a token is.
#[derive(Debug, Clone, Copy)]
pub(super) enum TokenContent {
    /// Digits of any script. The value saturates.
    Number { value: u32, digits: usize },
    /// Letters.
    Word(DateWord),
    /// Any other character except white space.
    Sign(char),
}

/// A token and its position.
#[derive(Debug, Clone, Copy)]
pub(super) struct DateToken {
    pub start: usize,
    pub end: usize,
    /// White space precedes it.
    pub spaced: bool,
    pub content: TokenContent,
}

/// Splits a text into tokens.
pub(super) fn tokenize(text: &str) -> Vec<DateToken> {
    let mut tokens: Vec<DateToken> = Vec::new();
    let mut spaced = false;
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{200b}') {
            spaced = true;
            continue;
        }
        let mut end = start + c.len_utf8();
        let content = if let Some(first) = digit(c) {
            let (mut value, mut digits) = (first, 1);
            while let Some((at, d)) = chars.peek().and_then(|&(at, c)| Some((at + c.len_utf8(), digit(c)?))) {
                value = value.saturating_mul(10).saturating_add(d);
                digits += 1;
                end = at;
                chars.next();
            }
            TokenContent::Number { value, digits }
        } else if is_letter(c) {
            let unspaced = is_unspaced(c);
            while let Some(&(at, next)) = chars.peek() {
                if is_one_token(c) || !is_letter(next) || is_unspaced(next) != unspaced {
                    break;
                }
                end = at + next.len_utf8();
                chars.next();
            }
            TokenContent::Word(look_up(&text[start..end]))
        } else {
            TokenContent::Sign(c)
        };
        tokens.push(DateToken { start, end, spaced, content });
        spaced = false;
    }
    tokens
}
