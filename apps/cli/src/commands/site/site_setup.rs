//! What runs over one site and over several have in common: options, names of files, exit codes.

use super::SiteArguments;
use crate::error::CliError;
use crate::outcome::Outcome;
use copal::Request;
use copal_explore::{ExploreError, ExploreOptions, ReasonCode, SiteReport, SiteStatus};
use copal_fetch::{FetchOptions, Politeness};
use copal_site::VisitOptions;
use copal_store::DatabaseLocation;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest pause between requests, unless the shortest is longer.
const MAX_DELAY: Duration = Duration::from_secs(30);
/// Pages of an interrupted run are used without a request for so long.
const RESUME_AGE: Duration = Duration::from_hours(24);
/// Milliseconds between two frames of the spinner.
const SPINNER_MILLISECONDS: u64 = 120;

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, CliError> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(CliError::unreadable)
}

/// How pages are read.
pub(super) fn page_request(arguments: &SiteArguments) -> Request {
    let mut request = Request::default();
    request.limits = arguments.limits.limits();
    request.stylesheets = arguments.fetch.render.reads_stylesheets();
    request.set_domain(arguments.domain.clone());
    request
}

/// How sites are explored.
pub(super) fn explore_options(arguments: &SiteArguments) -> ExploreOptions {
    let mut options = ExploreOptions::default();
    options.domain.clone_from(&arguments.domain);
    options.bounds.depth = arguments.depth;
    options.max_pages = arguments.budget.pages;
    options.max_time = arguments.budget.time;
    options.max_details = arguments.details.unwrap_or(0);
    options.uses_forms = !arguments.no_forms;
    options
}

/// How pages are fetched; `urls` are those that the user named.
pub(super) fn fetch_options(
    arguments: &SiteArguments,
    urls: &[&str],
    request: &Request,
) -> Result<FetchOptions, CliError> {
    let mut fetch = arguments.fetch.options(&request.limits, urls)?;
    if let Some(min_delay) = arguments.rate {
        let max_delay = MAX_DELAY.max(min_delay);
        fetch.politeness = Politeness::Adaptive { min_delay, max_delay, factor: 2.0 };
    }
    if let Some(cache) = &mut fetch.cache {
        cache.max_age = RESUME_AGE;
    }
    Ok(fetch)
}

/// What is done with pages.
pub(super) fn visit_options(arguments: &SiteArguments, request: &Request) -> Result<VisitOptions, CliError> {
    let mut options = VisitOptions::default();
    options.request = request.clone();
    options.fetch_stylesheets = arguments.fetch.render.stylesheets;
    #[cfg(feature = "render")]
    {
        options.rendering = arguments.fetch.render.rendering(arguments.fetch.delay, None)?;
    }
    #[cfg(not(feature = "render"))]
    if arguments.fetch.render.is_on() {
        return Err(CliError::missing_feature("show pages in a browser", "render"));
    }
    Ok(options)
}

/// The host of the URL to start with. Checked before files are made.
pub(super) fn start_host(url: &str) -> Result<String, CliError> {
    let parsed = url::Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    parsed.and_then(|url| url.host_str().map(str::to_owned)).ok_or_else(|| {
        let error = format!("expected a URL that begins with http:// or https://, found {url}");
        let error = CliError::usage(error);
        let is_other = url.contains("://") || Path::new(url).exists();
        if is_other { error } else { error.with_hint(format_args!("write https://{url}")) }
    })
}

/// A file named after the host, in the working folder.
pub(super) fn default_output(url: &str) -> Result<PathBuf, CliError> {
    let host = start_host(url)?;
    let name: String = host.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-')).collect();
    Ok(PathBuf::from(format!("{name}.sqlite")))
}

/// A file named after the file of URLs, in the working folder.
pub(super) fn default_output_of_list(list: &Path) -> Result<PathBuf, CliError> {
    let stem = list.file_stem().filter(|_| list != Path::new("-"));
    let mut name = stem.ok_or_else(|| CliError::usage("expected -o FILE.sqlite with --urls -"))?.to_owned();
    name.push(".sqlite");
    Ok(PathBuf::from(name))
}

/// Fails if the records of an exploration would not go to a file: its state is next to it.
pub(super) fn sqlite_output(database: &Path) -> Result<(), CliError> {
    match DatabaseLocation::from_name(database) {
        Some(DatabaseLocation::Sqlite(_)) => Ok(()),
        location => {
            let name = location.map_or_else(|| database.display().to_string(), |one| one.display_name());
            Err(CliError::usage(format_args!("expected a SQLite file (.sqlite, .db), found {name}")))
        }
    }
}

/// A file or folder next to a database.
pub(super) fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

pub(super) fn explore_error(error: ExploreError) -> CliError {
    match error {
        ExploreError::InvalidUrl { .. } => CliError::usage(error),
        error => CliError::unreadable(error),
    }
}

/// How a run over one site ended.
pub(super) fn outcome_of(report: &SiteReport) -> Outcome {
    match (report.status, report.reason) {
        (SiteStatus::Effective, _) => Outcome::Done,
        (SiteStatus::Partial, _) | (_, ReasonCode::BudgetSpent | ReasonCode::Interrupted) => Outcome::Partial,
        (SiteStatus::Nothing, ReasonCode::Unreachable | ReasonCode::Disallowed) => Outcome::Unreadable,
        (SiteStatus::Nothing, _) => Outcome::NothingFound,
    }
}

/// The line that shows how far a run is; hidden if there is no terminal, or each page gets a line.
pub(super) fn progress_bar(arguments: &SiteArguments) -> ProgressBar {
    if arguments.run.quiet || arguments.run.is_verbose() || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    bar.set_style(
        ProgressStyle::with_template("{spinner} {msg} ({elapsed})")
            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    bar.enable_steady_tick(Duration::from_millis(SPINNER_MILLISECONDS));
    bar
}
