#![doc = include_str!("../README.md")]

mod archive;
mod archive_input;
mod cdx_index;
mod counted_file;
mod damage;
mod file_window;
mod http_message;
mod piped_input;
mod record_input;
mod warc_record;
mod zip_directory;
mod zstd_frame;

pub use archive::{
    Archive, ArchiveCounts, ArchiveEntry, ArchiveLimits, ArchivedPage, DamagedRecord, RevisitRecord,
};
pub use archive_input::ArchiveInput;
pub use cdx_index::{CdxEntry, CdxError, CdxIndex};
pub use damage::Damage;
pub use file_window::FileWindow;
pub use piped_input::PipedInput;
pub use zip_directory::{ZipDirectoryError, ZipEntry, zip_entries};
