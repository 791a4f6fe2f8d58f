//! The statements that make and fill our tables, the same for all databases.

use crate::Error;
use crate::cell::{Cell, Kind};
use crate::database::{Database, quoted};
use crate::schema::{Change, Column, Schema};

/// Our own tables.
pub(crate) const RUNS: &str = "runs";
pub(crate) const HISTORY: &str = "history";
pub(crate) const COLUMNS: &str = "copal_columns";

/// Parameters of one statement at most; SQLite takes 32,766.
const PARAMETERS: usize = 20_000;

/// Refuses tables of others: nothing is changed before this has passed.
pub(crate) fn check(database: &mut dyn Database, data: &[&str]) -> Result<(), Error> {
    let there = database.tables()?;
    let is_there = |name: &str| there.iter().any(|other| other.eq_ignore_ascii_case(name));
    let ours = is_there(COLUMNS);
    for name in [RUNS, HISTORY] {
        if is_there(name) && !ours {
            return Err(Error::Foreign(name.to_owned()));
        }
    }
    for name in data {
        if is_there(name) && !(ours && load(database, name)?.is_some()) {
            return Err(Error::Foreign((*name).to_owned()));
        }
    }
    Ok(())
}

/// Makes our own tables if they are not there.
pub(crate) fn create_own(database: &mut dyn Database) -> Result<(), Error> {
    let (text, whole, moment) =
        (database.type_of(Kind::Text), database.type_of(Kind::Integer), database.moment_type());
    let numbered = database.numbered();
    let statements = [
        format!(
            "CREATE TABLE IF NOT EXISTS {} (id {numbered}, started {moment} NOT NULL, finished {moment}, outcome {text}, \
             command {text}, copal {text}, pages {whole} NOT NULL DEFAULT 0, records {whole} NOT NULL DEFAULT 0)",
            database.table(RUNS)
        ),
        format!(
            "CREATE TABLE IF NOT EXISTS {} (table_name {text} NOT NULL, key {text} NOT NULL, column_name {text} NOT NULL, \
             old {text}, new {text}, run {whole} NOT NULL, changed_at {moment} NOT NULL)",
            database.table(HISTORY)
        ),
        format!(
            "CREATE TABLE IF NOT EXISTS {} (table_name {text} NOT NULL, position {whole} NOT NULL, column_name {text} NOT NULL, \
             shown {text} NOT NULL, part {text} NOT NULL, type {text} NOT NULL, PRIMARY KEY (table_name, column_name))",
            database.table(COLUMNS)
        ),
    ];
    statements.iter().try_for_each(|sql| database.execute(sql, &[]))?;
    let index =
        format!("CREATE INDEX IF NOT EXISTS history_by_key ON {} (table_name, key)", database.table(HISTORY));
    database.execute(&index, &[])
}

/// The columns of one of our tables; none if we made no such table.
pub(crate) fn load(database: &mut dyn Database, table: &str) -> Result<Option<Schema>, Error> {
    let sql = format!(
        "SELECT column_name, shown, part, type FROM {} WHERE table_name = $1 ORDER BY position",
        database.table(COLUMNS)
    );
    let rows = database.query(&sql, &[Cell::text(table)], &[Kind::Text; 4])?;
    if rows.is_empty() {
        return Ok(None);
    }
    let column = |row: Vec<Cell>| match row.as_slice() {
        [name, shown, part, kind] => Some(Column {
            name: name.shown(),
            shown: shown.shown(),
            part: part.shown(),
            kind: Kind::named(&kind.shown()),
        }),
        _ => None,
    };
    // the key is there from the beginning, so that a table without columns is ours too
    let columns = rows.into_iter().filter_map(column).filter(|column| column.part != "key").collect();
    Ok(Some(Schema { columns }))
}

/// Forgets tables that the user has dropped.
pub(crate) fn forget_dropped(database: &mut dyn Database, data: &[String]) -> Result<(), Error> {
    let there = database.tables()?;
    for name in data.iter().filter(|name| !there.contains(name)) {
        let sql = format!("DELETE FROM {} WHERE table_name = $1", database.table(COLUMNS));
        database.execute(&sql, &[Cell::text(name)])?;
    }
    Ok(())
}

