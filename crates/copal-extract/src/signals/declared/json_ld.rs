//! JSON-LD: what a page declares about itself in its scripts.
//!
//! In: the scripts of type `application/ld+json`, one by one. Out: [`LinkedData`]: the single things, the
//! lists of things that have a name or a URL, and the types. Line breaks in strings, comments around the JSON
//! and several values in one script are accepted, since they are common. O(text), up to a fixed number of
//! bytes per page.

use super::schema;
use crate::signals::scripts::object_lists::{self, Object};
use crate::signals::scripts::objects::Objects;
use crate::signals::scripts::scan::JsonScanner;
use copal_dom::hash::hash_each;
use copal_dom::{Node, letters_and_digits, url};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// Bytes of JSON-LD that are read per page.
const MAX_BYTES: usize = 1_000_000;
/// Cells of all things, things, and types of a page.
const MAX_CELLS: usize = 600_000;
const MAX_THINGS: usize = 40;
const MAX_TOP_TYPES: usize = 64;
/// Minimum and maximum number of things in a list, and maximum number of lists.
const MIN_LISTED_THINGS: usize = 3;
const MAX_LISTED_THINGS: usize = 2000;
const MAX_LISTS: usize = 16;
/// Shortest name and URL path that identify a thing.
const MIN_KEY_CHARS: usize = 4;

/// An entry of a declared list, as keys to find it on the page by. At least one of them is there.
pub(crate) struct ListedThing {
    /// See [`url_key`].
    pub(crate) url: Option<u64>,
    /// See [`name_key`].
    pub(crate) name: Option<u64>,
}

/// What the JSON-LD of a page says.
pub(super) struct LinkedData {
    scanner: JsonScanner,
    bytes_left: usize,
    cells_left: usize,
    /// The single things that the page is about, not the site and its lists: one row of dotted fields each.
    pub(super) things: Vec<Objects>,
    pub(super) lists: Vec<Vec<ListedThing>>,
    /// How often objects at the top, or in a graph there, name a type.
    pub(super) top_types: FxHashMap<String, usize>,
    /// Some object at any depth names a type of one thing, or of a list.
    pub(super) names_one_thing: bool,
    pub(super) names_list: bool,
}

impl LinkedData {
    pub(super) fn new() -> LinkedData {
        LinkedData {
            scanner: JsonScanner::new(),
            bytes_left: MAX_BYTES,
            cells_left: MAX_CELLS,
            things: Vec::new(),
            lists: Vec::new(),
            top_types: FxHashMap::default(),
            names_one_thing: false,
            names_list: false,
        }
    }

    /// Reads one script.
    pub(super) fn read(&mut self, script: Node, text: &str) {
        if text.len() > self.bytes_left {
            return;
        }
        self.bytes_left -= text.len();
        let mut values: Vec<Value> = Vec::new();
        let read = self.scanner.data(text, &mut |_, value| values.push(value));
        for value in &values {
            self.top_objects(script, value);
            self.walk(value);
        }
        if read.is_err() {
            // broken JSON still names its types
            for (at, key) in text.match_indices(TYPE_KEY) {
                self.note_type(type_after(&text[at + key.len()..]));
            }
        }
    }

    fn note_type(&mut self, name: &str) {
        self.names_one_thing |= schema::is_one_thing(name);
        self.names_list |= schema::is_list(name);
    }

    /// The objects at the top of a value, or of the graph there.
    fn top_objects(&mut self, script: Node, value: &Value) {
        let graph = value.get("@graph").unwrap_or(value);
        let objects = graph.as_array().map_or(std::slice::from_ref(graph), Vec::as_slice);
        for object in objects.iter().filter_map(Value::as_object) {
            let Some(kind) = object_lists::kind(object) else { continue };
            if self.top_types.len() < MAX_TOP_TYPES || self.top_types.contains_key(kind) {
                *self.top_types.entry(kind.to_owned()).or_default() += 1;
            }
            if !schema::is_of_site(kind) && self.things.len() < MAX_THINGS {
                let mut thing = Objects::new(script, String::new(), Some(kind));
                thing.push(&with_texts_of_lists(object), None, &mut self.cells_left);
                self.things.push(thing);
            }
        }
    }

    /// All types, and all arrays of things except trails. A stack instead of recursion.
    fn walk(&mut self, value: &Value) {
        let mut open = vec![(value, false)];
        while let Some((value, in_trail)) = open.pop() {
            match value {
                Value::Object(object) => {
                    let kind = object_lists::own_kind(object).unwrap_or_default();
                    self.note_type(kind);
                    let in_trail = in_trail || schema::is_trail(kind);
                    open.extend(object.values().map(|value| (value, in_trail)));
                }
                Value::Array(items) => {
                    open.extend(items.iter().map(|value| (value, in_trail)));
                    if in_trail || self.lists.len() == MAX_LISTS {
                        continue;
                    }
                    let things: Vec<ListedThing> =
                        items.iter().take(MAX_LISTED_THINGS).filter_map(listed_thing).collect();
                    if things.len() >= MIN_LISTED_THINGS {
                        self.lists.push(things);
                    }
                }
                _ => {}
            }
        }
    }
}

const TYPE_KEY: &str = "\"@type\"";

/// The first type in the text after the key.
fn type_after(text: &str) -> &str {
    let value = text.trim_start().trim_start_matches(':').trim_start();
    let value = value.trim_start_matches('[').trim_start().trim_start_matches('"');
    value.split('"').next().unwrap_or_default()
}

/// An object whose lists of objects (steps, sections of steps) are replaced by the lists of their texts.
fn with_texts_of_lists(object: &Object) -> Object {
    fn texts(value: &Value) -> Vec<Value> {
        let own = |value: &Value| {
            value.get("text").or_else(|| value.get("name")).filter(|text| text.is_string()).cloned()
        };
        match value.get("itemListElement").and_then(Value::as_array) {
            Some(items) => items.iter().filter_map(own).collect(),
            None => own(value).into_iter().collect(),
        }
    }
    let mut with_texts = object.clone();
    for (_, value) in &mut with_texts {
        if let Value::Array(items) = value
            && items.len() > 1
            && items.iter().all(Value::is_object)
        {
            *value = Value::Array(items.iter().flat_map(texts).collect());
        }
    }
    with_texts
}

/// The URL and the name of an object, or of the `item` inside a list entry.
fn listed_thing(value: &Value) -> Option<ListedThing> {
    let outer = value.as_object()?;
    let inner = outer.get("item").and_then(Value::as_object);
    let text =
        |key: &str| inner.and_then(|inner| inner.get(key)).or_else(|| outer.get(key)).and_then(Value::as_str);
    let url = text("url").or_else(|| outer.get("item").and_then(Value::as_str)).or_else(|| text("@id"));
    let url = url.and_then(url_key);
    let name = text("name").or_else(|| text("headline")).and_then(name_key);
    (url.is_some() || name.is_some()).then_some(ListedThing { url, name })
}

/// A key of the path and query of a URL. The host is left out, since pages write links with it and without.
pub(crate) fn url_key(address: &str) -> Option<u64> {
    let path = url::path_and_query(address).trim_matches('/');
    (path.len() >= MIN_KEY_CHARS).then(|| hash_each(path.bytes()))
}

/// A key of the letters and digits of a name.
pub(crate) fn name_key(name: &str) -> Option<u64> {
    let is_long = letters_and_digits(name).take(MIN_KEY_CHARS).count() == MIN_KEY_CHARS;
    is_long.then(|| hash_each(letters_and_digits(name)))
}
