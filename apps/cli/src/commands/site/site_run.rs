//! One run of `copal site`: options to explorer, progress, status to exit code.

use super::SiteArguments;
use super::learned_wrapper::learned_wrapper;
use super::site_outlines::site_outlines;
use super::site_output::{SiteOutput, redacted_types};
use super::site_setup::{
    beside, default_output, explore_error, explore_options, fetch_options, outcome_of, page_request,
    progress_bar, runtime, sqlite_output, start_host, visit_options,
};
use crate::error::CliError;
use crate::interrupts::{Interrupts, stop_on_interrupt};
use crate::outcome::Outcome;
use crate::output_target::write_text;
use crate::reporting;
use copal_explore::{
    Explorer, Frontier, PlannedAction, ReasonCode, ReportParts, ReportSample, SiteProgress, SiteReport,
    SiteStatus, redact_report, report_html,
};
use copal_site::Visitor;
use indicatif::ProgressBar;
use std::fmt::Write as _;

/// Links that a plan shows.
const MAX_SHOWN_LINKS: usize = 15;

pub(super) fn run(arguments: &SiteArguments, url: &str) -> Result<Outcome, CliError> {
    arguments.run.start_threads()?;
    start_host(url)?;
    let request = page_request(arguments);
    let runtime = runtime()?;
    let fetch = fetch_options(arguments, &[url], &request)?;
    let visit = visit_options(arguments, &request)?;
    let visitor = runtime.block_on(async { Visitor::new(fetch, visit) }).map_err(CliError::unreadable)?;
    let bar = progress_bar(arguments);
    let is_verbose = arguments.run.is_verbose();
    let on_progress = |progress: &SiteProgress| show_progress(&bar, is_verbose, progress);
    let options = explore_options(arguments);
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
    sqlite_output(&database)?;
    let mut output = SiteOutput::open(&database, url, &arguments.redact)?;
    let frontier = Frontier::open(&beside(&database, "frontier")).map_err(explore_error)?;
    let mut explorer =
        Explorer::new(url, visitor.clone(), frontier, options, &on_progress).map_err(explore_error)?;
    if explorer.is_continued() && !arguments.run.quiet {
        reporting::line("continuing the interrupted run");
    }
    let mut sample = ReportSample::default();
    let mut report = runtime.block_on(async {
        let interrupts = Interrupts::listen().map_err(CliError::unreadable)?;
        let listener = tokio::spawn(stop_on_interrupt(visitor.clone(), interrupts));
        let mut sink = |name: &str, answer: &copal::Answer| {
            // the client of a database must not block a thread of the runtime
            tokio::task::block_in_place(|| output.store(None, name, answer, &mut sample)).map_err(Into::into)
        };
        let report = explorer.run_to_end(&mut sink).await;
        listener.abort();
        report.map_err(explore_error)
    })?;
    bar.finish_and_clear();
    let outcome = outcome_of(&report);
    output.finish(outcome.name())?;
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
        let outlines = site_outlines(&runtime, &visitor, &report, &request, &redacted, arguments);
        let parts = ReportParts { sample: Some(&sample), wrapper: wrapper.as_deref(), outlines: &outlines };
        write_text(Some(path), &report_html(&report, parts))?;
    }
    explorer.finish().map_err(explore_error)?;
    if arguments.explain {
        reporting::print(&report.map_text())?;
    }
    if !arguments.run.quiet {
        reporting::line(reporting::printable(&report.summary()));
        if report.reason == ReasonCode::NeedsScripts {
            hint_at_browser(&report, arguments.fetch.render.is_on());
        }
        if report.reason == ReasonCode::RequiredFieldUnknown {
            reporting::hint(
                "start at a page of results, or use a --domain with examples for that field (--explain names it)",
            );
        }
        if report.status != SiteStatus::Nothing {
            reporting::line(format_args!("{}", database.display()));
        }
    }
    Ok(outcome)
}

/// Says how the scripts can run, or why the browser did not run them.
fn hint_at_browser(report: &SiteReport, has_browser: bool) {
    if !has_browser {
        reporting::hint("--render auto shows such pages in a browser");
    } else if let Some(start) = report.map.first() {
        reporting::hint(format_args!("the start page {}", start.outcome));
    }
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
