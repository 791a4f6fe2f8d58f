//! CSV: one header, one row a record; of an object's own page, one row.
//!
//! The columns are those of all pages (and, with all regions, of all regions) together, in the order they first
//! appear, so rows are kept until the end. Several pages (of input, or of one list) give a `page` column, all regions a `region` column.
//! Several values of a cell are joined by ` | `.

use crate::Format;
use copal_extract::Extraction;
use std::collections::HashMap;
use std::io::{self, Write};

/// See the module.
#[derive(Debug, Default)]
pub struct Csv {
    /// Add a `page` column.
    pub pages: bool,
    /// Add a `region` column.
    pub regions: bool,
    /// Put `'` before cells that a spreadsheet would run as a formula.
    pub safe: bool,
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
    fn page(&mut self, _: &mut dyn Write, name: &str, extraction: &Extraction) -> io::Result<()> {
        if let Some(detail) = &extraction.detail {
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
        let mut writer = ::csv::Writer::from_writer(out);
        let mut header: Vec<&str> = Vec::new();
        header.extend(self.pages.then_some("page"));
        header.extend(self.regions.then_some("region"));
        // ours come first; a page's own column of that name gets a number
        header.extend(self.columns.iter().map(|name| match name.as_str() {
            "page" if self.pages => "page_2",
            "region" if self.regions => "region_2",
            other => other,
        }));
        if header.is_empty() {
            return Ok(());
        }
        writer.write_record(&header).map_err(plain)?;
        for row in std::mem::take(&mut self.rows) {
            let mut cells = vec![String::new(); self.columns.len()];
            for (at, text) in row.cells {
                cells[at] = self.cell(text);
            }
            let page = self.pages.then(|| self.cell(row.page));
            let region = self.regions.then(|| row.region.to_string());
            writer.write_record(page.into_iter().chain(region).chain(cells)).map_err(plain)?;
        }
        writer.flush()
    }
}

/// The error below, with its kind: the caller must know a closed pipe from a full disk.
fn plain(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
