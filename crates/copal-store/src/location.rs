//! Where a database is, and how it is opened.
//!
//! In: a file name or URL. Out: an open [`Database`] whose tables are copal's and whose layout this build
//! knows.

use crate::database::Database;
use crate::error::StoreError;
use crate::{layout_version, statements};
use std::path::{Path, PathBuf};

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DatabaseLocation {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// The URL of a PostgreSQL database.
    Postgres(String),
}

impl DatabaseLocation {
    /// The database that a name means: `postgres://…`, or a file that ends in `.sqlite`, `.sqlite3` or `.db`.
    pub fn from_name(name: &Path) -> Option<DatabaseLocation> {
        let text = name.to_str().unwrap_or_default();
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Some(DatabaseLocation::Postgres(text.to_owned()));
        }
        let ending = name.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        matches!(ending, "sqlite" | "sqlite3" | "db").then(|| DatabaseLocation::Sqlite(name.to_owned()))
    }

    /// The name for messages: without user and password.
    pub fn display_name(&self) -> String {
        match self {
            DatabaseLocation::Sqlite(path) => path.display().to_string(),
            DatabaseLocation::Postgres(url) => without_credentials(url),
        }
    }

    /// Opens a database for writing, if the tables to write are copal's or do not exist yet. Nothing is
    /// changed before these checks have passed.
    pub(crate) fn open_for_writing(&self, tables: &[&str]) -> Result<Box<dyn Database>, StoreError> {
        let mut database = self.connect(true)?;
        statements::refuse_foreign_tables(&mut *database, tables)?;
        layout_version::check(&mut *database)?;
        database.prepare_for_writing()?;
        Ok(database)
    }

    /// Opens a database for reading.
    pub(crate) fn open_for_reading(&self) -> Result<Box<dyn Database>, StoreError> {
        let mut database = self.connect(false)?;
        layout_version::check(&mut *database)?;
        Ok(database)
    }

    fn connect(&self, for_writing: bool) -> Result<Box<dyn Database>, StoreError> {
        match self {
            DatabaseLocation::Sqlite(path) => sqlite(path, for_writing),
            DatabaseLocation::Postgres(url) => postgres(url),
        }
    }
}

#[cfg(feature = "sqlite")]
fn sqlite(path: &Path, for_writing: bool) -> Result<Box<dyn Database>, StoreError> {
    use crate::sqlite::Sqlite;
    Ok(Box::new(if for_writing { Sqlite::open_or_create(path)? } else { Sqlite::open_existing(path)? }))
}

#[cfg(not(feature = "sqlite"))]
fn sqlite(_: &Path, _: bool) -> Result<Box<dyn Database>, StoreError> {
    Err(StoreError::MissingFeature { database: "SQLite", feature: "sqlite" })
}

#[cfg(feature = "postgres")]
fn postgres(url: &str) -> Result<Box<dyn Database>, StoreError> {
    Ok(Box::new(crate::postgres::Postgres::connect(url)?))
}

#[cfg(not(feature = "postgres"))]
fn postgres(_: &str) -> Result<Box<dyn Database>, StoreError> {
    Err(StoreError::MissingFeature { database: "PostgreSQL", feature: "postgres" })
}

/// A URL without user and password, and without its query, which may contain a password.
pub fn without_credentials(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let rest = rest.split('?').next().unwrap_or_default();
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_recognised_by_their_names() {
        let from = |name: &str| DatabaseLocation::from_name(Path::new(name));
        assert_eq!(from("a/data.sqlite"), Some(DatabaseLocation::Sqlite("a/data.sqlite".into())));
        assert!(from("data.db").is_some() && from("data.csv").is_none() && from("sqlite").is_none());
        let url = "postgres://ann:secret@db.example:5433/shop?password=hidden";
        assert_eq!(from(url).unwrap().display_name(), "postgres://db.example:5433/shop");
    }

    #[cfg(not(feature = "postgres"))]
    #[test]
    fn without_postgres_the_error_names_the_feature() {
        let location = DatabaseLocation::Postgres("postgres://ann@db.example/shop".into());
        let error = location.open_for_reading().err().unwrap().to_string();
        assert_eq!(error, "this build has no PostgreSQL support: rebuild with --features postgres");
    }

    #[cfg(not(feature = "sqlite"))]
    #[test]
    fn without_sqlite_the_error_names_the_feature() {
        let location = DatabaseLocation::Sqlite("data.sqlite".into());
        let error = location.open_for_reading().err().unwrap().to_string();
        assert_eq!(error, "this build has no SQLite support: rebuild with --features sqlite");
    }
}
