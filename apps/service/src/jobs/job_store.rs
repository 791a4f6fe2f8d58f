//! Jobs in a SQLite file: what is asked for, the pages, their results.

use crate::task::{Task, TaskPage};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Jobs that are listed, the newest first.
const MAX_LISTED: usize = 200;
/// Errors of pages that the status of a job shows.
const MAX_SHOWN_ERRORS: usize = 20;
/// How long a statement waits for another process.
const BUSY_TIME: Duration = Duration::from_secs(10);

/// The version of the layout, in SQLite's `user_version`. Files of 0.1 from before versions were stored have 0, and the same
/// tables.
const LAYOUT_VERSION: i64 = 1;
const LAYOUT: &str = "
CREATE TABLE IF NOT EXISTS jobs (
  id TEXT PRIMARY KEY, created INTEGER NOT NULL, finished INTEGER, state TEXT NOT NULL, task TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS job_pages (
  job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, number INTEGER NOT NULL, page TEXT NOT NULL, body BLOB,
  state TEXT NOT NULL DEFAULT 'pending', records INTEGER NOT NULL DEFAULT 0, result BLOB, error TEXT,
  PRIMARY KEY (job, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS pending_pages ON job_pages (job, number) WHERE state = 'pending';
";

/// A page of a job: the id of the job, and the number of the page.
pub(crate) type PageKey = (String, i64);
/// A page that waits, as a task of its own, and its body if it has one.
pub(crate) type PendingPage = (PageKey, Task, Vec<Vec<u8>>);

/// Pages that wait, and those that cannot be read.
type ReadPages = (Vec<PendingPage>, Vec<(PageKey, serde_json::Error)>);

/// Why jobs cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JobStoreError {
    #[error("the jobs of the workspace cannot be used: {0}")]
    Database(#[from] rusqlite::Error),
    #[error("the job was stored by another version of copal and cannot be read: start it again ({0})")]
    Damaged(String),
    #[error("a job cannot be stored: {0}")]
    Unwritable(#[from] serde_json::Error),
    #[error(
        "the jobs of the workspace (jobs.sqlite) have layout {found}, expected {LAYOUT_VERSION}: update copal, or choose another --dir"
    )]
    NewerLayout { found: i64 },
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobState {
    /// Pages wait or run
    Running,
    /// All pages were tried
    Done,
    /// It was cancelled
    Cancelled,
}

impl JobState {
    fn name(self) -> &'static str {
        match self {
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Cancelled => "cancelled",
        }
    }

    fn of(name: &str) -> JobState {
        match name {
            "running" => JobState::Running,
            "cancelled" => JobState::Cancelled,
            _ => JobState::Done,
        }
    }
}

/// A page that could not be read.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct JobPageError {
    /// The page
    pub(crate) page: String,
    /// Why
    pub(crate) error: String,
}

/// The status of a job.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct JobStatus {
    /// The id
    pub(crate) id: String,
    /// How far it is
    pub(crate) state: JobState,
    /// Seconds since 1970
    pub(crate) created: i64,
    /// Seconds since 1970
    pub(crate) finished: Option<i64>,
    /// Pages in total
    pub(crate) pages: i64,
    /// Pages that were read
    pub(crate) done: i64,
    /// Pages that could not be read
    pub(crate) failed: i64,
    /// Records so far
    pub(crate) records: i64,
    /// The first pages that could not be read
    pub(crate) errors: Vec<JobPageError>,
}

/// The jobs of a workspace.
#[derive(Debug)]
pub(crate) struct JobStore {
    connection: Mutex<Connection>,
}

