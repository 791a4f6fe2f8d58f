//! The buffer that decoders write into. It refuses to grow beyond its limits.

use std::io::{self, Write};

use crate::options::FetchLimits;

/// Memory that decoders may use in addition to window and body.
const DECODER_OVERHEAD: usize = 512 * 1024;
/// Decoders get at least this much memory, however small the limit is.
const MIN_MEMORY: usize = 4 * 1024 * 1024;
/// The compression ratio is only meaningful for bodies larger than this.
const MIN_RATIO_BYTES: usize = 1024 * 1024;
/// The largest reservation at once. Memory pages that are never written to cost nothing.
const MAX_RESERVE: usize = 16 * 1024 * 1024;

/// The decoded body so far.
#[derive(Debug, Default)]
pub(crate) struct BodyBuffer {
    bytes: Vec<u8>,
    /// The limit that the user set.
    limit: usize,
    /// What is left of the limit after the decoder's window was subtracted.
    cap: usize,
    /// `None` for bodies that are not compressed.
    max_ratio: Option<usize>,
    wire_bytes: usize,
    full: bool,
}

impl BodyBuffer {
    /// A buffer for a compressed body.
    pub(crate) fn compressed(limits: &FetchLimits) -> Self {
        Self {
            limit: limits.decoded_bytes,
            cap: limits.decoded_bytes,
            max_ratio: Some(limits.compression_ratio.max(1)),
            ..Self::default()
        }
    }

    /// A buffer for a body that is not compressed, and that should have this length.
    pub(crate) fn uncompressed(limits: &FetchLimits, length: Option<u64>) -> Self {
        let length = length.map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX));
        let bytes = Vec::with_capacity(length.min(limits.decoded_bytes).min(MAX_RESERVE));
        Self { bytes, max_ratio: None, ..Self::compressed(limits) }
    }

    /// Counts bytes that arrived. The ratio limit is relative to them.
    pub(crate) fn add_wire_bytes(&mut self, count: usize) {
        self.wire_bytes += count;
    }

    /// The length of the body so far.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// True if a limit cut the body.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// The memory that body and decoder may use together.
    pub(crate) fn memory(&self) -> usize {
        self.limit.max(MIN_MEMORY).saturating_add(DECODER_OVERHEAD)
    }

    /// Subtracts the memory of a decoder's window from the cap. At least half of the memory remains.
    pub(crate) fn charge_window(&mut self, window: usize) {
        let memory = self.memory();
        self.cap = self.cap.min(memory.saturating_sub(window).max(memory / 2));
    }

    /// The body, and whether a limit cut it.
    pub(crate) fn into_parts(mut self) -> (Vec<u8>, bool) {
        self.bytes.shrink_to_fit();
        (self.bytes, self.full)
    }

    fn room(&self) -> usize {
        let by_ratio = self
            .max_ratio
            .map_or(usize::MAX, |ratio| MIN_RATIO_BYTES.max(self.wire_bytes.saturating_mul(ratio)));
        self.cap.min(by_ratio).saturating_sub(self.bytes.len())
    }
}

impl Write for BodyBuffer {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let accepted = piece.len().min(self.room());
        let length = self.bytes.len();
        if length + accepted > self.bytes.capacity() {
            let wanted = MAX_RESERVE.max(2 * length).min(self.cap).max(length + accepted);
            self.bytes.reserve_exact(wanted - length);
        }
        self.bytes.extend_from_slice(&piece[..accepted]);
        if accepted < piece.len() {
            self.full = true;
            return Err(io::Error::other("the size limit was reached"));
        }
        Ok(accepted)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
