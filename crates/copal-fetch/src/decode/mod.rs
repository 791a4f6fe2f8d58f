//! Decompresses bodies piece by piece, as they arrive, into a buffer of bounded size.
//!
//! Pieces of a body go in, the body comes out. Memory stays below the limit (or 4 MB if that is more) plus
//! one megabyte. Decoders with a large window (brotli, zstd) get its memory from the limit, so such a body is
//! cut earlier, in the worst case at half of the limit. Cost: linear in the decoded size.

mod body;
mod brotli;
mod gzip;
mod inflate;
mod zstd;

use std::io::{self, Write};

use crate::options::FetchLimits;
use body::BodyBuffer;
use brotli::BrotliDecoder;
use gzip::GzipDecoder;
use inflate::DeflateDecoder;
use zstd::ZstdDecoder;

/// Why the rest of a body is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecodeStop {
    /// A size limit was reached.
    LimitReached,
    /// The decoder would need more memory than it may use.
    OutOfMemory,
    /// The compressed data is not intact.
    Fault(DecodeFault),
}

/// What is wrong with compressed data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecodeFault {
    /// It cannot be decoded from some point on.
    Corrupt,
    /// It was decoded, but something else than was compressed came out.
    WrongChecksum,
    /// The transfer ended before the data did.
    EndsEarly,
}

/// A body after the end of its transfer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DecodedBody {
    pub(crate) bytes: Vec<u8>,
    /// A size limit cut the body.
    pub(crate) limit_reached: bool,
    /// The compressed data did not reach its end.
    pub(crate) ends_early: bool,
}

/// The decoder for one content encoding, with the body decoded so far.
pub(crate) enum BodyDecoder {
    Identity(BodyBuffer),
    Gzip(Box<GzipDecoder>),
    Deflate(Box<DeflateDecoder>),
    /// `br` before its first byte shows the size of its window.
    BrotliStart(BodyBuffer),
    Brotli(Box<BrotliDecoder>),
    Zstd(Box<ZstdDecoder>),
}

impl BodyDecoder {
    /// The decoder for a `Content-Encoding`. Returns `None` if it is unknown or if several are combined.
    pub(crate) fn new(encoding: &str, length: Option<u64>, limits: &FetchLimits) -> Option<Self> {
        let mut names = encoding.split(',').map(|name| name.trim().to_ascii_lowercase());
        let mut named = names.by_ref().filter(|name| !name.is_empty() && name != "identity");
        let compressed = || BodyBuffer::compressed(limits);
        let decoder = match named.next().as_deref() {
            None => Self::Identity(BodyBuffer::uncompressed(limits, length)),
            Some("gzip" | "x-gzip") => Self::Gzip(Box::new(GzipDecoder::new(compressed()))),
            Some("deflate") => Self::Deflate(Box::new(DeflateDecoder::new(compressed()))),
            Some("br") => Self::BrotliStart(compressed()),
            Some("zstd") => Self::Zstd(Box::new(ZstdDecoder::new(compressed()))),
            Some(_) => return None,
        };
        named.next().is_none().then_some(decoder)
    }