impl JobStore {
    pub(crate) fn open(path: &Path) -> Result<JobStore, JobStoreError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(BUSY_TIME)?;
        // before anything is changed
        let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found > LAYOUT_VERSION {
            return Err(JobStoreError::NewerLayout { found });
        }
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.execute_batch(LAYOUT)?;
        connection.pragma_update(None, "user_version", LAYOUT_VERSION)?;
        Ok(JobStore { connection: Mutex::new(connection) })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a job with all its pages, or nothing.
    pub(crate) fn add(
        &self,
        task: &Task,
        pages: &[TaskPage],
        bodies: &[Vec<u8>],
    ) -> Result<String, JobStoreError> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let id: String = transaction.query_row("SELECT lower(hex(randomblob(12)))", [], |row| row.get(0))?;
        transaction.execute(
            "INSERT INTO jobs (id, created, state, task) VALUES (?1, ?2, ?3, ?4)",
            params![id, now(), JobState::Running.name(), serde_json::to_string(task)?],
        )?;
        {
            let mut insert = transaction
                .prepare("INSERT INTO job_pages (job, number, page, body) VALUES (?1, ?2, ?3, ?4)")?;
            for (number, page) in pages.iter().enumerate() {
                let body = page.body.and_then(|at| bodies.get(at));
                insert.execute(params![id, integer(number + 1), serde_json::to_string(page)?, body])?;
            }
        }
        transaction.commit()?;
        Ok(id)
    }

    /// The ids of jobs that are not finished.
    pub(crate) fn active_jobs(&self) -> Result<HashSet<String>, JobStoreError> {
        let connection = self.connection();
        let mut query = connection.prepare_cached("SELECT id FROM jobs WHERE state = 'running'")?;
        let ids = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(ids)
    }

    /// At most this many pages that wait, the oldest jobs first, each as a task of its own. Pages that cannot be read,
    /// since another version of copal stored them, fail: they must not keep the others waiting.
    pub(crate) fn pending(
        &self,
        most: usize,
        taken: &HashSet<PageKey>,
    ) -> Result<Vec<PendingPage>, JobStoreError> {
        loop {
            let (found, damaged) = self.read_pending(most, taken)?;
            for (key, error) in &damaged {
                self.fail_page(key, &JobStoreError::Damaged(error.to_string()).to_string())?;
            }
            if damaged.is_empty() || !found.is_empty() {
                return Ok(found);
            }
        }
    }

    fn read_pending(&self, most: usize, taken: &HashSet<PageKey>) -> Result<ReadPages, JobStoreError> {
        let (mut found, mut damaged) = (Vec::new(), Vec::new());
        if most == 0 {
            return Ok((found, damaged));
        }
        let connection = self.connection();
        let mut query = connection.prepare_cached(
            "SELECT job, number, task, page, body FROM job_pages JOIN jobs ON jobs.id = job
             WHERE jobs.state = 'running' AND job_pages.state = 'pending' ORDER BY number, created LIMIT ?1",
        )?;
        let mut rows = query.query(params![integer(most + taken.len())])?;
        while let Some(row) = rows.next()? {
            let key: PageKey = (row.get(0)?, row.get(1)?);
            if taken.contains(&key) || found.len() >= most {
                continue;
            }
            let (task, page): (String, String) = (row.get(2)?, row.get(3)?);
            let read =
                serde_json::from_str::<Task>(&task).and_then(|task| Ok((task, serde_json::from_str(&page)?)));
            let (mut task, mut page): (Task, TaskPage) = match read {
                Ok(read) => read,
                Err(error) => {
                    damaged.push((key, error));
                    continue;
                }
            };
            let body: Option<Vec<u8>> = row.get(4)?;
            page.body = body.as_ref().map(|_| 0);
            task.pages = vec![page];
            found.push((key, task, body.into_iter().collect()));
        }
        Ok((found, damaged))
    }

    /// Stores the result of a page, unless it has one or the job was cancelled.
    pub(crate) fn finish_page(
        &self,
        key: &PageKey,
        records: usize,
        result: &[u8],
    ) -> Result<(), JobStoreError> {
        self.end_page(
            key,
            "UPDATE job_pages SET state = 'done', records = ?3, result = ?4, body = NULL
             WHERE job = ?1 AND number = ?2 AND state = 'pending'",
            params![key.0, key.1, integer(records), result],
        )
    }

    /// Stores why a page could not be read.
    pub(crate) fn fail_page(&self, key: &PageKey, error: &str) -> Result<(), JobStoreError> {
        self.end_page(
            key,
            "UPDATE job_pages SET state = 'failed', error = ?3, body = NULL
             WHERE job = ?1 AND number = ?2 AND state = 'pending'",
            params![key.0, key.1, error],
        )
    }

    /// Ends a page, and its job if it was the last one, in one transaction.
    fn end_page(
        &self,
        key: &PageKey,
        update: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<(), JobStoreError> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        transaction.execute(update, values)?;
        transaction.execute(
            "UPDATE jobs SET state = 'done', finished = ?2 WHERE id = ?1 AND state = 'running'
             AND NOT EXISTS (SELECT 1 FROM job_pages WHERE job = ?1 AND state = 'pending')",
            params![key.0, now()],
        )?;
        transaction.commit()?;
        Ok(())
    }

    /// Cancels a job; false if there is no such job that runs.
    pub(crate) fn cancel(&self, id: &str) -> Result<bool, JobStoreError> {
        let changed = self.connection().execute(
            "UPDATE jobs SET state = 'cancelled', finished = ?2 WHERE id = ?1 AND state = 'running'",
            params![id, now()],
        )?;
        Ok(changed > 0)
    }

    /// The status of a job.
    pub(crate) fn status(&self, id: &str) -> Result<Option<JobStatus>, JobStoreError> {
        let connection = self.connection();
        let job = connection
            .query_row("SELECT state, created, finished FROM jobs WHERE id = ?1", [id], |row| {
                Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?))
            })
            .optional()?;
        let Some((state, created, finished)) = job else { return Ok(None) };
        let (pages, done, failed, records) = connection.query_row(
            "SELECT count(*), count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed'),
             coalesce(sum(records), 0) FROM job_pages WHERE job = ?1",
            [id],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )?;
        let mut query = connection.prepare_cached(
            "SELECT page, error FROM job_pages WHERE job = ?1 AND state = 'failed' ORDER BY number LIMIT ?2",
        )?;
        let mut rows = query.query(params![id, integer(MAX_SHOWN_ERRORS)])?;
        let mut errors = Vec::new();
        while let Some(row) = rows.next()? {
            let page: TaskPage = serde_json::from_str(&row.get::<_, String>(0)?)?;
            errors.push(JobPageError { page: page.name, error: row.get(1)? });
        }
        let state = JobState::of(&state);
        Ok(Some(JobStatus {
            id: id.to_owned(),
            state,
            created,
            finished,
            pages,
            done,
            failed,
            records,
            errors,
        }))
    }

    /// The status of all jobs, the newest first.
    pub(crate) fn list(&self) -> Result<Vec<JobStatus>, JobStoreError> {
        let ids: Vec<String> = {
            let connection = self.connection();
            let mut query =
                connection.prepare_cached("SELECT id FROM jobs ORDER BY created DESC, id LIMIT ?1")?;
            query.query_map([integer(MAX_LISTED)], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        ids.iter().filter_map(|id| self.status(id).transpose()).collect()
    }

    /// The result of the first page after `number` that has one.
    pub(crate) fn next_result(&self, id: &str, number: i64) -> Result<Option<(i64, Vec<u8>)>, JobStoreError> {
        let connection = self.connection();
        let mut query = connection.prepare_cached(
            "SELECT number, result FROM job_pages WHERE job = ?1 AND number > ?2 AND state = 'done'
             ORDER BY number LIMIT 1",
        )?;
        Ok(query.query_row(params![id, number], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
    }

    /// Removes jobs that were finished longer ago than this.
    pub(crate) fn remove_old(&self, age: Duration) -> Result<usize, JobStoreError> {
        let limit = now().saturating_sub(i64::try_from(age.as_secs()).unwrap_or(i64::MAX));
        Ok(self
            .connection()
            .execute("DELETE FROM jobs WHERE finished IS NOT NULL AND finished < ?1", [limit])?)
    }
}

/// A number as SQLite has it.
pub(super) fn integer(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Seconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs().cast_signed())
}

#[cfg(test)]
#[path = "job_store_tests.rs"]
mod tests;
