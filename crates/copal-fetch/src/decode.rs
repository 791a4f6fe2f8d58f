//! Bodies as they come in: decompressed piece by piece into a buffer that cannot grow beyond its cap.
//!
//! Pieces of a body go in, the body comes out. Memory is the cap (or 4 MB if that is less) and less than a megabyte: the
//! window of a decoder that needs a large one (brotli, zstd) is taken from the cap, so that such a body is cut earlier,
//! at half of the cap at worst. Cost: linear in what is decoded.

mod brotli;
mod zstd;

use std::io::{self, Write};

use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use crate::FetchLimits;
use brotli::Brotli;
use zstd::Zstd;

/// What decoders may use beside window and body.
const SLACK: usize = 512 * 1024;
/// Decoders need some memory, however small the cap.
const LEAST: usize = 4 * 1024 * 1024;
/// A ratio says nothing about small bodies.
const RATIO_FROM: usize = 1024 * 1024;
/// Reserved at once at most; pages of memory that are not written to cost nothing.
const RESERVE: usize = 16 * 1024 * 1024;

/// Why no more of a body is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A cap was hit.
    Full,
    /// It would take more memory than there is.
    Memory,
    /// The compressed data is wrong.
    Wrong,
}

/// The body so far.
#[derive(Debug, Default)]
pub(crate) struct Body {
    bytes: Vec<u8>,
    /// As set.
    limit: usize,
    /// What is left of it beside the window.
    cap: usize,
    ratio: usize,
    wire: usize,
    full: bool,
}

impl Body {
    fn room(&self) -> usize {
        let by_ratio = if self.ratio == usize::MAX {
            usize::MAX
        } else {
            RATIO_FROM.max(self.wire.saturating_mul(self.ratio))
        };
        self.cap.min(by_ratio).saturating_sub(self.bytes.len())
    }

    /// What body and decoder may use together.
    fn memory(&self) -> usize {
        self.limit.max(LEAST).saturating_add(SLACK)
    }

    /// Takes `window` bytes of memory from the cap; half of it stays.
    fn charge(&mut self, window: usize) {
        let all = self.memory();
        self.cap = self.cap.min(all.saturating_sub(window).max(all / 2));
    }
}

impl Write for Body {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let taken = piece.len().min(self.room());
        let length = self.bytes.len();
        if length + taken > self.bytes.capacity() {
            let wanted = RESERVE.max(2 * length).min(self.cap).max(length + taken);
            self.bytes.reserve_exact(wanted - length);
        }
        self.bytes.extend_from_slice(&piece[..taken]);
        if taken < piece.len() {
            self.full = true;
            return Err(io::Error::other("the cap is reached"));
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A decoder with its body.
pub(crate) enum Decoder {
    Identity(Body),
    Gzip(Box<MultiGzDecoder<Body>>),
    /// Until its first two bytes tell whether it has a head.
    Deflate(Vec<u8>, Body),
    Zlib(Box<ZlibDecoder<Body>>),
    Raw(Box<DeflateDecoder<Body>>),
    /// Until its first byte tells the size of its window.
    Brotli(Body),
    BrotliRunning(Box<Brotli>),
    Zstd(Box<Zstd>),
}

impl Decoder {
    /// The decoder for a `Content-Encoding`; none if it is not known or several are stacked.
    pub(crate) fn new(encoding: &str, length: Option<u64>, limits: &FetchLimits) -> Option<Self> {
        let body = Body {
            limit: limits.decoded_bytes,
            cap: limits.decoded_bytes,
            ratio: limits.ratio.max(1),
            ..Body::default()
        };
        let mut names = encoding.split(',').map(|name| name.trim().to_ascii_lowercase());
        let mut named = names.by_ref().filter(|name| !name.is_empty() && name != "identity");
        let decoder = match named.next().as_deref() {
            None => {
                let length = length.map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX));
                let bytes = Vec::with_capacity(length.min(body.cap).min(RESERVE));
                Self::Identity(Body { bytes, ratio: usize::MAX, ..body })
            }
            Some("gzip" | "x-gzip") => Self::Gzip(Box::new(MultiGzDecoder::new(body))),
            Some("deflate") => Self::Deflate(Vec::new(), body),
            Some("br") => Self::Brotli(body),
            Some("zstd") => Self::Zstd(Box::new(Zstd::new(body))),
            Some(_) => return None,
        };
        named.next().is_none().then_some(decoder)
    }

