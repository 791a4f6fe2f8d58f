//! `copal diff`: what is new, gone and changed between two files, or two runs in a database.

use crate::difference_report::{Comparison, json_of, text_of};
use crate::error::CliError;
use crate::outcome::Outcome;
use crate::reporting;
use clap::{Args, ValueEnum};
use copal_store::{DatabaseLocation, Difference, RecordFile};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  copal diff monday.csv tuesday.csv                what changed between two files (.csv, .json, .jsonl)
  copal diff monday.csv tuesday.jsonl --key sku    records identified by a column
  copal diff data.sqlite                           the last two complete runs
  copal diff data.sqlite --runs 3 7 --format json
  copal diff postgres://user@host/shop --table lamps

Records in files are identified by --key, else by their url, else by their whole text.
Records in a database have the key they were stored with.

Exit codes: 0 nothing changed, 2 wrong usage, 3 input unreadable, 5 something changed.";

/// Show new, gone and changed records between two runs or files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct DiffArguments {
    /// The older file, or a database (.sqlite, .db, postgres://…)
    old: PathBuf,

    /// The newer file
    new: Option<PathBuf>,

    /// For files: the column that identifies records (may be repeated)
    #[arg(long, value_name = "COLUMN")]
    key: Vec<String>,

    /// For a database: the numbers of the two runs
    #[arg(long, value_names = ["A", "B"], num_args = 2)]
    runs: Vec<i64>,

    /// For a database: only this table
    #[arg(long, value_name = "NAME")]
    table: Option<String>,

    /// Format of the output
    #[arg(long, value_enum, default_value = "table")]
    format: DiffFormat,

    /// Print errors only, no warnings
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// Lines: + new, - gone, ~ changed
    Table,
    /// One object
    Json,
}

pub(crate) fn run(arguments: &DiffArguments) -> Result<Outcome, CliError> {
    let comparison = match (DatabaseLocation::from_name(&arguments.old), &arguments.new) {
        (Some(location), None) if arguments.key.is_empty() => compare_runs(&location, arguments)?,
        (Some(_), None) => return Err(CliError::usage("--key is for files: a database has its own keys")),
        (Some(_), Some(_)) => {
            return Err(CliError::usage("two runs of one database are compared: give no second file"));
        }
        (None, None) => {
            return Err(CliError::usage("expected two files, or a database (.sqlite, .db or postgres://…)"));
        }
        (None, Some(_)) if !arguments.runs.is_empty() || arguments.table.is_some() => {
            return Err(CliError::usage("--runs and --table are for databases"));
        }
        (None, Some(new)) => compare_files(&arguments.old, new, arguments)?,
    };
    reporting::print(&match arguments.format {
        DiffFormat::Table => text_of(&comparison),
        DiffFormat::Json => format!("{:#}\n", json_of(&comparison)),
    })?;
    let is_same = comparison.differences.iter().all(Difference::is_empty);
    Ok(if is_same { Outcome::Done } else { Outcome::Changed })
}

fn compare_runs(location: &DatabaseLocation, arguments: &DiffArguments) -> Result<Comparison, CliError> {
    let numbers = match arguments.runs.as_slice() {
        [a, b] => Some((*a, *b)),
        _ => None,
    };
    let (runs, differences) = copal_store::compare_runs(location, numbers, arguments.table.as_deref())
        .map_err(|error| CliError::unreadable(error).about(location.display_name()))?;
    if !arguments.quiet {
        if runs[0].command != runs[1].command && !are_of_one_site(&runs[0].command, &runs[1].command) {
            reporting::warning(format_args!(
                "the runs had different commands: {}: {}; {}: {}",
                runs[0].id, runs[0].command, runs[1].id, runs[1].command
            ));
        }
        for run in runs.iter().filter(|run| run.outcome.as_deref() != Some(Outcome::Done.name())) {
            let outcome = run.outcome.as_deref().unwrap_or("not complete");
            reporting::warning(format_args!("run {}: {outcome}", run.id));
        }
    }
    let names = runs.map(|run| format!("run {} ({})", run.id, run.started));
    Ok(Comparison { names, differences })
}

/// True for `copal site URL` and `copal site run WRAPPER`, which reads the same site again.
fn are_of_one_site(a: &str, b: &str) -> bool {
    let host = |command: &str| {
        let url = url::Url::parse(command.strip_prefix("copal site ")?).ok()?;
        url.host_str().map(str::to_owned)
    };
    host(a).is_some_and(|of_a| host(b) == Some(of_a))
}

fn compare_files(old: &Path, new: &Path, arguments: &DiffArguments) -> Result<Comparison, CliError> {
    let read = |path: &Path| {
        RecordFile::read(path).map_err(|error| CliError::unreadable(error).about(path.display()))
    };
    let (a, b) = (read(old)?, read(new)?);
    let have_column =
        |name: &str| (a.has_column(name) || a.is_empty()) && (b.has_column(name) || b.is_empty());
    let mut key = arguments.key.clone();
    if let Some(name) = key.iter().find(|name| !have_column(name)) {
        return Err(CliError::usage(format_args!("column {name:?} is missing from at least one file")));
    }
    if key.is_empty() && have_column("url") {
        key.push("url".to_owned());
    }
    if key.is_empty() && !arguments.quiet {
        reporting::warning(
            "column url is missing from at least one file: records are compared by their whole text",
        );
        reporting::hint("identify records by a column with --key COLUMN");
    }
    let difference = copal_store::compare(&a.into_keyed_records(&key), &b.into_keyed_records(&key));
    let names = [old, new].map(|path| path.display().to_string());
    Ok(Comparison { names, differences: vec![difference] })
}
