//! Rows as Arrow record batches: what Arrow files contain, and what other programs take over in memory.
//!
//! O(cells).

use crate::error::OutputError;
use crate::rows::{
    ColumnType, OwnColumns, RowOptions, RowValue, TableColumn, TypedTable, cell_columns, cell_rows,
};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use copal_model::Answer;
use std::sync::Arc;

/// The records of pages with typed columns, as a Parquet file has them: `key`, the columns with the components
/// of their values, `page`, `region`, `method`.
pub fn record_batch<'a>(
    pages: impl IntoIterator<Item = (&'a str, &'a Answer)>,
    options: RowOptions,
) -> Result<RecordBatch, OutputError> {
    let mut table = TypedTable::new(options, OwnColumns::All);
    for (name, answer) in pages {
        table.add(name, answer);
    }
    let (columns, rows) = table.columns_and_rows();
    Ok(rows_batch(&arrow_schema(&columns), &columns, &rows)?)
}

/// The cells of pages in the long form: one row per text of a cell, with the same columns for every page.
pub fn cell_batch<'a>(
    pages: impl IntoIterator<Item = (&'a str, &'a Answer)>,
) -> Result<RecordBatch, OutputError> {
    let rows: Vec<Vec<RowValue>> =
        pages.into_iter().flat_map(|(name, answer)| cell_rows(name, answer)).collect();
    let columns = cell_columns();
    Ok(rows_batch(&arrow_schema(&columns), &columns, &rows)?)
}

pub(crate) fn arrow_schema(columns: &[TableColumn]) -> Arc<Schema> {
    let field = |column: &TableColumn| Field::new(&column.name, data_type(column.column_type), true);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

pub(crate) fn rows_batch(
    schema: &Arc<Schema>,
    columns: &[TableColumn],
    rows: &[Vec<RowValue>],
) -> Result<RecordBatch, ArrowError> {
    let arrays = columns.iter().enumerate().map(|(at, column)| array(column.column_type, rows, at));
    RecordBatch::try_new(Arc::clone(schema), arrays.collect())
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
