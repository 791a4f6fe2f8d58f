//! Rows as Arrow record batches: what Arrow files contain, and what other programs take over in memory.
//!
//! O(cells).

use crate::error::OutputError;
use crate::rows::{
    CellRows, ColumnType, OwnColumns, RowOptions, TableColumn, TableRows, TypedTable, ValueRef, cell_columns,
};
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use copal_model::Answer;
use std::sync::{Arc, LazyLock};

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
    Ok(rows_batch(&arrow_schema(&columns), &columns, &rows[..])?)
}

/// The cells of pages in the long form: one row per text of a cell, with the same columns for every page.
pub fn cell_batch<'a>(
    pages: impl IntoIterator<Item = (&'a str, &'a Answer)>,
) -> Result<RecordBatch, OutputError> {
    let mut rows = CellRows::default();
    for (name, answer) in pages {
        let own = CellRows::of_page(name, answer);
        if rows.is_empty() {
            rows = own;
        } else {
            rows.append(&own, 0..own.row_count());
        }
    }
    Ok(cell_rows_batch(&rows)?)
}

/// The same for rows that are at hand.
fn cell_rows_batch(rows: &CellRows) -> Result<RecordBatch, ArrowError> {
    // the schema is the same for all pages
    static CELLS: LazyLock<(Vec<TableColumn>, Arc<Schema>)> = LazyLock::new(|| {
        let columns = cell_columns();
        let schema = arrow_schema(&columns);
        (columns, schema)
    });
    rows_batch(&CELLS.1, &CELLS.0, rows)
}

pub(crate) fn arrow_schema(columns: &[TableColumn]) -> Arc<Schema> {
    let field = |column: &TableColumn| Field::new(&column.name, data_type(column.column_type), true);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

pub(crate) fn rows_batch(
    schema: &Arc<Schema>,
    columns: &[TableColumn],
    rows: &(impl TableRows + ?Sized),
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

fn array(column_type: ColumnType, rows: &(impl TableRows + ?Sized), at: usize) -> ArrayRef {
    let values = rows.column(at);
    match column_type {
        ColumnType::Boolean => {
            let boolean = |value| if let ValueRef::Boolean(boolean) = value { Some(boolean) } else { None };
            Arc::new(values.map(boolean).collect::<BooleanArray>())
        }
        ColumnType::Integer => {
            let integer = |value| if let ValueRef::Integer(integer) = value { Some(integer) } else { None };
            Arc::new(values.map(integer).collect::<Int64Array>())
        }
        ColumnType::Real => {
            let real = |value| if let ValueRef::Real(real) = value { Some(real) } else { None };
            Arc::new(values.map(real).collect::<Float64Array>())
        }
        ColumnType::Text | ColumnType::List => {
            let bytes =
                rows.column(at).map(|value| if let ValueRef::Text(text) = value { text.len() } else { 0 });
            let mut texts = StringBuilder::with_capacity(rows.row_count(), bytes.sum());
            for value in values {
                match value {
                    ValueRef::Null => texts.append_null(),
                    value => texts.append_value(value.to_text()),
                }
            }
            Arc::new(texts.finish())
        }
    }
}
