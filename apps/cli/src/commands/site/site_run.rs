//! One run of `copal site`: options to explorer, progress, status to exit code.

use super::SiteArguments;
use super::learned_wrapper::learned_wrapper;
use super::site_output::{SiteOutput, redacted_types};
use crate::error::CliError;
use crate::interrupts::{Interrupts, stop_on_interrupt};
use crate::outcome::Outcome;
use crate::output_target::write_text;
use crate::reporting;
use copal::Request;
use copal_explore::{
    ExploreError, ExploreOptions, Explorer, Frontier, PlannedAction, ReasonCode, SiteProgress, SiteReport,
    SiteStatus, redact_report, report_html,
};
use copal_fetch::Politeness;
use copal_site::{VisitOptions, Visitor};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest pause between requests, unless the shortest is longer.
const MAX_DELAY: Duration = Duration::from_secs(30);
/// Pages of an interrupted run are used without a request for so long.
const RESUME_AGE: Duration = Duration::from_hours(24);
/// Links that a plan shows.
const MAX_SHOWN_LINKS: usize = 15;
/// Milliseconds between two frames of the spinner.
const SPINNER_MILLISECONDS: u64 = 120;

pub(super) fn run(arguments: &SiteArguments, url: &str) -> Result<Outcome, CliError> {
    arguments.run.start_threads()?;
    let mut request = Request::default();
    request.limits = arguments.limits.limits();
    request.stylesheets = arguments.fetch.render.reads_stylesheets();
    request.set_domain(arguments.domain.clone());
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(CliError::unreadable)?;
    let visitor = visitor(arguments, url, &request, &runtime)?;
    let bar = progress_bar(arguments);
    let is_verbose = arguments.run.is_verbose();
    let on_progress = |progress: &SiteProgress| show_progress(&bar, is_verbose, progress);
    let mut options = ExploreOptions::default();
    options.domain.clone_from(&arguments.domain);
    options.bounds.depth = arguments.depth;
    options.max_pages = arguments.budget.pages;
    options.max_time = arguments.budget.time;
    options.max_details = arguments.details.unwrap_or(0);
    options.uses_forms = !arguments.no_forms;
    if arguments.dry_run {
        let mut explorer = Explorer::new(
            url,
            visitor.clone(),
            Frontier::in_memory().map_err(explore_error)?,
            options,
            &on_progress,
        )
        .map_err(explore_error)?;
        let (facts, plan) = runtime.block_on(explorer.plan_only()).map_err(explore_error)?;
        bar.finish_and_clear();
        reporting::print(&plan_text(&facts, &plan, visitor.has_browser()))?;
        return Ok(Outcome::Done);
    }
    let database = arguments.output.clone().map_or_else(|| default_output(url), Ok)?;
    let mut output = SiteOutput::open(&database, url, &arguments.redact)?;
    let frontier = Frontier::open(&frontier_path(&database)).map_err(explore_error)?;
    let mut explorer =
        Explorer::new(url, visitor.clone(), frontier, options, &on_progress).map_err(explore_error)?;
    if explorer.is_continued() && !arguments.run.quiet {
        reporting::line("continuing the interrupted run");
    }
    let mut report = runtime.block_on(async {
        let interrupts = Interrupts::listen().map_err(CliError::unreadable)?;
        let listener = tokio::spawn(stop_on_interrupt(visitor.clone(), interrupts));
        let mut sink = |name: &str, answer: &copal::Answer| {
            // the client of a database must not block a thread of the runtime
            tokio::task::block_in_place(|| output.store(name, answer)).map_err(Into::into)
        };
        let report = explorer.run(&mut sink).await;
        listener.abort();
        report.map_err(explore_error)
    })?;
    bar.finish_and_clear();
    let outcome = outcome_of(&report);
    let sample = output.finish(outcome.name())?;
    let redacted = redacted_types(&arguments.redact);
    redact_report(&mut report, &redacted);
    let wrapper = if arguments.wrapper.is_some() || arguments.report.is_some() {
        learned_wrapper(&runtime, &visitor, &report, &request, &redacted, arguments.run.quiet)
    } else {
        None
    };
    if let (Some(path), Some(wrapper)) = (&arguments.wrapper, &wrapper) {
        write_text(Some(path), wrapper)?;
    }
    if let Some(path) = &arguments.report {
        write_text(Some(path), &report_html(&report, &sample, wrapper.as_deref()))?;
    }
    if arguments.explain {
        reporting::print(&report.map_text())?;
    }
    if !arguments.run.quiet {
        reporting::line(reporting::printable(&report.summary()));
        if report.reason == ReasonCode::NeedsScripts {
            hint_at_browser(&report, arguments.fetch.render.is_on());
        }
        if report.status != SiteStatus::Nothing {
            reporting::line(format_args!("{}", database.display()));
        }
    }
    Ok(outcome)
}

