//! The version of the tables that copal creates in a database.
//!
//! | version | since | difference |
//! |---|---|---|
//! | 1 | 0.1 | no `copal_meta`: a database with `copal_columns` but without it has version 1 |
//! | 2 | 0.1 | `copal_meta` with the version, `copal_aliases` with renamed columns |
//!
//! Version 1 is read as it is, and upgraded by the next run that writes (the new tables are added, nothing
//! else changes). Other versions are refused before anything is changed.

use crate::database::Database;
use crate::error::StoreError;
use crate::statements::{COLUMNS_TABLE, META_TABLE};
use copal_output::rows::{ColumnType, RowValue};

/// The version that this build writes.
pub(crate) const LAYOUT_VERSION: i64 = 2;
/// The oldest version that this build reads.
const OLDEST_LAYOUT_VERSION: i64 = 1;
/// The version of databases that have none stored.
const UNVERSIONED_LAYOUT: i64 = 1;
/// The name of the version in `copal_meta`.
const VERSION_NAME: &str = "schema_version";

/// The version of a database; `None` if copal has not written to it.
pub(crate) fn read(database: &mut dyn Database) -> Result<Option<i64>, StoreError> {
    let tables = database.table_names()?;
    let exists = |name: &str| tables.iter().any(|table| table == name);
    if !exists(COLUMNS_TABLE) {
        return Ok(None);
    }
    if !exists(META_TABLE) {
        return Ok(Some(UNVERSIONED_LAYOUT));
    }
    let sql = format!("SELECT value FROM {} WHERE name = $1", database.quoted_table(META_TABLE));
    let rows = database.query(&sql, &[RowValue::text(VERSION_NAME)], &[ColumnType::Text])?;
    let found = rows.first().and_then(|row| row.first()).map(RowValue::to_text).unwrap_or_default();
    match found.parse::<i64>() {
        Ok(version) => Ok(Some(version)),
        Err(_) => Err(unknown(found)),
    }
}

/// Refuses a database whose version this build does not know.
pub(crate) fn check(database: &mut dyn Database) -> Result<(), StoreError> {
    match read(database)? {
        Some(found) if found > LAYOUT_VERSION => {
            Err(StoreError::NewerSchema { found, known: LAYOUT_VERSION })
        }
        Some(found) if found < OLDEST_LAYOUT_VERSION => Err(unknown(found.to_string())),
        _ => Ok(()),
    }
}

/// Stores the version that this build writes.
pub(crate) fn write(database: &mut dyn Database) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {} (name, value) VALUES ($1, $2) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        database.quoted_table(META_TABLE)
    );
    database.execute(&sql, &[RowValue::text(VERSION_NAME), RowValue::Text(LAYOUT_VERSION.to_string())])
}

fn unknown(found: String) -> StoreError {
    StoreError::UnknownSchema { found, oldest: OLDEST_LAYOUT_VERSION, known: LAYOUT_VERSION }
}
