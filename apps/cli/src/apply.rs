//! `copal apply`: a wrapper and pages in, one document out, in the order of the inputs.

use crate::args::{LimitArgs, RunArgs};
use crate::extract::{guarded, outcome, progress, set_jobs};
use crate::net_args::FetchArgs;
use crate::output::OutputArgs;
use crate::report::{self, Outcome};
use crate::{inputs, pages};
use clap::Args;
use copal::{Answer, Options};
use copal_wrapper::{Wrapper, apply};
use rayon::prelude::*;
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// More than a wrapper may have.
const MOST_BYTES: u64 = 2_000_000;

const EXAMPLES: &str = "\
Examples:
  copal apply shop.copal.yaml page3.html                    a table
  copal apply shop.copal.yaml https://shop.example/lamps?page=3
  copal apply shop.copal.yaml 'pages/*.html' -o all.csv     … as CSV (also .json, .jsonl, .html, .parquet)
  copal apply shop.copal.yaml 'pages/*.html' -o shop.sqlite … kept, with what changed since the last run

Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 input unreadable, 4 limit hit, partial result.";

/// Read pages with a wrapper that copal learn wrote
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct ApplyArgs {
    /// The wrapper file
    wrapper: PathBuf,

    /// Addresses, files, folders, glob patterns, or - for standard input
    #[arg(required = true, value_name = "PAGE")]
    pages: Vec<String>,

    #[command(flatten)]
    output: OutputArgs,

    /// Where the page came from: makes its links absolute
    #[arg(long)]
    url: Option<String>,

    #[command(flatten)]
    fetch: FetchArgs,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

pub(crate) fn run(args: &ApplyArgs) -> Outcome {
    let target = match args.output.target() {
        Ok(target) => target,
        Err(message) => {
            report::error(message);
            return Outcome::Usage;
        }
    };
    if let Err(message) = set_jobs(args.run.jobs) {
        report::error(message);
        return Outcome::Usage;
    }
    let (wrapper, version) = match load(&args.wrapper) {
        Ok(loaded) => loaded,
        Err(why) => {
            report::error(format_args!("{}: {why}", args.wrapper.display()));
            return Outcome::Unreadable;
        }
    };
    let mut options = Options::default();
    options.limits = args.limits.limits();
    options.url.clone_from(&args.url);
    let inputs = inputs::collect(&args.pages);
    let name = args.output.name();
    let mut out = match args.output.open(&target, (inputs.len() > 1, false), Some(version)) {
        Ok(out) => out,
        Err(error) => return report::write_failed(&error, &name),
    };
    let bar = progress(inputs.len(), args.run.quiet);
    let (mut worst, mut read, mut failed) = (Outcome::Done, 0, None);
    let begun = pages::read(&inputs, &options, &args.fetch, &mut |batch| {
        let answers: Vec<(String, Result<Answer, String>)> = batch
            .into_par_iter()
            .map(|(name, page)| (name, page.and_then(|page| guarded(|| Ok(apply(&wrapper, &page))))))
            .collect();
        for (name, answer) in answers {
            bar.inc(1);
            match answer {
                Err(why) => {
                    bar.suspend(|| report::error(format_args!("{name}: {why}")));
                    worst = worst.max(Outcome::Unreadable);
                }
                Ok(extraction) => {
                    read += 1;
                    worst = worst.max(outcome(&extraction));
                    bar.suspend(|| tell(&name, &extraction, args));
                    if let Err(error) = out.page(&name, &extraction) {
                        failed = Some(error);
                        return ControlFlow::Break(());
                    }
                }
            }
        }
        ControlFlow::Continue(())
    });
    if let Err(why) = begun {
        report::error(why);
        return Outcome::Unreadable;
    }
    if let Some(error) = failed {
        return report::write_failed(&error, &name);
    }
    bar.finish_and_clear();
    match out.finish(&args.output, read, worst, args.run.quiet) {
        Ok(()) => worst,
        Err(error) => report::write_failed(&error, &name),
    }
}

/// The wrapper, and its version: the name of its file and a short name of what is in it.
pub(crate) fn load(path: &Path) -> Result<(Wrapper, String), String> {
    let mut text = String::new();
    let read = fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    read.map_err(|error| report::in_words(&error))?;
    let wrapper = Wrapper::parse(&text).map_err(|error| error.to_string())?;
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    Ok((wrapper, format!("wrapper {file} {}", copal_store::short_hash(&text))))
}

fn tell(name: &str, extraction: &Answer, args: &ApplyArgs) {
    if args.run.quiet {
        return;
    }
    for warning in &extraction.warnings {
        report::warning(format_args!("{name}: {warning}"));
    }
    let records: usize = extraction.regions.iter().map(|region| region.records.len()).sum();
    if extraction.regions.is_empty() && extraction.object.is_none() {
        report::warning(format_args!("{name}: nothing of the wrapper is on this page"));
    } else if args.run.verbose {
        eprintln!("{}: {}", report::printable(name), report::count(records, "record"));
    }
}
