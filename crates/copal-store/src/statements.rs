//! The statements that create, fill and read copal's tables, the same for all databases.

use crate::database::{Database, quoted};
use crate::error::StoreError;
use copal_output::rows::{ColumnType, RowValue, SchemaChange, TableColumn, TableSchema};
use serde_json::Value as Json;
use std::collections::HashMap;

/// One row per run.
pub(crate) const RUNS_TABLE: &str = "runs";
/// One row per changed value.
pub(crate) const HISTORY_TABLE: &str = "history";
/// What each column of the other tables stores.
pub(crate) const COLUMNS_TABLE: &str = "copal_columns";
/// Columns that later runs gave another name.
pub(crate) const ALIASES_TABLE: &str = "copal_aliases";
/// The version of the layout.
pub(crate) const META_TABLE: &str = "copal_meta";
/// All tables that copal uses itself.
pub(crate) const OWN_TABLES: &[&str] = &[RUNS_TABLE, HISTORY_TABLE, COLUMNS_TABLE, ALIASES_TABLE, META_TABLE];

/// Maximum number of parameters of one statement; SQLite accepts 32,766.
const MAX_STATEMENT_PARAMETERS: usize = 20_000;
/// The component of the key column in `copal_columns`.
const KEY_COMPONENT: &str = "key";

/// Refuses tables that copal did not create. Nothing is changed before this has passed.
pub(crate) fn refuse_foreign_tables(database: &mut dyn Database, tables: &[&str]) -> Result<(), StoreError> {
    let existing = database.table_names()?;
    let exists = |name: &str| existing.iter().any(|other| other.eq_ignore_ascii_case(name));
    let is_ours = exists(COLUMNS_TABLE);
    for name in OWN_TABLES {
        if exists(name) && !is_ours {
            return Err(StoreError::ForeignTable((*name).to_owned()));
        }
    }
    for name in tables {
        if exists(name) && !(is_ours && load_schema(database, name)?.is_some()) {
            return Err(StoreError::ForeignTable((*name).to_owned()));
        }
    }
    Ok(())
}

/// Creates copal's own tables if they do not exist.
pub(crate) fn create_own_tables(database: &mut dyn Database) -> Result<(), StoreError> {
    let text = database.sql_type(ColumnType::Text);
    let integer = database.sql_type(ColumnType::Integer);
    let (timestamp, identity) = (database.timestamp_type(), database.identity_column());
    let definitions = [
        (
            RUNS_TABLE,
            format!(
                "id {identity}, started {timestamp} NOT NULL, finished {timestamp}, outcome {text}, \
                 command {text}, copal {text}, pages {integer} NOT NULL DEFAULT 0, \
                 records {integer} NOT NULL DEFAULT 0"
            ),
        ),
        (
            HISTORY_TABLE,
            format!(
                "table_name {text} NOT NULL, key {text} NOT NULL, column_name {text} NOT NULL, old {text}, \
                 new {text}, run {integer} NOT NULL, changed_at {timestamp} NOT NULL"
            ),
        ),
        (
            COLUMNS_TABLE,
            format!(
                "table_name {text} NOT NULL, position {integer} NOT NULL, column_name {text} NOT NULL, \
                 shown {text} NOT NULL, part {text} NOT NULL, type {text} NOT NULL, \
                 PRIMARY KEY (table_name, column_name)"
            ),
        ),
        (
            ALIASES_TABLE,
            format!(
                "table_name {text} NOT NULL, name {text} NOT NULL, stored_as {text} NOT NULL, \
                 run {integer} NOT NULL, PRIMARY KEY (table_name, name)"
            ),
        ),
        (META_TABLE, format!("name {text} PRIMARY KEY NOT NULL, value {text} NOT NULL")),
    ];
    for (table, columns) in definitions {
        let table = database.quoted_table(table);
        database.execute(&format!("CREATE TABLE IF NOT EXISTS {table} ({columns})"), &[])?;
    }
    let history = database.quoted_table(HISTORY_TABLE);
    database
        .execute(&format!("CREATE INDEX IF NOT EXISTS history_by_key ON {history} (table_name, key)"), &[])
}

