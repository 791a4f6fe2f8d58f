//! How a run behaves: threads and messages.

use crate::error::CliError;
use clap::Args;

/// More threads than this are a typing error.
const MAX_JOBS: usize = 1024;

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Number of threads [default: number of cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,

    /// Print errors only: no progress, no warnings
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Print more about every page on standard error
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

impl RunArguments {
    /// Starts the threads. To be called once, before any work.
    pub(crate) fn start_threads(&self) -> Result<(), CliError> {
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
