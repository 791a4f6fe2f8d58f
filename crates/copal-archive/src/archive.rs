//! The pages of an archive, one after the other.
//!
//! In: a WARC file. Out: pages and damaged records, in the order of the file. What is not a page is counted.

use crate::damage::{Damage, InputError};
use crate::http_message::parse_response;
use crate::record_input::RecordInput;
use crate::warc_record::{RecordHead, RecordType, read_block, read_head};
use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek};

/// Types of content that copal can read.
const PAGE_TYPES: &[&str] = &["text/html", "application/xhtml+xml"];
const DATA_TYPES: &[&str] =
    &["application/json", "application/ld+json", "application/rss+xml", "application/atom+xml"];
/// Records whose content is remembered for later visits that refer to it. Each takes 16 bytes and an overhead.
const MAX_REMEMBERED_CONTENTS: usize = 1 << 20;

/// Bounds of one record.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ArchiveLimits {
    /// Bytes of a page that are read. The rest is passed over, and the page is marked.
    pub page_bytes: usize,
    /// Bytes of a record. A larger one is damage: nobody stores pages of this size, but wrong lengths have it.
    pub record_bytes: u64,
    /// Also give JSON and feeds.
    pub data: bool,
    /// Give content of these types instead, if there are any: `text/html`, in lower case.
    pub types: Vec<String>,
    /// Also give repeated visits, as [`ArchiveEntry::Revisit`].
    pub revisits: bool,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        ArchiveLimits {
            page_bytes: 10_000_000,
            record_bytes: 1 << 30,
            data: false,
            types: Vec::new(),
            revisits: false,
        }
    }
}

/// A stored page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchivedPage {
    /// Its address.
    pub url: Option<String>,
    /// When it was stored, as the archive writes it (`2026-01-31T12:00:00Z`).
    pub date: Option<String>,
    /// The type that the server stated, in lower case, without parameters.
    pub content_type: Option<String>,
    /// The charset that the server stated.
    pub charset: Option<String>,
    /// The decoded body.
    pub body: Vec<u8>,
    /// The body goes on, but was cut at a limit or at damage.
    pub is_cut: bool,
    /// Where its record begins in the file.
    pub position: u64,
}

/// A record that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DamagedRecord {
    /// Where it begins in the file.
    pub position: u64,
    /// Its address, if its head could be read.
    pub url: Option<String>,
    /// What is wrong with it.
    pub damage: Damage,
}

impl fmt::Display for DamagedRecord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "record at byte {}: {}", self.position, self.damage)?;
        self.url.as_ref().map_or(Ok(()), |url| write!(out, " ({url})"))
    }
}

/// A repeated visit of a page that had not changed: the archive has its content once.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RevisitRecord {
    /// Where it begins in the file.
    pub position: u64,
    /// The address of the page.
    pub url: Option<String>,
    /// When it was visited again.
    pub date: Option<String>,
    /// Where the record with the content begins, if it is in the same file and came before.
    pub content_position: Option<u64>,
}

/// What an archive has.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchiveEntry {
    /// A page.
    Page(ArchivedPage),
    /// A record that could not be read.
    Damaged(DamagedRecord),
    /// A repeated visit, if the limits ask for them.
    Revisit(RevisitRecord),
}

/// Records that are not pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveCounts {
    /// Records of all kinds, the damaged ones not included.
    pub records: u64,
    /// Responses that are not a success: redirects, errors, 304.
    pub other_status: u64,
    /// Responses with content of another type: images, scripts.
    pub other_type: u64,
    /// Repeated visits, whose content is elsewhere.
    pub revisits: u64,
}

/// Reads the pages of an archive.
pub struct Archive<R> {
    input: RecordInput<R>,
    limits: ArchiveLimits,
    counts: ArchiveCounts,
    is_at_end: bool,
    /// Where records with content begin, by the hash of the digest that the archive states for it.
    contents: HashMap<u64, u64>,
}

impl<R: Read + Seek> Archive<R> {
    /// An archive from the bytes of its file, plain, gzip or zstd. Fails if the file cannot be read.
    pub fn new(file: R, limits: ArchiveLimits) -> io::Result<Archive<R>> {
        let input = RecordInput::new(file)?;
        let counts = ArchiveCounts::default();
        Ok(Archive { input, limits, counts, is_at_end: false, contents: HashMap::new() })
    }

    /// Goes on with the record that begins at `position`. It must be a position that an entry or an index has; reading
    /// from any other one gives a damaged record and goes on with the next that is found.
    pub fn go_to(&mut self, position: u64) -> io::Result<()> {
        self.is_at_end = false;
        self.input.go_to(position)
    }

    /// The entry of the record at `position`, as an index gives it; `None` if it is not a page. What comes after it is
    /// not read.
    pub fn entry_at(&mut self, position: u64) -> io::Result<Option<ArchiveEntry>> {
        self.go_to(position)?;
        match self.step() {
            Ok(Step::Entry(entry)) => Ok(Some(entry)),
            Ok(Step::Skipped) => Ok(None),
            Ok(Step::End) => Ok(Some(damaged_at(position, Damage::Truncated))),
            Err(InputError::Damaged(damage)) => Ok(Some(damaged_at(position, damage))),
            Err(InputError::Io(error)) => Err(error),
        }
    }

    /// What was passed over so far.
    pub fn counts(&self) -> ArchiveCounts {
        self.counts
    }

    /// Bytes of the file that were read so far, for progress.
    pub fn consumed(&self) -> u64 {
        self.input.consumed()
    }

