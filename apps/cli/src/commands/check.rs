//! `copal check`: a wrapper and pages in; out comes whether the site has changed.

use crate::arguments::pages::WrapperPageArguments;
use crate::error::{CliError, catch_panic};
use crate::outcome::Outcome;
use crate::page_pipeline::{Named, PageReader};
use crate::{reporting, wrapper_file};
use clap::{Args, ValueEnum};
use copal::wrapper::{CheckReport, Checker, Drift, apply};
use copal::{Answer, Page};
use copal_tasks::check_report;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal check shop.copal.yaml today/*.html                                 does the site still match?
  copal check shop.copal.yaml https://shop.example/lamps --format json     for a program that watches
  copal check shop.copal.yaml                                              the lists that copal site found
  copal check shop.copal.yaml today/*.html || copal repair shop.copal.yaml today/*.html

One odd page is not a change: the same difference must be on all pages, or on several in a row.
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
    let reader = PageReader::new(&inputs, &request, &reading.fetch)?;
    let mut checker = Checker::new(&wrapper);
    let mut names: Vec<String> = Vec::new();
    let mut worst = Outcome::Done;
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
            match answer {
                Ok((page, answer)) => {
                    let outcome = bar.suspend(|| reporting::partial_page(&name, &page, reading.run.quiet));
                    worst = worst.max(outcome);
                    checker.page(&page, &answer);
                    names.push(name);
                }
                Err(error) => {
                    worst = worst.max(error.outcome());
                    bar.suspend(|| reporting::error(&error.about(name)));
                }
            }
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    if names.is_empty() {
        return Ok(worst);
    }
    let report = checker.finish();
    reporting::print(&match arguments.format {
        CheckFormat::Text => text_report(&report, &names, reading.run.quiet),
        CheckFormat::Json => format!("{:#}\n", check_report(&report, &names)),
    })?;
    Ok(if report.drifted() { Outcome::Changed } else { worst })
}

fn text_report(report: &CheckReport, names: &[String], quiet: bool) -> String {
    let mut lines = Vec::new();
    for (page, name) in report.pages.iter().zip(names).filter(|_| !quiet) {
        for drift in &page.drifts {
            lines.push(format!("{name}: {}", describe(drift)));
        }
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
    lines.push(if report.drifted() {
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
