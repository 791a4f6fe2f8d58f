//! Endpoints about the service itself.

use super::endpoints::{Answered, Shared};
use super::problem::Problem;
use super::responses::text_response;
use axum::extract::State;

/// Whether the service runs
#[utoipa::path(get, path = "/healthz", tag = "service",
    responses((status = 200, description = "It runs", content_type = "text/plain"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn health() -> Answered {
    Ok(text_response("text/plain; charset=utf-8", "ok\n".to_owned()))
}

/// Metrics for Prometheus
#[utoipa::path(get, path = "/metrics", tag = "service",
    responses((status = 200, description = "Metrics", content_type = "text/plain"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn metrics(State(state): Shared) -> Answered {
    let jobs = state.jobs.store.active_jobs()?.len();
    let text = state.metrics.text(&state.engine.counts, jobs);
    Ok(text_response("text/plain; version=0.0.4; charset=utf-8", text))
}
