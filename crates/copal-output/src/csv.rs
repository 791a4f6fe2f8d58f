//! CSV: one header, one row per record; a page about one object gives one row.
//!
//! The columns are those of all pages (and of all regions, if several are written) in the order of their
//! first appearance, so rows are kept until the end. Several pages, of the input or of one list, add a column
//! `page`; all regions add a column `region`. Columns that few records have can be left out. Several texts of a cell are joined by ` | `. The rows of an
//! existing file can be kept before the new ones ([`Csv::append_to`]); its columns come first then. O(cells)
//! in time and memory.

use crate::error::OutputError;
use crate::format::Format;
use crate::rows::components::components;
use crate::rows::joined_name;
use copal_model::{Answer, Region};
use copal_values::Value;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

/// What separates several texts of one cell.
const TEXT_SEPARATOR: &str = " | ";

/// Writes one header and one row per record.
#[derive(Debug, Default)]
pub struct Csv {
    /// Add a `page` column.
    pub page_column: bool,
    /// Add a `region` column.
    pub region_column: bool,
    /// Put `'` before cells that a spreadsheet would run as a formula.
    pub escape_formulas: bool,
    /// Leave out columns that few records have ([`Column::is_rare`](copal_model::Column::is_rare)) on every page.
    /// Columns of the file that rows are appended to stay.
    pub leave_out_rare: bool,
    /// A CSV file whose rows come before the new ones. Columns that it does not have are added at its end. It
    /// is read at the end
    /// ([`Destination::lock_for_append`](crate::destination::Destination::lock_for_append)), and need not
    /// exist.
    pub append_to: Option<PathBuf>,
    /// Add the components of typed values as columns: `price_amount`, `price_currency`.
    pub values: bool,
    /// Maximum number of records per region.
    pub(crate) max_records: Option<usize>,
    /// The names as they are written.
    columns: Vec<String>,
    /// The place of each column and of each component of its values; the component of a text is empty.
    column_index: HashMap<(String, String), usize>,
    names: HashSet<String>,
    /// By column: some page has it in enough records.
    is_common: Vec<bool>,
    rows: Vec<CsvRow>,
}

#[derive(Debug)]
struct CsvRow {
    page: String,
    region: usize,
    cells: Vec<(usize, String)>,
}

impl Csv {
    /// A writer without `page` and `region` columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// The place of a column, or of a component of its values. `is_common` is false for columns of few records.
    fn column(&mut self, name: &str, component: &str, is_common: bool) -> usize {
        let id = (name.to_owned(), component.to_owned());
        let at = match self.column_index.get(&id) {
            Some(&at) => at,
            None => {
                let at = self.columns.len();
                self.columns.push(self.unused_name(name, component));
                self.names.insert(self.columns[at].clone());
                self.is_common.push(!self.leave_out_rare);
                self.column_index.insert(id, at);
                at
            }
        };
        self.is_common[at] |= is_common;
        at
    }

    /// A name that no other column has. Columns of one name are one column, so only components can meet another.
    fn unused_name(&self, name: &str, component: &str) -> String {
        let name = joined_name(name, component);
        let mut tries =
            (1..=self.names.len() + 1).map(|n| if n == 1 { name.clone() } else { format!("{name}_{n}") });
        tries.find(|name| !self.names.contains(name)).unwrap_or(name)
    }

    /// The columns of a list in its order, each text directly before its components. Returns the places of the
    /// texts.
    fn add_columns(&mut self, region: &Region) -> Vec<usize> {
        let mut places = Vec::with_capacity(region.columns.len());
        for (c, column) in region.columns.iter().enumerate() {
            places.push(self.column(&column.name, "", !column.is_rare()));
            if !self.values {
                continue;
            }
            for value in region.records.iter().filter_map(|record| record.cells[c].value.as_ref()) {
                for (component, _) in components(value) {
                    self.column(&column.name, &component, !column.is_rare());
                }
            }
        }
        places
    }

    /// Adds the components of a value to a row, if they are asked for.
    fn add_components(&mut self, name: &str, value: Option<&Value>, cells: &mut Vec<(usize, String)>) {
        if self.values {
            for (component, value) in value.into_iter().flat_map(components) {
                cells.push((self.column(name, &component, false), value.to_text()));
            }
        }
    }

    fn escaped(&self, text: String) -> String {
        let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        if self.escape_formulas && is_formula { format!("'{text}") } else { text }
    }
}

