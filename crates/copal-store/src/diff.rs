//! What changed between two runs: new, gone, and changed records.
//!
//! In: two sets of records, of files ([`Records::read`]) or of a database ([`between_runs`]). Out: a [`Difference`]. O(cells).

use crate::cell::{Cell, Kind};
use crate::database::{Database, quoted};
use crate::sql::{self, HISTORY, RUNS};
use crate::{Error, Place};
use std::collections::{HashMap, HashSet};

pub use crate::records::Records;

/// A record: its key, and its columns with their texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What tells it from the others.
    pub key: String,
    /// Its columns, those that have something.
    pub cells: Vec<(String, String)>,
}

/// A value that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The column.
    pub column: String,
    /// What it was; empty if it was not there.
    pub old: String,
    /// What it is; empty if it is not there.
    pub new: String,
}

/// What is different.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// The table, of a database.
    pub table: Option<String>,
    /// Records that were not there.
    pub new: Vec<Entry>,
    /// Records that are not there any more.
    pub gone: Vec<Entry>,
    /// Records that are there in both: their keys and what changed.
    pub changed: Vec<(String, Vec<Change>)>,
    /// How many are as they were.
    pub same: usize,
}

impl Difference {
    /// True if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty() && self.changed.is_empty()
    }
}

/// Compares two sets of records; each key is there once in each.
pub fn between(old: &[Entry], new: &[Entry]) -> Difference {
    let before: HashMap<&str, &Entry> = old.iter().map(|entry| (entry.key.as_str(), entry)).collect();
    let now: HashSet<&str> = new.iter().map(|entry| entry.key.as_str()).collect();
    let mut difference = Difference::default();
    for entry in new {
        match before.get(entry.key.as_str()) {
            None => difference.new.push(entry.clone()),
            Some(old) => {
                let changes = changes(old, entry);
                if changes.is_empty() {
                    difference.same += 1;
                } else {
                    difference.changed.push((entry.key.clone(), changes));
                }
            }
        }
    }
    difference.gone = old.iter().filter(|entry| !now.contains(entry.key.as_str())).cloned().collect();
    difference
}

fn changes(old: &Entry, new: &Entry) -> Vec<Change> {
    let before: HashMap<&str, &str> =
        old.cells.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let now: HashSet<&str> = new.cells.iter().map(|(name, _)| name.as_str()).collect();
    let left = old.cells.iter().filter(|(name, _)| !now.contains(name.as_str()));
    let left = left.map(|(name, text)| (name, text.as_str(), ""));
    let there = new
        .cells
        .iter()
        .map(|(name, text)| (name, before.get(name.as_str()).copied().unwrap_or_default(), text.as_str()));
    there
        .chain(left)
        .filter(|(_, old, new)| old != new)
        .map(|(column, old, new)| Change { column: column.clone(), old: old.into(), new: new.into() })
        .collect()
}

/// A run in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Its number.
    pub id: i64,
    /// When it began.
    pub started: String,
    /// How it ended; none if it was killed, or goes on.
    pub outcome: Option<String>,
    /// The command.
    pub command: String,
}

/// The runs of a database, the last one first.
fn runs(database: &mut dyn Database) -> Result<Vec<Run>, Error> {
    let there = database.tables()?;
    if !there.iter().any(|name| name == RUNS) || !there.iter().any(|name| name == sql::COLUMNS) {
        return Err(Error::Missing("no run of copal is in this database".into()));
    }
    let sql = format!(
        "SELECT id, CAST(started AS text), outcome, command FROM {} ORDER BY id DESC",
        database.table(RUNS)
    );
    let rows = database.query(&sql, &[], &[Kind::Integer, Kind::Text, Kind::Text, Kind::Text])?;
    let run = |row: Vec<Cell>| match row.as_slice() {
        [Cell::Integer(id), started, outcome, command] => Some(Run {
            id: *id,
            started: started.shown(),
            outcome: Some(outcome.shown()).filter(|outcome| !outcome.is_empty()),
            command: command.shown(),
        }),
        _ => None,
    };
    Ok(rows.into_iter().filter_map(run).collect())
}

