//! Replaces `isolation` in a build without the cargo features `serve` and `mcp`, which have the worker processes.

use crate::arguments::annotators::BoundDomain;
use crate::error::CliError;
use crate::outcome::Outcome;
use copal::Request;
use std::time::Duration;

/// The limits on one page.
#[derive(Debug, Clone, Copy)]
#[allow(dead_code)]
pub(crate) struct IsolationLimits {
    pub(crate) time: Duration,
    pub(crate) memory_megabytes: u64,
}

/// Cannot be made.
#[derive(Debug)]
pub(crate) enum WorkerPool {}

impl WorkerPool {
    pub(crate) fn new(_: IsolationLimits) -> Result<WorkerPool, CliError> {
        Err(CliError::missing_feature("isolate pages", "serve"))
    }

    pub(crate) fn has_annotator_failed(&self) -> bool {
        match *self {}
    }
}

pub(crate) fn run_isolated_worker(_: &Request, _: &BoundDomain) -> Result<Outcome, CliError> {
    Err(CliError::missing_feature("isolate pages", "serve"))
}
