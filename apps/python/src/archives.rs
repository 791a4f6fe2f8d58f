//! Web archives: their pages one after the other, and what is wrong with the others.
//!
//! In: the path of a WARC or WACZ file. Out: an item per page or damaged record, in the order of the file. One page is in
//! memory at a time.

use crate::errors::PageError;
use copal_archive::{
    Archive, ArchiveEntry, ArchiveInput, ArchiveLimits, ArchivedPage, FileWindow, zip_entries,
};
use copal_dom::decode::decode;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Types of pages, whose bytes the charset of the HTTP header applies to.
const HTML_TYPES: &[&str] = &["text/html", "application/xhtml+xml"];

/// Reads an archive.
#[pyclass(frozen, module = "copal._copal")]
pub(crate) struct ArchiveReader {
    path: PathBuf,
    state: Mutex<ReaderState>,
}

struct ReaderState {
    /// Beginnings and lengths of the WARC files that are not read yet.
    waiting: VecDeque<(u64, u64)>,
    archive: Option<Box<Archive<FileWindow<ArchiveInput>>>>,
    max_bytes: usize,
}

/// Content, address, and what is wrong with the record instead of its content.
type ArchiveItem<'py> = (Option<Bound<'py, PyAny>>, Option<String>, Option<String>);

#[pymethods]
impl ArchiveReader {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, max_bytes: usize) -> PyResult<ArchiveReader> {
        let waiting = py.detach(|| warc_files(&path)).map_err(|error| unreadable(&path, error))?;
        Ok(ArchiveReader { path, state: Mutex::new(ReaderState { waiting, archive: None, max_bytes }) })
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<ArchiveItem<'py>>> {
        let next = py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.next(&self.path).map(|entry| entry.map(|entry| (entry, state.max_bytes)))
        });
        Ok(match next.map_err(|error| unreadable(&self.path, error))? {
            Some((ArchiveEntry::Page(page), max_bytes)) => {
                let content = content_of(py, &page, max_bytes);
                Some((Some(content), page.url, None))
            }
            Some((ArchiveEntry::Damaged(record), _)) => {
                let message = record.to_string();
                Some((None, record.url, Some(message)))
            }
            // the end; repeated visits are not asked for
            None | Some(_) => None,
        })
    }
}

impl ReaderState {
    /// The next entry; `None` at the end of the last file.
    fn next(&mut self, path: &Path) -> io::Result<Option<ArchiveEntry>> {
        loop {
            if let Some(archive) = &mut self.archive {
                if let Some(entry) = archive.next() {
                    return entry.map(Some);
                }
                self.archive = None;
            }
            let Some((start, length)) = self.waiting.pop_front() else { return Ok(None) };
            let mut limits = ArchiveLimits::default();
            limits.page_bytes = self.max_bytes;
            let file = FileWindow::new(ArchiveInput::open(path)?, start, length)?;
            self.archive = Some(Box::new(Archive::new(file, limits)?));
        }
    }
}

/// Where the WARC files of a file are: a WACZ file has several, and a WARC file is one.
fn warc_files(path: &Path) -> io::Result<VecDeque<(u64, u64)>> {
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wacz")) {
        // a pipe is opened once, by its reader
        path.metadata()?;
        return Ok(VecDeque::from([(0, u64::MAX)]));
    }
    let mut file = File::open(path)?;
    let entries = zip_entries(&mut file).map_err(io::Error::other)?;
    let is_warc = |name: &str| name.contains(".warc");
    let stored = entries.iter().filter(|entry| entry.is_stored && is_warc(&entry.name));
    let files: VecDeque<(u64, u64)> = stored.map(|entry| (entry.start, entry.length)).collect();
    if files.is_empty() {
        return Err(io::Error::other(
            "the zip file contains no WARC file that is stored without compression",
        ));
    }
    Ok(files)
}

/// The page as text if the server stated its charset, which its bytes do not say; else its bytes.
fn content_of<'py>(py: Python<'py>, page: &ArchivedPage, max_bytes: usize) -> Bound<'py, PyAny> {
    let is_html = page.content_type.as_deref().is_some_and(|kind| HTML_TYPES.contains(&kind));
    let charset = page.charset.as_deref().filter(|_| is_html);
    let decoded = charset.and_then(|charset| py.detach(|| decode(&page.body, Some(charset), max_bytes).ok()));
    match decoded {
        Some(decoded) if decoded.url.is_none() => PyString::new(py, &decoded.text).into_any(),
        _ => PyBytes::new(py, &page.body).into_any(),
    }
}

fn unreadable(path: &Path, error: io::Error) -> PyErr {
    PageError::new_err(format!("{}: {error}", path.display()))
}
