//! The directory of a zip file, for WACZ files: zip files with WARC files in them, which are stored uncompressed so that
//! records can be read at their positions.
//!
//! In: a file. Out: names and positions of what it contains. The directory is at the end of the file; numbers in it are
//! checked against the size of the file before anything is read. O(entries).

use std::io::{self, Read, Seek, SeekFrom};

const END_MAGIC: [u8; 4] = *b"PK\x05\x06";
const END64_LOCATOR_MAGIC: [u8; 4] = *b"PK\x06\x07";
const END64_MAGIC: [u8; 4] = *b"PK\x06\x06";
const ENTRY_MAGIC: [u8; 4] = *b"PK\x01\x02";
const LOCAL_MAGIC: [u8; 4] = *b"PK\x03\x04";
/// The record at the end, and the longest comment after it.
const MAX_END_BYTES: u64 = 22 + 65_535;
/// Largest directory. That of a WACZ file has a few hundred bytes.
const MAX_DIRECTORY_BYTES: u64 = 64 << 20;
/// A number that does not fit into its field: the real one is in an extra field.
const IN_EXTRA_FIELD: u64 = 0xffff_ffff;

/// Why a zip file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ZipDirectoryError {
    /// The operating system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is no directory: the file is cut, or something else.
    #[error("not a zip file, or its end is missing")]
    NoDirectory,
    /// The directory is not what a zip file has.
    #[error("the directory of the zip file is damaged")]
    Damaged,
    /// The directory is larger than any of a web archive.
    #[error("the directory of the zip file is larger than {} MB", MAX_DIRECTORY_BYTES >> 20)]
    TooLarge,
}

/// What a zip file contains.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ZipEntry {
    /// Its path.
    pub name: String,
    /// Where its bytes begin in the file.
    pub start: u64,
    /// How many bytes it takes in the file.
    pub length: u64,
    /// Its bytes are its content, neither compressed nor encrypted.
    pub is_stored: bool,
}

/// The entries of a zip file, in the order of its directory.
pub fn zip_entries(file: &mut (impl Read + Seek)) -> Result<Vec<ZipEntry>, ZipDirectoryError> {
    let file_bytes = file.seek(SeekFrom::End(0))?;
    let (directory_start, directory_bytes) = find_directory(file, file_bytes)?;
    if directory_bytes > MAX_DIRECTORY_BYTES {
        return Err(ZipDirectoryError::TooLarge);
    }
    if directory_start.checked_add(directory_bytes).is_none_or(|end| end > file_bytes) {
        return Err(ZipDirectoryError::Damaged);
    }
    let directory = read_at(file, directory_start, directory_bytes)?;
    let mut entries = Vec::new();
    let mut rest = directory.as_slice();
    while rest.starts_with(&ENTRY_MAGIC) {
        let (entry, local, after) = parse_entry(rest).ok_or(ZipDirectoryError::Damaged)?;
        rest = after;
        if let Some(entry) = locate(file, entry, local, file_bytes)? {
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// Where the directory begins, and its length.
fn find_directory(file: &mut (impl Read + Seek), file_bytes: u64) -> Result<(u64, u64), ZipDirectoryError> {
    let tail_start = file_bytes.saturating_sub(MAX_END_BYTES);
    let tail = read_at(file, tail_start, file_bytes - tail_start)?;
    let at = memchr::memmem::rfind(&tail, &END_MAGIC).ok_or(ZipDirectoryError::NoDirectory)?;
    let end = &tail[at..];
    let number = |offset| number(end, offset, 4).ok_or(ZipDirectoryError::Damaged);
    let (bytes, start) = (number(12)?, number(16)?);
    // a large file has a second record, whose place is before this one
    let locator = at.checked_sub(20).map(|at| &tail[at..at + 20]);
    let Some(locator) = locator.filter(|locator| locator.starts_with(&END64_LOCATOR_MAGIC)) else {
        return Ok((start, bytes));
    };
    let place = self::number(locator, 8, 8).ok_or(ZipDirectoryError::Damaged)?;
    if place.checked_add(56).is_none_or(|end| end > file_bytes) {
        return Err(ZipDirectoryError::Damaged);
    }
    let end64 = read_at(file, place, 56)?;
    let wide = |offset| self::number(&end64, offset, 8).ok_or(ZipDirectoryError::Damaged);
    if !end64.starts_with(&END64_MAGIC) {
        return Err(ZipDirectoryError::Damaged);
    }
    Ok((wide(48)?, wide(40)?))
}

/// An entry, the place of its local header, and the bytes after it.
fn parse_entry(bytes: &[u8]) -> Option<(ZipEntry, u64, &[u8])> {
    let short = |offset| Some(number(bytes, offset, 2)? as usize);
    let (name_bytes, extra_bytes, comment_bytes) = (short(28)?, short(30)?, short(32)?);
    let name = bytes.get(46..46 + name_bytes)?;
    let extra = bytes.get(46 + name_bytes..46 + name_bytes + extra_bytes)?;
    let after = bytes.get(46 + name_bytes + extra_bytes + comment_bytes..)?;
    let (flags, method) = (short(8)?, short(10)?);
    let (mut length, size, mut local) = (number(bytes, 20, 4)?, number(bytes, 24, 4)?, number(bytes, 42, 4)?);
    // the wide numbers are there in this order, those only that do not fit
    let mut wide = extra_field(extra, 1).unwrap_or_default().chunks_exact(8);
    let mut next_wide = || wide.next().and_then(|bytes| number(bytes, 0, 8));
    if size == IN_EXTRA_FIELD {
        next_wide()?;
    }
    if length == IN_EXTRA_FIELD {
        length = next_wide()?;
    }
    if local == IN_EXTRA_FIELD {
        local = next_wide()?;
    }
    let entry = ZipEntry {
        name: String::from_utf8_lossy(name).into_owned(),
        start: 0,
        length,
        is_stored: method == 0 && flags & 1 == 0,
    };
    Some((entry, local, after))
}

/// The content of the extra field with a number.
fn extra_field(mut extra: &[u8], wanted: u64) -> Option<&[u8]> {
    loop {
        let (kind, length) = (number(extra, 0, 2)?, number(extra, 2, 2)? as usize);
        let content = extra.get(4..4 + length)?;
        if kind == wanted {
            return Some(content);
        }
        extra = &extra[4 + length..];
    }
}

/// The entry with the place of its bytes; `None` if the place is not in the file.
fn locate(
    file: &mut (impl Read + Seek),
    mut entry: ZipEntry,
    local: u64,
    file_bytes: u64,
) -> Result<Option<ZipEntry>, ZipDirectoryError> {
    if local.checked_add(30).is_none_or(|end| end > file_bytes) {
        return Ok(None);
    }
    let head = read_at(file, local, 30)?;
    if !head.starts_with(&LOCAL_MAGIC) {
        return Ok(None);
    }
    let lengths = number(&head, 26, 2).zip(number(&head, 28, 2));
    let Some((name_bytes, extra_bytes)) = lengths else { return Ok(None) };
    entry.start = local + 30 + name_bytes + extra_bytes;
    // a length that goes beyond the file is cut where the file ends
    entry.length = entry.length.min(file_bytes.saturating_sub(entry.start));
    Ok(Some(entry))
}

/// A little-endian number of `bytes` bytes.
fn number(data: &[u8], offset: usize, bytes: usize) -> Option<u64> {
    let field = data.get(offset..offset + bytes)?;
    Some(field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

fn read_at(file: &mut (impl Read + Seek), start: u64, length: u64) -> Result<Vec<u8>, ZipDirectoryError> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
