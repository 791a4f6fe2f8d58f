//! A run that keeps its pages in a database. See the crate's documentation for what is kept.
//!
//! In: pages in order. Out: for each page one transaction in which columns are added or made wider, records are told from
//! those that are there, and what changed is written to the history. O(cells) a page and a few statements.

use crate::cell::{Cell, Kind};
use crate::database::{Database, quoted};
use crate::keys::{self, Numbered};
use crate::schema::Schema;
use crate::sheet::{self, Reading, Sheet};
use crate::sql::{self, HISTORY, RUNS};
use crate::{Error, Place, moment};
use copal_extract::Answer;
use serde_json::Value as Json;
use std::collections::HashMap;

/// How often a record whose key is taken in this run is tried with the next number; after that its content is its number.
const TRIES: usize = 8;
/// Bytes of a table's name.
const LONGEST_NAME: usize = 60;

/// What a run has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of the run.
    pub run: i64,
    /// Pages that were kept.
    pub pages: usize,
    /// Records on them.
    pub records: usize,
    /// Records that were not there before.
    pub new: usize,
    /// Records of which a value changed.
    pub changed: usize,
}

/// An open database and a run in it.
pub struct Store {
    database: Box<dyn Database>,
    reading: Reading,
    /// Tables of lists and of objects.
    tables: [String; 2],
    summary: Summary,
}

impl Store {
    /// Opens a database and begins a run. With a `table` lists and objects are kept there, else in `records` and `objects`;
    /// `command` is what the run is called.
    pub fn begin(
        place: &Place,
        table: Option<&str>,
        command: &str,
        reading: Reading,
    ) -> Result<Store, Error> {
        let tables = match table {
            Some(name) => [usable(name)?, name.to_owned()],
            None => ["records".to_owned(), "objects".to_owned()],
        };
        let mut database = crate::open(place, &tables.each_ref().map(String::as_str))?;
        let run = in_transaction(database.as_mut(), |database| {
            sql::create_own(database)?;
            sql::forget_dropped(database, &tables)?;
            let sql = format!(
                "INSERT INTO {} (started, command, copal) VALUES ({}, $2, $3) RETURNING id",
                database.table(RUNS),
                database.moment("$1")
            );
            let version = Cell::text(env!("CARGO_PKG_VERSION"));
            let rows = database.query(
                &sql,
                &[Cell::Text(moment::now()), Cell::text(command), version],
                &[Kind::Integer],
            )?;
            match rows.first().and_then(|row| row.first()) {
                Some(Cell::Integer(run)) => Ok(*run),
                _ => Err(Error::Database("gave the run no number".into())),
            }
        })?;
        Ok(Store { database, reading, tables, summary: Summary { run, ..Summary::default() } })
    }

    /// Keeps a page, whole or not at all.
    pub fn page(&mut self, name: &str, extraction: &Answer) -> Result<(), Error> {
        let sheets = sheet::of(name, extraction, &self.reading);
        let (tables, mut summary) = (&self.tables, self.summary);
        summary.pages += 1;
        self.summary = in_transaction(self.database.as_mut(), |database| {
            let before = summary.records;
            let mut page = Page { database, run: summary.run, now: moment::now(), taken: HashMap::new() };
            for sheet in &sheets {
                let (new, changed) = page.keep(&tables[usize::from(sheet.object)], sheet)?;
                summary.records += sheet.rows.len();
                summary.new += new;
                summary.changed += changed;
            }
            let records = Cell::count(summary.records - before);
            let sql = format!(
                "UPDATE {} SET pages = pages + 1, records = records + $1 WHERE id = $2",
                database.table(RUNS)
            );
            database.execute(&sql, &[records, Cell::Integer(summary.run)])?;
            Ok(summary)
        })?;
        Ok(())
    }

