//! Where the rows of a crawl go: one file, or a folder of parts with a checkpoint.
//!
//! A part is written completely or not at all, and the checkpoint after it, also at once. A run that is killed between
//! the two writes the part again, with the same rows under the same name, so that nothing is lost or doubled.

use super::checkpoint::{Checkpoint, CrawlCounts};
use super::crawl_point::CrawlPoint;
use crate::error::CliError;
use copal_output::destination::Destination;
use copal_output::rows::CellRows;
use copal_output::{Format, LongFile, LongFormat};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Rows after which a part ends.
const MAX_PART_ROWS: usize = 2_000_000;

/// An open output.
pub(super) struct CrawlOutput {
    /// How errors name it.
    name: String,
    format: Option<LongFormat>,
    parts: Option<PartFolder>,
    current: Option<OpenFile>,
}

struct PartFolder {
    folder: PathBuf,
    checkpoint: Checkpoint,
    max_pages: usize,
    /// Pages of the current part.
    pages: usize,
}

struct OpenFile {
    destination: Destination,
    long: Option<LongFile>,
}

impl OpenFile {
    fn open(path: Option<&Path>, format: Option<LongFormat>) -> io::Result<OpenFile> {
        let long = format.map(LongFile::new).transpose().map_err(io::Error::from)?;
        Ok(OpenFile { destination: Destination::open(path)?, long })
    }

    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.long {
            None => self.destination.write_all(bytes),
            Some(long) => {
                let wrong = || io::Error::other("a worker sent rows that cannot be read");
                let rows = CellRows::from_bytes(bytes).ok_or_else(wrong)?;
                Ok(long.add_rows(&mut self.destination, &rows)?)
            }
        }
    }

    fn close(mut self) -> io::Result<()> {
        if let Some(mut long) = self.long {
            long.finish(&mut self.destination)?;
        }
        self.destination.commit()
    }
}

impl CrawlOutput {
    /// One file, or standard output. `format` is that of the long form; other rows come as bytes.
    pub(super) fn file(
        path: Option<&Path>,
        name: String,
        format: Option<LongFormat>,
    ) -> Result<CrawlOutput, CliError> {
        let opened = OpenFile::open(path, format).map_err(|error| CliError::writing(&error, &name))?;
        Ok(CrawlOutput { name, format, parts: None, current: Some(opened) })
    }

    /// A folder of parts that goes on after a checkpoint.
    pub(super) fn parts(
        folder: &Path,
        format: LongFormat,
        checkpoint: Checkpoint,
        max_pages: usize,
    ) -> Result<CrawlOutput, CliError> {
        // a format that this build does not have is an error before any page is read
        LongFile::new(format).map_err(|error| CliError::writing(&error.into(), folder.display()))?;
        let parts = PartFolder { folder: folder.to_owned(), checkpoint, max_pages, pages: 0 };
        let name = folder.display().to_string();
        Ok(CrawlOutput { name, format: Some(format), parts: Some(parts), current: None })
    }

    /// Writes the rows of a page, which came from a worker.
    pub(super) fn page(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.write(|file| file.add(bytes))
    }

    /// Writes the row of a page that could not be read; other formats than the long form have no place for it.
    pub(super) fn failed_page(
        &mut self,
        name: &str,
        url: Option<&str>,
        reason: &str,
    ) -> Result<(), CliError> {
        self.write(|file| match &mut file.long {
            None => Ok(()),
            Some(long) => {
                let row = CellRows::of_failed_page(name, url, reason);
                Ok(long.add_rows(&mut file.destination, &row)?)
            }
        })
    }

    fn write(&mut self, write: impl FnOnce(&mut OpenFile) -> io::Result<()>) -> Result<(), CliError> {
        let failed = |error: io::Error| CliError::writing(&error, &self.name);
        if let Some(parts) = &mut self.parts {
            parts.pages += 1;
            if self.current.is_none() {
                let path = parts.path(self.format);
                self.current = Some(OpenFile::open(Some(&path), self.format).map_err(failed)?);
            }
        }
        self.current.as_mut().map_or(Ok(()), |file| write(file).map_err(failed))
    }

    /// Pages that the current part still takes.
    pub(super) fn part_pages_left(&self) -> usize {
        self.parts.as_ref().map_or(usize::MAX, |parts| parts.max_pages.saturating_sub(parts.pages))
    }

    /// True if the part is full.
    pub(super) fn is_part_full(&self) -> bool {
        let rows = self.current.as_ref().and_then(|file| file.long.as_ref()).map_or(0, LongFile::row_count);
        self.parts.as_ref().is_some_and(|parts| parts.pages >= parts.max_pages || rows >= MAX_PART_ROWS)
    }

    /// Ends the part: what was done up to `point` is permanent.
    pub(super) fn end_part(
        &mut self,
        point: Option<&CrawlPoint>,
        counts: &CrawlCounts,
        is_complete: bool,
    ) -> Result<(), CliError> {
        let failed = |error: io::Error| CliError::writing(&error, &self.name);
        let Some(parts) = &mut self.parts else { return Ok(()) };
        if let Some(file) = self.current.take() {
            file.close().map_err(failed)?;
            parts.checkpoint.parts += 1;
        }
        parts.pages = 0;
        parts.checkpoint.point = point.cloned().or(parts.checkpoint.point.take());
        parts.checkpoint.counts = counts.clone();
        parts.checkpoint.is_complete = is_complete;
        parts.checkpoint.write(&parts.folder).map_err(failed)
    }

    /// Ends the output. Without this call a file keeps its old content.
    pub(super) fn finish(
        mut self,
        point: Option<&CrawlPoint>,
        counts: &CrawlCounts,
    ) -> Result<String, CliError> {
        self.end_part(point, counts, true)?;
        let name = self.name;
        if let Some(file) = self.current {
            file.close().map_err(|error| CliError::writing(&error, &name))?;
        }
        Ok(match self.parts {
            Some(parts) => {
                let number = parts.checkpoint.parts;
                format!("{name}: {number} part{}", if number == 1 { "" } else { "s" })
            }
            None => name,
        })
    }
}

impl PartFolder {
    fn path(&self, format: Option<LongFormat>) -> PathBuf {
        let ending = format.map_or("jsonl", LongFormat::ending);
        self.folder.join(format!("part-{:05}.{ending}", self.checkpoint.parts))
    }
}