    /// Reads the next record.
    fn step(&mut self) -> Result<Step, InputError> {
        let Some(head) = read_head(&mut self.input, self.limits.record_bytes)? else { return Ok(Step::End) };
        let is_wanted = matches!(head.record_type, RecordType::Response | RecordType::Resource);
        // room for the HTTP header and for what decoding may shorten
        let max_bytes = if is_wanted { self.limits.page_bytes.saturating_mul(2) } else { 0 };
        let block = match read_block(&mut self.input, head.length, max_bytes) {
            Ok(block) => block,
            Err(InputError::Damaged(damage)) => {
                let damaged = DamagedRecord { position: head.position, url: head.url, damage };
                return self.resume_after(damaged).map_err(InputError::Io);
            }
            Err(error) => return Err(error),
        };
        self.counts.records += 1;
        self.remember_content(&head);
        let was_cut = head.length > block.len() as u64;
        let entry = match head.record_type {
            RecordType::Resource => self.resource(head, block, was_cut),
            RecordType::Response => self.response(head, &block, was_cut),
            RecordType::Revisit => {
                self.counts.revisits += 1;
                self.limits.revisits.then(|| self.revisit(head))
            }
            RecordType::Other => None,
        };
        Ok(entry.map_or(Step::Skipped, Step::Entry))
    }

    /// Remembers where the content of a digest is.
    fn remember_content(&mut self, head: &RecordHead) {
        let has_content = matches!(head.record_type, RecordType::Response | RecordType::Resource);
        if self.limits.revisits
            && has_content
            && self.contents.len() < MAX_REMEMBERED_CONTENTS
            && let Some(digest) = &head.payload_digest
        {
            self.contents.entry(hash_of(digest)).or_insert(head.position);
        }
    }

    fn revisit(&self, head: RecordHead) -> ArchiveEntry {
        let content_position =
            head.payload_digest.as_ref().and_then(|digest| self.contents.get(&hash_of(digest)).copied());
        let RecordHead { position, url, date, .. } = head;
        ArchiveEntry::Revisit(RevisitRecord { position, url, date, content_position })
    }

    /// Goes to the next record after damage.
    fn resume_after(&mut self, mut damaged: DamagedRecord) -> io::Result<Step> {
        self.is_at_end = !self.input.resume(damaged.position)?;
        if damaged.damage == Damage::Truncated && !self.is_at_end {
            // the file goes on: it is the record that does not say where it ends
            damaged.damage = self.input.damage_before_end();
        }
        Ok(Step::Entry(ArchiveEntry::Damaged(damaged)))
    }

    fn resource(&mut self, head: RecordHead, mut body: Vec<u8>, was_cut: bool) -> Option<ArchiveEntry> {
        let (content_type, charset) = split_type(head.content_type.as_deref());
        if !self.is_read(content_type.as_deref()) {
            self.counts.other_type += 1;
            return None;
        }
        let is_cut = was_cut || body.len() > self.limits.page_bytes;
        body.truncate(self.limits.page_bytes);
        let RecordHead { url, date, position, .. } = head;
        Some(ArchiveEntry::Page(ArchivedPage { url, date, content_type, charset, body, is_cut, position }))
    }

    fn response(&mut self, head: RecordHead, block: &[u8], was_cut: bool) -> Option<ArchiveEntry> {
        let RecordHead { url, date, position, .. } = head;
        let message = match parse_response(block, self.limits.page_bytes) {
            Ok(message) => message,
            Err(damage) => return Some(ArchiveEntry::Damaged(DamagedRecord { position, url, damage })),
        };
        if !(200..300).contains(&message.status) {
            self.counts.other_status += 1;
            return None;
        }
        let (content_type, charset) = split_type(message.content_type.as_deref());
        if !self.is_read(content_type.as_deref()) {
            self.counts.other_type += 1;
            return None;
        }
        let (body, is_cut) = (message.body.into_owned(), message.is_cut || was_cut);
        Some(ArchiveEntry::Page(ArchivedPage { url, date, content_type, charset, body, is_cut, position }))
    }

    fn is_read(&self, content_type: Option<&str>) -> bool {
        let Some(name) = content_type else { return false };
        if !self.limits.types.is_empty() {
            return self.limits.types.iter().any(|known| known == name);
        }
        PAGE_TYPES.contains(&name) || self.limits.data && DATA_TYPES.contains(&name)
    }
}

fn damaged_at(position: u64, damage: Damage) -> ArchiveEntry {
    ArchiveEntry::Damaged(DamagedRecord { position, url: None, damage })
}

/// A hash of a digest, which is long and already random.
fn hash_of(digest: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    digest.hash(&mut hasher);
    hasher.finish()
}

/// What one record gave.
enum Step {
    Entry(ArchiveEntry),
    Skipped,
    End,
}

impl<R: Read + Seek> Iterator for Archive<R> {
    /// An error means that the file cannot be read any further.
    type Item = io::Result<ArchiveEntry>;

    fn next(&mut self) -> Option<io::Result<ArchiveEntry>> {
        while !self.is_at_end {
            let step = self.step().or_else(|error| match error {
                InputError::Io(error) => Err(error),
                InputError::Damaged(damage) => {
                    let position = self.input.position();
                    self.resume_after(DamagedRecord { position, url: None, damage })
                }
            });
            match step {
                Ok(Step::Entry(entry)) => return Some(Ok(entry)),
                Ok(Step::Skipped) => {}
                Ok(Step::End) => self.is_at_end = true,
                Err(error) => {
                    self.is_at_end = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

impl<R> fmt::Debug for Archive<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Archive").field("counts", &self.counts).finish_non_exhaustive()
    }
}

/// The type and the charset of a `Content-Type`.
fn split_type(text: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(text) = text.map(str::to_ascii_lowercase) else { return (None, None) };
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty()).map(str::to_owned);
    let charset = parts.find_map(|part| part.strip_prefix("charset="));
    (name, charset.map(|charset| charset.trim_matches(['"', '\'']).to_owned()))
}
