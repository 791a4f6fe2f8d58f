//! The bytes of an archive's records: decompressed, with their position in the file, and with a way to go on after
//! damage.
//!
//! In: a file, plain, gzip or zstd (one member or frame per record, as the standards want, or one for all). Out: bytes.
//! After [`RecordInput::resume`] the next bytes are those of a record that begins later in the file. Reading costs
//! O(bytes); memory is one buffer, and the window of the compression.

use crate::counted_file::Counted;
use crate::damage::{Damage, InputError};
use crate::zstd_frame::{SKIPPABLE_MAGIC, ZSTD_MAGIC, ZstdFrames, starts_with_zstd};
use flate2::bufread::GzDecoder;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Seek};

/// How gzip members begin: two bytes of magic, and deflate, the only method there is.
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// How records begin.
pub(crate) const RECORD_START: &[u8] = b"WARC/";
/// How records begin that are not the first one.
const LATER_RECORD_START: &[u8] = b"\nWARC/1.";
const BUFFER_BYTES: usize = 256 << 10;
/// Bytes of a file that are read a second time. Without a bound, a file made of damage would cost the square of its
/// size.
const MAX_SECOND_LOOK: u64 = 256 << 20;

/// How the records of a file are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecordCompression {
    Plain,
    Gzip,
    Zstd,
}

enum Encoding<R> {
    Plain(Counted<R>),
    /// Inside of a gzip member.
    Member(Box<GzDecoder<Counted<R>>>),
    /// Within a zstd frame.
    Frame(Counted<R>),
    /// Before a gzip member or a zstd frame, or at the end.
    Between(Counted<R>),
    /// Only while one of the others is replaced by another.
    Moving,
}

/// Bytes of records.
pub(crate) struct RecordInput<R> {
    encoding: Encoding<R>,
    /// Decompressed bytes that were not given yet; positions count from `start`.
    buffer: Vec<u8>,
    start: usize,
    /// Decompressed bytes that were passed over.
    passed: u64,
    /// Where members begin: in the decompressed bytes and in the file. The first one has the next byte.
    members: VecDeque<(u64, u64)>,
    /// Damage after the bytes of the buffer, which are good.
    ahead: Option<Damage>,
    compression: RecordCompression,
    zstd: ZstdFrames,
    /// Bytes that may be read a second time to find records after damage.
    second_look: u64,
}

impl<R: Read + Seek> RecordInput<R> {
    /// Looks at the first bytes to see whether the file is compressed.
    pub(crate) fn new(file: R) -> io::Result<RecordInput<R>> {
        let mut file = Counted::new(file, BUFFER_BYTES);
        let compression = compression_of(file.fill_buf()?);
        let mut zstd = ZstdFrames::default();
        if compression == RecordCompression::Zstd {
            zstd.read_dictionary(&mut file)?;
            file.seek_to(0)?;
        }
        let mut input = RecordInput {
            encoding: Encoding::Moving,
            buffer: Vec::new(),
            start: 0,
            passed: 0,
            members: VecDeque::new(),
            ahead: None,
            compression,
            zstd,
            second_look: MAX_SECOND_LOOK,
        };
        input.begin(file);
        Ok(input)
    }

    /// Goes on reading where the file is now, which must be the start of a record.
    fn begin(&mut self, file: Counted<R>) {
        self.buffer.clear();
        self.members.clear();
        (self.start, self.ahead) = (0, None);
        self.passed = file.consumed;
        self.encoding = match self.compression {
            RecordCompression::Plain => Encoding::Plain(file),
            RecordCompression::Gzip | RecordCompression::Zstd => Encoding::Between(file),
        };
    }

    /// The file, wherever reading is.
    fn take_file(&mut self) -> Option<Counted<R>> {
        match std::mem::replace(&mut self.encoding, Encoding::Moving) {
            Encoding::Member(member) => Some(member.into_inner()),
            Encoding::Plain(file) | Encoding::Between(file) | Encoding::Frame(file) => Some(file),
            Encoding::Moving => None,
        }
    }

    /// Goes to the record at `position`.
    pub(crate) fn go_to(&mut self, position: u64) -> io::Result<()> {
        if let Some(mut file) = self.take_file() {
            file.seek_to(position)?;
            self.begin(file);
        }
        Ok(())
    }

