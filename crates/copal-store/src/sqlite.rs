//! SQLite: one file.
//!
//! The journal is a write-ahead log: other processes can read while a run writes, and a killed run leaves
//! only complete pages. `synchronous` is `NORMAL`: a written page survives if the program is killed; after a
//! power failure the last pages may be missing and have to be read again. One process writes at a time;
//! others wait up to [`BUSY_TIMEOUT`].

use crate::database::{Database, quoted};
use crate::error::StoreError;
use copal_output::rows::{ColumnType, RowValue};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, params_from_iter};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a writer waits for another.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a writer waits before it tries again to change the journal.
const BUSY_PAUSE: Duration = Duration::from_millis(20);

/// The longest name of a new file: file systems take 255 bytes, and the journal's name ends in `-journal`.
const MAX_FILE_NAME_BYTES: usize = 255 - "-journal".len();

/// An open SQLite file.
pub(crate) struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    /// Opens a file for writing, or creates it. Nothing is written yet.
    pub(crate) fn open_or_create(path: &Path) -> Result<Sqlite, StoreError> {
        if path.is_dir() {
            return Err(StoreError::IsFolder);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(StoreError::MissingFolder(folder.to_owned()));
        }
        // SQLite would create the file, and fail at the first write
        if path.file_name().is_some_and(|name| name.len() > MAX_FILE_NAME_BYTES) && !path.exists() {
            return Err(StoreError::LongFileName { max_bytes: MAX_FILE_NAME_BYTES });
        }
        Sqlite::open_with(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Opens a file for reading.
    pub(crate) fn open_existing(path: &Path) -> Result<Sqlite, StoreError> {
        if path.is_dir() {
            return Err(StoreError::IsFolder);
        }
        if !path.is_file() {
            return Err(StoreError::MissingFile);
        }
        // The log of a killed run can only be read if the file is writable. A read-only file has no such log.
        Sqlite::open_with(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| Sqlite::open_with(path, OpenFlags::SQLITE_OPEN_READ_ONLY))
    }

    fn open_with(path: &Path, flags: OpenFlags) -> Result<Sqlite, StoreError> {
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        // The first query shows whether the file is a database.
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))?;
        Ok(Sqlite { connection })
    }

    /// Makes the journal a write-ahead log. File systems without shared memory keep the old journal, which is
    /// as safe.
    ///
    /// SQLite changes the journal with a lock for which it does not wait: two processes that create a file at
    /// the same moment get "busy" at once, whatever the time limit. So the wait is here.
    fn keep_write_ahead_log(&self) -> Result<(), StoreError> {
        let started = Instant::now();
        loop {
            match self.connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())) {
                Err(error) if is_busy(&error) && started.elapsed() < BUSY_TIMEOUT => sleep(BUSY_PAUSE),
                changed => return Ok(changed?),
            }
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

