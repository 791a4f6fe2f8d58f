//! What tells a record from all others, today and tomorrow.
//!
//! In: a list, or an object. Out: a key for each record:
//! 1. the cell of the columns that the user named, if it has one;
//! 2. the record's own address, absolute (for an object: that of its page, or the file it was read from);
//! 3. else `#` and a hash: of its link as written and its title; or, without a link that tells records apart, of its texts
//!    without those that change while the thing stays the same (prices, ratings, counts, "3 days ago"; see [`parts::changes`]).
//!
//! A key that is too long for an index is hashed too. O(cells).

use crate::parts;
use copal_extract::{Answer, CellSource, Record, Region};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Bytes of a key at most: PostgreSQL's index takes 2,700.
const LONGEST: usize = 1000;

/// One key for each record; equal where nothing tells records apart.
pub(crate) fn of_records(list: &Region, named: &[String]) -> Vec<String> {
    let chosen: Vec<usize> =
        named.iter().filter_map(|name| list.columns.iter().position(|column| column.name == *name)).collect();
    let link = list.link_column().filter(|c| tells_apart(list, *c));
    let relative = list.relative_link_column().filter(|c| tells_apart(list, *c));
    let title = list.columns.iter().position(|column| column.name == "title");
    let cell = |record: &Record, c: Option<usize>| c.and_then(|c| record.cells[c].first().map(str::to_owned));
    let key = |record: &Record| {
        let own: Vec<String> =
            chosen.iter().flat_map(|c| record.cells[*c].texts().map(str::to_owned)).collect();
        if !own.is_empty() {
            return bounded(own.join(" | "));
        }
        if let Some(address) = cell(record, link).filter(|address| address.contains("://")) {
            return bounded(address);
        }
        match cell(record, relative) {
            Some(address) => hash(&[address, cell(record, title).unwrap_or_default()]),
            None => hash(&identifying(list, record)),
        }
    };
    list.records.iter().map(key).collect()
}

/// The key of a page's object.
pub(crate) fn of_object(page: &str, extraction: &Answer, named: &[String]) -> String {
    let fields = extraction.object.iter().flat_map(|detail| &detail.fields);
    let own: Vec<String> = fields
        .clone()
        .filter(|field| named.contains(&field.name))
        .flat_map(|field| field.texts.clone())
        .collect();
    match (&extraction.page.url, page) {
        _ if !own.is_empty() => bounded(own.join(" | ")),
        (Some(url), _) => bounded(url.clone()),
        // standard input has no name
        (None, "-") => {
            let texts = fields.filter(|field| !field.value.as_ref().is_some_and(parts::changes));
            hash(&texts.flat_map(|field| field.texts.clone()).collect::<Vec<_>>())
        }
        (None, file) => bounded(file.to_owned()),
    }
}

/// Keys that are given once: the second record with one key is `key#2`.
#[derive(Debug, Default)]
pub(crate) struct Numbered {
    /// The last number of each key.
    last: HashMap<String, u32>,
    given: HashSet<String>,
}

impl Numbered {
    /// The next free name of a key. An address may end in `#2` by itself, so that a number may be taken already.
    pub(crate) fn next(&mut self, key: &str) -> String {
        let last = self.last.entry(key.to_owned()).or_default();
        loop {
            *last += 1;
            let name = if *last < 2 { key.to_owned() } else { format!("{key}#{last}") };
            // each name that is in the way is so once for each key: linear in the keys
            if self.given.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// True if at least half of the links in a column differ.
fn tells_apart(list: &Region, column: usize) -> bool {
    let links: Vec<&str> = list.records.iter().filter_map(|record| record.cells[column].first()).collect();
    2 * links.iter().collect::<HashSet<_>>().len() > links.len()
}

/// The texts of a record that stay; all of it if none does.
fn identifying(list: &Region, record: &Record) -> Vec<String> {
    // a list of data only has no texts
    let has_texts = list.columns.iter().any(|column| column.source == CellSource::Text);
    let counts = |c: usize| !has_texts || list.columns[c].source == CellSource::Text;
    let stays = |c: usize| {
        let value = record.cells[c].value.as_ref();
        counts(c) && !value.is_some_and(parts::changes)
    };
    let staying = (0..record.cells.len()).filter(|c| stays(*c));
    let cells: Vec<String> = staying.flat_map(|c| record.cells[c].texts().map(str::to_owned)).collect();
    if cells.is_empty() { vec![record.text.clone()] } else { cells }
}

fn bounded(key: String) -> String {
    if key.len() > LONGEST { hash(&[key]) } else { key.replace('\0', "\u{fffd}") }
}

/// A short name for texts, the same on every machine and in every run.
pub(crate) fn hash(texts: &[String]) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        for word in text.split_whitespace() {
            digest.update(word.as_bytes());
            digest.update(b" ");
        }
        digest.update([0x1f]);
    }
    let mut out = String::from("#");
    for byte in digest.finalize().iter().take(16) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut keys = Numbered::default();
        let names: Vec<String> = ["a#2", "a", "a", "a", "a#2", "b"].map(|key| keys.next(key)).into();
        assert_eq!(names, ["a#2", "a", "a#3", "a#4", "a#2#2", "b"]);
    }

    #[test]
    fn hashes_stay_the_same() {
        // they are in databases
        assert_eq!(hash(&["A  lamp".into(), "b".into()]), hash(&["A lamp ".into(), "b".into()]));
        assert_ne!(hash(&["a".into(), "b".into()]), hash(&["a b".into()]));
        assert_eq!(hash(&["a".into()]), "#f0999898f6e798d4f94727b46f31f470");
    }
}