/// The columns of one of copal's tables; `None` if copal has no such table.
pub(crate) fn load_schema(
    database: &mut dyn Database,
    table: &str,
) -> Result<Option<TableSchema>, StoreError> {
    let sql = format!(
        "SELECT column_name, shown, part, type FROM {} WHERE table_name = $1 ORDER BY position",
        database.quoted_table(COLUMNS_TABLE)
    );
    let rows = database.query(&sql, &[RowValue::text(table)], &[ColumnType::Text; 4])?;
    if rows.is_empty() {
        return Ok(None);
    }
    let column = |row: Vec<RowValue>| match row.as_slice() {
        [name, source_column, component, column_type] => Some(TableColumn {
            name: name.to_text(),
            source_column: source_column.to_text(),
            component: component.to_text(),
            column_type: ColumnType::from_name(&column_type.to_text()),
        }),
        _ => None,
    };
    // The key is always listed, so that a table without other columns is recognised too.
    let columns = rows.into_iter().filter_map(column);
    let columns = columns.filter(|column| column.component != KEY_COMPONENT).collect();
    Ok(Some(TableSchema { columns }))
}

/// Forgets tables that the user has dropped.
pub(crate) fn forget_dropped_tables(
    database: &mut dyn Database,
    tables: &[String],
) -> Result<(), StoreError> {
    let existing = database.table_names()?;
    for name in tables.iter().filter(|name| !existing.contains(name)) {
        for own_table in [COLUMNS_TABLE, ALIASES_TABLE] {
            let sql = format!("DELETE FROM {} WHERE table_name = $1", database.quoted_table(own_table));
            database.execute(&sql, &[RowValue::text(name)])?;
        }
    }
    Ok(())
}

/// Creates a table with its first columns.
pub(crate) fn create_table(
    database: &mut dyn Database,
    table: &str,
    changes: &[SchemaChange],
) -> Result<(), StoreError> {
    let text = database.sql_type(ColumnType::Text);
    let integer = database.sql_type(ColumnType::Integer);
    let timestamp = database.timestamp_type();
    let mut sql =
        format!("CREATE TABLE {} (\"key\" {text} PRIMARY KEY NOT NULL, ", database.quoted_table(table));
    for change in changes {
        if let SchemaChange::Add(column) = change {
            sql.push_str(&format!("{} {}, ", quoted(&column.name), database.sql_type(column.column_type)));
        }
    }
    sql.push_str(&format!(
        "page {text} NOT NULL, region {integer}, method {text} NOT NULL, run {integer} NOT NULL, \
         first_run {integer} NOT NULL, first_seen {timestamp} NOT NULL, last_seen {timestamp} NOT NULL)"
    ));
    database.execute(&sql, &[])?;
    let key = TableColumn {
        name: "key".into(),
        source_column: String::new(),
        component: KEY_COMPONENT.into(),
        column_type: ColumnType::Text,
    };
    list_column(database, table, 0, &key)?;
    for (at, change) in changes.iter().enumerate() {
        if let SchemaChange::Add(column) = change {
            list_column(database, table, at + 1, column)?;
        }
    }
    Ok(())
}

