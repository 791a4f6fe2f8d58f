//! A table that is computed from the records, such as which of them are the same. It has no history: it is replaced.
//!
//! In: columns and rows. Out: the table, in one transaction. O(rows).

use crate::database::{in_transaction, quoted};
use crate::error::StoreError;
use crate::location::DatabaseLocation;
use copal_output::rows::{ColumnType, RowValue};

/// The table of the records that several sites have.
const MATCHES_TABLE: &str = "copal_matches";
const MATCH_COLUMNS: [(&str, ColumnType); 7] = [
    ("match_group", ColumnType::Integer),
    ("site", ColumnType::Text),
    ("key", ColumnType::Text),
    ("other_site", ColumnType::Text),
    ("other_key", ColumnType::Text),
    ("confidence", ColumnType::Real),
    ("reasons", ColumnType::Text),
];

/// A pair of records that are probably the same thing.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchRow {
    /// The number of its group, from 1; 0 if it is in none.
    pub group: usize,
    /// Site and key of both records.
    pub records: [(String, String); 2],
    /// How sure it is.
    pub confidence: f64,
    /// Why.
    pub reasons: String,
}

/// Replaces the table `copal_matches`. It joins records with `key`.
pub fn write_matches(location: &DatabaseLocation, rows: &[MatchRow]) -> Result<(), StoreError> {
    let mut database = location.open_for_writing(&[])?;
    in_transaction(database.as_mut(), |database| {
        let table = database.quoted_table(MATCHES_TABLE);
        database.execute(&format!("DROP TABLE IF EXISTS {table}"), &[])?;
        let columns = MATCH_COLUMNS
            .map(|(name, column_type)| format!("{} {}", quoted(name), database.sql_type(column_type)));
        database.execute(&format!("CREATE TABLE {table} ({})", columns.join(", ")), &[])?;
        let parameters: Vec<String> = (1..=MATCH_COLUMNS.len()).map(|at| format!("${at}")).collect();
        let insert = format!("INSERT INTO {table} VALUES ({})", parameters.join(", "));
        for row in rows {
            let [(site, key), (other_site, other_key)] = &row.records;
            let group = if row.group == 0 { RowValue::Null } else { RowValue::count(row.group) };
            let texts = [site, key, other_site, other_key].map(|text| RowValue::text(text));
            let rest = [RowValue::Real(row.confidence), RowValue::text(&row.reasons)];
            let values: Vec<RowValue> = [group].into_iter().chain(texts).chain(rest).collect();
            database.execute(&insert, &values)?;
        }
        Ok(())
    })
}

#[cfg(all(test, feature = "sqlite"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Store;
    use copal_output::rows::RowOptions;

    #[test]
    fn matches_are_replaced_and_are_no_table_of_records() {
        let folder = tempfile::tempdir().unwrap();
        let location = DatabaseLocation::Sqlite(folder.path().join("a.sqlite"));
        Store::begin(&location, None, "test", RowOptions::default()).unwrap().finish("done").unwrap();
        let record = |site: &str| (site.to_owned(), format!("https://{site}/1"));
        let row = MatchRow {
            group: 1,
            records: [record("a.example"), record("b.example")],
            confidence: 0.9,
            reasons: "title the same".to_owned(),
        };
        write_matches(&location, &[row.clone(), MatchRow { group: 0, ..row.clone() }]).unwrap();
        write_matches(&location, &[row]).unwrap();
        let database = &mut *location.open_for_reading().unwrap();
        let sql = "SELECT count(*) FROM copal_matches WHERE other_key = 'https://b.example/1'";
        let rows = database.query(sql, &[], &[ColumnType::Integer]).unwrap();
        assert_eq!(rows, [[RowValue::Integer(1)]]);
        assert!(!crate::stored_tables(&location).unwrap().contains(&MATCHES_TABLE.to_owned()));
    }
}
