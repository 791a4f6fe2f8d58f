//! Any bytes as an archive: reading ends, pages keep to the limit, and positions lie in the file.

#![no_main]

use copal_archive::{Archive, ArchiveEntry, ArchiveLimits};
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;

fuzz_target!(|bytes: &[u8]| {
    let mut limits = ArchiveLimits::default();
    (limits.page_bytes, limits.data) = (1 << 16, true);
    let archive = Archive::new(Cursor::new(bytes), limits).expect("bytes in memory can be read");
    let mut entries = 0;
    for entry in archive {
        entries += 1;
        assert!(entries <= bytes.len() + 1, "more entries than bytes");
        let position = match entry.expect("bytes in memory can be read") {
            ArchiveEntry::Page(page) => {
                assert!(page.body.len() <= 1 << 16);
                page.position
            }
            ArchiveEntry::Damaged(record) => record.position,
            _ => continue,
        };
        assert!(position <= bytes.len() as u64, "{position}");
    }
});
