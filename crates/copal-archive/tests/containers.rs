//! Archives in other containers: zstd frames, zip files, indexes with positions. Whatever the bytes are, reading ends, and
//! what is wrong is reported.

#![allow(clippy::unwrap_used)]

use copal_archive::{
    Archive, ArchiveEntry, ArchiveLimits, CdxIndex, Damage, FileWindow, ZipDirectoryError, zip_entries,
};
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{Cursor, Read, Seek, SeekFrom};

fn record(number: usize) -> Vec<u8> {
    let body = format!("<html><h1>Page {number}</h1>{}</html>", "<p>Some text.</p>".repeat(number + 1));
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://site.example/{number}\r\n\
         WARC-Payload-Digest: sha1:{number}\r\nContent-Length: {}\r\n\r\n",
        http.len()
    );
    [head.as_bytes(), http.as_bytes(), b"\r\n\r\n"].concat()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// Three records, one frame each, and where each begins.
fn zstd_archive() -> (Vec<u8>, Vec<u64>) {
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    for number in 0..3 {
        starts.push(bytes.len() as u64);
        bytes.extend(zstd(&record(number)));
    }
    (bytes, starts)
}

type PagesAndDamage = (Vec<(String, u64)>, Vec<(Damage, u64)>);

/// The URLs of pages and the damage, with positions.
fn read(bytes: &[u8]) -> PagesAndDamage {
    let (mut pages, mut damaged) = (Vec::new(), Vec::new());
    for entry in Archive::new(Cursor::new(bytes), ArchiveLimits::default()).unwrap() {
        match entry.unwrap() {
            ArchiveEntry::Page(page) => pages.push((page.url.unwrap_or_default(), page.position)),
            ArchiveEntry::Damaged(record) => damaged.push((record.damage, record.position)),
            _ => {}
        }
    }
    (pages, damaged)
}

fn url(number: usize) -> String {
    format!("https://site.example/{number}")
}

#[test]
fn zstd_frames_are_read_with_their_positions() {
    let (bytes, starts) = zstd_archive();
    let (pages, damaged) = read(&bytes);
    let wanted: Vec<(String, u64)> = (0..3).map(|number| (url(number), starts[number])).collect();
    assert_eq!((pages, damaged), (wanted, Vec::new()));
    let whole = zstd(&(0..3).flat_map(record).collect::<Vec<u8>>());
    assert_eq!(read(&whole).0.len(), 3, "one frame for all records");
    let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9], bytes.as_slice()].concat();
    assert_eq!(read(&skippable).0.len(), 3, "frames that contain nothing are passed over");
}

#[test]
fn a_cut_zstd_archive_loses_only_the_cut_record() {
    let (bytes, starts) = zstd_archive();
    for length in 0..bytes.len() {
        let (pages, damaged) = read(&bytes[..length]);
        let whole = starts.iter().skip(1).filter(|start| **start <= length as u64).count();
        assert!(pages.len() >= whole, "{length}: {pages:?}");
        assert!(pages.len() == whole || damaged.is_empty(), "{length}");
        if pages.len() == whole && !starts.contains(&(length as u64)) && length > 4 {
            assert!(!damaged.is_empty(), "{length}");
        }
    }
}

#[test]
fn flipped_bits_cost_at_most_the_record_that_they_hit() {
    let (bytes, starts) = zstd_archive();
    for at in (0..bytes.len()).step_by(3) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x10;
        let (pages, _) = read(&wrong);
        let hit = starts.iter().rposition(|start| *start <= at as u64).unwrap();
        for number in (0..3).filter(|number| *number != hit) {
            assert!(pages.iter().any(|(found, _)| *found == url(number)), "{at}: {pages:?}");
        }
    }
}

#[test]
fn positions_of_an_index_are_read_alone() {
    let (bytes, starts) = zstd_archive();
    let plain: Vec<u8> = (0..3).flat_map(record).collect();
    let second = record(0).len() as u64;
    for (bytes, position) in [(bytes, starts[1]), (plain, second)] {
        let mut archive = Archive::new(Cursor::new(&bytes), ArchiveLimits::default()).unwrap();
        for _ in 0..2 {
            let entry = archive.entry_at(position).unwrap();
            let Some(ArchiveEntry::Page(page)) = entry else { panic!("{entry:?}") };
            assert_eq!((page.url.as_deref(), page.position), (Some(url(1).as_str()), position));
        }
        for wrong in [position + 1, bytes.len() as u64, u64::MAX / 2] {
            let entry = archive.entry_at(wrong).unwrap();
            assert!(matches!(entry, Some(ArchiveEntry::Damaged(_))), "{wrong}: {entry:?}");
        }
        archive.go_to(position).unwrap();
        assert_eq!(archive.count(), 2);
    }
}

