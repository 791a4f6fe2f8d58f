#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! `text ─ recognisers ─→ matches ─ vote ─→ values`: [`recognise`] has one recogniser per value type,
//! [`reconcile`] decides where they contradict each other, and [`find()`] runs both. Where one text has several
//! readings, [`columns`] decides for all texts of a column together; the decision is a [`notation`].
//! [`labels`], [`label_names`] and [`numbers`] are useful without them.

pub mod columns;
pub mod find;
pub mod label_names;
pub mod labels;
pub mod notation;
pub mod numbers;
mod plain_letters;
pub mod recognise;
pub mod reconcile;
#[cfg(feature = "serde")]
pub mod static_text;
pub mod value;
pub mod value_type;
pub mod word_table;

pub use find::{find, find_values};
pub use recognise::recogniser::{CharacterScan, Recogniser, ValueMatch};
pub use value::{StaticText, Value};
pub use value_type::ValueType;
