//! Arrow IPC files (Feather): the same typed columns as Parquet, for programs that map files into memory.

use crate::error::OutputError;
use crate::record_batches::{arrow_schema, rows_batch};
use crate::rows::{RowValue, TableColumn};
use crate::typed_file::{TableEncoder, TypedFile};
use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use std::io::Write;

/// Rows per record batch.
const BATCH_ROWS: usize = 100_000;

/// Writes all pages into one Arrow IPC file.
pub type Arrow = TypedFile<ArrowEncoder>;

/// The file format.
#[derive(Debug, Default)]
pub struct ArrowEncoder;

impl TableEncoder for ArrowEncoder {
    fn write(
        columns: &[TableColumn],
        rows: &[Vec<RowValue>],
        out: &mut (dyn Write + Send),
    ) -> Result<(), OutputError> {
        Ok(write_file(columns, rows, out)?)
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
