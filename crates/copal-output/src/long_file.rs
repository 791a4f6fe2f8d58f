//! Files in the long form: one row per text of a cell, written while pages come in.
//!
//! In: answers, or [`CellRows`]. Out: Parquet, Arrow, CSV or lines of JSON. The columns are the same for all
//! pages, so that nothing has to wait for the last page: rows are kept until a row group is full, which bounds the
//! memory whatever the number of pages.

use crate::error::OutputError;
use crate::format::Format;
use crate::rows::{CellRows, TableRows, ValueRef, cell_columns};
use copal_model::Answer;
use serde_json::{Map, Value as Json};
use std::io::Write;

/// Rows of a row group at most. A program that reads the file holds one group in memory at a time.
const MAX_GROUP_ROWS: usize = 50_000;
/// Bytes of the texts of a row group, after which it is written.
const MAX_GROUP_BYTES: usize = 32 << 20;

/// How the long form is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LongFormat {
    /// Parquet with row groups of at most 50,000 rows.
    Parquet,
    /// An Arrow IPC file.
    Arrow,
    /// CSV with a header.
    Csv,
    /// One JSON object per row, without the keys of absent values.
    Lines,
}

impl LongFormat {
    /// The ending of a file.
    pub fn ending(self) -> &'static str {
        match self {
            LongFormat::Parquet => "parquet",
            LongFormat::Arrow => "arrow",
            LongFormat::Csv => "csv",
            LongFormat::Lines => "jsonl",
        }
    }
}

/// Writes the cells of pages into one file.
#[derive(Debug)]
pub struct LongFile {
    rows: CellRows,
    /// Bytes of the texts of `rows`.
    bytes: usize,
    /// Rows of the groups that were written.
    written: usize,
    encoder: GroupEncoder,
}

#[derive(Debug)]
enum GroupEncoder {
    #[cfg(feature = "parquet")]
    Parquet(crate::parquet::ParquetGroups),
    #[cfg(feature = "parquet")]
    Arrow(crate::arrow::ArrowGroups),
    Csv {
        has_header: bool,
    },
    Lines,
}

impl LongFile {
    /// A file without rows. Parquet and Arrow need the cargo feature `parquet`.
    pub fn new(format: LongFormat) -> Result<LongFile, OutputError> {
        let encoder = match format {
            LongFormat::Csv => GroupEncoder::Csv { has_header: false },
            LongFormat::Lines => GroupEncoder::Lines,
            #[cfg(feature = "parquet")]
            LongFormat::Parquet => GroupEncoder::Parquet(crate::parquet::ParquetGroups::new(cell_columns())?),
            #[cfg(feature = "parquet")]
            LongFormat::Arrow => GroupEncoder::Arrow(crate::arrow::ArrowGroups::new(cell_columns())?),
            #[cfg(not(feature = "parquet"))]
            LongFormat::Parquet => {
                return Err(OutputError::MissingFeature { format: "Parquet", feature: "parquet" });
            }
            #[cfg(not(feature = "parquet"))]
            LongFormat::Arrow => {
                return Err(OutputError::MissingFeature { format: "Arrow", feature: "parquet" });
            }
        };
        Ok(LongFile { rows: CellRows::default(), bytes: 0, written: 0, encoder })
    }

    /// Rows so far.
    pub fn row_count(&self) -> usize {
        self.written + self.rows.row_count()
    }

    /// Adds rows.
    pub fn add_rows(&mut self, out: &mut (dyn Write + Send), rows: &CellRows) -> Result<(), OutputError> {
        let (mut from, mut bytes) = (0, self.bytes);
        for row in 0..rows.row_count() {
            bytes += rows.row_bytes(row);
            let group_rows = self.rows.row_count() + row + 1 - from;
            if group_rows >= MAX_GROUP_ROWS || bytes >= MAX_GROUP_BYTES {
                self.rows.append(rows, from..row + 1);
                self.write_group(out)?;
                (from, bytes) = (row + 1, 0);
            }
        }
        if from < rows.row_count() {
            self.rows.append(rows, from..rows.row_count());
        }
        self.bytes = bytes;
        Ok(())
    }

    fn write_group(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        let rows = std::mem::take(&mut self.rows);
        match &mut self.encoder {
            #[cfg(feature = "parquet")]
            GroupEncoder::Parquet(groups) => groups.write(&rows, out)?,
            #[cfg(feature = "parquet")]
            GroupEncoder::Arrow(groups) => groups.write(&rows, out)?,
            GroupEncoder::Csv { has_header } => {
                write_csv(&rows, !std::mem::replace(has_header, true), out)?;
            }
            GroupEncoder::Lines => write_lines(&rows, out)?,
        }
        self.written += rows.row_count();
        self.bytes = 0;
        Ok(())
    }
}

impl Format for LongFile {
    fn page(
        &mut self,
        out: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        self.add_rows(out, &CellRows::of_page(name, extraction))
    }

    fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        let has_rows = !self.rows.is_empty();
        // a file without rows still has a header
        if has_rows || self.written == 0 && matches!(self.encoder, GroupEncoder::Csv { .. }) {
            self.write_group(out)?;
        }
        match &mut self.encoder {
            #[cfg(feature = "parquet")]
            GroupEncoder::Parquet(groups) => groups.finish(out),
            #[cfg(feature = "parquet")]
            GroupEncoder::Arrow(groups) => groups.finish(out),
            GroupEncoder::Csv { .. } | GroupEncoder::Lines => Ok(()),
        }
    }
}

fn write_csv(rows: &CellRows, with_header: bool, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => OutputError::Io(error),
        other => OutputError::Csv(format!("{other:?}")),
    };
    let columns = cell_columns();
    let mut writer = csv::Writer::from_writer(out);
    if with_header {
        writer.write_record(columns.iter().map(|column| &column.name)).map_err(failed)?;
    }
    for row in 0..rows.row_count() {
        for column in 0..columns.len() {
            writer.write_field(&*rows.value(row, column).to_text()).map_err(failed)?;
        }
        writer.write_record(None::<&[u8]>).map_err(failed)?;
    }
    Ok(writer.flush()?)
}

fn write_lines(rows: &CellRows, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
    let columns = cell_columns();
    for row in 0..rows.row_count() {
        let mut object = Map::new();
        for (at, column) in columns.iter().enumerate() {
            let value = match rows.value(row, at) {
                ValueRef::Null => continue,
                ValueRef::Integer(integer) => Json::from(integer),
                ValueRef::Real(real) => Json::from(real),
                other => Json::from(other.to_text()),
            };
            object.insert(column.name.clone(), value);
        }
        serde_json::to_writer(&mut *out, &object)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One row per text.
    fn rows(texts: &[&str]) -> CellRows {
        let mut rows = CellRows::default();
        for text in texts {
            rows.append(&CellRows::of_failed_page("p", None, text), 0..1);
        }
        rows
    }

    fn written(format: LongFormat, rows: &CellRows) -> Vec<u8> {
        let mut file = LongFile::new(format).expect("a format of this build");
        let mut out = Vec::new();
        file.add_rows(&mut out, rows).expect("written to memory");
        file.finish(&mut out).expect("written to memory");
        out
    }

    #[test]
    fn lines_leave_out_absent_values_and_csv_has_one_header() {
        let rows = rows(&["a \"b\"", "c,d"]);
        let lines = String::from_utf8(written(LongFormat::Lines, &rows)).expect("UTF-8");
        assert_eq!(lines.lines().next(), Some(r#"{"page":"p","kind":"error","text":"a \"b\""}"#));
        let table = String::from_utf8(written(LongFormat::Csv, &rows)).expect("UTF-8");
        assert_eq!(table.lines().count(), 3);
        assert!(table.starts_with("page,url,kind,region,role,record,key,column,text,"), "{table}");
        assert!(table.ends_with("p,,error,,,,,,\"c,d\",,,,\n"), "{table}");
        let empty = String::from_utf8(written(LongFormat::Csv, &CellRows::default())).expect("UTF-8");
        assert_eq!(empty.lines().count(), 1);
    }

    #[cfg(feature = "parquet")]
    fn parquet_reader(bytes: &[u8]) -> ::parquet::file::reader::SerializedFileReader<std::fs::File> {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(bytes).expect("written");
        ::parquet::file::reader::SerializedFileReader::new(file).expect("a Parquet file")
    }

    #[test]
    #[cfg(feature = "parquet")]
    fn row_groups_are_bounded_and_written_as_they_fill() {
        use ::parquet::file::reader::FileReader;
        let mut file = LongFile::new(LongFormat::Parquet).expect("a format of this build");
        let mut out = Vec::new();
        file.add_rows(&mut out, &rows(&vec!["text"; MAX_GROUP_ROWS + 10])).expect("written");
        assert!(out.len() > 1000, "the first group is not kept in memory");
        assert_eq!(file.row_count(), MAX_GROUP_ROWS + 10);
        file.finish(&mut out).expect("written");
        let reader = parquet_reader(&out);
        let metadata = reader.metadata();
        let rows: Vec<usize> =
            metadata.row_groups().iter().map(|group| group.num_rows().unsigned_abs() as usize).collect();
        assert_eq!(rows, [MAX_GROUP_ROWS, 10]);
        assert_eq!(metadata.file_metadata().schema_descr().num_columns(), cell_columns().len());
    }

    #[test]
    #[cfg(feature = "parquet")]
    fn large_texts_end_a_group_early() {
        use ::parquet::file::reader::FileReader;
        let text = "x".repeat(MAX_GROUP_BYTES / 4);
        let bytes = written(LongFormat::Parquet, &rows(&[text.as_str(); 9]));
        let reader = parquet_reader(&bytes);
        assert!(reader.metadata().num_row_groups() >= 2);
        assert!(!written(LongFormat::Arrow, &rows(&["a"])).is_empty());
    }
}
