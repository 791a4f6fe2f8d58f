//! The lists of objects inside a JSON value.
//!
//! In: a value. Out: every array whose elements are objects, and every map from keys to objects of one shape,
//! with its path. Where the objects name their type (`@type`, `__typename`) a list has the objects of one
//! type. O(size of the value); an explicit stack, no recursion.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};
use std::cmp::Reverse;

pub(crate) type Object = Map<String, Value>;

/// Objects that belong together.
pub(crate) struct ObjectList<'v> {
    pub(crate) path: String,
    /// The type they all name.
    pub(crate) kind: Option<&'v str>,
    pub(crate) objects: Vec<&'v Object>,
}

/// Minimum number of objects of an array, and of a map: in a map two objects have equal keys by chance more
/// often.
const MIN_ARRAY_OBJECTS: usize = 2;
const MIN_MAP_OBJECTS: usize = 3;
/// Lists of one value that are returned, the longest first.
const MAX_LISTS_OF_VALUE: usize = 200;
/// Characters of a key in a path, and keys of a path.
const MAX_PATH_KEY_CHARS: usize = 40;
const MAX_PATH_KEYS: usize = 12;

/// A container on the path: the number of the one above it, and its key or index there.
struct PathStep<'v> {
    above: usize,
    key: Result<&'v str, usize>,
}

