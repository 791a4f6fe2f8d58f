#![doc = include_str!("../README.md")]

mod archive;
mod http_message;
mod record_input;
mod warc_record;

pub use archive::{Archive, ArchiveCounts, ArchiveEntry, ArchiveLimits, ArchivedPage, DamagedRecord};
pub use record_input::Damage;