impl Format for Csv {
    fn page(
        &mut self,
        _: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        if let Some(detail) = &extraction.object {
            let mut cells = Vec::new();
            for field in detail.fields.iter().filter(|field| !field.texts.is_empty()) {
                cells.push((self.column(&field.name, "", true), field.texts.join(TEXT_SEPARATOR)));
                let first = cells.len();
                self.add_components(&field.name, field.value.as_ref(), &mut cells);
                cells[first..].iter().for_each(|(at, _)| self.is_common[*at] = true);
            }
            self.rows.push(CsvRow { page: name.to_owned(), region: 0, cells });
            // The lists of a detail page are about other things, with other columns.
            if !self.region_column {
                return Ok(());
            }
        }
        self.page_column |= extraction.followed.is_some();
        for (index, region) in extraction.regions.iter().enumerate() {
            let places = self.add_columns(region);
            for record in region.records.iter().take(self.max_records.unwrap_or(usize::MAX)) {
                let mut cells = Vec::new();
                for (c, cell) in record.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                    cells.push((places[c], cell.join(TEXT_SEPARATOR)));
                    self.add_components(&region.columns[c].name, cell.value.as_ref(), &mut cells);
                }
                let page = record.page.as_ref().map_or(name, |page| &page.url).to_owned();
                self.rows.push(CsvRow { page, region: index + 1, cells });
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        let mut existing = self.append_to.take().map(ExistingFile::open).transpose()?.flatten();
        let mut header: Vec<String> = existing.as_ref().map_or_else(Vec::new, |file| file.header.clone());
        self.page_column |= header.iter().any(|name| name == "page");
        let mut new_columns: Vec<&str> = Vec::new();
        new_columns.extend(self.page_column.then_some("page"));
        new_columns.extend(self.region_column.then_some("region"));
        // Our own columns come first; a column of the list with the same name gets a number.
        let own_columns = new_columns.len();
        new_columns.extend(self.columns.iter().map(|name| match name.as_str() {
            "page" if self.page_column => "page_2",
            "region" if self.region_column => "region_2",
            other => other,
        }));
        let mut index: HashMap<String, usize> =
            header.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
        let place = |(at, name): (usize, &str)| {
            let is_written = at < own_columns || self.is_common[at - own_columns];
            if !is_written && !index.contains_key(name) {
                return None;
            }
            Some(*index.entry(name.to_owned()).or_insert_with(|| {
                header.push(name.to_owned());
                header.len() - 1
            }))
        };
        let places: Vec<Option<usize>> = new_columns.into_iter().enumerate().map(place).collect();
        if header.is_empty() {
            return Ok(());
        }
        let mut writer = ::csv::Writer::from_writer(out);
        writer.write_record(&header).map_err(write_error)?;
        if let Some(file) = &mut existing {
            file.copy_rows(&mut writer, header.len())?;
        }
        for row in std::mem::take(&mut self.rows) {
            let page = self.page_column.then(|| self.escaped(row.page));
            let region = self.region_column.then(|| row.region.to_string());
            let mut cells = vec![String::new(); header.len()];
            for (at, text) in page.into_iter().chain(region).enumerate() {
                if let Some(place) = places[at] {
                    cells[place] = text;
                }
            }
            for (at, text) in row.cells {
                if let Some(place) = places[own_columns + at] {
                    cells[place] = self.escaped(text);
                }
            }
            writer.write_record(cells).map_err(write_error)?;
        }
        writer.flush()?;
        Ok(())
    }
}

/// The file that rows are appended to.
struct ExistingFile {
    header: Vec<String>,
    reader: ::csv::Reader<File>,
}

impl ExistingFile {
    /// Reads the header; `None` if the file is empty, does not exist, or is a device or a pipe.
    fn open(path: PathBuf) -> Result<Option<ExistingFile>, OutputError> {
        if !path.is_file() {
            return Ok(None);
        }
        let mut reader = ::csv::Reader::from_reader(File::open(path)?);
        let header: Vec<String> = reader.headers().map_err(read_error)?.iter().map(str::to_owned).collect();
        // a spreadsheet of a country whose numbers have commas wrote it: rows of ours would be cells of one column
        if let [only] = header.as_slice()
            && let Some(separator) = [';', '\t'].into_iter().find(|separator| only.contains(*separator))
        {
            return Err(OutputError::CannotAppend(format!(
                "its cells are separated by {separator:?}, not by commas"
            )));
        }
        let repeated = header.iter().enumerate().find(|(at, name)| header[..*at].contains(name));
        if let Some((_, name)) = repeated {
            return Err(OutputError::CannotAppend(format!("its header has {name:?} twice")));
        }
        Ok((!header.is_empty()).then_some(ExistingFile { header, reader }))
    }

    /// Copies the rows, each extended to the length of the new header.
    fn copy_rows<W: Write>(&mut self, out: &mut ::csv::Writer<W>, width: usize) -> Result<(), OutputError> {
        let mut row = ::csv::StringRecord::new();
        while self.reader.read_record(&mut row).map_err(read_error)? {
            let missing = width.saturating_sub(row.len());
            out.write_record(row.iter().chain(std::iter::repeat_n("", missing))).map_err(write_error)?;
        }
        Ok(())
    }
}

fn read_error(error: ::csv::Error) -> OutputError {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => OutputError::Io(error),
        ::csv::ErrorKind::Utf8 { .. } => OutputError::CannotAppend("it is not UTF-8".into()),
        ::csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.map_or(0, |pos| pos.line());
            OutputError::CannotAppend(format!("line {line} has {len} cells, its header {expected_len}"))
        }
        other => OutputError::CannotAppend(format!("{other:?}")),
    }
}

fn write_error(error: ::csv::Error) -> OutputError {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => OutputError::Io(error),
        other => OutputError::Csv(format!("{other:?}")),
    }
}
