//! Endpoints that read what was stored: databases, their runs, their records, the differences between two runs.
//!
//! Files of the workspace are opened for reading only. Of PostgreSQL databases only the differences can be read.

use super::endpoints::{Answered, Shared};
use super::problem::Problem;
use super::responses::json_response;
use super::state::ServiceState;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use copal_store::{DatabaseLocation, Difference, KeyedRecord};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// Rows in one answer.
const MAX_ROWS: u32 = 1000;
/// Runs in one answer.
const MAX_RUNS: usize = 500;
/// How long a database that is being written is waited for.
const BUSY_TIME: Duration = Duration::from_secs(5);

/// Which records are read.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordsQuery {
    /// The table; the first one if it is missing
    table: Option<String>,
    /// How many records are left out at the beginning
    first: Option<u32>,
    /// How many records are read at most
    most: Option<u32>,
}

/// Which runs are compared.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct DifferencesQuery {
    /// The number of the older run; the last but one if it is missing
    old: Option<i64>,
    /// The number of the newer run; the last one if it is missing
    new: Option<i64>,
    /// Compare this table only
    table: Option<String>,
}

/// List the databases
#[utoipa::path(get, path = "/v1/databases", tag = "databases",
    responses((status = 200, description = "Names, kinds and tables"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(state): Shared) -> Answered {
    let mut found: Vec<Value> = Vec::new();
    for name in state.workspace.databases()? {
        let file = state.workspace.database(&name)?;
        let tables = blocking(move || Ok(tables(&opened(&file)?).unwrap_or_default())).await;
        found.push(json!({ "name": name, "kind": "sqlite", "tables": tables.unwrap_or_default() }));
    }
    found.extend(state.databases.keys().map(|name| json!({ "name": name, "kind": "postgresql" })));
    Ok(json_response(StatusCode::OK, &json!({ "databases": found })))
}

/// List the runs of a database, the last one first
#[utoipa::path(get, path = "/v1/databases/{name}/runs", tag = "databases",
    params(("name" = String, Path, description = "The name")),
    responses((status = 200, description = "The runs"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn runs(State(state): Shared, Path(name): Path<String>) -> Answered {
    let file = existing(&state, &name)?;
    let runs = blocking(move || {
        let sql = format!(
            "SELECT id, started, finished, outcome, command, pages, records FROM runs ORDER BY id DESC LIMIT {MAX_RUNS}"
        );
        rows(&opened(&file)?, &sql, &[])
    })
    .await?;
    Ok(json_response(StatusCode::OK, &json!({ "runs": runs })))
}

/// Read stored records, in the order in which they were first stored
#[utoipa::path(get, path = "/v1/databases/{name}/records", tag = "databases",
    params(("name" = String, Path, description = "The name"), RecordsQuery),
    responses((status = 200, description = "The records as they were last seen"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn records(
    State(state): Shared,
    Path(name): Path<String>,
    query: Result<Query<RecordsQuery>, QueryRejection>,
) -> Answered {
    let Query(query) = query.map_err(|error| Problem::bad_request(error.body_text()))?;
    let file = existing(&state, &name)?;
    let answer = blocking(move || {
        let connection = opened(&file)?;
        let tables = tables(&connection)?;
        let table = match query.table {
            Some(table) if tables.contains(&table) => table,
            Some(table) => return Err(Problem::not_found(format_args!("there is no table {table:?}"))),
            None => match tables.first() {
                Some(table) => table.clone(),
                None => return Ok(json!({ "table": null, "records": [] })),
            },
        };
        let most = query.most.map_or(MAX_ROWS, |most| most.min(MAX_ROWS));
        let sql = format!("SELECT * FROM {} ORDER BY rowid LIMIT ?1 OFFSET ?2", quoted(&table));
        let found = rows(&connection, &sql, &[i64::from(most), i64::from(query.first.unwrap_or(0))])?;
        let sql = format!("SELECT count(*) FROM {}", quoted(&table));
        let total: i64 = connection.query_row(&sql, [], |row| row.get(0)).map_err(unreadable)?;
        Ok(json!({ "table": table, "tables": tables, "total": total, "records": found }))
    })
    .await?;
    Ok(json_response(StatusCode::OK, &answer))
}

/// Compare two runs: records that are new, gone and changed
#[utoipa::path(get, path = "/v1/databases/{name}/differences", tag = "databases",
    params(("name" = String, Path, description = "The name"), DifferencesQuery),
    responses((status = 200, description = "The differences, per table"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn differences(
    State(state): Shared,
    Path(name): Path<String>,
    query: Result<Query<DifferencesQuery>, QueryRejection>,
) -> Answered {
    let Query(query) = query.map_err(|error| Problem::bad_request(error.body_text()))?;
    let numbers = match (query.old, query.new) {
        (Some(old), Some(new)) => Some((old, new)),
        (None, None) => None,
        _ => return Err(Problem::bad_request("expected both runs, or none: old and new")),
    };
    let location = match state.databases.get(&name) {
        Some(url) => PathBuf::from(url),
        None => existing(&state, &name)?,
    };
    let answer = blocking(move || {
        let location =
            DatabaseLocation::from_name(&location).ok_or_else(|| Problem::internal("no database"))?;
        let (runs, differences) = copal_store::compare_runs(&location, numbers, query.table.as_deref())
            .map_err(|error| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-compared", error))?;
        let runs = runs.map(|run| json!({ "id": run.id, "started": run.started, "outcome": run.outcome }));
        let differences: Vec<Value> = differences.iter().map(difference_json).collect();
        Ok(json!({ "old": runs[0], "new": runs[1], "differences": differences }))
    })
    .await?;
    Ok(json_response(StatusCode::OK, &answer))
}

fn difference_json(one: &Difference) -> Value {
    let entry = |entry: &KeyedRecord| {
        let fields: Map<String, Value> =
            entry.cells.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect();
        json!({ "key": entry.key, "fields": fields })
    };
    let changed = one.changed.iter().take(MAX_ROWS as usize).map(|record| {
        let changes: Vec<Value> = record
            .changes
            .iter()
            .map(|change| json!({ "column": change.column, "old": change.old, "new": change.new }))
            .collect();
        json!({ "key": record.key, "title": record.title, "changes": changes })
    });
    json!({
        "table": one.table,
        "new": one.new.iter().take(MAX_ROWS as usize).map(entry).collect::<Vec<_>>(),
        "gone": one.gone.iter().take(MAX_ROWS as usize).map(entry).collect::<Vec<_>>(),
        "changed": changed.collect::<Vec<_>>(),
        "same": one.same,
    })
}

/// The file of a database that is there.
fn existing(state: &ServiceState, name: &str) -> Result<PathBuf, Problem> {
    if state.databases.contains_key(name) {
        return Err(Problem::bad_request("only databases of the workspace can be looked at")
            .with_hint("use a client of PostgreSQL for this one"));
    }
    let file = state.workspace.database(name)?;
    if !file.is_file() {
        return Err(Problem::not_found(format_args!("there is no database {name:?}")));
    }
    Ok(file)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::internal)?
}

fn unreadable(error: rusqlite::Error) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unreadable-database", error)
}

fn opened(file: &PathBuf) -> Result<Connection, Problem> {
    let connection =
        Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(unreadable)?;
    connection.busy_timeout(BUSY_TIME).map_err(unreadable)?;
    Ok(connection)
}

/// The tables with records.
fn tables(connection: &Connection) -> Result<Vec<String>, Problem> {
    let sql = "SELECT DISTINCT table_name FROM copal_columns ORDER BY table_name";
    let mut statement = connection.prepare(sql).map_err(unreadable)?;
    let names = statement.query_map([], |row| row.get(0)).map_err(unreadable)?;
    names.collect::<Result<_, _>>().map_err(unreadable)
}

/// A name as an identifier in SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Rows as objects.
fn rows(connection: &Connection, sql: &str, parameters: &[i64]) -> Result<Vec<Value>, Problem> {
    let mut statement = connection.prepare(sql).map_err(unreadable)?;
    let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
    let mut found = Vec::new();
    let mut rows = statement.query(rusqlite::params_from_iter(parameters)).map_err(unreadable)?;
    while let Some(row) = rows.next().map_err(unreadable)? {
        let mut object = Map::new();
        for (at, name) in names.iter().enumerate() {
            let value = match row.get_ref(at).map_err(unreadable)? {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(number) => number.into(),
                ValueRef::Real(number) => number.into(),
                ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
                ValueRef::Blob(bytes) => format!("{} bytes", bytes.len()).into(),
            };
            object.insert(name.clone(), value);
        }
        found.push(Value::Object(object));
    }
    Ok(found)
}