/// Changes the columns of a table, which has `column_count` columns after that.
pub(crate) fn alter_table(
    database: &mut dyn Database,
    table: &str,
    changes: &[SchemaChange],
    column_count: usize,
) -> Result<(), StoreError> {
    let added = changes.iter().filter(|change| matches!(change, SchemaChange::Add(_))).count();
    let mut position = column_count - added;
    for change in changes {
        match change {
            SchemaChange::Add(column) => {
                let (name, sql_type) = (quoted(&column.name), database.sql_type(column.column_type));
                let table_name = database.quoted_table(table);
                database.execute(&format!("ALTER TABLE {table_name} ADD COLUMN {name} {sql_type}"), &[])?;
                position += 1;
                list_column(database, table, position, column)?;
            }
            SchemaChange::Widen { name, from, to } => {
                for sql in database.widen_statements(table, name, *from, *to) {
                    database.execute(&sql, &[])?;
                }
                let sql = format!(
                    "UPDATE {} SET type = $1 WHERE table_name = $2 AND column_name = $3",
                    database.quoted_table(COLUMNS_TABLE)
                );
                database.execute(&sql, &[to.name(), table, name].map(RowValue::text))?;
            }
        }
    }
    Ok(())
}

/// Adds a column to `copal_columns`.
fn list_column(
    database: &mut dyn Database,
    table: &str,
    position: usize,
    column: &TableColumn,
) -> Result<(), StoreError> {
    let values = [
        RowValue::text(table),
        RowValue::count(position),
        RowValue::text(&column.name),
        RowValue::text(&column.source_column),
        RowValue::text(&column.component),
        RowValue::text(column.column_type.name()),
    ];
    let columns = database.quoted_table(COLUMNS_TABLE);
    database.execute(&format!("INSERT INTO {columns} VALUES ($1, $2, $3, $4, $5, $6)"), &values)
}

/// A stored row: the run that saw it last, and one value per column of the schema.
#[derive(Debug, Clone)]
pub(crate) struct StoredRow {
    pub(crate) run: i64,
    pub(crate) values: Vec<RowValue>,
}

/// The rows with these keys.
pub(crate) fn rows_with_keys(
    database: &mut dyn Database,
    table: &str,
    schema: &TableSchema,
    keys: &[String],
) -> Result<HashMap<String, StoredRow>, StoreError> {
    let mut sql = "SELECT \"key\", run".to_owned();
    let mut types = vec![ColumnType::Text, ColumnType::Integer];
    for column in &schema.columns {
        sql.push_str(", ");
        sql.push_str(&quoted(&column.name));
        types.push(column.column_type);
    }
    let elements = database.json_elements("$1");
    sql.push_str(&format!(" FROM {} WHERE \"key\" IN ({elements})", database.quoted_table(table)));
    let rows = database.query(&sql, &[RowValue::Text(Json::from(keys).to_string())], &types)?;
    let stored_row = |mut row: Vec<RowValue>| match (row.remove(0), row.remove(0)) {
        (RowValue::Text(key), RowValue::Integer(run)) => Some((key, StoredRow { run, values: row })),
        _ => None,
    };
    Ok(rows.into_iter().filter_map(stored_row).collect())
}

/// Inserts rows, as many per statement as it accepts. `timestamps` says which columns are timestamps; `tail`
/// follows the values.
pub(crate) fn insert(
    database: &mut dyn Database,
    table: &str,
    columns: &[String],
    timestamps: &[bool],
    rows: &[Vec<RowValue>],
    tail: &str,
) -> Result<(), StoreError> {
    let head = format!("INSERT INTO {} ({}) VALUES ", database.quoted_table(table), columns.join(", "));
    for chunk in rows.chunks((MAX_STATEMENT_PARAMETERS / columns.len().max(1)).max(1)) {
        let mut number = 0;
        let mut sql = head.clone();
        for row in 0..chunk.len() {
            sql.push_str(if row == 0 { "(" } else { ", (" });
            for (at, is_timestamp) in timestamps.iter().enumerate() {
                number += 1;
                let parameter = format!("${number}");
                sql.push_str(if at == 0 { "" } else { ", " });
                sql.push_str(&if *is_timestamp { database.timestamp_value(&parameter) } else { parameter });
            }
            sql.push(')');
        }
        sql.push_str(tail);
        let values: Vec<RowValue> = chunk.iter().flatten().cloned().collect();
        database.execute(&sql, &values)?;
    }
    Ok(())
}
