//! SQLite: one file.
//!
//! The journal is a write-ahead log: others read while a run writes, and a killed run leaves whole pages. `synchronous` is
//! `NORMAL`: a page that was written stays if the program is killed; if the power fails, the last pages may have to be read again. One
//! process writes at a time; another waits for its turn, [`PATIENCE`] at most.

use crate::Error;
use crate::cell::{Cell, Kind};
use crate::database::{Database, quoted};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, params_from_iter};
use std::path::Path;
use std::time::Duration;

/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_secs(10);

/// An open file.
pub(crate) struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    /// Opens a file to write; it is made if it is not there. Nothing is changed yet.
    pub(crate) fn open(path: &Path) -> Result<Sqlite, Error> {
        if path.is_dir() {
            return Err(Error::Place("is a folder: expected a file name".into()));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Error::Place(format!("folder {} does not exist: create it first", folder.display())));
        }
        Sqlite::with(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Opens a file to read.
    pub(crate) fn read(path: &Path) -> Result<Sqlite, Error> {
        if !path.is_file() {
            return Err(Error::Place("no such file".into()));
        }
        // to read the log of a run that was killed, the file must be writable; a file that is not has none
        Sqlite::with(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| Sqlite::with(path, OpenFlags::SQLITE_OPEN_READ_ONLY))
    }

    fn with(path: &Path, flags: OpenFlags) -> Result<Sqlite, Error> {
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(PATIENCE)?;
        // the first look tells whether it is a database
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))?;
        Ok(Sqlite { connection })
    }

    /// From here on the file is written to.
    pub(crate) fn prepare(&mut self) -> Result<(), Error> {
        // some file systems have no shared memory: there it stays the old journal, which is as safe
        self.connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        self.connection.execute_batch("PRAGMA synchronous = NORMAL")?;
        Ok(())
    }
}

impl Database for Sqlite {
    fn execute(&mut self, sql: &str, parameters: &[Cell]) -> Result<(), Error> {
        self.connection.prepare_cached(sql)?.execute(params_from_iter(parameters))?;
        Ok(())
    }

    fn query(&mut self, sql: &str, parameters: &[Cell], kinds: &[Kind]) -> Result<Vec<Vec<Cell>>, Error> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(parameters))?;
        let mut out = Vec::new();
        while let Some(row) = rows.next()? {
            let cell = |(at, kind): (usize, &Kind)| row.get_ref(at).map(|value| read(value, *kind));
            out.push(kinds.iter().enumerate().map(cell).collect::<Result<Vec<Cell>, _>>()?);
        }
        Ok(out)
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.execute("BEGIN IMMEDIATE", &[])
    }

    fn tables(&mut self) -> Result<Vec<String>, Error> {
        let sql = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')";
        let rows = self.query(sql, &[], &[Kind::Text])?;
        Ok(rows.into_iter().flatten().map(|name| name.shown()).collect())
    }

    fn table(&self, name: &str) -> String {
        quoted(name)
    }

    fn type_of(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Boolean => "BOOLEAN",
            Kind::Integer => "INTEGER",
            Kind::Real => "REAL",
            Kind::Text | Kind::List => "TEXT",
        }
    }

    fn moment_type(&self) -> &'static str {
        "TEXT"
    }

    fn moment(&self, parameter: &str) -> String {
        parameter.to_owned()
    }

    fn numbered(&self) -> &'static str {
        "INTEGER PRIMARY KEY AUTOINCREMENT"
    }

    fn elements(&self, parameter: &str) -> String {
        format!("SELECT value FROM json_each({parameter})")
    }

    /// SQLite cannot change a column's type: a new column takes its place.
    fn widen(&self, table: &str, column: &str, from: Kind, to: Kind) -> Vec<String> {
        let (table, column) = (self.table(table), quoted(column));
        let text = match from {
            Kind::Boolean => format!("CASE WHEN {column} THEN 'true' ELSE 'false' END"),
            // a whole number has no point, as elsewhere
            Kind::Real => format!(
                "CASE WHEN {column} = CAST({column} AS INTEGER) THEN CAST(CAST({column} AS INTEGER) AS TEXT) \
                 ELSE CAST({column} AS TEXT) END"
            ),
            Kind::Integer | Kind::Text | Kind::List => format!("CAST({column} AS TEXT)"),
        };
        let value = match to {
            Kind::Real => format!("CAST({column} AS REAL)"),
            Kind::List => format!("json_array({text})"),
            _ => text,
        };
        if self.type_of(from) == self.type_of(to) {
            return vec![format!("UPDATE {table} SET {column} = {value} WHERE {column} IS NOT NULL")];
        }
        let wider = quoted("copal wider");
        vec![
            format!("ALTER TABLE {table} ADD COLUMN {wider} {}", self.type_of(to)),
            format!("UPDATE {table} SET {wider} = {value} WHERE {column} IS NOT NULL"),
            format!("ALTER TABLE {table} DROP COLUMN {column}"),
            format!("ALTER TABLE {table} RENAME COLUMN {wider} TO {column}"),
        ]
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Cell::Null => ToSqlOutput::Owned(Value::Null),
            Cell::Boolean(yes) => ToSqlOutput::Owned(Value::Integer(i64::from(*yes))),
            Cell::Integer(whole) => ToSqlOutput::Owned(Value::Integer(*whole)),
            Cell::Real(real) => ToSqlOutput::Owned(Value::Real(*real)),
            Cell::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Cell::List(_) => ToSqlOutput::Owned(Value::Text(self.shown())),
        })
    }
}

