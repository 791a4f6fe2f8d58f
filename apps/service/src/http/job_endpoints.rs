//! Endpoints of jobs: start, status, cancel, results.

use super::bodies::{GivenPages, JobBody, JobOperation, PageBody, expect_json, parse_json, read_bytes};
use super::endpoints::{Answered, Shared, job_options};
use super::problem::Problem;
use super::responses::json_response;
use crate::jobs::{JobStatus, JobStoreError};
use crate::task::{Operation, Task};
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use futures_util::stream;
use serde_json::json;

impl From<JobStoreError> for Problem {
    fn from(error: JobStoreError) -> Problem {
        Problem::internal(error)
    }
}

fn no_job(id: &str) -> Problem {
    Problem::not_found(format_args!("there is no job {id:?}"))
}

/// Start a job
#[utoipa::path(post, path = "/v1/jobs", request_body = JobBody, tag = "jobs",
    responses((status = 202, description = "The job was started", body = JobStatus),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn start(State(state): Shared, request: Request<Body>) -> Answered {
    let (headers, bytes) = read_bytes(request, state.limits.body_bytes, state.limits.client_time).await?;
    expect_json(&headers)?;
    let body: JobBody = parse_json(&bytes)?;
    let options = job_options(body.options)?;
    let has_wrapper = body.wrapper.is_some() || body.wrapper_text.is_some();
    let operation = match body.operation {
        JobOperation::Extract if has_wrapper => {
            return Err(Problem::bad_request("wrapper is for the operation apply"));
        }
        JobOperation::Extract => Operation::Extract,
        JobOperation::Apply => {
            let (_, wrapper) = state.wrapper_text(body.wrapper.as_deref(), body.wrapper_text)?;
            Operation::Apply { wrapper }
        }
    };
    let urls = body.urls.into_iter().map(|url| PageBody { url: Some(url), ..PageBody::default() });
    let given = GivenPages::collect(PageBody::default(), urls.chain(body.pages).collect(), Vec::new())?;
    if given.pages.len() > state.limits.job_pages {
        let (pages, most) = (given.pages.len(), state.limits.job_pages);
        let detail = format!("the job has {pages} pages: at most {most} are allowed");
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-many-pages", detail));
    }
    state.workspace.check_quota()?;
    if state.jobs.store.active_jobs()?.len() >= state.limits.jobs {
        let detail = format!("{} jobs are running: wait for one, or cancel one", state.limits.jobs);
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-jobs", detail));
    }
    let store = options.store.as_ref().map(|store| state.store_target(store, "POST /v1/jobs")).transpose()?;
    let task = Task { operation, pages: Vec::new(), options, store, names_pages: true };
    let id = state.jobs.add(&task, &given.pages, &given.bodies)?;
    let status = state.jobs.store.status(&id)?.ok_or_else(|| no_job(&id))?;
    let mut response = json_response(StatusCode::ACCEPTED, &json!(status));
    if let Ok(location) = HeaderValue::from_str(&format!("/v1/jobs/{id}")) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

/// List jobs
#[utoipa::path(get, path = "/v1/jobs", tag = "jobs",
    responses((status = 200, description = "The newest jobs"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(state): Shared) -> Answered {
    Ok(json_response(StatusCode::OK, &json!({ "jobs": state.jobs.store.list()? })))
}

/// The progress of a job
#[utoipa::path(get, path = "/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path, description = "The id")),
    responses((status = 200, description = "The status", body = JobStatus),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn status(State(state): Shared, Path(id): Path<String>) -> Answered {
    let mut status = state.jobs.store.status(&id)?.ok_or_else(|| no_job(&id))?;
    status.records += state.jobs.running_records(&id);
    Ok(json_response(StatusCode::OK, &json!(status)))
}

/// Cancel a job
#[utoipa::path(delete, path = "/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path, description = "The id")),
    responses((status = 200, description = "The status", body = JobStatus),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn cancel(State(state): Shared, Path(id): Path<String>) -> Answered {
    state.jobs.cancel(&id)?;
    let status = state.jobs.store.status(&id)?.ok_or_else(|| no_job(&id))?;
    Ok(json_response(StatusCode::OK, &json!(status)))
}

/// The records of a job so far, one line of JSON each, in the order of its pages
#[utoipa::path(get, path = "/v1/jobs/{id}/records", tag = "jobs", params(("id" = String, Path, description = "The id")),
    responses((status = 200, description = "Records", content_type = "application/x-ndjson"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn records(State(state): Shared, Path(id): Path<String>) -> Answered {
    state.jobs.store.status(&id)?.ok_or_else(|| no_job(&id))?;
    // one page at a time, so that a large result needs no memory
    let pages = stream::try_unfold(0, move |number| {
        let (state, id) = (state.clone(), id.clone());
        async move {
            let next = state.jobs.store.next_result(&id, number).map_err(std::io::Error::other)?;
            Ok::<_, std::io::Error>(next.map(|(number, lines)| (Bytes::from(lines), number)))
        }
    });
    let mut response = Response::new(Body::from_stream(pages));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    Ok(response)
}
