//! New, gone and changed records between two runs of a database.
//!
//! In: a database and two of its runs. Out: one [`Difference`] per table. O(rows of the tables).

use crate::database::{Database, quoted};
use crate::difference::{ChangedRecord, Difference, KeyedRecord, TITLE_COLUMNS, ValueChange};
use crate::error::StoreError;
use crate::location::DatabaseLocation;
use crate::statements::{self, COLUMNS_TABLE, HISTORY_TABLE, RUNS_TABLE};
use copal_output::rows::{ColumnType, RowValue};
use std::collections::HashMap;

/// A run in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    /// The number of the run.
    pub id: i64,
    /// When it started.
    pub started: String,
    /// How it ended; `None` if it was killed, or is still running.
    pub outcome: Option<String>,
    /// The command.
    pub command: String,
    /// When it finished.
    pub finished: Option<String>,
    /// Pages that it read.
    pub pages: i64,
    /// Records that it found.
    pub records: i64,
}

/// The differences between two runs of a database (`None`: the last two that finished), in one table or in
/// all. A record that disappeared and came back in between counts as present all the time.
pub fn compare_runs(
    location: &DatabaseLocation,
    runs: Option<(i64, i64)>,
    table: Option<&str>,
) -> Result<([StoredRun; 2], Vec<Difference>), StoreError> {
    let database = &mut *location.open_for_reading()?;
    let [old, new] = chosen_runs(&stored_runs(database)?, runs)?;
    let existing = record_tables(database)?;
    if let Some(name) = table.filter(|table| !existing.iter().any(|name| name == table)) {
        return Err(StoreError::UnknownTable { name: name.to_owned(), existing });
    }
    let span = RunSpan { old: old.id, new: new.id, gone_since: Some(old.id), command: None };
    let wanted = existing.iter().filter(|name| table.is_none_or(|table| table == *name));
    let differences: Result<Vec<Difference>, StoreError> =
        wanted.map(|name| table_difference(database, name, &span)).collect();
    Ok(([old, new], differences?))
}

/// The tables of records and objects.
pub(crate) fn record_tables(database: &mut dyn Database) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT DISTINCT table_name FROM {} ORDER BY table_name",
        database.quoted_table(COLUMNS_TABLE)
    );
    let existing = database.query(&sql, &[], &[ColumnType::Text])?;
    Ok(existing.into_iter().flatten().map(|name| name.to_text()).collect())
}

/// Which runs are compared.
pub(crate) struct RunSpan<'a> {
    /// The older run.
    pub(crate) old: i64,
    /// The newer run.
    pub(crate) new: i64,
    /// Records that were last seen since this run, but not in the newer run, are gone; `None` if the newer run did
    /// not see everything.
    pub(crate) gone_since: Option<i64>,
    /// Only what runs of this command saw.
    pub(crate) command: Option<&'a str>,
}

impl RunSpan<'_> {
    /// The values of the numbered parameters `$1`, `$2` and so on: the runs, `more`, and the command. SQLite numbers
    /// them by their first use, so that statements must use them in this order.
    fn parameters(&self, more: Option<RowValue>) -> Vec<RowValue> {
        let runs = [RowValue::Integer(self.old), RowValue::Integer(self.new)];
        runs.into_iter().chain(more).chain(self.command.map(RowValue::text)).collect()
    }

    /// A condition on a column with the number of a run, or nothing; `parameter` is the number of the command's.
    fn command_condition(&self, database: &dyn Database, column: &str, parameter: usize) -> String {
        let runs = database.quoted_table(RUNS_TABLE);
        self.command.map_or_else(String::new, |_| {
            format!(" AND {column} IN (SELECT id FROM {runs} WHERE command = ${parameter})")
        })
    }
}

/// The runs of a database, the last one first.
pub(crate) fn stored_runs(database: &mut dyn Database) -> Result<Vec<StoredRun>, StoreError> {
    let tables = database.table_names()?;
    if [RUNS_TABLE, COLUMNS_TABLE].iter().any(|name| !tables.iter().any(|table| table == name)) {
        return Err(StoreError::NoRuns);
    }
    let sql = format!(
        "SELECT id, CAST(started AS text), outcome, command, CAST(finished AS text), pages, records \
         FROM {} ORDER BY id DESC",
        database.quoted_table(RUNS_TABLE)
    );
    let (text, integer) = (ColumnType::Text, ColumnType::Integer);
    let types = [integer, text, text, text, text, integer, integer];
    let rows = database.query(&sql, &[], &types)?;
    let run = |row: Vec<RowValue>| match row.as_slice() {
        [RowValue::Integer(id), started, outcome, command, finished, pages, records] => Some(StoredRun {
            id: *id,
            started: started.to_text(),
            outcome: Some(outcome.to_text()).filter(|outcome| !outcome.is_empty()),
            command: command.to_text(),
            finished: Some(finished.to_text()).filter(|finished| !finished.is_empty()),
            pages: integer_of(pages),
            records: integer_of(records),
        }),
        _ => None,
    };
    Ok(rows.into_iter().filter_map(run).collect())
}

fn integer_of(value: &RowValue) -> i64 {
    if let RowValue::Integer(number) = value { *number } else { 0 }
}

/// The older and the newer run.
fn chosen_runs(runs: &[StoredRun], wanted: Option<(i64, i64)>) -> Result<[StoredRun; 2], StoreError> {
    let with_id = |id: i64| {
        let run = runs.iter().find(|run| run.id == id).cloned();
        run.ok_or(StoreError::UnknownRun(id))
    };
    if let Some((a, b)) = wanted {
        return Ok([with_id(a.min(b))?, with_id(a.max(b))?]);
    }
    let mut finished = runs.iter().filter(|run| run.outcome.is_some());
    match (finished.next(), finished.next()) {
        (Some(new), Some(old)) => Ok([old.clone(), new.clone()]),
        _ => Err(StoreError::TooFewRuns),
    }
}

