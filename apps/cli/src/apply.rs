//! `copal apply`: a wrapper and pages in, one document out, in the order of the inputs.

use crate::args::{FormatName, LimitArgs, RunArgs};
use crate::extract::{by_ending, guarded, outcome, progress, set_jobs, writer};
use crate::inputs::{self, Input};
use crate::learn_wrapper::page_of;
use crate::report::{self, Outcome};
use clap::Args;
use copal::{Extraction, Options};
use copal_output::Format;
use copal_output::destination::Destination;
use copal_wrapper::{Wrapper, apply};
use rayon::prelude::*;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Pages in memory at once, for each job.
const BATCH: usize = 16;
/// More than a wrapper may have.
const MOST_BYTES: u64 = 2_000_000;

const EXAMPLES: &str = "\
Examples:
  copal apply shop.copal.yaml page3.html                    a table
  copal apply shop.copal.yaml 'pages/*.html' -o all.csv     … as CSV (also .json, .jsonl, .html)

Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 input unreadable, 4 limit hit, partial result.";

/// Read pages with a wrapper that copal learn wrote
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct ApplyArgs {
    /// The wrapper file
    wrapper: PathBuf,

    /// Files, folders, glob patterns, or - for standard input
    #[arg(required = true, value_name = "PAGE")]
    pages: Vec<String>,

    /// How the output is written (default: by the ending of --output, else a table)
    #[arg(long, value_enum)]
    format: Option<FormatName>,

    /// Write to this file instead of standard output (whole or not at all)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// In CSV, put ' before cells that a spreadsheet would run as a formula
    #[arg(long)]
    csv_safe: bool,

    /// Where the page came from: makes its links absolute
    #[arg(long)]
    url: Option<String>,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

pub(crate) fn run(args: &ApplyArgs) -> Outcome {
    let Some(format) = args.format.or_else(|| by_ending(args.output.as_deref())) else {
        report::error(
            "no format for this name: expected one that ends in .json, .jsonl, .csv, .html or .txt, or --format",
        );
        return Outcome::Usage;
    };
    if let Err(message) = set_jobs(args.run.jobs) {
        report::error(message);
        return Outcome::Usage;
    }
    let wrapper = match load(&args.wrapper) {
        Ok(wrapper) => wrapper,
        Err(why) => {
            report::error(format_args!("{}: {why}", args.wrapper.display()));
            return Outcome::Unreadable;
        }
    };
    let mut options = Options::default();
    options.limits = args.limits.limits();
    options.url.clone_from(&args.url);
    let inputs = inputs::collect(&args.pages);
    let target = args.output.as_deref().map_or("standard output".into(), |path| path.display().to_string());
    let mut out = match Destination::open(args.output.as_deref()) {
        Ok(out) => out,
        Err(error) => return report::write_failed(&error, &target),
    };
    let mut format: Box<dyn Format> = writer(format, inputs.len() > 1, false, args.csv_safe);
    let bar = progress(inputs.len(), args.run.quiet);
    let (mut worst, mut read) = (Outcome::Done, 0);
    for batch in inputs.chunks(BATCH * rayon::current_num_threads()) {
        let answers: Vec<Result<Extraction, String>> =
            batch.par_iter().map(|input| answer(input, &wrapper, &options)).collect();
        for (input, answer) in batch.iter().zip(answers) {
            bar.inc(1);
            let name = input.name();
            match answer {
                Err(why) => {
                    bar.suspend(|| report::error(format_args!("{name}: {why}")));
                    worst = worst.max(Outcome::Unreadable);
                }
                Ok(extraction) => {
                    read += 1;
                    worst = worst.max(outcome(&extraction));
                    bar.suspend(|| tell(&name, &extraction, args));
                    if let Err(error) = format.page(&mut out, &name, &extraction) {
                        return report::write_failed(&error, &target);
                    }
                }
            }
        }
    }
    bar.finish_and_clear();
    if read == 0 && args.output.is_some() {
        return worst;
    }
    match format.finish(&mut out).and_then(|()| out.commit()) {
        Ok(()) => worst,
        Err(error) => report::write_failed(&error, &target),
    }
}

/// Reads a wrapper file.
pub(crate) fn load(path: &Path) -> Result<Wrapper, String> {
    let mut text = String::new();
    let read = fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    read.map_err(|error| report::in_words(&error))?;
    Wrapper::parse(&text).map_err(|error| error.to_string())
}

fn answer(input: &Input, wrapper: &Wrapper, options: &Options) -> Result<Extraction, String> {
    let page = page_of(&input.read(options.limits.bytes)?, options)?;
    guarded(|| Ok(apply(wrapper, &page)))
}

fn tell(name: &str, extraction: &Extraction, args: &ApplyArgs) {
    if args.run.quiet {
        return;
    }
    for warning in &extraction.warnings {
        report::warning(format_args!("{name}: {warning}"));
    }
    let records: usize = extraction.regions.iter().map(|region| region.records.len()).sum();
    if extraction.regions.is_empty() {
        report::warning(format_args!("{name}: nothing of the wrapper is on this page"));
    } else if args.run.verbose {
        eprintln!("{}: {}", report::printable(name), report::count(records, "record"));
    }
}
