//! The HTTP service: routes, guards, limits, logs.

mod bodies;
mod connections;
mod database_endpoints;
mod draft_endpoints;
mod endpoints;
mod guard;
mod job_endpoints;
mod metrics;
mod openapi;
mod problem;
mod responses;
mod router;
mod server;
mod service_endpoints;
mod state;
mod studio_endpoints;
mod studio_files;
mod wrapper_endpoints;

pub use server::{ServeError, serve};

/// Reads a request body as the service does, for fuzzing: nothing but a panic is wrong.
#[doc(hidden)]
pub fn fuzz_body(content_type: &str, body: &[u8]) {
    let mut headers = axum::http::HeaderMap::new();
    if let Ok(value) = content_type.parse() {
        headers.insert(axum::http::header::CONTENT_TYPE, value);
    }
    let parsed = futures_util::FutureExt::now_or_never(bodies::parse_body::<bodies::WrapperBody>(
        &headers,
        body.to_vec(),
    ));
    let corrections = bodies::parse_body::<bodies::CorrectBody>(&headers, body.to_vec());
    let _ = futures_util::FutureExt::now_or_never(corrections);
    if let Some(Ok((body, files))) = parsed {
        let _ = body.options.request();
        let top = bodies::PageBody { html: body.html, url: body.url, name: None };
        let _ = bodies::GivenPages::collect(top, body.pages, files);
    }
}
