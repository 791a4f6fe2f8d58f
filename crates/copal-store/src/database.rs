//! What a database must be able to do. The statements are the same for all (see [`crate::sql`]); what differs is here.

use crate::Error;
use crate::cell::{Cell, Kind};

/// An open database. Parameters are `$1`, `$2` … and are first named in this order.
pub(crate) trait Database {
    /// Runs a statement.
    fn execute(&mut self, sql: &str, parameters: &[Cell]) -> Result<(), Error>;

    /// Runs a query; its columns have these kinds.
    fn query(&mut self, sql: &str, parameters: &[Cell], kinds: &[Kind]) -> Result<Vec<Vec<Cell>>, Error>;

    /// Begins a transaction, alone among all that write.
    fn begin(&mut self) -> Result<(), Error>;

    /// Names of the tables and views that are there.
    fn tables(&mut self) -> Result<Vec<String>, Error>;

    /// A table's name in a statement.
    fn table(&self, name: &str) -> String;

    /// The type of a column.
    fn type_of(&self, kind: Kind) -> &'static str;

    /// The type of a column with points in time.
    fn moment_type(&self) -> &'static str;

    /// A text parameter with a point in time, as a value of that type.
    fn moment(&self, parameter: &str) -> String;

    /// The definition of a column with numbers given by the database.
    fn numbered(&self) -> &'static str;

    /// A query of the texts in a parameter that is a JSON array.
    fn elements(&self, parameter: &str) -> String;

    /// Statements that make a column wider, values included.
    fn widen(&self, table: &str, column: &str, from: Kind, to: Kind) -> Vec<String>;

    /// Ends the transaction.
    fn commit(&mut self) -> Result<(), Error> {
        self.execute("COMMIT", &[])
    }

    /// Undoes the transaction. A connection that is gone has undone it already.
    fn rollback(&mut self) {
        let _ = self.execute("ROLLBACK", &[]);
    }
}

/// A name in a statement.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\"").replace('\0', ""))
}
