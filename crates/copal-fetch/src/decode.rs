//! Decompresses bodies piece by piece, as they arrive, into a buffer of bounded size.
//!
//! Pieces of a body go in, the body comes out. Memory stays below the limit (or 4 MB if that is more) plus
//! one megabyte. Decoders with a large window (brotli, zstd) get its memory from the limit, so such a body is
//! cut earlier, in the worst case at half of the limit. Cost: linear in the decoded size.

mod body;
mod brotli;
mod zstd;

use std::io::{self, Write};

use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use crate::options::FetchLimits;
use body::BodyBuffer;
use brotli::BrotliDecoder;
use zstd::ZstdDecoder;

/// Why the rest of a body is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecodeStop {
    /// A size limit was reached.
    LimitReached,
    /// The decoder would need more memory than it may use.
    OutOfMemory,
    /// The compressed data is invalid.
    CorruptData,
}

/// The decoder for one content encoding, with the body decoded so far.
pub(crate) enum BodyDecoder {
    Identity(BodyBuffer),
    Gzip(Box<MultiGzDecoder<BodyBuffer>>),
    /// `deflate` before its first two bytes show whether it has a zlib header.
    DeflateStart(Vec<u8>, BodyBuffer),
    Zlib(Box<ZlibDecoder<BodyBuffer>>),
    RawDeflate(Box<DeflateDecoder<BodyBuffer>>),
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
        let decoder = match named.next().as_deref() {
            None => Self::Identity(BodyBuffer::uncompressed(limits, length)),
            Some("gzip" | "x-gzip") => {
                Self::Gzip(Box::new(MultiGzDecoder::new(BodyBuffer::compressed(limits))))
            }
            Some("deflate") => Self::DeflateStart(Vec::new(), BodyBuffer::compressed(limits)),
            Some("br") => Self::BrotliStart(BodyBuffer::compressed(limits)),
            Some("zstd") => Self::Zstd(Box::new(ZstdDecoder::new(BodyBuffer::compressed(limits)))),
            Some(_) => return None,
        };
        named.next().is_none().then_some(decoder)
    }

    /// Decodes the next piece of the transferred body.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), DecodeStop> {
        self.body().add_wire_bytes(piece.len());
        let done = match self {
            Self::Identity(body) => body.write_all(piece),
            Self::Gzip(decoder) => decoder.write_all(piece),
            Self::Zlib(decoder) => tolerate_trailing(decoder.write_all(piece)),
            Self::RawDeflate(decoder) => tolerate_trailing(decoder.write_all(piece)),
            Self::Brotli(decoder) => tolerate_trailing(decoder.writer.write_all(piece)),
            Self::Zstd(decoder) => decoder.push(piece),
            Self::DeflateStart(..) | Self::BrotliStart(_) => return self.begin(piece),
        };
        match done {
            Ok(()) => Ok(()),
            Err(_) if self.body().is_full() => Err(DecodeStop::LimitReached),
            Err(_) if self.ran_out_of_memory() => Err(DecodeStop::OutOfMemory),
            Err(_) => Err(DecodeStop::CorruptData),
        }
    }

    /// Chooses the decoder by the first bytes, which `push` has already counted.
    fn begin(&mut self, piece: &[u8]) -> Result<(), DecodeStop> {
        let first;
        *self = match self {
            Self::DeflateStart(held, body) => {
                held.extend_from_slice(piece);
                let [one, two, ..] = held[..] else { return Ok(()) };
                first = std::mem::take(held);
                let body = std::mem::take(body);
                // RFC 1950 requires the header, but many servers leave it out.
                let has_header = one & 0x0f == 8 && (u32::from(one) * 256 + u32::from(two)) % 31 == 0;
                if has_header {
                    Self::Zlib(Box::new(ZlibDecoder::new(body)))
                } else {
                    Self::RawDeflate(Box::new(DeflateDecoder::new(body)))
                }
            }
            Self::BrotliStart(body) => {
                let Some(byte) = piece.first() else { return Ok(()) };
                first = piece.to_vec();
                Self::Brotli(Box::new(BrotliDecoder::new(std::mem::take(body), *byte)))
            }
            _ => return Ok(()),
        };
        self.body().remove_wire_bytes(first.len());
        self.push(&first)
    }

    fn ran_out_of_memory(&self) -> bool {
        match self {
            Self::Brotli(decoder) => decoder.memory_refused(),
            Self::Zstd(decoder) => decoder.memory_refused,
            _ => false,
        }
    }

    fn body(&mut self) -> &mut BodyBuffer {
        match self {
            Self::Identity(body) | Self::DeflateStart(_, body) | Self::BrotliStart(body) => body,
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Zlib(decoder) => decoder.get_mut(),
            Self::RawDeflate(decoder) => decoder.get_mut(),
            Self::Brotli(decoder) => decoder.writer.get_mut(),
            Self::Zstd(decoder) => decoder.body(),
        }
    }

    /// The body, and whether a limit cut it. Called when the transfer ends, for whatever reason.
    pub(crate) fn finish(mut self) -> (Vec<u8>, bool) {
        // Data that a decoder still holds back belongs to the body, even if the transfer ended early.
        let _ = match &mut self {
            Self::Gzip(decoder) => decoder.try_finish(),
            Self::Zlib(decoder) => decoder.try_finish(),
            Self::RawDeflate(decoder) => decoder.try_finish(),
            Self::Brotli(decoder) => decoder.writer.flush(),
            Self::Zstd(decoder) => decoder.finish(),
            Self::Identity(_) | Self::DeflateStart(..) | Self::BrotliStart(_) => Ok(()),
        };
        std::mem::take(self.body()).into_parts()
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

    /// Data with one wrong bit, or cut short, gives an error or other bytes but never a panic. The result
    /// does not depend on the size of the pieces.
    #[test]
    fn corrupt_data_does_not_panic() {
        let samples: [(&str, &[u8]); 3] = [
            ("br", include_bytes!("../tests/data/page.br")),
            ("zstd", include_bytes!("../tests/data/page.zst")),
            ("deflate", b"\x78\x9c\x4b\x4c\x4a\x06\x00\x02\x4d\x01\x27"),
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
                    let (_, (body, _)) = decoded(encoding, &data, 64);
                    assert!(body.len() <= 100_000);
                }
                let (stop, (body, full)) = decoded(encoding, &whole[..at], whole.len());
                assert_eq!((stop, full), (None, false), "{encoding} {at}");
                assert_eq!(decoded(encoding, &whole[..at], 1), (None, (body, false)), "{encoding} {at}");
            }
        }
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
