//! Runs tasks in worker processes: queues them, keeps hosts apart, enforces the time limit, replaces workers that fail.
//!
//! In: a task. Out: its answer, or why there is none. A task whose future is dropped (the client went away, a job was
//! cancelled) kills its worker, so that nothing keeps running for nobody.

mod host_turns;
mod worker_process;

use crate::options::RenderOption;
use crate::settings::{ServiceLimits, ServiceNetwork, worker_settings};
use crate::task::{Task, TaskFailure, TaskReport, WorkerMessage, WorkerSettings};
use host_turns::HostTurns;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use worker_process::WorkerProcess;

/// Tasks after which a worker is replaced, so that memory that the allocator keeps cannot add up.
const TASKS_PER_WORKER: usize = 1000;

/// Why a task has no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum EngineError {
    /// The worker refused it.
    #[error("{}", .0.message)]
    Failed(TaskFailure),
    /// Too many requests wait.
    #[error("{waiting} requests are waiting already: try again later")]
    Overloaded { waiting: usize },
    /// The page took too long.
    #[error("the page took longer than {} s", .0.as_secs())]
    TimeLimit(Duration),
    /// The worker aborted.
    #[error("the page could not be read within {megabytes} MB of memory, or its process aborted")]
    Aborted { megabytes: u64 },
    /// No worker can be started.
    #[error("no worker process could be started: {0}")]
    NoWorker(String),
}

/// The answer for a task.
#[derive(Debug)]
pub(crate) struct TaskResult {
    pub(crate) report: TaskReport,
    pub(crate) body: Vec<u8>,
}

/// Counts for the metrics.
#[derive(Debug, Default)]
pub(crate) struct EngineCounts {
    pub(crate) tasks: AtomicU64,
    pub(crate) timeouts: AtomicU64,
    pub(crate) aborts: AtomicU64,
    pub(crate) workers_started: AtomicU64,
    pub(crate) shed: AtomicU64,
    pub(crate) waiting: AtomicUsize,
    pub(crate) running: AtomicUsize,
}

/// The worker processes.
#[derive(Debug)]
pub(crate) struct Engine {
    settings: WorkerSettings,
    limits: ServiceLimits,
    fetch_time: Duration,
    slots: Semaphore,
    idle: Mutex<Vec<WorkerProcess>>,
    hosts: HostTurns,
    pub(crate) counts: EngineCounts,
}

/// Subtracts one when it is dropped, also if the task is cancelled.
struct CountGuard<'a>(&'a AtomicUsize);

impl<'a> CountGuard<'a> {
    fn new(counter: &'a AtomicUsize) -> CountGuard<'a> {
        counter.fetch_add(1, Ordering::SeqCst);
        CountGuard(counter)
    }
}

impl Drop for CountGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Engine {
    pub(crate) fn new(limits: &ServiceLimits, network: &ServiceNetwork, cache: Option<PathBuf>) -> Engine {
        Engine {
            settings: worker_settings(limits, network, cache),
            limits: limits.clone(),
            fetch_time: network.timeout,
            slots: Semaphore::new(limits.workers.max(1)),
            idle: Mutex::new(Vec::new()),
            hosts: HostTurns::new(network.delay),
            counts: EngineCounts::default(),
        }
    }

    /// Runs a task of a request: refuses it at once if too many wait.
    pub(crate) async fn run(&self, task: &Task, bodies: &[Vec<u8>]) -> Result<TaskResult, EngineError> {
        let waiting = CountGuard::new(&self.counts.waiting);
        let others = self.counts.waiting.load(Ordering::SeqCst) - 1;
        if others >= self.limits.queue + self.slots.available_permits() {
            self.counts.shed.fetch_add(1, Ordering::Relaxed);
            return Err(EngineError::Overloaded { waiting: others });
        }
        self.run_waiting(task, bodies, waiting, &|_, _| {}).await
    }

    /// Runs a task of a job, which waits for as long as it takes.
    pub(crate) async fn run_in_background(
        &self,
        task: &Task,
        bodies: &[Vec<u8>],
        on_progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<TaskResult, EngineError> {
        // not counted as waiting: jobs must not push out requests
        let uncounted = AtomicUsize::new(0);
        self.run_waiting(task, bodies, CountGuard::new(&uncounted), on_progress).await
    }

    async fn run_waiting(
        &self,
        task: &Task,
        bodies: &[Vec<u8>],
        waiting: CountGuard<'_>,
        on_progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<TaskResult, EngineError> {
        // a host's turn comes first: who waits for a host must not keep a worker from others
        let _turns = self.hosts.acquire(task.fetched_urls()).await;
        let slot = self.slots.acquire().await.map_err(|error| EngineError::NoWorker(error.to_string()))?;
        drop(waiting);
        let _running = CountGuard::new(&self.counts.running);
        self.counts.tasks.fetch_add(1, Ordering::Relaxed);
        let has_browser = task.options.render != RenderOption::None;
        let mut worker = match self.idle_worker().filter(|_| !has_browser) {
            Some(worker) => worker,
            None => self.start_worker(has_browser).await?,
        };
        let result = self.exchange(&mut worker, task, bodies, on_progress).await;
        // a worker that failed in any other way than by refusing the task is dropped, which kills it
        if matches!(result, Ok(_) | Err(EngineError::Failed(_)))
            && !has_browser
            && worker.tasks < TASKS_PER_WORKER
        {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        }
        drop(slot);
        result
    }

    fn idle_worker(&self) -> Option<WorkerProcess> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Starts a worker. A browser needs terabytes of address space, so that its worker has no memory limit.
    async fn start_worker(&self, has_browser: bool) -> Result<WorkerProcess, EngineError> {
        self.counts.workers_started.fetch_add(1, Ordering::Relaxed);
        let mut settings = self.settings.clone();
        if has_browser {
            settings.memory_bytes = None;
        }
        let started = WorkerProcess::start(&settings).await;
        started.map_err(|error| EngineError::NoWorker(error.to_string()))
    }

    async fn exchange(
        &self,
        worker: &mut WorkerProcess,
        task: &Task,
        bodies: &[Vec<u8>],
        on_progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<TaskResult, EngineError> {
        let aborted = |_: io::Error| {
            self.counts.aborts.fetch_add(1, Ordering::Relaxed);
            EngineError::Aborted { megabytes: self.limits.page_memory / 1_000_000 }
        };
        let fetches = task.fetched_urls().next().is_some();
        // every message of the worker begins the time anew, since it reports each page
        let patience = self.limits.page_time + if fetches { 2 * self.fetch_time } else { Duration::ZERO };
        let too_long = |_| {
            self.counts.timeouts.fetch_add(1, Ordering::Relaxed);
            EngineError::TimeLimit(patience)
        };
        timeout(patience, worker.send(task, bodies)).await.map_err(too_long)?.map_err(aborted)?;
        loop {
            let (message, bodies) =
                timeout(patience, worker.receive()).await.map_err(too_long)?.map_err(aborted)?;
            match message {
                WorkerMessage::Progress { pages, records } => on_progress(pages, records),
                WorkerMessage::Failed(failure) => return Err(EngineError::Failed(failure)),
                WorkerMessage::Done(report) => {
                    let body = bodies.into_iter().next().unwrap_or_default();
                    return Ok(TaskResult { report, body });
                }
            }
        }
    }
}
