//! Request bodies: JSON, or multipart with files, within the limits on size and time.
//!
//! A multipart body has the JSON in a part `request`, which may be missing, and pages in parts `file`. Everything here
//! is input of strangers: it is bounded, unknown keys are refused, and nothing panics.

use super::problem::Problem;
use crate::options::ExtractOptions;
use crate::task::{CorrectionBody, ExportTool, TaskPage};
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// Parts of a multipart body.
const MAX_PARTS: usize = 1000;
/// Characters of the name of a page.
const MAX_NAME_CHARS: usize = 500;

/// A page of a request: `html`, `url`, or both.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PageBody {
    /// The page. With it, `url` only makes links absolute
    pub(crate) html: Option<String>,
    /// The URL of the page, which is fetched if there is no `html`
    pub(crate) url: Option<String>,
    /// How the answer names the page
    pub(crate) name: Option<String>,
}

/// The body of `/v1/extract`, `/v1/objects` and `/v1/sections`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ExtractBody {
    /// The page, if there is one
    pub(crate) html: Option<String>,
    /// Its URL, which is fetched if there is no `html`
    pub(crate) url: Option<String>,
    /// Several pages
    pub(crate) pages: Vec<PageBody>,
    /// What is extracted, and how the answer looks
    pub(crate) options: ExtractOptions,
}

/// The body of `/v1/learn`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LearnBody {
    /// The page, if there is one
    pub(crate) html: Option<String>,
    /// Its URL, which is fetched if there is no `html`
    pub(crate) url: Option<String>,
    /// Several pages
    pub(crate) pages: Vec<PageBody>,
    /// Which list is learned, and which columns
    pub(crate) options: ExtractOptions,
    /// Store the wrapper under this name
    pub(crate) save_as: Option<String>,
}

/// The body of `/v1/apply`, `/v1/check` and `/v1/repair`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct WrapperBody {
    /// The name of a stored wrapper
    pub(crate) wrapper: Option<String>,
    /// The wrapper itself, as `/v1/learn` gives it
    pub(crate) wrapper_text: Option<String>,
    /// The page, if there is one
    pub(crate) html: Option<String>,
    /// Its URL, which is fetched if there is no `html`
    pub(crate) url: Option<String>,
    /// Several pages
    pub(crate) pages: Vec<PageBody>,
    /// How the answer looks
    pub(crate) options: ExtractOptions,
    /// For a repair: how many pages the new version must read correctly
    pub(crate) verify: Option<usize>,
    /// For a repair: do not store the new version
    pub(crate) dry_run: bool,
}

/// The body of `/v1/view`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ViewBody {
    /// The page
    pub(crate) html: Option<String>,
    /// Its URL, which is fetched if there is no `html`
    pub(crate) url: Option<String>,
    /// Also fetch the stylesheets that the page links to
    pub(crate) styles: bool,
    /// `render` counts
    pub(crate) options: ExtractOptions,
}

/// The body of `/v1/images`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ImagesBody {
    /// The URLs of the images, 30 at most
    pub(crate) urls: Vec<String>,
}

/// The body of `/v1/point`: a page, and either `node` or `pattern`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PointBody {
    /// The page
    pub(crate) html: Option<String>,
    /// Its URL, which is fetched if there is no `html`
    pub(crate) url: Option<String>,
    /// The number of an element, as in `/v1/view`
    pub(crate) node: Option<u32>,
    /// A CSS selector, or an XPath
    pub(crate) pattern: Option<String>,
    /// Which rows of the data are in the answer
    pub(crate) options: ExtractOptions,
}

/// The body of `/v1/correct`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CorrectBody {
    /// The page
    pub(crate) html: Option<String>,
    /// Its URL, which is fetched if there is no `html`
    pub(crate) url: Option<String>,
    /// More pages of the same kind, which the wrapper is learned from too
    pub(crate) pages: Vec<PageBody>,
    /// The wrapper that is corrected; without it, one is learned from the page first
    pub(crate) wrapper_text: Option<String>,
    /// Numbers of elements in two or more records, if the list is chosen by examples
    pub(crate) examples: Vec<u32>,
    /// What is changed, in this order
    pub(crate) corrections: Vec<CorrectionBody>,
    /// Which list is learned, or that the page is an object
    pub(crate) options: ExtractOptions,
}

