//! The bytes of an archive's records: decompressed, with their position in the file, and with a way to go on after
//! damage.
//!
//! In: a file, plain or gzip (one member per record, as the standard wants, or one for all). Out: bytes. After
//! [`RecordInput::resume`] the next bytes are those of a record that begins later in the file. Reading costs
//! O(bytes); memory is one buffer.

use flate2::bufread::GzDecoder;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

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

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// The file ends before the record does.
    #[error("the file ends in the middle of a record")]
    Truncated,
    /// Its compressed data is not valid.
    #[error("the gzip data is damaged")]
    Gzip,
    /// It does not begin with a WARC header.
    #[error("expected a WARC record")]
    NoRecord,
    /// Its header is longer than any header needs to be, or not made of `name: value` lines.
    #[error("the header of the record is not valid")]
    Head,
    /// Its length is missing, is not a number, or is larger than a record may be.
    #[error("the length of the record is missing or too large")]
    Length,
    /// The stored HTTP message has no valid header.
    #[error("the stored HTTP header is not valid")]
    Http,
    /// The body of the stored message cannot be decoded.
    #[error("the stored body cannot be decoded ({0})")]
    Body(&'static str),
}

/// Why bytes could not be read.
#[derive(Debug)]
pub(crate) enum InputError {
    /// The operating system failed: nothing more can be read.
    Io(io::Error),
    /// The bytes are wrong: reading can go on elsewhere.
    Damaged(Damage),
}

/// A file that knows how many bytes it has given.
struct Counted<R> {
    inner: BufReader<R>,
    consumed: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
        self.consumed += count as u64;
    }
}

impl<R: Read + Seek> Counted<R> {
    fn seek_to(&mut self, position: u64) -> io::Result<()> {
        self.consumed = self.inner.seek(SeekFrom::Start(position))?;
        Ok(())
    }
}

enum Encoding<R> {
    Plain(Counted<R>),
    /// Inside of a gzip member.
    Member(Box<GzDecoder<Counted<R>>>),
    /// Before a gzip member, or at the end.
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
    is_gzip: bool,
    /// Bytes that may be read a second time to find records after damage.
    second_look: u64,
}

impl<R: Read + Seek> RecordInput<R> {
    /// Looks at the first bytes to see whether the file is compressed.
    pub(crate) fn new(file: R) -> io::Result<RecordInput<R>> {
        let mut file = Counted { inner: BufReader::with_capacity(BUFFER_BYTES, file), consumed: 0 };
        let first = file.fill_buf()?;
        // the first bytes may be the damaged ones
        let is_gzip = !first.trim_ascii_start().starts_with(RECORD_START)
            && memchr::memmem::find(first, &GZIP_MAGIC).is_some();
        let encoding = if is_gzip { Encoding::Between(file) } else { Encoding::Plain(file) };
        let members = VecDeque::new();
        Ok(RecordInput {
            encoding,
            buffer: Vec::new(),
            start: 0,
            passed: 0,
            members,
            ahead: None,
            is_gzip,
            second_look: MAX_SECOND_LOOK,
        })
    }

    /// Where the next record begins: the position of its gzip member, or its own in a plain file.
    pub(crate) fn position(&self) -> u64 {
        if self.is_gzip { self.members.front().map_or(0, |(_, position)| *position) } else { self.passed }
    }

    /// Bytes of the file that were read so far.
    pub(crate) fn consumed(&self) -> u64 {
        match &self.encoding {
            Encoding::Plain(file) | Encoding::Between(file) => file.consumed,
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
    /// one are read again.
    pub(crate) fn resume(&mut self, position: u64) -> io::Result<bool> {
        let mut file = match std::mem::replace(&mut self.encoding, Encoding::Moving) {
            Encoding::Member(member) => member.into_inner(),
            Encoding::Plain(file) | Encoding::Between(file) => file,
            Encoding::Moving => return Ok(false),
        };
        let again = file.consumed.saturating_sub(position + 1);
        if again <= self.second_look {
            self.second_look -= again;
            file.seek_to(position + 1)?;
        }
        self.buffer.clear();
        self.members.clear();
        (self.start, self.ahead) = (0, None);
        let found = if self.is_gzip {
            pass_until(&mut file, &GZIP_MAGIC, 0)?
        } else {
            pass_until(&mut file, LATER_RECORD_START, 1)?
        };
        self.passed = file.consumed;
        self.encoding = if self.is_gzip { Encoding::Between(file) } else { Encoding::Plain(file) };
        Ok(found)
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
                    self.members.push_back((start, position));
                    self.encoding = Encoding::Member(Box::new(GzDecoder::new(file)));
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

/// Passes over bytes until `start` begins, and over the first `inside` bytes of it. False at the end of the file.
fn pass_until<R: Read>(file: &mut Counted<R>, start: &[u8], inside: usize) -> io::Result<bool> {
    loop {
        let buffer = file.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        // a start that lies across the border of two buffers is missed: that costs one more record of a damaged file
        let found = memchr::memmem::find(buffer, start);
        let passed = found.map_or(buffer.len(), |at| at + inside);
        file.consume(passed);
        if found.is_some() {
            return Ok(true);
        }
    }
}