/// The lists of a value, the longest first.
pub(crate) fn lists<'v>(name: &str, value: &'v Value) -> Vec<ObjectList<'v>> {
    let mut steps: Vec<PathStep<'v>> = Vec::new();
    let mut found: Vec<(usize, usize, ObjectList<'v>)> = Vec::new();
    let mut open: Vec<(usize, &'v Value)> = vec![(usize::MAX, value)];
    while let Some((at, value)) = open.pop() {
        let mut go_on = |key: Result<&'v str, usize>, value: &'v Value| {
            if value.is_array() || value.is_object() {
                steps.push(PathStep { above: at, key });
                open.push((steps.len() - 1, value));
            }
        };
        let (objects, all, fewest) = match value {
            Value::Array(items) => {
                items.iter().enumerate().rev().for_each(|(i, item)| go_on(Err(i), item));
                (
                    items.iter().filter_map(Value::as_object).collect::<Vec<_>>(),
                    items.len(),
                    MIN_ARRAY_OBJECTS,
                )
            }
            Value::Object(map) => {
                map.iter().rev().for_each(|(key, item)| go_on(Ok(key), item));
                (map.values().filter_map(Value::as_object).collect(), map.len(), MIN_MAP_OBJECTS)
            }
            _ => continue,
        };
        // objects of one type can be few among many others
        let most = 5 * objects.len() >= 4 * all;
        for (kind, objects) in by_kind(objects) {
            if objects.len() >= fewest && (most || kind.is_some()) && alike(&objects) {
                found.push((objects.len(), at, ObjectList { path: String::new(), kind, objects }));
            }
        }
    }
    // where not all can be kept, the longest are the most useful
    found.sort_by_key(|(size, ..)| Reverse(*size));
    found.truncate(MAX_LISTS_OF_VALUE);
    let path =
        |(_, at, list): (usize, usize, ObjectList<'v>)| ObjectList { path: path(name, &steps, at), ..list };
    found.into_iter().map(path).collect()
}

/// The objects by the type they name; those without a type are one group.
fn by_kind(objects: Vec<&Object>) -> Vec<(Option<&str>, Vec<&Object>)> {
    let mut place: FxHashMap<Option<&str>, usize> = FxHashMap::default();
    let mut groups: Vec<(Option<&str>, Vec<&Object>)> = Vec::new();
    for object in objects {
        let kind = kind(object);
        let at = *place.entry(kind).or_insert_with(|| {
            groups.push((kind, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push(object);
    }
    groups
}

/// The type that an object names; of a list entry, the type of the thing inside.
pub(crate) fn kind(object: &Object) -> Option<&str> {
    match object.get("item").and_then(Value::as_object) {
        Some(item) if own_kind(object) == Some("ListItem") => own_kind(item).or(own_kind(object)),
        _ => own_kind(object),
    }
}

/// The type that an object names itself, the first of several.
pub(crate) fn own_kind(object: &Object) -> Option<&str> {
    let kind = object.get("@type").or_else(|| object.get("__typename"))?;
    kind.get(0).unwrap_or(kind).as_str()
}

/// True if the objects have most of their keys in common.
fn alike(objects: &[&Object]) -> bool {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for key in objects.iter().flat_map(|object| object.keys()) {
        *counts.entry(key).or_default() += 1;
    }
    let common = |key: &String| 5 * counts[key.as_str()] >= 3 * objects.len();
    let all: usize = counts.values().sum();
    let shared = objects.iter().flat_map(|object| object.keys()).filter(|key| common(key)).count();
    shared > 0 && 2 * shared >= all
}

fn path(name: &str, steps: &[PathStep<'_>], mut at: usize) -> String {
    let mut keys = Vec::new();
    while let Some(step) = steps.get(at) {
        keys.push(&step.key);
        at = step.above;
    }
    let mut path = name.to_owned();
    let left_out = keys.len().saturating_sub(MAX_PATH_KEYS);
    for (i, key) in keys.into_iter().rev().enumerate() {
        if i < left_out {
            continue;
        }
        if i == left_out && i > 0 {
            path.push_str(".…");
        }
        match key {
            Ok(key) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.extend(key.chars().take(MAX_PATH_KEY_CHARS));
            }
            Err(place) => path.push_str(&format!("[{place}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(value: &Value) -> Vec<(String, Option<&str>, usize)> {
        lists("x", value).into_iter().map(|list| (list.path, list.kind, list.objects.len())).collect()
    }

    #[test]
    fn arrays_are_found_at_any_depth() {
        let value = json!({"a": {"b": [1, {"c": [{"d": 1}, {"d": 2}]}]}, "e": [1, {"d": 1}, {"d": 2}]});
        assert_eq!(found(&value), [("x.a.b[1].c".to_owned(), None, 2)]);
    }

    #[test]
    fn objects_are_grouped_by_the_type_they_name() {
        let value = json!({"@graph": [
            {"@type": "Product", "name": "a"}, {"@type": "Organization", "name": "b"},
            {"@type": ["Product", "Thing"], "name": "c"}
        ]});
        assert_eq!(found(&value), [("x.@graph".to_owned(), Some("Product"), 2)]);
        let value = json!({"itemListElement": [
            {"@type": "ListItem", "item": {"@type": "Book", "name": "a"}},
            {"@type": "ListItem", "item": {"@type": "Book", "name": "b"}}
        ]});
        assert_eq!(found(&value)[0].1, Some("Book"));
    }

    #[test]
    fn maps_of_equal_objects_are_lists_and_other_maps_are_not() {
        let value = json!({"1": {"n": "a", "p": 1}, "2": {"n": "b", "p": 2}, "3": {"n": "c", "p": 3}});
        assert_eq!(found(&value), [("x".to_owned(), None, 3)]);
        let value = json!({"a": {"b": 1, "c": 1}, "d": {"e": 2, "f": 2}, "g": {"h": 3, "i": 3}});
        assert_eq!(found(&value), []);
    }

    #[test]
    fn the_longest_of_many_lists_are_kept() {
        let mut items: Vec<Value> = (0..3000).map(|i| json!({"a": [{"b": i}, {"b": i}]})).collect();
        items.push(json!({"a": [{"b": 1}, {"b": 2}, {"b": 3}]}));
        let value = Value::Array(items);
        let found = found(&value);
        assert!(found.len() <= MAX_LISTS_OF_VALUE, "{}", found.len());
        assert!(found.contains(&("x[3000].a".to_owned(), None, 3)));
    }
}
