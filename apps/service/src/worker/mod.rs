//! The worker process: tasks from standard input, answers to standard output, within a memory limit.
//!
//! A page that aborts the process (no memory left, a stack overflow) costs only its own task: the service notices the
//! end of the output and starts another worker. If the service itself ends, the input ends and the worker exits at once,
//! also in the middle of a task.

mod answers;
mod fuzzing;
mod output;
mod page_copy;
mod page_images;
mod page_source;
mod page_view;
mod pointing;
mod runner;

#[doc(hidden)]
pub use fuzzing::{fuzz_corrections, fuzz_page_copy};

use crate::task::{FailureKind, Task, TaskFailure, WorkerMessage, WorkerSettings};
use copal_tasks::frames::{read_frame, write_frame};
use copal_tasks::memory_limit::limit_memory;
use runner::TaskRunner;
use std::io::{self, BufReader, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, mpsc};
use std::thread;

/// Stack of the thread that runs tasks. No stage recurses over input, so this is plenty.
const STACK_BYTES: usize = 8 << 20;

/// Runs tasks until standard input ends. The first message has the settings.
pub fn run_worker() -> io::Result<()> {
    let mut input = BufReader::new(io::stdin());
    let Some((settings, _)) = read_frame::<WorkerSettings>(&mut input)? else { return Ok(()) };
    let (tasks, waiting) = mpsc::channel();
    let runner = TaskRunner::new(&settings).map_err(|failure| io::Error::other(failure.message))?;
    let work = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || run_tasks(&runner, &waiting));
    work?;
    if let Some(bytes) = settings.memory_bytes {
        limit_memory(bytes)?;
    }
    loop {
        // an error is a service that was killed while it wrote
        let Ok(Some(task)) = read_frame::<Task>(&mut input) else { std::process::exit(0) };
        if tasks.send(task).is_err() {
            std::process::exit(1);
        }
    }
}

fn run_tasks(runner: &TaskRunner, waiting: &mpsc::Receiver<(Task, Vec<Vec<u8>>)>) {
    let output = Mutex::new(BufWriter::new(io::stdout()));
    let send = |message: &WorkerMessage, body: Option<&[u8]>| {
        let mut output = output.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let bodies: Vec<&[u8]> = body.into_iter().collect();
        let sent = write_frame(&mut *output, message, &bodies).and_then(|()| output.flush());
        // nobody is there to read the answer
        if sent.is_err() {
            std::process::exit(0);
        }
    };
    for (task, bodies) in waiting {
        let on_progress =
            |pages: usize, records: usize| send(&WorkerMessage::Progress { pages, records }, None);
        let done = catch_unwind(AssertUnwindSafe(|| runner.run(&task, &bodies, &on_progress)));
        let done = done.unwrap_or_else(|_| {
            Err(TaskFailure::new(FailureKind::Unreadable, "internal error on this page: please report it"))
        });
        match done {
            Ok((report, body)) => send(&WorkerMessage::Done(report), Some(&body)),
            Err(failure) => send(&WorkerMessage::Failed(failure), None),
        }
    }
}
