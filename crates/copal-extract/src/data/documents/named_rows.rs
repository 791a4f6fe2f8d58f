//! Makes objects of rows whose columns the document names elsewhere.
//!
//! In: a JSON value. Out: the same value, in which arrays of equally long arrays of plain values are arrays
//! of objects if there are names for their columns in a sibling field (`{"columns": ["id", "name"], "rows":
//! [[1, "Oak"]]}`) or in the first row. Only the upper levels are examined, because that is where documents
//! have their tables. O(size).

use serde_json::{Map, Value};

/// How many levels are examined.
const MAX_TABLE_LEVELS: usize = 4;
/// Maximum number of columns.
const MAX_NAMED_COLUMNS: usize = 300;

/// Replaces rows by objects, in place.
pub(super) fn to_objects(document: &mut Value) {
    let mut open = vec![(document, 0)];
    while let Some((value, level)) = open.pop() {
        if let Some(rows) = named_rows(value, None) {
            *value = rows;
            continue;
        }
        let Value::Object(fields) = value else { continue };
        let names: Vec<Vec<String>> = fields.values().filter_map(column_names).collect();
        for field in fields.values_mut() {
            let beside = width(field).and_then(|width| names.iter().find(|names| names.len() == width));
            if let Some(rows) = beside.and_then(|names| named_rows(field, Some(names))) {
                *field = rows;
            } else if level < MAX_TABLE_LEVELS && (field.is_object() || field.is_array()) {
                open.push((field, level + 1));
            }
        }
    }
}

fn is_plain(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// The texts of an array, if it has only texts and they differ.
fn column_names(value: &Value) -> Option<Vec<String>> {
    let names: Option<Vec<String>> =
        value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect();
    let names = names.filter(|names| (2..=MAX_NAMED_COLUMNS).contains(&names.len()))?;
    let distinct = names.iter().enumerate().all(|(at, name)| !name.is_empty() && !names[..at].contains(name));
    distinct.then_some(names)
}

/// How many plain values each row of an array has, if all rows have the same number.
fn width(value: &Value) -> Option<usize> {
    let rows = value.as_array().filter(|rows| !rows.is_empty())?;
    let width = rows[0].as_array()?.len();
    let fits = |row: &Value| row.as_array().is_some_and(|row| row.len() == width && row.iter().all(is_plain));
    rows.iter().all(fits).then_some(width)
}

/// The rows as objects. Without given names the first row names the columns, if it has only texts and another
/// row has a number.
fn named_rows(value: &Value, given: Option<&Vec<String>>) -> Option<Value> {
    width(value)?;
    let rows = value.as_array()?;
    let (names, rows) = match given {
        Some(names) => (names.clone(), rows.as_slice()),
        None => {
            let names = column_names(rows.first()?)?;
            let differs = rows[1..]
                .iter()
                .any(|row| row.as_array().is_some_and(|row| row.iter().any(Value::is_number)));
            differs.then_some((names, &rows[1..]))?
        }
    };
    let object = |row: &Value| {
        let cells = row.as_array().into_iter().flatten().cloned();
        Value::Object(names.iter().cloned().zip(cells).collect::<Map<_, _>>())
    };
    Some(Value::Array(rows.iter().map(object).collect()))
}
