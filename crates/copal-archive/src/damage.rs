//! What can be wrong with a record.

use std::io;

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
    /// Its zstd frame is not valid, or needs a dictionary that the file does not have.
    #[error("the zstd data is damaged, or its dictionary is missing")]
    Zstd,
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
