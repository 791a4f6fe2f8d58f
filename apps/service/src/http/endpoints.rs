//! Endpoints that read pages: extract, objects, sections, learn, apply, check, repair; and export and domains.

use super::bodies::{
    ExportBody, ExtractBody, GivenPages, LearnBody, PageBody, UploadedFile, WrapperBody, parse_body,
    parse_json, read_bytes,
};
use super::problem::Problem;
use super::responses::{json_response, task_response};
use super::state::ServiceState;
use crate::engine::TaskResult;
use crate::options::{AnswerFormat, ExtractOptions, PageKindOption};
use crate::task::{Operation, Task};
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{Request, Response, StatusCode};
use copal::{Domain, DomainSummary};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Reasons of a check that are remembered.
const MAX_REASONS: usize = 20;
/// Terms of a gazetteer in one answer.
const MAX_TERMS: usize = 1000;

/// A response, or why there is none.
pub(crate) type Answered = Result<Response<Body>, Problem>;
/// What all requests share.
pub(crate) type Shared = State<Arc<ServiceState>>;

/// Reads and parses a body within the limits.
pub(crate) async fn body_of<T: DeserializeOwned + Default>(
    state: &ServiceState,
    request: Request<Body>,
) -> Result<(T, Vec<UploadedFile>), Problem> {
    let (headers, bytes) = read_bytes(request, state.limits.body_bytes, state.limits.client_time).await?;
    parse_body(&headers, bytes).await
}

/// Builds the task and runs it.
pub(crate) async fn run(
    state: &ServiceState,
    operation: Operation,
    given: GivenPages,
    options: ExtractOptions,
    command: &str,
) -> Result<TaskResult, Problem> {
    if given.pages.len() > state.limits.queue {
        return Err(Problem::bad_request(format_args!(
            "{} pages in one request: at most {} are allowed",
            given.pages.len(),
            state.limits.queue
        ))
        .with_hint("use /v1/jobs for many pages"));
    }
    // what is wrong with the options is said before a page is read
    options.request().map_err(|error| Problem::from(crate::task::TaskFailure::from(error)))?;
    let store = options.store.as_ref().map(|store| state.store_target(store, command)).transpose()?;
    let task = Task { operation, pages: given.pages, options, store, names_pages: false };
    Ok(state.engine.run(&task, &given.bodies).await?)
}

