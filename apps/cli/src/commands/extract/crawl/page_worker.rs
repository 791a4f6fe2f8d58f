//! The worker process of a crawl: tasks from standard input, replies to standard output, within a memory limit.
//!
//! It is started with the command line of the run and one flag more, so that it reads pages as the run would. If the run
//! ends, its input ends, and it exits at once, also in the middle of a page.

use super::messages::{PageReport, WorkerTask};
use super::page_answers::PageAnswerer;
use crate::error::CliError;
use crate::outcome::Outcome;
use copal_tasks::LearnedTemplates;
use copal_tasks::frames::{read_frame, write_frame};
use copal_tasks::memory_limit::limit_memory;
use std::io::{self, BufReader, BufWriter};
use std::sync::mpsc;
use std::thread;

/// The hidden option that makes a process a worker.
pub(super) const WORKER_FLAG: &str = "--page-worker";

/// Does tasks until standard input ends.
pub(super) fn run_page_worker(answerer: &PageAnswerer<'_>, megabytes: u64) -> Result<Outcome, CliError> {
    let (tasks, waiting) = mpsc::channel::<(WorkerTask, Vec<Vec<u8>>)>();
    let mut output = BufWriter::new(io::stdout());
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        loop {
            // an error is a run that was killed while it wrote
            let Ok(Some(task)) = read_frame::<WorkerTask>(&mut input) else { std::process::exit(0) };
            if tasks.send(task).is_err() {
                std::process::exit(1);
            }
        }
    });
    limit_memory(megabytes * 1_000_000).map_err(CliError::unreadable)?;
    let mut send = |report: &PageReport, body: &[u8]| {
        // nobody is there to read the reply
        if write_frame(&mut output, report, &[body]).is_err() {
            std::process::exit(0);
        }
    };
    send(&PageReport::default(), &[]);
    let mut templates = LearnedTemplates::default();
    for (task, bodies) in waiting {
        let (report, body) = answerer.run(&task, &bodies, &mut templates);
        send(&report, &body);
    }
    Ok(Outcome::Done)
}
