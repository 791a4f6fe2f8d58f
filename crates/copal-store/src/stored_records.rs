//! What a database has: its runs, its tables, and the records of a table, some at a time.
//!
//! In: a database. Out: [`StoredRun`]s and [`StoredRecords`]. The database is opened for reading. O(rows that are read),
//! and one count of the table.

use crate::database::{Database, quoted};
use crate::error::StoreError;
use crate::location::DatabaseLocation;
use crate::run_difference::{StoredRun, record_tables, stored_runs};
use crate::statements::{self, COLUMNS_TABLE};
use copal_output::rows::{ColumnType, RowValue};
use std::ops::Range;

/// Columns that each table has besides those of its records. Timestamps are read as texts.
const OWN_COLUMNS: [(&str, ColumnType); 7] = [
    ("page", ColumnType::Text),
    ("region", ColumnType::Integer),
    ("method", ColumnType::Text),
    ("run", ColumnType::Integer),
    ("first_run", ColumnType::Integer),
    ("first_seen", ColumnType::Text),
    ("last_seen", ColumnType::Text),
];

/// Some records of a table, in the order in which they were first stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRecords {
    /// All tables with records.
    pub tables: Vec<String>,
    /// The table that was read; `None` if there is none.
    pub table: Option<String>,
    /// Names of the columns: the key, those of the records, and where and when the records were seen.
    pub columns: Vec<String>,
    /// One row per record.
    pub rows: Vec<Vec<RowValue>>,
    /// Records of the table.
    pub total: usize,
}

impl StoredRecords {
    /// The positions of the columns of the records: without the key, and without where and when they were seen.
    pub fn record_columns(&self) -> Range<usize> {
        1..self.columns.len().saturating_sub(OWN_COLUMNS.len()).max(1)
    }
}

/// The last runs of a database, the last one first. A database without any has none.
pub fn last_runs(location: &DatabaseLocation, most: usize) -> Result<Vec<StoredRun>, StoreError> {
    let database = &mut *location.open_for_reading()?;
    match stored_runs(database) {
        Err(StoreError::NoRuns) => Ok(Vec::new()),
        Ok(mut runs) => {
            runs.truncate(most);
            Ok(runs)
        }
        Err(error) => Err(error),
    }
}

/// The tables with records.
pub fn stored_tables(location: &DatabaseLocation) -> Result<Vec<String>, StoreError> {
    tables_of(&mut *location.open_for_reading()?)
}

/// The tables with records; none in a database that copal has not written to.
fn tables_of(database: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    let has_own = database.table_names()?.iter().any(|name| name == COLUMNS_TABLE);
    if has_own { record_tables(database) } else { Ok(Vec::new()) }
}

/// Records of a table, or of the first one, from number `first` on and `most` at most.
pub fn read_records(
    location: &DatabaseLocation,
    table: Option<&str>,
    first: usize,
    most: usize,
) -> Result<StoredRecords, StoreError> {
    let database = &mut *location.open_for_reading()?;
    let tables = tables_of(database)?;
    let table = match table {
        Some(name) if !tables.iter().any(|table| table == name) => {
            return Err(StoreError::UnknownTable { name: name.to_owned(), existing: tables });
        }
        Some(name) => name.to_owned(),
        None => match tables.first() {
            Some(name) => name.clone(),
            None => {
                let columns = Vec::new();
                return Ok(StoredRecords { tables, table: None, columns, rows: Vec::new(), total: 0 });
            }
        },
    };
    let schema = statements::load_schema(database, &table)?.unwrap_or_default();
    let mut columns = vec![("key".to_owned(), ColumnType::Text)];
    columns.extend(schema.columns.into_iter().map(|column| (column.name, column.column_type)));
    columns.extend(OWN_COLUMNS.map(|(name, column_type)| (name.to_owned(), column_type)));
    let selected: Vec<String> = columns
        .iter()
        .map(|(name, _)| match name.as_str() {
            "first_seen" | "last_seen" => format!("CAST({} AS text)", quoted(name)),
            _ => quoted(name),
        })
        .collect();
    let types: Vec<ColumnType> = columns.iter().map(|(_, column_type)| *column_type).collect();
    let quoted_table = database.quoted_table(&table);
    let sql = format!(
        "SELECT {} FROM {quoted_table} ORDER BY {} LIMIT $1 OFFSET $2",
        selected.join(", "),
        database.insertion_order()
    );
    let number = |number: usize| RowValue::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    let rows = database.query(&sql, &[number(most), number(first)], &types)?;
    let counted =
        database.query(&format!("SELECT count(*) FROM {quoted_table}"), &[], &[ColumnType::Integer])?;
    let total = match counted.first().and_then(|row| row.first()) {
        Some(RowValue::Integer(total)) => usize::try_from(*total).unwrap_or_default(),
        _ => 0,
    };
    let columns = columns.into_iter().map(|(name, _)| name).collect();
    Ok(StoredRecords { tables, table: Some(table), columns, rows, total })
}
