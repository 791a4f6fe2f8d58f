//! Which sites of a batch are done, on disk.
//!
//! In: the start URLs of a run over many sites. Out: those that are left, and what came of the others. The file is a SQLite
//! database; each site that ends is one transaction. A run that was stopped or killed continues with the sites that are
//! left; a batch that is complete begins again. O(sites) to open.

use crate::error::ExploreError;
use rusqlite::{Connection, params};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long a second process waits for the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS batch (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sites (
    url TEXT PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL, records INTEGER NOT NULL, pages INTEGER NOT NULL,
    exit_code INTEGER NOT NULL, summary TEXT NOT NULL) WITHOUT ROWID;
";

/// What came of one site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteResult {
    /// `effective`, `partial` or `none`; `error` if the site could not be explored at all.
    pub status: String,
    /// The reason code, or the error.
    pub reason: String,
    /// Unique records.
    pub records: u64,
    /// Pages that were asked for.
    pub pages: u64,
    /// The exit code of a run of this site alone.
    pub exit_code: u8,
    /// All this in one line.
    pub summary: String,
}

/// A site of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchSite {
    /// The start URL.
    pub url: String,
    /// What came of it; `None` if it is left.
    pub result: Option<SiteResult>,
}

/// An open batch.
#[derive(Debug)]
pub struct SiteBatch {
    connection: Connection,
    path: PathBuf,
    label: String,
    is_continued: bool,
}

impl SiteBatch {
    /// Opens the batch in a file, or creates it. A batch with other options (`identity`), or in which none of these sites
    /// is left, begins again.
    pub fn open(path: &Path, identity: &str, urls: &[String]) -> Result<SiteBatch, ExploreError> {
        let failed = |error: &rusqlite::Error| batch_error(path, error);
        let mut connection = Connection::open(path).map_err(|error| failed(&error))?;
        let opened: Result<(String, bool), rusqlite::Error> = (|| {
            connection.busy_timeout(BUSY_TIMEOUT)?;
            connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
            connection.execute_batch(TABLES)?;
            let transaction = connection.transaction()?;
            let stored = |name: &str| {
                let mut statement = transaction.prepare("SELECT value FROM batch WHERE name = ?1")?;
                let mut rows = statement.query_map([name], |row| row.get::<_, String>(0))?;
                rows.next().transpose()
            };
            let done: HashSet<String> = {
                let mut statement = transaction.prepare("SELECT url FROM sites")?;
                statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?
            };
            let label = stored("label")?;
            let is_same = stored("identity")?.as_deref() == Some(identity);
            let is_left = urls.iter().any(|url| !done.contains(url));
            let opened = match label.filter(|_| is_same && is_left) {
                Some(label) => (label, true),
                None => {
                    let label = new_label();
                    transaction.execute_batch("DELETE FROM sites; DELETE FROM batch")?;
                    let add = "INSERT INTO batch (name, value) VALUES (?1, ?2)";
                    transaction.execute(add, ["identity", identity])?;
                    transaction.execute(add, ["label", &label])?;
                    (label, false)
                }
            };
            transaction.commit()?;
            Ok(opened)
        })();
        let (label, is_continued) = opened.map_err(|error| failed(&error))?;
        Ok(SiteBatch { connection, path: path.to_owned(), label, is_continued })
    }

    /// What tells this batch from those before it, also after a restart.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// True if a batch that was stopped is continued.
    pub fn is_continued(&self) -> bool {
        self.is_continued
    }

    /// What is known of these sites, in their order.
    pub fn sites(&self, urls: &[String]) -> Result<Vec<BatchSite>, ExploreError> {
        let read = || {
            let sql = "SELECT status, reason, records, pages, exit_code, summary FROM sites WHERE url = ?1";
            let mut statement = self.connection.prepare(sql)?;
            let site = |url: &String| {
                let mut rows = statement.query_map([url], |row| {
                    Ok(SiteResult {
                        status: row.get(0)?,
                        reason: row.get(1)?,
                        records: row.get::<_, i64>(2)?.unsigned_abs(),
                        pages: row.get::<_, i64>(3)?.unsigned_abs(),
                        exit_code: row.get(4)?,
                        summary: row.get(5)?,
                    })
                })?;
                Ok(BatchSite { url: url.clone(), result: rows.next().transpose()? })
            };
            urls.iter().map(site).collect::<Result<Vec<_>, rusqlite::Error>>()
        };
        read().map_err(|error| batch_error(&self.path, &error))
    }

    /// Remembers that a site is done. To be called after its records and files were written.
    pub fn finish(&mut self, url: &str, result: &SiteResult) -> Result<(), ExploreError> {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let sql = "INSERT OR REPLACE INTO sites (url, status, reason, records, pages, exit_code, summary) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let values = params![
            url,
            result.status,
            result.reason,
            number(result.records),
            number(result.pages),
            result.exit_code,
            result.summary
        ];
        let written = self.connection.execute(sql, values);
        written.map(drop).map_err(|error| batch_error(&self.path, &error))
    }
}

/// The time, so that a batch whose file was deleted does not have the label of an earlier one.
fn new_label() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("batch {}", now.as_nanos())
}

fn batch_error(path: &Path, error: &rusqlite::Error) -> ExploreError {
    ExploreError::Frontier { path: path.to_owned(), reason: error.to_string() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn result(records: u64) -> SiteResult {
        SiteResult {
            status: "effective".to_owned(),
            reason: "counter_reached".to_owned(),
            records,
            pages: 3,
            exit_code: 0,
            summary: "all".to_owned(),
        }
    }

    #[test]
    fn a_batch_continues_until_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("all.sites");
        let urls = ["http://a.example/".to_owned(), "http://b.example/".to_owned()];
        let open = |identity: &str, urls: &[String]| SiteBatch::open(&file, identity, urls).unwrap();
        let mut batch = open("books", &urls);
        assert!(!batch.is_continued());
        batch.finish(&urls[0], &result(7)).unwrap();
        let label = batch.label().to_owned();
        drop(batch);
        let mut batch = open("books", &urls);
        assert!(batch.is_continued() && batch.label() == label);
        let results: Vec<_> = batch.sites(&urls).unwrap().into_iter().map(|site| site.result).collect();
        assert_eq!(results, [Some(result(7)), None]);
        batch.finish(&urls[1], &result(1)).unwrap();
        drop(batch);
        // a site that was added is read alone
        let more = [&urls[..], &["http://c.example/".to_owned()]].concat();
        assert!(open("books", &more).is_continued());
        let batch = open("books", &urls);
        assert!(!batch.is_continued() && batch.label() != label);
        assert!(batch.sites(&urls).unwrap().iter().all(|site| site.result.is_none()));
        drop(batch);
        assert!(!open("jobs", &urls).is_continued(), "other options");
    }
}
