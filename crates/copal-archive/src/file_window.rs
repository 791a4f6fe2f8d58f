//! A part of a file as a file of its own: an archive that is stored in a zip file.

use std::io::{self, Read, Seek, SeekFrom};

/// A range of bytes of a file.
#[derive(Debug)]
pub struct FileWindow<R> {
    file: R,
    start: u64,
    length: u64,
    /// Counted from `start`.
    position: u64,
}

impl<R: Read + Seek> FileWindow<R> {
    /// The `length` bytes that begin at `start`, of a file that is at its start. Bytes that the file does not have are its
    /// end.
    pub fn new(mut file: R, start: u64, length: u64) -> io::Result<FileWindow<R>> {
        // a pipe cannot be sought, and need not be
        if start > 0 {
            file.seek(SeekFrom::Start(start))?;
        }
        Ok(FileWindow { file, start, length, position: 0 })
    }
}

impl<R: Read> Read for FileWindow<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.length.saturating_sub(self.position)).unwrap_or(usize::MAX);
        let wanted = out.len().min(left);
        let read = self.file.read(&mut out[..wanted])?;
        self.position += read as u64;
        Ok(read)
    }
}

impl<R: Seek> Seek for FileWindow<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let outside = || io::Error::new(io::ErrorKind::InvalidInput, "before the start of the window");
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let position = position.ok_or_else(outside)?;
        let in_file = self.start.checked_add(position).ok_or_else(outside)?;
        self.file.seek(SeekFrom::Start(in_file))?;
        self.position = position;
        Ok(position)
    }
}
