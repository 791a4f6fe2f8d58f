//! Parquet: one file of typed columns, as a database would have them (`key`, the columns with the parts of their values, `page`, `region`,
//! `method`).
//!
//! Rows are kept until the end, since the columns are those of all pages. A column that no row has is not written. O(cells) in time
//! and memory.

use crate::Error;
use crate::cell::{Cell, Kind};
use crate::schema::{Column, Schema};
use crate::sheet::{self, Reading, Sheet};
use ::parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;
use copal_extract::Answer;
use std::io::Write;
use std::sync::Arc;

/// Rows of a group: what a reader has in memory at once.
const GROUP: usize = 100_000;

/// A file in the making.
#[derive(Debug, Default)]
pub struct Parquet {
    reading: Reading,
    schema: Schema,
    /// Each with the places of its fields.
    sheets: Vec<(Sheet, Vec<usize>)>,
}

impl Parquet {
    /// A file without pages.
    pub fn new(reading: Reading) -> Parquet {
        Parquet { reading, ..Parquet::default() }
    }

    /// Takes a page.
    pub fn page(&mut self, name: &str, extraction: &Answer) {
        for sheet in sheet::of(name, extraction, &self.reading) {
            let (_, places) = self.schema.take(&sheet.fields);
            self.sheets.push((sheet, places));
        }
    }

    /// Writes all pages.
    pub fn finish(self, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let (columns, rows) = self.table();
        write(&columns, &rows, out).map_err(|error| match error {
            ParquetError::External(error) => Error::Place(error.to_string()),
            other => Error::Database(other.to_string()),
        })
    }

    /// All columns, ours too, and all rows.
    fn table(self) -> (Vec<Column>, Vec<Vec<Cell>>) {
        let own = |name: &str, kind| Column {
            name: name.to_owned(),
            shown: String::new(),
            part: String::new(),
            kind,
        };
        let mut columns = vec![own("key", Kind::Text)];
        columns.extend(self.schema.columns.iter().cloned());
        columns.push(own("page", Kind::Text));
        columns.push(own("region", Kind::Integer));
        columns.push(own("method", Kind::Text));
        let mut rows = Vec::new();
        for (sheet, places) in &self.sheets {
            for row in &sheet.rows {
                let mut cells = vec![Cell::Null];
                cells.extend(self.schema.fit(row, &sheet.fields, places));
                cells.resize(columns.len(), Cell::Null);
                let last = columns.len() - 3;
                cells[0] = Cell::text(&row.key);
                cells[last] = Cell::text(&row.page);
                cells[last + 1] = row.region.clone();
                cells[last + 2] = Cell::text(&row.method);
                rows.push(cells);
            }
        }
        let used: Vec<bool> =
            (0..columns.len()).map(|at| rows.iter().any(|row| row[at] != Cell::Null)).collect();
        let keep = |at: usize| used[at] || at == 0;
        let rows = rows
            .into_iter()
            .map(|row| {
                row.into_iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, cell)| cell).collect()
            })
            .collect();
        let columns =
            columns.into_iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, column)| column).collect();
        (columns, rows)
    }
}

fn write(columns: &[Column], rows: &[Vec<Cell>], out: &mut (dyn Write + Send)) -> Result<(), ParquetError> {
    let fields: Result<Vec<Arc<Type>>, ParquetError> = columns.iter().map(field).collect();
    let schema = Arc::new(Type::group_type_builder("records").with_fields(fields?).build()?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
    for group in rows.chunks(GROUP) {
        let mut writer = file.next_row_group()?;
        for (at, column) in columns.iter().enumerate() {
            let Some(mut cells) = writer.next_column()? else { break };
            fill(&mut cells, column.kind, group, at)?;
            cells.close()?;
        }
        writer.close()?;
    }
    file.close()?;
    Ok(())
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let physical = match column.kind {
        Kind::Boolean => Physical::BOOLEAN,
        Kind::Integer => Physical::INT64,
        Kind::Real => Physical::DOUBLE,
        Kind::Text | Kind::List => Physical::BYTE_ARRAY,
    };
    let mut builder =
        Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL);
    if physical == Physical::BYTE_ARRAY {
        builder =
            builder.with_logical_type(Some(LogicalType::String)).with_converted_type(ConvertedType::UTF8);
    }
    Ok(Arc::new(builder.build()?))
}

fn fill(
    writer: &mut SerializedColumnWriter<'_>,
    kind: Kind,
    rows: &[Vec<Cell>],
    at: usize,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = rows.iter().map(|row| i16::from(row[at] != Cell::Null)).collect();
    let cells = rows.iter().map(|row| &row[at]).filter(|cell| **cell != Cell::Null);
    match kind {
        Kind::Boolean => {
            let values: Vec<bool> = cells.map(|cell| *cell == Cell::Boolean(true)).collect();
            writer.typed::<BoolType>().write_batch(&values, Some(&levels), None)?;
        }
        Kind::Integer => {
            let values: Vec<i64> =
                cells.map(|cell| if let Cell::Integer(whole) = cell { *whole } else { 0 }).collect();
            writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
        Kind::Real => {
            let values: Vec<f64> =
                cells.map(|cell| if let Cell::Real(real) = cell { *real } else { 0.0 }).collect();
            writer.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
        Kind::Text | Kind::List => {
            let values: Vec<ByteArray> =
                cells.map(|cell| ByteArray::from(cell.shown().into_bytes())).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    Ok(())
}
