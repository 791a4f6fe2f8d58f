//! Pages answered by several workers: processes of their own, or threads of this one.
//!
//! In: tasks. Out: for each task a channel with its reply, so that the caller takes replies in the order in which it
//! gave the tasks. A process that aborts, uses too much memory or takes too long costs only its page: it is replaced.

use super::messages::{TaskReply, WorkerTask};
use super::page_answers::PageAnswerer;
use super::page_worker::WORKER_FLAG;
use copal_tasks::frames::{read_frame, write_frame};
use copal_tasks::own_program;
use copal_tasks::{KnownTemplate, LearnedTemplates};
use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Tasks after which a process is replaced, so that memory that its allocator keeps cannot add up.
const TASKS_PER_PROCESS: usize = 1000;
/// How long a process may take to start.
const START_TIME: Duration = Duration::from_mins(1);

/// Why a task has no reply.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum WorkerFailure {
    #[error("the page took longer than {} s", .0.as_secs())]
    Time(Duration),
    #[error("the page could not be read within {megabytes} MB of memory, or its process aborted")]
    Aborted { megabytes: u64 },
    /// No page can be read.
    #[error("no worker process could be started: {0}")]
    NoWorker(String),
}

/// How processes are started.
#[derive(Debug, Clone)]
pub(super) struct ProcessSettings {
    pub(super) page_time: Duration,
    pub(super) megabytes: u64,
    /// The command line of this run: a worker understands it as this process did.
    pub(super) arguments: Vec<OsString>,
}

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

/// Runs `work` with a pool of workers: processes if there are settings for them, else threads.
pub(super) fn with_workers<T>(
    workers: usize,
    answerer: &PageAnswerer<'_>,
    processes: Option<&ProcessSettings>,
    work: impl FnOnce(&WorkerPool) -> T,
) -> T {
    let (jobs, waiting) = channel::<Job>();
    let waiting = Mutex::new(waiting);
    let templates = Arc::new(Mutex::new(SharedTemplates::default()));
    thread::scope(|scope| {
        for _ in 0..workers {
            let (waiting, templates) = (&waiting, Arc::clone(&templates));
            scope.spawn(move || {
                let mut worker = match processes {
                    Some(settings) => Worker::Process { settings, process: None },
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

enum Worker<'a> {
    Process { settings: &'a ProcessSettings, process: Option<WorkerProcess> },
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
        if let Worker::Process { process, settings } = self
            && process.as_ref().is_none_or(|process| process.tasks >= TASKS_PER_PROCESS)
        {
            // the old one has to end before its memory is used again
            *process = None;
            *process = Some(WorkerProcess::start(settings)?);
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
            Worker::Process { settings, process } => {
                let aborted = WorkerFailure::Aborted { megabytes: settings.megabytes };
                let Some(running) = process else { return Err(aborted) };
                let reply = running.exchange(task, bodies, settings);
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

/// A process that answers pages. Dropping it kills the process.
struct WorkerProcess {
    input: Option<BufWriter<ChildStdin>>,
    replies: Receiver<TaskReply>,
    process: Child,
    tasks: usize,
}

impl WorkerProcess {
    fn start(settings: &ProcessSettings) -> Result<WorkerProcess, WorkerFailure> {
        let failed = |error: io::Error| WorkerFailure::NoWorker(error.to_string());
        let mut process = Command::new(own_program().map_err(failed)?)
            .args(&settings.arguments)
            .arg(WORKER_FLAG)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // each arena of the allocator reserves 64 MB of the address space, which is limited
            .env("MALLOC_ARENA_MAX", "1")
            .spawn()
            .map_err(failed)?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed(io::Error::other("it has no pipes")))?;
        let (sender, replies) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            // a frame that cannot be read is the end: the process is killed then
            while let Ok(Some((report, mut bodies))) = read_frame(&mut output) {
                if sender.send((report, bodies.pop().unwrap_or_default())).is_err() {
                    break;
                }
            }
        });
        let input = Some(BufWriter::new(input));
        let worker = WorkerProcess { input, replies, process, tasks: 0 };
        // an empty report says that it understood its command line and has its limits
        match worker.replies.recv_timeout(START_TIME) {
            Ok(_) => Ok(worker),
            Err(_) => Err(WorkerFailure::NoWorker("it ended before it was ready".to_owned())),
        }
    }

    fn exchange(&mut self, task: &WorkerTask, bodies: &[Vec<u8>], settings: &ProcessSettings) -> WorkerReply {
        self.tasks += 1;
        let aborted = WorkerFailure::Aborted { megabytes: settings.megabytes };
        let Some(input) = &mut self.input else { return Err(aborted) };
        let slices: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        if write_frame(input, task, &slices).is_err() {
            return Err(aborted);
        }
        // learning reads several pages
        let patience = settings.page_time * bodies.len().max(1) as u32;
        self.replies.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => WorkerFailure::Time(patience),
            RecvTimeoutError::Disconnected => aborted,
        })
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
