//! Any bytes as an archive, a zip file of archives and an index: reading ends, pages keep to the limit, and positions lie
//! in the file.

use copal_archive::{Archive, ArchiveEntry, ArchiveLimits, CdxIndex, zip_entries};
use std::io::Cursor;

pub(crate) fn check(bytes: &[u8]) {
    let mut limits = ArchiveLimits::default();
    (limits.page_bytes, limits.data, limits.revisits) = (1 << 16, true, true);
    let mut archive = Archive::new(Cursor::new(bytes), limits).expect("bytes in memory can be read");
    let mut entries = 0;
    for entry in archive.by_ref() {
        entries += 1;
        assert!(entries <= bytes.len() + 1, "more entries than bytes");
        let position = match entry.expect("bytes in memory can be read") {
            ArchiveEntry::Page(page) => {
                assert!(page.body.len() <= 1 << 16);
                page.position
            }
            ArchiveEntry::Damaged(record) => record.position,
            ArchiveEntry::Revisit(record) => record.position,
            _ => continue,
        };
        assert!(position <= bytes.len() as u64, "{position}");
    }
    let position = u64::from(bytes.first().copied().unwrap_or(0));
    let _ = archive.entry_at(position).expect("bytes in memory can be read");
    for entry in zip_entries(&mut Cursor::new(bytes)).unwrap_or_default() {
        assert!(entry.start + entry.length <= bytes.len() as u64, "{entry:?}");
    }
    let _ = CdxIndex::read(bytes);
}
