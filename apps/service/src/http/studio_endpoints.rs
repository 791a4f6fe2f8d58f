//! Endpoints for programs that show pages to people: the view of a page, pointing, corrections, the learner's questions.

use super::bodies::{CorrectBody, GivenPages, ImagesBody, PageBody, PointBody, QuestionsBody, ViewBody};
use super::endpoints::{Answered, Shared, body_of, run};
use super::problem::Problem;
use super::responses::{json_response, task_response};
use crate::settings::StartPage;
use crate::task::{Operation, PointTarget, Task};
use crate::workspace::MAX_WRAPPER_BYTES;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use serde_json::json;

/// Images of one request.
const MAX_IMAGES: usize = 30;
/// Bytes of the URL of an image.
const MAX_IMAGE_URL_BYTES: usize = 8000;

/// Show a page: a copy in which nothing runs, loads or leads anywhere, with the number of each element
#[utoipa::path(post, path = "/v1/view", request_body = ViewBody, tag = "studio",
    responses((status = 200, description = "The source for further requests, the copy, all elements, the stylesheets"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn view(State(state): Shared, request: Request<Body>) -> Answered {
    let (body, files) = body_of::<ViewBody>(&state, request).await?;
    let top = PageBody { html: body.html, url: body.url, name: None };
    let given = GivenPages::collect(top, Vec::new(), files)?;
    let operation = Operation::View { styles: body.styles };
    Ok(task_response(run(&state, operation, given, body.options, "POST /v1/view").await?))
}

/// Fetch images of a page: PNG, JPEG, GIF and WebP, as `data:` URLs
#[utoipa::path(post, path = "/v1/images", request_body = ImagesBody, tag = "studio",
    responses((status = 200, description = "For each URL, the image or what went wrong"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn images(State(state): Shared, request: Request<Body>) -> Answered {
    let (body, _) = body_of::<ImagesBody>(&state, request).await?;
    if body.urls.is_empty() || body.urls.len() > MAX_IMAGES {
        return Err(Problem::bad_request(format_args!("expected the URLs of 1 to {MAX_IMAGES} images")));
    }
    if body.urls.iter().any(|url| url.len() > MAX_IMAGE_URL_BYTES) {
        return Err(Problem::bad_request(format_args!("a URL has at most {MAX_IMAGE_URL_BYTES} bytes")));
    }
    let task = Task::new(Operation::Images { urls: body.urls });
    Ok(task_response(state.engine.run(&task, &[]).await?))
}

/// Point at an element: its pattern, how it becomes unique, and what it reads
#[utoipa::path(post, path = "/v1/point", request_body = PointBody, tag = "studio",
    responses((status = 200, description = "Attributes, patterns with the numbers of their matches, wrapper and data"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn point(State(state): Shared, request: Request<Body>) -> Answered {
    let (body, files) = body_of::<PointBody>(&state, request).await?;
    let target = match (body.node, body.pattern) {
        (Some(node), None) => PointTarget::Node(node),
        (None, Some(pattern)) => PointTarget::Pattern(pattern),
        _ => return Err(Problem::bad_request("expected either node or pattern")),
    };
    let top = PageBody { html: body.html, url: body.url, name: None };
    let given = GivenPages::collect(top, Vec::new(), files)?;
    Ok(task_response(run(&state, Operation::Point { target }, given, body.options, "POST /v1/point").await?))
}

/// Correct a wrapper: records that are left out or taken in, columns that are added, renamed, retyped, hidden, split or merged
#[utoipa::path(post, path = "/v1/correct", request_body = CorrectBody, tag = "studio",
    responses((status = 200, description = "The wrapper, notes, and what it reads on the page"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn correct(State(state): Shared, request: Request<Body>) -> Answered {
    let (body, files) = body_of::<CorrectBody>(&state, request).await?;
    if body.wrapper_text.as_ref().is_some_and(|text| text.len() > MAX_WRAPPER_BYTES) {
        return Err(Problem::bad_request(format_args!("a wrapper has at most {MAX_WRAPPER_BYTES} bytes")));
    }
    let top = PageBody { html: body.html, url: body.url, name: None };
    let given = GivenPages::collect(top, body.pages, files)?;
    let operation = Operation::Correct {
        wrapper: body.wrapper_text,
        examples: body.examples,
        corrections: body.corrections,
    };
    Ok(task_response(run(&state, operation, given, body.options, "POST /v1/correct").await?))
}

/// Ask which terms of a domain's attribute the learner would add, and which it wants a person to decide
#[utoipa::path(post, path = "/v1/questions", request_body = QuestionsBody, tag = "domains",
    responses((status = 200, description = "Terms with their confidence, and questions with their context"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn questions(State(state): Shared, request: Request<Body>) -> Answered {
    let (body, files) = body_of::<QuestionsBody>(&state, request).await?;
    let top = PageBody { html: body.html, url: body.url, name: None };
    let given = GivenPages::collect(top, body.pages, files)?;
    let operation = Operation::Questions {
        attribute: body.attribute,
        known: body.accepted,
        labels: body.labels,
        refused: body.refused,
    };
    Ok(task_response(run(&state, operation, given, body.options, "POST /v1/questions").await?))
}

/// Read what the studio was started with
#[utoipa::path(get, path = "/v1/start", tag = "studio",
    responses((status = 200, description = "The URL of a page, the name of a file, or nothing"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn start(State(state): Shared) -> Answered {
    let page = match &state.start {
        None => json!({}),
        Some(StartPage::Url(url)) => json!({ "url": url }),
        Some(StartPage::File { name, url: None, .. }) => json!({ "name": name }),
        Some(StartPage::File { name, url: Some(url), .. }) => json!({ "name": name, "base": url }),
    };
    Ok(json_response(StatusCode::OK, &page))
}

/// Read the file that the studio was started with
#[utoipa::path(get, path = "/v1/start/file", tag = "studio",
    responses((status = 200, description = "The file", content_type = "application/octet-stream"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn start_file(State(state): Shared) -> Answered {
    let Some(StartPage::File { bytes, .. }) = &state.start else {
        return Err(Problem::not_found("the service was not started with a file"));
    };
    let mut response = Response::new(Body::from(bytes.clone()));
    let kind = HeaderValue::from_static("application/octet-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}
