//! The side of the command: starts workers, feeds them, times them, and replaces those that fail.
//!
//! In: pages with their bytes. Out: an answer or an error per page. Pages that are answered together are sent together. If
//! a worker fails, the page that it read at that moment is to blame, and the others are sent again without it; if it
//! fails while it answers all of them together, each half is tried on its own.

use super::messages::{FromWorker, IsolatedAnswer, IsolatedPage, PageResult, ToWorker};
use crate::error::CliError;
use copal_tasks::frames::{read_frame, write_frame};
use copal_tasks::own_program;
use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// Read requests after which a worker is replaced, so that memory that the allocator keeps cannot add up.
const TASKS_PER_WORKER: usize = 100;
/// Time for a worker to start.
const START_TIME: Duration = Duration::from_mins(1);
/// The hidden option that makes a process of the command a worker.
const WORKER_OPTION: &str = "--isolated-worker";

/// The limits on one page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IsolationLimits {
    pub(crate) time: Duration,
    pub(crate) memory_megabytes: u64,
}

/// The workers of a run.
#[derive(Debug)]
pub(crate) struct WorkerPool {
    limits: IsolationLimits,
    idle: Mutex<Vec<WorkerProcess>>,
    has_annotator_failed: AtomicBool,
}

/// A worker. Dropping it ends the process.
#[derive(Debug)]
struct WorkerProcess {
    process: Child,
    input: BufWriter<ChildStdin>,
    messages: mpsc::Receiver<(FromWorker, Vec<Vec<u8>>)>,
    tasks: usize,
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

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        // it may have ended already
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl WorkerProcess {
    fn start(limits: &IsolationLimits) -> io::Result<WorkerProcess> {
        // `copal extract ARGUMENTS`, as this process was started
        let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
        arguments.insert(arguments.len().min(1), WORKER_OPTION.into());
        let mut process = Command::new(own_program()?)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // each arena of the allocator reserves 64 MB of the address space, which is limited
            .env("MALLOC_ARENA_MAX", "1")
            .spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("the worker has no pipes"))?;
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(message)) = read_frame::<FromWorker>(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut worker = WorkerProcess { process, input: BufWriter::new(input), messages, tasks: 0 };
        let memory_bytes = limits.memory_megabytes.saturating_mul(1_000_000);
        write_frame(&mut worker.input, &ToWorker::Start { memory_bytes }, &[])?;
        Ok(worker)
    }
}

impl WorkerPool {
    /// Starts no process yet.
    #[allow(clippy::unnecessary_wraps)] // builds without workers fail here
    pub(crate) fn new(limits: IsolationLimits) -> Result<WorkerPool, CliError> {
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
        let worker = idle.map_or_else(|| WorkerProcess::start(&self.limits), Ok);
        let mut worker = match worker {
            Ok(worker) => worker,
            Err(error) => {
                let message = format!("no worker process could be started: {error}");
                return SetOutcome::Answered(
                    pages.iter().map(|_| Err(CliError::unreadable(&message))).collect(),
                );
            }
        };
        let (described, bodies): (Vec<IsolatedPage>, Vec<&[u8]>) =
            pages.iter().map(|(page, bytes)| (page.clone(), bytes.as_slice())).unzip();
        worker.tasks += 1;
        if write_frame(&mut worker.input, &ToWorker::Read(described), &bodies).is_err() {
            return SetOutcome::FailedAt(0, self.abort_error());
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
            let start_time = if begun == 0 { START_TIME } else { Duration::ZERO };
            match worker.messages.recv_timeout(self.limits.time + start_time) {
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let seconds = self.limits.time.as_secs_f64();
                    let message = format!("the page took longer than {seconds} s");
                    return failed(CliError::unreadable(message).with_hint("--page-time raises the limit"));
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => return failed(self.abort_error()),
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

    fn abort_error(&self) -> CliError {
        let megabytes = self.limits.memory_megabytes;
        let message =
            format!("the page could not be read within {megabytes} MB of memory, or its process aborted");
        CliError::unreadable(message).with_hint("--page-memory raises the limit")
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
