//! Rows that are stored while their list is still being read.
//!
//! The pages of a followed list are stored as they arrive, so that a killed run loses nothing it has read.
//! Columns and names of a list are only certain when all its pages are there. So the rows of its pages are
//! provisional: the complete list replaces them in one transaction, as if they had never been stored. Hence
//! the values that the rows had before are remembered, and what the provisional rows added is taken back
//! first: rows, columns and history. A column that became wider, and an alias, stay as they are: both are
//! valid for the complete list too. O(cells) in time and memory.

use crate::database::{Database, quoted};
use crate::error::StoreError;
use crate::page_writer::WrittenRows;
use crate::statements::{self, COLUMNS_TABLE, HISTORY_TABLE};
use copal_output::rows::{ColumnType, RowValue};
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashMap};

/// What the provisional pages of one list have written.
#[derive(Debug, Default)]
pub(crate) struct ProvisionalRows {
    tables: BTreeMap<String, ProvisionalTable>,
    pub(crate) pages: usize,
    pub(crate) records: usize,
    pub(crate) new: usize,
    pub(crate) changed: usize,
}

/// What they have written into one table.
#[derive(Debug, Default)]
struct ProvisionalTable {
    /// The values that a row had before, by its key; `None` for a row that was added.
    before: HashMap<String, Option<Vec<RowValue>>>,
    added_columns: Vec<String>,
    created: bool,
}

impl ProvisionalRows {
    /// Remembers what a page has written.
    pub(crate) fn add(&mut self, table: &str, written: WrittenRows, records: usize) {
        self.records += records;
        self.new += written.new;
        self.changed += written.changed;
        let known = self.tables.entry(table.to_owned()).or_default();
        known.added_columns.extend(written.added_columns);
        known.created |= written.created_table;
        for (key, before) in written.replaced {
            known.before.entry(key).or_insert(before);
        }
    }

    /// The values that a row had before the list was read; `None` if it was not changed.
    pub(crate) fn values_before(&self, table: &str, key: &str) -> Option<&Vec<RowValue>> {
        self.tables.get(table)?.before.get(key)?.as_ref()
    }

    /// Takes back what was added. Rows that existed before keep their provisional values, which the complete
    /// list replaces.
    pub(crate) fn take_back(&self, database: &mut dyn Database, run: i64) -> Result<(), StoreError> {
        for (table, written) in &self.tables {
            let keys_of = |keys: Vec<&String>| {
                let keys: Vec<&str> = keys.into_iter().map(String::as_str).collect();
                RowValue::Text(Json::from(keys).to_string())
            };
            let keys = keys_of(written.before.keys().collect());
            let added = written.before.iter().filter(|(_, before)| before.is_none());
            let added = keys_of(added.map(|(key, _)| key).collect());
            let (history, name) = (database.quoted_table(HISTORY_TABLE), database.quoted_table(table));
            let elements = database.json_elements("$3");
            let sql = format!(
                "DELETE FROM {history} WHERE run = $1 AND table_name = $2 AND \"key\" IN ({elements})"
            );
            database.execute(&sql, &[RowValue::Integer(run), RowValue::text(table), keys.clone()])?;
            let elements = database.json_elements("$1");
            database.execute(&format!("DELETE FROM {name} WHERE \"key\" IN ({elements})"), &[added])?;
            if written.created && is_empty(database, &name, "key")? {
                database.execute(&format!("DROP TABLE {name}"), &[])?;
                statements::forget_dropped_tables(database, std::slice::from_ref(table))?;
                continue;
            }
            for column in &written.added_columns {
                let quoted = quoted(column);
                let sql = format!("UPDATE {name} SET {quoted} = NULL WHERE \"key\" IN ({elements})");
                database.execute(&sql, std::slice::from_ref(&keys))?;
                drop_empty_column(database, table, column)?;
            }
        }
        Ok(())
    }
}

/// True if no row of a table has a value in a column. `table` is quoted.
fn is_empty(database: &mut dyn Database, table: &str, column: &str) -> Result<bool, StoreError> {
    let sql = format!("SELECT \"key\" FROM {table} WHERE {} IS NOT NULL LIMIT 1", quoted(column));
    Ok(database.query(&sql, &[], &[ColumnType::Text])?.is_empty())
}

/// Drops a column, unless another page has stored values in it.
fn drop_empty_column(database: &mut dyn Database, table: &str, column: &str) -> Result<(), StoreError> {
    let (name, quoted) = (database.quoted_table(table), quoted(column));
    if !is_empty(database, &name, column)? {
        return Ok(());
    }
    database.execute(&format!("ALTER TABLE {name} DROP COLUMN {quoted}"), &[])?;
    let columns = database.quoted_table(COLUMNS_TABLE);
    let sql = format!("DELETE FROM {columns} WHERE table_name = $1 AND column_name = $2");
    database.execute(&sql, &[table, column].map(RowValue::text))
}
