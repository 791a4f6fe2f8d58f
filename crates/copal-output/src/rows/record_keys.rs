//! Keys that identify records in later runs.
//!
//! In: a list, or an object. Out: a key per record. The first of these that the record has:
//! 1. the cells of the columns that the user named;
//! 2. the absolute URL of the record (for an object: the URL of its page, or the file it was read from);
//! 3. `#` and a hash of its relative link and its title; or, if no link tells records apart, of its texts
//!    without volatile values (prices, ratings, counts, "3 days ago"; see [`is_volatile`]).
//!
//! A key that is too long for a database index is hashed too. O(cells).

use crate::rows::components::is_volatile;
use copal_model::{Answer, CellSource, Record, Region};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Longest key in bytes. The index of PostgreSQL accepts 2,700.
const MAX_KEY_BYTES: usize = 1000;
/// Bytes of the SHA-256 digest that a hashed key keeps.
const HASH_BYTES: usize = 16;

/// One key per record. Records that cannot be distinguished have equal keys.
pub(crate) fn list_keys(list: &Region, key_columns: &[String]) -> Vec<String> {
    let chosen: Vec<usize> = key_columns
        .iter()
        .filter_map(|name| list.columns.iter().position(|column| column.name == *name))
        .collect();
    let link = list.link_column().filter(|c| tells_records_apart(list, *c));
    let relative_link = list.relative_link_column().filter(|c| tells_records_apart(list, *c));
    let title = list.title_column();
    let first_text = |record: &Record, column: Option<usize>| {
        column.and_then(|c| record.cells[c].first().map(str::to_owned))
    };
    let key = |record: &Record| {
        let texts: Vec<String> =
            chosen.iter().flat_map(|c| record.cells[*c].texts().map(str::to_owned)).collect();
        if !texts.is_empty() {
            return bounded(texts.join(" | "));
        }
        if let Some(url) = first_text(record, link).filter(|url| url.contains("://")) {
            return bounded(url);
        }
        match first_text(record, relative_link) {
            Some(link) => hash_texts(&[link, first_text(record, title).unwrap_or_default()]),
            None => hash_texts(&stable_texts(list, record)),
        }
    };
    list.records.iter().map(key).collect()
}

/// The key of the object of a page.
pub(crate) fn object_key(page: &str, extraction: &Answer, key_columns: &[String]) -> String {
    let fields = extraction.object.iter().flat_map(|detail| &detail.fields);
    let chosen: Vec<String> = fields
        .clone()
        .filter(|field| key_columns.contains(&field.name))
        .flat_map(|field| field.texts.clone())
        .collect();
    match (&extraction.page.url, page) {
        _ if !chosen.is_empty() => bounded(chosen.join(" | ")),
        (Some(url), _) => bounded(url.clone()),
        // Standard input has no name.
        (None, "-") => {
            let stable = fields.filter(|field| !field.value.as_ref().is_some_and(is_volatile));
            hash_texts(&stable.flat_map(|field| field.texts.clone()).collect::<Vec<_>>())
        }
        (None, file) => bounded(file.to_owned()),
    }
}

/// Makes keys unique: the second record with the key `k` gets `k#2`.
#[derive(Debug, Default)]
pub struct KeyNumbering {
    /// The last number of each key.
    last_number: HashMap<String, u32>,
    used: HashSet<String>,
}

impl KeyNumbering {
    /// The next free name of a key. A URL may itself end in `#2`, so a number can be taken already.
    pub fn next(&mut self, key: &str) -> String {
        let number = self.last_number.entry(key.to_owned()).or_default();
        loop {
            *number += 1;
            let name = if *number < 2 { key.to_owned() } else { format!("{key}#{number}") };
            // Each used name is skipped at most once per key, so all calls together are linear in the keys.
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// True if more than half of the links in a column are distinct.
fn tells_records_apart(list: &Region, column: usize) -> bool {
    let links: Vec<&str> = list.records.iter().filter_map(|record| record.cells[column].first()).collect();
    2 * links.iter().collect::<HashSet<_>>().len() > links.len()
}

/// The texts of a record without volatile values; its whole text if nothing is left.
fn stable_texts(list: &Region, record: &Record) -> Vec<String> {
    // A list of a data document has no visible texts; then all columns count.
    let has_texts = list.columns.iter().any(|column| column.source == CellSource::Text);
    let is_stable = |c: &usize| {
        (!has_texts || list.columns[*c].source == CellSource::Text)
            && !record.cells[*c].value.as_ref().is_some_and(is_volatile)
    };
    let texts: Vec<String> = (0..list.columns.len())
        .filter(is_stable)
        .flat_map(|c| record.cells[c].texts().map(str::to_owned))
        .collect();
    if texts.is_empty() { vec![record.text.clone()] } else { texts }
}

pub(super) fn bounded(key: String) -> String {
    if key.len() > MAX_KEY_BYTES { hash_texts(&[key]) } else { key.replace('\0', "\u{fffd}") }
}

/// `#` and a hash of texts, the same on every machine and in every run. White space is normalised first.
pub fn hash_texts(texts: &[String]) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        for word in text.split_whitespace() {
            digest.update(word.as_bytes());
            digest.update(b" ");
        }
        digest.update([0x1f]);
    }
    let mut out = String::from("#");
    for byte in digest.finalize().iter().take(HASH_BYTES) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut keys = KeyNumbering::default();
        let names: Vec<String> = ["a#2", "a", "a", "a", "a#2", "b"].map(|key| keys.next(key)).into();
        assert_eq!(names, ["a#2", "a", "a#3", "a#4", "a#2#2", "b"]);
    }

    #[test]
    fn hashes_never_change_because_databases_store_them() {
        assert_eq!(hash_texts(&["A  lamp".into(), "b".into()]), hash_texts(&["A lamp ".into(), "b".into()]));
        assert_ne!(hash_texts(&["a".into(), "b".into()]), hash_texts(&["a b".into()]));
        assert_eq!(hash_texts(&["a".into()]), "#f0999898f6e798d4f94727b46f31f470");
    }
}
