//! What a crawl consists of: WARC files, those in WACZ files, and saved pages.
//!
//! In: inputs. Out: pages in a stable order, each with the point after it, from which a later run can go on. One page
//! is in memory at a time.

use super::crawl_point::CrawlPoint;
use crate::error::CliError;
use crate::inputs::Input;
use crate::opened_pipe::OpenedPipe;
use crate::reporting;
use copal_archive::{
    Archive, ArchiveEntry, ArchiveInput, ArchiveLimits, ArchivedPage, CdxIndex, DamagedRecord, FileWindow,
    zip_entries,
};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A page to answer.
#[derive(Debug, Default)]
pub(in crate::commands::extract) struct CrawlPage {
    /// How the output names it.
    pub(in crate::commands::extract) name: String,
    pub(in crate::commands::extract) url: Option<String>,
    pub(in crate::commands::extract) content_type: Option<String>,
    pub(in crate::commands::extract) charset: Option<String>,
    pub(in crate::commands::extract) is_cut: bool,
    pub(in crate::commands::extract) body: Vec<u8>,
}

/// What a source has next.
pub(in crate::commands::extract) enum SourceItem {
    Page(CrawlPage),
    /// An input that cannot be read.
    Unreadable(String, CliError),
    Damaged(DamagedRecord),
    /// A repeated visit whose content is not in this file.
    ContentElsewhere,
}

/// A file of a crawl.
pub(in crate::commands::extract) struct CrawlSource {
    /// How messages name it.
    pub(in crate::commands::extract) name: String,
    pub(in crate::commands::extract) bytes: u64,
    content: SourceContent,
}

enum SourceContent {
    Archive {
        file: ArchiveFile,
        /// Where it begins, in a WACZ file, and how long it is.
        start: u64,
        length: u64,
        /// The records that are read, if an index chooses them.
        positions: Option<Vec<u64>>,
    },
    Page(Input),
}

enum ArchiveFile {
    Named(PathBuf),
    Pipe(OpenedPipe),
}

impl ArchiveFile {
    fn open(&self) -> io::Result<ArchiveInput> {
        match self {
            ArchiveFile::Named(path) => ArchiveInput::open(path),
            ArchiveFile::Pipe(pipe) => pipe.take(),
        }
    }
}

/// True for a WARC or WACZ file, which are recognised by their names, and for a pipe with records.
pub(in crate::commands::extract) fn is_archive(input: &Input) -> bool {
    match input {
        Input::File(path) => has_archive_name(path),
        Input::Pipe(pipe) => pipe.is_archive,
        _ => false,
    }
}

fn has_archive_name(path: &Path) -> bool {
    is_warc(path) || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wacz"))
}

fn is_warc(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let name = name.to_string_lossy().to_ascii_lowercase();
    let mut endings = name.rsplit('.');
    let last = endings.next().filter(|ending| !matches!(*ending, "gz" | "zst")).or_else(|| endings.next());
    last == Some("warc")
}

/// The sources of inputs, in their order.
pub(in crate::commands::extract) fn sources_of(inputs: &[Input]) -> Result<Vec<CrawlSource>, CliError> {
    let mut sources = Vec::new();
    for input in inputs {
        match input {
            Input::File(path) if has_archive_name(path) => add_archive(path, &mut sources)?,
            Input::Pipe(pipe) if pipe.is_archive => {
                let file = ArchiveFile::Pipe(pipe.clone());
                let content = SourceContent::Archive { file, start: 0, length: u64::MAX, positions: None };
                sources.push(CrawlSource { name: input.name(), bytes: 0, content });
            }
            Input::File(path) => {
                let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
                let content = SourceContent::Page(input.clone());
                sources.push(CrawlSource { name: input.name(), bytes, content });
            }
            Input::Url(_) => {
                return Err(CliError::usage(
                    "--long and web archives are for files: give URLs to a run of their own",
                ));
            }
            Input::Stdin | Input::Pipe(_) | Input::Search(_) | Input::Broken(..) => {
                let content = SourceContent::Page(input.clone());
                sources.push(CrawlSource { name: input.name(), bytes: 0, content });
            }
        }
    }
    Ok(sources)
}