    /// Ends the run; `outcome` says how.
    pub fn finish(mut self, outcome: &str) -> Result<Summary, Error> {
        let run = self.summary.run;
        in_transaction(self.database.as_mut(), |database| {
            let sql = format!(
                "UPDATE {} SET finished = {}, outcome = $2 WHERE id = $3",
                database.table(RUNS),
                database.moment("$1")
            );
            database.execute(&sql, &[Cell::Text(moment::now()), Cell::text(outcome), Cell::Integer(run)])
        })?;
        Ok(self.summary)
    }
}

/// A table's name, if it may be one.
fn usable(name: &str) -> Result<String, Error> {
    let own = [RUNS, HISTORY, sql::COLUMNS].iter().any(|own| own.eq_ignore_ascii_case(name));
    let odd = name.trim().is_empty() || name.len() > LONGEST_NAME || name.contains(|c: char| c.is_control());
    if own || odd || name.to_ascii_lowercase().starts_with("sqlite_") {
        let why = format!(
            "{name:?} cannot be the name of a table: expected at most {LONGEST_NAME} bytes, and none of the names that copal \
             uses itself (runs, history, copal_columns)"
        );
        return Err(Error::Place(why));
    }
    Ok(name.to_owned())
}

fn in_transaction<T>(
    database: &mut dyn Database,
    work: impl FnOnce(&mut dyn Database) -> Result<T, Error>,
) -> Result<T, Error> {
    database.begin()?;
    let done = work(database).and_then(|value| database.commit().map(|()| value));
    if done.is_err() {
        database.rollback();
    }
    done
}

/// A page that is being kept.
struct Page<'a> {
    database: &'a mut dyn Database,
    run: i64,
    now: String,
    /// The keys of each table that this page has taken.
    taken: HashMap<String, Numbered>,
}

/// A record and what is known of it.
struct Slot {
    key: String,
    /// Its cells in the table, if it is there.
    known: Option<Vec<Cell>>,
    /// Another page of this run has said the same.
    said: bool,
}

