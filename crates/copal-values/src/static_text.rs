//! Texts of fixed vocabularies (units, codes, names of types) that come from another process.
//!
//! In: a text. Out: the same text with the lifetime of the program. Each distinct text is kept once, for ever, so that
//! their number and length are bounded: a message with more is an error.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Distinct texts that are kept. The vocabularies have a few hundred.
const MAX_TEXTS: usize = 4096;
/// Bytes of one text.
const MAX_TEXT_BYTES: usize = 100;

static KEPT_TEXTS: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);

fn kept(text: &str) -> Option<&'static str> {
    let mut texts = KEPT_TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return Some(known);
    }
    if texts.len() >= MAX_TEXTS || text.len() > MAX_TEXT_BYTES {
        return None;
    }
    let leaked: &'static str = Box::leak(text.to_owned().into_boxed_str());
    texts.insert(leaked);
    Some(leaked)
}

/// Reads a text.
pub fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    let text = String::deserialize(deserializer)?;
    kept(&text).ok_or_else(|| D::Error::custom("too many different units and codes"))
}

/// Reads a text that may be missing.
pub fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'static str>, D::Error> {
    match Option::<String>::deserialize(deserializer)? {
        None => Ok(None),
        Some(text) => {
            kept(&text).map(Some).ok_or_else(|| D::Error::custom("too many different units and codes"))
        }
    }
}
