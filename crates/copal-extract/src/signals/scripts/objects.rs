//! Objects as rows of dotted fields.
//!
//! In: objects of one list. Out: [`Objects`]: keys such as `price.amount`, and one row per object. A list of
//! scalars is one cell with several values; a list of one object counts as that object; longer lists of
//! objects are left out, because they are lists of their own. Bounded in levels, keys of a list, values of a
//! cell, and cells of a page.

use super::object_lists::Object;
use copal_dom::Node;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// A list of objects as the page carries it.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    /// The element whose text or attribute has it.
    pub(crate) place: Node,
    /// Its path inside the JSON.
    pub(crate) path: String,
    /// The type that its objects name.
    pub(crate) kind: Option<String>,
    /// The dotted keys, in the order they first appear.
    pub(crate) keys: Vec<String>,
    pub(crate) rows: Vec<ObjectRow>,
    known: FxHashMap<String, u32>,
}

/// One object.
#[derive(Debug, Default)]
pub(crate) struct ObjectRow {
    /// The element that it belongs to, if every object has its own.
    pub(crate) node: Option<Node>,
    /// Keys with their values, each key once, in ascending order.
    pub(crate) cells: Vec<(u32, Vec<String>)>,
}

/// Levels of objects inside an object.
const MAX_OBJECT_LEVELS: usize = 4;
/// Distinct keys of a list.
const MAX_ROW_KEYS: usize = 300;
/// Values of one cell.
const MAX_CELL_VALUES: usize = 50;
/// Bytes of one key: longer keys are data themselves.
const MAX_KEY_BYTES: usize = 60;

impl Objects {
    pub(crate) fn new(place: Node, path: String, kind: Option<&str>) -> Self {
        Objects { place, path, kind: kind.map(str::to_owned), ..Objects::default() }
    }

    /// Adds an object. Every value takes one from `left`; at 0 nothing more is added.
    pub(crate) fn push(&mut self, object: &Object, node: Option<Node>, left: &mut usize) {
        let mut row = ObjectRow { node, cells: Vec::new() };
        let mut open = fields("", object, 0);
        while let Some(UnreadField { key, value, level }) = open.pop() {
            if *left == 0 {
                break;
            }
            *left -= 1;
            match value {
                Value::Object(inner) if level < MAX_OBJECT_LEVELS => {
                    open.extend(fields(&key, inner, level + 1));
                }
                Value::Array(items) => match items.as_slice() {
                    [Value::Object(inner)] if level < MAX_OBJECT_LEVELS => {
                        open.extend(fields(&key, inner, level + 1));
                    }
                    items => {
                        let values: Vec<String> =
                            items.iter().filter_map(scalar).take(MAX_CELL_VALUES).collect();
                        *left = left.saturating_sub(values.len());
                        self.cell(&mut row, key, values);
                    }
                },
                value => self.cell(&mut row, key, scalar(value).into_iter().collect()),
            }
        }
        if !row.cells.is_empty() {
            row.cells.sort_by_key(|(key, _)| *key);
            self.rows.push(row);
        }
    }

    fn cell(&mut self, row: &mut ObjectRow, key: String, values: Vec<String>) {
        if values.is_empty() {
            return;
        }
        let id = match self.known.get(&key) {
            Some(&id) => id,
            None if self.keys.len() < MAX_ROW_KEYS => {
                self.keys.push(key.clone());
                self.known.insert(key, self.keys.len() as u32 - 1);
                self.keys.len() as u32 - 1
            }
            None => return,
        };
        // "a.b" can be a key itself and also the key b inside a
        if !row.cells.iter().any(|(known, _)| *known == id) {
            row.cells.push((id, values));
        }
    }

    /// The values of a field, row by row.
    pub(crate) fn column(&self, key: u32) -> impl Iterator<Item = (usize, &[String])> {
        self.rows.iter().enumerate().filter_map(move |(r, row)| Some((r, row.values(key)?)))
    }
}

impl ObjectRow {
    /// The values of a field.
    pub(crate) fn values(&self, key: u32) -> Option<&[String]> {
        let at = self.cells.binary_search_by_key(&key, |(known, _)| *known).ok()?;
        Some(&self.cells[at].1)
    }
}

/// A field of an object that is not read yet.
struct UnreadField<'v> {
    key: String,
    value: &'v Value,
    level: usize,
}

/// The fields of an object in reverse, because they are taken from the end.
fn fields<'v>(prefix: &str, object: &'v Object, level: usize) -> Vec<UnreadField<'v>> {
    let own = |key: &&String| {
        key.len() <= MAX_KEY_BYTES && !matches!(key.as_str(), "@type" | "@context" | "__typename")
    };
    let field = |key: &String, value| {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        UnreadField { key, value, level }
    };
    let some = object.iter().filter(|(key, _)| own(key)).take(MAX_ROW_KEYS);
    let mut fields: Vec<UnreadField<'v>> = some.map(|(key, value)| field(key, value)).collect();
    fields.reverse();
    fields
}

/// A scalar as written in the JSON; nothing for null and empty strings.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects(text: &str) -> Objects {
        let values: Vec<Object> = serde_json::from_str(text).unwrap();
        let mut objects = Objects::new(0, String::new(), None);
        let mut left = 100_000;
        for object in &values {
            objects.push(object, None, &mut left);
        }
        objects
    }

    #[test]
    fn objects_become_dotted_fields() {
        let found = objects(
            r#"[{"name": " Oak ", "price": {"amount": 12.50, "old": null}, "tags": ["a", 2], "offers": [{"sku": true}],
                "sizes": [{"n": 1}, {"n": 2}], "@type": "Product"}]"#,
        );
        assert_eq!(found.keys, ["name", "price.amount", "tags", "offers.sku"]);
        let cells: Vec<Vec<String>> = found.rows[0].cells.iter().map(|cell| cell.1.clone()).collect();
        assert_eq!(cells, [vec!["Oak"], vec!["12.50"], vec!["a", "2"], vec!["true"]]);
    }

    #[test]
    fn what_is_added_is_bounded() {
        let deep = format!("[{}1{}]", "{\"a\":".repeat(100), "}".repeat(100));
        assert!(objects(&deep).keys.is_empty());
        let wide: Vec<String> = (0..1000).map(|i| format!("\"k{i}\": {i}")).collect();
        assert_eq!(objects(&format!("[{{{}}}]", wide.join(","))).keys.len(), MAX_ROW_KEYS);
        let mut left = 3;
        let mut objects = Objects::new(0, String::new(), None);
        let object: Object = serde_json::from_str(r#"{"a": 1, "b": 2, "c": 3, "d": 4}"#).unwrap();
        objects.push(&object, None, &mut left);
        objects.push(&object, None, &mut left);
        assert_eq!((objects.rows.len(), objects.keys.len()), (1, 3));
    }
}
