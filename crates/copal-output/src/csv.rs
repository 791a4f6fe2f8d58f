//! CSV: one header, one row a record; of an object's own page, one row.
//!
//! The columns are those of all pages (and, with all regions, of all regions) together, in the order they first
//! appear, so rows are kept until the end. Several pages (of input, or of one list) give a `page` column, all regions a `region` column.
//! Several values of a cell are joined by ` | `. Rows of an earlier file can stand before the new ones ([`Csv::before`]); its columns come first then.

use crate::Format;
use copal_extract::Answer;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

/// See the module.
#[derive(Debug, Default)]
pub struct Csv {
    /// Add a `page` column.
    pub pages: bool,
    /// Add a `region` column.
    pub regions: bool,
    /// Put `'` before cells that a spreadsheet would run as a formula.
    pub safe: bool,
    /// A CSV file whose rows stand before the new ones. Columns that it does not have are added at its end.
    pub before: Option<PathBuf>,
    /// Records of each region at most; all if there is none.
    pub(crate) most: Option<usize>,
    columns: Vec<String>,
    place: HashMap<String, usize>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    page: String,
    region: usize,
    cells: Vec<(usize, String)>,
}

impl Csv {
    /// A writer without `page` and `region` columns.
    pub fn new() -> Self {
        Self::default()
    }

    fn column(&mut self, name: &str) -> usize {
        if let Some(&at) = self.place.get(name) {
            return at;
        }
        self.columns.push(name.to_owned());
        self.place.insert(name.to_owned(), self.columns.len() - 1);
        self.columns.len() - 1
    }

    fn cell(&self, text: String) -> String {
        let runs = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        if self.safe && runs { format!("'{text}") } else { text }
    }
}

impl Format for Csv {
    fn page(&mut self, _: &mut dyn Write, name: &str, extraction: &Answer) -> io::Result<()> {
        if let Some(detail) = &extraction.object {
            let fields = detail.fields.iter().filter(|field| !field.texts.is_empty());
            let cells = fields.map(|field| (self.column(&field.name), field.texts.join(" | "))).collect();
            self.rows.push(Row { page: name.to_owned(), region: 0, cells });
            // its lists are of other things, with other columns
            if !self.regions {
                return Ok(());
            }
        }
        // a list over several pages tells them apart
        self.pages |= extraction.followed.is_some();
        for (number, region) in extraction.regions.iter().enumerate() {
            let places: Vec<usize> = region.columns.iter().map(|column| self.column(&column.name)).collect();
            for record in region.records.iter().take(self.most.unwrap_or(usize::MAX)) {
                let filled = places.iter().zip(&record.cells).filter(|(_, values)| !values.is_empty());
                let cells = filled.map(|(&at, values)| (at, values.join(" | "))).collect();
                let page = record.page.as_ref().map_or(name, |page| &page.url).to_owned();
                self.rows.push(Row { page, region: number + 1, cells });
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut earlier = self.before.take().map(Earlier::open).transpose()?.flatten();
        let mut header: Vec<String> = earlier.as_ref().map_or_else(Vec::new, |file| file.header.clone());
        self.pages |= header.iter().any(|name| name == "page");
        let mut own: Vec<&str> = Vec::new();
        own.extend(self.pages.then_some("page"));
        own.extend(self.regions.then_some("region"));
        // ours come first; a page's own column of that name gets a number
        own.extend(self.columns.iter().map(|name| match name.as_str() {
            "page" if self.pages => "page_2",
            "region" if self.regions => "region_2",
            other => other,
        }));
        let mut known: HashMap<String, usize> =
            header.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
        let place = |name: &str| {
            *known.entry(name.to_owned()).or_insert_with(|| {
                header.push(name.to_owned());
                header.len() - 1
            })
        };
        let places: Vec<usize> = own.into_iter().map(place).collect();
        if header.is_empty() {
            return Ok(());
        }
        let mut writer = ::csv::Writer::from_writer(out);
        writer.write_record(&header).map_err(plain)?;
        if let Some(file) = &mut earlier {
            file.copy(&mut writer, header.len())?;
        }
        for row in std::mem::take(&mut self.rows) {
            let page = self.pages.then(|| self.cell(row.page));
            let region = self.regions.then(|| row.region.to_string());
            let first = usize::from(self.pages) + usize::from(self.regions);
            let mut cells = vec![String::new(); header.len()];
            for (at, text) in page.into_iter().chain(region).enumerate() {
                cells[places[at]] = text;
            }
            for (at, text) in row.cells {
                cells[places[first + at]] = self.cell(text);
            }
            writer.write_record(cells).map_err(plain)?;
        }
        writer.flush()
    }
}

/// A file that is there already.
struct Earlier {
    header: Vec<String>,
    reader: ::csv::Reader<File>,
}

impl Earlier {
    /// Reads its header; none if it is empty.
    fn open(path: PathBuf) -> io::Result<Option<Earlier>> {
        let mut reader = ::csv::Reader::from_reader(File::open(path)?);
        let header: Vec<String> = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
        let twice = header.iter().enumerate().find(|(at, name)| header[..*at].contains(name));
        if let Some((_, name)) = twice {
            return Err(io::Error::other(format!("cannot be added to: its header has {name:?} twice")));
        }
        Ok((!header.is_empty()).then_some(Earlier { header, reader }))
    }

    /// Copies its rows, each as long as the new header.
    fn copy(&mut self, out: &mut ::csv::Writer<&mut dyn Write>, width: usize) -> io::Result<()> {
        let mut row = ::csv::StringRecord::new();
        while self.reader.read_record(&mut row).map_err(wrong)? {
            let missing = width.saturating_sub(row.len());
            out.write_record(row.iter().chain(std::iter::repeat_n("", missing))).map_err(plain)?;
        }
        Ok(())
    }
}

fn wrong(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        ::csv::ErrorKind::Utf8 { .. } => io::Error::other("cannot be added to: it is not UTF-8"),
        ::csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.map_or(0, |pos| pos.line());
            io::Error::other(format!(
                "cannot be added to: line {line} has {len} cells, its header {expected_len}"
            ))
        }
        other => io::Error::other(format!("cannot be added to: {other:?}")),
    }
}

/// The error below, with its kind: the caller must know a closed pipe from a full disk.
fn plain(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
