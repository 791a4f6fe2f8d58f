//! The records of a file that copal wrote: CSV, JSON, JSONL, or a table of a database.
//!
//! In: a file. Out: [`Entry`]s, each with a key: the columns that the user names, else `url`, else all of the record (then
//! nothing is changed, only new or gone). A key that is there before gets a number. O(bytes).

use crate::diff::Entry;
use crate::{Error, keys};
use serde_json::{Deserializer, Value};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Bytes of a file at most: it is compared in memory.
const MOST: u64 = 2_000_000_000;
/// Columns that say where a record was read, not what it is.
const PLACES: &[&str] = &["page", "region"];

type Rows = Vec<Vec<(String, String)>>;

/// The records of one file.
#[derive(Debug, Default)]
pub struct Records {
    rows: Rows,
}

impl Records {
    /// Reads a file that ends in `.csv`, `.json`, `.jsonl` or `.ndjson`.
    pub fn read(path: &Path) -> Result<Records, Error> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let read = match ending {
            "csv" => csv,
            "json" | "jsonl" | "ndjson" => json,
            _ => {
                return Err(Error::Place(
                    "cannot be compared: expected a name that ends in .csv, .json or .jsonl".into(),
                ));
            }
        };
        let file = File::open(path).map_err(|error| Error::Place(in_words(&error)))?;
        let rows = read(&mut BufReader::new(file.take(MOST)))?;
        Ok(Records { rows })
    }

    /// True if a record has this column.
    pub fn has(&self, column: &str) -> bool {
        self.rows.iter().flatten().any(|(name, _)| name == column)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The records with their keys; with no columns named the key is all of the record.
    pub fn entries(self, key: &[String]) -> Vec<Entry> {
        let mut names = keys::Numbered::default();
        let entry = |cells: Vec<(String, String)>| {
            let own: Vec<String> = key
                .iter()
                .filter_map(|name| cells.iter().find(|(column, _)| column == name))
                .map(|(_, text)| text.clone())
                .filter(|text| !text.is_empty())
                .collect();
            let base = if own.is_empty() { whole(&cells) } else { own.join(" | ") };
            Entry { key: names.next(&base), cells }
        };
        self.rows.into_iter().map(entry).collect()
    }
}

/// A key made of all cells.
fn whole(cells: &[(String, String)]) -> String {
    let mut texts: Vec<String> = cells.iter().map(|(name, text)| format!("{name} {text}")).collect();
    texts.sort();
    keys::hash(&texts)
}

fn csv(bytes: &mut dyn Read) -> Result<Rows, Error> {
    let wrong = |error: ::csv::Error| Error::Place(format!("not a CSV file: {error}"));
    let mut reader = ::csv::Reader::from_reader(bytes);
    let header: Vec<String> = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let cells = header.iter().zip(record.iter()).filter(|(name, text)| !text.is_empty() && is_data(name));
        rows.push(cells.map(|(name, text)| (name.clone(), text.to_owned())).collect());
    }
    Ok(rows)
}

fn is_data(name: &str) -> bool {
    !PLACES.contains(&name)
}

/// One document after the other: pages as copal writes them (alone, in an array, or one a line), or records.
fn json(bytes: &mut dyn Read) -> Result<Rows, Error> {
    let mut rows = Vec::new();
    for value in Deserializer::from_reader(bytes).into_iter::<Value>() {
        match value.map_err(|error| Error::Place(format!("not a JSON file: {error}")))? {
            Value::Array(pages) => pages.into_iter().for_each(|page| take(page, &mut rows)),
            page => take(page, &mut rows),
        }
    }
    Ok(rows)
}

fn take(mut page: Value, rows: &mut Rows) {
    if page.get("copal").is_none() {
        rows.extend(cells(page));
        return;
    }
    // an object's own page; its lists are of other things
    if page.get("fields").is_some() {
        rows.extend(cells(page["fields"].take()));
        return;
    }
    for region in page["regions"].as_array_mut().into_iter().flatten() {
        for record in region["records"].as_array_mut().into_iter().flatten() {
            rows.extend(cells(record["fields"].take()));
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

fn in_words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::between;

    fn records(text: &str, read: fn(&mut dyn Read) -> Result<Rows, Error>) -> Records {
        Records { rows: read(&mut text.as_bytes()).unwrap() }
    }

    #[test]
    fn csv_and_json_of_one_list_are_the_same() {
        let a = records("page,url,title,tags\np,/1,A,x | y\np,/2,B,\n", csv);
        let b = records(
            r#"{"copal": 1, "regions": [{"records": [{"fields": {"url": "/1", "title": "A", "tags": ["x", "y"]}},
               {"fields": {"url": "/2", "title": "B"}}]}]}"#,
            json,
        );
        let key = ["url".to_owned()];
        let difference = between(&a.entries(&key), &b.entries(&key));
        assert!(difference.is_empty(), "{difference:?}");
        assert_eq!(difference.same, 2);
    }

    #[test]
    fn new_gone_changed() {
        let a = records("url,price\n/1,10\n/2,20\n/3,30\n/3,31\n", csv);
        let b = records("url,price,off\n/2,20,\n/3,30,\n/3,32,5%\n/4,40,\n", csv);
        let key = ["url".to_owned()];
        let difference = between(&a.entries(&key), &b.entries(&key));
        let keys = |entries: &[Entry]| entries.iter().map(|entry| entry.key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&difference.new), ["/4"]);
        assert_eq!(keys(&difference.gone), ["/1"]);
        assert_eq!(difference.changed.len(), 1);
        let (key, changes) = &difference.changed[0];
        assert_eq!(key, "/3#2");
        let told: Vec<(&str, &str, &str)> =
            changes.iter().map(|c| (c.column.as_str(), c.old.as_str(), c.new.as_str())).collect();
        assert_eq!(told, [("price", "31", "32"), ("off", "", "5%")]);
        assert_eq!(difference.same, 2);
    }

    #[test]
    fn what_is_not_a_file_of_ours_is_refused() {
        for (text, read) in [("{\"a\": ", json as fn(&mut dyn Read) -> _), ("a,b\n1\n", csv)] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text}");
        }
    }
}
