//! Recognisers of generic types: one file a type.
//!
//! In: one text without hard separators inside (a piece of a clob). Out: [`Hit`]s: spans with a kind and a normalised
//! value. Recognisers are asked only if the text's [`Marks`] say that they may find something; each is O(length).

pub mod area;
pub mod count;
pub mod date;
pub mod distance;
pub mod duration;
pub mod email;
pub mod isbn;
pub mod language;
pub mod money;
pub mod number;
pub mod percent;
pub mod phone;
pub mod postcode;
pub mod rating;
pub mod url;
pub mod yes_no;

use crate::value::Value;
use crate::value_type::ValueType;
use std::ops::Range;

/// A value found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What it is.
    pub kind: ValueType,
    /// What it says.
    pub value: Value,
}

/// What occurs in a text: a cheap scan that spares the recognisers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
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

impl Marks {
    /// Scans a text once.
    pub fn of(text: &str) -> Marks {
        let mut marks = Marks { len: text.len(), ..Marks::default() };
        for c in text.chars() {
            match c {
                '0'..='9' => marks.digit = true,
                'a'..='z' | 'A'..='Z' => marks.letter = true,
                '@' => marks.at = true,
                '%' | '\u{66a}' | '\u{ff05}' => marks.percent = true,
                '$' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20cf}' | '\u{e3f}' | '\u{ffe5}' | '\u{fdfc}' => {
                    marks.currency = true;
                }
                ':' => marks.colon = true,
                '.' => marks.dot = true,
                _ if c.is_ascii() => {}
                _ => {
                    marks.digit |= crate::numbers::digit(c).is_some();
                    marks.letter |= c.is_alphabetic();
                }
            }
        }
        marks
    }
}

/// Finds values of one kind.
pub trait Recogniser: Sync {
    /// The kind it finds.
    fn kind(&self) -> ValueType;

    /// False if a text with these marks cannot hold one.
    fn wants(&self, marks: Marks) -> bool;

    /// Appends what it finds, in order, without overlaps of its own.
    fn find(&self, text: &str, hits: &mut Vec<Hit>);
}

/// All recognisers; of two hits of one length the kind that comes first wins.
pub const ALL: &[&dyn Recogniser] = &[
    &rating::Rating,
    &isbn::Isbn,
    &email::Email,
    &url::Url,
    &money::Money,
    &percent::Percent,
    &count::Count,
    &area::Area,
    &distance::Distance,
    &duration::Duration,
    &number::Number,
    &date::Date,
    &phone::Phone,
    &postcode::Postcode,
    &language::Language,
    &yes_no::YesNo,
];
