//! Errors as `application/problem+json` (RFC 9457): what went wrong, and what to do about it.

use crate::engine::EngineError;
use crate::task::{FailureKind, TaskFailure};
use crate::workspace::WorkspaceError;
use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;

/// Seconds after which a client may try again.
const RETRY_AFTER: u32 = 2;

/// An error of a request.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct Problem {
    /// The kind of problem: `urn:copal:problem:NAME`
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The kind of problem in words
    pub(crate) title: &'static str,
    /// The HTTP status
    pub(crate) status: u16,
    /// What was expected and what was found
    pub(crate) detail: String,
    /// What to do
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// The request, as in the log and in the header `x-request-id`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request_id: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, name: &str, detail: impl std::fmt::Display) -> Problem {
        Problem {
            kind: format!("urn:copal:problem:{name}"),
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.to_string(),
            hint: None,
            request_id: None,
        }
    }

    pub(crate) fn bad_request(detail: impl std::fmt::Display) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "bad-request", detail)
    }

    pub(crate) fn not_found(detail: impl std::fmt::Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    pub(crate) fn internal(detail: impl std::fmt::Display) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    /// The response, with the id of its request.
    pub(crate) fn response(mut self, request_id: &str) -> Response<Body> {
        self.request_id = Some(request_id.to_owned());
        self.into_response()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response<Body> {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let json = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = Response::new(Body::from(json));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<TaskFailure> for Problem {
    fn from(failure: TaskFailure) -> Problem {
        let (status, name) = match failure.kind {
            FailureKind::Usage => (StatusCode::BAD_REQUEST, "bad-request"),
            FailureKind::NothingFound => (StatusCode::UNPROCESSABLE_ENTITY, "nothing-found"),
            FailureKind::Unreadable => (StatusCode::UNPROCESSABLE_ENTITY, "unreadable-page"),
            FailureKind::Changed => (StatusCode::UNPROCESSABLE_ENTITY, "site-changed"),
            FailureKind::Forbidden => (StatusCode::FORBIDDEN, "forbidden-url"),
            FailureKind::Fetch => (StatusCode::BAD_GATEWAY, "fetch-failed"),
            FailureKind::Store => (StatusCode::UNPROCESSABLE_ENTITY, "not-stored"),
        };
        Problem { hint: failure.hint, ..Problem::new(status, name, failure.message) }
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Problem {
        let detail = error.to_string();
        match error {
            EngineError::Failed(failure) => failure.into(),
            EngineError::Overloaded { .. } => {
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", detail)
            }
            EngineError::TimeLimit(_) => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "time-limit", detail)
                .with_hint("start the service with a larger --page-time"),
            EngineError::Aborted { .. } => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "memory-limit", detail)
                    .with_hint("start the service with a larger --page-memory")
            }
            EngineError::NoWorker(_) => Problem::internal(detail),
        }
    }
}

impl From<WorkspaceError> for Problem {
    fn from(error: WorkspaceError) -> Problem {
        let detail = error.to_string();
        match error {
            WorkspaceError::InvalidName(_) => Problem::bad_request(detail),
            WorkspaceError::NotFound { .. } => Problem::not_found(detail),
            WorkspaceError::Full { .. } => Problem::new(StatusCode::INSUFFICIENT_STORAGE, "quota", detail),
            WorkspaceError::Locked(_) | WorkspaceError::Io(_) => Problem::internal(detail),
        }
    }
}
