//! What is stored can be read again, some records at a time.

#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used)]

mod support;

use copal_output::rows::RowValue;
use copal_store::{StoreError, last_runs, read_records, stored_tables};
use support::{Case, LAMPS, page};

#[test]
fn records_are_read_in_the_order_in_which_they_were_stored() {
    let case = Case::new();
    case.run(&[("lamps.html", &page(&LAMPS))]);
    case.run(&[("lamps.html", &page(&LAMPS))]);
    let location = case.location();
    assert_eq!(stored_tables(&location).unwrap(), ["records"]);
    let all = read_records(&location, None, 0, 100).unwrap();
    assert_eq!((all.table.as_deref(), all.total, all.rows.len()), (Some("records"), 4, 4));
    let at = |name: &str| all.columns.iter().position(|column| column == name).unwrap();
    assert_eq!(all.rows[0][at("title")], RowValue::text("Blue lamp"));
    assert_eq!(all.rows[0][at("price_amount")], RowValue::Real(12.0));
    assert_eq!(all.rows[0][at("first_run")], RowValue::Integer(1));
    assert!(matches!(&all.rows[0][at("last_seen")], RowValue::Text(time) if time.len() == 20));
    let some = read_records(&location, Some("records"), 1, 2).unwrap();
    assert_eq!((some.total, some.rows.as_slice()), (4, &all.rows[1..3]));
    let beyond = read_records(&location, None, usize::MAX, usize::MAX).unwrap();
    assert!(beyond.rows.is_empty());
    let unknown = read_records(&location, Some("runs\"; --"), 0, 1);
    assert!(matches!(unknown, Err(StoreError::UnknownTable { .. })));
}

#[test]
fn runs_are_listed_with_their_sizes_the_last_first() {
    let case = Case::new();
    case.run(&[("lamps.html", &page(&LAMPS))]);
    case.run(&[("lamps.html", &page(&LAMPS[..3]))]);
    let runs = last_runs(&case.location(), 10).unwrap();
    let sizes: Vec<(i64, i64, i64)> = runs.iter().map(|run| (run.id, run.pages, run.records)).collect();
    assert_eq!(sizes, [(2, 1, 3), (1, 1, 4)]);
    assert!(runs.iter().all(|run| run.finished.is_some() && run.outcome.as_deref() == Some("done")));
    assert_eq!(last_runs(&case.location(), 1).unwrap().len(), 1);
}

#[test]
fn a_database_that_copal_has_not_written_to_has_nothing() {
    let case = Case::new();
    rusqlite::Connection::open(case.file()).unwrap().execute("CREATE TABLE other (x)", []).unwrap();
    assert!(stored_tables(&case.location()).unwrap().is_empty());
    assert!(last_runs(&case.location(), 10).unwrap().is_empty());
    let read = read_records(&case.location(), None, 0, 10).unwrap();
    assert_eq!((read.table, read.total), (None, 0));
}
