//! One worker process and its pipes.

use crate::frames::{receive_frame, send_frame};
use crate::task::{Task, WorkerMessage, WorkerSettings};
use copal_tasks::own_program;
use std::io;
use std::process::Stdio;
use tokio::io::{BufReader, BufWriter};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The hidden subcommand of `copal` that runs a worker.
const WORKER_COMMAND: &str = "worker";

/// A worker that waits for a task or does one. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct WorkerProcess {
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Tasks so far.
    pub(super) tasks: usize,
    // killed and reaped when it is dropped
    _process: Child,
}

impl WorkerProcess {
    /// Starts this program again as a worker.
    pub(super) async fn start(settings: &WorkerSettings) -> io::Result<WorkerProcess> {
        let mut command = Command::new(own_program()?);
        command
            .arg(WORKER_COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // each arena of the allocator reserves 64 MB of the address space, which is limited
            .env("MALLOC_ARENA_MAX", "1")
            .env_remove("COPAL_TOKEN")
            .kill_on_drop(true);
        let mut process = command.spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("the worker has no pipes"))?;
        let mut worker = WorkerProcess {
            input: BufWriter::new(input),
            output: BufReader::new(output),
            tasks: 0,
            _process: process,
        };
        send_frame(&mut worker.input, settings, &[]).await?;
        Ok(worker)
    }

    pub(super) async fn send(&mut self, task: &Task, bodies: &[Vec<u8>]) -> io::Result<()> {
        self.tasks += 1;
        let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        send_frame(&mut self.input, task, &bodies).await
    }

    pub(super) async fn receive(&mut self) -> io::Result<(WorkerMessage, Vec<Vec<u8>>)> {
        receive_frame(&mut self.output).await
    }
}