impl Page<'_> {
    /// Keeps the rows of a sheet: how many are new, and how many changed.
    fn keep(&mut self, table: &str, sheet: &Sheet) -> Result<(usize, usize), Error> {
        // read anew for each page: another process may have changed the table
        let known = sql::load(self.database, table)?;
        let is_there = known.is_some();
        let mut schema = known.unwrap_or_default();
        let (changes, places) = schema.take(&sheet.fields);
        if is_there {
            sql::alter(self.database, table, &changes, schema.columns.len())?;
        } else {
            sql::check(self.database, &[table])?;
            sql::create(self.database, table, &changes)?;
        }
        let rows: Vec<Vec<Cell>> =
            sheet.rows.iter().map(|row| schema.fit(row, &sheet.fields, &places)).collect();
        let slots = self.assign(table, sheet, &schema, &rows)?;
        self.write(table, sheet, &schema, rows, slots)
    }

    /// Finds each record's key: its own, or the next number of it that is free in this run.
    fn assign(
        &mut self,
        table: &str,
        sheet: &Sheet,
        schema: &Schema,
        rows: &[Vec<Cell>],
    ) -> Result<Vec<Slot>, Error> {
        let mut slots: Vec<Option<Slot>> = rows.iter().map(|_| None).collect();
        let mut open: Vec<usize> = (0..rows.len()).collect();
        for round in 0..=TRIES {
            if open.is_empty() {
                break;
            }
            let taken = self.taken.entry(table.to_owned()).or_default();
            let next = |at: &usize| {
                let key = &sheet.rows[*at].key;
                if round < TRIES {
                    return taken.next(key);
                }
                let texts: Vec<String> = rows[*at].iter().map(Cell::shown).collect();
                taken.next(&format!("{key}{}", keys::hash(&texts)))
            };
            let names: Vec<String> = open.iter().map(next).collect();
            let there = self.there(table, schema, &names)?;
            let mut again = Vec::new();
            for (at, key) in open.into_iter().zip(names) {
                let slot = match there.get(&key) {
                    None => Slot { key, known: None, said: false },
                    Some((run, known)) if *run != self.run => {
                        Slot { key, known: Some(known.clone()), said: false }
                    }
                    Some((_, known)) if *known == rows[at] || round == TRIES => {
                        Slot { key, known: Some(known.clone()), said: *known == rows[at] }
                    }
                    Some(_) => {
                        again.push(at);
                        continue;
                    }
                };
                slots[at] = Some(slot);
            }
            open = again;
        }
        Ok(slots.into_iter().flatten().collect())
    }

    /// The rows with these keys: the run that saw them last, and their cells.
    fn there(
        &mut self,
        table: &str,
        schema: &Schema,
        names: &[String],
    ) -> Result<HashMap<String, (i64, Vec<Cell>)>, Error> {
        let mut sql = "SELECT \"key\", run".to_owned();
        let mut kinds = vec![Kind::Text, Kind::Integer];
        for column in &schema.columns {
            sql.push_str(", ");
            sql.push_str(&quoted(&column.name));
            kinds.push(column.kind);
        }
        let elements = self.database.elements("$1");
        sql.push_str(&format!(" FROM {} WHERE \"key\" IN ({elements})", self.database.table(table)));
        let rows = self.database.query(&sql, &[Cell::Text(Json::from(names).to_string())], &kinds)?;
        let entry = |mut row: Vec<Cell>| match (row.remove(0), row.remove(0)) {
            (Cell::Text(key), Cell::Integer(run)) => Some((key, (run, row))),
            _ => None,
        };
        Ok(rows.into_iter().filter_map(entry).collect())
    }

    /// Writes the rows, and the history of what changed.
    fn write(
        &mut self,
        table: &str,
        sheet: &Sheet,
        schema: &Schema,
        rows: Vec<Vec<Cell>>,
        slots: Vec<Slot>,
    ) -> Result<(usize, usize), Error> {
        let (mut new, mut changed) = (0, 0);
        let mut history: Vec<Vec<Cell>> = Vec::new();
        let mut written: Vec<Vec<Cell>> = Vec::new();
        let (run, now) = (Cell::Integer(self.run), Cell::Text(self.now.clone()));
        for ((row, cells), slot) in sheet.rows.iter().zip(rows).zip(slots) {
            if slot.said {
                continue;
            }
            match &slot.known {
                None => new += 1,
                Some(known) => {
                    let before = history.len();
                    let both = schema.columns.iter().zip(known).zip(&cells);
                    for ((column, old), new) in both.filter(|((_, old), new)| old != new) {
                        let place = [table, &slot.key, &column.name].map(Cell::text);
                        let values = [old.or_null(), new.or_null(), run.clone(), now.clone()];
                        history.push(place.into_iter().chain(values).collect());
                    }
                    changed += usize::from(history.len() > before);
                }
            }
            let origin = [Cell::text(&row.page), row.region.clone(), Cell::text(&row.method), run.clone()];
            let times = [run.clone(), now.clone(), now.clone()];
            written
                .push([Cell::Text(slot.key)].into_iter().chain(cells).chain(origin).chain(times).collect());
        }
        let own = ["page", "region", "method", "run", "last_seen"];
        let data: Vec<String> = schema.columns.iter().map(|column| quoted(&column.name)).collect();
        let updates: Vec<String> = data
            .iter()
            .cloned()
            .chain(own.map(quoted))
            .map(|name| format!("{name} = excluded.{name}"))
            .collect();
        let tail = format!(" ON CONFLICT (\"key\") DO UPDATE SET {}", updates.join(", "));
        let names = ["page", "region", "method", "run", "first_run", "first_seen", "last_seen"];
        let names: Vec<String> = [quoted("key")].into_iter().chain(data).chain(names.map(quoted)).collect();
        let moments: Vec<bool> = (0..names.len()).map(|at| at + 2 >= names.len()).collect();
        sql::insert(self.database, table, &names, &moments, &written, &tail)?;
        let names = ["table_name", "key", "column_name", "old", "new", "run", "changed_at"];
        let moments = [false, false, false, false, false, false, true];
        sql::insert(self.database, HISTORY, &names.map(quoted), &moments, &history, "")?;
        Ok((new, changed))
    }
}
