//! `copal repair`: a wrapper and a site's pages as they are now in, the wrapper's next version out.
//!
//! The version before is kept beside it under a name with its number, and no file is ever overwritten with less.

use crate::apply::load;
use crate::args::{LimitArgs, RunArgs};
use crate::extract::guarded;
use crate::net_args::FetchArgs;
use crate::report::{self, Outcome};
use crate::{inputs, pages};
use clap::Args;
use copal::{Options, Page};
use copal_output::destination::Destination;
use copal_wrapper::{DEFAULT_TEST_PAGES, RepairError, Repaired, Wrapper, repair};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  copal repair shop.copal.yaml today/*.html --dry-run     what would change
  copal repair shop.copal.yaml today/*.html               a new version; the old one is kept as shop.copal.v1.yaml
  copal repair shop.copal.yaml today/*.html -o new.yaml   … into another file
  copal repair shop.copal.yaml https://shop.example/lamps https://shop.example/chairs https://shop.example/beds

Exit codes: 0 repaired, or nothing to repair; 5 it cannot be repaired, a person has to look; 2 wrong usage;
3 input unreadable.";

/// Renew a wrapper's locators after the site has changed
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct RepairArgs {
    /// The wrapper file
    wrapper: PathBuf,

    /// Addresses, files, folders, glob patterns, or -: pages as they are now
    #[arg(required = true, value_name = "PAGE")]
    pages: Vec<String>,

    /// Write the new version to this file instead of the wrapper's own
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Pages that the new version must read right
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TEST_PAGES)]
    verify: usize,

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

pub(crate) fn run(args: &RepairArgs) -> Outcome {
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
    let pages = match pages::all(&inputs::collect(&args.pages), &options, &args.fetch) {
        Ok(pages) => pages,
        Err(why) => {
            report::error(why);
            return Outcome::Unreadable;
        }
    };
    let pages: Vec<&Page> = pages.iter().collect();
    let repaired = match guarded(|| Ok(repair(&wrapper, &pages, args.verify))) {
        Ok(Ok(repaired)) => repaired,
        Ok(Err(healthy @ RepairError::Healthy)) => {
            if !args.run.quiet {
                eprintln!("{healthy}");
            }
            return Outcome::Done;
        }
        Ok(Err(few @ RepairError::TooFewPages { .. })) => {
            report::error(format_args!("{few}; --verify N takes fewer"));
            return Outcome::Changed;
        }
        Ok(Err(why)) => {
            report::error(why);
            return Outcome::Changed;
        }
        Err(why) => {
            report::error(why);
            return Outcome::Unreadable;
        }
    };
    if let Err(error) = report::print(&shown(&wrapper, &repaired)) {
        return report::write_failed(&error, "standard output");
    }
    if args.dry_run {
        return Outcome::Done;
    }
    let target = args.output.as_deref().unwrap_or(&args.wrapper);
    let written = write(&wrapper, &repaired.wrapper, args);
    match written {
        Ok(kept) => {
            if !args.run.quiet {
                let kept = kept.map(|kept| format!("; version {} is {}", wrapper.revision, kept.display()));
                eprintln!(
                    "version {} is {}{}",
                    repaired.wrapper.revision,
                    target.display(),
                    kept.unwrap_or_default()
                );
            }
            Outcome::Done
        }
        Err(error) => report::write_failed(&error, &target.display().to_string()),
    }
}

/// Writes the new version; in the wrapper's own place only after the old one is safe under another name.
fn write(old: &Wrapper, new: &Wrapper, args: &RepairArgs) -> io::Result<Option<PathBuf>> {
    let target = args.output.as_deref().unwrap_or(&args.wrapper);
    let kept = if args.output.is_none() { Some(keep(&args.wrapper, old.revision)?) } else { None };
    let mut out = Destination::open(Some(target))?;
    write!(out, "{new}")?;
    out.commit()?;
    Ok(kept)
}

/// A copy of the file beside it, under a name that is not taken.
fn keep(path: &Path, version: u32) -> io::Result<PathBuf> {
    let text = std::fs::read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, "yaml"));
    for again in 0..1000 {
        let more = if again == 0 { String::new() } else { format!("-{again}") };
        let copy = path.with_file_name(format!("{stem}.v{version}{more}.{ending}"));
        match OpenOptions::new().write(true).create_new(true).open(&copy) {
            Ok(mut file) => {
                let written = file.write_all(&text).and_then(|()| file.sync_all());
                // half a copy (a full disk) is none
                return written.map(|()| copy.clone()).inspect_err(|_| drop(std::fs::remove_file(&copy)));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("a thousand copies of this version are there already"))
}

/// What was, with -, and what is, with +.
fn shown(old: &Wrapper, repaired: &Repaired) -> String {
    let mut lines = vec![format!(
        "version {} -> {}, tested on {}",
        old.revision,
        repaired.wrapper.revision,
        report::count(repaired.pages, "page")
    )];
    for change in &repaired.changes {
        lines.push(change.what.clone());
        // those that only changed places are told by their order
        lines.extend(change.before.iter().map(|locator| format!("  - {locator}")));
        lines.extend(change.after.iter().map(|locator| format!("  + {locator}")));
        if let (Some(before), Some(after)) = (&change.value_before, &change.value_after) {
            lines.push(format!("    {before:?} was, {after:?} is a value"));
        }
    }
    lines.extend(repaired.notes.iter().map(|note| format!("note: {note}")));
    lines.iter().map(|line| report::printable(line) + "\n").collect()
}
