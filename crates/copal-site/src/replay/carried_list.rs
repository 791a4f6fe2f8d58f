//! Which response carries the list that a page shows.
//!
//! In: the records of a page, and a JSON document. Out: the array whose objects are some of the records, one after
//! another in the same order. Most texts of a record have to be values of its object later
//! ([`RecordPattern`](super::record_pattern::RecordPattern)); here one text per record has to be. O(records x keys)
//! per array.

use std::collections::HashSet;

use serde_json::Value;

use super::json_objects::{FlatObject, KeyPath, flat_objects, object_arrays};
use super::record_copies::{CopiedNode, RecordCopy, is_visible};

/// Objects that an array has at least.
const MIN_OBJECTS: usize = 2;
/// Characters of a text that tells records apart.
const MIN_TELLING_CHARS: usize = 3;

/// An array whose objects are records of a page.
#[derive(Debug, Clone)]
pub(crate) struct CarriedList {
    /// Where the array is in its document.
    pub(crate) path: KeyPath,
    pub(crate) objects: Vec<FlatObject>,
    /// The record that is the first object.
    pub(crate) first_record: usize,
}

/// The array of a document that carries records of the page.
pub(crate) fn carried_list(records: &[RecordCopy], document: &Value) -> Option<CarriedList> {
    let texts: Vec<HashSet<&str>> = records.iter().map(|record| visible_texts(record)).collect();
    let arrays = object_arrays(document).into_iter();
    arrays.filter(|(_, items)| (MIN_OBJECTS..=records.len()).contains(&items.len())).find_map(
        |(path, items)| {
            let objects = flat_objects(items)?;
            let telling = telling_keys(&objects);
            // what was added last is at the end
            let first_record = (0..=records.len() - objects.len()).rev().find(|&first| {
                let mut pairs = texts[first..].iter().zip(&objects);
                pairs.all(|(texts, object)| has_text_of(texts, object, &telling))
            })?;
            Some(CarriedList { path, objects, first_record })
        },
    )
}

fn visible_texts(record: &[CopiedNode]) -> HashSet<&str> {
    let texts = record.iter().filter_map(|node| match node {
        CopiedNode::Text { text, look } if is_visible(look.as_ref()) => Some(text.trim()),
        _ => None,
    });
    texts.filter(|text| text.chars().count() >= MIN_TELLING_CHARS).collect()
}

/// The keys whose values tell most objects apart.
fn telling_keys(objects: &[FlatObject]) -> HashSet<&str> {
    let Some(first) = objects.first() else { return HashSet::new() };
    let tells = |key: &&String| {
        let values: HashSet<&str> =
            objects.iter().filter_map(|object| object.leaves.get(*key)).map(String::as_str).collect();
        2 * values.len() > objects.len()
    };
    first.leaves.keys().filter(tells).map(String::as_str).collect()
}

fn has_text_of(texts: &HashSet<&str>, object: &FlatObject, telling: &HashSet<&str>) -> bool {
    object.leaves.iter().any(|(key, value)| telling.contains(key.as_str()) && texts.contains(value.trim()))
}
