//! The records of a file that copal wrote: CSV, JSON or JSONL (one line per record or per page).
//!
//! In: a file. Out: [`KeyedRecord`]s. The key is made of the columns that the caller names, or else of the
//! whole record (then records are only new or gone, never changed). A repeated key gets a number. O(bytes).

use crate::difference::KeyedRecord;
use crate::error::StoreError;
use copal_output::rows::{KeyNumbering, hash_texts, is_component_column};
use serde_json::{Deserializer, Value};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Maximum number of bytes that are read of a file, because files are compared in memory.
const MAX_FILE_BYTES: u64 = 2_000_000_000;
/// Columns that say where a record was read, not what it is.
const ORIGIN_COLUMN_NAMES: &[&str] = &["page", "region"];

/// Names and texts of the cells of each record.
type RecordCells = Vec<Vec<(String, String)>>;

/// The records of one file.
#[derive(Debug, Default)]
pub struct RecordFile {
    records: RecordCells,
}

impl RecordFile {
    /// Reads a file that ends in `.csv`, `.json`, `.jsonl` or `.ndjson`.
    pub fn read(path: &Path) -> Result<RecordFile, StoreError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let read = match ending {
            "csv" => read_csv,
            "json" | "jsonl" | "ndjson" => read_json,
            _ => return Err(StoreError::UnknownFileFormat),
        };
        if path.is_dir() {
            return Err(StoreError::IsFolder);
        }
        let mut records = read(&mut BufReader::new(File::open(path)?.take(MAX_FILE_BYTES)))?;
        drop_components(&mut records);
        Ok(RecordFile { records })
    }

    /// True if any record has this column.
    pub fn has_column(&self, column: &str) -> bool {
        self.records.iter().flatten().any(|(name, _)| name == column)
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// True if there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records with their keys. Without `key_columns` the key is a hash of the whole record.
    pub fn into_keyed_records(self, key_columns: &[String]) -> Vec<KeyedRecord> {
        let mut keys = KeyNumbering::default();
        let keyed = |cells: Vec<(String, String)>| {
            let texts: Vec<String> = key_columns
                .iter()
                .filter_map(|name| cells.iter().find(|(column, _)| column == name))
                .map(|(_, text)| text.clone())
                .filter(|text| !text.is_empty())
                .collect();
            let key = if texts.is_empty() { whole_record_key(&cells) } else { texts.join(" | ") };
            KeyedRecord { key: keys.next(&key), cells }
        };
        self.records.into_iter().map(keyed).collect()
    }
}

/// Drops the columns of typed values (`price_amount`), which say nothing that the texts do not say: a file with
/// them and one without them can be compared.
fn drop_components(records: &mut RecordCells) {
    let names: HashSet<String> = records.iter().flatten().map(|(name, _)| name.clone()).collect();
    let components: HashSet<String> = names
        .iter()
        .filter(|name| is_component_column(name, |column| names.contains(column)))
        .cloned()
        .collect();
    for cells in records {
        cells.retain(|(name, _)| !components.contains(name));
    }
}

/// A key made of all cells.
fn whole_record_key(cells: &[(String, String)]) -> String {
    let mut texts: Vec<String> = cells.iter().map(|(name, text)| format!("{name} {text}")).collect();
    texts.sort();
    hash_texts(&texts)
}

fn read_csv(bytes: &mut dyn Read) -> Result<RecordCells, StoreError> {
    let invalid = |error: ::csv::Error| match error.kind() {
        ::csv::ErrorKind::Utf8 { .. } => {
            StoreError::InvalidFile { format: "CSV", reason: "it is not UTF-8".into() }
        }
        _ => invalid_file("CSV", &error),
    };
    let mut reader = ::csv::Reader::from_reader(bytes);
    let header: Vec<String> = reader.headers().map_err(invalid)?.iter().map(str::to_owned).collect();
    let mut records = Vec::new();
    for record in reader.records() {
        let record = record.map_err(invalid)?;
        let cells = header.iter().zip(record.iter()).filter(|(name, text)| !text.is_empty() && is_data(name));
        records.push(cells.map(|(name, text)| (name.clone(), text.to_owned())).collect());
    }
    Ok(records)
}

