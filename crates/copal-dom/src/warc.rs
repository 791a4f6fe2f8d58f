//! Recognises WARC archives, so that they are not read as text with markup in it.
//!
//! In: the first bytes of a file. Out: whether they begin an archive, compressed with gzip or not. O(1): at
//! most the first 64 KB are looked at.

use flate2::bufread::GzDecoder;
use std::io::Read;

/// How every record of an archive begins; the rest of the line is the version.
const SIGNATURES: [&[u8]; 2] = [b"WARC/1.", b"WARC/0."];
const SIGNATURE_BYTES: usize = 7;
const GZIP_SIGNATURE: &[u8] = b"\x1f\x8b";
/// Compressed bytes that are looked at. Headers of gzip are much shorter.
const MAX_COMPRESSED_BYTES: usize = 64 * 1024;

/// True if the bytes begin like a WARC archive, also one that is compressed with gzip.
pub fn is_warc(bytes: &[u8]) -> bool {
    if !bytes.starts_with(GZIP_SIGNATURE) {
        return SIGNATURES.iter().any(|signature| bytes.starts_with(signature));
    }
    let mut start = [0; SIGNATURE_BYTES];
    let read = GzDecoder::new(&bytes[..bytes.len().min(MAX_COMPRESSED_BYTES)]).read_exact(&mut start);
    read.is_ok() && SIGNATURES.contains(&start.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn archives_are_recognised_compressed_or_not() {
        let record = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
        assert!(is_warc(record) && is_warc(b"WARC/1.1\r\n") && is_warc(b"WARC/0.18\r\n"));
        let compressed = gzip(record);
        assert!(is_warc(&compressed));
        // also if the file was cut
        assert!(is_warc(&compressed[..compressed.len() - 8]));
        for other in [&b"<p>WARC/1.0"[..], b"WARC", b"WARC/2.0", b"", b"\x1f\x8b", &compressed[..12]] {
            assert!(!is_warc(other), "{other:?}");
        }
        assert!(!is_warc(&gzip(b"<p>a page")) && !is_warc(&gzip(b"WARC/")));
    }
}
