//! The recognisers: one file per value type.
//!
//! In: one text without line breaks or cell boundaries inside (a text run). Out:
//! [`recogniser::ValueMatch`]es, which have a span, a value type and a normalised value. Each recogniser is
//! O(length). `word_match.rs`, `written_number.rs` and `measurements.rs` are what they share.

mod area;
mod count;
mod date;
mod distance;
mod duration;
mod email;
mod isbn;
mod language;
mod measurements;
mod money;
mod number;
mod percent;
mod phone;
mod postcode;
mod rating;
pub mod recogniser;
#[cfg(test)]
mod test_support;
mod url;
mod word_match;
mod written_number;
mod yes_no;

pub(crate) use date::{WrittenDate, written_dates};
pub use money::is_currency;
pub use rating::rating_in_class;
pub(crate) use written_number::{at_most, decimal, shift};

use recogniser::Recogniser;

/// All recognisers. Of two matches of one length, the one of the earlier recogniser wins.
pub const RECOGNISERS: &[&dyn Recogniser] = &[
    &rating::RatingRecogniser,
    &isbn::IsbnRecogniser,
    &email::EmailRecogniser,
    &url::UrlRecogniser,
    &money::MoneyRecogniser,
    &percent::PercentRecogniser,
    &count::CountRecogniser,
    &area::AreaRecogniser,
    &distance::DistanceRecogniser,
    &duration::DurationRecogniser,
    &number::NumberRecogniser,
    &date::DateRecogniser,
    &phone::PhoneRecogniser,
    &postcode::PostcodeRecogniser,
    &language::LanguageRecogniser,
    &yes_no::YesNoRecogniser,
];
