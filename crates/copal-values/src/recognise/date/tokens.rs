//! The cut of a text into the tokens that the forms of a date are made of.
//!
//! In: a text. Out: numbers, signs and words with all that each word may mean. Every word is looked up once; O(length).

use super::words::{Word, is_glued, is_letter, is_single, read};
use crate::numbers::digit;

/// A piece of a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum DateToken {
    /// Digits of any script; very long ones saturate.
    Number { value: u32, digits: usize },
    /// Letters.
    Word(Word),
    /// Anything else but white space.
    Sign(char),
}

/// A piece of a text with its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub start: usize,
    pub end: usize,
    /// White space stands before it.
    pub spaced: bool,
    pub kind: DateToken,
}

/// Cuts a text into tokens.
pub(super) fn scan(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut spaced = false;
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{200b}') {
            spaced = true;
            continue;
        }
        let mut end = start + c.len_utf8();
        let kind = if let Some(first) = digit(c) {
            let (mut value, mut digits) = (first, 1);
            while let Some((at, d)) = chars.peek().and_then(|&(at, c)| Some((at + c.len_utf8(), digit(c)?))) {
                value = value.saturating_mul(10).saturating_add(d);
                digits += 1;
                end = at;
                chars.next();
            }
            DateToken::Number { value, digits }
        } else if is_letter(c) {
            let glued = is_glued(c);
            while let Some(&(at, next)) = chars.peek() {
                if is_single(c) || !is_letter(next) || is_glued(next) != glued {
                    break;
                }
                end = at + next.len_utf8();
                chars.next();
            }
            DateToken::Word(read(&text[start..end]))
        } else {
            DateToken::Sign(c)
        };
        tokens.push(Token { start, end, spaced, kind });
        spaced = false;
    }
    tokens
}