/// The body of `/v1/questions`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct QuestionsBody {
    /// The page, if there is one
    pub(crate) html: Option<String>,
    /// Its URL, which is fetched if there is no `html`
    pub(crate) url: Option<String>,
    /// Several pages
    pub(crate) pages: Vec<PageBody>,
    /// The attribute whose terms are learned
    pub(crate) attribute: String,
    /// Terms that were accepted
    pub(crate) accepted: Vec<String>,
    /// Labels that were accepted
    pub(crate) labels: Vec<String>,
    /// Terms and labels that were refused
    pub(crate) refused: Vec<String>,
    /// `domain` is needed
    pub(crate) options: ExtractOptions,
}

/// The body of `/v1/export`.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportBody {
    /// The name of a stored wrapper
    #[serde(default)]
    pub(crate) wrapper: Option<String>,
    /// The wrapper itself
    #[serde(default)]
    pub(crate) wrapper_text: Option<String>,
    /// The tool
    pub(crate) to: ExportTool,
    /// For `oxpath`: the URL of the page
    #[serde(default)]
    pub(crate) url: Option<String>,
    /// Read all pages of the list
    #[serde(default)]
    pub(crate) follow: bool,
}

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobOperation {
    /// Extract the pages
    #[default]
    Extract,
    /// Read them with a wrapper
    Apply,
}

/// The body of `/v1/jobs`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct JobBody {
    /// What is done
    pub(crate) operation: JobOperation,
    /// URLs that are fetched, one page each
    pub(crate) urls: Vec<String>,
    /// Pages
    pub(crate) pages: Vec<PageBody>,
    /// With `apply`: the name of a stored wrapper
    pub(crate) wrapper: Option<String>,
    /// With `apply`: the wrapper itself
    pub(crate) wrapper_text: Option<String>,
    /// What is extracted. The result is always one line of JSON per record
    pub(crate) options: ExtractOptions,
}

/// A file of a multipart body.
#[derive(Debug, Clone)]
pub(crate) struct UploadedFile {
    name: Option<String>,
    content_type: Option<String>,
    charset: Option<String>,
    bytes: Vec<u8>,
}

/// Pages of a task, and the bodies that they are in.
#[derive(Debug, Default)]
pub(crate) struct GivenPages {
    pub(crate) pages: Vec<TaskPage>,
    pub(crate) bodies: Vec<Vec<u8>>,
}

impl GivenPages {
    /// Collects the pages of a request, in order: the one at the top, the list, the files.
    pub(crate) fn collect(
        top: PageBody,
        pages: Vec<PageBody>,
        files: Vec<UploadedFile>,
    ) -> Result<GivenPages, Problem> {
        let mut given = GivenPages::default();
        let base = if files.is_empty() { None } else { top.url.clone() };
        if top.html.is_some() || (top.url.is_some() && files.is_empty()) {
            given.add(top)?;
        }
        for page in pages {
            given.add(page)?;
        }
        for file in files {
            let name = shortened(file.name).unwrap_or_else(|| format!("page {}", given.pages.len() + 1));
            given.pages.push(TaskPage {
                name,
                url: base.clone(),
                body: Some(given.bodies.len()),
                content_type: file.content_type,
                charset: file.charset,
            });
            given.bodies.push(file.bytes);
        }
        if given.pages.is_empty() {
            return Err(Problem::bad_request("there is no page: expected html, url, pages or a file"));
        }
        Ok(given)
    }

    fn add(&mut self, page: PageBody) -> Result<(), Problem> {
        let number = self.pages.len() + 1;
        let name =
            shortened(page.name).or_else(|| page.url.clone()).unwrap_or_else(|| format!("page {number}"));
        let body = page.html.map(|html| {
            self.bodies.push(html.into_bytes());
            self.bodies.len() - 1
        });
        if body.is_none() && page.url.is_none() {
            return Err(Problem::bad_request(format_args!("page {number} has neither html nor url")));
        }
        // the text of a JSON string is Unicode, whatever the page says about itself
        let charset = body.map(|_| "utf-8".to_owned());
        self.pages.push(TaskPage { name, url: page.url, body, content_type: None, charset });
        Ok(())
    }
}

fn shortened(name: Option<String>) -> Option<String> {
    let name: String = name?.chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect();
    (!name.trim().is_empty()).then_some(name)
}