    /// Decodes the next piece of the transferred body.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), DecodeStop> {
        self.body().add_wire_bytes(piece.len());
        if let Self::BrotliStart(body) = self {
            let Some(first) = piece.first() else { return Ok(()) };
            *self = Self::Brotli(Box::new(BrotliDecoder::new(std::mem::take(body), *first)));
        }
        let done = match self {
            Self::Identity(body) => body.write_all(piece),
            Self::Gzip(decoder) => decoder.push(piece),
            Self::Deflate(decoder) => decoder.push(piece),
            Self::Brotli(decoder) => tolerate_trailing(decoder.writer.write_all(piece)),
            Self::Zstd(decoder) => decoder.push(piece),
            Self::BrotliStart(_) => Ok(()),
        };
        match done {
            Ok(()) => Ok(()),
            Err(_) if self.body().is_full() => Err(DecodeStop::LimitReached),
            Err(_) if self.ran_out_of_memory() => Err(DecodeStop::OutOfMemory),
            Err(_) if self.has_wrong_checksum() => Err(DecodeStop::Fault(DecodeFault::WrongChecksum)),
            Err(_) => Err(DecodeStop::Fault(DecodeFault::Corrupt)),
        }
    }

    fn ran_out_of_memory(&self) -> bool {
        match self {
            Self::Brotli(decoder) => decoder.memory_refused(),
            Self::Zstd(decoder) => decoder.memory_refused,
            _ => false,
        }
    }

    fn has_wrong_checksum(&self) -> bool {
        match self {
            Self::Gzip(decoder) => decoder.wrong_checksum,
            Self::Zstd(decoder) => decoder.wrong_checksum,
            _ => false,
        }
    }

    fn body(&mut self) -> &mut BodyBuffer {
        match self {
            Self::Identity(body) | Self::BrotliStart(body) => body,
            Self::Gzip(decoder) => &mut decoder.body,
            Self::Deflate(decoder) => &mut decoder.body,
            Self::Brotli(decoder) => decoder.writer.get_mut(),
            Self::Zstd(decoder) => decoder.body(),
        }
    }

    /// The body as far as it was decoded. Called when the transfer ends, for whatever reason.
    pub(crate) fn finish(mut self) -> DecodedBody {
        // brotli and zstd hold data back that belongs to the body, even if the transfer ended early.
        let is_complete = match &mut self {
            Self::Gzip(decoder) => decoder.is_complete(),
            Self::Deflate(decoder) => decoder.is_complete(),
            Self::Brotli(decoder) => decoder.finish(),
            Self::Zstd(decoder) => decoder.finish(),
            Self::Identity(_) | Self::BrotliStart(_) => true,
        };
        let (bytes, limit_reached) = std::mem::take(self.body()).into_parts();
        DecodedBody { bytes, limit_reached, ends_early: !is_complete && !limit_reached }
    }
}

