//! `copal check`: a wrapper and pages in; out comes whether the site has changed.

use crate::arguments::pages::WrapperPageArguments;
#[cfg(feature = "fetch")]
use crate::commands::site::navigation::{SitePages, check_navigation};
use crate::error::{CliError, catch_panic};
#[cfg(feature = "fetch")]
use crate::inputs::Input;
use crate::navigation_finding::NavigationFinding;
use crate::outcome::Outcome;
use crate::page_pipeline::{Named, PageReader};
use crate::{reporting, wrapper_file};
use clap::{Args, ValueEnum};
use copal::wrapper::{CheckReport, Checker, Drift, Wrapper, apply};
use copal::{Answer, Page};
use copal_tasks::check_report;
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal check shop.copal.yaml today/*.html                                 does the site still match?
  copal check shop.copal.yaml https://shop.example/lamps --format json     for a program that watches
  copal check shop.copal.yaml                                              the lists that copal site found
  copal check shop.copal.yaml today/*.html || copal repair shop.copal.yaml today/*.html

One odd page is not a change: the same difference must be on all pages, or on several in a row.
Without pages, the navigation of the wrapper is checked too: whether its lists are where it says, the links and form
fields that lead to them, and the rule for the next page. Forms are compared and not sent, except the wrapper's own
searches.
Exit codes: 0 unchanged, 2 wrong usage, 3 input unreadable, 4 a page was incomplete,
5 the site has changed.";

/// Lists of a site whose first pages are checked if no pages are given.
const MAX_CHECKED_LISTS: usize = 20;

/// Check whether a site still matches its wrapper
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct CheckArguments {
    /// The wrapper file
    wrapper: PathBuf,

    /// Format of the report
    #[arg(long, value_enum, default_value = "text")]
    format: CheckFormat,

    #[command(flatten)]
    pages: WrapperPageArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// Sentences
    Text,
    /// One JSON document
    Json,
}

pub(crate) fn run(arguments: &CheckArguments) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    reading.run.start_threads()?;
    let wrapper = wrapper_file::load(&arguments.wrapper)?.wrapper;
    let (request, inputs) = (reading.request(), arguments.pages.inputs(&wrapper, MAX_CHECKED_LISTS)?);
    let mut checked = CheckedPages::new(&wrapper, arguments);
    #[cfg(feature = "fetch")]
    if arguments.pages.are_of_wrapper() {
        let urls: Vec<&str> = inputs.iter().filter_map(Input::url).collect();
        let mut pages = SitePages::new(reading, &request, &urls)?;
        let navigation = check_navigation(&mut pages, &wrapper, MAX_CHECKED_LISTS);
        for error in navigation.errors() {
            checked.fail(&error);
        }
        for (name, opened) in navigation.pages() {
            match catch_panic(|| Ok(apply(&wrapper, &opened.page))) {
                Ok(answer) => checked.add(name, &opened.page, &answer),
                Err(error) => checked.fail(&error.about(name)),
            }
        }
        return checked.finish(Some(&navigation.findings()));
    }
    let reader = PageReader::new(&inputs, &request, &reading.fetch)?;
    let bar = reporting::progress_bar(inputs.len(), reading.run.quiet);
    reader.for_each_batch(|batch| {
        let answers: Vec<Named<(Page, Answer)>> = batch
            .into_par_iter()
            .map(|(name, page)| {
                let answer = page.and_then(|page| {
                    let answer = catch_panic(|| Ok(apply(&wrapper, &page)))?;
                    Ok((page, answer))
                });
                (name, answer)
            })
            .collect();
        for (name, answer) in answers {
            bar.inc(1);
            bar.suspend(|| match answer {
                Ok((page, answer)) => checked.add(name, &page, &answer),
                Err(error) => checked.fail(&error.about(name)),
            });
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    checked.finish(None)
}

/// The pages that were checked so far.
struct CheckedPages<'a> {
    checker: Checker<'a>,
    arguments: &'a CheckArguments,
    names: Vec<String>,
    worst: Outcome,
}

impl<'a> CheckedPages<'a> {
    fn new(wrapper: &'a Wrapper, arguments: &'a CheckArguments) -> CheckedPages<'a> {
        CheckedPages { checker: Checker::new(wrapper), arguments, names: Vec::new(), worst: Outcome::Done }
    }

    fn add(&mut self, name: String, page: &Page, answer: &Answer) {
        let quiet = self.arguments.pages.reading.run.quiet;
        self.worst = self.worst.max(reporting::partial_page(&name, page, quiet));
        self.checker.page(page, answer);
        self.names.push(name);
    }

    fn fail(&mut self, error: &CliError) {
        self.worst = self.worst.max(error.outcome());
        reporting::error(error);
    }

    /// Prints the report; without pages that the user named, with what is wrong with the navigation.
    fn finish(self, navigation: Option<&[NavigationFinding]>) -> Result<Outcome, CliError> {
        let quiet = self.arguments.pages.reading.run.quiet;
        let findings = navigation.unwrap_or_default();
        if self.names.is_empty() && findings.is_empty() {
            return Ok(self.worst);
        }
        let report = self.checker.finish();
        reporting::print(&match self.arguments.format {
            CheckFormat::Text => text_report(&report, &self.names, findings, quiet),
            CheckFormat::Json => format!("{:#}\n", json_report(&report, &self.names, navigation)),
        })?;
        Ok(if has_changed(&report, findings) { Outcome::Changed } else { self.worst })
    }
}

fn has_changed(report: &CheckReport, navigation: &[NavigationFinding]) -> bool {
    report.drifted() || navigation.iter().any(|finding| finding.is_broken)
}

fn json_report(report: &CheckReport, names: &[String], navigation: Option<&[NavigationFinding]>) -> Json {
    let mut document = check_report(report, names);
    let Some(navigation) = navigation else { return document };
    let findings = navigation
        .iter()
        .map(|finding| json!({ "step": finding.step, "what": finding.cause, "broken": finding.is_broken }));
    document["navigation"] = findings.collect();
    document["drifted"] = json!(has_changed(report, navigation));
    document
}

fn text_report(
    report: &CheckReport,
    names: &[String],
    navigation: &[NavigationFinding],
    quiet: bool,
) -> String {
    let mut lines = Vec::new();
    for (page, name) in report.pages.iter().zip(names).filter(|_| !quiet) {
        for drift in &page.drifts {
            lines.push(format!("{name}: {}", describe(drift)));
        }
    }
    for finding in navigation {
        let state = if finding.is_broken { "changed" } else { "moved" };
        lines.push(format!("{state}: {}: {}", finding.step, finding.cause));
    }
    for alarm in &report.alarms {
        let pages = format!("{} of {}", alarm.pages, reporting::count(report.pages.len(), "page"));
        lines.push(format!("changed: {} ({pages})", describe(&alarm.drift)));
    }
    if !report.worn.is_empty() {
        lines.push(format!(
            "found only by fallback locators: {} (copal repair renews them)",
            report.worn.join(", ")
        ));
    }
    if !report.drifted() && report.pages.len() == 1 && !report.pages[0].drifts.is_empty() {
        lines.push("one page does not tell a change from an unusual page: check more pages".to_owned());
    }
    lines.push(if has_changed(report, navigation) {
        "the site has changed: try copal repair".to_owned()
    } else {
        let records: usize = report.pages.iter().map(|page| page.records).sum();
        let pages = reporting::count(report.pages.len(), "page");
        format!("unchanged: {} on {pages}", reporting::count(records, "record"))
    });
    lines.iter().map(|line| reporting::printable(line) + "\n").collect()
}

fn describe(drift: &Drift) -> String {
    let column = drift.column.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    format!("{}: {column}{}", drift.level.name(), drift.message)
}