    /// Where the next record begins: the position of its gzip member, or its own in a plain file.
    pub(crate) fn position(&self) -> u64 {
        match self.compression {
            RecordCompression::Plain => self.passed,
            _ => self.members.front().map_or(self.passed, |(_, position)| *position),
        }
    }

    /// Bytes of the file that were read so far.
    pub(crate) fn consumed(&self) -> u64 {
        match &self.encoding {
            Encoding::Plain(file) | Encoding::Between(file) | Encoding::Frame(file) => file.consumed,
            Encoding::Member(member) => member.get_ref().consumed,
            Encoding::Moving => 0,
        }
    }

    /// The bytes that are there without reading: at least one, or none at the end.
    pub(crate) fn available(&mut self) -> Result<&[u8], InputError> {
        if self.start == self.buffer.len() {
            self.fill()?;
        }
        Ok(&self.buffer[self.start..])
    }

    /// Makes at least `count` bytes available, if there are as many, and gives all that are.
    pub(crate) fn at_least(&mut self, count: usize) -> Result<&[u8], InputError> {
        while self.buffer.len() - self.start < count {
            if !self.fill()? {
                break;
            }
        }
        Ok(&self.buffer[self.start..])
    }

    /// Passes over bytes that are available.
    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count;
        self.passed += count as u64;
        while self.members.get(1).is_some_and(|(start, _)| *start <= self.passed) {
            self.members.pop_front();
        }
    }

    /// Goes to the next place after the damaged record at `position` where a record may begin. False at the end of the
    /// file. Damage may have led the reader beyond the next record, so that the bytes after the start of the damaged
    /// one are read again, if the file can be sought and they are not gone.
    pub(crate) fn resume(&mut self, position: u64) -> io::Result<bool> {
        let Some(mut file) = self.take_file() else { return Ok(false) };
        let again = file.consumed.saturating_sub(position + 1);
        if again <= self.second_look {
            self.second_look -= again;
            match file.seek_to(position + 1) {
                Err(error) if error.kind() != io::ErrorKind::NotSeekable => return Err(error),
                // of a pipe, reading goes on where it is
                Ok(()) | Err(_) => {}
            }
        }
        let found = match self.compression {
            RecordCompression::Plain => pass_until(&mut file, LATER_RECORD_START, 1)?,
            RecordCompression::Gzip => pass_until(&mut file, &GZIP_MAGIC, 0)?,
            RecordCompression::Zstd => pass_until(&mut file, &ZSTD_MAGIC, 0)?,
        };
        self.begin(file);
        Ok(found)
    }

    /// What is wrong with a record that leads to the end of the file although another one follows it.
    pub(crate) fn damage_before_end(&self) -> Damage {
        match self.compression {
            RecordCompression::Plain => Damage::Length,
            RecordCompression::Gzip => Damage::Gzip,
            RecordCompression::Zstd => Damage::Zstd,
        }
    }

    /// Reads more bytes into the buffer. False at the end of the file, and at damage as long as there are bytes
    /// before it.
    fn fill(&mut self) -> Result<bool, InputError> {
        self.buffer.drain(..self.start);
        self.start = 0;
        if let Some(damage) = self.ahead.take_if(|_| self.buffer.is_empty()) {
            return Err(InputError::Damaged(damage));
        }
        if self.ahead.is_some() {
            return Ok(false);
        }
        match self.decode() {
            Err(InputError::Damaged(damage)) if !self.buffer.is_empty() => {
                self.ahead = Some(damage);
                Ok(false)
            }
            other => other,
        }
    }

    /// Adds decoded bytes to the buffer. False at the end of the file.
    fn decode(&mut self) -> Result<bool, InputError> {
        loop {
            match std::mem::replace(&mut self.encoding, Encoding::Moving) {
                Encoding::Plain(mut file) => {
                    let read = file.fill_buf().map_err(InputError::Io)?;
                    let count = read.len();
                    self.buffer.extend_from_slice(read);
                    file.consume(count);
                    self.encoding = Encoding::Plain(file);
                    return Ok(count > 0);
                }
                Encoding::Between(mut file) => {
                    let position = file.consumed;
                    let has_member = file.fill_buf().map_err(InputError::Io).map(|rest| !rest.is_empty());
                    if !matches!(has_member, Ok(true)) {
                        self.encoding = Encoding::Between(file);
                        return has_member;
                    }
                    let start = self.passed + self.buffer.len() as u64;
                    if self.buffer.is_empty() {
                        self.members.clear();
                    }
                    if self.compression == RecordCompression::Gzip {
                        self.members.push_back((start, position));
                        self.encoding = Encoding::Member(Box::new(GzDecoder::new(file)));
                        continue;
                    }
                    match self.zstd.open(&mut file) {
                        Ok(is_content) => {
                            if is_content {
                                self.members.push_back((start, position));
                            }
                            self.encoding =
                                if is_content { Encoding::Frame(file) } else { Encoding::Between(file) };
                        }
                        Err(error) => {
                            self.members.push_back((start, position));
                            self.encoding = Encoding::Between(file);
                            return Err(error);
                        }
                    }
                }
                Encoding::Frame(mut file) => {
                    let before = self.buffer.len();
                    self.buffer.resize(before + BUFFER_BYTES, 0);
                    let read = self.zstd.read(&mut file, &mut self.buffer[before..]);
                    self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
                    let is_end = matches!(read, Ok(0));
                    self.encoding = if is_end { Encoding::Between(file) } else { Encoding::Frame(file) };
                    if !is_end {
                        return read.map(|_| true);
                    }
                }
                Encoding::Member(mut member) => {
                    let before = self.buffer.len();
                    self.buffer.resize(before + BUFFER_BYTES, 0);
                    let read = member.read(&mut self.buffer[before..]);
                    self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
                    match read {
                        Ok(0) => self.encoding = Encoding::Between(member.into_inner()),
                        Ok(_) => {
                            self.encoding = Encoding::Member(member);
                            return Ok(true);
                        }
                        Err(error) => {
                            self.encoding = Encoding::Member(member);
                            return Err(match error.kind() {
                                io::ErrorKind::UnexpectedEof => InputError::Damaged(Damage::Truncated),
                                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                                    InputError::Damaged(Damage::Gzip)
                                }
                                _ => InputError::Io(error),
                            });
                        }
                    }
                }
                Encoding::Moving => return Ok(false),
            }
        }
    }
}

