//! Writes the rows of one page into a table.
//!
//! In: the rows of a page. Out: columns are added or widened, each record is matched with its stored row, and
//! changed values are written to the history. All of it happens in the transaction of the caller. O(cells)
//! and a few statements.

use crate::column_aliases::{self, ColumnAlias};
use crate::database::{Database, quoted};
use crate::error::StoreError;
use crate::statements::{self, HISTORY_TABLE};
use copal_output::rows::{KeyNumbering, PageRow, PageRows, RowValue, SchemaChange, TableSchema, hash_texts};
use std::collections::HashMap;

/// How many numbers of a key are tried if other pages of the run have used it for other records. After that
/// the key gets a hash of the content, so that many records with one key do not need one query each.
const MAX_KEY_TRIES: usize = 8;

/// Rows that are written together. The values of a row exist three times while it is written, so that all
/// rows of a very long list would need hundreds of megabytes.
const ROW_BATCH_SIZE: usize = 10_000;

/// Columns of every table that follow the key and the data, in the order of the values.
const ORIGIN_COLUMNS: [&str; 7] = ["page", "region", "method", "run", "first_run", "first_seen", "last_seen"];
/// Those of them that are updated when a record is seen again.
const UPDATED_ORIGIN_COLUMNS: [&str; 5] = ["page", "region", "method", "run", "last_seen"];
/// The last columns of every table that are timestamps.
const TIMESTAMP_COLUMN_COUNT: usize = 2;
/// Columns of the history, the last of which is a timestamp.
const HISTORY_COLUMNS: [&str; 7] = ["table_name", "key", "column_name", "old", "new", "run", "changed_at"];

/// Writes the rows of one page.
pub(crate) struct PageWriter<'a> {
    database: &'a mut dyn Database,
    run: i64,
    now: String,
    /// The keys of each table that this page has used.
    used_keys: HashMap<String, KeyNumbering>,
    /// The values that a row of this run had before the list was read whose complete records are written now.
    values_before: ValuesBefore<'a>,
}

/// The values that a row had, by its table and key.
pub(crate) type ValuesBefore<'a> = &'a dyn Fn(&str, &str) -> Option<Vec<RowValue>>;

/// What writing has done.
pub(crate) struct WrittenRows {
    pub(crate) new: usize,
    pub(crate) changed: usize,
    pub(crate) aliases: Vec<ColumnAlias>,
    /// The keys of all rows, in their order.
    pub(crate) keys: Vec<String>,
    /// The keys of the written rows, and the values that they had; `None` for new rows.
    pub(crate) replaced: Vec<(String, Option<Vec<RowValue>>)>,
    /// Columns that the table did not have.
    pub(crate) added_columns: Vec<String>,
    /// The table did not exist.
    pub(crate) created_table: bool,
}

/// Keys of written rows with the values that they had, and how many rows changed.
type ReplacedRows = (Vec<(String, Option<Vec<RowValue>>)>, usize);

/// The row of a table that a record belongs to.
struct RowSlot {
    key: String,
    /// The values that the row has; `None` for a new row.
    stored: Option<Vec<RowValue>>,
    /// Another page of this run has written the same values already.
    is_repeated: bool,
}

