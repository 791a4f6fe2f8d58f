//! The HTML report: one file with all pages, their lists, their outlines and the reasons.
//!
//! In: pages in order. Out: HTML that loads nothing and runs nothing: no script, no font, no image but a picture of the page inside the file, and one
//! embedded style sheet whose hash is in the content security policy of the file. All text of pages goes
//! through [`escape`]. Pages are kept until the end (in a temporary file above some megabytes), because the
//! list of pages comes first. Linear in what is shown, which is bounded per page.

mod context;
mod download;
mod escape;
mod links;
mod object;
mod outline;
mod page;
mod picture;
mod reasons;
mod record_cell;
mod region;

use crate::error::OutputError;
use crate::format::Format;
use context::PageContext;
use copal_model::Answer;
use escape::{Escaped, Truncated, count};
use std::fmt::Write as _;
use std::io::{self, Seek, Write};
use tempfile::SpooledTempFile;

const STYLE: &str = include_str!("style.css");
/// SHA-256 of the text between `<style>` and `</style>`; a test compares it with the style sheet.
const STYLE_HASH: &str = "Qrs/rkDvzGfQj350sGNRwkHl3KJlofhdePrzF0MZLXA=";
/// Bytes of finished pages that are kept in memory.
const MAX_MEMORY_BYTES: usize = 16 << 20;

/// Writes a report to read in a browser.
#[derive(Debug)]
pub struct Html {
    /// More than one page will be written.
    many: bool,
    /// Put `'` before cells of the CSV download that a spreadsheet would run as a formula.
    csv_safe: bool,
    pages: Vec<ReportPage>,
    /// A page has a picture, which the content security policy has to allow.
    has_picture: bool,
    finished: SpooledTempFile,
}

/// A page in the list of pages.
#[derive(Debug)]
struct ReportPage {
    title: String,
    name: String,
    records: usize,
    /// The number of fields of its object.
    fields: Option<usize>,
}

impl Html {
    /// `many` if more than one page will be written; `csv_safe` escapes formulas in the CSV download.
    pub fn new(many: bool, csv_safe: bool) -> Self {
        Html {
            many,
            csv_safe,
            pages: Vec::new(),
            has_picture: false,
            finished: SpooledTempFile::new(MAX_MEMORY_BYTES),
        }
    }
}

impl Format for Html {
    fn page(
        &mut self,
        _: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        let number = self.pages.len() + 1;
        let context = PageContext { number, many: self.many, csv_safe: self.csv_safe };
        self.has_picture |= picture::is_shown(extraction);
        self.finished.write_all(page::html(&context, name, extraction).as_bytes())?;
        self.pages.push(ReportPage {
            title: page::title(name, extraction).chars().take(MAX_TITLE_CHARS).collect(),
            name: name.to_owned(),
            records: extraction.regions.iter().map(|region| region.records.len()).sum(),
            fields: extraction.object.as_ref().map(|detail| detail.fields.len()),
        });
        Ok(())
    }

    fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        out.write_all(self.head().as_bytes())?;
        self.finished.rewind()?;
        io::copy(&mut self.finished, out)?;
        out.write_all(REPORT_FOOTER.as_bytes())?;
        Ok(())
    }
}

/// Maximum number of characters of a title in the list of pages.
const MAX_TITLE_CHARS: usize = 200;

const REPORT_FOOTER: &str = concat!(
    "</main>\n<footer><p>Made by copal ",
    env!("CARGO_PKG_VERSION"),
    ". This file loads nothing and runs nothing.</p></footer>\n</body>\n</html>\n"
);

impl Html {
    fn head(&self) -> String {
        let title = match self.pages.as_slice() {
            [one] if !self.many => one.title.clone(),
            pages => count(pages.len(), "page"),
        };
        let images = if self.has_picture { "img-src data:; " } else { "" };
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {images}\
             style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'\">\n\
             <meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"generator\" content=\"copal\">\n\
             <title>{} – copal</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
            Escaped(&title)
        );
        if self.many {
            self.push_contents(&mut out);
        }
        out.push_str("<main>\n");
        out
    }

    /// The list of pages.
    fn push_contents(&self, out: &mut String) {
        let records = self.pages.iter().map(|page| page.records).sum();
        let objects = self.pages.iter().filter(|page| page.fields.is_some()).count();
        let mut found = count(records, "record");
        if objects > 0 {
            found = format!("{}, {found}", count(objects, "object"));
        }
        let _ = write!(
            out,
            "<header id=\"contents\" class=\"contents\">\n<h1>{}, {found}</h1>\n\
             <nav aria-label=\"Pages\">\n<ol>\n",
            count(self.pages.len(), "page"),
        );
        for (i, page) in self.pages.iter().enumerate() {
            let _ = writeln!(
                out,
                "<li><a href=\"#p{}\" dir=\"auto\">{}</a> <span class=\"soft\">{}, {}</span></li>",
                i + 1,
                Escaped(&page.title),
                Truncated(&page.name, 120),
                page.fields.map_or_else(|| count(page.records, "record"), |fields| count(fields, "field"))
            );
        }
        out.push_str("</ol>\n</nav>\n</header>\n");
    }
}

#[cfg(test)]
mod style_tests;