fn invalid_file(format: &'static str, error: &dyn std::error::Error) -> StoreError {
    StoreError::InvalidFile { format, reason: error.to_string() }
}

fn is_data(name: &str) -> bool {
    !ORIGIN_COLUMN_NAMES.contains(&name)
}

/// Reads one document after the other: answers of copal (alone, in an array, or one per line), or records.
fn read_json(bytes: &mut dyn Read) -> Result<RecordCells, StoreError> {
    let mut records = Vec::new();
    for value in Deserializer::from_reader(bytes).into_iter::<Value>() {
        match value.map_err(|error| invalid_file("JSON", &error))? {
            Value::Array(pages) => pages.into_iter().for_each(|page| add_records(page, &mut records)),
            page => add_records(page, &mut records),
        }
    }
    Ok(records)
}

fn add_records(mut page: Value, records: &mut RecordCells) {
    if page.get("copal").is_none() {
        records.extend(cells(page));
        return;
    }
    // The lists of a detail page are about other things than its object.
    if page.get("fields").is_some() {
        records.extend(cells(page["fields"].take()));
        return;
    }
    for region in page["regions"].as_array_mut().into_iter().flatten() {
        for record in region["records"].as_array_mut().into_iter().flatten() {
            records.extend(cells(record["fields"].take()));
        }
    }
}

fn cells(record: Value) -> Option<Vec<(String, String)>> {
    let Value::Object(fields) = record else { return None };
    let text = |value: Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(several) if several.iter().all(Value::is_string) => {
            several.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" | ")
        }
        other => other.to_string(),
    };
    let cells = fields.into_iter().map(|(name, value)| (name, text(value)));
    Some(cells.filter(|(_, text)| !text.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference::{ChangedRecord, compare};

    type ReadRecords = fn(&mut dyn Read) -> Result<RecordCells, StoreError>;

    fn file(text: &str, read: ReadRecords) -> RecordFile {
        RecordFile { records: read(&mut text.as_bytes()).unwrap() }
    }

    #[test]
    fn csv_and_json_of_one_list_are_equal() {
        let a = file("page,url,title,tags\np,/1,A,x | y\np,/2,B,\n", read_csv);
        let b = file(
            r#"{"copal": 1, "regions": [{"records": [{"fields": {"url": "/1", "title": "A",
               "tags": ["x", "y"]}}, {"fields": {"url": "/2", "title": "B"}}]}]}"#,
            read_json,
        );
        let key = ["url".to_owned()];
        let difference = compare(&a.into_keyed_records(&key), &b.into_keyed_records(&key));
        assert!(difference.is_empty(), "{difference:?}");
        assert_eq!(difference.same, 2);
    }

    #[test]
    fn new_gone_and_changed_records_are_found() {
        let a = file("url,price\n/1,10\n/2,20\n/3,30\n/3,31\n", read_csv);
        let b = file("url,price,off\n/2,20,\n/3,30,\n/3,32,5%\n/4,40,\n", read_csv);
        let key = ["url".to_owned()];
        let difference = compare(&a.into_keyed_records(&key), &b.into_keyed_records(&key));
        let keys = |records: &[KeyedRecord]| records.iter().map(|r| r.key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&difference.new), ["/4"]);
        assert_eq!(keys(&difference.gone), ["/1"]);
        assert_eq!(difference.changed.len(), 1);
        let ChangedRecord { key, changes, .. } = &difference.changed[0];
        assert_eq!(key, "/3#2");
        let changes: Vec<(&str, &str, &str)> =
            changes.iter().map(|c| (c.column.as_str(), c.old.as_str(), c.new.as_str())).collect();
        assert_eq!(changes, [("price", "31", "32"), ("off", "", "5%")]);
        assert_eq!(difference.same, 2);
    }

    #[test]
    fn invalid_files_are_refused() {
        for (text, read) in [("{\"a\": ", read_json as ReadRecords), ("a,b\n1\n", read_csv)] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text}");
        }
    }
}
