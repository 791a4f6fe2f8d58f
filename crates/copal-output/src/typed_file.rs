//! Files of typed columns: what Parquet and Arrow share.
//!
//! In: answers. Out: one table, which an encoder writes at the end, because the columns are those of all pages. A
//! column without values is not written. O(cells) in time and memory.

use crate::error::OutputError;
use crate::format::Format;
use crate::rows::{RowOptions, RowValue, TableColumn, TableContent, TypedTable};
use copal_model::Answer;
use std::fmt::Debug;
use std::io::Write;
use std::marker::PhantomData;

/// Writes a table in a file format.
pub trait TableEncoder: Debug + Default + Send {
    /// Writes all columns and rows.
    fn write(
        columns: &[TableColumn],
        rows: &[Vec<RowValue>],
        out: &mut (dyn Write + Send),
    ) -> Result<(), OutputError>;
}

/// Writes the rows of all pages into one file.
#[derive(Debug, Default)]
pub struct TypedFile<Encoder> {
    table: TypedTable,
    encoder: PhantomData<Encoder>,
}

impl<Encoder: TableEncoder> TypedFile<Encoder> {
    /// A file of records and objects, without pages.
    pub fn new(options: RowOptions) -> Self {
        TypedFile { table: TypedTable::of(TableContent::Records, options), encoder: PhantomData }
    }

    /// A file of the lists inside records, without pages. Its column `parent` has the keys of the file of records.
    pub fn nested(options: RowOptions) -> Self {
        TypedFile { table: TypedTable::of(TableContent::NestedRecords, options), encoder: PhantomData }
    }
}

impl<Encoder: TableEncoder> Format for TypedFile<Encoder> {
    fn page(
        &mut self,
        _: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        self.table.add(name, extraction);
        Ok(())
    }

    fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        let (columns, rows) = self.table.columns_and_rows();
        Encoder::write(&columns, &rows, out)
    }
}
