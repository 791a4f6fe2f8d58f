//! The objects of a JSON response, flattened: every leaf has a path and a text.
//!
//! In: bytes from a server. Out: the arrays of objects in them, and each object as a [`FlatObject`]. Bodies are
//! bounded by what is observed or fetched, depth by the parser, and what is kept of one object by the limits
//! here. O(bytes).

use std::collections::BTreeMap;

use serde_json::Value;

/// Arrays of objects in one response that are looked at.
const MAX_ARRAYS: usize = 40;
/// Values of a response that are visited while arrays are looked for.
const MAX_VISITED: usize = 100_000;
/// Objects of one array: more than a page of a list has.
pub(crate) const MAX_OBJECTS: usize = 1_000;
/// Leaves of one object.
const MAX_LEAVES: usize = 200;
/// Bytes of a leaf's text.
const MAX_LEAF_BYTES: usize = 20_000;
/// How deep objects are flattened.
const MAX_OBJECT_DEPTH: usize = 8;

/// The keys from the top of a response to a value.
pub(crate) type KeyPath = Vec<String>;

/// What a script can see of a value before it shows it: scripts leave parts out or add them by this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KeyState {
    /// Null, or an empty text.
    Empty,
    No,
    Yes,
    Zero,
    Filled,
    Length(usize),
}

/// One object of an array.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FlatObject {
    /// The text of each leaf that has one, by its path (`maker/name`, `tags/0`).
    pub(crate) leaves: BTreeMap<String, String>,
    /// The state of each leaf and of each array. Keys that an object lacks are not there.
    pub(crate) states: BTreeMap<String, KeyState>,
}

impl FlatObject {
    /// Flattens an object; `None` if it is not one, or has more leaves than records have fields.
    pub(crate) fn new(value: &Value) -> Option<FlatObject> {
        let mut flat = FlatObject::default();
        let mut open = vec![(String::new(), value.as_object().map(|_| value)?, 0)];
        while let Some((path, value, depth)) = open.pop() {
            if flat.states.len() >= MAX_LEAVES || depth > MAX_OBJECT_DEPTH {
                return None;
            }
            match value {
                Value::Object(members) => {
                    let children = members.iter().map(|(key, child)| (joined(&path, key), child, depth + 1));
                    open.extend(children);
                }
                Value::Array(items) => {
                    let children = items.iter().take(MAX_LEAVES).enumerate();
                    open.extend(
                        children.map(|(at, child)| (joined(&path, &at.to_string()), child, depth + 1)),
                    );
                    flat.states.insert(path, KeyState::Length(items.len()));
                }
                leaf => {
                    flat.states.insert(path.clone(), state_of(leaf));
                    if let Some(text) = leaf_text(leaf).filter(|text| text.len() <= MAX_LEAF_BYTES) {
                        flat.leaves.insert(path, text);
                    }
                }
            }
        }
        Some(flat)
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}/{key}") }
}

fn state_of(leaf: &Value) -> KeyState {
    match leaf {
        Value::Null => KeyState::Empty,
        Value::Bool(true) => KeyState::Yes,
        Value::Bool(false) => KeyState::No,
        Value::String(text) if text.is_empty() => KeyState::Empty,
        Value::Number(number) if number.as_f64() == Some(0.0) => KeyState::Zero,
        _ => KeyState::Filled,
    }
}

/// The text of a leaf as scripts show it; `None` if it shows nothing.
pub(crate) fn leaf_text(leaf: &Value) -> Option<String> {
    match leaf {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Number(number) => match number.as_f64() {
            // scripts have one kind of number, and write 12.0 as 12
            Some(value) if !number.is_i64() && !number.is_u64() => Some(value.to_string()),
            _ => Some(number.to_string()),
        },
        _ => None,
    }
}

