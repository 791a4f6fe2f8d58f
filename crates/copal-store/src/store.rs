//! A run that stores its pages in a database. The documentation of the crate says what is stored.
//!
//! In: pages in order. Out: one transaction per page, and a [`RunSummary`]. Pages of a list that is still
//! being read are stored too, until the complete list replaces them. O(cells) and a few statements per page.

use crate::column_aliases::ColumnAlias;
use crate::database::{Database, in_transaction};
use crate::error::StoreError;
use crate::location::DatabaseLocation;
use crate::page_writer::{PageWriter, WrittenRows};
use crate::provisional_rows::ProvisionalRows;
use crate::statements::{self, OWN_TABLES, RUNS_TABLE};
use crate::{layout_version, timestamp};
use copal_model::Answer;
use copal_output::rows::{ColumnType, PageRows, RowOptions, RowValue, nested_rows, page_rows};
use std::collections::HashMap;

/// Longest name of a table in bytes.
const MAX_TABLE_NAME_BYTES: usize = 60;

/// What the name of the table of nested lists ends in.
const NESTED_TABLE_ENDING: &str = "_children";

/// What a run has done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunSummary {
    /// The number of the run.
    pub run: i64,
    /// Pages that were stored.
    pub pages: usize,
    /// Records on them.
    pub records: usize,
    /// Records that the table did not have.
    pub new: usize,
    /// Records of which a value changed.
    pub changed: usize,
    /// Columns that are stored under another name. The caller should report them to the user.
    pub aliases: Vec<ColumnAlias>,
}

/// An open database with a run in it.
pub struct Store {
    database: Box<dyn Database>,
    options: RowOptions,
    /// The tables of lists and of objects.
    tables: [String; 2],
    /// The table of the lists inside records.
    nested_table: String,
    /// The run that the first page adds; `None` once it is there.
    unadded_run: Option<UnaddedRun>,
    summary: RunSummary,
    /// Pages of lists that are still being read, by the name of the list.
    provisional: HashMap<String, ProvisionalRows>,
}

/// A run that has no number yet: one that is refused before its first page, because of a wrong option, uses none up.
struct UnaddedRun {
    started: String,
    command: String,
}

impl Store {
    /// Opens a database and begins a run, which gets its number with the first page. Lists and objects are stored in
    /// `table`, or else in `records` and `objects`; lists inside records in `records_children`. `command` describes
    /// the run.
    pub fn begin(
        location: &DatabaseLocation,
        table: Option<&str>,
        command: &str,
        options: RowOptions,
    ) -> Result<Store, StoreError> {
        let tables = match table {
            Some(name) => [valid_table_name(name)?, name.to_owned()],
            None => ["records".to_owned(), "objects".to_owned()],
        };
        let nested_table = nested_table_name(&tables[0]);
        let mut database = location.open_for_writing(&tables.each_ref().map(String::as_str))?;
        in_transaction(database.as_mut(), |database| {
            statements::create_own_tables(database)?;
            layout_version::write(database)?;
            statements::forget_dropped_tables(database, &tables)?;
            statements::forget_dropped_tables(database, std::slice::from_ref(&nested_table))
        })?;
        let unadded_run = Some(UnaddedRun { started: timestamp::now(), command: command.to_owned() });
        let (summary, provisional) = (RunSummary::default(), HashMap::new());
        Ok(Store { database, options, tables, nested_table, unadded_run, summary, provisional })
    }

    /// Adds the run to the table of runs, unless it is there, and returns its number.
    fn add_run(&mut self) -> Result<i64, StoreError> {
        if let Some(run) = &self.unadded_run {
            self.summary.run = in_transaction(self.database.as_mut(), |database| insert_run(database, run))?;
            self.unadded_run = None;
        }
        Ok(self.summary.run)
    }

    /// The site that the following pages are from, for a table with records of several sites.
    pub fn set_site(&mut self, site: &str) {
        self.options.site = Some(site.to_owned());
    }

    /// Stores a page, completely or not at all. `name` is the file or URL that the page was read from.
    /// Replaces the provisional pages with this name.
    pub fn page(&mut self, name: &str, extraction: &Answer) -> Result<(), StoreError> {
        let run = self.add_run()?;
        let provisional = self.provisional.remove(name).unwrap_or_default();
        let mut page = page_rows(name, extraction, &self.options);
        let before = self.summary.clone();
        let mut summary = before.clone();
        // a list that was followed is one answer from several pages
        let pages = extraction.followed.as_ref().map_or(1, |followed| followed.pages.len().max(1));
        summary.pages = before.pages + pages - provisional.pages;
        summary.records -= provisional.records;
        summary.new -= provisional.new;
        summary.changed -= provisional.changed;
        let (tables, nested_table, options) = (&self.tables, &self.nested_table, &self.options);
        self.summary = in_transaction(self.database.as_mut(), |database| {
            provisional.take_back(database, run)?;
            let values_before = |table: &str, key: &str| provisional.values_before(table, key).cloned();
            let mut writer = PageWriter::new(database, run, timestamp::now(), &values_before);
            let mut lists = extraction.regions.iter();
            for rows in &mut page {
                let written = writer.write(&tables[usize::from(rows.is_object)], rows)?;
                summary.add(rows, &written);
                // rows of lists are in the order of the lists, after those of an object
                let Some(list) = (!rows.is_object).then(|| lists.next()).flatten() else { continue };
                let url = extraction.page.url.as_deref().unwrap_or(name);
                let mut nested = nested_rows(url, list, &written.keys, options);
                if !nested.rows.is_empty() {
                    writer.write(nested_table, &mut nested)?;
                }
            }
            count_in_run(database, &before, &summary)?;
            Ok(summary)
        })?;
        Ok(())
    }

