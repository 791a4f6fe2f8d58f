//! Lists of objects as tables, for documents that are nothing but data.
//!
//! In: a JSON value. Out: its lists, and a list as a region with all its fields. O(cells).

pub(crate) use super::data_list_candidates::is_for_records;
use super::embedded_regions;
use crate::signals::scripts::object_lists::{self as lists, Object};
pub(crate) use crate::signals::scripts::objects::Objects;
use copal_dom::url::BaseUrl;
use copal_model::{Method, Region};
use serde_json::Value;

/// The lists of a value. If it has none: an array with one object, or the only object in it.
pub(crate) fn lists(name: &str, value: &Value, left: &mut usize) -> Vec<Objects> {
    let found = lists::lists(name, value);
    let mut all: Vec<Objects> = Vec::with_capacity(found.len());
    for list in found {
        let mut objects = Objects::new(0, list.path, list.kind);
        for object in list.objects {
            objects.push(object, None, left);
        }
        all.push(objects);
    }
    if all.is_empty()
        && let Some((path, object)) = single(value)
    {
        let mut objects = Objects::new(0, path, None);
        objects.push(object, None, left);
        all.push(objects);
    }
    all
}

/// The one object of an array, at the top or as a field of objects there.
fn single(value: &Value) -> Option<(String, &Object)> {
    let mut open = vec![(String::new(), value, 0)];
    while let Some((path, value, level)) = open.pop() {
        match value {
            Value::Array(items) if items.len() == 1 && items[0].is_object() => {
                return items[0].as_object().map(|object| (path, object));
            }
            Value::Object(fields) if level < 3 => {
                let path = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
                open.extend(fields.iter().rev().map(|(key, value)| (path(key), value, level + 1)));
            }
            _ => {}
        }
    }
    None
}

/// A list as a region with all its fields.
pub(crate) fn region(objects: &Objects, score: f64, base: &BaseUrl, method: Method) -> Region {
    embedded_regions::region_of_objects(objects, score, base, method, true)
}
