//! Endpoints that read what was stored: databases, their runs, their records, the differences between two runs.
//!
//! SQLite files of the workspace and PostgreSQL databases that were named at the start are read alike. Nothing is
//! written.

use super::endpoints::{Answered, Shared};
use super::problem::Problem;
use super::responses::json_response;
use super::state::ServiceState;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use copal_output::rows::RowValue;
use copal_store::{DatabaseLocation, StoreError, StoredRun};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::Path as FilePath;

/// Rows in one answer.
const MAX_ROWS: usize = 1000;
/// Runs in one answer.
const MAX_RUNS: usize = 500;

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
        let location = location(&state, &name)?;
        // a file that is not one of copal's has no tables to show
        let tables = blocking(move || Ok(copal_store::stored_tables(&location).unwrap_or_default())).await?;
        found.push(json!({ "name": name, "kind": "sqlite", "tables": tables }));
    }
    // servers are not asked for their tables: one that does not answer must not keep the others from being listed
    found.extend(state.databases.keys().map(|name| json!({ "name": name, "kind": "postgresql" })));
    Ok(json_response(StatusCode::OK, &json!({ "databases": found })))
}

/// List the runs of a database, the last one first
#[utoipa::path(get, path = "/v1/databases/{name}/runs", tag = "databases",
    params(("name" = String, Path, description = "The name")),
    responses((status = 200, description = "The runs"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn runs(State(state): Shared, Path(name): Path<String>) -> Answered {
    let location = location(&state, &name)?;
    let runs = blocking(move || copal_store::last_runs(&location, MAX_RUNS).map_err(unreadable)).await?;
    let one = |run: &StoredRun| {
        json!({
            "id": run.id, "started": run.started, "finished": run.finished, "outcome": run.outcome,
            "command": run.command, "pages": run.pages, "records": run.records,
        })
    };
    let runs: Vec<Value> = runs.iter().map(one).collect();
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
    let location = location(&state, &name)?;
    let answer = blocking(move || {
        let most = query.most.map_or(MAX_ROWS, |most| MAX_ROWS.min(most as usize));
        let first = query.first.unwrap_or(0) as usize;
        let found =
            copal_store::read_records(&location, query.table.as_deref(), first, most).map_err(unreadable)?;
        let object = |row: &Vec<RowValue>| -> Value {
            let cells = found.columns.iter().zip(row).map(|(name, value)| (name.clone(), value_json(value)));
            Value::Object(cells.collect::<Map<_, _>>())
        };
        let records: Vec<Value> = found.rows.iter().map(object).collect();
        Ok(json!({ "table": found.table, "tables": found.tables, "total": found.total, "records": records }))
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
    let location = location(&state, &name)?;
    let answer = blocking(move || {
        let (runs, differences) = copal_store::compare_runs(&location, numbers, query.table.as_deref())
            .map_err(|error| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-compared", error))?;
        let runs = runs.map(|run| json!({ "id": run.id, "started": run.started, "outcome": run.outcome }));
        let differences: Vec<Value> = differences.iter().map(|one| one.to_json(MAX_ROWS)).collect();
        Ok(json!({ "old": runs[0], "new": runs[1], "differences": differences }))
    })
    .await?;
    Ok(json_response(StatusCode::OK, &answer))
}

/// A database that is there: one that was named at the start, or a file of the workspace.
fn location(state: &ServiceState, name: &str) -> Result<DatabaseLocation, Problem> {
    let place = match state.databases.get(name) {
        Some(url) => url.into(),
        None => {
            let file = state.workspace.database(name)?;
            if !file.is_file() {
                return Err(Problem::not_found(format_args!("there is no database {name:?}")));
            }
            file
        }
    };
    DatabaseLocation::from_name(FilePath::new(&place)).ok_or_else(|| Problem::internal("no database"))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::internal)?
}

fn unreadable(error: StoreError) -> Problem {
    match error {
        StoreError::UnknownTable { .. } => Problem::not_found(error),
        _ => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unreadable-database", error),
    }
}

fn value_json(value: &RowValue) -> Value {
    match value {
        RowValue::Null => Value::Null,
        RowValue::Boolean(boolean) => (*boolean).into(),
        RowValue::Integer(number) => (*number).into(),
        RowValue::Real(number) => (*number).into(),
        other => other.to_text().into(),
    }
}
