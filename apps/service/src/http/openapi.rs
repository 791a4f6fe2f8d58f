//! The `OpenAPI` document of the service.

use super::{bodies, endpoints, job_endpoints, problem, service_endpoints, wrapper_endpoints};
use crate::jobs::{JobState, JobStatus};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    info(title = "copal", description = "Turns web pages into tables. Errors are application/problem+json."),
    paths(
        endpoints::extract,
        endpoints::objects,
        endpoints::sections,
        endpoints::learn,
        endpoints::apply,
        endpoints::check,
        endpoints::repair,
        endpoints::export,
        endpoints::domains,
        wrapper_endpoints::list,
        wrapper_endpoints::read,
        wrapper_endpoints::write,
        wrapper_endpoints::versions,
        job_endpoints::start,
        job_endpoints::list,
        job_endpoints::status,
        job_endpoints::cancel,
        job_endpoints::records,
        service_endpoints::health,
        service_endpoints::metrics
    ),
    components(schemas(problem::Problem, JobStatus, JobState, bodies::PageBody))
)]
struct ApiDocument;

/// The document as JSON.
pub(crate) fn document() -> String {
    ApiDocument::openapi().to_json().unwrap_or_default()
}