pub(crate) fn table_difference(
    database: &mut dyn Database,
    table: &str,
    span: &RunSpan<'_>,
) -> Result<Difference, StoreError> {
    let columns = text_columns(database, table)?;
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut difference = Difference { table: Some(table.to_owned()), ..Difference::default() };
    let present = "first_run > $1 AND first_run <= $2 AND run >= $2".to_owned()
        + &span.command_condition(database, "first_run", 3);
    difference.new = records_where(database, table, &columns, &present, &span.parameters(None))?;
    if let Some(since) = span.gone_since {
        let absent = "first_run <= $1 AND run < $2 AND run >= $3".to_owned()
            + &span.command_condition(database, "run", 4);
        let parameters = span.parameters(Some(RowValue::Integer(since)));
        difference.gone = records_where(database, table, &columns, &absent, &parameters)?;
    }
    difference.changed = changed_records(database, table, &columns, span)?;
    let sql =
        format!("SELECT count(*) FROM {} WHERE first_run <= $1 AND run >= $2", database.quoted_table(table));
    let runs = [RowValue::Integer(span.old), RowValue::Integer(span.new)];
    let count = database.query(&sql, &runs, &[ColumnType::Integer])?;
    if let Some(RowValue::Integer(both)) = count.first().and_then(|row| row.first()) {
        difference.same = (*both as usize).saturating_sub(difference.changed.len());
    }
    Ok(difference)
}

/// The columns that are compared. Components of typed values repeat what the texts say.
pub(crate) fn text_columns(database: &mut dyn Database, table: &str) -> Result<Vec<String>, StoreError> {
    let schema = statements::load_schema(database, table)?.unwrap_or_default();
    let columns = schema.columns.iter();
    let columns = columns.filter(|column| column.component.is_empty() || column.source_column.is_empty());
    Ok(columns.map(|column| column.name.clone()).collect())
}

/// The records of a table for which a condition holds.
pub(crate) fn records_where(
    database: &mut dyn Database,
    table: &str,
    columns: &[&str],
    condition: &str,
    parameters: &[RowValue],
) -> Result<Vec<KeyedRecord>, StoreError> {
    let list = columns.iter().fold(String::new(), |list, name| format!("{list}, {}", quoted(name)));
    let table = database.quoted_table(table);
    let sql = format!("SELECT \"key\"{list} FROM {table} WHERE {condition} ORDER BY \"key\"");
    let rows = database.query(&sql, parameters, &vec![ColumnType::Text; columns.len() + 1])?;
    Ok(rows.into_iter().map(|row| keyed_record(columns, &row)).collect())
}

fn keyed_record(columns: &[&str], row: &[RowValue]) -> KeyedRecord {
    let key = row.first().map(RowValue::to_text).unwrap_or_default();
    let cells = columns.iter().zip(row.iter().skip(1)).filter(|(_, value)| **value != RowValue::Null);
    KeyedRecord { key, cells: cells.map(|(name, value)| ((*name).to_owned(), value.to_text())).collect() }
}

/// The records that both runs saw and whose history has changes between them. Several changes of a value
/// become one; a value that changed back is not a change.
fn changed_records(
    database: &mut dyn Database,
    table: &str,
    columns: &[&str],
    span: &RunSpan<'_>,
) -> Result<Vec<ChangedRecord>, StoreError> {
    let titles = TITLE_COLUMNS.iter().filter(|name| columns.contains(name));
    let titles = titles.fold(String::new(), |list, name| format!("{list}t.{}, ", quoted(name)));
    let sql = format!(
        "SELECT h.key, h.column_name, h.old, h.new, coalesce({titles}NULL, NULL) FROM {} h JOIN {} t ON t.\"key\" = h.key \
         WHERE h.run > $1 AND h.run <= $2 AND h.table_name = $3 AND t.first_run <= $1 AND t.run >= $2{} \
         ORDER BY h.key, h.run",
        database.quoted_table(HISTORY_TABLE),
        database.quoted_table(table),
        span.command_condition(database, "h.run", 4)
    );
    let parameters = span.parameters(Some(RowValue::text(table)));
    let mut changed: Vec<ChangedRecord> = Vec::new();
    // Where the change of a column is, for the record that is last in `changed`.
    let mut change_index: HashMap<String, usize> = HashMap::new();
    for row in database.query(&sql, &parameters, &[ColumnType::Text; 5])? {
        let [key, column, old, new, title] = row.as_slice() else { continue };
        let (key, column, old, new) = (key.to_text(), column.to_text(), old.to_text(), new.to_text());
        if !columns.contains(&column.as_str()) {
            continue;
        }
        if changed.last().is_none_or(|last| last.key != key) {
            let title = Some(title.to_text()).filter(|title| !title.is_empty());
            changed.push(ChangedRecord { key, title, changes: Vec::new() });
            change_index.clear();
        }
        let Some(ChangedRecord { changes, .. }) = changed.last_mut() else { continue };
        match change_index.get(&column) {
            Some(&at) => changes[at].new = new,
            None => {
                change_index.insert(column.clone(), changes.len());
                changes.push(ValueChange { column, old, new });
            }
        }
    }
    for record in &mut changed {
        record.changes.retain(|change| change.old != change.new);
    }
    changed.retain(|record| !record.changes.is_empty());
    Ok(changed)
}
