//! New, gone and changed records between two sets of records.
//!
//! In: two sets of records with keys, from files ([`RecordFile`](crate::RecordFile)) or a database. Out: a
//! [`Difference`]. O(cells).

use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// A record with its key and the texts of its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRecord {
    /// What identifies the record.
    pub key: String,
    /// The columns that are not empty, with their texts.
    pub cells: Vec<(String, String)>,
}

/// A value that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueChange {
    /// The name of the column.
    pub column: String,
    /// The old text; empty if there was none.
    pub old: String,
    /// The new text; empty if there is none.
    pub new: String,
}

/// A record that both sets have, with other values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedRecord {
    /// What identifies the record.
    pub key: String,
    /// Its newer title or name, for people: a key may be a hash.
    pub title: Option<String>,
    /// What changed.
    pub changes: Vec<ValueChange>,
}

/// Columns that name a record, best first.
pub(crate) const TITLE_COLUMNS: &[&str] = &["title", "name", "headline"];

impl KeyedRecord {
    /// The text of the column that names the record, if it has one.
    pub fn title(&self) -> Option<&str> {
        let cell = |name: &&str| self.cells.iter().find(|(column, _)| column == name);
        TITLE_COLUMNS.iter().find_map(cell).map(|(_, text)| text.as_str())
    }
}

/// The difference between two sets of records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// The table, if the records are from a database.
    pub table: Option<String>,
    /// Records that only the newer set has.
    pub new: Vec<KeyedRecord>,
    /// Records that only the older set has.
    pub gone: Vec<KeyedRecord>,
    /// Records that differ.
    pub changed: Vec<ChangedRecord>,
    /// The number of records that are equal.
    pub same: usize,
}

impl Difference {
    /// True if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty() && self.changed.is_empty()
    }

    /// The difference for programs, with so many records of each kind at most.
    pub fn to_json(&self, most: usize) -> Value {
        let entry = |entry: &KeyedRecord| {
            let fields: Map<String, Value> =
                entry.cells.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect();
            json!({ "key": entry.key, "fields": fields })
        };
        let changed = self.changed.iter().take(most).map(|record| {
            let changes: Vec<Value> = record
                .changes
                .iter()
                .map(|change| json!({ "column": change.column, "old": change.old, "new": change.new }))
                .collect();
            let mut value = json!({ "key": record.key, "changes": changes });
            if let Some(title) = &record.title {
                value["title"] = title.as_str().into();
            }
            value
        });
        let mut value = json!({
            "new": self.new.iter().take(most).map(entry).collect::<Vec<_>>(),
            "gone": self.gone.iter().take(most).map(entry).collect::<Vec<_>>(),
            "changed": changed.collect::<Vec<_>>(),
            "same": self.same,
        });
        if let Some(table) = &self.table {
            value["table"] = table.as_str().into();
        }
        value
    }

    /// Counts records as new that were gone and came back. They are not changed or the same as well.
    pub(crate) fn add_returned(&mut self, returned: Vec<KeyedRecord>) {
        let keys: HashSet<&str> = returned.iter().map(|record| record.key.as_str()).collect();
        let changed_before = self.changed.len();
        self.changed.retain(|record| !keys.contains(record.key.as_str()));
        let also_changed = changed_before - self.changed.len();
        self.same = self.same.saturating_sub(keys.len() - also_changed);
        self.new.extend(returned);
    }
}

/// Compares two sets of records. Each key must be unique in its set.
pub fn compare(old: &[KeyedRecord], new: &[KeyedRecord]) -> Difference {
    let old_by_key: HashMap<&str, &KeyedRecord> =
        old.iter().map(|record| (record.key.as_str(), record)).collect();
    let new_keys: HashSet<&str> = new.iter().map(|record| record.key.as_str()).collect();
    let mut difference = Difference::default();
    for record in new {
        match old_by_key.get(record.key.as_str()) {
            None => difference.new.push(record.clone()),
            Some(old) => {
                let changes = value_changes(old, record);
                if changes.is_empty() {
                    difference.same += 1;
                } else {
                    let title = record.title().map(str::to_owned);
                    difference.changed.push(ChangedRecord { key: record.key.clone(), title, changes });
                }
            }
        }
    }
    let gone = old.iter().filter(|record| !new_keys.contains(record.key.as_str()));
    difference.gone = gone.cloned().collect();
    difference
}

fn value_changes(old: &KeyedRecord, new: &KeyedRecord) -> Vec<ValueChange> {
    let old_texts: HashMap<&str, &str> =
        old.cells.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let new_names: HashSet<&str> = new.cells.iter().map(|(name, _)| name.as_str()).collect();
    let present = new
        .cells
        .iter()
        .map(|(name, text)| (name, old_texts.get(name.as_str()).copied().unwrap_or_default(), text.as_str()));
    let removed = old.cells.iter().filter(|(name, _)| !new_names.contains(name.as_str()));
    let removed = removed.map(|(name, text)| (name, text.as_str(), ""));
    present
        .chain(removed)
        .filter(|(_, old, new)| old != new)
        .map(|(column, old, new)| ValueChange { column: column.clone(), old: old.into(), new: new.into() })
        .collect()
}