#[test]
fn a_bomb_of_zstd_is_cut_at_the_limit() {
    let body = vec![b'x'; 40 << 20];
    let http = [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".as_slice(), &body].concat();
    let head = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n", http.len());
    let bytes = zstd(&[head.as_bytes(), &http, b"\r\n\r\n"].concat());
    let mut limits = ArchiveLimits::default();
    limits.page_bytes = 1 << 20;
    let mut archive = Archive::new(Cursor::new(&bytes), limits).unwrap();
    let Some(Ok(ArchiveEntry::Page(page))) = archive.next() else { panic!("a page") };
    assert!(page.is_cut && page.body.len() <= 1 << 20, "{}", page.body.len());
    assert!(archive.next().is_none());
}

/// A zip file with one stored entry.
fn zip(name: &str, content: &[u8], stated_length: u32, method: u8) -> Vec<u8> {
    let size = stated_length.to_le_bytes();
    let name_length = (name.len() as u16).to_le_bytes();
    let mut bytes = b"PK\x03\x04\x0a\0\0\0".to_vec();
    bytes.extend([method, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([size, size].concat());
    bytes.extend([name_length, [0, 0]].concat());
    bytes.extend(name.as_bytes());
    bytes.extend(content);
    let start = bytes.len() as u32;
    bytes.extend(b"PK\x01\x02\x0a\0\x0a\0\0\0");
    bytes.extend([method, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([size, size].concat());
    bytes.extend(name_length);
    bytes.extend([0; 16]);
    bytes.extend(name.as_bytes());
    let length = bytes.len() as u32 - start;
    bytes.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    bytes.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    bytes
}

/// An entry of a zip64 file: its numbers are in the extra field, and those of the directory in a second record at the end.
fn zip64(name: &str, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u64).to_le_bytes();
    let name_length = (name.len() as u16).to_le_bytes();
    let wide = [[0xff; 4], [0xff; 4]].concat();
    let mut bytes = b"PK\x03\x04\x2d\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    bytes.extend([&wide, &name_length[..], &[20, 0], name.as_bytes()].concat());
    bytes.extend([&[1, 0, 16, 0], &length[..], &length, content].concat());
    let start = (bytes.len() as u64).to_le_bytes();
    bytes.extend(b"PK\x01\x02\x2d\0\x2d\0\0\0\0\0\0\0\0\0\0\0\0\0");
    bytes.extend([&wide, &name_length[..], &[37, 0], &[0; 10], &[0xff; 4], name.as_bytes()].concat());
    // another extra field comes first
    bytes.extend([7, 0, 5, 0, 1, 2, 3, 4, 5]);
    bytes.extend([&[1, 0, 24, 0], &length[..], &length, &[0; 8]].concat());
    let end64 = bytes.len() as u64;
    let directory = (end64 - u64::from_le_bytes(start)).to_le_bytes();
    bytes.extend([b"PK\x06\x06", &[44, 0, 0, 0, 0, 0, 0, 0][..], &[45, 0, 45, 0], &[0; 8]].concat());
    bytes.extend([[1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0], directory, start].concat());
    bytes.extend([b"PK\x06\x07\0\0\0\0", &end64.to_le_bytes()[..], &[1, 0, 0, 0]].concat());
    bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &[0xff; 4], &wide, &[0, 0]].concat());
    bytes
}

#[test]
fn zip64_files_are_read_and_lies_in_them_are_refused() {
    let (content, _) = zstd_archive();
    let bytes = zip64("archive/data.warc.zst", &content);
    let entries = zip_entries(&mut Cursor::new(&bytes)).unwrap();
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!((entries[0].length, entries[0].is_stored), (content.len() as u64, true));
    let window = FileWindow::new(Cursor::new(&bytes), entries[0].start, entries[0].length).unwrap();
    assert_eq!(Archive::new(window, ArchiveLimits::default()).unwrap().count(), 3);
    let locator = bytes.len() - 42;
    let end64 = locator - 56;
    // the place of the second record, its magic number, and the place and length of the directory
    for (at, wrong) in [(locator + 8, 0xff_u8), (end64, 0), (end64 + 52, 0x7f), (end64 + 44, 0x7f)] {
        let mut lying = bytes.clone();
        lying[at..at + 4].fill(wrong);
        let read = zip_entries(&mut Cursor::new(&lying));
        assert!(
            matches!(read, Err(ZipDirectoryError::Damaged | ZipDirectoryError::TooLarge)),
            "{at}: {read:?}"
        );
    }
    // an entry whose wide numbers are missing
    let mut short = bytes.clone();
    let field = end64 - 28;
    assert_eq!(short[field..field + 4], [1, 0, 24, 0]);
    short[field] = 9;
    assert!(matches!(zip_entries(&mut Cursor::new(&short)), Err(ZipDirectoryError::Damaged)));
}

/// Three records with a dictionary before them, plain and compressed. Python's `compression.zstd` made them with
/// `train_dict`; the encoder of the tests cannot use dictionaries.
const WITH_DICTIONARY: [&[u8]; 2] =
    [include_bytes!("files/dictionary.warc.zst"), include_bytes!("files/packed-dictionary.warc.zst")];

#[test]
fn frames_with_a_dictionary_are_read_and_reported_without_it() {
    for bytes in WITH_DICTIONARY {
        let (pages, damaged) = read(bytes);
        let urls: Vec<&str> = pages.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(urls, [url(0), url(1), url(2)]);
        assert_eq!(damaged, []);
        let third = pages[2].1;
        let mut archive = Archive::new(Cursor::new(bytes), ArchiveLimits::default()).unwrap();
        assert!(matches!(archive.entry_at(third).unwrap(), Some(ArchiveEntry::Page(_))));
        // the dictionary is cut off
        let start = 8 + u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        let (pages, damaged) = read(&bytes[start..]);
        assert_eq!(pages, []);
        assert!(
            damaged.iter().all(|(damage, _)| *damage == Damage::Zstd) && !damaged.is_empty(),
            "{damaged:?}"
        );
        // a dictionary with other bytes: what needs it is damaged, and reading ends
        let mut wrong = bytes.to_vec();
        wrong[8..start].fill(0x55);
        let (pages, damaged) = read(&wrong);
        assert_eq!(pages, []);
        assert!(!damaged.is_empty());
    }
}

#[test]
fn entries_of_zip_files_are_archives_of_their_own() {
    let (content, starts) = zstd_archive();
    let bytes = zip("archive/data.warc.zst", &content, content.len() as u32, 0);
    let entries = zip_entries(&mut Cursor::new(&bytes)).unwrap();
    assert_eq!(entries.len(), 1);
    let entry = &entries[0];
    assert_eq!((entry.name.as_str(), entry.is_stored), ("archive/data.warc.zst", true));
    let window = FileWindow::new(Cursor::new(&bytes), entry.start, entry.length).unwrap();
    let mut archive = Archive::new(window, ArchiveLimits::default()).unwrap();
    assert_eq!(archive.by_ref().count(), 3);
    assert!(matches!(archive.entry_at(starts[2]).unwrap(), Some(ArchiveEntry::Page(_))));
}

#[test]
fn lying_zip_files_are_refused_or_cut() {
    let bytes = zip("a.warc", b"WARC/1.0", 0xffff_fffe, 0);
    let entries = zip_entries(&mut Cursor::new(&bytes)).unwrap();
    assert!(entries[0].start + entries[0].length <= bytes.len() as u64, "{entries:?}");
    assert!(!zip_entries(&mut Cursor::new(zip("a.warc", b"x", 1, 8))).unwrap()[0].is_stored);
    // the length of the comment at the end is not needed
    for length in 0..bytes.len() - 2 {
        let read = zip_entries(&mut Cursor::new(&bytes[..length]));
        assert!(matches!(read, Err(ZipDirectoryError::NoDirectory | ZipDirectoryError::Damaged)), "{length}");
    }
    let mut huge = bytes.clone();
    let end = huge.len() - 22;
    huge[end + 12..end + 16].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    assert!(matches!(zip_entries(&mut Cursor::new(&huge)), Err(ZipDirectoryError::TooLarge)));
}

#[test]
fn windows_end_where_they_should() {
    let mut window = FileWindow::new(Cursor::new(b"0123456789"), 2, 5).unwrap();
    let mut text = String::new();
    window.read_to_string(&mut text).unwrap();
    assert_eq!(text, "23456");
    assert_eq!(window.seek(SeekFrom::End(-2)).unwrap(), 3);
    text.clear();
    window.read_to_string(&mut text).unwrap();
    assert_eq!(text, "56");
    assert!(window.seek(SeekFrom::Current(-9)).is_err());
    assert!(window.seek(SeekFrom::Start(u64::MAX)).is_err());
    window.seek(SeekFrom::Start(100)).unwrap();
    assert_eq!(window.read(&mut [0; 4]).unwrap(), 0);
}

#[test]
fn repeated_visits_name_the_record_with_the_content() {
    let visit = |digest: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: https://site.example/again\r\nWARC-Payload-Digest: {digest}\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        )
    };
    let bytes = [record(0), record(1), visit("sha1:1").into(), visit("sha1:9").into()].concat();
    let mut limits = ArchiveLimits::default();
    limits.revisits = true;
    let archive = Archive::new(Cursor::new(&bytes), limits).unwrap();
    let contents: Vec<Option<u64>> = archive
        .filter_map(|entry| match entry.unwrap() {
            ArchiveEntry::Revisit(record) => Some(record.content_position),
            _ => None,
        })
        .collect();
    assert_eq!(contents, [Some(record(0).len() as u64), None]);
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..400), at in 0u64..500) {
        let framed = [&[0x28, 0xb5, 0x2f, 0xfd], bytes.as_slice()].concat();
        for bytes in [&bytes, &framed] {
            let mut archive = Archive::new(Cursor::new(bytes), ArchiveLimits::default()).unwrap();
            prop_assert!(archive.by_ref().count() <= bytes.len() + 1);
            let _ = archive.entry_at(at).unwrap();
            let _ = zip_entries(&mut Cursor::new(bytes));
            let _ = CdxIndex::read(bytes.as_slice());
        }
        let zipped = [bytes.as_slice(), b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &bytes].concat();
        let _ = zip_entries(&mut Cursor::new(&zipped));
    }
}
