//! Jobs: many pages in the background, which survive the death of the service.
//!
//! In: a task without pages, and pages. Out: one result per page, kept until the retention time is over. A page is
//! pending until its result is stored, in one transaction; which pages run is known in memory only. So after a kill
//! every page is either done, with its whole result, or pending, and is done then: nothing is lost and nothing twice.

mod job_store;

use crate::engine::{Engine, EngineError};
use crate::task::{Task, TaskPage};
pub(crate) use job_store::{JobState, JobStatus, JobStore, JobStoreError};
use job_store::{PageKey, integer};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// How often old jobs are looked for.
const CLEANING_TIME: Duration = Duration::from_hours(1);
/// How long a page waits that could not be run because no worker could be started.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Runs the jobs of a workspace.
#[derive(Debug)]
pub(crate) struct JobRunner {
    pub(crate) store: JobStore,
    engine: Arc<Engine>,
    /// Pages that run, and records that they have read so far.
    running: Mutex<HashMap<PageKey, usize>>,
    changed: Notify,
    parallel: usize,
}

impl JobRunner {
    /// Jobs of this store. Half of the workers are for requests.
    pub(crate) fn new(store: JobStore, engine: Arc<Engine>, workers: usize) -> JobRunner {
        let parallel = (workers / 2).max(1);
        JobRunner { store, engine, running: Mutex::default(), changed: Notify::new(), parallel }
    }

    /// Adds a job and returns its id.
    pub(crate) fn add(
        &self,
        task: &Task,
        pages: &[TaskPage],
        bodies: &[Vec<u8>],
    ) -> Result<String, JobStoreError> {
        let id = self.store.add(task, pages, bodies)?;
        self.changed.notify_one();
        Ok(id)
    }

    /// Cancels a job. Its running pages are given up, its results so far are kept.
    pub(crate) fn cancel(&self, id: &str) -> Result<bool, JobStoreError> {
        let cancelled = self.store.cancel(id)?;
        self.changed.notify_one();
        Ok(cancelled)
    }

    /// Records that the running pages of a job have read so far.
    pub(crate) fn running_records(&self, id: &str) -> i64 {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        integer(running.iter().filter(|((job, _), _)| job == id).map(|(_, records)| *records).sum())
    }

    /// Runs pages until the service ends.
    pub(crate) async fn run(self: Arc<Self>, retention: Duration) {
        let mut tasks: JoinSet<PageKey> = JoinSet::new();
        let mut handles: HashMap<PageKey, tokio::task::AbortHandle> = HashMap::new();
        let mut cleaning = tokio::time::interval(CLEANING_TIME);
        loop {
            let active = self.store.active_jobs().unwrap_or_default();
            handles.retain(|(job, _), handle| {
                if !active.contains(job) {
                    handle.abort();
                }
                !handle.is_finished()
            });
            let taken: HashSet<PageKey> = handles.keys().cloned().collect();
            let free = self.parallel.saturating_sub(handles.len());
            let pending = self.store.pending(free, &taken).unwrap_or_else(|error| {
                tracing::error!("the pages of jobs cannot be read: {error}");
                Vec::new()
            });
            for (key, task, bodies) in pending {
                let (runner, own_key) = (self.clone(), key.clone());
                let handle = tasks.spawn(async move {
                    runner.run_page(&own_key, &task, &bodies).await;
                    own_key
                });
                handles.insert(key, handle);
            }
            tokio::select! {
                // an aborted page ends with an error, which has no key
                Some(ended) = tasks.join_next() => {
                    if let Ok(key) = ended {
                        handles.remove(&key);
                    }
                    handles.retain(|_, handle| !handle.is_finished());
                }
                () = self.changed.notified() => {}
                _ = cleaning.tick() => {
                    if let Err(error) = self.store.remove_old(retention) {
                        tracing::warn!("old jobs could not be removed: {error}");
                    }
                }
            }
        }
    }

    async fn run_page(&self, key: &PageKey, task: &Task, bodies: &[Vec<u8>]) {
        let _running = RunningPage::new(self, key);
        let on_progress = |_: usize, records: usize| {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.insert(key.clone(), records);
        };
        let stored = match self.engine.run_in_background(task, bodies, &on_progress).await {
            Ok(result) => self.store.finish_page(key, result.report.records, &result.body),
            Err(EngineError::NoWorker(reason)) => {
                tracing::warn!("a page of a job has to wait: {reason}");
                tokio::time::sleep(RETRY_PAUSE).await;
                Ok(())
            }
            Err(error) => self.store.fail_page(key, &error.to_string()),
        };
        if let Err(error) = stored {
            tracing::error!("the result of a page could not be stored: {error}");
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }
}

/// A page that runs, until it is dropped.
struct RunningPage<'a>(&'a JobRunner, &'a PageKey);

impl<'a> RunningPage<'a> {
    fn new(runner: &'a JobRunner, key: &'a PageKey) -> RunningPage<'a> {
        runner.running.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), 0);
        RunningPage(runner, key)
    }
}

impl Drop for RunningPage<'_> {
    fn drop(&mut self) {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner).remove(self.1);
    }
}
