//! Answers of workers as responses.

use crate::engine::TaskResult;
use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde_json::Value;

/// Warnings that are in the headers; JSON has all of them.
const MAX_WARNINGS: usize = 5;
/// Characters of a warning in a header.
const MAX_WARNING_CHARS: usize = 200;

/// The body of a worker with its media type, its outcome and its size.
pub(crate) fn task_response(result: TaskResult) -> Response<Body> {
    let mut response = Response::new(Body::from(result.body));
    let headers = response.headers_mut();
    if let Ok(content_type) = HeaderValue::from_str(&result.report.content_type) {
        headers.insert(header::CONTENT_TYPE, content_type);
    }
    headers.insert("x-copal-outcome", HeaderValue::from_static(result.report.outcome.name()));
    headers.insert("x-copal-records", result.report.records.into());
    let stored = result.report.stored.iter().map(|text| ("x-copal-stored", text));
    let warnings = result.report.warnings.iter().take(MAX_WARNINGS).map(|text| ("x-copal-warning", text));
    for (name, text) in stored.chain(warnings) {
        let text: String = text
            .chars()
            .take(MAX_WARNING_CHARS)
            .map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' })
            .collect();
        if let Ok(value) = HeaderValue::from_str(&text) {
            headers.append(name, value);
        }
    }
    response
}

/// A JSON document.
pub(crate) fn json_response(status: StatusCode, value: &Value) -> Response<Body> {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Plain text of some kind.
pub(crate) fn text_response(content_type: &'static str, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
