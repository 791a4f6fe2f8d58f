//! `copal repair`: a wrapper and current pages of its site in, the wrapper's next version out.
//!
//! The version before is kept next to it under a name with its number, and no file is overwritten.

#[cfg(feature = "fetch")]
mod site_repair;

use crate::arguments::pages::WrapperPageArguments;
use crate::error::{CliError, catch_panic};
use crate::input_protection::check_inputs_stay;
use crate::inputs::Input;
use crate::outcome::Outcome;
use crate::output_target::write_text;
use crate::page_pipeline::PageReader;
use crate::{reporting, wrapper_file};
use clap::Args;
use copal::Page;
use copal::wrapper::{DEFAULT_TEST_PAGES, RepairChange, RepairError, Repaired, Wrapper, repair};
use copal_output::destination::Destination;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  copal repair shop.copal.yaml today/*.html --dry-run     what would change, one line per column
  copal repair shop.copal.yaml today/*.html --dry-run -v  with all locators
  copal repair shop.copal.yaml today/*.html               a new version; the old one is kept as shop.copal.v1.yaml
  copal repair shop.copal.yaml today/*.html -o new.yaml   the new version in another file
  copal repair shop.copal.yaml                            with the lists that copal site found
  copal repair shop.copal.yaml https://shop.example/lamps https://shop.example/chairs https://shop.example/beds

Without pages, the navigation of the wrapper is mended too: lists that have moved, the links and form fields that lead to
them, and the rule for the next page. They are looked for where the site redirects to, in the forms that led there, and on
up to 30 pages that are explored. Only what was tried is written, and what still works is kept.

Exit codes: 0 repaired, or nothing to repair; 2 wrong usage; 3 input unreadable; 4 a page was incomplete; 5 it cannot be
repaired, or only a part of it, and a person has to look.";

/// Maximum number of copies of one version that are kept.
const MAX_COPIES: usize = 1000;

/// Lists of a site whose first pages are read if no pages are given.
const MAX_REPAIR_LISTS: usize = 10;

/// Repair a wrapper after a redesign
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct RepairArguments {
    /// The wrapper file
    wrapper: PathBuf,

    /// Write the new version to this file instead of the wrapper's own
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Number of pages that the new version must read correctly
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TEST_PAGES)]
    verify: usize,

    #[command(flatten)]
    pages: WrapperPageArguments,
}

impl RepairArguments {
    fn target(&self) -> &Path {
        self.output.as_deref().unwrap_or(&self.wrapper)
    }
}

pub(crate) fn run(arguments: &RepairArguments) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    reading.run.start_threads()?;
    let wrapper = wrapper_file::load(&arguments.wrapper)?.wrapper;
    let (request, inputs) = (reading.request(), arguments.pages.inputs(&wrapper, MAX_REPAIR_LISTS)?);
    check_inputs_stay(arguments.output.as_deref(), &inputs)?;
    #[cfg(feature = "fetch")]
    if arguments.pages.are_of_wrapper() {
        let urls: Vec<&str> = inputs.iter().filter_map(Input::url).collect();
        return site_repair::run(arguments, &wrapper, &urls);
    }
    let reader = PageReader::new(&inputs, &request, &reading.fetch)?;
    let pages = reader.all(reading.run.quiet)?;
    let names = inputs.iter().map(Input::name);
    let read = names.zip(&pages).map(|(name, page)| reporting::partial_page(&name, page, reading.run.quiet));
    let worst = read.max().unwrap_or(Outcome::Done);
    let pages: Vec<&Page> = pages.iter().collect();
    let repaired = match catch_panic(|| Ok(repair(&wrapper, &pages, arguments.verify)))? {
        Err(healthy @ RepairError::Healthy) => {
            if !reading.run.quiet {
                reporting::line(healthy);
            }
            return Ok(worst);
        }
        repaired => repaired.map_err(cannot_repair)?,
    };
    reporting::print(&describe(&wrapper, &repaired, reading.run.is_verbose()))?;
    if !arguments.dry_run {
        write_revision(arguments, &wrapper, &repaired.wrapper)?;
    }
    Ok(worst)
}

/// Writes the next revision, after the version before it is safe under another name.
fn write_revision(arguments: &RepairArguments, old: &Wrapper, new: &Wrapper) -> Result<(), CliError> {
    let target = arguments.target().display();
    let kept = match arguments.output {
        Some(_) => None,
        None => {
            let kept = keep_copy(&arguments.wrapper, old.revision);
            Some(kept.map_err(|error| CliError::writing(&error, &target))?)
        }
    };
    write_text(Some(arguments.target()), &new.to_string())?;
    if !arguments.pages.reading.run.quiet {
        let kept = kept.map(|kept| format!("; version {} is {}", old.revision, kept.display()));
        reporting::line(format_args!("version {} is {target}{}", new.revision, kept.unwrap_or_default()));
    }
    Ok(())
}

fn cannot_repair(error: RepairError) -> CliError {
    let has_too_few_pages = matches!(error, RepairError::TooFewPages { .. });
    let error = CliError::new(Outcome::Changed, error);
    if has_too_few_pages {
        error.with_hint("give more pages, or accept fewer with --verify N")
    } else {
        error
    }
}

/// Copies the file to a name next to it that does not exist yet.
fn keep_copy(path: &Path, version: u32) -> io::Result<PathBuf> {
    let text = std::fs::read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, "yaml"));
    for number in 0..MAX_COPIES {
        let suffix = if number == 0 { String::new() } else { format!("-{number}") };
        let copy = path.with_file_name(format!("{stem}.v{version}{suffix}.{ending}"));
        let mut out = Destination::open(Some(&copy))?;
        out.write_all(&text)?;
        // a partial copy (full disk, kill) is worse than none
        match out.commit_new() {
            Ok(()) => return Ok(copy),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("{MAX_COPIES} copies of this version exist already: remove some")))
}

/// The changes, one line each: the first locator before and now, and for a column a value before and now.
/// With `verbose`, all locators too: lines with - are the old ones, lines with + the new ones.
fn describe(old: &Wrapper, repaired: &Repaired, verbose: bool) -> String {
    let mut lines = vec![format!(
        "version {} -> {}, tested on {}",
        old.revision,
        repaired.wrapper.revision,
        reporting::count(repaired.pages, "page")
    )];
    for change in &repaired.changes {
        lines.push(describe_change(change));
        if verbose {
            lines.extend(change.before.iter().map(|locator| format!("  - {locator}")));
            lines.extend(change.after.iter().map(|locator| format!("  + {locator}")));
        }
    }
    lines.extend(repaired.notes.iter().map(|note| format!("note: {note}")));
    lines.iter().map(|line| reporting::printable(line) + "\n").collect()
}

fn describe_change(change: &RepairChange) -> String {
    let first = |locators: &[String]| locators.first().cloned().unwrap_or_else(|| "nothing".to_owned());
    let (before, after) = (first(&change.before), first(&change.after));
    let locators =
        if before == after { format!("{after}, other fallbacks") } else { format!("{before} -> {after}") };
    let values = match (&change.value_before, &change.value_after) {
        (Some(before), Some(after)) => format!(" ({before:?} -> {after:?})"),
        (None, Some(after)) => format!(" (now {after:?})"),
        (Some(before), None) => format!(" (was {before:?})"),
        (None, None) => String::new(),
    };
    format!("{}: {locators}{values}", change.what)
}
