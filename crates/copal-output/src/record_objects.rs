//! Records as flat JSON objects, so that serde can read them into structs.
//!
//! In: a list. Out: one object per record, with the names of the columns as keys. Keys without a value are omitted. A
//! column that has several texts in one record is an array in all records, so that its type is the same. O(cells).

use crate::value_json::value_json;
use copal_model::Region;
use serde_json::{Map, Value};

/// One object per record: column names and the texts of the cells.
///
/// ```
/// let page = copal_dom::Page::from_text(
///     "<ul><li><b>Oak</b> <i>£3</i></li><li><b>Ash</b> <i>£4</i></li><li><b>Elm</b> <i>£5</i></li></ul>",
///     &copal_dom::Limits::default(),
/// );
/// let answer = copal_extract::extract(&page, &copal_extract::Request::default());
/// let records = copal_output::record_objects(answer.primary().expect("a list"));
/// assert_eq!(records[2].to_string(), r#"{"title":"Elm","price":"£5"}"#);
/// ```
pub fn record_objects(list: &Region) -> Vec<Value> {
    let is_array: Vec<bool> = (0..list.columns.len())
        .map(|c| list.records.iter().any(|record| record.cells[c].len() > 1))
        .collect();
    let objects = list.records.iter().map(|record| {
        let cells = list.columns.iter().zip(&record.cells).zip(&is_array);
        let cells = cells.filter_map(|((column, cell), is_array)| {
            let first = cell.first()?;
            let value = if *is_array { cell.texts().collect() } else { Value::from(first) };
            Some((column.name.clone(), value))
        });
        Value::Object(cells.collect::<Map<_, _>>())
    });
    objects.collect()
}

/// One object per record: column names and the typed values, as in the JSON output (a price is
/// `{"amount": 12.5, "currency": "GBP"}`). Cells without a typed value are omitted.
pub fn record_value_objects(list: &Region) -> Vec<Value> {
    let objects = list.records.iter().map(|record| {
        let cells = list.columns.iter().zip(&record.cells);
        let cells =
            cells.filter_map(|(column, cell)| Some((column.name.clone(), value_json(cell.value.as_ref()?))));
        Value::Object(cells.collect::<Map<_, _>>())
    });
    objects.collect()
}