impl<'a> PageWriter<'a> {
    /// A writer for one page of a run.
    pub(crate) fn new(
        database: &'a mut dyn Database,
        run: i64,
        now: String,
        values_before: ValuesBefore<'a>,
    ) -> PageWriter<'a> {
        PageWriter { database, run, now, used_keys: HashMap::new(), values_before }
    }

    /// Writes rows into a table, which is created or changed as needed.
    pub(crate) fn write(&mut self, table: &str, rows: &mut PageRows) -> Result<WrittenRows, StoreError> {
        // The schema is read again for each page, because another process may have changed the table.
        let stored = statements::load_schema(self.database, table)?;
        let (exists, mut schema) = (stored.is_some(), stored.unwrap_or_default());
        let aliases = if exists {
            column_aliases::apply(self.database, table, &schema, rows, self.run)?
        } else {
            Vec::new()
        };
        let (changes, places) = schema.add_fields(&rows.fields);
        if exists {
            statements::alter_table(self.database, table, &changes, schema.columns.len())?;
        } else {
            statements::refuse_foreign_tables(self.database, &[table])?;
            statements::create_table(self.database, table, &changes)?;
        }
        let (mut keys, mut replaced, mut changed) = (Vec::new(), Vec::new(), 0);
        for batch in rows.rows.chunks(ROW_BATCH_SIZE) {
            let values: Vec<Vec<RowValue>> =
                batch.iter().map(|row| schema.fit_row(row, &rows.fields, &places)).collect();
            let slots = self.assign_slots(table, batch, &schema, &values)?;
            keys.extend(slots.iter().map(|slot| slot.key.clone()));
            let (replaced_in_batch, changed_in_batch) =
                self.write_slots(table, batch, &schema, values, slots)?;
            replaced.extend(replaced_in_batch);
            changed += changed_in_batch;
        }
        let added = changes.into_iter().filter_map(|change| match change {
            SchemaChange::Add(column) => Some(column.name),
            SchemaChange::Widen { .. } => None,
        });
        let new = replaced.iter().filter(|(_, before)| before.is_none()).count();
        let added_columns = added.collect();
        Ok(WrittenRows { new, changed, aliases, keys, replaced, added_columns, created_table: !exists })
    }

    /// Finds the row of each record: that of its key, or of the next number of the key that is free in this
    /// run.
    fn assign_slots(
        &mut self,
        table: &str,
        rows: &[PageRow],
        schema: &TableSchema,
        values: &[Vec<RowValue>],
    ) -> Result<Vec<RowSlot>, StoreError> {
        let mut slots: Vec<Option<RowSlot>> = values.iter().map(|_| None).collect();
        let mut open: Vec<usize> = (0..values.len()).collect();
        for round in 0..=MAX_KEY_TRIES {
            if open.is_empty() {
                break;
            }
            let used_keys = self.used_keys.entry(table.to_owned()).or_default();
            let next_key = |at: &usize| {
                let key = &rows[*at].key;
                if round < MAX_KEY_TRIES {
                    return used_keys.next(key);
                }
                let texts: Vec<String> = values[*at].iter().map(RowValue::to_text).collect();
                used_keys.next(&format!("{key}{}", hash_texts(&texts)))
            };
            let keys: Vec<String> = open.iter().map(next_key).collect();
            let stored = statements::rows_with_keys(self.database, table, schema, &keys)?;
            let mut still_open = Vec::new();
            for (at, key) in open.into_iter().zip(keys) {
                let before = (self.values_before)(table, &key);
                let slot = match stored.get(&key) {
                    Some(_) if let Some(mut values) = before => {
                        values.resize(schema.columns.len(), RowValue::Null);
                        RowSlot { key, stored: Some(values), is_repeated: false }
                    }
                    None => RowSlot { key, stored: None, is_repeated: false },
                    Some(row) if row.run != self.run => {
                        RowSlot { key, stored: Some(row.values.clone()), is_repeated: false }
                    }
                    Some(row) if row.values == values[at] || round == MAX_KEY_TRIES => {
                        let is_repeated = row.values == values[at];
                        RowSlot { key, stored: Some(row.values.clone()), is_repeated }
                    }
                    Some(_) => {
                        still_open.push(at);
                        continue;
                    }
                };
                slots[at] = Some(slot);
            }
            open = still_open;
        }
        Ok(slots.into_iter().flatten().collect())
    }

    /// Writes the rows and the history. Returns the keys of the written rows with the values that they had,
    /// and how many changed.
    fn write_slots(
        &mut self,
        table: &str,
        rows: &[PageRow],
        schema: &TableSchema,
        values: Vec<Vec<RowValue>>,
        slots: Vec<RowSlot>,
    ) -> Result<ReplacedRows, StoreError> {
        let (mut replaced, mut changed) = (Vec::new(), 0);
        let mut history: Vec<Vec<RowValue>> = Vec::new();
        let mut written: Vec<Vec<RowValue>> = Vec::new();
        let (run, now) = (RowValue::Integer(self.run), RowValue::Text(self.now.clone()));
        for ((row, values), slot) in rows.iter().zip(values).zip(slots) {
            if slot.is_repeated {
                continue;
            }
            if let Some(stored) = &slot.stored {
                let before = history.len();
                let pairs = schema.columns.iter().zip(stored).zip(&values);
                for ((column, old), new) in pairs.filter(|((_, old), new)| old != new) {
                    let cell = [table, &slot.key, &column.name].map(RowValue::text);
                    let change = [old.to_text_or_null(), new.to_text_or_null(), run.clone(), now.clone()];
                    history.push(cell.into_iter().chain(change).collect());
                }
                changed += usize::from(history.len() > before);
            }
            replaced.push((slot.key.clone(), slot.stored));
            let page = [RowValue::text(&row.page), row.region.clone(), RowValue::text(&row.method)];
            let seen = [run.clone(), run.clone(), now.clone(), now.clone()];
            let key = RowValue::Text(slot.key);
            written.push([key].into_iter().chain(values).chain(page).chain(seen).collect());
        }
        self.upsert(table, schema, &written)?;
        let timestamps: Vec<bool> = HISTORY_COLUMNS.iter().map(|name| *name == "changed_at").collect();
        let names = HISTORY_COLUMNS.map(quoted);
        statements::insert(self.database, HISTORY_TABLE, &names, &timestamps, &history, "")?;
        Ok((replaced, changed))
    }

    /// Inserts rows; a row whose key exists is updated and keeps when it was first seen.
    fn upsert(
        &mut self,
        table: &str,
        schema: &TableSchema,
        rows: &[Vec<RowValue>],
    ) -> Result<(), StoreError> {
        let data: Vec<String> = schema.columns.iter().map(|column| quoted(&column.name)).collect();
        let updated = data.iter().cloned().chain(UPDATED_ORIGIN_COLUMNS.map(quoted));
        let updates: Vec<String> = updated.map(|name| format!("{name} = excluded.{name}")).collect();
        let tail = format!(" ON CONFLICT (\"key\") DO UPDATE SET {}", updates.join(", "));
        let names: Vec<String> =
            [quoted("key")].into_iter().chain(data).chain(ORIGIN_COLUMNS.map(quoted)).collect();
        let timestamps: Vec<bool> =
            (0..names.len()).map(|at| at + TIMESTAMP_COLUMN_COUNT >= names.len()).collect();
        statements::insert(self.database, table, &names, &timestamps, rows, &tail)
    }
}
