//! Any bytes as a compressed body: a bounded body comes out, and the same one in pieces of any size.

use crate::body_decoding::{BodyDecoder, DecodedBody};
use crate::options::FetchLimits;

const ENCODINGS: [&str; 5] = ["gzip", "deflate", "br", "zstd", ""];
const MAX_BODY_BYTES: usize = 1_000_000;

fn decoded(encoding: &str, data: &[u8], piece: usize) -> (bool, DecodedBody) {
    let limits = FetchLimits { decoded_bytes: MAX_BODY_BYTES, compression_ratio: 100 };
    let mut decoder = BodyDecoder::new(encoding, None, &limits).expect("a known encoding");
    let stopped = data.chunks(piece).any(|piece| decoder.push(piece).is_err());
    (stopped, decoder.finish())
}

pub(crate) fn check(data: &[u8]) {
    let Some((choice, data)) = data.split_first() else { return };
    let encoding = ENCODINGS[usize::from(choice % 5)];
    let whole = decoded(encoding, data, data.len().max(1));
    assert!(whole.1.bytes.len() <= MAX_BODY_BYTES, "{encoding}: {} bytes", whole.1.bytes.len());
    // after an error a decoder may have returned more or less of the data before it
    let pieces = decoded(encoding, data, 1 + usize::from(choice / 5));
    if !whole.0 && !pieces.0 {
        let (whole, pieces) = (whole.1, pieces.1);
        let lengths = (whole.bytes.len(), pieces.bytes.len());
        // not `assert_eq!`: a body may have a million bytes
        assert!(whole == pieces, "{encoding}: the body depends on the pieces: {lengths:?} bytes");
    }
}
