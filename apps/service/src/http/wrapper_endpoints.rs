//! Endpoints of stored wrappers: list, read, write, versions.

use super::bodies::read_bytes;
use super::endpoints::{Answered, Shared};
use super::problem::Problem;
use super::responses::{json_response, text_response};
use crate::task::{Operation, Task};
use crate::workspace::{MAX_WRAPPER_BYTES, StoredWrapper};
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{Request, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

/// Which version is read.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct VersionQuery {
    /// The number of the version; the current one if it is missing
    version: Option<u32>,
}

/// List the stored wrappers
#[utoipa::path(get, path = "/v1/wrappers", tag = "wrappers",
    responses((status = 200, description = "Names, versions and the last check of each, if there was one"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(state): Shared) -> Answered {
    let wrappers = state.workspace.wrappers()?;
    let one = |wrapper: &StoredWrapper| {
        json!({
            "name": wrapper.name,
            "version": wrapper.versions.last(),
            "versions": wrapper.versions.len(),
            "check": state.workspace.read_check(&wrapper.name),
        })
    };
    let wrappers: Vec<Value> = wrappers.iter().map(one).collect();
    Ok(json_response(StatusCode::OK, &json!({ "wrappers": wrappers })))
}

/// Read a wrapper
#[utoipa::path(get, path = "/v1/wrappers/{name}", tag = "wrappers",
    params(("name" = String, Path, description = "The name"), VersionQuery),
    responses((status = 200, description = "The wrapper", content_type = "application/yaml"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn read(
    State(state): Shared,
    Path(name): Path<String>,
    query: Result<Query<VersionQuery>, axum::extract::rejection::QueryRejection>,
) -> Answered {
    let Query(query) = query.map_err(|error| Problem::bad_request(error.body_text()))?;
    let (_, text) = state.workspace.read_wrapper(&name, query.version)?;
    Ok(text_response("application/yaml; charset=utf-8", text))
}

/// Store the next version of a wrapper
#[utoipa::path(put, path = "/v1/wrappers/{name}", tag = "wrappers",
    params(("name" = String, Path, description = "The name")),
    request_body(content = String, content_type = "application/yaml"),
    responses((status = 201, description = "Stored, with the number of its version"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn write(
    State(state): Shared,
    Path(name): Path<String>,
    request: Request<Body>,
) -> Answered {
    let (headers, bytes) = read_bytes(request, MAX_WRAPPER_BYTES, state.limits.client_time).await?;
    super::bodies::expect_yaml(&headers)?;
    let text =
        String::from_utf8(bytes).map_err(|_| Problem::bad_request("the wrapper is not text in UTF-8"))?;
    // refuses names first, so that no worker is asked about what cannot be stored
    state.workspace.database(&name)?;
    let task = Task::new(Operation::ParseWrapper { wrapper: text.clone() });
    state.engine.run(&task, &[]).await?;
    let version = state.workspace.write_wrapper(&name, &text)?;
    Ok(json_response(StatusCode::CREATED, &json!({ "name": name, "version": version })))
}

/// List the versions of a wrapper
#[utoipa::path(get, path = "/v1/wrappers/{name}/versions", tag = "wrappers",
    params(("name" = String, Path, description = "The name")),
    responses((status = 200, description = "The numbers of the versions"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn versions(State(state): Shared, Path(name): Path<String>) -> Answered {
    let stored = state.workspace.versions(&name)?;
    Ok(json_response(StatusCode::OK, &json!({ "name": stored.name, "versions": stored.versions })))
}
