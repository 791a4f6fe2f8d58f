//! Records stored over many runs, and the differences between two runs.
//!
//! In: pages in order, each a name and an [`Answer`](copal_model::Answer). Out: database tables
//! that grow with what is found, in one transaction per page ([`Store`]); and what is new, gone and changed
//! between two runs ([`compare_runs`]), in every run of one command ([`WatchedRuns`]) or between two files ([`compare`]);
//! and what is stored ([`read_records`], [`last_runs`]).
//!
//! A database has
//! - a table for lists (`records`) and one for the objects of detail pages (`objects`), or one table with
//!   another name for both. Each row is a record with a `key` (its URL, or a hash of its stable texts), its
//!   columns, and its origin: `page`, `region`, `method`, `run`, `first_run`, `first_seen`, `last_seen`;
//! - `runs`, one row per run, and `history`, one row per value that a later run found changed;
//! - `copal_columns`, what each column of a table stores, which also tells copal's tables from others;
//! - `copal_aliases`, columns that a later run gave another name (see [`ColumnAlias`]), and `copal_meta` with
//!   the version of this layout.
//!
//! Two records of one page are two rows, even if their keys are equal (the second is `key#2`). A record that
//! is on several pages of a run is one row if the pages agree, else one row per variant. So no record that
//! was found is lost, and a row has what the last page said: a value that is no longer there is null, and in
//! the history. Reading the same pages again changes only `last_seen` and `run`. Time and memory are linear
//! in the cells of a page.
//!
//! The cargo features `sqlite` (on by default) and `postgres` add the databases. Without a feature, opening
//! such a database fails with an error that names it.

// Without any database the code that writes SQL has no caller.
#![cfg_attr(not(any(feature = "sqlite", feature = "postgres")), allow(dead_code))]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod column_aliases;
mod command_changes;
mod database;
mod derived_table;
mod difference;
mod error;
mod layout_version;
mod location;
mod page_writer;
#[cfg(feature = "postgres")]
mod postgres;
mod provisional_rows;
mod record_file;
mod run_difference;
#[cfg(feature = "sqlite")]
mod sqlite;
mod statements;
mod store;
mod stored_records;
mod timestamp;

pub use crate::column_aliases::ColumnAlias;
pub use crate::command_changes::{MissingRecords, RunChanges, WatchedRuns};
pub use crate::derived_table::{MatchRow, write_matches};
pub use crate::difference::{ChangedRecord, Difference, KeyedRecord, ValueChange, compare};
pub use crate::error::StoreError;
pub use crate::location::{DatabaseLocation, without_credentials};
pub use crate::record_file::RecordFile;
pub use crate::run_difference::{StoredRun, compare_runs};
pub use crate::store::{RunSummary, Store};
pub use crate::stored_records::{StoredRecords, last_runs, read_records, stored_tables};
pub use copal_output::rows::RowOptions;

/// Characters of a [`short_hash`].
const SHORT_HASH_CHARS: usize = 8;

/// A short hash of a text, the same on every machine. White space is normalised first.
pub fn short_hash(text: &str) -> String {
    let hash = copal_output::rows::hash_texts(&[text.to_owned()]);
    hash.chars().skip(1).take(SHORT_HASH_CHARS).collect()
}
