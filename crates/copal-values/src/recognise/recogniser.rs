//! What a recogniser is, and the scan that decides whether it runs.
//!
//! In: a text. Out: a [`CharacterScan`] of it; the [`Recogniser`] trait; [`ValueMatch`], what recognisers
//! return. O(length).

use crate::notation::Notation;
use crate::numbers::digit;
use crate::value::Value;
use crate::value_type::ValueType;
use std::ops::Range;

/// A value found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueMatch {
    /// The bytes of the text.
    pub span: Range<usize>,
    /// The type of the value.
    pub value_type: ValueType,
    /// The normalised value.
    pub value: Value,
}

/// Which characters occur in a text. One cheap scan spares most texts most recognisers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CharacterScan {
    /// A digit of any script.
    pub digit: bool,
    /// `@`
    pub at: bool,
    /// `%`, `٪` or `％`
    pub percent: bool,
    /// A currency sign.
    pub currency: bool,
    /// `:`
    pub colon: bool,
    /// `.`
    pub dot: bool,
    /// A letter of any script.
    pub letter: bool,
    /// Length in bytes.
    pub len: usize,
}

impl CharacterScan {
    /// Scans a text.
    pub fn of(text: &str) -> CharacterScan {
        let mut scan = CharacterScan { len: text.len(), ..CharacterScan::default() };
        for c in text.chars() {
            match c {
                '0'..='9' => scan.digit = true,
                'a'..='z' | 'A'..='Z' => scan.letter = true,
                '@' => scan.at = true,
                '%' | '\u{66a}' | '\u{ff05}' => scan.percent = true,
                '$' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20cf}' | '\u{e3f}' | '\u{ffe5}' | '\u{fdfc}' => {
                    scan.currency = true;
                }
                ':' => scan.colon = true,
                '.' => scan.dot = true,
                _ if c.is_ascii() => {}
                _ => {
                    scan.digit |= digit(c).is_some();
                    scan.letter |= c.is_alphabetic();
                }
            }
        }
        scan
    }
}

/// Finds values of one type.
pub trait Recogniser: Sync {
    /// The type of the values that it finds.
    fn value_type(&self) -> ValueType;

    /// False if a text with these characters cannot contain a match.
    fn may_match(&self, scan: CharacterScan) -> bool;

    /// Appends its matches in the order of the text, read with a notation where their form leaves several
    /// readings. They do not overlap each other.
    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>);
}
