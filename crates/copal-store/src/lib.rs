//! Records kept over runs.
//!
//! In: pages in order, each a name and an [`Answer`]. Out: tables in a database that grow with what is found, one
//! transaction a page; [`Parquet`] files; and [`diff`]: what is new, gone and changed between two runs, or two files.
//!
//! A database has
//! - a table for the lists (`records`) and one for objects' own pages (`objects`), or one for both with a name of its own. Each row is a
//!   record, with a `key` (its own address, or what stays of its texts), its columns, and where it comes from: `page`, `region`, `method`, `run`, `first_run`,
//!   `first_seen`, `last_seen`;
//! - `runs`, one row a run, and `history`, one row for each value that a later run found changed;
//! - `copal_columns`, which column of a table is what. It also tells our tables from those of others.
//!
//! Two records of one page are two rows, also if their keys are equal (the second is `key#2`). A record that stands on several
//! pages of a run is one row if they say the same of it, else one row for each thing they say. So nothing that was found is lost, and
//! a row says what the last page that showed its record said: a value that is not there any more is empty, and in the history. And
//! the same pages read again change nothing but `last_seen` and `run`. Time and memory are linear in a page's cells.
//!
//! [`Answer`]: copal_extract::Answer

mod cell;
mod database;
pub mod diff;
mod keys;
mod moment;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet;
mod parts;
#[cfg(feature = "postgres")]
mod postgres;
mod records;
mod schema;
mod sheet;
mod sql;
mod sqlite;
mod store;

pub use crate::parquet::Parquet;
pub use crate::sheet::Reading;
pub use crate::store::{Store, Summary};

use std::path::PathBuf;

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A file of SQLite.
    Sqlite(PathBuf),
    /// The address of a PostgreSQL database.
    Postgres(String),
}

impl Place {
    /// The database that a name means: `postgres://…`, or a file that ends in `.sqlite`, `.sqlite3` or `.db`.
    pub fn of(name: &std::path::Path) -> Option<Place> {
        let text = name.to_str().unwrap_or_default();
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Some(Place::Postgres(text.to_owned()));
        }
        let ending = name.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        matches!(ending, "sqlite" | "sqlite3" | "db").then(|| Place::Sqlite(name.to_owned()))
    }

    /// Its name as it may be shown: without user and password.
    pub fn shown(&self) -> String {
        match self {
            Place::Sqlite(path) => path.display().to_string(),
            Place::Postgres(address) => without_secrets(address),
        }
    }
}

/// An address without what stands before its `@`, and without its options, which may have a password.
pub fn without_secrets(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let rest = rest.split('?').next().unwrap_or_default();
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{rest}")
}

/// A short name of a text, the same on every machine.
pub fn fingerprint(text: &str) -> String {
    keys::hash(&[text.to_owned()]).chars().skip(1).take(8).collect()
}

/// Why something cannot be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process has the database.
    #[error("another process is writing to it: try again when that is done")]
    Busy,
    /// A table of this name is not ours.
    #[error(
        "the table {0:?} is there and not copal's: choose another database, or another name with --table"
    )]
    Foreign(String),
    /// Something is wrong with where it is to be kept.
    #[error("{0}")]
    Place(String),
    /// The database says no.
    #[error("the database says: {0}")]
    Database(String),
    /// A run, table or column that is asked for is not there.
    #[error("{0}")]
    Missing(String),
}

/// Opens a database to write, if the tables that are to be written are ours or not there yet.
fn open(place: &Place, tables: &[&str]) -> Result<Box<dyn database::Database>, Error> {
    match place {
        Place::Sqlite(path) => {
            let mut database = sqlite::Sqlite::open(path)?;
            sql::check(&mut database, tables)?;
            database.prepare()?;
            Ok(Box::new(database))
        }
        #[cfg(feature = "postgres")]
        Place::Postgres(address) => {
            let mut database = postgres::Postgres::connect(address)?;
            sql::check(&mut database, tables)?;
            Ok(Box::new(database))
        }
        #[cfg(not(feature = "postgres"))]
        Place::Postgres(_) => Err(without_postgres()),
    }
}

/// Opens a database to read.
fn open_to_read(place: &Place) -> Result<Box<dyn database::Database>, Error> {
    match place {
        Place::Sqlite(path) => Ok(Box::new(sqlite::Sqlite::read(path)?)),
        #[cfg(feature = "postgres")]
        Place::Postgres(address) => Ok(Box::new(postgres::Postgres::connect(address)?)),
        #[cfg(not(feature = "postgres"))]
        Place::Postgres(_) => Err(without_postgres()),
    }
}

#[cfg(not(feature = "postgres"))]
fn without_postgres() -> Error {
    Error::Place("this copal was built without PostgreSQL (cargo feature postgres)".into())
}
