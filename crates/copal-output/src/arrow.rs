//! Arrow IPC files (Feather): the same typed columns as Parquet, for programs that map files into memory.

use crate::error::OutputError;
use crate::rows::{ColumnType, RowValue, TableColumn};
use crate::typed_file::{TableEncoder, TypedFile};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
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
        write_file(columns, rows, out).map_err(|error| match error {
            ArrowError::IoError(_, error) => OutputError::Io(error),
            other => OutputError::Arrow(other.to_string()),
        })
    }
}

fn write_file(
    columns: &[TableColumn],
    rows: &[Vec<RowValue>],
    out: &mut (dyn Write + Send),
) -> Result<(), ArrowError> {
    let field = |column: &TableColumn| Field::new(&column.name, data_type(column.column_type), true);
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let mut writer = FileWriter::try_new(out, &schema)?;
    for group in rows.chunks(BATCH_ROWS) {
        let arrays = columns.iter().enumerate().map(|(at, column)| array(column.column_type, group, at));
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), arrays.collect())?)?;
    }
    writer.finish()
}

fn data_type(column_type: ColumnType) -> DataType {
    match column_type {
        ColumnType::Boolean => DataType::Boolean,
        ColumnType::Integer => DataType::Int64,
        ColumnType::Real => DataType::Float64,
        ColumnType::Text | ColumnType::List => DataType::Utf8,
    }
}

fn array(column_type: ColumnType, rows: &[Vec<RowValue>], at: usize) -> ArrayRef {
    let values = rows.iter().map(|row| &row[at]);
    match column_type {
        ColumnType::Boolean => {
            let boolean = |value: &RowValue| match value {
                RowValue::Boolean(boolean) => Some(*boolean),
                _ => None,
            };
            Arc::new(values.map(boolean).collect::<BooleanArray>())
        }
        ColumnType::Integer => {
            let integer = |value: &RowValue| match value {
                RowValue::Integer(integer) => Some(*integer),
                _ => None,
            };
            Arc::new(values.map(integer).collect::<Int64Array>())
        }
        ColumnType::Real => {
            let real = |value: &RowValue| match value {
                RowValue::Real(real) => Some(*real),
                _ => None,
            };
            Arc::new(values.map(real).collect::<Float64Array>())
        }
        ColumnType::Text | ColumnType::List => {
            let text = |value: &RowValue| (*value != RowValue::Null).then(|| value.to_text());
            Arc::new(values.map(text).collect::<StringArray>())
        }
    }
}
