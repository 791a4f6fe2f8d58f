//! What the runs of one command changed, for a command that runs again and again.
//!
//! In: a database and the command that its runs were stored with. Out: for each run what is new, gone and changed since
//! the run before it. A run that did not see everything never makes records gone; the next complete run compares with
//! the last complete one. Runs of other commands in the same database are left out. O(rows of the tables) per run.

use crate::database::Database;
use crate::difference::Difference;
use crate::error::StoreError;
use crate::location::DatabaseLocation;
use crate::run_difference::{
    RunSpan, StoredRun, record_tables, records_where, stored_runs, table_difference, text_columns,
};
use copal_output::rows::RowValue;
use std::collections::{HashMap, HashSet};

/// The runs of one command.
#[derive(Debug, Clone)]
pub struct WatchedRuns {
    /// The command, as [`Store::begin`](crate::Store::begin) got it.
    pub command: String,
    /// Only this table.
    pub table: Option<String>,
    /// The outcome of runs that saw everything.
    pub complete_outcome: String,
}

/// What a run changed.
#[derive(Debug, Clone)]
pub struct RunChanges {
    /// The run.
    pub run: StoredRun,
    /// The run before it; `None` for the first one that has records, which has no differences.
    pub before: Option<StoredRun>,
    /// False if the run may have missed records, so that none counts as gone.
    pub is_complete: bool,
    /// One difference per table.
    pub differences: Vec<Difference>,
}

impl RunChanges {
    /// True if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.differences.iter().all(Difference::is_empty)
    }
}

/// Keys of records that were gone before a run, by table.
#[derive(Debug, Clone, Default)]
pub struct MissingRecords {
    keys: HashMap<String, HashSet<String>>,
}

impl WatchedRuns {
    /// The records that are gone now. To be asked before a run, because the run forgets when a record that comes back
    /// was last seen. Empty if the database does not exist yet.
    pub fn missing(&self, location: &DatabaseLocation) -> Result<MissingRecords, StoreError> {
        let mut database = match location.open_for_reading() {
            Ok(database) => database,
            Err(StoreError::MissingFile) => return Ok(MissingRecords::default()),
            Err(error) => return Err(error),
        };
        let database = database.as_mut();
        let runs = match stored_runs(database) {
            Ok(runs) => runs,
            Err(StoreError::NoRuns) => return Ok(MissingRecords::default()),
            Err(error) => return Err(error),
        };
        let last_complete = runs.iter().find(|run| self.is_own(run) && self.is_complete(run));
        let Some(last_complete) = last_complete else { return Ok(MissingRecords::default()) };
        let parameters = [RowValue::Integer(last_complete.id)];
        let mut keys = HashMap::new();
        for table in self.tables(record_tables(database)?) {
            let gone = records_where(database, &table, &[], "run < $1", &parameters)?;
            keys.insert(table, gone.into_iter().map(|record| record.key).collect());
        }
        Ok(MissingRecords { keys })
    }

    /// What the last `count` finished runs changed, the newest first. Records of `missing` that the newest one saw are
    /// new.
    pub fn changes(
        &self,
        location: &DatabaseLocation,
        missing: &MissingRecords,
        count: usize,
    ) -> Result<Vec<RunChanges>, StoreError> {
        let mut database = location.open_for_reading()?;
        let database = database.as_mut();
        let runs: Vec<StoredRun> = stored_runs(database)?
            .into_iter()
            .filter(|run| self.is_own(run) && run.outcome.is_some())
            .collect();
        let tables = self.tables(record_tables(database)?);
        let mut changes = Vec::new();
        for (at, run) in runs.iter().enumerate().take(count) {
            let earlier = &runs[at + 1..];
            let is_complete = self.is_complete(run);
            let mut differences = Vec::new();
            // runs that stored nothing are not what a run is compared with; a complete run has records
            let before = match earlier.first() {
                Some(last)
                    if earlier.iter().any(|run| self.is_complete(run))
                        || has_records(database, &tables, last)? =>
                {
                    Some(last)
                }
                _ => None,
            };
            if let Some(before) = before {
                let last_complete = earlier.iter().find(|run| self.is_complete(run));
                let since = last_complete.map_or(0, |run| run.id);
                let span = RunSpan {
                    old: before.id,
                    new: run.id,
                    gone_since: is_complete.then_some(since),
                    command: Some(&self.command),
                };
                for table in &tables {
                    let mut difference = table_difference(database, table, &span)?;
                    if at == 0
                        && let Some(keys) = missing.keys.get(table)
                    {
                        let columns = text_columns(database, table)?;
                        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
                        let parameters = [RowValue::Integer(before.id), RowValue::Integer(run.id)];
                        let seen = "first_run <= $1 AND run >= $2";
                        let mut seen = records_where(database, table, &columns, seen, &parameters)?;
                        seen.retain(|record| keys.contains(&record.key));
                        difference.add_returned(seen);
                    }
                    differences.push(difference);
                }
            }
            changes.push(RunChanges { run: run.clone(), before: before.cloned(), is_complete, differences });
        }
        Ok(changes)
    }

    fn is_own(&self, run: &StoredRun) -> bool {
        run.command == self.command
    }

    fn is_complete(&self, run: &StoredRun) -> bool {
        run.outcome.as_deref() == Some(self.complete_outcome.as_str())
    }

    fn tables(&self, existing: Vec<String>) -> Vec<String> {
        let is_wanted = |name: &String| self.table.as_ref().is_none_or(|table| table == name);
        existing.into_iter().filter(is_wanted).collect()
    }
}

/// True if one of the tables had a record when a run ended.
fn has_records(database: &mut dyn Database, tables: &[String], run: &StoredRun) -> Result<bool, StoreError> {
    for table in tables {
        let parameters = [RowValue::Integer(run.id)];
        if !records_where(database, table, &[], "first_run <= $1", &parameters)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