fn add_archive(path: &Path, sources: &mut Vec<CrawlSource>) -> Result<(), CliError> {
    let name = path.display().to_string();
    let failed = |error: CliError| error.about(&name);
    // a pipe is opened only once, by its reader
    let metadata = fs::metadata(path).map_err(|error| failed(CliError::reading(&error)))?;
    let bytes = metadata.len();
    if is_warc(path) {
        // a pipe has no length that is known before its end
        let length = if metadata.is_file() { bytes } else { u64::MAX };
        let content = SourceContent::Archive {
            file: ArchiveFile::Named(path.to_owned()),
            start: 0,
            length,
            positions: None,
        };
        sources.push(CrawlSource { name, bytes, content });
        return Ok(());
    }
    let mut file = File::open(path).map_err(|error| failed(CliError::reading(&error)))?;
    let entries = zip_entries(&mut file).map_err(|error| failed(CliError::unreadable(error)))?;
    let before = sources.len();
    for entry in entries.into_iter().filter(|entry| is_warc(Path::new(&entry.name))) {
        if !entry.is_stored {
            let message = format!("{} is compressed in the zip file: unpack it first", entry.name);
            return Err(failed(CliError::unreadable(message)));
        }
        let (start, length) = (entry.start, entry.length);
        let content = SourceContent::Archive {
            file: ArchiveFile::Named(path.to_owned()),
            start,
            length,
            positions: None,
        };
        sources.push(CrawlSource { name: format!("{name}/{}", entry.name), bytes: entry.length, content });
    }
    if sources.len() == before {
        return Err(failed(CliError::unreadable("the zip file contains no WARC file")));
    }
    Ok(())
}

/// Restricts archives to the records that an index names. Archives that it does not name are not read.
pub(in crate::commands::extract) fn choose_by_index(
    sources: &mut Vec<CrawlSource>,
    index: &Path,
    quiet: bool,
) -> Result<(), CliError> {
    let failed = |error: CliError| error.about(index.display());
    let file = File::open(index).map_err(|error| failed(CliError::reading(&error)))?;
    let read = CdxIndex::read(file).map_err(|error| failed(CliError::unreadable(error)))?;
    let archives = sources.iter().filter(|source| matches!(source.content, SourceContent::Archive { .. }));
    let only_archive = (archives.count() == 1).then_some(()).is_some();
    // crawlers name files with folders that are not those of this machine
    let mut wanted: HashMap<String, Vec<u64>> = HashMap::new();
    let mut without_name = Vec::new();
    for entry in &read.entries {
        match &entry.file {
            Some(name) => wanted.entry(last_name(name).to_owned()).or_default().push(entry.position),
            None => without_name.push(entry.position),
        }
    }
    if !without_name.is_empty() && !only_archive {
        return Err(failed(CliError::unreadable(
            "its lines do not name the archive: give it to a run with one archive",
        )));
    }
    let mut used = 0;
    for source in sources.iter_mut() {
        let SourceContent::Archive { positions, .. } = &mut source.content else { continue };
        let mut chosen = wanted.remove(last_name(&source.name)).unwrap_or_default();
        chosen.extend(std::mem::take(&mut without_name));
        used += chosen.len();
        chosen.sort_unstable();
        chosen.dedup();
        *positions = Some(chosen);
    }
    sources.retain(|source| !matches!(&source.content, SourceContent::Archive { positions: Some(positions), .. } if positions.is_empty()));
    if !quiet {
        let others = read.entries.len() - used;
        for (number, what) in [(others, "of other archives"), (read.bad_lines, "that could not be read")] {
            if number > 0 {
                let name = index.display();
                reporting::warning(format_args!("{name}: {} {what}", reporting::count(number, "line")));
            }
        }
    }
    Ok(())
}

fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

type ArchiveReader = Archive<FileWindow<ArchiveInput>>;

/// Reads the pages of one source.
pub(in crate::commands::extract) struct SourceReader<'a> {
    source: &'a CrawlSource,
    number: usize,
    limits: ArchiveLimits,
    state: ReaderState<'a>,
    /// Entries at the position of the last one, including it.
    last: CrawlPoint,
}

