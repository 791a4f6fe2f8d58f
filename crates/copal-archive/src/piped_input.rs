//! A pipe that can be read again for a little while: the reader of an archive goes back to the start of a damaged record,
//! and a pipe cannot be sought.
//!
//! In: anything that can only be read. Out: its bytes, with its last 16 MB again on request. Seeking forward reads on.
//! Memory is what is kept; each byte is copied once.

use crate::record_input::begins_with_record;
use std::collections::VecDeque;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that are kept: more than the largest page that is read, with its header.
const MAX_KEPT_BYTES: usize = 16 << 20;

/// Bytes of the beginning: enough to tell what it is.
const MIN_FIRST_BYTES: usize = 16;

/// A pipe with its last bytes.
pub struct PipedInput<R> {
    pipe: R,
    /// The last bytes that were read, oldest first.
    kept: VecDeque<u8>,
    /// Where the first kept byte is in the pipe.
    start: u64,
    /// The kept byte that is given next.
    next: usize,
    max_kept: usize,
}

impl<R: Read> PipedInput<R> {
    /// A pipe of which nothing was read yet.
    pub fn new(pipe: R) -> PipedInput<R> {
        PipedInput { pipe, kept: VecDeque::new(), start: 0, next: 0, max_kept: MAX_KEPT_BYTES }
    }

    /// The first bytes of a pipe of which nothing was read yet: at least `count`, if it has so many. They are given again.
    pub fn first_bytes(&mut self, count: usize) -> io::Result<&[u8]> {
        self.by_ref().take(count as u64).read_to_end(&mut Vec::new())?;
        self.next = 0;
        Ok(self.kept.make_contiguous())
    }

    fn position(&self) -> u64 {
        self.start + self.next as u64
    }

    /// Reads what the pipe has. Its beginning decides how records are compressed: it is at least some bytes, and if
    /// it is damaged, as much as a file would give.
    fn read_pipe(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.start > 0 || !self.kept.is_empty() {
            return self.pipe.read(out);
        }
        let first = out.len().min(MIN_FIRST_BYTES);
        let mut count = self.read_full(&mut out[..first])?;
        if count == first && !begins_with_record(&out[..count]) {
            count += self.read_full(&mut out[count..])?;
        }
        Ok(count)
    }

    /// Fills a buffer, if the pipe has so many bytes. An error after some bytes comes with the next call.
    fn read_full(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < out.len() {
            match self.pipe.read(&mut out[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if filled == 0 => return Err(error),
                Err(_) => break,
            }
        }
        Ok(filled)
    }

    fn keep(&mut self, bytes: &[u8]) {
        let last = &bytes[bytes.len().saturating_sub(self.max_kept)..];
        let surplus = (self.kept.len() + last.len()).saturating_sub(self.max_kept);
        self.kept.drain(..surplus);
        self.start += (surplus + bytes.len() - last.len()) as u64;
        // room grows by doubling, but never beyond the bound
        let length = self.kept.len() + last.len();
        if length > self.kept.capacity() {
            self.kept.reserve_exact((2 * length).min(self.max_kept) - self.kept.len());
        }
        self.kept.extend(last);
        self.next = self.kept.len();
    }
}

impl<R: Read> Read for PipedInput<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.next == self.kept.len() {
            let count = self.read_pipe(out)?;
            self.keep(&out[..count]);
            return Ok(count);
        }
        let (first, second) = self.kept.as_slices();
        let mut again = match self.next.checked_sub(first.len()) {
            Some(in_second) => &second[in_second..],
            None => &first[self.next..],
        };
        let count = again.read(out)?;
        self.next += count;
        Ok(count)
    }
}

impl<R: Read> Seek for PipedInput<R> {
    /// Goes back as far as bytes are kept, and forward by reading, at most to the end of the pipe.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let wanted = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => self.position().checked_add_signed(offset),
            SeekFrom::End(_) => None,
        };
        let gone = || io::Error::new(io::ErrorKind::NotSeekable, "these bytes of the pipe are not kept");
        let wanted = wanted.filter(|wanted| *wanted >= self.start).ok_or_else(gone)?;
        let last = self.start + self.kept.len() as u64;
        self.next = wanted.min(last).saturating_sub(self.start) as usize;
        io::copy(&mut self.by_ref().take(wanted.saturating_sub(last)), &mut io::sink())?;
        Ok(self.position())
    }
}

impl<R> std::fmt::Debug for PipedInput<R> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("PipedInput").field("start", &self.start).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is read and sought, a pipe gives the bytes that a file would give, or says that they are gone.
        #[test]
        fn a_pipe_gives_the_bytes_of_a_file(steps in prop::collection::vec((0_u64..400, 0_usize..90), 1..40)) {
            let bytes: Vec<u8> = (0..300_u32).map(|n| (n * 7 % 251) as u8).collect();
            let mut pipe = PipedInput { max_kept: 100, ..PipedInput::new(bytes.as_slice()) };
            let mut furthest = 0;
            for (position, count) in steps {
                match pipe.seek(SeekFrom::Start(position)) {
                    Err(error) => {
                        prop_assert_eq!(error.kind(), io::ErrorKind::NotSeekable);
                        prop_assert!(position + 100 < furthest, "{} of {} is kept", position, furthest);
                        continue;
                    }
                    Ok(reached) => prop_assert_eq!(reached, position.min(300)),
                }
                let mut read = Vec::new();
                pipe.by_ref().take(count as u64).read_to_end(&mut read).unwrap();
                let from = position.min(300) as usize;
                prop_assert_eq!(&read[..], &bytes[from..(from + count).min(300)]);
                furthest = furthest.max((from + read.len()) as u64);
            }
        }
    }

    #[test]
    fn the_first_bytes_are_given_again() {
        let mut pipe = PipedInput::new(&b"WARC/1.0 and more"[..]);
        assert_eq!(pipe.first_bytes(5).unwrap(), b"WARC/");
        let mut all = String::new();
        pipe.read_to_string(&mut all).unwrap();
        assert_eq!(all, "WARC/1.0 and more");
    }
}