    /// Decodes a piece of the wire.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), Stop> {
        self.body().wire += piece.len();
        let done = match self {
            Self::Identity(body) => body.write_all(piece),
            Self::Gzip(decoder) => decoder.write_all(piece),
            Self::Zlib(decoder) => tolerate_trailing(decoder.write_all(piece)),
            Self::Raw(decoder) => tolerate_trailing(decoder.write_all(piece)),
            Self::BrotliRunning(decoder) => tolerate_trailing(decoder.writer.write_all(piece)),
            Self::Zstd(decoder) => decoder.push(piece),
            Self::Deflate(..) | Self::Brotli(_) => return self.begin(piece),
        };
        match done {
            Ok(()) => Ok(()),
            Err(_) if self.body().full => Err(Stop::Full),
            Err(_) if self.refused() => Err(Stop::Memory),
            Err(_) => Err(Stop::Wrong),
        }
    }

    /// The first bytes decide how to go on; their count is in the body already.
    fn begin(&mut self, piece: &[u8]) -> Result<(), Stop> {
        let first;
        *self = match self {
            Self::Deflate(held, body) => {
                held.extend_from_slice(piece);
                let [one, two, ..] = held[..] else { return Ok(()) };
                first = std::mem::take(held);
                let body = std::mem::take(body);
                // RFC 1950 asks for the head, many servers leave it out
                let head = one & 0x0f == 8 && (u32::from(one) * 256 + u32::from(two)) % 31 == 0;
                if head {
                    Self::Zlib(Box::new(ZlibDecoder::new(body)))
                } else {
                    Self::Raw(Box::new(DeflateDecoder::new(body)))
                }
            }
            Self::Brotli(body) => {
                let Some(byte) = piece.first() else { return Ok(()) };
                first = piece.to_vec();
                Self::BrotliRunning(Box::new(Brotli::new(std::mem::take(body), *byte)))
            }
            _ => return Ok(()),
        };
        self.body().wire -= first.len();
        self.push(&first)
    }

    fn refused(&self) -> bool {
        match self {
            Self::BrotliRunning(decoder) => decoder.refused(),
            Self::Zstd(decoder) => decoder.refused,
            _ => false,
        }
    }

    fn body(&mut self) -> &mut Body {
        match self {
            Self::Identity(body) | Self::Deflate(_, body) | Self::Brotli(body) => body,
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Zlib(decoder) => decoder.get_mut(),
            Self::Raw(decoder) => decoder.get_mut(),
            Self::BrotliRunning(decoder) => decoder.writer.get_mut(),
            Self::Zstd(decoder) => decoder.body(),
        }
    }

    /// The body, and whether a cap cut it. To be called when the wire is at its end, for whatever reason.
    pub(crate) fn finish(mut self) -> (Vec<u8>, bool) {
        // what a decoder still holds of a body that ends early is part of it
        let _ = match &mut self {
            Self::Gzip(decoder) => decoder.try_finish(),
            Self::Zlib(decoder) => decoder.try_finish(),
            Self::Raw(decoder) => decoder.try_finish(),
            Self::BrotliRunning(decoder) => decoder.writer.flush(),
            Self::Zstd(decoder) => decoder.finish(),
            Self::Identity(_) | Self::Deflate(..) | Self::Brotli(_) => Ok(()),
        };
        let mut body = std::mem::take(self.body());
        body.bytes.shrink_to_fit();
        (body.bytes, body.full)
    }
}

/// Bytes behind the end of the stream are not part of the body; browsers ignore them too.
fn tolerate_trailing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::WriteZero => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Data that is wrong in one byte, or cut, gives an error or other bytes, never a panic, and the same ones however
    /// it is cut in pieces.
    #[test]
    fn wrong_data_does_no_harm() {
        let samples: [(&str, &[u8]); 3] = [
            ("br", include_bytes!("../tests/data/page.br")),
            ("zstd", include_bytes!("../tests/data/page.zst")),
            ("deflate", b"\x78\x9c\x4b\x4c\x4a\x06\x00\x02\x4d\x01\x27"),
        ];
        let limits = FetchLimits { decoded_bytes: 100_000, ..FetchLimits::default() };
        let decoded = |encoding: &str, data: &[u8], piece: usize| {
            let mut decoder = Decoder::new(encoding, None, &limits).unwrap();
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
    fn encodings_that_are_not_known_or_stacked_have_no_decoder() {
        let limits = FetchLimits::default();
        for encoding in ["rot13", "gzip, br", "gzip;q=1", "dcb"] {
            assert!(Decoder::new(encoding, None, &limits).is_none(), "{encoding}");
        }
        for encoding in ["", "identity", "GZIP", " br ", "identity,deflate"] {
            assert!(Decoder::new(encoding, None, &limits).is_some(), "{encoding}");
        }
    }
}