/// Reads a body completely.
pub(crate) async fn read_bytes(
    request: Request<Body>,
    max_bytes: usize,
    time: Duration,
) -> Result<(HeaderMap, Vec<u8>), Problem> {
    let too_large = || {
        let detail = format!("the body is larger than {max_bytes} bytes");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
            .with_hint("send less, or start the service with a larger --body-limit")
    };
    let (parts, body) = request.into_parts();
    let announced =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if announced.is_some_and(|bytes: usize| bytes > max_bytes) {
        return Err(too_large());
    }
    let read = tokio::time::timeout(time, axum::body::to_bytes(body, max_bytes)).await;
    match read {
        Err(_) => {
            let detail = format!("the body did not arrive within {} s", time.as_secs());
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "slow-request", detail))
        }
        Ok(Ok(bytes)) => Ok((parts.headers, bytes.into())),
        Ok(Err(error)) => {
            let is_limit =
                std::error::Error::source(&error).is_some_and(|source| source.to_string().contains("limit"));
            Err(if is_limit {
                too_large()
            } else {
                Problem::bad_request("the body did not arrive completely")
            })
        }
    }
}

/// The JSON of a body and its files.
pub(crate) async fn parse_body<T: DeserializeOwned + Default>(
    headers: &HeaderMap,
    bytes: Vec<u8>,
) -> Result<(T, Vec<UploadedFile>), Problem> {
    let content_type =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match media_type.as_str() {
        "application/json" => Ok((parse_json(&bytes)?, Vec::new())),
        "multipart/form-data" => parse_multipart(content_type, bytes).await,
        _ => {
            let detail = "expected Content-Type: application/json or multipart/form-data";
            Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", detail))
        }
    }
}

/// Reads JSON; unknown keys and wrong types are named.
pub(crate) fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // structs could also be read from arrays, by position, which nobody means
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(Problem::bad_request("the JSON is not valid: expected an object"));
    }
    serde_json::from_slice(bytes)
        .map_err(|error| Problem::bad_request(format_args!("the JSON is not valid: {error}")))
}

async fn parse_multipart<T: DeserializeOwned + Default>(
    content_type: &str,
    bytes: Vec<u8>,
) -> Result<(T, Vec<UploadedFile>), Problem> {
    let invalid =
        |error: multer::Error| Problem::bad_request(format_args!("the multipart body is not valid: {error}"));
    let boundary = multer::parse_boundary(content_type).map_err(invalid)?;
    let stream = futures_util::stream::once(async move { Ok::<_, std::io::Error>(bytes) });
    let mut multipart = multer::Multipart::new(stream, boundary);
    let (mut request, mut files) = (None, Vec::new());
    let mut parts = 0;
    while let Some(field) = multipart.next_field().await.map_err(invalid)? {
        parts += 1;
        if parts > MAX_PARTS {
            return Err(Problem::bad_request(format_args!("more than {MAX_PARTS} parts")));
        }
        match field.name() {
            Some("request") => {
                let bytes = field.bytes().await.map_err(invalid)?;
                request = Some(parse_json(&bytes)?);
            }
            Some("file") => {
                let name = field.file_name().map(str::to_owned);
                let content_type = field.content_type().map(|kind| kind.essence_str().to_ascii_lowercase());
                // what clients say of files of unknown kinds
                let content_type = content_type.filter(|kind| kind != "application/octet-stream");
                let charset = field.content_type().and_then(|kind| kind.get_param("charset"));
                let charset = charset.map(|charset| charset.as_str().to_owned());
                let bytes = field.bytes().await.map_err(invalid)?.to_vec();
                files.push(UploadedFile { name, content_type, charset, bytes });
            }
            other => {
                let name = other.unwrap_or_default().chars().take(MAX_NAME_CHARS).collect::<String>();
                return Err(Problem::bad_request(format_args!(
                    "unknown part {name:?}: expected request or file"
                )));
            }
        }
    }
    Ok((request.unwrap_or_default(), files))
}

/// Refuses bodies of another type: a web page could send those without asking the browser.
pub(crate) fn expect_json(headers: &HeaderMap) -> Result<(), Problem> {
    let content_type =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let detail = "expected Content-Type: application/json";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", detail))
}

/// Refuses bodies that are not YAML, which web pages cannot send without asking the browser.
pub(crate) fn expect_yaml(headers: &HeaderMap) -> Result<(), Problem> {
    let content_type =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if matches!(media_type.as_str(), "application/yaml" | "application/x-yaml" | "text/yaml") {
        return Ok(());
    }
    let detail = "expected Content-Type: application/yaml";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", detail))
}
