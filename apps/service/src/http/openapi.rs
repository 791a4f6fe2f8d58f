//! The `OpenAPI` document of the service.

use super::{
    bodies, database_endpoints, draft_endpoints, endpoints, job_endpoints, problem, service_endpoints,
    studio_endpoints, wrapper_endpoints,
};
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
        endpoints::domain_terms,
        wrapper_endpoints::list,
        wrapper_endpoints::read,
        wrapper_endpoints::write,
        wrapper_endpoints::versions,
        job_endpoints::start,
        job_endpoints::list,
        job_endpoints::status,
        job_endpoints::cancel,
        job_endpoints::records,
        studio_endpoints::view,
        studio_endpoints::images,
        studio_endpoints::point,
        studio_endpoints::correct,
        studio_endpoints::questions,
        studio_endpoints::start,
        studio_endpoints::start_file,
        draft_endpoints::list,
        draft_endpoints::read,
        draft_endpoints::write,
        draft_endpoints::remove,
        database_endpoints::list,
        database_endpoints::runs,
        database_endpoints::records,
        database_endpoints::differences,
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