/// The arrays of objects in a response that are reached through keys alone, and their paths; largest first.
pub(crate) fn object_arrays(document: &Value) -> Vec<(KeyPath, &[Value])> {
    let mut arrays = Vec::new();
    let mut open: Vec<(KeyPath, &Value)> = vec![(KeyPath::new(), document)];
    let mut visited = 0;
    while let Some((path, value)) = open.pop() {
        visited += 1;
        if visited > MAX_VISITED || arrays.len() >= MAX_ARRAYS {
            break;
        }
        match value {
            Value::Object(members) if path.len() < MAX_OBJECT_DEPTH => {
                for (key, child) in members.iter().filter(|(_, child)| child.is_object() || child.is_array())
                {
                    let mut path = path.clone();
                    path.push(key.clone());
                    open.push((path, child));
                }
            }
            Value::Array(items) if items.first().is_some_and(Value::is_object) => {
                arrays.push((path, items.as_slice()));
            }
            _ => {}
        }
    }
    arrays.sort_by_key(|(_, items)| std::cmp::Reverse(items.len()));
    arrays
}

/// The array at a path, which may be empty.
pub(crate) fn array_at<'a>(document: &'a Value, path: &[String]) -> Option<&'a [Value]> {
    value_at(document, path)?.as_array().map(Vec::as_slice)
}

/// The value at a path.
pub(crate) fn value_at<'a>(document: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(document, |value, key| value.as_object()?.get(key))
}

/// The objects of an array; `None` if some item is not an object, or there are too many.
pub(crate) fn flat_objects(items: &[Value]) -> Option<Vec<FlatObject>> {
    if items.len() > MAX_OBJECTS {
        return None;
    }
    items.iter().map(FlatObject::new).collect()
}

/// The leaves outside arrays, with their paths.
pub(crate) fn document_leaves(document: &Value) -> Vec<(KeyPath, &Value)> {
    let mut leaves = Vec::new();
    let mut open: Vec<(KeyPath, &Value)> = vec![(KeyPath::new(), document)];
    while let Some((path, value)) = open.pop() {
        if leaves.len() >= MAX_LEAVES || open.len() > MAX_VISITED {
            break;
        }
        match value {
            Value::Object(members) if path.len() < MAX_OBJECT_DEPTH => {
                open.extend(members.iter().map(|(key, child)| {
                    let mut path = path.clone();
                    path.push(key.clone());
                    (path, child)
                }));
            }
            Value::Object(_) | Value::Array(_) => {}
            leaf => leaves.push((path, leaf)),
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_are_flattened_to_texts_and_states() {
        let object = json!({ "id": 7, "price": 12.0, "weight": 0.5, "sold": false, "note": null,
            "maker": { "name": "A & B" }, "tags": ["x", "y"] });
        let flat = FlatObject::new(&object).unwrap();
        let leaf = |path: &str| flat.leaves.get(path).map(String::as_str);
        assert_eq!((leaf("id"), leaf("price"), leaf("weight")), (Some("7"), Some("12"), Some("0.5")));
        assert_eq!((leaf("maker/name"), leaf("tags/1"), leaf("note")), (Some("A & B"), Some("y"), None));
        assert_eq!(flat.states["tags"], KeyState::Length(2));
        assert_eq!((flat.states["note"], flat.states["sold"]), (KeyState::Empty, KeyState::No));
    }

    #[test]
    fn arrays_of_objects_are_found_anywhere() {
        let document = json!({ "data": { "items": [{ "a": 1 }, { "a": 2 }], "tags": ["x"] }, "menu": [{}] });
        let arrays = object_arrays(&document);
        assert_eq!(arrays[0].0, ["data", "items"]);
        assert_eq!((arrays.len(), arrays[0].1.len()), (2, 2));
        assert_eq!(array_at(&document, &arrays[0].0).unwrap().len(), 2);
        assert!(array_at(&document, &["data".to_owned()]).is_none());
    }

    #[test]
    fn hostile_objects_are_left_out() {
        let wide: serde_json::Map<String, Value> = (0..10_000).map(|n| (n.to_string(), json!(n))).collect();
        assert_eq!(FlatObject::new(&Value::Object(wide)), None);
        let deep = (0..100).fold(json!({ "a": 1 }), |inner, _| json!({ "a": inner }));
        assert_eq!(FlatObject::new(&deep), None);
        assert_eq!(FlatObject::new(&json!([1])), None);
        assert!(object_arrays(&deep).is_empty() && document_leaves(&deep).is_empty());
        assert_eq!(flat_objects(&vec![json!({}); MAX_OBJECTS + 1]), None);
    }
}