/// Ignores bytes after the end of the compressed stream, as browsers do.
fn tolerate_trailing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::WriteZero => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Data with one wrong bit gives an error or other bytes, but never a panic. Data that is cut anywhere is
    /// found to be incomplete. The result does not depend on the size of the pieces.
    #[test]
    fn corrupt_and_cut_data_is_found() {
        let samples: [(&str, &[u8]); 4] = [
            ("br", include_bytes!("../../tests/data/page.br")),
            ("zstd", include_bytes!("../../tests/data/page.zst")),
            ("deflate", b"\x78\x9c\x4b\x4c\x4a\x06\x00\x02\x4d\x01\x27"),
            ("gzip", &gzip_member(b"abc")),
        ];
        let limits = FetchLimits { decoded_bytes: 100_000, ..FetchLimits::default() };
        let decoded = |encoding: &str, data: &[u8], piece: usize| {
            let mut decoder = BodyDecoder::new(encoding, None, &limits).unwrap();
            let stop = data.chunks(piece).find_map(|piece| decoder.push(piece).err());
            (stop, decoder.finish())
        };
        for (encoding, whole) in samples {
            for at in 0..whole.len() {
                for bit in 0..8 {
                    let mut data = whole.to_vec();
                    data[at] ^= 1 << bit;
                    let (_, found) = decoded(encoding, &data, 64);
                    assert!(found.bytes.len() <= 100_000);
                }
                let (stop, found) = decoded(encoding, &whole[..at], whole.len());
                assert_eq!((stop, found.limit_reached), (None, false), "{encoding} {at}");
                // An empty body is complete in every encoding.
                assert_eq!(found.ends_early, at > 0, "{encoding} {at}");
                assert_eq!(decoded(encoding, &whole[..at], 1), (None, found), "{encoding} {at}");
            }
            let (stop, found) = decoded(encoding, whole, 1);
            assert_eq!((stop, found.ends_early), (None, false), "{encoding}");
        }
    }

    /// 72 bytes of brotli are 150 KB: what a transfer brought before it broke is all given out, in pieces of any size.
    #[test]
    fn a_cut_body_keeps_all_that_was_decoded() {
        let whole = include_bytes!("../../tests/data/repeated.br");
        let limits = FetchLimits { decoded_bytes: 1_000_000, ..FetchLimits::default() };
        let decoded = |data: &[u8], piece: usize| {
            let mut decoder = BodyDecoder::new("br", None, &limits).unwrap();
            assert!(data.chunks(piece).all(|piece| decoder.push(piece).is_ok()));
            decoder.finish()
        };
        assert_eq!(decoded(whole, whole.len()).bytes.len(), 150_022);
        let cut = &whole[..whole.len() - 1];
        let (at_once, in_pieces) = (decoded(cut, cut.len()), decoded(cut, 1));
        assert!(at_once.ends_early && at_once.bytes.len() == 150_018, "{} bytes", at_once.bytes.len());
        assert_eq!(at_once, in_pieces);
    }

    fn gzip_member(data: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn gzip_members_are_checked_and_padding_is_ignored() {
        let limits = FetchLimits::default();
        let decoded = |data: &[u8]| {
            let mut decoder = BodyDecoder::new("gzip", None, &limits).unwrap();
            let stop = data.chunks(3).find_map(|piece| decoder.push(piece).err());
            let DecodedBody { bytes, ends_early, .. } = decoder.finish();
            (String::from_utf8(bytes).unwrap(), ends_early, stop)
        };
        let (one, two) = (gzip_member(b"one "), gzip_member(b"two"));
        let both = [one.clone(), two.clone()].concat();
        assert_eq!(decoded(&both), ("one two".to_owned(), false, None));
        for padding in [&b"\0"[..], b"\0\0\0\0\0\0\0\0\0\0\0\0", b"<!-- served -->"] {
            let padded = [both.as_slice(), padding].concat();
            assert_eq!(decoded(&padded), ("one two".to_owned(), false, None), "{padding:?}");
        }
        // Cut in the header, the data and the trailer of the second member.
        for cut in [1, 5, 12, two.len() - 8, two.len() - 1] {
            let (text, ends_early, stop) = decoded(&[one.as_slice(), &two[..cut]].concat());
            assert!(text.starts_with("one ") && ends_early && stop.is_none(), "{cut} {text}");
        }
        for at in [one.len() - 8, one.len() - 1] {
            let mut wrong = both.clone();
            wrong[at] ^= 1;
            let (text, _, stop) = decoded(&wrong);
            assert_eq!((text.as_str(), stop), ("one ", Some(DecodeStop::Fault(DecodeFault::WrongChecksum))));
        }
    }

    #[test]
    fn zstd_checksums_are_compared() {
        let whole = include_bytes!("../../tests/data/page.zst");
        assert!(whole[4] >> 2 & 1 == 1, "the sample has a checksum");
        let mut wrong = whole.to_vec();
        *wrong.last_mut().unwrap() ^= 1;
        let mut decoder = BodyDecoder::new("zstd", None, &FetchLimits::default()).unwrap();
        assert_eq!(decoder.push(&wrong), Err(DecodeStop::Fault(DecodeFault::WrongChecksum)));
        assert!(decoder.finish().bytes.ends_with(b"</ul>"));
    }

    #[test]
    fn unknown_and_combined_encodings_have_no_decoder() {
        let limits = FetchLimits::default();
        for encoding in ["rot13", "gzip, br", "gzip;q=1", "dcb"] {
            assert!(BodyDecoder::new(encoding, None, &limits).is_none(), "{encoding}");
        }
        for encoding in ["", "identity", "GZIP", " br ", "identity,deflate"] {
            assert!(BodyDecoder::new(encoding, None, &limits).is_some(), "{encoding}");
        }
    }
}
