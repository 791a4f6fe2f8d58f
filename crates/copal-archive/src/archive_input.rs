//! What an archive is read from: a file, or a pipe.

use crate::piped_input::PipedInput;
use crate::record_input::RECORD_START;
use crate::zstd_frame::starts_with_zstd;
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes of a pipe that are looked at: enough for the header of a gzip member, with a file name, and what follows.
const FIRST_BYTES: usize = 1024;

/// A file, or a pipe that can be read once.
#[derive(Debug)]
pub enum ArchiveInput {
    /// A file that can be read at any position.
    File(File),
    /// A pipe, a terminal or a socket.
    Pipe(Box<PipedInput<Box<dyn Read + Send>>>),
}

impl ArchiveInput {
    /// Opens a file or a named pipe.
    pub fn open(path: &Path) -> io::Result<ArchiveInput> {
        let file = File::open(path)?;
        let is_file = file.metadata()?.is_file();
        Ok(if is_file { ArchiveInput::File(file) } else { ArchiveInput::of_pipe(file) })
    }

    /// An input that can only be read.
    pub fn of_pipe(pipe: impl Read + Send + 'static) -> ArchiveInput {
        ArchiveInput::Pipe(Box::new(PipedInput::new(Box::new(pipe))))
    }

    /// True if a pipe begins like an archive and not like a page. To be asked before anything is read; waits for the
    /// first bytes.
    pub fn begins_like_archive(&mut self) -> io::Result<bool> {
        let ArchiveInput::Pipe(pipe) = self else { return Ok(false) };
        let first = pipe.first_bytes(FIRST_BYTES)?;
        let mut unpacked = [0; 32];
        let unpacked = match GzDecoder::new(first).read(&mut unpacked) {
            Ok(count) => &unpacked[..count],
            Err(_) => first,
        };
        Ok(starts_with_zstd(first) || unpacked.trim_ascii_start().starts_with(RECORD_START))
    }
}

impl Read for ArchiveInput {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            ArchiveInput::File(file) => file.read(out),
            ArchiveInput::Pipe(pipe) => pipe.read(out),
        }
    }
}

impl Seek for ArchiveInput {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            ArchiveInput::File(file) => file.seek(to),
            ArchiveInput::Pipe(pipe) => pipe.seek(to),
        }
    }
}