/// Makes a table with its first columns.
pub(crate) fn create(database: &mut dyn Database, table: &str, changes: &[Change]) -> Result<(), Error> {
    let (text, whole, moment) =
        (database.type_of(Kind::Text), database.type_of(Kind::Integer), database.moment_type());
    let mut sql = format!("CREATE TABLE {} (\"key\" {text} PRIMARY KEY NOT NULL, ", database.table(table));
    for change in changes {
        if let Change::Add(column) = change {
            sql.push_str(&format!("{} {}, ", quoted(&column.name), database.type_of(column.kind)));
        }
    }
    sql.push_str(&format!(
        "page {text} NOT NULL, region {whole}, method {text} NOT NULL, run {whole} NOT NULL, first_run {whole} NOT NULL, \
         first_seen {moment} NOT NULL, last_seen {moment} NOT NULL)"
    ));
    database.execute(&sql, &[])?;
    let key = Column { name: "key".into(), shown: String::new(), part: "key".into(), kind: Kind::Text };
    note(database, table, 0, &key)?;
    for (at, change) in changes.iter().enumerate() {
        if let Change::Add(column) = change {
            note(database, table, at + 1, column)?;
        }
    }
    Ok(())
}

/// Changes a table's columns; `columns` are there after that.
pub(crate) fn alter(
    database: &mut dyn Database,
    table: &str,
    changes: &[Change],
    columns: usize,
) -> Result<(), Error> {
    let added = changes.iter().filter(|change| matches!(change, Change::Add(_))).count();
    let mut at = columns - added;
    for change in changes {
        match change {
            Change::Add(column) => {
                let (name, kind) = (quoted(&column.name), database.type_of(column.kind));
                database.execute(
                    &format!("ALTER TABLE {} ADD COLUMN {name} {kind}", database.table(table)),
                    &[],
                )?;
                at += 1;
                note(database, table, at, column)?;
            }
            Change::Widen { name, from, to } => {
                for sql in database.widen(table, name, *from, *to) {
                    database.execute(&sql, &[])?;
                }
                let sql = format!(
                    "UPDATE {} SET type = $1 WHERE table_name = $2 AND column_name = $3",
                    database.table(COLUMNS)
                );
                database.execute(&sql, &[Cell::text(to.name()), Cell::text(table), Cell::text(name)])?;
            }
        }
    }
    Ok(())
}

fn note(database: &mut dyn Database, table: &str, at: usize, column: &Column) -> Result<(), Error> {
    let cells = [
        Cell::text(table),
        Cell::count(at),
        Cell::text(&column.name),
        Cell::text(&column.shown),
        Cell::text(&column.part),
        Cell::text(column.kind.name()),
    ];
    database
        .execute(&format!("INSERT INTO {} VALUES ($1, $2, $3, $4, $5, $6)", database.table(COLUMNS)), &cells)
}

/// Inserts rows, as many with each statement as it takes. `moments` says which columns are points in time; `tail` is what stands
/// behind the values.
pub(crate) fn insert(
    database: &mut dyn Database,
    table: &str,
    columns: &[String],
    moments: &[bool],
    rows: &[Vec<Cell>],
    tail: &str,
) -> Result<(), Error> {
    let head = format!("INSERT INTO {} ({}) VALUES ", database.table(table), columns.join(", "));
    for chunk in rows.chunks((PARAMETERS / columns.len().max(1)).max(1)) {
        let mut next = 0;
        let mut sql = head.clone();
        for row in 0..chunk.len() {
            sql.push_str(if row == 0 { "(" } else { ", (" });
            for (at, is_moment) in moments.iter().enumerate() {
                next += 1;
                let place = format!("${next}");
                sql.push_str(if at == 0 { "" } else { ", " });
                sql.push_str(&if *is_moment { database.moment(&place) } else { place });
            }
            sql.push(')');
        }
        sql.push_str(tail);
        let cells: Vec<Cell> = chunk.iter().flatten().cloned().collect();
        database.execute(&sql, &cells)?;
    }
    Ok(())
}
