//! How a run behaves: threads and messages.

use super::RUN_HEADING;
use crate::error::CliError;
use crate::{logging, reporting};
use clap::{ArgAction, Args, ValueEnum};

/// More threads than this are a typing error.
const MAX_JOBS: usize = 1024;

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Number of threads [default: number of cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, help_heading = RUN_HEADING)]
    pub(crate) jobs: Option<usize>,

    /// Print errors only: no progress, no warnings
    #[arg(short, long, help_heading = RUN_HEADING)]
    pub(crate) quiet: bool,

    /// Print more on standard error: about every page (-v), every request (-vv), or everything (-vvv)
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "quiet", help_heading = RUN_HEADING)]
    verbose: u8,

    /// Format of what is printed on standard error
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT", help_heading = RUN_HEADING)]
    log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Text,
    /// One JSON object per line
    Json,
}

impl RunArguments {
    /// True if the user asked for more about every page.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose > 0
    }

    /// Starts the threads and the log. To be called once, before any work.
    pub(crate) fn start_threads(&self) -> Result<(), CliError> {
        reporting::use_json(self.log_format == LogFormat::Json);
        logging::start(self.verbose);
        match self.jobs {
            Some(jobs) => {
                rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global().map_err(CliError::usage)
            }
            None => Ok(()),
        }
    }
}

fn parse_jobs(text: &str) -> Result<usize, CliError> {
    let jobs = text.parse().ok().filter(|jobs| (1..=MAX_JOBS).contains(jobs));
    jobs.ok_or_else(|| CliError::usage(format_args!("expected a whole number from 1 to {MAX_JOBS}")))
}