impl Database for Sqlite {
    fn execute(&mut self, sql: &str, parameters: &[RowValue]) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(sql)?
            .execute(params_from_iter(parameters.iter().map(SqliteParameter)))?;
        Ok(())
    }

    fn query(
        &mut self,
        sql: &str,
        parameters: &[RowValue],
        types: &[ColumnType],
    ) -> Result<Vec<Vec<RowValue>>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(parameters.iter().map(SqliteParameter)))?;
        let mut out = Vec::new();
        while let Some(row) = rows.next()? {
            let value = |(at, column_type): (usize, &ColumnType)| {
                row.get_ref(at).map(|value| read_value(value, *column_type))
            };
            out.push(types.iter().enumerate().map(value).collect::<Result<Vec<RowValue>, _>>()?);
        }
        Ok(out)
    }

    fn prepare_for_writing(&mut self) -> Result<(), StoreError> {
        self.keep_write_ahead_log()?;
        self.connection.execute_batch("PRAGMA synchronous = NORMAL")?;
        Ok(())
    }

    fn begin(&mut self) -> Result<(), StoreError> {
        self.execute("BEGIN IMMEDIATE", &[])
    }

    fn table_names(&mut self) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')";
        let rows = self.query(sql, &[], &[ColumnType::Text])?;
        Ok(rows.into_iter().flatten().map(|name| name.to_text()).collect())
    }

    fn quoted_table(&self, name: &str) -> String {
        quoted(name)
    }

    fn sql_type(&self, column_type: ColumnType) -> &'static str {
        match column_type {
            ColumnType::Boolean => "BOOLEAN",
            ColumnType::Integer => "INTEGER",
            ColumnType::Real => "REAL",
            ColumnType::Text | ColumnType::List => "TEXT",
        }
    }

    fn timestamp_type(&self) -> &'static str {
        "TEXT"
    }

    fn timestamp_value(&self, parameter: &str) -> String {
        parameter.to_owned()
    }

    fn identity_column(&self) -> &'static str {
        "INTEGER PRIMARY KEY AUTOINCREMENT"
    }

    fn insertion_order(&self) -> &'static str {
        "rowid"
    }

    fn json_elements(&self, parameter: &str) -> String {
        format!("SELECT value FROM json_each({parameter})")
    }

    /// SQLite cannot change the type of a column, so a new column replaces it.
    fn widen_statements(&self, table: &str, column: &str, from: ColumnType, to: ColumnType) -> Vec<String> {
        let (table, column) = (self.quoted_table(table), quoted(column));
        let text = match from {
            ColumnType::Boolean => format!("CASE WHEN {column} THEN 'true' ELSE 'false' END"),
            // An integer is written without a decimal point, as everywhere else.
            ColumnType::Real => format!(
                "CASE WHEN {column} = CAST({column} AS INTEGER) THEN CAST(CAST({column} AS INTEGER) AS TEXT) \
                 ELSE CAST({column} AS TEXT) END"
            ),
            ColumnType::Integer | ColumnType::Text | ColumnType::List => format!("CAST({column} AS TEXT)"),
        };
        let value = match to {
            ColumnType::Real => format!("CAST({column} AS REAL)"),
            ColumnType::List => format!("json_array({text})"),
            _ => text,
        };
        if self.sql_type(from) == self.sql_type(to) {
            return vec![format!("UPDATE {table} SET {column} = {value} WHERE {column} IS NOT NULL")];
        }
        let wider = quoted("copal wider");
        vec![
            format!("ALTER TABLE {table} ADD COLUMN {wider} {}", self.sql_type(to)),
            format!("UPDATE {table} SET {wider} = {value} WHERE {column} IS NOT NULL"),
            format!("ALTER TABLE {table} DROP COLUMN {column}"),
            format!("ALTER TABLE {table} RENAME COLUMN {wider} TO {column}"),
        ]
    }
}

/// A value as a parameter of a statement.
struct SqliteParameter<'a>(&'a RowValue);

impl ToSql for SqliteParameter<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            RowValue::Null => ToSqlOutput::Owned(Value::Null),
            RowValue::Boolean(yes) => ToSqlOutput::Owned(Value::Integer(i64::from(*yes))),
            RowValue::Integer(whole) => ToSqlOutput::Owned(Value::Integer(*whole)),
            RowValue::Real(real) => ToSqlOutput::Owned(Value::Real(*real)),
            RowValue::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            RowValue::List(_) => ToSqlOutput::Owned(Value::Text(self.0.to_text())),
        })
    }
}

