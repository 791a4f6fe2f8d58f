//! Endpoints of drafts: unfinished work that the studio keeps in the workspace. A draft is JSON of any shape.

use super::bodies::{expect_json, read_bytes};
use super::endpoints::{Answered, Shared};
use super::problem::Problem;
use super::responses::{json_response, text_response};
use crate::workspace::MAX_DRAFT_BYTES;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{Request, Response, StatusCode};
use serde_json::{Value, json};

/// List the drafts
#[utoipa::path(get, path = "/v1/drafts", tag = "studio",
    responses((status = 200, description = "Their names"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(state): Shared) -> Answered {
    Ok(json_response(StatusCode::OK, &json!({ "drafts": state.workspace.drafts()? })))
}

/// Read a draft
#[utoipa::path(get, path = "/v1/drafts/{name}", tag = "studio",
    params(("name" = String, Path, description = "The name")),
    responses((status = 200, description = "The draft", content_type = "application/json"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn read(State(state): Shared, Path(name): Path<String>) -> Answered {
    Ok(text_response("application/json", state.workspace.read_draft(&name)?))
}

/// Keep a draft: JSON of up to 1 MB, which replaces the one of this name
#[utoipa::path(put, path = "/v1/drafts/{name}", tag = "studio",
    params(("name" = String, Path, description = "The name")),
    request_body(content = Value, content_type = "application/json"),
    responses((status = 204, description = "Kept"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn write(
    State(state): Shared,
    Path(name): Path<String>,
    request: Request<Body>,
) -> Answered {
    let (headers, bytes) = read_bytes(request, MAX_DRAFT_BYTES, state.limits.client_time).await?;
    expect_json(&headers)?;
    let draft: Value = serde_json::from_slice(&bytes)
        .map_err(|error| Problem::bad_request(format_args!("the JSON is not valid: {error}")))?;
    state.workspace.write_draft(&name, &draft.to_string())?;
    Ok(no_content())
}

/// Remove a draft
#[utoipa::path(delete, path = "/v1/drafts/{name}", tag = "studio",
    params(("name" = String, Path, description = "The name")),
    responses((status = 204, description = "Removed"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn remove(State(state): Shared, Path(name): Path<String>) -> Answered {
    state.workspace.remove_draft(&name)?;
    Ok(no_content())
}

fn no_content() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}
