#![doc = include_str!("../README.md")]

mod archive;
mod cdx_index;
mod file_window;
mod http_message;
mod record_input;
mod warc_record;
mod zip_directory;
mod zstd_frame;

pub use archive::{
    Archive, ArchiveCounts, ArchiveEntry, ArchiveLimits, ArchivedPage, DamagedRecord, RevisitRecord,
};
pub use cdx_index::{CdxEntry, CdxError, CdxIndex};
pub use file_window::FileWindow;
pub use record_input::Damage;
pub use zip_directory::{ZipDirectoryError, ZipEntry, zip_entries};