    /// Stores a page of a list that is still being read, completely or not at all. If the run is killed, the
    /// page stays; otherwise the complete list with the same `name` replaces it ([`Store::page`]). Lists inside its
    /// records are only in the column of nested lists until then.
    pub fn provisional_page(&mut self, name: &str, extraction: &Answer) -> Result<(), StoreError> {
        self.add_run()?;
        let mut page = page_rows(name, extraction, &self.options);
        let before = self.summary.clone();
        let mut summary = before.clone();
        summary.pages += 1;
        let (tables, provisional) = (&self.tables, self.provisional.entry(name.to_owned()).or_default());
        provisional.pages += 1;
        self.summary = in_transaction(self.database.as_mut(), |database| {
            let mut writer = PageWriter::new(database, summary.run, timestamp::now(), &|_, _| None);
            for rows in &mut page {
                let table = &tables[usize::from(rows.is_object)];
                let written = writer.write(table, rows)?;
                summary.add(rows, &written);
                provisional.add(table, written, rows.rows.len());
            }
            count_in_run(database, &before, &summary)?;
            Ok(summary)
        })?;
        Ok(())
    }

    /// Ends the run; `outcome` says how.
    pub fn finish(mut self, outcome: &str) -> Result<RunSummary, StoreError> {
        let run = RowValue::Integer(self.add_run()?);
        in_transaction(self.database.as_mut(), |database| {
            let sql = format!(
                "UPDATE {} SET finished = {}, outcome = $2 WHERE id = $3",
                database.quoted_table(RUNS_TABLE),
                database.timestamp_value("$1")
            );
            database.execute(&sql, &[RowValue::Text(timestamp::now()), RowValue::text(outcome), run])
        })?;
        Ok(self.summary)
    }
}

impl RunSummary {
    fn add(&mut self, rows: &PageRows, written: &WrittenRows) {
        self.records += rows.rows.len();
        self.new += written.new;
        self.changed += written.changed;
        for alias in &written.aliases {
            if !self.aliases.contains(alias) {
                self.aliases.push(alias.clone());
            }
        }
    }
}

/// Writes to the table of runs what a page has added.
fn count_in_run(
    database: &mut dyn Database,
    before: &RunSummary,
    after: &RunSummary,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {} SET pages = pages + $1 - $2, records = records + $3 - $4 WHERE id = $5",
        database.quoted_table(RUNS_TABLE)
    );
    let counts = [after.pages, before.pages, after.records, before.records].map(RowValue::count);
    let values: Vec<RowValue> = counts.into_iter().chain([RowValue::Integer(after.run)]).collect();
    database.execute(&sql, &values)
}

/// Adds a run and returns its number.
fn insert_run(database: &mut dyn Database, run: &UnaddedRun) -> Result<i64, StoreError> {
    let sql = format!(
        "INSERT INTO {} (started, command, copal) VALUES ({}, $2, $3) RETURNING id",
        database.quoted_table(RUNS_TABLE),
        database.timestamp_value("$1")
    );
    let version = RowValue::text(env!("CARGO_PKG_VERSION"));
    let values = [RowValue::text(&run.started), RowValue::text(&run.command), version];
    let rows = database.query(&sql, &values, &[ColumnType::Integer])?;
    match rows.first().and_then(|row| row.first()) {
        Some(RowValue::Integer(run)) => Ok(*run),
        _ => Err(StoreError::Database("the new run has no number".into())),
    }
}

/// The table of the lists inside the records of a table. Names of databases have at most 63 bytes.
fn nested_table_name(table: &str) -> String {
    let mut end = table.len().min(MAX_TABLE_NAME_BYTES + 3 - NESTED_TABLE_ENDING.len());
    while !table.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{NESTED_TABLE_ENDING}", &table[..end])
}

fn valid_table_name(name: &str) -> Result<String, StoreError> {
    let is_own = OWN_TABLES.iter().any(|own| own.eq_ignore_ascii_case(name));
    let is_invalid = name.trim().is_empty()
        || name.len() > MAX_TABLE_NAME_BYTES
        || name.contains(|c: char| c.is_control())
        || name.to_ascii_lowercase().starts_with("sqlite_");
    if is_own || is_invalid {
        let name = name.to_owned();
        return Err(StoreError::InvalidTableName {
            name,
            max_bytes: MAX_TABLE_NAME_BYTES,
            reserved: OWN_TABLES,
        });
    }
    Ok(name.to_owned())
}
