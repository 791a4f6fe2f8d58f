//! Decisions about a whole column, where one text has several readings.
//!
//! In: the texts of a column. Out: their type and values ([`reader`]), and what they have in common: the order of their dates ([`date_order`]), their
//! decimal sign ([`decimal_sign`]), whether `2:24` is a time or a duration ([`clock_meaning`]) and the best
//! possible rating ([`rating_scale`]). Each decision first collects the readings that every text admits, then
//! keeps those that all texts share (31 is not a month), and says so if several are left. [`locale`] has what
//! is usual in a language and a country, for columns that do not decide by themselves. O(text).

mod bare_numbers;
pub mod clock_meaning;
pub mod date_order;
pub mod decimal_sign;
pub mod locale;
mod price_pairs;
pub mod rating_scale;
pub mod reader;
mod shared_words;
