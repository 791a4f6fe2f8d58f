//! Excel workbooks: a sheet `records` with typed columns, and a sheet `children` if records have lists inside them.
//!
//! Dates that copal read are real dates. Texts are always written as texts, never as formulas or links, whatever they begin with. Rows are kept until the
//! end. A sheet has at most 1,048,575 records and a cell 32,767 characters, as Excel allows; more is an error for
//! records, and longer texts are cut. O(cells) in time and memory.

use crate::error::OutputError;
use crate::format::Format;
use crate::nested::NestedSplitter;
use crate::rows::{ColumnType, OwnColumns, RowOptions, RowValue, TableColumn, TypedTable};
use copal_model::Answer;
use rust_xlsxwriter::{ExcelDateTime, Format as CellFormat, Workbook, Worksheet, XlsxError};
use std::io::Write;

/// Characters of a cell that Excel accepts.
const MAX_CELL_CHARS: usize = 32_767;
/// Width of columns in characters: at least, at most.
const COLUMN_WIDTHS: (usize, usize) = (8, 60);
/// How dates are shown, in every country the same.
const DATE_FORMAT: &str = "yyyy-mm-dd";
/// Rows that decide the width of a column.
const MEASURED_ROWS: usize = 200;

/// Writes a workbook.
#[derive(Debug, Default)]
pub struct Xlsx {
    records: TypedTable,
    nested: TypedTable,
    splitter: NestedSplitter,
}

impl Xlsx {
    /// A workbook without records.
    pub fn new(options: RowOptions, has_many_pages: bool) -> Xlsx {
        let own = OwnColumns::Few { page: has_many_pages };
        Xlsx {
            records: TypedTable::new(options.clone(), own),
            nested: TypedTable::new(options, own),
            splitter: NestedSplitter::default(),
        }
    }
}

impl Format for Xlsx {
    fn page(
        &mut self,
        _: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        match self.splitter.split(extraction) {
            Some(split) => {
                self.records.add(name, &split.main);
                self.nested.add(name, &split.nested);
            }
            None => self.records.add(name, extraction),
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        let failed = |error: XlsxError| OutputError::Xlsx(error.to_string());
        let mut book = Workbook::new();
        fill_sheet(book.add_worksheet(), "records", &self.records).map_err(failed)?;
        if !self.nested.is_empty() {
            fill_sheet(book.add_worksheet(), "children", &self.nested).map_err(failed)?;
        }
        out.write_all(&book.save_to_buffer().map_err(failed)?)?;
        Ok(())
    }
}

fn fill_sheet(sheet: &mut Worksheet, name: &str, table: &TypedTable) -> Result<(), XlsxError> {
    let (columns, rows) = table.columns_and_rows();
    sheet.set_name(name)?;
    sheet.set_freeze_panes(1, 0)?;
    let header = CellFormat::new().set_bold();
    let date_format = CellFormat::new().set_num_format(DATE_FORMAT);
    for (at, column) in columns.iter().enumerate() {
        let at = u16::try_from(at).map_err(|_| XlsxError::RowColumnLimitError)?;
        sheet.write_string_with_format(0, at, cut(&column.name), &header)?;
        sheet.set_column_width(at, column_width(column, &rows, at as usize))?;
    }
    for (number, row) in rows.iter().enumerate() {
        let number = u32::try_from(number + 1).map_err(|_| XlsxError::RowColumnLimitError)?;
        for (at, (value, column)) in row.iter().zip(&columns).enumerate() {
            write_value(sheet, number, at as u16, value, column, &date_format)?;
        }
    }
    Ok(())
}

fn write_value(
    sheet: &mut Worksheet,
    row: u32,
    at: u16,
    value: &RowValue,
    column: &TableColumn,
    date_format: &CellFormat,
) -> Result<(), XlsxError> {
    match value {
        RowValue::Null => {}
        RowValue::Boolean(boolean) => {
            sheet.write_boolean(row, at, *boolean)?;
        }
        RowValue::Integer(integer) => {
            sheet.write_number(row, at, *integer as f64)?;
        }
        RowValue::Real(real) => {
            sheet.write_number(row, at, *real)?;
        }
        RowValue::Text(text) if let Some(date) = excel_date(text, column) => {
            sheet.write_datetime_with_format(row, at, &date, date_format)?;
        }
        RowValue::Text(_) | RowValue::List(_) => {
            sheet.write_string(row, at, cut(&shown_texts(value, column)))?;
        }
    }
    Ok(())
}

/// The date of a typed value. Texts of the page stay texts, and so do months and years alone, dates with a time and
/// dates before 1900, which Excel does not have.
fn excel_date(text: &str, column: &TableColumn) -> Option<ExcelDateTime> {
    if column.component != "value" || text.len() != "2024-12-31".len() {
        return None;
    }
    let mut parts = text.split('-').map(|part| part.parse::<u16>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || year < 1900 {
        return None;
    }
    ExcelDateTime::from_ymd(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?).ok()
}

/// Several texts as people read them: a column of lists has them as JSON.
fn shown_texts(value: &RowValue, column: &TableColumn) -> String {
    let text = value.to_text();
    if column.column_type != ColumnType::List {
        return text;
    }
    serde_json::from_str::<Vec<String>>(&text).map_or(text, |texts| texts.join(" | "))
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_CELL_CHARS).collect()
}

fn column_width(column: &TableColumn, rows: &[Vec<RowValue>], at: usize) -> f64 {
    let cells = rows.iter().take(MEASURED_ROWS).map(|row| row[at].to_text().chars().count());
    let widest = cells.chain([column.name.chars().count()]).max().unwrap_or(0);
    (widest + 1).clamp(COLUMN_WIDTHS.0, COLUMN_WIDTHS.1) as f64
}
