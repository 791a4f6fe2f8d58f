//! A worker: this program, started again with the same command line and one hidden option more, so that it understands
//! its pages as this process would. It reads tasks from its standard input and writes replies to its standard output.
//!
//! In: frames of messages and bodies. Out: the replies, with a time limit. Dropping a worker ends its process. Which tasks
//! there are, and which page is to blame for a failure, is up to the owner: `isolation` sends pages that are answered
//! together, and crawls send pages one by one.

use copal_tasks::frames::{read_frame, write_frame};
use copal_tasks::own_program;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader, BufWriter};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long a worker may take to start.
pub(crate) const WORKER_START_TIME: Duration = Duration::from_mins(1);
/// The subcommand whose workers these are.
const SUBCOMMAND: &str = "extract";

/// The limits on one page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkerLimits {
    pub(crate) page_time: Duration,
    pub(crate) megabytes: u64,
}

impl WorkerLimits {
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.megabytes.saturating_mul(1_000_000)
    }

    /// The failure of a worker that ended without a reply.
    pub(crate) fn aborted(&self) -> WorkerFailure {
        WorkerFailure::Aborted { megabytes: self.megabytes }
    }
}

/// Why a task has no reply.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum WorkerFailure {
    #[error("the page took longer than {} s", .0.as_secs_f64())]
    Time(Duration),
    #[error("the page could not be read within {megabytes} MB of memory, or its process aborted")]
    Aborted { megabytes: u64 },
    /// No page can be read.
    #[error("no worker process could be started: {0}")]
    NoWorker(String),
}

/// A running worker whose replies are messages of one type.
#[derive(Debug)]
pub(crate) struct WorkerProcess<Reply> {
    process: Child,
    input: BufWriter<ChildStdin>,
    replies: Receiver<(Reply, Vec<Vec<u8>>)>,
    /// Messages that were sent to it.
    pub(crate) tasks: usize,
}

impl<Reply: DeserializeOwned + Send + 'static> WorkerProcess<Reply> {
    /// Starts a worker with this option; `errors` is where its own messages go.
    pub(crate) fn start(option: &str, errors: Stdio) -> Result<WorkerProcess<Reply>, WorkerFailure> {
        let failed = |error: io::Error| WorkerFailure::NoWorker(error.to_string());
        let mut process = Command::new(own_program().map_err(failed)?)
            .args(worker_command_line(std::env::args_os().skip(1).collect(), option))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            // each arena of the allocator reserves 64 MB of the address space, which is limited
            .env("MALLOC_ARENA_MAX", "1")
            .spawn()
            .map_err(failed)?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed(io::Error::other("it has no pipes")))?;
        let (sender, replies) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            // a frame that cannot be read is the end: the owner then finds that the replies have ended
            while let Ok(Some(reply)) = read_frame(&mut output) {
                if sender.send(reply).is_err() {
                    break;
                }
            }
        });
        Ok(WorkerProcess { process, input: BufWriter::new(input), replies, tasks: 0 })
    }

    /// Sends a task; an error is a worker that has ended.
    pub(crate) fn send(&mut self, task: &impl Serialize, bodies: &[&[u8]]) -> io::Result<()> {
        self.tasks += 1;
        write_frame(&mut self.input, task, bodies)
    }

    /// The next reply.
    pub(crate) fn receive(&self, patience: Duration) -> Result<(Reply, Vec<Vec<u8>>), RecvTimeoutError> {
        self.replies.recv_timeout(patience)
    }
}

impl<Reply> Drop for WorkerProcess<Reply> {
    fn drop(&mut self) {
        // it may have ended already
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The command line of this process with the option of a worker after its subcommand: at the end it could come after
/// `--`, and be the name of a file.
fn worker_command_line(mut arguments: Vec<OsString>, option: &str) -> Vec<OsString> {
    let subcommand = arguments.iter().position(|argument| argument == OsStr::new(SUBCOMMAND));
    arguments.insert(subcommand.map_or(0, |at| at + 1), option.into());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_of_a_worker_comes_after_the_subcommand() {
        let line = |arguments: &[&str]| {
            let arguments = arguments.iter().map(OsString::from).collect();
            let line = worker_command_line(arguments, "--worker");
            line.iter().map(|argument| argument.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line(&["extract", "-q", "--", "a.html"]), "extract --worker -q -- a.html");
        assert_eq!(line(&["--log", "x.txt", "extract", "extract"]), "--log x.txt extract --worker extract");
    }
}
