//! Parquet: one file of typed columns: `key`, the columns with the components of their values, `page`,
//! `region`, `method`.

use crate::error::OutputError;
use crate::rows::{ColumnType, RowValue, TableColumn};
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
        write_file(columns, rows, out).map_err(|error| match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => OutputError::Io(*error),
                Err(other) => OutputError::Parquet(other.to_string()),
            },
            other => OutputError::Parquet(other.to_string()),
        })
    }
}

fn write_file(
    columns: &[TableColumn],
    rows: &[Vec<RowValue>],
    out: &mut (dyn Write + Send),
) -> Result<(), ParquetError> {
    let fields: Result<Vec<Arc<Type>>, ParquetError> = columns.iter().map(parquet_field).collect();
    let schema = Arc::new(Type::group_type_builder("records").with_fields(fields?).build()?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
    for group in rows.chunks(ROW_GROUP_ROWS) {
        let mut writer = file.next_row_group()?;
        for (at, column) in columns.iter().enumerate() {
            let Some(mut values) = writer.next_column()? else { break };
            write_column(&mut values, column.column_type, group, at)?;
            values.close()?;
        }
        writer.close()?;
    }
    file.close()?;
    Ok(())
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
    rows: &[Vec<RowValue>],
    at: usize,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = rows.iter().map(|row| i16::from(row[at] != RowValue::Null)).collect();
    let values = rows.iter().map(|row| &row[at]).filter(|value| **value != RowValue::Null);
    match column_type {
        ColumnType::Boolean => {
            let values: Vec<bool> = values.map(|value| *value == RowValue::Boolean(true)).collect();
            writer.typed::<BoolType>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnType::Integer => {
            let integer =
                |value: &RowValue| if let RowValue::Integer(integer) = value { *integer } else { 0 };
            let values: Vec<i64> = values.map(integer).collect();
            writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnType::Real => {
            let real = |value: &RowValue| if let RowValue::Real(real) = value { *real } else { 0.0 };
            let values: Vec<f64> = values.map(real).collect();
            writer.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnType::Text | ColumnType::List => {
            let values: Vec<ByteArray> =
                values.map(|value| ByteArray::from(value.to_text().into_bytes())).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    Ok(())
}
