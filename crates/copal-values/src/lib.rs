//! Typed values in text, without a DOM.
//!
//! `text ─recognisers→ Hits ─vote→ values`: money, dates, numbers, phones, ratings and more, each with its span, its
//! [`ValueType`] and a normalised [`Value`].

pub mod find;
pub mod labels;
pub mod numbers;
pub mod recognise;
pub mod reconcile;
pub mod value;
pub mod value_type;

pub use find::find;
pub use recognise::{Hit, Marks, Recogniser};
pub use value::Value;
pub use value_type::ValueType;
