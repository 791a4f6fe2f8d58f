//! Arrow IPC files (Feather): the same typed columns as Parquet, for programs that map files into memory.

use crate::error::OutputError;
use crate::record_batches::{arrow_schema, rows_batch};
use crate::rows::{RowValue, TableColumn, TableRows};
use crate::typed_file::{TableEncoder, TypedFile};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, Schema};
use std::io::Write;
use std::sync::Arc;

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

/// An Arrow file that is written batch by batch.
pub(crate) struct ArrowGroups {
    columns: Vec<TableColumn>,
    schema: Arc<Schema>,
    writer: FileWriter<Vec<u8>>,
}

impl std::fmt::Debug for ArrowGroups {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ArrowGroups").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl ArrowGroups {
    pub(crate) fn new(columns: Vec<TableColumn>) -> Result<ArrowGroups, OutputError> {
        let schema = arrow_schema(&columns);
        let writer = FileWriter::try_new(Vec::new(), &schema)?;
        Ok(ArrowGroups { columns, schema, writer })
    }

    pub(crate) fn write(
        &mut self,
        rows: &(impl TableRows + ?Sized),
        out: &mut (dyn Write + Send),
    ) -> Result<(), OutputError> {
        self.writer.write(&rows_batch(&self.schema, &self.columns, rows)?)?;
        Ok(out.write_all(&std::mem::take(self.writer.get_mut()))?)
    }

    pub(crate) fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        self.writer.finish()?;
        Ok(out.write_all(&std::mem::take(self.writer.get_mut()))?)
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
