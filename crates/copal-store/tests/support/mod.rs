//! Pages and databases for the tests of this crate.

#![allow(clippy::unwrap_used, dead_code)]

use copal_dom::{Limits, Page};
use copal_extract::{Answer, Request, extract};
use copal_store::{DatabaseLocation, RowOptions, RunSummary, Store, StoreError};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The URL of the test pages.
pub(crate) const SITE: &str = "https://shop.example/";

/// URL, title, price and description of a record.
pub(crate) type Lamp<'a> = (&'a str, &'a str, &'a str, &'a str);

/// A page with a list of these records.
pub(crate) fn page(records: &[Lamp<'_>]) -> Answer {
    page_at(SITE, records)
}

pub(crate) fn page_at(url: &str, records: &[Lamp<'_>]) -> Answer {
    let row = |(link, title, price, more): &Lamp<'_>| {
        let link =
            if link.is_empty() { (*title).to_owned() } else { format!("<a href='{link}'>{title}</a>") };
        format!("<li><h3>{link}</h3> <span class=price>{price}</span> <p class=about>{more}</p></li>")
    };
    let rows: String = records.iter().map(row).collect();
    let mut page = Page::from_text(&format!("<ul>{rows}</ul>"), &Limits::default());
    page.url = (!url.is_empty()).then(|| url.to_owned());
    let found = extract(&page, &Request::default());
    assert_eq!(found.primary().map_or(0, |list| list.records.len()), records.len(), "the list of the test");
    found
}

pub(crate) const LAMPS: [Lamp<'_>; 4] = [
    ("/1", "Blue lamp", "£12.00", "Small and round"),
    ("/2", "Red lamp", "£14.50", "For the desk"),
    ("/3", "Green lamp", "£9.99", "Made of glass"),
    ("/4", "White lamp", "£30.00", "A tall one"),
];

/// A folder with a database.
pub(crate) struct Case {
    folder: TempDir,
}

impl Case {
    pub(crate) fn new() -> Case {
        Case { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("data.sqlite")
    }

    pub(crate) fn location(&self) -> DatabaseLocation {
        DatabaseLocation::Sqlite(self.file())
    }

    pub(crate) fn begin(&self, table: Option<&str>) -> Result<Store, StoreError> {
        Store::begin(&self.location(), table, "copal test", RowOptions::default())
    }

    /// A run over pages.
    pub(crate) fn run(&self, pages: &[(&str, &Answer)]) -> RunSummary {
        let mut store = self.begin(None).unwrap();
        for (name, page) in pages {
            store.page(name, page).unwrap();
        }
        store.finish("done").unwrap()
    }

    /// Runs statements that are not copal's.
    pub(crate) fn execute(&self, sql: &str) {
        Connection::open(self.file()).unwrap().execute_batch(sql).unwrap();
    }

    /// The rows of a query, cells joined by `|`.
    pub(crate) fn rows(&self, sql: &str) -> Vec<String> {
        rows(&self.file(), sql)
    }
}

fn rows(file: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(file).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let text = |value: rusqlite::types::Value| match value {
        rusqlite::types::Value::Null => "-".to_owned(),
        rusqlite::types::Value::Integer(whole) => whole.to_string(),
        rusqlite::types::Value::Real(real) => format!("{real:?}"),
        rusqlite::types::Value::Text(text) => text,
        rusqlite::types::Value::Blob(_) => "blob".to_owned(),
    };
    let line = |row: &rusqlite::Row<'_>| {
        let cells: Vec<String> = (0..columns).map(|at| text(row.get(at).unwrap())).collect();
        Ok(cells.join("|"))
    };
    statement.query_map([], line).unwrap().map(Result::unwrap).collect()
}