/// How a file is compressed, by its first bytes, which may be the damaged ones.
fn compression_of(first: &[u8]) -> RecordCompression {
    let has = |magic: &[u8]| memchr::memmem::find(first, magic).is_some();
    if first.trim_ascii_start().starts_with(RECORD_START) {
        RecordCompression::Plain
    } else if starts_with_zstd(first) {
        RecordCompression::Zstd
    } else if has(&GZIP_MAGIC) {
        RecordCompression::Gzip
    } else if has(&ZSTD_MAGIC) || has(&SKIPPABLE_MAGIC) {
        RecordCompression::Zstd
    } else {
        RecordCompression::Plain
    }
}

/// True for the beginning of a file with records, compressed or not.
pub(crate) fn begins_with_record(first: &[u8]) -> bool {
    let is_compressed = first.starts_with(&GZIP_MAGIC) || starts_with_zstd(first);
    is_compressed || first.trim_ascii_start().starts_with(RECORD_START)
}

/// Passes over bytes until `start` begins, and over the first `inside` bytes of it. False at the end of the file.
fn pass_until<R: Read + Seek>(file: &mut Counted<R>, start: &[u8], inside: usize) -> io::Result<bool> {
    // the last bytes of the buffers before, in which a start may begin that ends in the next one
    let mut border: Vec<u8> = Vec::new();
    loop {
        let before = file.consumed;
        let buffer = file.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        let earlier = border.len();
        border.extend_from_slice(&buffer[..buffer.len().min(start.len() - 1)]);
        if let Some(at) = memchr::memmem::find(&border, start) {
            match file.seek_to(before - (earlier - at) as u64 + inside as u64) {
                Ok(()) => return Ok(true),
                // what cannot be read again is missed: that costs one more record of a damaged file
                Err(error) if error.kind() == io::ErrorKind::NotSeekable => {}
                Err(error) => return Err(error),
            }
        }
        let buffer = file.fill_buf()?;
        let found = memchr::memmem::find(buffer, start);
        let passed = found.map_or(buffer.len(), |at| at + inside);
        if buffer.len() >= start.len() {
            border.clear();
            border.extend_from_slice(&buffer[buffer.len() + 1 - start.len()..]);
        }
        border.drain(..border.len().saturating_sub(start.len() - 1));
        file.consume(passed);
        if found.is_some() {
            return Ok(true);
        }
    }
}
