//! What a database must be able to do.
//!
//! The statements are the same for all databases (see [`crate::statements`]); the differences are behind this
//! trait.

use crate::error::StoreError;
use copal_output::rows::{ColumnType, RowValue};

/// An open database. Parameters are `$1`, `$2` …, and appear in this order for the first time.
pub(crate) trait Database: Send {
    /// Runs a statement.
    fn execute(&mut self, sql: &str, parameters: &[RowValue]) -> Result<(), StoreError>;

    /// Runs a query whose columns have these types.
    fn query(
        &mut self,
        sql: &str,
        parameters: &[RowValue],
        types: &[ColumnType],
    ) -> Result<Vec<Vec<RowValue>>, StoreError>;

    /// Begins a transaction that excludes all other writers.
    fn begin(&mut self) -> Result<(), StoreError>;

    /// Names of the existing tables and views.
    fn table_names(&mut self) -> Result<Vec<String>, StoreError>;

    /// The name of a table, quoted for a statement.
    fn quoted_table(&self, name: &str) -> String;

    /// The SQL type of a column.
    fn sql_type(&self, column_type: ColumnType) -> &'static str;

    /// The SQL type of a timestamp.
    fn timestamp_type(&self) -> &'static str;

    /// A text parameter that holds a timestamp, as a value of that type.
    fn timestamp_value(&self, parameter: &str) -> String;

    /// The definition of a column that the database numbers.
    fn identity_column(&self) -> &'static str;

    /// What rows are ordered by to have the order in which they were first stored, as far as that is known.
    fn insertion_order(&self) -> &'static str;

    /// A query for the texts of a parameter that is a JSON array.
    fn json_elements(&self, parameter: &str) -> String;

    /// Statements that widen a column, including its values.
    fn widen_statements(&self, table: &str, column: &str, from: ColumnType, to: ColumnType) -> Vec<String>;

    /// Settings for writing. They may change the file, so they come after all checks.
    fn prepare_for_writing(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Commits the transaction.
    fn commit(&mut self) -> Result<(), StoreError> {
        self.execute("COMMIT", &[])
    }

    /// Rolls the transaction back. A failure is ignored: a lost connection has rolled it back already.
    fn rollback(&mut self) {
        let _ = self.execute("ROLLBACK", &[]);
    }
}

/// Runs work in one transaction, which is rolled back if the work fails.
pub(crate) fn in_transaction<T>(
    database: &mut dyn Database,
    work: impl FnOnce(&mut dyn Database) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    database.begin()?;
    let done = work(database).and_then(|value| database.commit().map(|()| value));
    if done.is_err() {
        database.rollback();
    }
    done
}

/// A name, quoted for a statement.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\"").replace('\0', ""))
}
