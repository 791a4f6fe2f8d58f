//! Why records cannot be stored, read or compared.

use std::path::PathBuf;

/// Why records cannot be stored, read or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process holds the database.
    #[error("another process is writing to it: try again when that is done")]
    Busy,
    /// A table with this name was not created by copal.
    #[error(
        "the table {0:?} exists and is not copal's: choose another database, or another name with --table"
    )]
    ForeignTable(String),
    /// The name cannot be the name of a table.
    #[error(
        "{name:?} cannot be the name of a table: expected at most {max_bytes} bytes, \
         and none of the names that copal \
         uses itself ({})", reserved.join(", ")
    )]
    InvalidTableName {
        /// The name that was asked for.
        name: String,
        /// The longest name.
        max_bytes: usize,
        /// The names of copal's own tables.
        reserved: &'static [&'static str],
    },
    /// The name of the file leaves no room for the names of SQLite's own files.
    #[error("the name is too long: expected at most {max_bytes} bytes, because SQLite adds to it")]
    LongFileName {
        /// The longest name.
        max_bytes: usize,
    },
    /// The database was written by a newer copal.
    #[error(
        "it was written by a newer copal (schema version {found}, this build knows {known}): \
         update copal, or choose \
         another database"
    )]
    NewerSchema {
        /// The version in the database.
        found: i64,
        /// The newest version that this build knows.
        known: i64,
    },
    /// The version in the database is not one that this build can read.
    #[error(
        "its schema version is {found:?}, expected a number from {oldest} to {known}: \
         use the copal version that wrote \
         it, or start a new database"
    )]
    UnknownSchema {
        /// The version in the database.
        found: String,
        /// The oldest version that this build can read.
        oldest: i64,
        /// The newest version that this build knows.
        known: i64,
    },
    /// Support for the database was left out of this build.
    #[error("this build has no {database} support: rebuild with --features {feature}")]
    MissingFeature {
        /// The name of the database.
        database: &'static str,
        /// The cargo feature that adds it.
        feature: &'static str,
    },
    /// The path of a database is a folder.
    #[error("is a folder: expected a file name")]
    IsFolder,
    /// The folder of a database does not exist.
    #[error("folder {} does not exist: create it first", .0.display())]
    MissingFolder(PathBuf),
    /// A file to read does not exist.
    #[error("no such file")]
    MissingFile,
    /// A file to read may not be read.
    #[error("permission denied")]
    PermissionDenied,
    /// The file is not a SQLite database.
    #[error("not a SQLite database: choose another name, or move the file")]
    NotSqlite,
    /// The file or its disk is read-only.
    #[error("cannot be written: read-only")]
    ReadOnly,
    /// The file cannot be opened.
    #[error("the file cannot be opened or made: check the folder and its permissions")]
    CannotOpen,
    /// The disk is full.
    #[error("no space left on the device")]
    DiskFull,
    /// The operating system failed to write.
    #[error("cannot be written: the disk is full, a limit is reached, or it fails")]
    WriteFailed,
    /// The database file is corrupt.
    #[error("the database is damaged")]
    Damaged,
    /// The URL of a PostgreSQL database is not valid.
    #[error("not the URL of a database, expected postgres://user@host/database{0}")]
    InvalidUrl(String),
    /// The server cannot be reached, or refuses the connection.
    #[error("cannot connect: {0}")]
    CannotConnect(String),
    /// The connection has no current schema.
    #[error("no schema to create tables in: set search_path in the options of the URL")]
    MissingSchema,
    /// The database refused a statement.
    #[error("the database says: {0}")]
    Database(String),
    /// The database has no runs.
    #[error("no run of copal is in this database")]
    NoRuns,
    /// The database does not have the run that was asked for.
    #[error("no run {0} in this database")]
    UnknownRun(i64),
    /// There is nothing to compare.
    #[error("fewer than two runs have finished")]
    TooFewRuns,
    /// The database does not have the table that was asked for.
    #[error("no table {name:?} of copal: there are {}", existing.join(", "))]
    UnknownTable {
        /// The name that was asked for.
        name: String,
        /// The tables of copal.
        existing: Vec<String>,
    },
    /// The ending of a file names no format that can be compared.
    #[error("cannot be compared: expected a name that ends in .csv, .json or .jsonl")]
    UnknownFileFormat,
    /// A file does not have the format that its ending names.
    #[error("not a {format} file: {reason}")]
    InvalidFile {
        /// The name of the format.
        format: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Io(std::io::Error),
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> StoreError {
        match error.kind() {
            std::io::ErrorKind::NotFound => StoreError::MissingFile,
            std::io::ErrorKind::PermissionDenied => StoreError::PermissionDenied,
            _ => StoreError::Io(error),
        }
    }
}