enum ReaderState<'a> {
    All { archive: Box<ArchiveReader>, contents: Option<Box<ArchiveReader>> },
    Chosen { archive: Box<ArchiveReader>, positions: &'a [u64] },
    Page(Option<&'a Input>),
}

impl<'a> SourceReader<'a> {
    /// Opens a source after the point that an earlier run reached in it.
    pub(in crate::commands::extract) fn open(
        source: &'a CrawlSource,
        number: usize,
        limits: &ArchiveLimits,
        after: Option<&CrawlPoint>,
    ) -> Result<SourceReader<'a>, CliError> {
        let after = after.filter(|point| point.source == number);
        let failed = |error: io::Error| CliError::reading(&error).about(&source.name);
        let window = |input: ArchiveInput, start: u64, length: u64| {
            Archive::new(FileWindow::new(input, start, length)?, limits.clone()).map(Box::new)
        };
        let state = match &source.content {
            SourceContent::Page(input) => ReaderState::Page(after.is_none().then_some(input)),
            SourceContent::Archive { file, start, length, positions: Some(positions) } => {
                let done = after.map_or(0, |point| point.position as usize + 1).min(positions.len());
                let input = file.open().map_err(failed)?;
                let archive = window(input, *start, *length).map_err(failed)?;
                ReaderState::Chosen { archive, positions: &positions[done..] }
            }
            SourceContent::Archive { file, start, length, positions: None } => {
                let input = file.open().map_err(failed)?;
                // a pipe is read once: what later visits refer to is gone
                let has_contents = limits.revisits && matches!(input, ArchiveInput::File(_));
                let archive = window(input, *start, *length).map_err(failed)?;
                let contents = has_contents.then(|| window(file.open()?, *start, *length)).transpose();
                ReaderState::All { archive, contents: contents.map_err(failed)? }
            }
        };
        let last = CrawlPoint { source: number, position: u64::MAX, entries: 0 };
        let mut reader = SourceReader { source, number, limits: limits.clone(), state, last };
        if let Some(point) = after {
            reader.pass_to(point).map_err(failed)?;
        }
        Ok(reader)
    }

    /// Passes over what an earlier run has done.
    fn pass_to(&mut self, point: &CrawlPoint) -> io::Result<()> {
        match &mut self.state {
            ReaderState::Page(_) => {}
            ReaderState::Chosen { .. } => self.last = point.clone(),
            ReaderState::All { archive, .. } => {
                // later visits refer to contents before the point, which have to be seen again
                if !self.limits.revisits {
                    archive.go_to(point.position)?;
                }
                while self.last != *point {
                    let Some(entry) = archive.next().transpose()? else { break };
                    self.last.add(position_of(&entry));
                }
            }
        }
        Ok(())
    }

    /// Bytes of the source that were read.
    pub(in crate::commands::extract) fn consumed(&self) -> u64 {
        match &self.state {
            ReaderState::All { archive, .. } => archive.consumed(),
            ReaderState::Chosen { .. } | ReaderState::Page(_) => 0,
        }
    }

    /// The next item and the point after it.
    pub(in crate::commands::extract) fn next(
        &mut self,
        max_bytes: usize,
    ) -> Option<io::Result<(SourceItem, CrawlPoint)>> {
        let (source, number) = (self.source, self.number);
        match &mut self.state {
            ReaderState::Page(input) => {
                let input = input.take()?;
                let point = CrawlPoint { source: number, position: 0, entries: 1 };
                let name = input.name();
                Some(Ok(match input.read_bytes(max_bytes) {
                    Ok(body) => (SourceItem::Page(CrawlPage { name, body, ..CrawlPage::default() }), point),
                    Err(error) => (SourceItem::Unreadable(name, error), point),
                }))
            }
            ReaderState::Chosen { archive, positions } => {
                let (position, rest) = positions.split_first()?;
                *positions = rest;
                // the point of an index is the number of the entry
                let entries = self.last.position.wrapping_add(1);
                self.last = CrawlPoint { source: number, position: entries, entries: 1 };
                let point = self.last.clone();
                Some(archive.entry_at(*position).map(|entry| match entry {
                    Some(entry) => (item_of(source, entry, None), point),
                    None => (SourceItem::ContentElsewhere, point),
                }))
            }
            ReaderState::All { archive, contents } => {
                let entry = match archive.next()? {
                    Ok(entry) => entry,
                    Err(error) => return Some(Err(error)),
                };
                self.last.add(position_of(&entry));
                Some(Ok((item_of(source, entry, contents.as_deref_mut()), self.last.clone())))
            }
        }
    }
}

fn position_of(entry: &ArchiveEntry) -> u64 {
    match entry {
        ArchiveEntry::Page(page) => page.position,
        ArchiveEntry::Damaged(record) => record.position,
        ArchiveEntry::Revisit(record) => record.position,
        _ => 0,
    }
}

fn item_of(source: &CrawlSource, entry: ArchiveEntry, contents: Option<&mut ArchiveReader>) -> SourceItem {
    match entry {
        ArchiveEntry::Page(page) => SourceItem::Page(crawl_page(source, page)),
        ArchiveEntry::Damaged(record) => SourceItem::Damaged(record),
        ArchiveEntry::Revisit(record) => {
            let content = record.content_position.zip(contents);
            let content = content.and_then(|(position, archive)| archive.entry_at(position).ok()?);
            let Some(ArchiveEntry::Page(mut page)) = content else { return SourceItem::ContentElsewhere };
            (page.url, page.date) = (record.url.or(page.url), record.date);
            SourceItem::Page(crawl_page(source, page))
        }
        _ => SourceItem::ContentElsewhere,
    }
}

fn crawl_page(source: &CrawlSource, page: ArchivedPage) -> CrawlPage {
    let name = page.url.clone().unwrap_or_else(|| format!("{} at byte {}", source.name, page.position));
    CrawlPage {
        name,
        url: page.url,
        content_type: page.content_type,
        charset: page.charset,
        is_cut: page.is_cut,
        body: page.body,
    }
}