/// Extract lists of records, or objects
#[utoipa::path(post, path = "/v1/extract", request_body = ExtractBody, tag = "pages",
    responses((status = 200, description = "The answer in the format that was asked for"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn extract(State(state): Shared, request: Request<Body>) -> Answered {
    let (body, files) = body_of::<ExtractBody>(&state, request).await?;
    let top = PageBody { html: body.html, url: body.url, name: None };
    let given = GivenPages::collect(top, body.pages, files)?;
    let result = run(&state, Operation::Extract, given, body.options, "POST /v1/extract").await?;
    Ok(task_response(result))
}

/// Extract one object per page
#[utoipa::path(post, path = "/v1/objects", request_body = ExtractBody, tag = "pages",
    responses((status = 200, description = "The fields of the objects"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn objects(State(state): Shared, request: Request<Body>) -> Answered {
    let (mut body, files) = body_of::<ExtractBody>(&state, request).await?;
    if body.options.kind == PageKindOption::List {
        return Err(Problem::bad_request(
            "kind: /v1/objects reads pages as objects: use /v1/extract for lists",
        ));
    }
    body.options.kind = PageKindOption::Object;
    let top = PageBody { html: body.html, url: body.url, name: None };
    let given = GivenPages::collect(top, body.pages, files)?;
    let result = run(&state, Operation::Extract, given, body.options, "POST /v1/objects").await?;
    Ok(task_response(result))
}

/// List the sections of pages
#[utoipa::path(post, path = "/v1/sections", request_body = ExtractBody, tag = "pages",
    responses((status = 200, description = "Tables, lists, paragraphs and values of each page, with their patterns"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn sections(State(state): Shared, request: Request<Body>) -> Answered {
    let (body, files) = body_of::<ExtractBody>(&state, request).await?;
    let top = PageBody { html: body.html, url: body.url, name: None };
    let given = GivenPages::collect(top, body.pages, files)?;
    Ok(task_response(run(&state, Operation::Sections, given, body.options, "POST /v1/sections").await?))
}

/// Learn a wrapper
#[utoipa::path(post, path = "/v1/learn", request_body = LearnBody, tag = "wrappers",
    responses((status = 200, description = "The wrapper, its columns, and notes about what was not learned"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn learn(State(state): Shared, request: Request<Body>) -> Answered {
    let (body, files) = body_of::<LearnBody>(&state, request).await?;
    let top = PageBody { html: body.html, url: body.url, name: None };
    let given = GivenPages::collect(top, body.pages, files)?;
    let result = run(&state, Operation::Learn, given, body.options, "POST /v1/learn").await?;
    let Some(name) = body.save_as else { return Ok(task_response(result)) };
    stored_wrapper(&state, &name, result)
}

/// Stores the wrapper of an answer and adds its name and version to the answer.
fn stored_wrapper(state: &ServiceState, name: &str, result: TaskResult) -> Answered {
    let mut answer: Value = parse_json(&result.body)?;
    let text = answer["wrapper"].as_str().ok_or_else(|| Problem::internal("the worker sent no wrapper"))?;
    let version = state.workspace.write_wrapper(name, text)?;
    answer["name"] = name.into();
    answer["version"] = version.into();
    let body = answer.to_string().into_bytes();
    Ok(task_response(TaskResult { body, ..result }))
}

/// Read pages with a wrapper
#[utoipa::path(post, path = "/v1/apply", request_body = WrapperBody, tag = "wrappers",
    responses((status = 200, description = "The answer in the format that was asked for"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn apply(State(state): Shared, request: Request<Body>) -> Answered {
    let (_, operation, given, options) =
        wrapper_request(&state, request, |wrapper, _| Operation::Apply { wrapper }).await?;
    Ok(task_response(run(&state, operation, given, options, "POST /v1/apply").await?))
}

/// Check whether pages still match a wrapper
#[utoipa::path(post, path = "/v1/check", request_body = WrapperBody, tag = "wrappers",
    responses((status = 200, description = "Whether the site has changed, and how"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn check(State(state): Shared, request: Request<Body>) -> Answered {
    let (name, operation, given, options) =
        wrapper_request(&state, request, |wrapper, _| Operation::Check { wrapper }).await?;
    let result = run(&state, operation, given, options, "POST /v1/check").await?;
    if let Some(name) = name {
        let report: Value = parse_json(&result.body)?;
        // the check has been made: that it cannot be remembered is not the client's problem
        if let Err(error) = state.workspace.write_check(&name, &check_summary(&report)) {
            tracing::warn!("the check of {name} cannot be stored: {error}");
        }
    }
    Ok(task_response(result))
}

/// What is remembered of a check: when it was, and in few words what it found.
fn check_summary(report: &Value) -> Value {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let pages = list(&report["pages"]);
    let odd = pages.iter().flat_map(|page| list(&page["odd"]));
    let mut why: Vec<String> = Vec::new();
    for drift in list(&report["alarms"]).into_iter().chain(odd) {
        let (column, what) = (drift["column"].as_str(), drift["what"].as_str().unwrap_or_default());
        let line = column.map_or_else(|| what.to_owned(), |column| format!("{column}: {what}"));
        if why.len() < MAX_REASONS && !why.contains(&line) {
            why.push(line);
        }
    }
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let records: u64 = pages.iter().filter_map(|page| page["records"].as_u64()).sum();
    let page = pages.first().and_then(|page| page["page"].as_str()).unwrap_or_default();
    json!({
        "checked": seconds, "page": page, "drifted": report["drifted"], "records": records, "why": why,
    })
}

/// Repair a wrapper after a redesign
#[utoipa::path(post, path = "/v1/repair", request_body = WrapperBody, tag = "wrappers",
    responses((status = 200, description = "The new version and what changed; stored if the wrapper was named"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn repair(State(state): Shared, request: Request<Body>) -> Answered {
    let (name, operation, given, options) =
        wrapper_request(&state, request, |wrapper, body| Operation::Repair { wrapper, verify: body.verify })
            .await?;
    let result = run(&state, operation, given, options, "POST /v1/repair").await?;
    let answer: Value = parse_json(&result.body)?;
    match name {
        Some(name) if answer["repaired"] == true => stored_wrapper(&state, &name, result),
        _ => Ok(task_response(result)),
    }
}

/// A request with a wrapper: the name that its next version gets, the operation, the pages, the options.
async fn wrapper_request(
    state: &ServiceState,
    request: Request<Body>,
    operation: impl FnOnce(String, &WrapperBody) -> Operation,
) -> Result<(Option<String>, Operation, GivenPages, ExtractOptions), Problem> {
    let (mut body, files) = body_of::<WrapperBody>(state, request).await?;
    let (name, text) = state.wrapper_text(body.wrapper.as_deref(), body.wrapper_text.take())?;
    let operation = operation(text, &body);
    let top = PageBody { html: body.html, url: body.url, name: None };
    let given = GivenPages::collect(top, body.pages, files)?;
    Ok((name.filter(|_| !body.dry_run), operation, given, body.options))
}

/// Write a wrapper for another tool
#[utoipa::path(post, path = "/v1/export", request_body = ExportBody, tag = "wrappers",
    responses((status = 200, description = "A program, schema or expression", content_type = "text/plain"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn export(State(state): Shared, request: Request<Body>) -> Answered {
    let (headers, bytes) = read_bytes(request, state.limits.body_bytes, state.limits.client_time).await?;
    super::bodies::expect_json(&headers)?;
    let body: ExportBody = parse_json(&bytes)?;
    let (_, wrapper) = state.wrapper_text(body.wrapper.as_deref(), body.wrapper_text)?;
    let operation = Operation::Export { wrapper, to: body.to, url: body.url, follow: body.follow };
    Ok(task_response(state.engine.run(&Task::new(operation), &[]).await?))
}

/// List the built-in domains
#[utoipa::path(get, path = "/v1/domains", tag = "domains",
    responses((status = 200, description = "Names, objects and attributes"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn domains() -> Answered {
    let shown = |domain: DomainSummary| {
        let attribute = |&(name, kind): &(&str, &str)| json!({ "name": name, "type": kind });
        let attributes: Vec<Value> = domain.attributes.iter().map(attribute).collect();
        json!({ "name": domain.name, "object": domain.object, "attributes": attributes })
    };
    let domains: Vec<Value> = Domain::summaries().into_iter().map(shown).collect();
    Ok(json_response(StatusCode::OK, &json!({ "domains": domains })))
}

/// Which terms are read.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct TermsQuery {
    /// The attribute
    attribute: String,
    /// Only terms that contain this text
    contains: Option<String>,
    /// How many terms are read at most
    most: Option<usize>,
}

/// Read the terms in the gazetteers of a domain's attribute
#[utoipa::path(get, path = "/v1/domains/{name}/terms", tag = "domains",
    params(("name" = String, Path, description = "The domain"), TermsQuery),
    responses((status = 200, description = "The terms, how many there are, and the labels of the attribute"),
    (status = "default", description = "What went wrong", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn domain_terms(
    Path(name): Path<String>,
    query: Result<Query<TermsQuery>, QueryRejection>,
) -> Answered {
    let Query(query) = query.map_err(|error| Problem::bad_request(error.body_text()))?;
    let missing = || Problem::not_found(format_args!("there is no attribute {name}.{}", query.attribute));
    let found = Domain::built_in_terms(&name, &query.attribute).map_err(Problem::internal)?;
    let found = found.ok_or_else(missing)?;
    let (labels, terms) = (found.labels, found.terms);
    let wanted = query.contains.unwrap_or_default().to_lowercase();
    let fits = |term: &&&str| wanted.is_empty() || term.to_lowercase().contains(&wanted);
    let fitting: Vec<&&str> = terms.iter().filter(fits).collect();
    let shown: Vec<&&str> = fitting.iter().take(query.most.unwrap_or(100).min(MAX_TERMS)).copied().collect();
    let answer = json!({ "labels": labels, "total": terms.len(), "matching": fitting.len(), "terms": shown });
    Ok(json_response(StatusCode::OK, &answer))
}

/// Options of a job: its results are lines of records.
pub(crate) fn job_options(mut options: ExtractOptions) -> Result<ExtractOptions, Problem> {
    if !matches!(options.format, AnswerFormat::Json | AnswerFormat::Records) {
        return Err(Problem::bad_request(
            "format: the result of a job is always one line of JSON per record",
        ));
    }
    options.format = AnswerFormat::Records;
    options.request().map_err(|error| Problem::from(crate::task::TaskFailure::from(error)))?;
    Ok(options)
}
