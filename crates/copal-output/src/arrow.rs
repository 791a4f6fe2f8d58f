//! Arrow IPC files (Feather): the same typed columns as Parquet, for programs that map files into memory.
//!
//! Rows are kept until the end, because the columns are those of all pages. O(cells) in time and memory.

use crate::error::OutputError;
use crate::format::Format;
use crate::record_batches::{arrow_schema, rows_batch};
use crate::rows::{OwnColumns, RowOptions, RowValue, TableColumn, TypedTable};
use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use copal_model::Answer;
use std::io::Write;

/// Rows per record batch.
const BATCH_ROWS: usize = 100_000;

/// Writes all pages into one Arrow IPC file.
#[derive(Debug, Default)]
pub struct Arrow {
    table: TypedTable,
}

impl Arrow {
    /// A file without pages.
    pub fn new(options: RowOptions) -> Arrow {
        Arrow { table: TypedTable::new(options, OwnColumns::All) }
    }
}

impl Format for Arrow {
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
        Ok(write_file(&columns, &rows, out)?)
    }
}

fn write_file(
    columns: &[TableColumn],
    rows: &[Vec<RowValue>],
    out: &mut (dyn Write + Send),
) -> Result<(), ArrowError> {
    let schema = arrow_schema(columns);
    let mut writer = FileWriter::try_new(out, &schema)?;
    for group in rows.chunks(BATCH_ROWS) {
        writer.write(&rows_batch(&schema, columns, group)?)?;
    }
    writer.finish()
}
