//! Inflate, with or without a zlib header, and the `deflate` encoding, which may be either.
//!
//! The decoders of flate2 that implement `Write` do not tell whether the data reached its end, so that a body
//! that was cut looks complete. This one runs the state machine itself.

use std::io::{self, Write};

use flate2::{Decompress, FlushDecompress, Status};

use super::body::BodyBuffer;

/// Bytes that are decoded at once.
const OUTPUT_BUFFER_BYTES: usize = 16 * 1024;

/// A running inflate decoder.
pub(crate) struct Inflater {
    state: Decompress,
    output: Vec<u8>,
    ended: bool,
}

impl Inflater {
    pub(crate) fn new(has_zlib_header: bool) -> Self {
        let (state, output) = (Decompress::new(has_zlib_header), vec![0; OUTPUT_BUFFER_BYTES]);
        Self { state, output, ended: false }
    }

    /// True if the end of the compressed data was reached.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Decodes the front of `input` into `sink` and returns how much of it was used. That is all of it,
    /// unless the data ends before.
    pub(crate) fn decode(&mut self, input: &[u8], sink: &mut impl Write) -> io::Result<usize> {
        let mut used = 0;
        while !self.ended {
            let (read_before, written_before) = (self.state.total_in(), self.state.total_out());
            let status = self.state.decompress(&input[used..], &mut self.output, FlushDecompress::None);
            // Both fit: they count bytes of slices.
            let read = (self.state.total_in() - read_before) as usize;
            let written = (self.state.total_out() - written_before) as usize;
            used += read;
            // What was decoded before an error belongs to the body too.
            sink.write_all(&self.output[..written])?;
            self.ended = status.map_err(io::Error::other)? == Status::StreamEnd;
            // Output that is still held back may come in pieces of any size: only a call without any effect
            // shows that there is no more.
            if read == 0 && written == 0 {
                if used < input.len() && !self.ended {
                    return Err(io::Error::other("the decoder does not go on"));
                }
                break;
            }
        }
        Ok(used)
    }
}

/// The decoder for `deflate`, with the body decoded so far.
pub(crate) struct DeflateDecoder {
    pub(crate) body: BodyBuffer,
    /// The first bytes, until two show whether there is a zlib header.
    held: Vec<u8>,
    inflater: Option<Inflater>,
}

impl DeflateDecoder {
    pub(crate) fn new(body: BodyBuffer) -> Self {
        Self { body, held: Vec::new(), inflater: None }
    }

    /// Decodes the next piece. Ignores bytes after the end of the compressed data, as browsers do.
    pub(crate) fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        if let Some(inflater) = &mut self.inflater {
            return inflater.decode(piece, &mut self.body).map(drop);
        }
        self.held.extend_from_slice(piece);
        let [one, two, ..] = self.held[..] else { return Ok(()) };
        // RFC 1950 requires the header, but many servers leave it out.
        let has_header = one & 0x0f == 8 && (u32::from(one) * 256 + u32::from(two)) % 31 == 0;
        let inflater = self.inflater.insert(Inflater::new(has_header));
        inflater.decode(&std::mem::take(&mut self.held), &mut self.body).map(drop)
    }

    /// True if the data has reached its end, or if there was none.
    pub(crate) fn is_complete(&self) -> bool {
        self.inflater.as_ref().map_or(self.held.is_empty(), Inflater::has_ended)
    }
}
