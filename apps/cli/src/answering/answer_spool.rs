//! A place for answers that wait, outside the memory that pages need.
//!
//! In: values that can be sent to another process. Out: the same values, exactly, in any order. An answer in memory is
//! thousands of small pieces, and between these the memory of the pages that were read meanwhile cannot be given back. As
//! bytes it needs a fraction of that. The first megabyte is kept in memory, and all others in a temporary file that
//! has no name and ends with the process. If no such file can be written, the bytes stay in memory. O(bytes).

use crate::error::{CliError, internal_error};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};
use tempfile::SpooledTempFile;

/// Bytes of waiting answers in memory.
const MAX_MEMORY_BYTES: usize = 1 << 20;

/// Keeps values for several threads.
pub(super) struct AnswerSpool {
    file: Mutex<SpoolFile>,
}

struct SpoolFile {
    bytes: SpooledTempFile,
    /// What is after this was not written completely.
    end: u64,
}

/// A value in a spool.
pub(super) struct SpooledValue<T> {
    place: SpoolPlace,
    value: PhantomData<fn() -> T>,
}

enum SpoolPlace {
    File { start: u64, length: usize },
    Memory(Box<[u8]>),
}

impl Default for AnswerSpool {
    fn default() -> Self {
        let bytes = SpooledTempFile::new(MAX_MEMORY_BYTES);
        AnswerSpool { file: Mutex::new(SpoolFile { bytes, end: 0 }) }
    }
}

impl AnswerSpool {
    /// Keeps a value.
    pub(super) fn keep<T: Serialize>(&self, value: &T) -> Result<SpooledValue<T>, CliError> {
        let bytes = postcard::to_stdvec(value).map_err(|_| internal_error())?;
        let written = self.file.lock().unwrap_or_else(PoisonError::into_inner).append(&bytes);
        let place = match written {
            Ok(start) => SpoolPlace::File { start, length: bytes.len() },
            Err(_) => SpoolPlace::Memory(bytes.into_boxed_slice()),
        };
        Ok(SpooledValue { place, value: PhantomData })
    }

    /// The value that was kept.
    pub(super) fn load<T: DeserializeOwned>(&self, kept: &SpooledValue<T>) -> Result<T, CliError> {
        let read;
        let bytes: &[u8] = match &kept.place {
            SpoolPlace::Memory(bytes) => bytes,
            SpoolPlace::File { start, length } => {
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                read = file
                    .read(*start, *length)
                    .map_err(|error| CliError::writing(&error, "the temporary file of answers that wait"))?;
                &read
            }
        };
        postcard::from_bytes(bytes).map_err(|_| internal_error())
    }
}

impl SpoolFile {
    /// Writes bytes and returns where they begin.
    fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let start = self.end;
        self.bytes.seek(SeekFrom::Start(start))?;
        self.bytes.write_all(bytes)?;
        self.end = start + bytes.len() as u64;
        Ok(start)
    }

    fn read(&mut self, start: u64, length: usize) -> io::Result<Vec<u8>> {
        self.bytes.seek(SeekFrom::Start(start))?;
        let mut bytes = vec![0; length];
        self.bytes.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_in_any_order_from_memory_and_from_the_file() {
        let spool = AnswerSpool::default();
        let value = |n: usize| (n, "x".repeat(MAX_MEMORY_BYTES / 5 + n));
        let kept: Vec<_> = (0..12).map(|n| spool.keep(&value(n)).unwrap()).collect();
        for n in [11, 0, 6, 6, 3] {
            assert_eq!(spool.load(&kept[n]).unwrap(), value(n));
        }
        let last = spool.keep(&value(99)).unwrap();
        assert_eq!(spool.load(&last).unwrap(), value(99));
        assert_eq!(spool.load(&kept[1]).unwrap(), value(1));
    }
}
