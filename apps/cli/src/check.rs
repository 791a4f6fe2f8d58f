//! `copal check`: a wrapper and pages in, whether the site has changed out.

use crate::apply::load;
use crate::args::{LimitArgs, RunArgs};
use crate::extract::guarded;
use crate::net_args::FetchArgs;
use crate::report::{self, Outcome};
use crate::{inputs, pages};
use clap::{Args, ValueEnum};
use copal::{Answer, Options, Page};
use copal_wrapper::{CheckReport, Checker, Drift, apply};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal check shop.copal.yaml today/*.html              is the site as it was?
  copal check shop.copal.yaml https://shop.example/lamps --format json     for a program that watches
  copal check shop.copal.yaml today/*.html || copal repair shop.copal.yaml today/*.html

One odd page is no alarm: the same must be odd on all pages, or on several in a row.
Exit codes: 0 as it was, 5 the site has changed, 2 wrong usage, 3 input unreadable.";

/// Tell whether a site's pages still are as its wrapper expects them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct CheckArgs {
    /// The wrapper file
    wrapper: PathBuf,

    /// Addresses, files, folders, glob patterns, or - for standard input
    #[arg(required = true, value_name = "PAGE")]
    pages: Vec<String>,

    /// How the answer is written
    #[arg(long, value_enum, default_value = "text")]
    format: CheckFormat,

    /// Where the pages came from
    #[arg(long)]
    url: Option<String>,

    #[command(flatten)]
    fetch: FetchArgs,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

/// A page with what the wrapper reads on it, or why there is none.
type Read = Result<(Page, Answer), String>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// Sentences
    Text,
    /// One JSON document
    Json,
}

pub(crate) fn run(args: &CheckArgs) -> Outcome {
    let wrapper = match load(&args.wrapper) {
        Ok((wrapper, _)) => wrapper,
        Err(why) => {
            report::error(format_args!("{}: {why}", args.wrapper.display()));
            return Outcome::Unreadable;
        }
    };
    let mut options = Options::default();
    options.limits = args.limits.limits();
    options.url.clone_from(&args.url);
    let mut checker = Checker::new(&wrapper);
    let mut names: Vec<String> = Vec::new();
    let mut worst = Outcome::Done;
    let begun = pages::read(&inputs::collect(&args.pages), &options, &args.fetch, &mut |batch| {
        let read: Vec<(String, Read)> = batch
            .into_par_iter()
            .map(|(name, page)| {
                let read =
                    page.and_then(|page| guarded(|| Ok(apply(&wrapper, &page))).map(|read| (page, read)));
                (name, read)
            })
            .collect();
        for (name, read) in read {
            match read {
                Ok((page, read)) => {
                    checker.page(&page, &read);
                    names.push(name);
                }
                Err(why) => {
                    report::error(format_args!("{name}: {why}"));
                    worst = worst.max(Outcome::Unreadable);
                }
            }
        }
        ControlFlow::Continue(())
    });
    if let Err(why) = begun {
        report::error(why);
        return Outcome::Unreadable;
    }
    if names.is_empty() {
        return worst;
    }
    let check = checker.finish();
    let written = match args.format {
        CheckFormat::Text => text(&check, &names, args.run.quiet),
        CheckFormat::Json => format!("{:#}\n", as_json(&check, &names)),
    };
    if let Err(error) = report::print(&written) {
        return report::write_failed(&error, "standard output");
    }
    if check.drifted() { Outcome::Changed } else { worst }
}

fn text(check: &CheckReport, names: &[String], quiet: bool) -> String {
    let mut lines = Vec::new();
    for (page, name) in check.pages.iter().zip(names).filter(|_| !quiet) {
        for drift in &page.drifts {
            lines.push(format!("{name}: {}", in_words(drift)));
        }
    }
    for alarm in &check.alarms {
        let pages = format!("{} of {}", alarm.pages, report::count(check.pages.len(), "page"));
        lines.push(format!("alarm, {pages}: {}", in_words(&alarm.drift)));
    }
    if !check.worn.is_empty() {
        lines.push(format!(
            "not read by their first locators any more, but by others: {} (copal repair renews them)",
            check.worn.join(", ")
        ));
    }
    lines.push(if check.drifted() {
        "the site has changed: copal repair may help".to_owned()
    } else {
        let records: usize = check.pages.iter().map(|page| page.records).sum();
        let pages = report::count(check.pages.len(), "page");
        format!("as expected: {} on {pages}", report::count(records, "record"))
    });
    lines.iter().map(|line| report::printable(line) + "\n").collect()
}

fn in_words(drift: &Drift) -> String {
    let column = drift.column.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    format!("{}: {column}{}", drift.level.name(), drift.message)
}

fn as_json(check: &CheckReport, names: &[String]) -> Value {
    let odd =
        |drift: &Drift| json!({ "level": drift.level.name(), "column": drift.column, "what": drift.message });
    let pages = check.pages.iter().zip(names).map(|(page, name)| {
        json!({ "page": name, "records": page.records, "odd": page.drifts.iter().map(odd).collect::<Vec<_>>() })
    });
    let alarms = check.alarms.iter().map(|alarm| {
        let mut one = odd(&alarm.drift);
        one["pages"] = json!(alarm.pages);
        one
    });
    json!({
        "drifted": check.drifted(),
        "alarms": alarms.collect::<Vec<_>>(),
        "worn": check.worn,
        "pages": pages.collect::<Vec<_>>(),
    })
}