/// What changed between two runs of a database (none: the last two that came to their end), in one table or all. A record
/// that went and came back in between was there all the time.
pub fn between_runs(
    place: &Place,
    asked: Option<(i64, i64)>,
    table: Option<&str>,
) -> Result<([Run; 2], Vec<Difference>), Error> {
    let database = &mut *crate::open_to_read(place)?;
    let runs = runs(database)?;
    let numbered = |id: i64| {
        let run = runs.iter().find(|run| run.id == id).cloned();
        run.ok_or_else(|| Error::Missing(format!("no run {id} in this database")))
    };
    let [old, new] = match asked {
        Some((a, b)) => [numbered(a.min(b))?, numbered(a.max(b))?],
        None => {
            let mut done = runs.iter().filter(|run| run.outcome.is_some());
            match (done.next(), done.next()) {
                (Some(new), Some(old)) => [old.clone(), new.clone()],
                _ => return Err(Error::Missing("fewer than two runs have come to their end".into())),
            }
        }
    };
    let sql = format!("SELECT DISTINCT table_name FROM {} ORDER BY table_name", database.table(sql::COLUMNS));
    let tables = database.query(&sql, &[], &[Kind::Text])?;
    let tables: Vec<String> = tables.into_iter().flatten().map(|name| name.shown()).collect();
    if let Some(table) = table.filter(|table| !tables.iter().any(|name| name == table)) {
        return Err(Error::Missing(format!("no table {table:?} of copal: there are {}", tables.join(", "))));
    }
    let wanted = tables.iter().filter(|name| table.is_none_or(|table| table == *name));
    let differences: Result<Vec<Difference>, Error> =
        wanted.map(|name| of_table(database, name, old.id, new.id)).collect();
    Ok(([old, new], differences?))
}

fn of_table(database: &mut dyn Database, table: &str, old: i64, new: i64) -> Result<Difference, Error> {
    let schema = sql::load(database, table)?.unwrap_or_default();
    // the parts of typed values say what the texts say
    let columns: Vec<&str> = schema
        .columns
        .iter()
        .filter(|column| column.part.is_empty() || column.shown.is_empty())
        .map(|column| column.name.as_str())
        .collect();
    let list = columns.iter().fold(String::new(), |list, name| format!("{list}, {}", quoted(name)));
    let mut kinds = vec![Kind::Text];
    kinds.resize(columns.len() + 1, Kind::Text);
    let entries = |database: &mut dyn Database, condition: &str| -> Result<Vec<Entry>, Error> {
        let sql =
            format!("SELECT \"key\"{list} FROM {} WHERE {condition} ORDER BY \"key\"", database.table(table));
        let rows = database.query(&sql, &[Cell::Integer(old), Cell::Integer(new)], &kinds)?;
        Ok(rows.into_iter().map(|row| entry(&columns, &row)).collect())
    };
    let mut difference = Difference { table: Some(table.to_owned()), ..Difference::default() };
    difference.new = entries(database, "first_run > $1 AND first_run <= $2 AND run >= $2")?;
    difference.gone = entries(database, "first_run <= $1 AND run >= $1 AND run < $2")?;
    let sql = format!(
        "SELECT h.key, h.column_name, h.old, h.new FROM {} h JOIN {} t ON t.\"key\" = h.key \
         WHERE h.run > $1 AND h.run <= $2 AND h.table_name = $3 AND t.first_run <= $1 AND t.run >= $2 \
         ORDER BY h.key, h.run",
        database.table(HISTORY),
        database.table(table)
    );
    let told = [Cell::Integer(old), Cell::Integer(new), Cell::text(table)];
    let mut last: HashMap<(String, String), (usize, usize)> = HashMap::new();
    for row in database.query(&sql, &told, &[Kind::Text; 4])? {
        let [key, column, old, new] = row.as_slice() else { continue };
        let (key, column, old, new) = (key.shown(), column.shown(), old.shown(), new.shown());
        if !columns.contains(&column.as_str()) {
            continue;
        }
        if difference.changed.last().is_none_or(|(other, _)| *other != key) {
            difference.changed.push((key.clone(), Vec::new()));
        }
        let record = difference.changed.len() - 1;
        let Some((_, changes)) = difference.changed.last_mut() else { continue };
        match last.get(&(key.clone(), column.clone())) {
            Some(&(_, at)) => changes[at].new = new,
            None => {
                last.insert((key, column.clone()), (record, changes.len()));
                changes.push(Change { column, old, new });
            }
        }
    }
    for (_, changes) in &mut difference.changed {
        // there and back again is no change
        changes.retain(|change| change.old != change.new);
    }
    difference.changed.retain(|(_, changes)| !changes.is_empty());
    let sql = format!("SELECT count(*) FROM {} WHERE first_run <= $1 AND run >= $2", database.table(table));
    let count = database.query(&sql, &told[..2], &[Kind::Integer])?;
    if let Some(Cell::Integer(both)) = count.first().and_then(|row| row.first()) {
        difference.same = (*both as usize).saturating_sub(difference.changed.len());
    }
    Ok(difference)
}

fn entry(columns: &[&str], row: &[Cell]) -> Entry {
    let key = row.first().map(Cell::shown).unwrap_or_default();
    let cells = columns.iter().zip(row.iter().skip(1)).filter(|(_, cell)| **cell != Cell::Null);
    Entry { key, cells: cells.map(|(name, cell)| ((*name).to_owned(), cell.shown())).collect() }
}
