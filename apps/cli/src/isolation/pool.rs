//! The side of the command: starts workers, feeds them, times them, and replaces those that fail.
//!
//! In: pages with their bytes. Out: an answer or an error per page. Pages that are answered together are sent together. If
//! a worker fails, the page that it read at that moment is to blame, and the others are sent again without it; if it
//! fails while it answers all of them together, each half is tried on its own.

use super::messages::{FromWorker, IsolatedAnswer, IsolatedPage, PageResult, ToWorker};
use crate::error::CliError;
use crate::worker_process::{WORKER_START_TIME, WorkerFailure, WorkerLimits, WorkerProcess};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Messages to a worker after which it is replaced, so that memory that the allocator keeps cannot add up.
const TASKS_PER_WORKER: usize = 100;
/// The hidden option that makes a process of the command a worker.
const WORKER_OPTION: &str = "--isolated-worker";

type IsolationWorker = WorkerProcess<FromWorker>;

/// The workers of a run.
#[derive(Debug)]
pub(crate) struct WorkerPool {
    limits: WorkerLimits,
    idle: Mutex<Vec<IsolationWorker>>,
    has_annotator_failed: AtomicBool,
}

/// A page and its bytes.
type PageBytes = (IsolatedPage, Vec<u8>);

/// What became of pages that were sent together.
enum SetOutcome {
    Answered(Vec<Result<IsolatedAnswer, CliError>>),
    /// The worker failed while it read this page, counted from 0, and why.
    FailedAt(usize, CliError),
    /// The worker failed while it answered all of them.
    FailedTogether(CliError),
}

impl WorkerPool {
    /// Starts no process yet.
    #[allow(clippy::unnecessary_wraps)] // builds without workers fail here
    pub(crate) fn new(limits: WorkerLimits) -> Result<WorkerPool, CliError> {
        Ok(WorkerPool { limits, idle: Mutex::default(), has_annotator_failed: AtomicBool::new(false) })
    }

    /// True if a page was read without one of its annotators.
    pub(crate) fn has_annotator_failed(&self) -> bool {
        self.has_annotator_failed.load(Ordering::Relaxed)
    }

    /// Answers pages together. Can be called from several threads, each of which then uses a worker of its own.
    pub(crate) fn answer_together(&self, pages: &[PageBytes]) -> Vec<Result<IsolatedAnswer, CliError>> {
        let mut answers: Vec<Option<Result<IsolatedAnswer, CliError>>> = pages.iter().map(|_| None).collect();
        // positions of pages that are still to be answered together; each set is split into smaller ones only
        let mut sets: Vec<Vec<usize>> = vec![(0..pages.len()).collect()];
        while let Some(mut set) = sets.pop() {
            if set.is_empty() {
                continue;
            }
            match self.try_set(&set.iter().map(|&at| &pages[at]).collect::<Vec<_>>()) {
                SetOutcome::Answered(results) => {
                    for (at, result) in set.into_iter().zip(results) {
                        answers[at] = Some(result);
                    }
                }
                SetOutcome::FailedAt(place, error) if place < set.len() => {
                    answers[set.remove(place)] = Some(Err(error));
                    sets.push(set);
                }
                SetOutcome::FailedTogether(error) | SetOutcome::FailedAt(_, error) => {
                    if set.len() == 1 {
                        answers[set[0]] = Some(Err(error));
                    } else {
                        let rest = set.split_off(set.len() / 2);
                        sets.extend([set, rest]);
                    }
                }
            }
        }
        let missing = || Err(crate::error::internal_error());
        answers.into_iter().map(|answer| answer.unwrap_or_else(missing)).collect()
    }

    fn try_set(&self, pages: &[&PageBytes]) -> SetOutcome {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = match idle.map_or_else(|| self.start(), Ok) {
            Ok(worker) => worker,
            Err(error) => {
                return SetOutcome::Answered(pages.iter().map(|_| Err(failure_error(&error))).collect());
            }
        };
        let (described, bodies): (Vec<IsolatedPage>, Vec<&[u8]>) =
            pages.iter().map(|(page, bytes)| (page.clone(), bytes.as_slice())).unzip();
        let aborted = || failure_error(&self.limits.aborted());
        if worker.send(&ToWorker::Read(described), &bodies).is_err() {
            return SetOutcome::FailedAt(0, aborted());
        }
        let mut begun: usize = 0;
        let mut is_deciding = false;
        loop {
            let failed = |error: CliError| {
                if is_deciding {
                    SetOutcome::FailedTogether(error)
                } else {
                    SetOutcome::FailedAt(begun.saturating_sub(1), error)
                }
            };
            // before the first page the worker may still load its domain
            let start_time = if begun == 0 { WORKER_START_TIME } else { Duration::ZERO };
            match worker.receive(self.limits.page_time + start_time) {
                Err(RecvTimeoutError::Timeout) => {
                    return failed(failure_error(&WorkerFailure::Time(self.limits.page_time)));
                }
                Err(RecvTimeoutError::Disconnected) => return failed(aborted()),
                Ok((FromWorker::Begun, _)) => begun += 1,
                Ok((FromWorker::Deciding, _)) => is_deciding = true,
                Ok((FromWorker::Done { results, has_annotator_failed }, bodies)) => {
                    self.has_annotator_failed.fetch_or(has_annotator_failed, Ordering::Relaxed);
                    let Some(answers) = received_answers(results, bodies, pages.len()) else {
                        return failed(CliError::unreadable("the worker process sent a damaged answer"));
                    };
                    if worker.tasks < TASKS_PER_WORKER {
                        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
                    }
                    return SetOutcome::Answered(answers);
                }
            }
        }
    }

    fn start(&self) -> Result<IsolationWorker, WorkerFailure> {
        let mut worker = IsolationWorker::start(WORKER_OPTION, Stdio::inherit())?;
        let start = ToWorker::Start { memory_bytes: self.limits.memory_bytes() };
        worker.send(&start, &[]).map_err(|error| WorkerFailure::NoWorker(error.to_string()))?;
        Ok(worker)
    }
}

/// The error of a page whose worker failed.
fn failure_error(failure: &WorkerFailure) -> CliError {
    let error = CliError::unreadable(failure);
    match failure {
        WorkerFailure::Time(_) => error.with_hint("--page-time raises the limit"),
        WorkerFailure::Aborted { .. } => error.with_hint("--page-memory raises the limit"),
        WorkerFailure::NoWorker(_) => error,
    }
}

/// One answer per page; `None` if the message does not fit.
fn received_answers(
    results: Vec<PageResult>,
    bodies: Vec<Vec<u8>>,
    page_count: usize,
) -> Option<Vec<Result<IsolatedAnswer, CliError>>> {
    if results.len() != page_count {
        return None;
    }
    let mut bodies = bodies.into_iter();
    let error = |(message, hint): (String, Option<String>)| {
        let error = CliError::unreadable(message);
        match hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    };
    results.into_iter().map(|result| Some(result.answer(&mut bodies)?.map_err(error))).collect()
}
