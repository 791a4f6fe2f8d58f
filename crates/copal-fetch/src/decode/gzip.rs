//! gzip (RFC 1952): members with a header, inflated data and a checksum.
//!
//! Written by hand because the decoder of flate2 reports a cut body and a wrong checksum alike, and rejects
//! bodies with padding after the last member, which browsers accept.

use std::io::{self, Write};

use flate2::Crc;

use super::body::BodyBuffer;
use super::inflate::Inflater;

const MAGIC: [u8; 2] = [0x1f, 0x8b];
const METHOD_DEFLATE: u8 = 8;
const FLAG_HEADER_CHECKSUM: u8 = 1 << 1;
const FLAG_EXTRA: u8 = 1 << 2;
const FLAG_NAME: u8 = 1 << 3;
const FLAG_COMMENT: u8 = 1 << 4;
const RESERVED_FLAGS: u8 = 0xe0;
const FIXED_HEADER_BYTES: usize = 10;
/// Longer headers are refused. Servers send ten bytes, sometimes with a file name.
const MAX_HEADER_BYTES: usize = 4096;
const TRAILER_BYTES: usize = 8;

/// A running decoder with the body decoded so far.
pub(crate) struct GzipDecoder {
    pub(crate) body: BodyBuffer,
    state: GzipState,
    /// Bytes of a header or trailer that has not arrived completely.
    held: Vec<u8>,
    inflater: Inflater,
    crc: Crc,
    /// Members that were decoded completely.
    members: usize,
    /// The checksum of a member does not match its data.
    pub(crate) wrong_checksum: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GzipState {
    Header,
    Data,
    Trailer,
    /// After the last member: the rest does not belong to the body.
    Padding,
}

impl GzipDecoder {
    pub(crate) fn new(body: BodyBuffer) -> Self {
        Self {
            body,
            state: GzipState::Header,
            held: Vec::new(),
            inflater: Inflater::new(false),
            crc: Crc::new(),
            members: 0,
            wrong_checksum: false,
        }
    }

    pub(crate) fn push(&mut self, mut piece: &[u8]) -> io::Result<()> {
        while !piece.is_empty() {
            match self.state {
                GzipState::Padding => return Ok(()),
                GzipState::Header => {
                    let held = self.held.len();
                    self.held.extend_from_slice(&piece[..piece.len().min(MAX_HEADER_BYTES + 1 - held)]);
                    match header_length(&self.held) {
                        Ok(Some(length)) => {
                            piece = &piece[length - held..];
                            self.held.clear();
                            self.inflater = Inflater::new(false);
                            self.crc.reset();
                            self.state = GzipState::Data;
                        }
                        Ok(None) => return Ok(()),
                        Err(_) if self.members > 0 => self.state = GzipState::Padding,
                        Err(error) => return Err(error),
                    }
                }
                GzipState::Data => {
                    let mut sink = ChecksumSink { body: &mut self.body, crc: &mut self.crc };
                    let used = self.inflater.decode(piece, &mut sink)?;
                    piece = &piece[used..];
                    if self.inflater.has_ended() {
                        self.state = GzipState::Trailer;
                    }
                }
                GzipState::Trailer => {
                    let missing = piece.len().min(TRAILER_BYTES - self.held.len());
                    self.held.extend_from_slice(&piece[..missing]);
                    piece = &piece[missing..];
                    self.check_trailer()?;
                }
            }
        }
        Ok(())
    }

    /// Compares checksum and length, once they have arrived.
    fn check_trailer(&mut self) -> io::Result<()> {
        if self.held.len() < TRAILER_BYTES {
            return Ok(());
        }
        let expected = [self.crc.sum().to_le_bytes(), self.crc.amount().to_le_bytes()].concat();
        if self.held != expected {
            self.wrong_checksum = true;
            return Err(io::Error::other("the checksum is wrong"));
        }
        self.held.clear();
        self.members += 1;
        self.state = GzipState::Header;
        Ok(())
    }

    /// True if the last member has reached its end, or if there was no data at all.
    pub(crate) fn is_complete(&self) -> bool {
        match self.state {
            GzipState::Padding => true,
            GzipState::Header => self.held.is_empty(),
            GzipState::Data | GzipState::Trailer => false,
        }
    }
}

/// Writes to the body and updates the checksum.
struct ChecksumSink<'a> {
    body: &'a mut BodyBuffer,
    crc: &'a mut Crc,
}

impl Write for ChecksumSink<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.crc.update(piece);
        self.body.write_all(piece)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The length of the header at the front. Returns `None` if more bytes are needed.
fn header_length(bytes: &[u8]) -> io::Result<Option<usize>> {
    let invalid = || io::Error::other("not a gzip header");
    if bytes.iter().zip(MAGIC).any(|(byte, expected)| *byte != expected) {
        return Err(invalid());
    }
    // A header that does not end within the limit never will.
    let missing = || if bytes.len() > MAX_HEADER_BYTES { Err(invalid()) } else { Ok(None) };
    let [_, _, method, flags, ..] = *bytes else { return missing() };
    if method != METHOD_DEFLATE || flags & RESERVED_FLAGS != 0 {
        return Err(invalid());
    }
    let mut length = FIXED_HEADER_BYTES;
    if flags & FLAG_EXTRA != 0 {
        let Some([low, high]) = bytes.get(length..).and_then(|rest| rest.first_chunk()) else {
            return missing();
        };
        length += 2 + usize::from(u16::from_le_bytes([*low, *high]));
    }
    for flag in [FLAG_NAME, FLAG_COMMENT] {
        if flags & flag != 0 {
            let end = bytes.get(length..).and_then(|rest| rest.iter().position(|byte| *byte == 0));
            let Some(end) = end else { return missing() };
            length += end + 1;
        }
    }
    if flags & FLAG_HEADER_CHECKSUM != 0 {
        length += 2;
    }
    if bytes.len() < length { missing() } else { Ok(Some(length)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_optional_parts() {
        let fixed = |flags: u8| vec![0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3];
        let cases = [
            (fixed(0), 10),
            ([fixed(FLAG_EXTRA), vec![3, 0, 1, 2, 3]].concat(), 15),
            ([fixed(FLAG_NAME), b"page.html\0".to_vec()].concat(), 20),
            ([fixed(FLAG_NAME | FLAG_COMMENT), b"a\0b\0".to_vec()].concat(), 14),
            ([fixed(FLAG_EXTRA | FLAG_NAME | FLAG_HEADER_CHECKSUM), vec![0, 0, b'a', 0, 1, 2]].concat(), 16),
        ];
        for (header, length) in cases {
            assert_eq!(header.len(), length);
            for cut in 0..length {
                assert!(matches!(header_length(&header[..cut]), Ok(None)), "{header:?} {cut}");
            }
            let more = [header, b"data".to_vec()].concat();
            assert!(matches!(header_length(&more), Ok(Some(found)) if found == length), "{more:?}");
        }
        for invalid in [b"\x1f\x8c".to_vec(), b"\x1f\x8b\x07\0".to_vec(), fixed(0x80), b"<".to_vec()] {
            assert!(header_length(&invalid).is_err(), "{invalid:?}");
        }
        let endless = [fixed(FLAG_NAME), vec![b'a'; MAX_HEADER_BYTES]].concat();
        assert!(header_length(&endless).is_err() && header_length(&endless[..MAX_HEADER_BYTES]).is_ok());
    }
}
