//! The arguments of `copal watch`.

use super::interval::parse_interval;
use crate::arguments::choice::ListChoiceArguments;
use crate::arguments::columns::ColumnArguments;
use crate::arguments::method::MethodArguments;
use crate::arguments::network::FollowArguments;
use crate::arguments::pages::{PageArguments, PageKindChoice};
use crate::error::CliError;
use clap::{Args, ValueEnum};
use copal::Request;
use copal_store::DatabaseLocation;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  copal watch https://shop.example/lamps -o lamps.sqlite                 what changed since this command last ran
  copal watch https://shop.example/lamps -o lamps.sqlite --every 1h      again every hour, until Ctrl-C
  copal watch https://shop.example/lamps --follow all -o lamps.sqlite --exec './tell-me.py'
  copal watch https://shop.example/lamps -o lamps.sqlite --format rss --changes lamps.xml
  copal watch https://shop.example/lamps -o lamps.sqlite --wrapper shop.copal.yaml

The first run stores the records; later runs of the same command print what is new, gone and changed. A run that could
not read everything never reports records as gone.
Exit codes: 0 nothing changed (or the first run), 1 nothing found, 2 wrong usage, 3 input unreadable or --exec failed,
4 partial result without changes, 5 something changed.";

const DATABASE_HELP: &str =
    "The database that keeps the runs: a file ending in .sqlite or .db, or postgres://user@host/database";

/// Report what is new, gone and changed on pages since the last run
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct WatchArguments {
    #[arg(short, long, value_name = "DATABASE", help = DATABASE_HELP)]
    pub(super) output: PathBuf,

    /// Keep watching, with this time between the starts of two runs (90s, 30m, 1h, 1d) [default: run once]
    #[arg(long, value_name = "TIME", value_parser = parse_interval)]
    pub(super) every: Option<Duration>,

    /// Run this program when something changed, with the changes as JSON on its standard input. The command is a
    /// program and its arguments, separated by spaces; quotes keep spaces, and no shell is used
    #[arg(long, value_name = "COMMAND", value_parser = parse_command)]
    pub(super) exec: Option<ExecCommand>,

    /// Time for the program of --exec
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_interval)]
    pub(super) exec_timeout: Duration,

    /// Format of the changes
    #[arg(long, value_enum, default_value = "table")]
    pub(super) format: ChangeFormat,

    /// Write the changes to this file, completely or not at all, instead of standard output; each run replaces it
    #[arg(long, value_name = "FILE")]
    pub(super) changes: Option<PathBuf>,

    /// Read the pages with this wrapper. If the site no longer matches it, that is reported, and no record counts as
    /// gone
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["list", "near", "select", "min_confidence", "embedded", "kind", "domain", "method"])]
    pub(super) wrapper: Option<PathBuf>,

    /// The table of the records and objects [default: records, and objects for pages of one object]
    #[arg(long, value_name = "NAME")]
    pub(super) table: Option<String>,

    /// The column that tells records apart (may be repeated) [default: the record's URL, else the texts that rarely
    /// change]
    #[arg(long, value_name = "COLUMN")]
    pub(super) key: Vec<String>,

    #[command(flatten)]
    pub(super) choice: ListChoiceArguments,

    #[command(flatten)]
    pub(super) columns: ColumnArguments,

    /// Also read the JSON in the page
    #[arg(long)]
    embedded: bool,

    /// What the pages are: lists, or one object each; auto decides for each page
    #[arg(long, value_enum, default_value = "auto")]
    kind: PageKindChoice,

    #[command(flatten)]
    pub(super) method: MethodArguments,

    #[command(flatten)]
    pub(super) pages: PageArguments,

    #[command(flatten)]
    pub(super) follow: FollowArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ChangeFormat {
    /// Lines: + new, - gone, ~ changed
    Table,
    /// One line of JSON per run
    Json,
    /// A feed with the changes of the last runs
    Rss,
}

/// A program and its arguments.
#[derive(Debug, Clone)]
pub(super) struct ExecCommand(pub(super) Vec<String>);

fn parse_command(text: &str) -> Result<ExecCommand, CliError> {
    let command = shlex::split(text).ok_or_else(|| CliError::usage("a quote is not closed"))?;
    if command.first().is_none_or(String::is_empty) {
        return Err(CliError::usage("expected a program, such as ./tell-me.py"));
    }
    Ok(ExecCommand(command))
}

impl WatchArguments {
    /// Pages of the cache are not compared with themselves: the server is asked whether they changed.
    pub(crate) fn read_anew(&mut self) {
        self.pages.reading.fetch.revalidates = true;
    }

    pub(super) fn location(&self) -> Result<DatabaseLocation, CliError> {
        DatabaseLocation::from_name(&self.output).ok_or_else(|| {
            let name = self.output.display();
            CliError::usage(format_args!(
                "{name} is not a database: expected a name ending in .sqlite or .db, or postgres://…"
            ))
            .with_hint("--changes FILE writes what changed to a file")
        })
    }

    pub(super) fn request(&self) -> Result<Request, CliError> {
        let mut request = self.pages.reading.request();
        request.kind = self.kind.request();
        request.embedded = self.embedded;
        request.choice = self.choice.choice(self.kind)?;
        request.lists.combined.min_confidence = self.choice.min_confidence;
        self.method.add_to(&mut request);
        Ok(request)
    }
}
