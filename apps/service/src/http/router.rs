//! Routes, and what happens around every request: id, guard, log, metrics, headers.

use super::endpoints::{Answered, Shared};
use super::problem::Problem;
use super::responses::text_response;
use super::state::ServiceState;
use super::{
    database_endpoints, draft_endpoints, endpoints, job_endpoints, openapi, service_endpoints,
    studio_endpoints, studio_files, wrapper_endpoints,
};
use axum::Router;
use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::routing::{get, post};
use std::sync::Arc;
use std::time::Instant;

/// Characters of an id that a client gives.
const MAX_ID_CHARS: usize = 64;
/// Reports contain texts of foreign pages: nothing in them runs, and nothing is loaded.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

pub(crate) fn router(state: Arc<ServiceState>) -> Router {
    Router::new()
        .route("/v1/extract", post(endpoints::extract))
        .route("/v1/objects", post(endpoints::objects))
        .route("/v1/sections", post(endpoints::sections))
        .route("/v1/learn", post(endpoints::learn))
        .route("/v1/apply", post(endpoints::apply))
        .route("/v1/check", post(endpoints::check))
        .route("/v1/repair", post(endpoints::repair))
        .route("/v1/export", post(endpoints::export))
        .route("/v1/domains", get(endpoints::domains))
        .route("/v1/domains/{name}/terms", get(endpoints::domain_terms))
        .route("/v1/wrappers", get(wrapper_endpoints::list))
        .route("/v1/wrappers/{name}", get(wrapper_endpoints::read).put(wrapper_endpoints::write))
        .route("/v1/wrappers/{name}/versions", get(wrapper_endpoints::versions))
        .route("/v1/jobs", get(job_endpoints::list).post(job_endpoints::start))
        .route("/v1/jobs/{id}", get(job_endpoints::status).delete(job_endpoints::cancel))
        .route("/v1/jobs/{id}/records", get(job_endpoints::records))
        .route("/v1/view", post(studio_endpoints::view))
        .route("/v1/images", post(studio_endpoints::images))
        .route("/v1/point", post(studio_endpoints::point))
        .route("/v1/correct", post(studio_endpoints::correct))
        .route("/v1/questions", post(studio_endpoints::questions))
        .route("/v1/start", get(studio_endpoints::start))
        .route("/v1/start/file", get(studio_endpoints::start_file))
        .route("/v1/drafts", get(draft_endpoints::list))
        .route(
            "/v1/drafts/{name}",
            get(draft_endpoints::read).put(draft_endpoints::write).delete(draft_endpoints::remove),
        )
        .route("/v1/databases", get(database_endpoints::list))
        .route("/v1/databases/{name}/runs", get(database_endpoints::runs))
        .route("/v1/databases/{name}/records", get(database_endpoints::records))
        .route("/v1/databases/{name}/differences", get(database_endpoints::differences))
        .route("/", get(studio_files::index))
        .route("/studio/frame", get(studio_files::frame))
        .route("/studio/{file}", get(studio_files::file))
        .route("/openapi.json", get(openapi_document))
        .route("/healthz", get(service_endpoints::health))
        .route("/metrics", get(service_endpoints::metrics))
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(state.clone(), around))
        .with_state(state)
}

async fn openapi_document() -> Answered {
    Ok(text_response("application/json", openapi::document()))
}

async fn not_found() -> Problem {
    Problem::not_found("there is no such endpoint").with_hint("/openapi.json lists all endpoints")
}

async fn wrong_method() -> Problem {
    let detail = "the endpoint does not have this method";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", detail)
}

/// Gives the request an id, checks who asks, and counts and logs how it ended.
async fn around(State(state): Shared, request: Request, next: Next) -> Response<Body> {
    let start = Instant::now();
    let id = given_id(&request).unwrap_or_else(|| state.new_request_id());
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    // the files of the studio are the same for everybody, and it has to be there to ask for the token
    let is_open = matches!(route.as_str(), "/healthz" | "/" | "/studio/frame" | "/studio/{file}");
    let response = match state.guard.check(request.headers(), is_open) {
        Ok(()) => next.run(request).await,
        Err(problem) => axum::response::IntoResponse::into_response(problem),
    };
    // problems get the id of their request
    let allowed = response.headers().get(header::ALLOW).cloned();
    let mut response = match response.extensions().get::<Problem>().cloned() {
        Some(problem) => problem.response(&id),
        None => response,
    };
    let (status, time) = (response.status().as_u16(), start.elapsed());
    state.metrics.count(&route, status, time);
    let problem = response.extensions().get::<Problem>().map(|problem| problem.detail.clone());
    tracing::info!(
        request_id = id.as_str(),
        method = method.as_str(),
        route = route.as_str(),
        status = u64::from(status),
        milliseconds = time.as_millis() as u64,
        problem = problem.as_deref().unwrap_or_default(),
        "request"
    );
    let headers = response.headers_mut();
    if let Some(allowed) = allowed {
        headers.insert(header::ALLOW, allowed);
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert("x-request-id", id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(CONTENT_POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The id that a client gave, if it is harmless in a log.
fn given_id(request: &Request) -> Option<String> {
    let id = request.headers().get("x-request-id")?.to_str().ok()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (!id.is_empty() && id.len() <= MAX_ID_CHARS && id.chars().all(is_plain)).then(|| id.to_owned())
}
