//! A file with the position up to which it was read.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// A file that knows how many bytes it has given.
pub(crate) struct Counted<R> {
    inner: BufReader<R>,
    pub(crate) consumed: u64,
}

impl<R: Read> Counted<R> {
    /// A file that is read `buffer_bytes` at a time.
    pub(crate) fn new(file: R, buffer_bytes: usize) -> Counted<R> {
        Counted { inner: BufReader::with_capacity(buffer_bytes, file), consumed: 0 }
    }
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
    pub(crate) fn seek_to(&mut self, position: u64) -> io::Result<()> {
        self.consumed = self.inner.seek(SeekFrom::Start(position))?;
        Ok(())
    }
}
