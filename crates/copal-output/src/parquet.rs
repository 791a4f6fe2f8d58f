//! Parquet: one file of typed columns: `key`, the columns with the components of their values, `page`,
//! `region`, `method`.

use crate::error::OutputError;
use crate::rows::{ColumnType, RowValue, TableColumn, TableRows, ValueRef};
use crate::typed_file::{TableEncoder, TypedFile};
use ::parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as PhysicalType};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows per row group. A program that reads the file holds one group in memory at a time.
const ROW_GROUP_ROWS: usize = 100_000;

/// Writes all pages into one Parquet file.
pub type Parquet = TypedFile<ParquetEncoder>;

/// The file format.
#[derive(Debug, Default)]
pub struct ParquetEncoder;

impl TableEncoder for ParquetEncoder {
    fn write(
        columns: &[TableColumn],
        rows: &[Vec<RowValue>],
        out: &mut (dyn Write + Send),
    ) -> Result<(), OutputError> {
        let mut groups = ParquetGroups::new(columns.to_vec())?;
        for group in rows.chunks(ROW_GROUP_ROWS) {
            groups.write(group, out)?;
        }
        groups.finish(out)
    }
}

/// A Parquet file that is written row group by row group.
pub(crate) struct ParquetGroups {
    columns: Vec<TableColumn>,
    /// Its bytes are passed on after each group.
    file: SerializedFileWriter<Vec<u8>>,
}

impl std::fmt::Debug for ParquetGroups {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ParquetGroups").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl ParquetGroups {
    pub(crate) fn new(columns: Vec<TableColumn>) -> Result<ParquetGroups, OutputError> {
        let file = open_file(&columns).map_err(output_error)?;
        Ok(ParquetGroups { columns, file })
    }

    pub(crate) fn write(
        &mut self,
        rows: &(impl TableRows + ?Sized),
        out: &mut (dyn Write + Send),
    ) -> Result<(), OutputError> {
        self.write_group(rows).map_err(output_error)?;
        Ok(out.write_all(&std::mem::take(self.file.inner_mut()))?)
    }

    pub(crate) fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        self.file.finish().map_err(output_error)?;
        self.file.flush()?;
        Ok(out.write_all(&std::mem::take(self.file.inner_mut()))?)
    }

    fn write_group(&mut self, rows: &(impl TableRows + ?Sized)) -> Result<(), ParquetError> {
        let mut writer = self.file.next_row_group()?;
        for (at, column) in self.columns.iter().enumerate() {
            let Some(mut values) = writer.next_column()? else { break };
            write_column(&mut values, column.column_type, rows, at)?;
            values.close()?;
        }
        writer.close()?;
        // the footer needs the offsets; the bytes go to the output
        self.file.flush()?;
        Ok(())
    }
}

fn open_file(columns: &[TableColumn]) -> Result<SerializedFileWriter<Vec<u8>>, ParquetError> {
    let fields: Result<Vec<Arc<Type>>, ParquetError> = columns.iter().map(parquet_field).collect();
    let schema = Arc::new(Type::group_type_builder("records").with_fields(fields?).build()?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))
}

fn output_error(error: ParquetError) -> OutputError {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => OutputError::Io(*error),
            Err(other) => OutputError::Parquet(other.to_string()),
        },
        other => OutputError::Parquet(other.to_string()),
    }
}

fn parquet_field(column: &TableColumn) -> Result<Arc<Type>, ParquetError> {
    let physical = match column.column_type {
        ColumnType::Boolean => PhysicalType::BOOLEAN,
        ColumnType::Integer => PhysicalType::INT64,
        ColumnType::Real => PhysicalType::DOUBLE,
        ColumnType::Text | ColumnType::List => PhysicalType::BYTE_ARRAY,
    };
    let mut builder =
        Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL);
    if physical == PhysicalType::BYTE_ARRAY {
        builder =
            builder.with_logical_type(Some(LogicalType::String)).with_converted_type(ConvertedType::UTF8);
    }
    Ok(Arc::new(builder.build()?))
}

fn write_column(
    writer: &mut SerializedColumnWriter<'_>,
    column_type: ColumnType,
    rows: &(impl TableRows + ?Sized),
    at: usize,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = rows.column(at).map(|value| i16::from(value != ValueRef::Null)).collect();
    let values = rows.column(at).filter(|value| *value != ValueRef::Null);
    match column_type {
        ColumnType::Boolean => {
            let values: Vec<bool> = values.map(|value| value == ValueRef::Boolean(true)).collect();
            writer.typed::<BoolType>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnType::Integer => {
            let integer = |value| if let ValueRef::Integer(integer) = value { integer } else { 0 };
            let values: Vec<i64> = values.map(integer).collect();
            writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnType::Real => {
            let real = |value| if let ValueRef::Real(real) = value { real } else { 0.0 };
            let values: Vec<f64> = values.map(real).collect();
            writer.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnType::Text | ColumnType::List => {
            let values = byte_arrays(values);
            writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    Ok(())
}

/// The texts of a column as slices of one buffer: one allocation, not one per text.
fn byte_arrays<'a>(values: impl Iterator<Item = ValueRef<'a>>) -> Vec<ByteArray> {
    let mut buffer = Vec::new();
    let mut lengths = Vec::new();
    for value in values {
        let text = value.to_text();
        buffer.extend_from_slice(text.as_bytes());
        lengths.push(text.len());
    }
    let buffer = ByteArray::from(buffer);
    let mut start = 0;
    let slice = |length: usize| {
        let slice = buffer.slice(start, length);
        start += length;
        slice
    };
    lengths.into_iter().map(slice).collect()
}