/// A value as its column's kind says; others may have written to the table, so anything may be there.
fn read(value: ValueRef<'_>, kind: Kind) -> Cell {
    match (value, kind) {
        (ValueRef::Null | ValueRef::Blob(_), _) => Cell::Null,
        (ValueRef::Integer(whole), Kind::Boolean) => Cell::Boolean(whole != 0),
        (ValueRef::Integer(whole), Kind::Integer) => Cell::Integer(whole),
        (ValueRef::Integer(whole), Kind::Real) => Cell::Real(whole as f64),
        (ValueRef::Integer(whole), _) => Cell::Text(whole.to_string()),
        (ValueRef::Real(real), Kind::Text | Kind::List) => Cell::Text(real.to_string()),
        (ValueRef::Real(real), _) => Cell::Real(real),
        (ValueRef::Text(bytes), _) => Cell::Text(String::from_utf8_lossy(bytes).into_owned()),
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => {
                Error::Place("not a SQLite database: choose another name, or move it away".into())
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::Busy,
            Some(ErrorCode::ReadOnly) => Error::Place("cannot be written: read-only".into()),
            Some(ErrorCode::CannotOpen) => Error::Place("cannot be opened".into()),
            Some(ErrorCode::DiskFull) => Error::Place("no space left on the device".into()),
            Some(ErrorCode::SystemIoFailure) => {
                Error::Place("cannot be written: the disk is full, a limit is reached, or it fails".into())
            }
            Some(ErrorCode::DatabaseCorrupt) => Error::Place("the database is damaged".into()),
            _ => Error::Database(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;
    use crate::sheet::Field;
    use crate::sql;

    #[test]
    fn widened_values_are_those_a_wider_column_would_have() {
        let cells = [
            Cell::Boolean(true),
            Cell::Boolean(false),
            Cell::Integer(7),
            Cell::Real(2.0),
            Cell::Real(12.5),
            Cell::text("a \"b\" ü"),
        ];
        for cell in cells {
            for to in [Kind::Integer, Kind::Real, Kind::Text, Kind::List] {
                let from = cell.kind().unwrap();
                if from == to || from.join(to) != to {
                    continue;
                }
                let connection = Connection::open_in_memory().unwrap();
                let mut database = Sqlite { connection };
                database
                    .execute(&format!("CREATE TABLE t (c {}, d TEXT)", database.type_of(from)), &[])
                    .unwrap();
                database
                    .execute("INSERT INTO t VALUES ($1, 'x'), (NULL, 'y')", std::slice::from_ref(&cell))
                    .unwrap();
                for sql in database.widen("t", "c", from, to) {
                    database.execute(&sql, &[]).unwrap();
                }
                let rows = database.query("SELECT c, d FROM t ORDER BY d", &[], &[to, Kind::Text]).unwrap();
                let wanted = [[cell.clone().fit(to), Cell::text("x")], [Cell::Null, Cell::text("y")]];
                assert_eq!(rows, wanted, "{cell:?} to {to:?}");
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        /// Whatever a page calls its columns, and whatever it says: the table has it.
        #[test]
        fn any_names_and_texts(names in proptest::collection::vec(".{0,80}", 1..12), text in "[^\0]{1,40}") {
            proptest::prop_assume!(!text.to_lowercase().starts_with("sqlite_"));
            let mut schema = Schema::default();
            let field = |name: &String| Field { shown: name.clone(), part: String::new(), kind: Kind::Text };
            let fields: Vec<Field> = names.iter().map(field).collect();
            let (changes, places) = schema.take(&fields);
            let mut database = Sqlite { connection: Connection::open_in_memory().unwrap() };
            sql::create_own(&mut database).unwrap();
            sql::create(&mut database, &text, &changes[..1]).unwrap();
            sql::alter(&mut database, &text, &changes[1..], schema.columns.len()).unwrap();
            proptest::prop_assert_eq!(&sql::load(&mut database, &text).unwrap().unwrap().columns, &schema.columns);
            let column = quoted(&schema.columns[places[0]].name);
            let cells = [Cell::text("k"), Cell::text(&text)];
            let insert = format!(
                "INSERT INTO {} (key, {column}, page, method, run, first_run, first_seen, last_seen) \
                 VALUES ($1, $2, '', '', 1, 1, '', '')",
                database.table(&text)
            );
            database.execute(&insert, &cells).unwrap();
            let select = format!("SELECT {column} FROM {}", database.table(&text));
            let rows = database.query(&select, &[], &[Kind::Text]).unwrap();
            proptest::prop_assert_eq!(&rows[0][0], &cells[1]);
        }
    }
}
