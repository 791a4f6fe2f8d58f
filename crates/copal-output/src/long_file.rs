//! Files in the long form: one row per text of a cell, written while pages come in.
//!
//! In: answers, or rows of [`cell_rows`]. Out: Parquet, Arrow, CSV or lines of JSON. The columns are the same for all
//! pages, so that nothing has to wait for the last page: rows are kept until a row group is full, which bounds the
//! memory whatever the number of pages.

use crate::error::OutputError;
use crate::format::Format;
use crate::rows::{RowValue, cell_columns, cell_rows};
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
    rows: Vec<Vec<RowValue>>,
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
        Ok(LongFile { rows: Vec::new(), bytes: 0, written: 0, encoder })
    }

    /// Rows so far.
    pub fn row_count(&self) -> usize {
        self.written + self.rows.len()
    }

    /// Adds rows of [`cell_rows`].
    pub fn add_rows(
        &mut self,
        out: &mut (dyn Write + Send),
        rows: impl IntoIterator<Item = Vec<RowValue>>,
    ) -> Result<(), OutputError> {
        for row in rows {
            self.bytes += row.iter().map(text_bytes).sum::<usize>();
            self.rows.push(row);
            if self.rows.len() >= MAX_GROUP_ROWS || self.bytes >= MAX_GROUP_BYTES {
                self.write_group(out)?;
            }
        }
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
        self.written += rows.len();
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
        self.add_rows(out, cell_rows(name, extraction))
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

fn text_bytes(value: &RowValue) -> usize {
    match value {
        RowValue::Text(text) => text.len(),
        _ => size_of::<RowValue>(),
    }
}

fn write_csv(
    rows: &[Vec<RowValue>],
    with_header: bool,
    out: &mut (dyn Write + Send),
) -> Result<(), OutputError> {
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => OutputError::Io(error),
        other => OutputError::Csv(format!("{other:?}")),
    };
    let mut writer = csv::Writer::from_writer(out);
    if with_header {
        writer.write_record(cell_columns().iter().map(|column| &column.name)).map_err(failed)?;
    }
    for row in rows {
        writer.write_record(row.iter().map(RowValue::to_text)).map_err(failed)?;
    }
    Ok(writer.flush()?)
}

fn write_lines(rows: &[Vec<RowValue>], out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
    let columns = cell_columns();
    for row in rows {
        let mut object = Map::new();
        for (column, value) in columns.iter().zip(row) {
            let value = match value {
                RowValue::Null => continue,
                RowValue::Integer(integer) => Json::from(*integer),
                RowValue::Real(real) => Json::from(*real),
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

    fn row(text: &str, record: usize) -> Vec<RowValue> {
        let mut row = vec![RowValue::Null; cell_columns().len()];
        row[0] = RowValue::text("p");
        row[5] = RowValue::count(record);
        row[8] = RowValue::text(text);
        row
    }

    fn written(format: LongFormat, rows: Vec<Vec<RowValue>>) -> Vec<u8> {
        let mut file = LongFile::new(format).expect("a format of this build");
        let mut out = Vec::new();
        file.add_rows(&mut out, rows).expect("written to memory");
        file.finish(&mut out).expect("written to memory");
        out
    }

    #[test]
    fn lines_leave_out_absent_values_and_csv_has_one_header() {
        let rows = vec![row("a \"b\"", 1), row("c,d", 2)];
        let lines = String::from_utf8(written(LongFormat::Lines, rows.clone())).expect("UTF-8");
        assert_eq!(lines.lines().next(), Some(r#"{"page":"p","record":1,"text":"a \"b\""}"#));
        let table = String::from_utf8(written(LongFormat::Csv, rows)).expect("UTF-8");
        assert_eq!(table.lines().count(), 3);
        assert!(table.starts_with("page,url,kind,region,role,record,key,column,text,"), "{table}");
        assert!(table.ends_with("p,,,,,2,,,\"c,d\",,,,\n"), "{table}");
        let empty = String::from_utf8(written(LongFormat::Csv, Vec::new())).expect("UTF-8");
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
        file.add_rows(&mut out, (0..MAX_GROUP_ROWS + 10).map(|n| row("text", n))).expect("written");
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
        let bytes = written(LongFormat::Parquet, (0..9).map(|n| row(&text, n)).collect());
        let reader = parquet_reader(&bytes);
        assert!(reader.metadata().num_row_groups() >= 2);
        assert!(!written(LongFormat::Arrow, vec![row("a", 1)]).is_empty());
    }
}
