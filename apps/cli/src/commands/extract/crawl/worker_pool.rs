//! Pages answered by several workers: processes of their own, or threads of this one.
//!
//! In: tasks. Out: for each task a channel with its reply, so that the caller takes replies in the order in which it
//! gave the tasks. A process that aborts, uses too much memory or takes too long costs only its page: it is replaced.

use super::messages::{PageReport, TaskReply, WorkerTask};
use super::page_answers::PageAnswerer;
use super::page_worker::WORKER_FLAG;
use crate::worker_process::{WORKER_START_TIME, WorkerFailure, WorkerLimits, WorkerProcess};
use copal_tasks::{KnownTemplate, LearnedTemplates};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Messages after which a process is replaced, so that memory that its allocator keeps cannot add up.
const TASKS_PER_PROCESS: usize = 1000;

pub(super) type WorkerReply = Result<TaskReply, WorkerFailure>;

struct Job {
    task: WorkerTask,
    bodies: Vec<Vec<u8>>,
    reply: Sender<WorkerReply>,
}

/// The templates that are sent to workers. The number grows whenever all are forgotten.
#[derive(Default)]
struct SharedTemplates {
    generation: usize,
    learned: Vec<KnownTemplate>,
}

/// The workers.
pub(super) struct WorkerPool {
    jobs: Sender<Job>,
    templates: Arc<Mutex<SharedTemplates>>,
}

impl WorkerPool {
    /// Gives a task to the next free worker.
    pub(super) fn submit(&self, task: WorkerTask, bodies: Vec<Vec<u8>>) -> Receiver<WorkerReply> {
        let (reply, receiver) = channel();
        // without workers the receiver reports that its sender is gone
        let _ = self.jobs.send(Job { task, bodies, reply });
        receiver
    }

    /// Tells all workers of a template before their next task.
    pub(super) fn add_template(&self, template: KnownTemplate) {
        self.templates.lock().unwrap_or_else(PoisonError::into_inner).learned.push(template);
    }

    /// All workers forget their templates before their next task.
    pub(super) fn forget_templates(&self) {
        let mut templates = self.templates.lock().unwrap_or_else(PoisonError::into_inner);
        templates.generation += 1;
        templates.learned.clear();
    }
}

/// Runs `work` with a pool of workers: processes if there are limits for them, else threads.
pub(super) fn with_workers<T>(
    workers: usize,
    answerer: &PageAnswerer<'_>,
    limits: Option<WorkerLimits>,
    work: impl FnOnce(&WorkerPool) -> T,
) -> T {
    let (jobs, waiting) = channel::<Job>();
    let waiting = Mutex::new(waiting);
    let templates = Arc::new(Mutex::new(SharedTemplates::default()));
    thread::scope(|scope| {
        for _ in 0..workers {
            let (waiting, templates) = (&waiting, Arc::clone(&templates));
            scope.spawn(move || {
                let mut worker = match limits {
                    Some(limits) => Worker::Process { limits, process: None },
                    None => Worker::Thread { answerer, templates: LearnedTemplates::default() },
                };
                let mut known = KnownCount::default();
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(job) = next else { break };
                    let done = worker.run(&job.task, &job.bodies, &templates, &mut known);
                    // the caller may have given up
                    let _ = job.reply.send(done);
                }
            });
        }
        let pool = WorkerPool { jobs, templates };
        let result = work(&pool);
        drop(pool);
        result
    })
}

/// Which of the shared templates a worker has received.
#[derive(Default, Clone, Copy)]
struct KnownCount {
    generation: usize,
    templates: usize,
}

type CrawlWorker = WorkerProcess<PageReport>;

enum Worker<'a> {
    Process { limits: WorkerLimits, process: Option<CrawlWorker> },
    Thread { answerer: &'a PageAnswerer<'a>, templates: LearnedTemplates },
}

impl Worker<'_> {
    fn run(
        &mut self,
        task: &WorkerTask,
        bodies: &[Vec<u8>],
        shared: &Mutex<SharedTemplates>,
        known: &mut KnownCount,
    ) -> WorkerReply {
        if let Worker::Process { process, .. } = self
            && process.as_ref().is_none_or(|process| process.tasks >= TASKS_PER_PROCESS)
        {
            // the old one has to end before its memory is used again
            *process = None;
            *process = Some(start()?);
            *known = KnownCount::default();
        }
        if let Some(update) = news(shared, known) {
            self.exchange(&update, &[])?;
        }
        self.exchange(task, bodies)
    }

    fn exchange(&mut self, task: &WorkerTask, bodies: &[Vec<u8>]) -> WorkerReply {
        match self {
            Worker::Thread { answerer, templates } => Ok(answerer.run(task, bodies, templates)),
            Worker::Process { limits, process } => {
                let Some(running) = process else { return Err(limits.aborted()) };
                let reply = exchange(running, task, bodies, *limits);
                if reply.is_err() {
                    // dropping it kills it
                    *process = None;
                }
                reply
            }
        }
    }
}

/// The message with what a worker does not know yet.
fn news(shared: &Mutex<SharedTemplates>, known: &mut KnownCount) -> Option<WorkerTask> {
    let shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let reset = shared.generation != known.generation;
    let from = if reset { 0 } else { known.templates };
    let learned = shared.learned.get(from..).unwrap_or_default().to_vec();
    *known = KnownCount { generation: shared.generation, templates: shared.learned.len() };
    (reset || !learned.is_empty()).then_some(WorkerTask::Templates { reset, learned })
}

/// Starts a process that answers pages.
fn start() -> Result<CrawlWorker, WorkerFailure> {
    let worker = CrawlWorker::start(WORKER_FLAG, Stdio::null())?;
    // an empty report says that it understood its command line and has its limits
    match worker.receive(WORKER_START_TIME) {
        Ok(_) => Ok(worker),
        Err(_) => Err(WorkerFailure::NoWorker("it ended before it was ready".to_owned())),
    }
}

fn exchange(
    worker: &mut CrawlWorker,
    task: &WorkerTask,
    bodies: &[Vec<u8>],
    limits: WorkerLimits,
) -> WorkerReply {
    let slices: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
    worker.send(task, &slices).map_err(|_| limits.aborted())?;
    // learning reads several pages
    let patience = limits.page_time * bodies.len().max(1) as u32;
    let reply = worker.receive(patience).map_err(|error| match error {
        RecvTimeoutError::Timeout => WorkerFailure::Time(patience),
        RecvTimeoutError::Disconnected => limits.aborted(),
    })?;
    let (report, mut bodies) = reply;
    Ok((report, bodies.pop().unwrap_or_default()))
}