fn visitor(
    arguments: &SiteArguments,
    url: &str,
    request: &Request,
    runtime: &tokio::runtime::Runtime,
) -> Result<Visitor, CliError> {
    let mut fetch = arguments.fetch.options(&request.limits, &[url])?;
    if let Some(min_delay) = arguments.rate {
        let max_delay = MAX_DELAY.max(min_delay);
        fetch.politeness = Politeness::Adaptive { min_delay, max_delay, factor: 2.0 };
    }
    if let Some(cache) = &mut fetch.cache {
        cache.max_age = RESUME_AGE;
    }
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
    runtime.block_on(async { Visitor::new(fetch, options) }).map_err(CliError::unreadable)
}

/// A file named after the host, in the working folder.
pub(super) fn default_output(url: &str) -> Result<PathBuf, CliError> {
    let host = url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let host = host.ok_or_else(|| {
        let error = format!("expected a URL that begins with http:// or https://, found {url}");
        let error = CliError::usage(error);
        if Path::new(url).exists() { error } else { error.with_hint(format_args!("write https://{url}")) }
    })?;
    let name: String = host.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-')).collect();
    Ok(PathBuf::from(format!("{name}.sqlite")))
}

fn frontier_path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".frontier");
    PathBuf::from(name)
}

fn explore_error(error: ExploreError) -> CliError {
    match error {
        ExploreError::InvalidUrl { .. } => CliError::usage(error),
        error => CliError::unreadable(error),
    }
}

fn outcome_of(report: &SiteReport) -> Outcome {
    match (report.status, report.reason) {
        (SiteStatus::Effective, _) => Outcome::Done,
        (SiteStatus::Partial, _) | (_, ReasonCode::BudgetSpent | ReasonCode::Interrupted) => Outcome::Partial,
        (SiteStatus::Nothing, ReasonCode::Unreachable | ReasonCode::Disallowed) => Outcome::Unreadable,
        (SiteStatus::Nothing, _) => Outcome::NothingFound,
    }
}

/// Says how the scripts can run, or why the browser did not run them.
fn hint_at_browser(report: &SiteReport, has_browser: bool) {
    if !has_browser {
        reporting::hint("--render auto shows such pages in a browser");
    } else if let Some(start) = report.map.first() {
        reporting::hint(format_args!("the start page {}", start.outcome));
    }
}

fn progress_bar(arguments: &SiteArguments) -> ProgressBar {
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

fn show_progress(bar: &ProgressBar, is_verbose: bool, progress: &SiteProgress) {
    let rate = progress.pages as f64 / progress.seconds.max(0.001);
    let line = format!(
        "{}: {}, {} records, {} queued, {} errors, {rate:.1} pages/s: {}",
        progress.state.name(),
        reporting::count(progress.pages, "page"),
        progress.records,
        progress.queued,
        progress.errors,
        reporting::printable(&progress.url)
    );
    if is_verbose {
        reporting::line(line);
    } else {
        bar.set_message(line);
    }
}

/// What would be done after the start page.
fn plan_text(facts: &copal_explore::PageFacts, plan: &copal_explore::PagePlan, has_browser: bool) -> String {
    let mut text = format!("{}: {}\n", facts.url, plan.outcome);
    for form in &facts.forms {
        let _ = writeln!(text, "form: {} ({:.0}% sure)", form.form_type.name(), 100.0 * form.confidence);
        if let Some(why) = &form.refused {
            let _ = writeln!(text, "  nothing would be sent: {why}");
        }
        for submission in &form.submissions {
            let method = if submission.body.is_some() { "POST" } else { "GET" };
            let _ = writeln!(text, "  would send {method} {} ({})", submission.url, submission.choice);
            if let Some(body) = &submission.body {
                let _ = writeln!(text, "    {body}");
            }
        }
        if let Some(typing) = form.suggestions.as_ref().filter(|_| has_browser) {
            let condition = if form.submissions.is_empty() { "would" } else { "if that is refused, would" };
            let beginnings = typing.beginnings.join("\", \"");
            let _ = writeln!(
                text,
                "  {condition} type \"{beginnings}\" into the field \"{}\" and take its suggestions",
                typing.field
            );
        }
    }
    let mut visits: Vec<_> = plan
        .actions
        .iter()
        .filter_map(|action| match action {
            PlannedAction::Visit(item) => Some(item),
            _ => None,
        })
        .collect();
    visits.sort_by(|a, b| b.priority.total_cmp(&a.priority));
    if !visits.is_empty() {
        text.push_str("would visit, most promising first:\n");
    }
    for item in visits.iter().take(MAX_SHOWN_LINKS) {
        let _ = writeln!(text, "  {} ({})", item.url, item.reason);
    }
    if visits.len() > MAX_SHOWN_LINKS {
        let _ = writeln!(text, "  and {} more", visits.len() - MAX_SHOWN_LINKS);
    }
    for action in &plan.actions {
        if let PlannedAction::Leave(item, why) = action {
            let _ = writeln!(text, "would leave {} ({why})", item.url);
        }
    }
    // control characters of the site must not reach the terminal; the lines are our own
    text.lines().map(|line| reporting::printable(line) + "\n").collect()
}