/// A value of the type of its column. Other programs may have written to the table, so any value is possible.
fn read_value(value: ValueRef<'_>, column_type: ColumnType) -> RowValue {
    match (value, column_type) {
        (ValueRef::Null | ValueRef::Blob(_), _) => RowValue::Null,
        (ValueRef::Integer(whole), ColumnType::Boolean) => RowValue::Boolean(whole != 0),
        (ValueRef::Integer(whole), ColumnType::Integer) => RowValue::Integer(whole),
        (ValueRef::Integer(whole), ColumnType::Real) => RowValue::Real(whole as f64),
        (ValueRef::Integer(whole), _) => RowValue::Text(whole.to_string()),
        (ValueRef::Real(real), ColumnType::Text | ColumnType::List) => RowValue::Text(real.to_string()),
        (ValueRef::Real(real), _) => RowValue::Real(real),
        (ValueRef::Text(bytes), _) => RowValue::Text(String::from_utf8_lossy(bytes).into_owned()),
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            _ if is_busy(&error) => StoreError::Busy,
            Some(ErrorCode::NotADatabase) => StoreError::NotSqlite,
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly,
            Some(ErrorCode::CannotOpen) => StoreError::CannotOpen,
            Some(ErrorCode::DiskFull) => StoreError::DiskFull,
            Some(ErrorCode::SystemIoFailure) => StoreError::WriteFailed,
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged,
            _ => StoreError::Database(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements;
    use copal_output::rows::{RowField, TableSchema};
    use std::thread;

    #[test]
    fn widened_values_equal_those_of_a_wider_column() {
        let values = [
            RowValue::Boolean(true),
            RowValue::Boolean(false),
            RowValue::Integer(7),
            RowValue::Real(2.0),
            RowValue::Real(12.5),
            RowValue::text("a \"b\" ü"),
        ];
        for value in values {
            for to in [ColumnType::Integer, ColumnType::Real, ColumnType::Text, ColumnType::List] {
                let from = value.column_type().unwrap();
                if from == to || from.join(to) != to {
                    continue;
                }
                let connection = Connection::open_in_memory().unwrap();
                let mut database = Sqlite { connection };
                database
                    .execute(&format!("CREATE TABLE t (c {}, d TEXT)", database.sql_type(from)), &[])
                    .unwrap();
                database
                    .execute("INSERT INTO t VALUES ($1, 'x'), (NULL, 'y')", std::slice::from_ref(&value))
                    .unwrap();
                for sql in database.widen_statements("t", "c", from, to) {
                    database.execute(&sql, &[]).unwrap();
                }
                let rows =
                    database.query("SELECT c, d FROM t ORDER BY d", &[], &[to, ColumnType::Text]).unwrap();
                let wanted =
                    [[value.clone().fit(to), RowValue::text("x")], [RowValue::Null, RowValue::text("y")]];
                assert_eq!(rows, wanted, "{value:?} to {to:?}");
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        /// A table can store any column name and any text.
        #[test]
        fn any_names_and_texts_are_stored(
            names in proptest::collection::vec(".{0,80}", 1..12),
            text in "[^\0]{1,40}",
        ) {
            // The caller refuses names that SQLite keeps for itself.
            proptest::prop_assume!(!text.to_lowercase().starts_with("sqlite_"));
            let mut schema = TableSchema::default();
            let field = |name: &String| RowField {
                column: name.clone(),
                component: String::new(),
                column_type: ColumnType::Text,
            };
            let fields: Vec<RowField> = names.iter().map(field).collect();
            let (changes, places) = schema.add_fields(&fields);
            let mut database = Sqlite { connection: Connection::open_in_memory().unwrap() };
            statements::create_own_tables(&mut database).unwrap();
            statements::create_table(&mut database, &text, &changes[..1]).unwrap();
            statements::alter_table(&mut database, &text, &changes[1..], schema.columns.len()).unwrap();
            let loaded = statements::load_schema(&mut database, &text).unwrap().unwrap();
            proptest::prop_assert_eq!(&loaded.columns, &schema.columns);
            let column = quoted(&schema.columns[places[0]].name);
            let cells = [RowValue::text("k"), RowValue::text(&text)];
            let insert = format!(
                "INSERT INTO {} (key, {column}, page, method, run, first_run, first_seen, last_seen) \
                 VALUES ($1, $2, '', '', 1, 1, '', '')",
                database.quoted_table(&text)
            );
            database.execute(&insert, &cells).unwrap();
            let select = format!("SELECT {column} FROM {}", database.quoted_table(&text));
            let rows = database.query(&select, &[], &[ColumnType::Text]).unwrap();
            proptest::prop_assert_eq!(&rows[0][0], &cells[1]);
        }
    }

    #[test]
    fn names_without_room_for_the_journal_leave_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |bytes| folder.path().join("n".repeat(bytes));
        let mut longest = Sqlite::open_or_create(&path(MAX_FILE_NAME_BYTES)).unwrap();
        longest.prepare_for_writing().unwrap();
        longest.execute("CREATE TABLE notes (text TEXT)", &[]).unwrap();
        drop(longest);
        let refused = Sqlite::open_or_create(&path(MAX_FILE_NAME_BYTES + 1));
        assert!(matches!(refused, Err(StoreError::LongFileName { max_bytes: MAX_FILE_NAME_BYTES })));
        assert!(!path(MAX_FILE_NAME_BYTES + 1).exists());
    }

    #[test]
    fn the_journal_is_changed_when_another_writer_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.sqlite");
        let writer = Connection::open(&path).unwrap();
        writer.execute_batch("CREATE TABLE notes (text TEXT); BEGIN IMMEDIATE").unwrap();
        let mut file = Sqlite::open_or_create(&path).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                sleep(Duration::from_millis(200));
                drop(writer);
            });
            file.prepare_for_writing().unwrap();
        });
        let mode: String = file.connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
    }
}
